"""The pages Learn and Puzzles of the terminal app, on the lessons and puzzles that ship."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from textual.widgets import OptionList, Static

from outplay.learn import Courses
from outplay.learn.progress import Attempt
from outplay.learn.themes import THEMES
from outplay.rules import rules_of
from outplay.store import open_store
from outplay.store.people import forget
from outplay.store.progress import (
    NOBODY_YET,
    LessonProgress,
    add_attempt,
    attempts_of,
    come_here,
    lessons_of,
    person_here,
    save_lesson,
)
from outplay.tui import exercise
from outplay.tui.learn import LearnPage
from outplay.tui.puzzles import PuzzlesPage
from outplay.tui.start import AppStart
from tests.support.tui import Player, drive


async def open_learn(me: Player) -> LearnPage:
    me.app.action_page("learn")
    await me.until(lambda: isinstance(me.app.screen, LearnPage) and me.app.screen.is_ready)
    page = me.app.screen
    assert isinstance(page, LearnPage)
    return page


async def to_a_task(me: Player, page: LearnPage) -> None:
    """Go on to a step that asks for a move which is not the only legal one."""
    await me.until(lambda: me.sentence)
    while not page.step.has_task or len(page.step.position.legal_moves()) == len(page.step.accept):
        await me.press("n")


def test_a_lesson_is_taken_step_by_step_and_remembered(tmp_path: Path) -> None:
    db = str(tmp_path / "games.sqlite3")
    exercise.MOVE_SECONDS, before = 0.01, exercise.MOVE_SECONDS

    async def script(me: Player) -> None:
        page = await open_learn(me)
        await to_a_task(me, page)
        step, number = page.step, page.number
        wrong = [text for text in map(step.position.format, step.position.legal_moves()) if text not in step.accept]
        wrong = [text for text in wrong if text not in step.also]
        page.enter(wrong[0])
        await me.until(lambda: "Try again" in me.sentence)
        await me.press("h")
        assert "Hint 1 of 3" in me.sentence
        page.enter(step.accept[0])
        await me.until(lambda: "n goes on" in me.sentence)
        assert number in page._done[page.lesson.key]
        await me.pilot.app.workers.wait_for_complete()

    try:
        drive(script, AppStart(db=db))
    finally:
        exercise.MOVE_SECONDS = before
    store = open_store(db)
    assert any(progress.done for progress in lessons_of(store, NOBODY_YET).values())
    store.close()


def test_a_refused_move_and_a_step_without_a_task_say_so() -> None:
    async def script(me: Player) -> None:
        page = await open_learn(me)
        await to_a_task(me, page)
        page.enter("nonsense")
        await me.until(lambda: "Not possible" in me.sentence)
        await me.press("b")
        lessons = page.query_one("#lessons", OptionList)
        lessons.highlighted = lessons.option_count - 1
        lessons.focus()
        await me.press("enter")
        assert page.lesson.game == "checkers"
        assert page.lesson.title in str(page.query_one("#text", Static).render())
        assert rules_of(page.position).name == "checkers"

    drive(script)


def test_a_try_counts_although_the_person_goes_on_while_the_answer_is_shown(tmp_path: Path) -> None:
    db = str(tmp_path / "games.sqlite3")

    async def script(me: Player) -> None:
        me.app.action_page("puzzles")
        await me.until(lambda: isinstance(me.app.screen, PuzzlesPage) and me.app.screen.is_ready and me.sentence)
        page = me.app.screen
        assert isinstance(page, PuzzlesPage)
        puzzle = page.puzzle
        text = str(page.query_one("#text", Static).render())
        assert f"Grade {puzzle.grade}: {THEMES['connect4'][puzzle.themes[0]]}" in text
        legal = [puzzle.position.format(move) for move in puzzle.position.legal_moves()]
        page.enter(next(text for text in legal if text not in puzzle.accepted(0)))
        await me.until(lambda: not page._answer)
        await me.press("n")
        assert page.puzzle.id != puzzle.id
        assert [attempt.puzzle for attempt in page.attempts] == [puzzle.id]
        await me.pilot.app.workers.wait_for_complete()

    drive(script, AppStart(db=db))


def test_a_puzzle_is_missed_then_solved_and_counts(tmp_path: Path) -> None:
    db = str(tmp_path / "games.sqlite3")
    exercise.MOVE_SECONDS, before = 0.01, exercise.MOVE_SECONDS

    async def script(me: Player) -> None:
        me.app.action_page("puzzles")
        await me.until(lambda: isinstance(me.app.screen, PuzzlesPage) and me.app.screen.is_ready and me.sentence)
        page = me.app.screen
        assert isinstance(page, PuzzlesPage)
        puzzle = page.puzzle
        text = str(page.query_one("#text", Static).render())
        assert f"Grade {puzzle.grade}: {THEMES['connect4'][puzzle.themes[0]]}" in text
        legal = [puzzle.position.format(move) for move in puzzle.position.legal_moves()]
        page.enter(next(text for text in legal if text not in puzzle.accepted(0)))
        await me.until(lambda: "Try again" in me.sentence)
        for ply in range(0, len(puzzle.asked), 2):
            await me.until(lambda: page._answer and len(page._played) == ply)  # noqa: B023
            page.enter(puzzle.accepted(ply)[0])
        await me.until(lambda: "next puzzle" in me.sentence)
        await me.press("c")
        assert page.puzzle.game == "checkers"
        await me.press("s")
        await me.until(lambda: "The answer" in me.sentence)
        await me.press("d")
        await me.pilot.app.workers.wait_for_complete()

    try:
        drive(script, AppStart(db=db))
    finally:
        exercise.MOVE_SECONDS = before
    store = open_store(db)
    assert len(attempts_of(store, NOBODY_YET)) >= 2
    store.close()


# Whose progress it is


def test_a_browser_of_this_machine_gets_what_was_learned_at_its_terminal() -> None:
    store, now = open_store("memory"), datetime.now(UTC)
    save_lesson(store, NOBODY_YET, "connect4/a", LessonProgress(frozenset({1, 2}), 3))
    save_lesson(store, "mia", "connect4/a", LessonProgress(frozenset({4}), 5))
    save_lesson(store, NOBODY_YET, "connect4/b", LessonProgress(frozenset({1}), 2))
    for person, puzzle in ((NOBODY_YET, "c4-0001"), ("mia", "c4-0002"), (NOBODY_YET, "c4-0003")):
        add_attempt(store, person, Attempt(puzzle, "right", now))
    assert person_here(store) == NOBODY_YET
    come_here(store, "mia")
    assert person_here(store) == "mia"
    mine = lessons_of(store, "mia")
    assert {key: (sorted(each.done), each.at) for key, each in mine.items()} == {
        "connect4/a": ([1, 2, 4], 5),
        "connect4/b": ([1], 2),
    }
    assert [each.puzzle for each in attempts_of(store, "mia")] == ["c4-0002", "c4-0001", "c4-0003"]
    assert not lessons_of(store, NOBODY_YET)
    come_here(store, "tom")
    assert person_here(store) == "tom"
    assert not lessons_of(store, "tom")
    forget(store, "tom")
    assert person_here(store) == "mia"
    store.close()


def test_the_terminal_goes_on_where_the_browser_was(tmp_path: Path) -> None:
    db = str(tmp_path / "games.sqlite3")
    first = next(iter(Courses()))
    store = open_store(db)
    come_here(store, "mia")
    save_lesson(store, "mia", first.key, LessonProgress(frozenset({2}), 3))
    store.close()

    async def script(me: Player) -> None:
        page = await open_learn(me)
        await me.until(lambda: 2 in page._done.get(first.key, ()))
        await me.pilot.app.workers.wait_for_complete()
        expected = min(set(range(1, len(first.steps) + 1)) - page._done[first.key])
        page.query_one("#lessons", OptionList).focus()
        page.query_one("#lessons", OptionList).highlighted = 0
        await me.press("enter")
        assert page.number == expected != 2
        me.app.action_page("play")
        await me.press("4")
        await me.until_ply(1)
        await me.until_shown()

    drive(script, AppStart(db=db))
    store = open_store(db)
    assert 2 in lessons_of(store, "mia")[first.key].done
    (summary,) = store.games(limit=2)
    assert (summary.owner, summary.people) == ("mia", ("mia", ""))
    store.close()
