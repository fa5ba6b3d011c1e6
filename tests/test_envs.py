"""Environments: the checkers of PettingZoo and Gymnasium pass, and every game is played by our rules."""

from __future__ import annotations

import copy
import io
import json
import pickle
import random
import runpy
import subprocess
import sys
import warnings
from collections.abc import Callable
from contextlib import redirect_stdout
from pathlib import Path
from types import ModuleType
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import outplay.envs
from outplay import checkers, connect4
from outplay.envs import CheckersVector, ConnectFourVector, checkers_v0, connect_four_v0, kaggle, openspiel
from outplay.errors import EngineError, IllegalMoveError, NotationError
from outplay.outcome import Side

GAMES = [connect_four_v0, checkers_v0]
NAMES = ["outplay/ConnectFour-v0", "outplay/Checkers-v0"]
MODES = ["ansi", "svg", "rgb_array"]
with warnings.catch_warnings():  # it loads environments of its own in a way that it calls old
    warnings.simplefilter("ignore", DeprecationWarning)
    from pettingzoo.test import api_test, performance_benchmark, seed_test

LIKELY_WARNINGS = pytest.mark.filterwarnings("ignore::UserWarning")


def game_id(game: ModuleType) -> str:
    return game.__name__.rpartition(".")[2]


def choose(mask: Any, source: random.Random) -> int:
    return source.choice(np.flatnonzero(mask).tolist())


def play_out(env: Any, seed: int, *, most: int = 10_000) -> list[int]:
    """Play a game at random until it is over. The actions."""
    source, actions = random.Random(seed), list[int]()
    env.reset(seed=seed)
    for _ in env.agent_iter(most):
        seen, _, is_over, _, _ = env.last()
        if is_over:
            break
        actions.append(choose(seen["action_mask"], source))
        env.step(actions[-1])
    return actions


# PettingZoo


@LIKELY_WARNINGS
@pytest.mark.parametrize("game", GAMES, ids=game_id)
@pytest.mark.parametrize("mode", [None, *MODES])
def test_pettingzoos_own_check_passes(game: ModuleType, mode: str | None) -> None:
    with redirect_stdout(io.StringIO()) as printed:
        api_test(game.env(render_mode=mode), num_cycles=100)
    assert "Passed API test" in printed.getvalue()


@LIKELY_WARNINGS
@pytest.mark.parametrize("game", GAMES, ids=game_id)
def test_pettingzoos_seed_test_passes(game: ModuleType) -> None:
    seed_test(game.env, num_cycles=20)


@LIKELY_WARNINGS
@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES, ids=game_id)
def test_pettingzoos_performance_test_runs(game: ModuleType) -> None:
    with redirect_stdout(io.StringIO()) as printed:
        performance_benchmark(game.env())
    assert "turns per second" in printed.getvalue()


@pytest.mark.parametrize("seed", range(5))
def test_connect_four_observations_are_those_of_the_position(seed: int) -> None:
    env, source = connect_four_v0.env(), random.Random(seed)
    env.reset()
    position = connect4.Position()
    while position.outcome() is None:
        agent = env.agent_selection
        assert agent == f"player_{position.side}"
        for name, side in zip(env.agents, Side, strict=True):
            seen = env.observe(name)
            rows = np.array(position.rows(first=1))
            assert (seen["observation"][..., 0] == (rows == side + 1)).all()
            assert (seen["observation"][..., 1] == (rows == 2 - side)).all()
            legal = position.legal_moves() if name == agent else []
            assert np.flatnonzero(seen["action_mask"]).tolist() == legal
        action = source.choice(position.legal_moves())
        env.step(action)
        position = position.play(action)
    outcome = position.outcome()
    assert outcome is not None
    rewards = {"player_0": 0, "player_1": 0}
    if outcome.winner is not None:
        rewards = {f"player_{outcome.winner}": 1, f"player_{1 - outcome.winner}": -1}
    assert env.rewards == rewards
    assert all(env.terminations.values())
    assert not env.observe("player_0")["action_mask"].any()
    assert env.position == position, "the last observation is that of the finished game"


def test_connect_four_is_a_drop_in_for_pettingzoos_own() -> None:
    pytest.importorskip("pygame")
    theirs_module = pytest.importorskip("pettingzoo.classic.connect_four.connect_four")
    for seed in range(20):
        ours, theirs, source = connect_four_v0.env(), theirs_module.env(), random.Random(seed)
        ours.reset(seed=seed)
        theirs.reset(seed=seed)
        for agent in ours.agent_iter():
            assert theirs.agent_selection == agent
            mine, other = ours.last(), theirs.last()
            assert mine[1:4] == other[1:4]
            assert (mine[0]["observation"] == other[0]["observation"]).all()
            action = None
            if not mine[2]:
                assert (mine[0]["action_mask"] == other[0]["action_mask"]).all()
                action = choose(mine[0]["action_mask"], source)
            ours.step(action)
            theirs.step(action)


@pytest.mark.parametrize("seed", range(3))
def test_checkers_steps_are_the_actions_of_batches(seed: int) -> None:
    env, source = checkers_v0.env(), random.Random(seed)
    env.reset()
    batch = checkers.Positions.start(1)
    for agent in env.agent_iter(120):
        seen, _, is_over, _, _ = env.last()
        if is_over:
            break
        assert agent == f"player_{batch.sides[0]}"
        assert (seen["observation"] == batch.planes(channels="last")[0]).all()
        assert (seen["action_mask"] == batch.legal_mask()[0]).all()
        assert not env.observe(f"player_{1 - batch.sides[0]}")["action_mask"].any()
        action = choose(seen["action_mask"], source)
        env.step(action)
        batch = batch.play([action])


@pytest.mark.parametrize("game", GAMES, ids=game_id)
def test_games_end_and_their_rewards_add_up_to_nothing(game: ModuleType) -> None:
    for seed in range(5):
        env = game.env()
        play_out(env, seed)
        assert all(env.terminations.values())
        assert sum(env.rewards.values()) == 0


@pytest.mark.parametrize("game", GAMES, ids=game_id)
def test_an_illegal_action_loses_the_game(game: ModuleType) -> None:
    env = game.env()
    for wrong in (None, -1, 10_000):
        env.reset()
        env.step(wrong)
        assert all(env.terminations.values())
        assert env.rewards == {"player_0": -1, "player_1": 0}


@pytest.mark.parametrize("action", ["4", 2.5, [3]])
def test_an_action_is_a_whole_number(action: Any) -> None:
    aec = connect_four_v0.env()
    aec.reset()
    single = gymnasium.make("outplay/ConnectFour-v0", first=True, disable_env_checker=True)
    single.reset(seed=1)
    for env in (aec, single):
        with pytest.raises(TypeError, match="action must be a whole number, not"):
            env.step(action)


def test_a_step_before_the_first_game_says_what_is_missing() -> None:
    with pytest.raises(AttributeError, match=r"call reset\(\) first"):
        connect_four_v0.env().step(3)


def test_who_begins_is_yes_no_or_by_chance() -> None:
    with pytest.raises(TypeError, match="first must be True, False or None, not 'yes'"):
        gymnasium.make("outplay/ConnectFour-v0", first="yes")


def test_openspiel_refuses_what_is_no_action_and_no_batch() -> None:
    with pytest.raises(ValueError, match="action must be from 0 to 127, not 200"):
        openspiel.checkers_action(200, Side.FIRST, is_jump=False)
    with pytest.raises(ValueError, match="number must be from 0 to 511, not -1"):
        openspiel.action_of(-1, Side.FIRST)
    with pytest.raises(ValueError, match="5 is not a valid Side"):
        openspiel.action_of(100, 5)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"positions must be connect4\.Positions"):
        openspiel.connect_four_tensor(checkers.Positions.start(2))  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"positions must be checkers\.Positions"):
        openspiel.checkers_tensor(None)  # type: ignore[arg-type]


@pytest.mark.parametrize("game", GAMES, ids=game_id)
def test_boards_are_rendered_as_text_svg_and_pixels(game: ModuleType) -> None:
    shown = {}
    for mode in MODES:
        env = game.env(render_mode=mode)
        play_out(env, 3, most=12)
        shown[mode] = env.render()
    assert shown["ansi"] == str(env.position)
    assert shown["svg"].startswith("<svg")
    pixels = shown["rgb_array"]
    assert (pixels.ndim, pixels.shape[2], pixels.dtype) == (3, 3, np.uint8)
    assert len(np.unique(pixels.reshape(-1, 3), axis=0)) >= 4
    with pytest.raises(ValueError, match="render_mode must be one of ansi, svg, rgb_array"):
        game.env(render_mode="human")


@pytest.mark.parametrize("game", GAMES, ids=game_id)
def test_environments_pickle(game: ModuleType) -> None:
    env = pickle.loads(pickle.dumps(game.env(render_mode="ansi")))
    assert env.render_mode == "ansi"
    env.reset()


@pytest.mark.parametrize("game", GAMES, ids=game_id)
@pytest.mark.parametrize("copied", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_a_copy_of_an_environment_goes_on_with_its_own_game(game: ModuleType, copied: Callable[[Any], Any]) -> None:
    options = {"scores": True} if game is connect_four_v0 else {}
    env, source = game.env(**options), random.Random(3)
    env.reset()
    while not (env.agent_selection == "player_1" and len(env.observe("player_1")["action_mask"].nonzero()[0]) == 7):
        env.step(choose(env.last()[0]["action_mask"], source))
    twin = copied(env)
    before = env.position
    for _ in range(4):
        assert twin.position == before
        assert (twin.last()[0]["observation"] == env.last()[0]["observation"]).all()
        action = choose(twin.last()[0]["action_mask"], source)
        twin.step(action)
        assert env.position == before, "the first one does not move"
        env.step(action)
        before = env.position


def test_scores_are_those_of_the_solver() -> None:
    env = connect_four_v0.env(scores=True)
    env.reset()
    for action in (3, 3, 2):
        env.step(action)
    _, _, _, _, info = env.last()
    assert info["scores"].tolist() == connect4.Solver().scores(env.position)
    other = env.agents[1 - env.agents.index(env.agent_selection)]
    assert env.infos[other] == {}


# Gymnasium


@LIKELY_WARNINGS
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("mode", [None, *MODES])
def test_gymnasiums_own_check_passes(name: str, mode: str | None) -> None:
    check_env(gymnasium.make(name, render_mode=mode).unwrapped)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("opponent", ["random", "level:1"])
@pytest.mark.parametrize("first", [True, False])
def test_games_against_a_player_are_repeated_by_their_seed(name: str, opponent: str, first: bool) -> None:
    games = []
    for _ in range(2):
        env = gymnasium.make(name, opponent=opponent, first=first).unwrapped
        source, fens = random.Random(1), list[str]()
        seen, _ = env.reset(seed=7)
        for _ in range(6):
            seen, reward, is_over, is_cut, _ = env.step(choose(seen["action_mask"], source))
            fens.append(env.position.fen())
            assert reward in (-1, 0, 1)
            assert not is_cut
            if is_over:
                break
        games.append(fens)
    assert games[0] == games[1]


def test_a_game_against_a_function_is_won_and_lost() -> None:
    def leftmost(position: connect4.Position) -> int:
        return position.legal_moves()[0]

    env = gymnasium.make("outplay/ConnectFour-v0", opponent=leftmost, first=True, scores=True).unwrapped
    _, info = env.reset(seed=1)
    assert info["scores"].max() == 1
    rewards = [env.step(3)[1] for _ in range(4)]
    assert rewards == [0, 0, 0, 1]
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(3)
    env.reset()
    rewards = [env.step(column)[1] for column in (6, 6, 5, 5)]
    assert rewards == [0, 0, 0, -1]


def test_an_illegal_action_loses_against_a_player_too() -> None:
    env = gymnasium.make("outplay/ConnectFour-v0").unwrapped
    env.reset(seed=1)
    seen, reward, is_over, _, _ = env.step(7)
    assert (reward, is_over) == (-1, True)
    assert not seen["action_mask"].any()


def test_a_player_that_does_not_exist_is_refused_at_once() -> None:
    with pytest.raises(NotationError, match="no such player"):
        gymnasium.make("outplay/ConnectFour-v0", opponent="nobody")


@pytest.mark.parametrize(("name", "options", "error", "message"), [
    (NAMES[0], {"opponent": "human"}, ValueError, "the opponent cannot be 'human': it is a person"),
    (NAMES[0], {"opponent": "searcher"}, ValueError, "the opponent cannot be 'searcher': it plays only Checkers"),
    (NAMES[1], {"opponent": "solver"}, ValueError, "the opponent cannot be 'solver': it plays only Connect Four"),
    (NAMES[0], {"limit": 5}, TypeError, "limit must be a Limit or None, not 5"),
    (NAMES[1], {"scores": True}, ValueError, "scores are exact only in Connect Four"),
])  # fmt: skip
def test_what_cannot_be_an_opponent_is_refused_at_once(
    name: str, options: dict[str, Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        gymnasium.make(name, **options)


def test_an_opponent_that_fails_ends_the_game() -> None:
    plays = iter([0, 1])

    def failing(position: connect4.Position) -> int:
        return next(plays)

    env = gymnasium.make(NAMES[0], opponent=failing, first=False).unwrapped
    env.reset()
    env.step(3)
    with pytest.raises(EngineError, match="failed"):
        env.step(3)
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(3)
    with pytest.raises(EngineError, match="failed"):
        env.reset()
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(3)


def test_an_opponent_that_draws_numbers_leaves_those_of_the_caller_alone() -> None:
    def by_chance(position: connect4.Position) -> int:
        return random.choice(position.legal_moves())

    env = gymnasium.make(NAMES[0], opponent=by_chance, first=False).unwrapped
    games = []
    for start in (1, 2):
        random.seed(start)
        state = random.getstate()
        env.reset(seed=7)
        for _ in range(3):
            env.step(6)
        assert random.getstate() == state
        games.append(env.position)
    assert games[0] == games[1], "only the seed of the environment decides"


# Many games in step


@pytest.mark.parametrize("make", [ConnectFourVector, CheckersVector])
def test_without_a_seed_vector_environments_differ(make: Callable[..., Any]) -> None:
    drawn, env = list[list[int]](), make(200)
    for one in (env, env, make(200)):
        one.reset()
        drawn.append(one.random_actions().tolist())
    assert drawn[0] != drawn[1] != drawn[2] != drawn[0]
    for one in (env, make(200)):
        one.reset(seed=5)
        drawn.append(one.random_actions().tolist())
    assert drawn[3] == drawn[4]


@pytest.mark.parametrize(("make", "batch"), [
    (ConnectFourVector, connect4.Positions), (CheckersVector, checkers.Positions),
])  # fmt: skip
def test_the_last_observation_of_a_game_is_there_if_asked_for(make: Callable[..., Any], batch: Any) -> None:
    env, plain = make(30, final_obs=True), make(30)
    positions, ended = batch.start(30), 0
    for one in (env, plain):
        one.reset(seed=2)
    while ended < 5:
        actions = env.random_actions()
        _, _, finished, _, info = env.step(actions)
        plain_info = plain.step(actions)[4]
        assert not {"final_obs", "final_info"} & set(plain_info)
        assert ("final_obs" in info) == finished.any()
        after = positions.play(actions)
        for game in np.flatnonzero(finished):
            assert env.single_observation_space.contains(info["final_obs"][game])
            assert (info["final_obs"][game]["observation"] == after[[game]].planes()[0]).all()
            assert not info["final_obs"][game]["action_mask"].any()
            ended += 1
        if finished.any():
            assert info["_final_obs"].tolist() == finished.tolist()
            assert [seen is None for seen in info["final_obs"]] == (~finished).tolist()
        positions = env.games.positions()


def test_a_vector_environment_does_not_begin_single_games_again() -> None:
    with pytest.raises(ValueError, match="reset_mask is not supported"):
        ConnectFourVector(2).reset(options={"reset_mask": np.array([True, False])})


@pytest.mark.parametrize("make", [ConnectFourVector, CheckersVector])
def test_vector_environments_fill_their_spaces(make: Callable[..., Any]) -> None:
    env = make(6)
    seen, _ = env.reset(seed=3)
    assert env.observation_space.contains(seen)
    finished = 0
    for _ in range(150):
        actions = env.random_actions()
        assert env.action_space.contains(actions)
        seen, rewards, is_over, is_cut, _ = env.step(actions)
        finished += is_over.sum()
        assert not is_cut.any()
        assert (rewards <= is_over).all()
        assert seen["action_mask"].any(axis=1).all(), "a finished game has begun again"
    assert finished > 0
    with pytest.raises(IllegalMoveError):
        env.step([10_000] * 6)


def test_vector_environments_write_to_arrays_of_the_caller_and_know_the_scores() -> None:
    planes = np.zeros((3, 2, 6, 7), np.int8)
    env = ConnectFourVector(3, planes=planes, scores=True)
    seen, info = env.reset()
    assert seen["observation"] is planes
    assert info["scores"].tolist() == [connect4.Solver().scores(connect4.Position())] * 3
    assert CheckersVector(3).reset()[1]["sides"].tolist() == [0, 0, 0]


# Others


def test_a_kaggle_agent_plays_here_and_ours_plays_there() -> None:
    seen_boards: list[Any] = []

    def agent(observation: Any, configuration: Any) -> int:
        seen_boards.append(observation.board)
        assert configuration.columns == configuration["columns"] == 7
        return next(c for c in range(configuration.columns) if observation.board[c] == 0)

    position = connect4.Position.from_moves("44")
    assert outplay.best_move(position, kaggle.from_agent(agent)) == 0
    assert seen_boards == [[cell for row in position.rows() for cell in row]]
    assert outplay.best_move(position, kaggle.from_agent(lambda observation: observation["mark"])) == 1
    for text in ("", "4", "4453", "445"):
        position = connect4.Position.from_moves(text)
        seen = kaggle.observation_of(position)
        assert kaggle.position_of(seen, kaggle.configuration_of(position)) == position
    perfect = kaggle.to_agent("solver")
    assert perfect(kaggle.observation_of(connect4.Position()), kaggle.configuration_of(connect4.Position())) == 3
    with pytest.raises(ValueError, match="outplay plays four in a row, not 5"):
        kaggle.position_of(kaggle.observation_of(position), {"columns": 7, "inarow": 5})


@pytest.mark.parametrize("answer", ["3", 3.0, True, None])
def test_an_agent_answers_with_a_column(answer: Any) -> None:
    with pytest.raises(EngineError, match=r"the answer of an agent must be a column, from 0, not "):
        outplay.best_move(connect4.Position(), kaggle.from_agent(lambda observation, configuration: answer))
    assert outplay.best_move(connect4.Position(), kaggle.from_agent(lambda _: np.int64(2))) == 2  # type: ignore[arg-type,return-value]


def test_agents_play_connect_four_only() -> None:
    with pytest.raises(EngineError, match="a Kaggle agent plays only Connect Four"):
        outplay.best_move(checkers.Position(), kaggle.from_agent(lambda observation: 3))
    with pytest.raises(ValueError, match="the agent cannot be 'searcher': it plays only Checkers"):
        kaggle.to_agent("searcher")
    with pytest.raises(ValueError, match="the agent cannot be 'human': it is a person"):
        kaggle.to_agent("human")
    with pytest.raises(ValueError, match="mark must be 1 or 2, not 3"):
        kaggle.to_agent("level:1")({"board": [0] * 42, "mark": 3})


def test_a_written_agent_is_one_function_without_their_package(tmp_path: Path) -> None:
    kaggle.write_agent("solver", tmp_path / "agent.py")
    names: dict[str, Any] = {}
    exec((tmp_path / "agent.py").read_text(encoding="utf-8"), names)
    for text in ("", "112233"):
        position = connect4.Position.from_moves(text)
        move = names["agent"](kaggle.observation_of(position), kaggle.configuration_of(position))
        scores = connect4.Solver().scores(position)
        assert scores[move] == max(score for score in scores if score is not None)
    assert "kaggle" not in sys.modules
    with pytest.raises(NotationError):
        kaggle.write_agent("nobody", tmp_path / "none.py")
    with pytest.raises(TypeError, match="who must be the name of a player, not <function"):
        kaggle.write_agent(game_id, tmp_path / "none.py")  # type: ignore[arg-type]


@pytest.mark.parametrize("carries", ["nothing", "stand-in"])
def test_a_written_agent_refuses_five_in_a_row(tmp_path: Path, carries: kaggle.Carries) -> None:
    kaggle.write_agent("level:1", tmp_path / "agent.py", carries=carries)
    agent = runpy.run_path(str(tmp_path / "agent.py"))["agent"]
    rules = kaggle.configuration_of(connect4.Position())
    assert agent(kaggle.observation_of(connect4.Position()), rules) in range(7)
    with pytest.raises(ValueError, match="plays four in a row, not 5"):
        agent(kaggle.observation_of(connect4.Position()), kaggle.Struct(rules, inarow=5))


@pytest.mark.parametrize("side", Side)
def test_openspiels_actions_are_a_bijection(side: Side) -> None:
    # the pieces of the actions that leave the board stand on it, so every number is translated
    numbers = [openspiel.checkers_action(a, side, is_jump=j) for a in range(128) for j in (False, True)]
    assert len(set(numbers)) == 256
    assert [openspiel.action_of(number, side) for number in numbers] == [a for a in range(128) for _ in range(2)]


@pytest.mark.parametrize("game", ["connect_four", "checkers"])
def test_openspiel_agrees(game: str) -> None:
    pyspiel = pytest.importorskip("pyspiel")
    for seed in range(10):
        state, source = pyspiel.load_game(game).new_initial_state(), random.Random(seed)
        batch: Any = (connect4 if game == "connect_four" else checkers).Positions.start(1)
        tensor = openspiel.connect_four_tensor if game == "connect_four" else openspiel.checkers_tensor
        for _ in range(60):
            if state.is_terminal() or batch.outcomes()[0]:
                break
            if game == "checkers" and batch.jumping[0]:  # we lift later: only the same actions can be compared
                theirs = {openspiel.action_of(a, Side(batch.sides[0])) for a in state.legal_actions()}
            else:
                shape = pyspiel.load_game(game).observation_tensor_shape()
                for player in (0, 1):
                    assert (np.array(state.observation_tensor(player)).reshape(shape) == tensor(batch)[0]).all()
                theirs = set(state.legal_actions())
                if game == "checkers":
                    theirs = {openspiel.action_of(a, Side(batch.sides[0])) for a in theirs}
            legal = set(np.flatnonzero(batch.legal_mask()[0]).tolist())
            assert legal == theirs
            action = source.choice(sorted(legal))
            number = action
            if game == "checkers":
                side = Side(batch.sides[0])
                both = [openspiel.checkers_action(action, side, is_jump=jump) for jump in (False, True)]
                (number,) = [n for n in both if n in state.legal_actions()]
            state.apply_action(number)
            batch = batch.play([action])


@pytest.mark.parametrize("who", ["level:1", "level:4", "solver"])
def test_a_written_agent_can_do_without_outplay(who: str, tmp_path: Path) -> None:
    """In an isolated interpreter that finds no package at all: it takes a win, blocks a loss and plays legal moves."""
    path = tmp_path / "agent.py"
    kaggle.write_agent(who, path, carries="stand-in")
    asked = [connect4.Position.from_moves(moves) for moves in ("112233", "11223", "", "444444")]
    win, block, first, after_full = answers_of(path, asked, flags=("-I", "-S"))
    assert win == 3
    assert who == "level:1" or block == 3
    assert first in range(7)
    assert after_full in {0, 1, 2, 4, 5, 6}


def test_a_stand_in_sees_what_the_solver_sees_near_the_end(tmp_path: Path) -> None:
    path = tmp_path / "agent.py"
    kaggle.write_agent("solver", path, carries="stand-in")
    agent = runpy.run_path(str(path))["agent"]
    rules = {"columns": 7, "rows": 6, "inarow": 4, "actTimeout": 60}
    for position in connect4.Positions.random(15, plies=(33, 37), seed=4):
        scores = [-99 if score is None else score for score in connect4.Solver().scores(position)]
        chosen = scores[agent(dict(kaggle.observation_of(position)), rules)]
        assert (chosen > 0) - (chosen < 0) == (max(scores) > 0) - (max(scores) < 0)


def test_only_levels_and_the_solver_have_a_stand_in(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="'random' has no stand-in"):
        kaggle.write_agent("random", tmp_path / "a.py", carries="stand-in")
    assert not (tmp_path / "a.py").exists()


BOT = """
asked = []

def choose(position):
    asked.append(position)
    return position.legal_moves()[-len(asked)]
"""


def answers_of(path: Path, positions: list[connect4.Position], *, flags: tuple[str, ...] = ()) -> Any:
    """What a written agent answers, in a process of its own."""
    rules = {"columns": 7, "rows": 6, "inarow": 4, "actTimeout": 0.5}
    seen = [(dict(kaggle.observation_of(position)), rules) for position in positions]
    script = f"import runpy\nagent = runpy.run_path({str(path)!r})['agent']\nprint([agent(*each) for each in {seen!r}])"
    done = subprocess.run([sys.executable, *flags, "-c", script], capture_output=True, text=True, timeout=60)
    assert done.stderr == ""
    return json.loads(done.stdout)


@pytest.mark.parametrize("who", ["random", "solver", "level:3", "lab:minimax,depth=2", "bot.py:choose", "bot.py"])
def test_any_player_is_written_with_outplay_in_its_file(tmp_path: Path, who: str) -> None:
    (tmp_path / "bot.py").write_text(BOT, encoding="utf-8")
    name = str(tmp_path / who) if who.startswith("bot") else who
    kaggle.write_agent(name, tmp_path / "agent.py", carries="outplay")
    (tmp_path / "bot.py").unlink()
    threat, later = connect4.Position.from_moves("112233"), connect4.Position.from_moves("1122")
    answers = answers_of(tmp_path / "agent.py", [threat, later], flags=("-I", "-S"))  # no other package
    if who.startswith("bot"):
        assert answers == [6, 5], "it remembers what it was asked"
    elif who == "random":
        assert set(answers) <= set(range(7))
    else:
        assert answers[0] == 3


def test_an_agent_for_another_python_says_so(tmp_path: Path) -> None:
    kaggle.write_agent("random", tmp_path / "agent.py", carries="outplay")
    text = (tmp_path / "agent.py").read_text(encoding="utf-8")
    version = f"{sys.version_info[0]}, {sys.version_info[1]}"
    assert f"({sys.platform!r}, ({version}))" in text
    names: dict[str, Any] = {}
    exec(text.replace(f"({version})", "(3, 2)").replace('if "outplay" in sys.modules', "if False"), names)
    with pytest.raises(RuntimeError, match=r"this agent carries outplay for .* and Python"):
        names["agent"](kaggle.observation_of(connect4.Position()), kaggle.configuration_of(connect4.Position()))


def test_a_bot_is_written_with_its_source(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text(BOT, encoding="utf-8")
    kaggle.write_agent(str(tmp_path / "bot.py"), tmp_path / "agent.py")
    (tmp_path / "bot.py").unlink()
    assert answers_of(tmp_path / "agent.py", [connect4.Position()] * 2) == [6, 5]


@pytest.mark.parametrize(
    ("who", "reason"),
    [
        ("human", "it is a person"),
        ("searcher", "it plays checkers only"),
        (f"cmd:{sys.executable}", "it is another program"),
        (f"hub:{sys.executable}", "it plays checkers only"),
        ("guest:BOT", "an agent cannot contain a sandbox"),
        ("BOT", "it imports beside, a file beside it"),
        ("BOT:missing", "has no function 'missing'"),
    ],
)
def test_a_player_that_cannot_be_written_is_refused(tmp_path: Path, who: str, reason: str) -> None:
    (tmp_path / "beside.py").touch()
    (tmp_path / "bot.py").write_text("import beside\n\ndef play(position): ...\n", encoding="utf-8")
    name = who.replace("BOT", str(tmp_path / "bot.py"))
    with pytest.raises((ValueError, EngineError), match=reason):
        kaggle.write_agent(name, tmp_path / "agent.py", carries="outplay")
    assert not (tmp_path / "agent.py").exists()


def test_what_an_agent_carries_is_one_of_three(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="carries must be one of nothing, outplay, stand-in, not 'all'"):
        kaggle.write_agent("random", tmp_path / "agent.py", carries="all")  # type: ignore[arg-type]
