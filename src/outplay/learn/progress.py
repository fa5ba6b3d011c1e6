"""A person's progress with puzzles: the grade, today's results, which puzzles come back and when, and the next one.

All of it follows from the list of attempts. A puzzle that was missed comes back after a day. When it has been
solved, it comes back one more time, a week later. If a puzzle that is not due is repeated, nothing changes.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Literal

from outplay.learn.puzzle import GRADES, GradedPuzzle

AttemptKind = Literal["right", "helped", "missed", "again", "hint"]
"""`right`: solved at the first try. `helped`: solved after a hint. `missed`: a wrong move, or the answer was shown.
`again`: solved, but only after a miss. `hint`: a hint was given. `again` and `hint` are stored, but are not results."""
START_GRADE = 2.0
STEP = 0.35
"""How far a result moves the grade if success and failure were equally likely; up to twice as far if not."""
FIRST_STEPS = 5
"""The number of first results that move the grade further than later ones."""
SOON, LATER = timedelta(days=1), timedelta(days=7)
SITTING = timedelta(hours=12)
"""A puzzle that is solved within this time after a hint counts as solved with help."""
DAILY_GRADES = range(2, 7)
"""The grades of the puzzle of the day."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """What happened with a puzzle, and when."""

    puzzle: str
    kind: AttemptKind
    at: datetime


@dataclass(frozen=True, slots=True)
class PuzzleStanding:
    """A person's grade and results in the puzzles of one game."""

    grade: float
    """Between 1 and 8: puzzles of this grade suit this person."""
    in_a_row: int
    solved: frozenset[str]
    missed: frozenset[str]
    """The puzzles whose last result was a miss."""
    due: tuple[str, ...]
    """The puzzles that come back now, the longest overdue first."""
    today: tuple[AttemptKind, ...]
    """The results of today, in order."""


def new_kind(earlier: Sequence[Attempt], puzzle: str, *, is_right: bool, now: datetime) -> AttemptKind | None:
    """Return what a result counts as, given the attempts before it; None if it is not worth remembering.

    Only the first result of a puzzle counts, and each result at a time when the puzzle is due to come back.
    """
    before = [attempt for attempt in earlier if attempt.puzzle == puzzle]
    tries = [attempt for attempt in before if attempt.kind != "hint"]
    is_due = any(at <= now for at, _ in _due([attempt for attempt in tries if attempt.kind != "again"]))
    if tries and not is_due:
        return "again" if is_right and tries[-1].kind == "missed" else None
    if not is_right:
        return "missed"
    is_helped = bool(before) and before[-1].kind == "hint" and now < before[-1].at + SITTING
    return "helped" if is_helped else "right"


def standing(attempts: Sequence[Attempt], puzzles: Iterable[GradedPuzzle], now: datetime) -> PuzzleStanding:
    """Return a person's grade and results, from the attempts in the order in which they were made."""
    grades = {puzzle.id: puzzle.grade for puzzle in puzzles}
    results = [attempt for attempt in attempts if attempt.kind not in ("again", "hint") and attempt.puzzle in grades]
    grade, in_a_row = START_GRADE, 0
    last: dict[str, Attempt] = {}
    for number, attempt in enumerate(results):
        grade = _moved(grade, grades[attempt.puzzle], attempt.kind, number)
        in_a_row = 0 if attempt.kind == "missed" else in_a_row + 1
        last[attempt.puzzle] = attempt
    return PuzzleStanding(
        grade=round(grade, 2),
        in_a_row=in_a_row,
        solved=frozenset(name for name, attempt in last.items() if attempt.kind != "missed"),
        missed=frozenset(name for name, attempt in last.items() if attempt.kind == "missed"),
        due=tuple(name for _, name in sorted(_due(results)) if _ <= now),
        today=tuple(attempt.kind for attempt in results if attempt.at.date() == now.date()),
    )


def _moved(grade: float, puzzle_grade: int, kind: AttemptKind, number: int) -> float:
    """Return the grade after a result: the more unexpected the result, the further the grade moves."""
    if kind == "helped":
        return grade
    expected = 1 / (1 + 10 ** ((puzzle_grade - grade) / 2))
    step = STEP * (1 + max(0, FIRST_STEPS - number) / 2)
    moved = grade + 2 * step * ((kind == "right") - expected)
    return min(float(GRADES[-1]), max(float(GRADES[0]), moved))


def _due(results: Sequence[Attempt]) -> list[tuple[datetime, str]]:
    """Return when each puzzle that was missed comes back."""
    when: dict[str, tuple[datetime, bool]] = {}
    for attempt in results:
        if attempt.kind == "missed":
            when[attempt.puzzle] = (attempt.at + SOON, False)
        elif attempt.puzzle in when:
            _, was_solved = when.pop(attempt.puzzle)
            if not was_solved:
                when[attempt.puzzle] = (attempt.at + LATER, True)
    return [(at, name) for name, (at, _) in when.items()]


def next_puzzle(
    puzzles: Sequence[GradedPuzzle],
    stands: PuzzleStanding,
    *,
    theme: str = "",
    shift: int = 0,
    after: Sequence[str] = (),
) -> GradedPuzzle | None:
    """Return the next puzzle for a person: one that is due to come back, otherwise a new one of about the right grade.

    `theme` limits the choice, `shift` asks for a harder (1) or an easier one (-1). `after` has the ids of puzzles not
    to repeat, the latest last: if no other is left, they come again in this order. If no puzzle is new, a missed one
    is chosen. None if all are solved.
    """
    fitting = [puzzle for puzzle in puzzles if (not theme or theme in puzzle.themes) and puzzle.id not in after]
    by_id = {puzzle.id: puzzle for puzzle in fitting}
    for name in stands.due:
        if name in by_id and shift == 0:
            return by_id[name]
    new = [puzzle for puzzle in fitting if puzzle.id not in stands.solved | stands.missed]
    if not new:
        new = [puzzle for puzzle in fitting if puzzle.id in stands.missed]
    if not new:
        left = {
            each.id: each for each in puzzles if (not theme or theme in each.themes) and each.id not in stands.solved
        }
        return next((left[name] for name in after if name in left), None)
    wanted = stands.grade + shift
    return min(new, key=lambda puzzle: (abs(puzzle.grade - wanted), _lot(puzzle.id)))


def daily_puzzle(puzzles: Sequence[GradedPuzzle], day: date) -> GradedPuzzle:
    """Return the puzzle of a day: the same for everyone, and another one each day until all have had their turn."""
    fitting = sorted((puzzle for puzzle in puzzles if puzzle.grade in DAILY_GRADES), key=lambda puzzle: _lot(puzzle.id))
    fitting = fitting or list(puzzles)
    return fitting[day.toordinal() % len(fitting)]


def _lot(text: str) -> str:
    """Return a sort key that puts puzzles in a random order, the same on every machine."""
    return hashlib.sha256(text.encode()).hexdigest()
