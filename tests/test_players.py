"""Names and the players they stand for; your own bot among them."""

from __future__ import annotations

import os
import pickle
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from outplay import Game, checkers, connect4
from outplay.engine.random import RandomEngine
from outplay.engine.task import EngineProcess
from outplay.engine.types import Analysis, Limit
from outplay.errors import EngineError, GameOverError, NotationError
from outplay.levels import LEVELS
from outplay.live import LiveGame
from outplay.players import HUMAN, UnknownPlayerError, advisor_of, best_move, known_names, player
from outplay.rules import RULES, Position
from outplay.work import OverrunError

START = connect4.Position()
QUICK = Limit(time_ms=500, depth=2)

BOTS = """
import random
import neighbour

seen = []

def as_text(position):
    return position.format(position.legal_moves()[-1])

def as_move(position):
    return position.legal_moves()[0]

def whole(position, limit, history):
    assert limit.depth == 2
    return position.legal_moves()[len(history)]

def chance(position):
    return random.choice(position.legal_moves())

def remembers(position):
    seen.append(position)
    return len(seen) - 1

def neighbourly(position):
    return neighbour.COLUMN

def crash(position):
    print("so far so good")
    return deeper(position)

def deeper(position):
    return {}["no such key"]

def nothing(position):
    pass

def true(position):
    return True

def illegal(position):
    return 77

def unreadable(position):
    return "the middle"

def hang(position):
    while True:
        pass

def leave(position):
    raise SystemExit(1)

class Player:
    def __call__(self, position):
        return 2

instance = Player()
NOT_A_FUNCTION = 5
"""


@pytest.fixture
def bots(tmp_path: Path) -> Path:
    (tmp_path / "neighbour.py").write_text("COLUMN = 6\n", encoding="utf-8")
    path = tmp_path / "my bots.py"
    path.write_text(BOTS, encoding="utf-8")
    return path


def ask(name: str, position: Position = START, *, history: tuple[Position, ...] = ()) -> Analysis:
    engine = player(name).engine(grace_ms=300)
    assert isinstance(engine, EngineProcess)
    with engine:
        return engine.analyse(position, QUICK, history=history)


# Names


def test_a_human_is_no_engine() -> None:
    assert player("human") is HUMAN
    assert player(" human ").is_human
    with pytest.raises(ValueError, match="not an engine"):
        HUMAN.recipe()


@pytest.mark.parametrize("game", RULES)
def test_every_known_name_plays_a_legal_move(game: str) -> None:
    start = RULES[game].start()
    only = {"human": "", "lab:material": "checkers", "searcher": "checkers", "solver": "connect4"}
    for name in known_names():
        if only.get(name, game) == game:
            engine = player(name, seed=1).engine()
            assert engine.analyse(start, QUICK).move in start.legal_moves(), name


def test_the_names_are_those_of_every_part() -> None:
    names = known_names()
    assert {"human", "random", "lab:minimax", "lab:alphabeta", "lab:five-phase", "lab:material", "lab:mcts"} <= set(
        names
    )
    assert f"level:{len(LEVELS['connect4'])}" in names
    assert [player(name).name for name in names] == names


@pytest.mark.parametrize(
    "name", ["", "nobody", "lab", "Human", "level:0", "level:99", "level:x", "solver:", "lab:", "x.pyc"]
)
def test_an_unknown_name_is_told_with_the_known_ones(name: str) -> None:
    with pytest.raises(UnknownPlayerError, match=r"lab:minimax|level:1"):
        player(name)


def test_a_file_alone_names_the_bot_in_it() -> None:
    with pytest.raises(NotationError, match="there is no file"):
        player("x.py")


def test_options_of_the_lab_are_given_by_name() -> None:
    one, three = (player(f"lab:minimax,depth={depth}").engine().analyse(START, Limit()) for depth in (1, 3))
    assert one.depth == 1
    assert three.depth == 3
    assert player("lab:minimax,depth=3").label == "Minimax (depth=3)"


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("lab:minimax,depth", "option=value"),
        ("lab:minimax,=3", "option=value"),
        ("lab:minimax,depth=0", "depth"),
        ("lab:minimax,depth=deep", "whole number"),
        ("lab:minimax,colour=red", "colour"),
        ("no such file.py:play", "there is no file"),
        ("level:9,depth=3", "level"),
    ],
)
def test_an_option_that_cannot_be_is_told(name: str, reason: str) -> None:
    with pytest.raises(NotationError, match=reason):
        player(name)


@pytest.mark.parametrize(
    ("name", "label"),
    [
        ("solver", "Solver"),
        ("solver,threads=2,table_mib=4", "Solver (threads=2, table_mib=4)"),
        ("searcher,table_mib=4", "Searcher (table_mib=4)"),
        ("searcher,table_mib=4,without=futility+endgames", "Searcher (table_mib=4, without=futility+endgames)"),
    ],
)
def test_our_own_engines_take_options(name: str, label: str) -> None:
    who = player(name, seed=3)
    assert (who.name, who.label, who.kind) == (name, label, "native")
    game = "connect4" if name.startswith("solver") else "checkers"
    start = RULES[game].start()
    assert who.engine().analyse(start, QUICK).move in start.legal_moves()


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("solver,threads=0", "whole numbers"),
        ("solver,table_mib=big", "whole numbers"),
        ("solver,weights=mine", "the solver has the options threads, table_mib"),
        ("solver,threads", "option=value"),
        ("searcher,threads=0", "whole numbers"),
        ("searcher,book=mine", "weights \\(a file\\)"),
        ("searcher,weights=nowhere", "there is no file nowhere"),
        ("searcher,without=magic", "the search has no part 'magic'; it has cutoffs"),
    ],
)
def test_an_option_that_our_own_engines_do_not_have_is_told(name: str, reason: str) -> None:
    with pytest.raises(NotationError, match=reason):
        player(name)


@pytest.mark.parametrize(
    ("name", "game", "reason"),
    [("solver", "checkers", "the solver plays Connect Four"), ("searcher", "connect4", "the searcher plays checkers")],
)
def test_our_own_engines_refuse_the_other_game(name: str, game: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        player(name).engine().analyse(RULES[game].start(), QUICK)


def test_techniques_are_switched_on_and_off() -> None:
    plain = player("lab:minimax").engine().analyse(START, Limit())
    pruned = player("lab:minimax,alphabeta=on").engine().analyse(START, Limit())
    assert pruned.nodes < plain.nodes
    assert pruned.lines[0].score.value == plain.lines[0].score.value


def test_a_recipe_crosses_to_another_process() -> None:
    for name in ("random", "level:2", "lab:five-phase,depth=2"):
        recipe = player(name, seed=3).recipe(5)
        again = pickle.loads(pickle.dumps(recipe))
        assert again == recipe
        assert hash(again) == hash(recipe)
        assert again().analyse(START, QUICK).move == recipe().analyse(START, QUICK).move


def test_a_seed_makes_the_choice_of_each_ply_repeatable_whatever_was_asked_before() -> None:
    def move(seed: int, ply: int) -> int:
        return int(player("random", seed=seed).recipe(ply)().analyse(START, QUICK).move)

    assert [move(1, ply) for ply in range(20)] == [move(1, ply) for ply in range(20)]
    assert [move(1, ply) for ply in range(20)] != [move(2, ply) for ply in range(20)]
    assert not player("random", seed=1).recipe(3).is_reusable
    assert player("random").recipe(3).is_reusable


def test_everybody_has_an_advisor() -> None:
    for game, rules in RULES.items():
        start = rules.start()
        assert advisor_of(game).engine().analyse(start, QUICK).move in start.legal_moves()


# Your own bot


def test_a_bot_returns_a_move_or_its_text(bots: Path) -> None:
    assert ask(f"{bots}:as_text").move == 6
    assert ask(f"{bots}:as_move").move == 0
    start = checkers.Position()
    assert ask(f"{bots}:as_text", start).move == start.legal_moves()[-1]
    assert ask(f"{bots}:instance").move == 2


def test_a_bot_is_given_the_limit_and_the_history_if_it_wants_them(bots: Path) -> None:
    assert ask(f"{bots}:whole", START.play(3).play(3), history=(START, START.play(3))).move == 2


def test_a_bot_imports_its_neighbours_and_keeps_what_it_remembers(bots: Path) -> None:
    assert ask(f"{bots}:neighbourly").move == 6
    engine = player(f"{bots}:remembers").engine()
    assert isinstance(engine, EngineProcess)
    with engine:
        assert [engine.analyse(START, QUICK).move for _ in range(3)] == [0, 1, 2]


def test_a_bot_that_draws_lots_repeats_them_by_its_seed(bots: Path) -> None:
    def moves(seed: int) -> list[int]:
        engine = player(f"{bots}:chance", seed=seed).engine()
        assert isinstance(engine, EngineProcess)
        with engine:
            return [int(engine.analyse(START, QUICK).move) for _ in range(10)]

    assert moves(1) == moves(1) != moves(2)


def test_an_edited_bot_is_loaded_anew(bots: Path) -> None:
    before = player(f"{bots}:as_move").recipe()
    os.utime(bots, ns=(1, 1))
    assert player(f"{bots}:as_move").recipe() != before


@pytest.mark.parametrize(
    ("bot", "message"),
    [
        ("crash", "my bots.py:crash failed: KeyError: 'no such key'"),
        ("nothing", "my bots.py:nothing returned None in .*: that is not a move"),
        ("true", "my bots.py:true returned True in .*: that is not a move"),
        ("illegal", "my bots.py:illegal returned 77 in .*: the board has columns 0 to 6"),
        ("unreadable", "my bots.py:unreadable returned 'the middle' in .*: a move is one column, 1 to 7"),
        ("leave", "my bots.py:leave failed: SystemExit: 1"),
        ("NOT_A_FUNCTION", "my bots.py has no function 'NOT_A_FUNCTION'; it has as_text, as_move"),
        ("missing", "my bots.py has no function 'missing'"),
    ],
)
def test_what_a_bot_does_wrong_is_told(bots: Path, bot: str, message: str) -> None:
    with pytest.raises(EngineError, match=message):
        ask(f"{bots}:{bot}")


def test_the_traceback_of_a_bot_begins_in_its_own_file(bots: Path) -> None:
    with pytest.raises(EngineError) as caught:
        ask(f"{bots}:crash")
    printed, first, *frames, last = caught.value.transcript
    assert printed == "so far so good"
    assert first == "Traceback (most recent call last):"
    places = [line.strip() for line in frames if line.startswith("  File")]
    assert [place.rpartition(" ")[2] for place in places] == ["crash", "deeper"]
    assert all(place.startswith(f'File "{bots}"') for place in places)
    assert last == "KeyError: 'no such key'"


def test_a_bot_that_overruns_is_ended(bots: Path) -> None:
    with pytest.raises(OverrunError, match=r"my bots.py:hang did not answer within 0.5 s"):
        ask(f"{bots}:hang")


@pytest.mark.parametrize(
    ("text", "message"),
    [("def play(position:\n", "cannot be loaded: SyntaxError"), ("1 / 0\n", "cannot be loaded: ZeroDivisionError")],
)
def test_a_file_that_cannot_be_loaded_is_told(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "bad.py"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(EngineError, match=message) as caught:
        ask(f"{path}:play")
    assert any(str(path) in line for line in caught.value.transcript)


def test_a_bot_is_not_asked_when_the_game_is_over(bots: Path) -> None:
    with pytest.raises(GameOverError):
        ask(f"{bots}:as_move", connect4.Position.from_moves("1212121"))


def test_an_evaluation_of_ones_own_runs_in_a_process(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text("def score(position):\n    return 0\n", encoding="utf-8")
    who = player(f"lab:minimax,depth=2,evaluate={path}:score")
    assert who.recipe().needs_process
    assert not player("lab:minimax").recipe().needs_process


@pytest.fixture(autouse=True)
def _no_bot_in_this_process() -> Iterator[None]:
    import sys

    yield
    assert "outplay_bot" not in sys.modules


# Functions and engines as players


def leftmost(position: Any) -> Any:
    return position.legal_moves()[0]


def test_the_best_move_in_one_call() -> None:
    assert best_move(connect4.Position.from_moves("112233"), "level:3") == 3
    assert best_move(connect4.Position(), leftmost) == 0
    assert best_move(connect4.Position(), RandomEngine(seed=1)) in range(7)
    with pytest.raises(GameOverError):
        best_move(connect4.Position.from_moves("1122334"), leftmost)


def test_a_function_and_an_engine_are_players() -> None:
    assert (player(leftmost).label, player(leftmost).kind) == ("leftmost", "bot")
    assert player(player("random")) == player("random")
    engine = RandomEngine(seed=3)
    assert player(engine).engine() is engine
    with pytest.raises(TypeError, match="a player is a name, an engine or a function of a position, not 7"):
        player(7)  # type: ignore[arg-type]


def test_a_function_that_fails_is_told_with_its_traceback() -> None:
    def divide(position: Any) -> Any:
        return 1 // 0

    with pytest.raises(EngineError, match="divide failed: ZeroDivisionError") as caught:
        best_move(connect4.Position(), divide)
    assert "return 1 // 0" in "\n".join(caught.value.transcript)


def test_functions_sit_in_a_live_game() -> None:
    with LiveGame(connect4.Position(), [leftmost, "random"]) as game:
        game.start()
        state = game.wait(lambda state: state.ply >= 2, 60)
    assert state.moves[0] == 0
    for seats in (["random"], "random", [leftmost, leftmost, leftmost]):
        with pytest.raises(TypeError, match="a game has two players"):
            LiveGame(connect4.Position(), seats)


@pytest.mark.parametrize("name", ["human", "random", "level:3", "searcher", "solver", "lab:minimax,depth=2"])
@pytest.mark.parametrize("seed", [None, 5])
def test_players_pickle(name: str, seed: int | None) -> None:
    who = player(name, seed=seed)
    back = pickle.loads(pickle.dumps(who))
    assert back == who
    if not who.is_human:
        assert back.recipe(4) == who.recipe(4)


@pytest.mark.parametrize("wrong", [None, "4", 4, Game(connect4.Position())])
def test_the_best_move_needs_a_position(wrong: Any) -> None:
    with pytest.raises(TypeError, match="position must be a position of Connect Four or checkers, not "):
        best_move(wrong)
