"""What a guided run consists of: positions of a tree, and moments at which one line of the program runs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from outplay.lab.course.programs import CourseProgram, Deed
from outplay.rules import Position

NodeStage = Literal["ahead", "open", "done", "cut", "table", "never"]
"""ahead: not searched yet. open: being searched. done: its value is known. cut: known after some replies were skipped.
table: answered by the table. never: skipped."""


@dataclass(frozen=True, slots=True)
class CourseNode:
    """A position of the tree."""

    id: int
    parent: int | None
    move: str | None
    """The move that leads to this position; None at the root."""
    ply: int
    position: Position
    search: int = 0
    """The index of the search that it belongs to, from 0; with deepening there are several searches."""


@dataclass(frozen=True, slots=True)
class OpenNode:
    """An open position, with alpha and beta for the side to move at the root."""

    id: int
    alpha: float
    beta: float


@dataclass(frozen=True, slots=True)
class NodeChange:
    """A change in the drawing of a position: its stage and its label from this moment on."""

    id: int
    stage: NodeStage
    label: str


@dataclass(frozen=True, slots=True)
class CourseMoment:
    """The moment at which one line of the program runs: the words about it, and what changes."""

    line: int
    deed: Deed
    at: int
    """The position for which the line runs."""
    words: str
    open: tuple[OpenNode, ...] = ()
    """The positions from the root to this one, in order."""
    changes: tuple[NodeChange, ...] = ()
    child: int | None = None
    """The child position that the line goes to or comes back from, if there is one."""
    end: Position | None = None
    """The last position of a random game."""


@dataclass(frozen=True, slots=True)
class CourseRun:
    """A recorded run: the program, the tree, and the moments in order."""

    program: CourseProgram
    sides: tuple[str, str]
    """The side to move at the root, and the other one."""
    depth: int
    nodes: tuple[CourseNode, ...]
    moments: tuple[CourseMoment, ...]


class MomentList:
    """The moments of a run so far. If the program has no line for a deed, its changes go into the next moment."""

    def __init__(self, program: CourseProgram) -> None:
        self._program = program
        self._waiting: dict[int, NodeChange] = {}
        self.moments: list[CourseMoment] = []

    def add(
        self,
        deed: Deed,
        at: int,
        words: str,
        *,
        open_nodes: tuple[OpenNode, ...] = (),
        changes: tuple[NodeChange, ...] = (),
        child: int | None = None,
        end: Position | None = None,
    ) -> None:
        """Add a moment for a deed, if the program has a line for it."""
        self._waiting |= {change.id: change for change in changes}
        line = self._program.line_of(deed)
        if line is None:
            return
        self.moments.append(CourseMoment(line, deed, at, words, open_nodes, tuple(self._waiting.values()), child, end))
        self._waiting = {}


def sentence(text: str) -> str:
    """Return the text with its first letter in upper case."""
    return text[:1].upper() + text[1:]
