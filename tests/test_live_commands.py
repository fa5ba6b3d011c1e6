"""LiveGame: take-back, endings by word, hints. Engines are fakes."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from outplay import connect4
from outplay.errors import EngineError, GameOverError
from outplay.live import (
    NotNowError,
    StaleError,
)
from outplay.outcome import Reason, Side
from outplay.players import HUMAN
from outplay.record import NothingToUndoError
from tests.support.engines import FIRST, WAIT, Ear, Games, Obedient, analysis_of, behaving, obeying, settled


@pytest.fixture
def make() -> Iterator[Games]:
    with Games() as games:
        yield games


# Takeback


def test_takeback_against_an_engine_goes_back_to_the_humans_turn(make: Games) -> None:
    game = make(HUMAN, FIRST)
    game.start()
    for text in ("4", "5"):
        game.play(text)
        settled(game)
    assert game.takeback() == 2
    assert game.state().texts == ["4", "1"]
    assert game.state().undone == 2
    assert game.redo() == 2
    assert game.state().texts == ["4", "1", "5", "1"]
    assert game.state().opinions[3] is not None


def test_takeback_while_the_engine_thinks_takes_one_ply_and_ends_the_search(make: Games) -> None:
    engine = Obedient()
    game = make(HUMAN, obeying(engine))
    game.start()
    game.play("4")
    engine.wait_for_question()
    assert game.takeback() == 1
    assert (game.state().status, game.state().texts) == ("human", [])
    engine.answer(analysis_of(6))
    assert game.redo() == 1
    engine.wait_for_question()
    engine.answer(analysis_of(2))
    assert settled(game).texts == ["4", "3"]


def test_takeback_between_humans_takes_one_ply(make: Games) -> None:
    game = make(HUMAN, HUMAN)
    game.start()
    game.play("4")
    game.play("5")
    assert game.takeback() == 1
    assert game.takeback(1) == 1
    with pytest.raises(NothingToUndoError):
        game.takeback()
    assert [game.redo(), game.redo()] == [1, 1]
    with pytest.raises(NothingToUndoError):
        game.redo()


def test_takeback_between_engines_pauses(make: Games) -> None:
    game = make(FIRST, FIRST)
    game.start()
    state = game.wait(lambda state: state.status == "over", WAIT)
    assert game.takeback() == 1
    assert game.state().status == "paused"
    game.resume()
    assert game.wait(lambda again: again.status == "over", WAIT).texts == state.texts


def test_nothing_can_be_taken_back_before_the_human_has_moved(make: Games) -> None:
    game = make(FIRST, HUMAN)
    game.start()
    assert settled(game).ply == 1
    assert not game.state().allowed.takeback
    with pytest.raises(NothingToUndoError):
        game.takeback()


def test_takeback_reopens_a_finished_game(make: Games) -> None:
    game = make(HUMAN, HUMAN, start=connect4.Position.from_moves("121212"))
    ear = Ear(game)
    game.start()
    game.play("1")
    assert game.state().status == "over"
    game.takeback()
    game.play("3")
    game.takeback()
    game.play("1")
    assert ear.kinds().count("over") == 2


def test_a_strict_game_takes_nothing_back_and_gives_no_hint(make: Games) -> None:
    game = make(HUMAN, HUMAN, is_strict=True)
    game.start()
    game.play("4")
    for command in (game.takeback, game.redo, game.hint):
        with pytest.raises(NotNowError, match="strict"):
            command()
    allowed = game.state().allowed
    assert [allowed.takeback, allowed.redo, allowed.hint] == [False] * 3


# Endings by word


def test_resigning(make: Games) -> None:
    game = make(HUMAN, behaving("wait"), time_ms=None)
    game.start()
    game.play("4")
    game.resign()  # the human, although the engine is to move
    outcome = game.state().outcome
    assert outcome is not None
    assert (outcome.winner, outcome.reason) == (Side.SECOND, Reason.RESIGNATION)
    assert game.state().status == "over"
    with pytest.raises(GameOverError):
        game.resign()


@pytest.mark.parametrize(("value", "agreed"), [(0.0, True), (-3.0, True), (0.5, False)])
def test_an_engine_answers_an_offer_by_its_own_score(make: Games, value: float, agreed: bool) -> None:
    engine = Obedient()
    game = make(obeying(engine), HUMAN)
    game.start()
    engine.wait_for_question()
    assert not game.offer_draw()  # it has no opinion yet
    assert game.state().notice == "Obedient declines the draw."
    engine.answer(analysis_of(3, value=value))
    assert settled(game).notice == ""
    assert game.offer_draw() is agreed
    outcome = game.state().outcome
    assert (outcome is not None and outcome.reason is Reason.AGREEMENT) is agreed


def test_humans_answer_an_offer_themselves(make: Games) -> None:
    game = make(HUMAN, HUMAN)
    game.start()
    with pytest.raises(NotNowError):
        game.accept_draw()
    game.offer_draw()
    assert game.state().draw_offer is Side.FIRST
    game.decline_draw()
    assert game.state().notice == "Yellow declines the draw."
    game.offer_draw()
    game.play("4")
    assert game.state().draw_offer is None
    game.offer_draw()
    game.accept_draw()
    outcome = game.state().outcome
    assert outcome is not None
    assert outcome.is_draw


def test_both_offering_is_agreeing(make: Games) -> None:
    game = make(HUMAN, HUMAN)
    game.start()
    assert not game.offer_draw(Side.FIRST)
    assert game.offer_draw(Side.SECOND)


def test_engines_offer_nothing(make: Games) -> None:
    game = make(FIRST, FIRST, is_paused=True)
    game.start()
    with pytest.raises(NotNowError):
        game.offer_draw()


# Hints


def test_hints_come_in_three_steps_from_one_search(make: Games) -> None:
    engine = Obedient()
    game = make(HUMAN, HUMAN, advisor=obeying(engine))
    game.start()
    engine.answer(analysis_of(3))
    steps = [game.hint() for _ in range(4)]
    assert [hint.step for hint in steps] == [1, 2, 3, 3]
    assert [hint.move for hint in steps] == [None, None, 3, 3]
    assert game.hint(2).step == 2
    assert len(engine.questions) == 1
    game.play("4")
    engine.answer(analysis_of(2))
    assert game.hint().step == 1
    assert len(engine.questions) == 2


def test_a_hint_is_for_a_human_in_a_game_that_goes_on(make: Games) -> None:
    game = make(behaving("wait"), HUMAN, time_ms=None)
    game.start()
    with pytest.raises(NotNowError):
        game.hint()
    game.resign()
    with pytest.raises(GameOverError):
        game.hint()


def test_a_hint_that_fails_is_told_and_may_be_asked_for_again(make: Games) -> None:
    engine = Obedient()
    game = make(HUMAN, HUMAN, advisor=obeying(engine))
    game.start()
    engine.answer(RuntimeError("no idea"))
    with pytest.raises(EngineError, match="no idea"):
        game.hint()
    engine.answer(analysis_of(3))
    assert game.hint(3).move == 3


def test_a_hint_for_a_position_that_has_gone_is_stale(make: Games) -> None:
    engine = Obedient()
    game = make(HUMAN, HUMAN, advisor=obeying(engine))
    game.start()
    caught: list[Exception] = []

    def ask() -> None:
        try:
            game.hint()
        except StaleError as error:
            caught.append(error)

    thread = threading.Thread(target=ask)
    thread.start()
    engine.wait_for_question()
    game.play("4")
    thread.join(WAIT)
    engine.answer(analysis_of(3))
    assert len(caught) == 1
