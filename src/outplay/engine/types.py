"""The interface of engines: limits, scores and answers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from typing import Literal, Protocol

from outplay.errors import GameOverError, wrong_type
from outplay.rules import Move, Position

KnownBy = Literal["solved", "table", "book", "search"]
"""How a score is known: the first three are proofs, `search` is an estimate."""
Unit = Literal["exact", "men", "points"]
"""The unit of a score: as the solver counts (`exact`), hundredths of a man, or points of an evaluation."""


@dataclass(frozen=True, slots=True)
class Limit:
    """The limits of a search: the first one that is reached ends it. Without any, the engine decides when to stop."""

    depth: int | None = None
    nodes: int | None = None
    time_ms: int | None = None
    """The time for this move."""
    clock_ms: int | None = None
    """The time left on the clock for the rest of the game; the engine divides it."""
    increment_ms: int = 0
    lines: int = 1
    """The number of best moves to give a line for."""

    def __post_init__(self) -> None:
        for each in fields(self):
            value = getattr(self, each.name)
            is_optional = each.default is None
            if not (hasattr(value, "__index__") or (is_optional and value is None)):
                raise wrong_type(each.name, "a whole number" + " or None" * is_optional, value)
        for name in ("depth", "nodes", "time_ms"):
            value = getattr(self, name)
            if value is not None and value < 1:
                raise ValueError(f"{name} must be positive, not {value}")
        for name in ("clock_ms", "increment_ms"):
            value = getattr(self, name)
            if value is not None and value < 0:
                raise ValueError(f"{name} must be 0 or more, not {value}")
        if not 1 <= self.lines <= 100:
            raise ValueError(f"lines must be from 1 to 100, not {self.lines}")

    def move_time_ms(self) -> int | None:
        """Return the time for this move: `time_ms`, or a share of the clock that leaves enough for the rest."""
        from_clock = None if self.clock_ms is None else max(1, self.clock_ms // 30 + self.increment_ms * 3 // 4)
        if from_clock is not None and self.clock_ms is not None:
            from_clock = min(from_clock, max(1, self.clock_ms * 4 // 5))
        times = [time for time in (self.time_ms, from_clock) if time is not None]
        return min(times) if times else None


@dataclass(frozen=True, slots=True)
class Score:
    """The score of a search, seen from the side to move, and how it is known.

    `plies` is the number of plies to the end, if a forced end was found; then the value says who wins.
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
    """One move with its score and the expected continuation, which starts with the move itself."""

    move: Move
    score: Score
    moves: tuple[Move, ...] = ()


@dataclass(frozen=True, slots=True)
class Analysis:
    """What an engine found: lines from best to worst, and the effort."""

    lines: tuple[Line, ...]
    depth: int
    nodes: int
    seconds: float

    @property
    def move(self) -> Move:
        """Return the move the engine plays."""
        return self.lines[0].move


Report = Callable[[Analysis], None]


class Engine(Protocol):
    """The interface of an engine: an object that chooses moves.

    `analyse` blocks until `limit` is reached or `stop()` is called from another thread, then returns; meanwhile it
    calls `report` with its results so far. It raises GameOverError if there is no move. `history` holds the positions
    before this one, oldest first, to detect repetition. A `stop()` before the search begins has no effect.
    """

    @property
    def name(self) -> str: ...
    def analyse(
        self, position: Position, limit: Limit, *, history: Sequence[Position] = (), report: Report | None = None
    ) -> Analysis: ...
    def stop(self) -> None: ...


def check_not_over(position: Position) -> None:
    """Raise GameOverError if there is no move to choose."""
    outcome = position.outcome()
    if outcome is not None:
        raise GameOverError(position, outcome.reason)
