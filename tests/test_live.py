"""LiveGame: seats, moves, versions, threads, saved games. Engines are fakes."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator
from itertools import pairwise
from random import Random

import pytest

from outplay import checkers, connect4
from outplay.engine.types import Analysis, Limit, Line, Score
from outplay.errors import GameOverError, IllegalMoveError, NotationError, OutplayError
from outplay.live import (
    ClockSetting,
    Event,
    LiveGame,
    Moved,
    NotNowError,
    StaleError,
    StateChanged,
    Terms,
)
from outplay.outcome import Side
from outplay.players import HUMAN, player
from outplay.record import Game
from outplay.rules import Position
from tests.support.engines import FIRST, WAIT, Ear, Games, Obedient, analysis_of, behaving, obeying, settled


@pytest.fixture
def make() -> Iterator[Games]:
    with Games() as games:
        yield games


START = connect4.Position()

# Moves and seats


def test_two_humans_play_in_turn_and_every_move_is_told(make: Games) -> None:
    game = make(HUMAN, HUMAN)
    ear = Ear(game)
    game.start()
    game.play("4")
    game.play(2)
    state = game.state()
    assert state.texts == ["4", "3"]
    assert (state.status, state.side, state.version) == ("human", Side.FIRST, 2)
    assert [(event.ply, event.side, event.text) for event in ear.events if isinstance(event, Moved)] == [
        (1, Side.FIRST, "4"),
        (2, Side.SECOND, "3"),
    ]
    assert ear.kinds() == ["state", "moved", "state", "moved", "state"]


def test_a_refused_move_changes_nothing(make: Games) -> None:
    game = make(HUMAN, HUMAN, start=connect4.Position.from_moves("444444"))
    game.start()
    before = game.state()
    for text, error in (("4", IllegalMoveError), ("9", IllegalMoveError), ("?", NotationError), ("", NotationError)):
        with pytest.raises(error):
            game.play(text)
    assert game.state() == before


def test_the_engine_replies_and_its_opinion_is_kept(make: Games) -> None:
    game = make(HUMAN, FIRST)
    game.start()
    game.play("4")
    state = settled(game)
    assert state.texts == ["4", "1"]
    assert state.opinions[0] is None
    opinion = state.opinions[1]
    assert opinion is not None
    assert (opinion.player, opinion.side, opinion.ply, opinion.played) == (FIRST, Side.SECOND, 1, 0)
    assert opinion.analysis.nodes == 10


def test_what_it_liked_and_what_it_played_may_differ(make: Games) -> None:
    engine = Obedient()
    game = make(obeying(engine), HUMAN)
    game.start()
    engine.wait_for_question()
    scores = {5: 1.0, 3: 7.0, 2: -2.0}
    engine.answer(Analysis(tuple(Line(move, Score(value)) for move, value in scores.items()), 2, 30, 0.1))
    opinion = settled(game).opinions[0]
    assert opinion is not None
    assert (opinion.played, opinion.liked) == (5, 3)


def test_an_engine_that_begins_moves_at_once_and_is_told_the_history(make: Games) -> None:
    engine = Obedient()
    game = make(obeying(engine), HUMAN, limit=Limit(depth=3, lines=7), time_ms=700)
    game.start()
    engine.wait_for_question()
    assert game.state().status == "thinking"
    with pytest.raises(NotNowError, match="Obedient plays that side"):
        game.play("4")
    engine.answer(analysis_of(3))
    assert settled(game).texts == ["4"]
    game.play("4")
    engine.wait_for_question()
    assert [limit for _, limit, _ in engine.questions] == [Limit(depth=3, lines=7, time_ms=700)] * 2
    assert [len(history) for _, _, history in engine.questions] == [0, 2]


def test_engines_play_each_other_to_the_end(make: Games) -> None:
    for start in (START, checkers.Position()):
        game = make(player("random", seed=1), player("random", seed=2), start=start)
        ear = Ear(game)
        game.start()
        state = game.wait(lambda state: state.status == "over", WAIT)
        assert state.outcome is not None
        assert len(state.opinions) == state.ply == sum(isinstance(event, Moved) for event in ear.events)
        assert ear.kinds()[-3:] == ["moved", "over", "state"]


def test_a_seed_repeats_a_game(make: Games) -> None:
    def texts() -> list[str]:
        game = make(player("random", seed=5), player("random", seed=6))
        game.start()
        return game.wait(lambda state: state.status == "over", WAIT).texts

    assert texts() == texts()


def test_a_seat_changes_at_any_time_even_while_it_thinks(make: Games) -> None:
    engine = Obedient()
    game = make(HUMAN, obeying(engine))
    game.start()
    game.play("4")
    engine.wait_for_question()
    game.set_seat(Side.SECOND, HUMAN)
    assert game.state().status == "human"
    engine.answer(analysis_of(6))  # too late: nobody listens
    game.play("5")
    game.set_seats(first=FIRST)
    assert settled(game).texts == ["4", "5", "1"]


def test_changing_the_other_seat_lets_a_search_go_on(make: Games) -> None:
    engine = Obedient()
    game = make(HUMAN, obeying(engine))
    game.start()
    game.play("4")
    engine.wait_for_question()
    game.set_seat(Side.FIRST, FIRST)
    engine.answer(analysis_of(6))
    assert game.wait(lambda state: state.ply == 3, WAIT).texts == ["4", "7", "1"]


def test_a_game_goes_on_from_a_record(make: Games) -> None:
    record = Game(START)
    record.play("4")
    game = make(FIRST, HUMAN, start=record)
    game.start()
    game.play("4")
    assert settled(game).texts == ["4", "4", "1"]
    assert game.game is record


def test_a_finished_start_position_is_a_finished_game(make: Games) -> None:
    game = make(FIRST, FIRST, start=connect4.Position.from_moves("1212121"))
    ear = Ear(game)
    game.start()
    assert game.state().status == "over"
    assert ear.kinds() == ["over", "state"]
    with pytest.raises(GameOverError):
        game.play("1")


# Versions


def test_a_command_for_an_older_version_is_refused(make: Games) -> None:
    game = make(HUMAN, HUMAN)
    game.start()
    version = game.version
    game.play("4", version=version)
    for command in (
        lambda: game.play("5", version=version),
        lambda: game.takeback(version=version),
        lambda: game.resign(version=version),
        lambda: game.set_seat(Side.FIRST, FIRST, version=version),
        lambda: game.hint(version=version),
    ):
        with pytest.raises(StaleError, match="version 1 now") as caught:
            command()
        assert caught.value.version == game.version == 1


def test_the_version_counts_moves_seats_and_outcome_and_the_revision_everything(make: Games) -> None:
    game = make(HUMAN, HUMAN)
    game.start()
    seen = [game.state()]
    for command in (
        lambda: game.play("4"),
        lambda: game.set_time(100),
        lambda: game.set_pace(5),
        game.pause,
        game.resume,
        lambda: game.set_seat(Side.FIRST, HUMAN),
        game.takeback,
        game.redo,
        game.offer_draw,
        game.resign,
    ):
        command()
        seen.append(game.state())
    rises = [after.version - before.version for before, after in pairwise(seen)]
    assert rises == [1, 0, 0, 0, 0, 1, 1, 1, 0, 1]
    assert all(after.revision > before.revision for before, after in pairwise(seen))


# Threads, events, closing


def test_events_are_in_order_and_a_subscriber_may_act(make: Games) -> None:
    game = make(HUMAN, HUMAN)
    revisions: list[int] = []

    def reply(event: Event) -> None:
        revisions.append(event.revision)
        if isinstance(event, Moved) and event.ply < 6:
            game.play("4" if event.ply % 2 else "5")

    game.subscribe(reply)
    game.start()
    game.play("4")
    assert game.state().ply == 6
    assert revisions == sorted(revisions)


def test_a_subscriber_that_fails_hurts_nobody(make: Games, caplog: pytest.LogCaptureFixture) -> None:
    game = make(HUMAN, HUMAN)

    def fail(event: Event) -> None:
        raise RuntimeError("deaf")

    leave = game.subscribe(fail)
    ear = Ear(game)
    game.start()
    game.play("4")
    assert ear.kinds() == ["state", "moved", "state"]
    assert "a subscriber failed" in caplog.text
    leave()
    caplog.clear()
    game.play("4")
    assert caplog.text == ""


def test_many_threads_play_one_game_and_only_one_wins_each_turn(make: Games) -> None:
    game = make(HUMAN, HUMAN, start=checkers.Position())
    ear = Ear(game)
    game.start()
    refused: list[Exception] = []

    def play() -> None:
        for _ in range(40):
            state = game.state()
            if state.status == "over":
                return
            try:
                game.play(state.position.legal_moves()[0], version=state.version)
            except (StaleError, GameOverError) as error:
                refused.append(error)

    threads = [threading.Thread(target=play) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(WAIT)
    state = game.state()
    plies = [event.ply for event in ear.events if isinstance(event, Moved)]
    assert plies == list(range(1, state.ply + 1))
    assert state.ply + len(refused) <= 160
    last = [event for event in ear.events if isinstance(event, StateChanged)][-1]
    assert last.state == state


def test_a_closed_game_is_quiet_and_refuses_commands(make: Games) -> None:
    game = make(behaving("wait"), HUMAN, time_ms=None)
    ear = Ear(game)
    game.start()
    game.close()
    count = len(ear.events)
    for command in (game.start, game.pause, lambda: game.play("4")):
        with pytest.raises(NotNowError, match="closed"):
            command()
    game.close()
    assert len(ear.events) == count
    assert game.wait(timeout=WAIT).status == "paused"


def test_times_must_not_be_negative(make: Games) -> None:
    with pytest.raises(ValueError, match="at least 0 ms"):
        make(HUMAN, HUMAN, time_ms=-1)
    with pytest.raises(ValueError, match="at least 0 ms"):
        make(HUMAN, HUMAN).set_pace(-1)


def test_a_saved_game_is_taken_up_where_it_was(make: Games) -> None:
    game = make(HUMAN, FIRST)
    game.start()
    for text in ("4", "5"):
        game.play(text)
        settled(game)
    game.takeback()
    before = game.state()
    assert (before.takebacks, before.undone_moves) == ((2,), (4, 0))
    record = Game(START)
    for text in ("4", "1", "5", "1"):
        record.play(text)
    for _ in before.undone_moves:
        record.undo()
    with game.held() as (_, terms):
        assert terms.takebacks == before.takebacks
    again = make(HUMAN, FIRST, start=record, terms=terms)
    assert (again.state().version, again.state().undone_moves) == (before.version, before.undone_moves)
    again.start()
    assert again.redo() == 2
    assert again.state().texts == ["4", "1", "5", "1"]
    assert again.version == before.version + 1


def test_a_saved_clock_goes_on(make: Games) -> None:
    game = make(HUMAN, HUMAN, clock=ClockSetting(60_000), left_ms=(1_000, 2_000))
    clock = game.state().clock
    assert clock is not None
    assert (clock.left_ms, clock.running) == ((1_000, 2_000), None)


@pytest.mark.parametrize("start", [START, checkers.Position()], ids=["connect4", "checkers"])
def test_any_commands_from_any_threads_leave_a_sound_game(make: Games, start: Position) -> None:
    game = make(HUMAN, FIRST, start=start)
    ear = Ear(game)
    game.start()

    def command(random: Random) -> None:
        state = game.state()
        moves = state.position.legal_moves() or ["1"]  # over as far as we know; another thread may know better
        choices: list[Callable[[], object]] = [
            *[lambda: game.play(random.choice(moves), version=random.choice([state.version, None]))] * 12,
            lambda: game.takeback(random.choice([None, 1, 2])),
            game.redo,
            lambda: game.set_seat(random.choice(list(Side)), random.choice([HUMAN, FIRST])),
            *(game.pause, game.resume, game.resume, game.step, game.move_now, game.stop, game.retry, game.offer_draw),
            lambda: game.set_pace(random.choice([0, 1])),
            lambda: game.set_time(random.choice([0, 50])),
            lambda: game.hint(random.choice([None, 3])),
        ]
        with contextlib.suppress(OutplayError):
            random.choice(choices)()

    def act(seed: int) -> None:
        random = Random(seed)
        for _ in range(150):
            command(random)

    threads = [threading.Thread(target=act, args=(seed,)) for seed in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(WAIT)
        assert not thread.is_alive()
    game.pause()
    state = game.state()
    for before, move, after in zip(state.positions, state.moves, state.positions[1:], strict=False):
        assert before.play(move) == after
    changes = [event.state for event in ear.events if isinstance(event, StateChanged)]
    assert changes[-1] == state
    assert sum(isinstance(event, Moved) for event in ear.events) > 10
    assert all(before.revision < after.revision for before, after in pairwise(changes))
    assert all(before.version <= after.version for before, after in pairwise(changes))


def test_a_player_who_is_replaced_after_the_first_move_is_remembered() -> None:
    live = LiveGame(Game(connect4.Position()), Terms())
    live.set_seats(second=player("level:3"))
    live.play("4")
    with live.held() as (_, terms):
        assert not terms.has_new_players
    live.set_seats(second=player("level:4"))
    with live.held() as (_, terms):
        assert terms.has_new_players
