"""What a game in progress looks like from outside: a picture of it, and what happens in it. Values, all of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from outplay.engine.types import Analysis
from outplay.errors import OutplayError
from outplay.live.clock import ClockState
from outplay.outcome import Outcome, Side
from outplay.players import Player
from outplay.rules import Move, Position

Status = Literal["human", "thinking", "paused", "failed", "over"]
"""Whom the game waits for: a human, an engine, somebody to resume or to retry, nobody."""


@dataclass(frozen=True, slots=True)
class Opinion:
    """What an engine thought of the position in which it moved, or thinks now."""

    ply: int
    """Moves played when it was asked."""
    position: Position
    player: Player
    analysis: Analysis
    played: Move | None = None
    """None while it is thinking."""

    @property
    def side(self) -> Side:
        return self.position.side

    @property
    def liked(self) -> Move:
        """The move with the best score. A player may play another one, and a weak one does."""
        return max(self.analysis.lines, key=lambda line: line.score.value).move


@dataclass(frozen=True, slots=True)
class Failure:
    """An engine that failed, and why."""

    side: Side
    player: Player
    error: OutplayError

    @property
    def message(self) -> str:
        return str(self.error)

    @property
    def transcript(self) -> tuple[str, ...]:
        """What it said last: a traceback, its own output."""
        return tuple(getattr(self.error, "transcript", ()))


@dataclass(frozen=True, slots=True)
class Allowed:
    """Which commands make sense now."""

    takeback: bool
    redo: bool
    hint: bool
    resign: bool
    draw: bool
    step: bool
    move_now: bool
    retry: bool


@dataclass(frozen=True, slots=True)
class LiveState:
    """A game as it stood at one moment, whole."""

    version: int
    """Goes up with every change of moves, seats or outcome."""
    revision: int
    """Goes up with every change at all: of two pictures the higher one is the newer."""
    seats: tuple[Player, Player]
    positions: tuple[Position, ...]
    """The start, and the position after each move."""
    moves: tuple[Move, ...]
    opinions: tuple[Opinion | None, ...]
    """For each move, what the engine that played it thought; None for a human's move."""
    takebacks: tuple[int, ...]
    """How many plies each takeback took that redo can bring back, the last one last."""
    undone_moves: tuple[Move, ...]
    """The moves that redo can bring back, the next one first."""
    status: Status
    outcome: Outcome | None
    failure: Failure | None
    is_paused: bool
    is_strict: bool
    time_ms: int | None
    pace_ms: int
    clock: ClockState | None
    draw_offer: Side | None
    """The human side that waits for an answer."""
    notice: str
    """A word about the last command ("Random declines the draw."), until the next change."""
    thinking: Opinion | None
    """What the engine to move has found so far."""
    queue_place: int
    """How many searches go before the one of this game, it included; 0 when it runs or there is none."""
    allowed: Allowed

    @property
    def start(self) -> Position:
        return self.positions[0]

    @property
    def position(self) -> Position:
        return self.positions[-1]

    @property
    def history(self) -> tuple[Position, ...]:
        return self.positions[:-1]

    @property
    def ply(self) -> int:
        return len(self.moves)

    @property
    def side(self) -> Side:
        return self.position.side

    @property
    def undone(self) -> int:
        """How many moves redo can bring back."""
        return len(self.undone_moves)

    @property
    def texts(self) -> list[str]:
        """The moves as text."""
        return [before.format(move) for before, move in zip(self.positions, self.moves, strict=False)]


# Events. Each carries the picture's counters at its moment.


@dataclass(frozen=True, slots=True)
class Moved:
    """A move was played."""

    kind: ClassVar[Literal["moved"]] = "moved"
    version: int
    revision: int
    ply: int
    """From 1: the number of moves now."""
    side: Side
    move: Move
    text: str
    opinion: Opinion | None


@dataclass(frozen=True, slots=True)
class Thinking:
    """A search was asked for, has begun, or has found something: `opinion` is None until then."""

    kind: ClassVar[Literal["thinking"]] = "thinking"
    version: int
    revision: int
    side: Side
    player: Player
    queue_place: int
    opinion: Opinion | None


@dataclass(frozen=True, slots=True)
class StateChanged:
    """Anything changed; the last event of every change."""

    kind: ClassVar[Literal["state"]] = "state"
    version: int
    revision: int
    state: LiveState


@dataclass(frozen=True, slots=True)
class EngineFailed:
    """An engine failed: the game waits for `retry` or another player, or is lost for one's own bot."""

    kind: ClassVar[Literal["engine_failed"]] = "engine_failed"
    version: int
    revision: int
    failure: Failure


@dataclass(frozen=True, slots=True)
class Over:
    """The game has ended."""

    kind: ClassVar[Literal["over"]] = "over"
    version: int
    revision: int
    outcome: Outcome


@dataclass(frozen=True, slots=True)
class ClockChanged:
    """A clock was started or halted; between these, time goes by on its own."""

    kind: ClassVar[Literal["clock"]] = "clock"
    version: int
    revision: int
    clock: ClockState


Event = Moved | Thinking | StateChanged | EngineFailed | Over | ClockChanged
