"""The contract of everything that chooses a move: what it is asked, and what it answers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from outplay.errors import GameOverError
from outplay.rules import Move, Position

KnownBy = Literal["solved", "table", "book", "search"]
"""How a score is known: the first three are proofs, `search` is a belief."""
Unit = Literal["exact", "men", "points"]
"""What a score counts: the solver's convention, hundredths of a man, or the points of some evaluation."""


@dataclass(frozen=True, slots=True)
class Limit:
    """What ends a search: whichever comes first. Without any of them the engine decides by itself."""

    depth: int | None = None
    nodes: int | None = None
    time_ms: int | None = None
    """For this move."""
    clock_ms: int | None = None
    """Left on the clock for the rest of the game; the engine divides it."""
    increment_ms: int = 0
    lines: int = 1
    """How many of the best moves to give a line for."""

    def __post_init__(self) -> None:
        for name in ("depth", "nodes", "time_ms", "clock_ms"):
            value = getattr(self, name)
            if value is not None and value < (0 if name == "clock_ms" else 1):
                raise ValueError(f"{name} must be positive, not {value}")
        if self.increment_ms < 0:
            raise ValueError(f"increment_ms must not be negative, not {self.increment_ms}")
        if not 1 <= self.lines <= 100:
            raise ValueError(f"lines must be from 1 to 100, not {self.lines}")

    def move_time_ms(self) -> int | None:
        """The time for this move: as said, or a share of the clock that leaves enough for the rest of the game."""
        from_clock = None if self.clock_ms is None else max(1, self.clock_ms // 30 + self.increment_ms * 3 // 4)
        if from_clock is not None and self.clock_ms is not None:
            from_clock = min(from_clock, max(1, self.clock_ms * 4 // 5))
        times = [time for time in (self.time_ms, from_clock) if time is not None]
        return min(times) if times else None


@dataclass(frozen=True, slots=True)
class Score:
    """What a search says, seen from the side to move, and how it knows.

    `plies` is the number of plies to the end, where a forced end was found: the value then says who wins.
    """

    value: float
    known_by: KnownBy = "search"
    depth: int | None = None
    plies: int | None = None
    unit: Unit = "points"

    @property
    def is_proof(self) -> bool:
        return self.known_by != "search"


@dataclass(frozen=True, slots=True)
class Line:
    """One move with its score and the expected continuation, the move itself first."""

    move: Move
    score: Score
    moves: tuple[Move, ...] = ()


@dataclass(frozen=True, slots=True)
class Analysis:
    """What an engine found: lines from the best down, and what it cost."""

    lines: tuple[Line, ...]
    depth: int
    nodes: int
    seconds: float

    @property
    def move(self) -> Move:
        """The move the engine plays."""
        return self.lines[0].move


Report = Callable[[Analysis], None]


class Engine(Protocol):
    """Anything that chooses a move.

    `analyse` blocks until `limit` is reached or `stop()` is called from another thread, then returns; it calls
    `report` with what it has as it goes. It raises GameOverError where there is no move. `history` holds the positions
    before this one, oldest first, for repetition and the like. A `stop()` before the search begins is forgotten.
    """

    @property
    def name(self) -> str: ...
    def analyse(
        self, position: Position, limit: Limit, *, history: Sequence[Position] = (), report: Report | None = None
    ) -> Analysis: ...
    def stop(self) -> None: ...


def check_not_over(position: Position) -> None:
    """GameOverError if there is no move to choose."""
    outcome = position.outcome()
    if outcome is not None:
        raise GameOverError(position, outcome.reason)
