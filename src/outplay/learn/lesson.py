"""Lessons: steps on a board, each with a text and most with a task."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from outplay.explain import BoardMark
from outplay.learn.goals import Goal
from outplay.rules import Position

MOST_STEPS = 12
TOLD = Goal("told")


@dataclass(frozen=True, slots=True)
class Refutation:
    """What to say after a wrong move, and the moves that follow it on the board. Default: best play."""

    say: str
    line: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Step:
    """One step: a text and a position; with a task, the moves that solve it."""

    text: str
    position: Position
    marks: tuple[BoardMark, ...] = ()
    task: str = ""
    """Empty if there is only something to read."""
    goal: Goal = TOLD
    accept: tuple[str, ...] = ()
    """The moves that solve the task."""
    right: str = ""
    """What to say after a move that solves the task."""
    then: tuple[str, ...] = ()
    """The moves that follow the first accepted one on the board."""
    also: tuple[str, ...] = ()
    """Moves that reach the goal as well, although the text is about other moves."""
    also_right: str = ""
    """What to say after a move of `also`."""
    wrong: Mapping[str, Refutation] = field(default_factory=dict)
    """What to say after certain wrong moves; the key is the move."""
    line: int = 0
    """The line of the file where the step begins."""

    @property
    def has_task(self) -> bool:
        return bool(self.task)


@dataclass(frozen=True, slots=True)
class Lesson:
    """A lesson of one game."""

    game: str
    name: str
    """The name in the address of the lesson: `double-threats`."""
    title: str
    summary: str
    """One line for the list: "Two at once cannot be blocked"."""
    steps: tuple[Step, ...]
    source: str = ""
    """The file it was read from."""

    @property
    def key(self) -> str:
        """The key under which progress is stored: `connect4/double-threats`."""
        return f"{self.game}/{self.name}"
