"""A recorded search as a story: the words agree with what the search did."""

from __future__ import annotations

import pytest

from outplay.lab.clock import Clock
from outplay.lab.evaluate import find_evaluation
from outplay.lab.narrate import Story, value_text
from outplay.lab.recorder import Visit
from outplay.lab.score import WIN
from outplay.lab.techniques import Techniques
from outplay.lab.trace import Trace, trace
from outplay.rules import RULES

EVERYTHING = "alphabeta,ordering,killers,table,deepening"


def recorded(game: str, text: str, depth: int, techniques: str) -> Trace:
    position = RULES[game].read(text)
    return trace(position, depth, Techniques.of(techniques), find_evaluation(None, game), limit=100_000)


def one(found: Trace, kind: str, **more: object) -> Visit:
    return next(
        visit
        for visit in found.visits
        if visit.kind == kind and all(getattr(visit, name) == value for name, value in more.items())
    )


def test_values_are_those_of_the_side_at_the_root() -> None:
    found = recorded("connect4", "4453", 3, "")
    story = Story(found)
    for visit in found.visits:
        value, children = story.value(visit), [child for child in found.visits if child.parent == visit.id]
        if children:
            best = max if visit.ply % 2 == 0 else min
            assert value == best(story.value(child) or 0 for child in children)


def test_a_cut_by_the_other_side_is_below_alpha() -> None:
    found = recorded("connect4", "44444226", 4, "alphabeta,ordering")
    story, cut = Story(found), one(found, "cut", ply=1)
    assert story.reason(cut).startswith("cut: ")
    assert " ≤ alpha " in story.reason(cut)
    assert story.reason(cut).endswith("moves never looked at")
    assert story.label(cut).startswith("≤")
    words = story.sentences(cut)
    assert words.startswith("Red already has column ")
    assert f"column {cut.by}" in words
    assert f"So column {cut.move} cannot be better for Red, and the other " in words


def test_a_cut_by_the_own_side_is_above_beta() -> None:
    found = recorded("connect4", "44444226", 4, "alphabeta,ordering")
    story, cut = Story(found), one(found, "cut", ply=2)
    assert " ≥ beta " in story.reason(cut)
    assert "cannot be better for Yellow" in story.sentences(cut)


def test_numbers_of_moves_are_words() -> None:
    found = recorded("checkers", "start", 4, "alphabeta,ordering")
    story = Story(found)
    cuts = [visit for visit in found.visits if visit.kind == "cut" and visit.moves - visit.looked == 3]
    assert story.reason(cuts[0]).endswith(", three moves never looked at")


@pytest.mark.parametrize(("game", "text", "depth"), [("connect4", "44444226", 5), ("checkers", "start", 5)])
def test_every_position_has_its_words(game: str, text: str, depth: int) -> None:
    found = recorded(game, text, depth, EVERYTHING)
    story = Story(found)
    kinds = {visit.kind for visit in found.visits}
    assert {"cut", "leaf", "exact", "pruned"} <= kinds
    for visit in found.visits:
        assert story.sentences(visit).endswith(".")
        assert story.reason(visit)
        assert "None" not in story.sentences(visit) + story.reason(visit) + story.window(visit)
        assert (story.value(visit) is None) == (visit.kind == "pruned")


def test_the_table_and_the_end_of_the_game_are_told() -> None:
    found = recorded("connect4", "112233", 3, EVERYTHING)
    story = Story(found)
    assert story.sentences(one(found, "end")) == "The game ends here: Red has won."
    assert story.label(found.visits[0]) == "win in 1"
    found = recorded("connect4", "44", 5, "alphabeta,table")
    assert Story(found).sentences(one(found, "table")).startswith("The table knows this position: ")


def test_a_search_that_was_stopped_says_so() -> None:
    position = RULES["connect4"].start()
    clock = Clock(nodes=200)
    found = trace(position, 8, Techniques.of("alphabeta"), find_evaluation(None, "connect4"), clock=clock)
    story, stopped = Story(found), one(found, "unfinished")
    assert story.reason(stopped) == "stopped here"
    assert story.label(stopped) == "?"
    assert story.sentences(stopped).startswith("The search was stopped")


def test_what_is_not_shown_is_counted() -> None:
    position = RULES["connect4"].read("4453")
    found = trace(position, 4, Techniques.of(""), find_evaluation(None, "connect4"), limit=50)
    story = Story(found)
    cut_off = [visit for visit in found.visits if visit.left_out]
    assert cut_off
    assert all("are not shown" in story.sentences(visit) for visit in cut_off)


def test_values_as_text() -> None:
    values = (3, 0, -2.5, 12_345, WIN - 5, 4 - WIN)
    assert [value_text(value) for value in values] == ["+3", "0", "−2.5", "+12,345", "win in 3", "loss in 2"]  # noqa: RUF001
