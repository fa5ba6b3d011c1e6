"""Values that describe a game in progress: its state at one moment, and its events."""

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
"""What the game waits for: a human, an engine, `resume`, `retry`, or nothing because it is over."""


@dataclass(frozen=True, slots=True)
class Opinion:
    """What an engine thinks of the position in which it is to move, or what it thought before it moved."""

    ply: int
    """The number of moves played when the engine was asked."""
    position: Position
    player: Player
    analysis: Analysis
    played: Move | None = None
    """The move it played; None while it thinks."""

    @property
    def side(self) -> Side:
        return self.position.side

    @property
    def liked(self) -> Move:
        """Return the move with the best score. Weak players may play another one."""
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
        """The last lines of the engine's output: a traceback, or what it printed."""
        return tuple(getattr(self.error, "transcript", ()))


@dataclass(frozen=True, slots=True)
class Allowed:
    """Which commands are possible now."""

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
    """The complete state of a game at one moment."""

    version: int
    """Increases with every change of moves, seats or outcome."""
    revision: int
    """Increases with every change of any kind: of two states the one with the higher number is newer."""
    seats: tuple[Player, Player]
    positions: tuple[Position, ...]
    """The start position, and the position after each move."""
    moves: tuple[Move, ...]
    opinions: tuple[Opinion | None, ...]
    """For each move, what the engine that played it thought; None for a human's move."""
    takebacks: tuple[int, ...]
    """The number of plies of each takeback that redo can bring back, latest last."""
    undone_moves: tuple[Move, ...]
    """The moves that redo can bring back, next one first."""
    status: Status
    outcome: Outcome | None
    failure: Failure | None
    is_paused: bool
    is_strict: bool
    time_ms: int | None
    pace_ms: int
    clock: ClockState | None
    draw_offer: Side | None
    """The human side that offered a draw and waits for an answer."""
    takeback_offer: Side | None
    """The human side that asked to take its last move back and waits for an answer."""
    notice: str
    """A message about the last command ("Random declines the draw."), until the next change."""
    thinking: Opinion | None
    """What the engine to move has found so far."""
    queue_place: int
    """The place of this game's search in the queue, from 1; 0 if the search runs already, or if there is no search."""
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
        """Return the number of moves that redo can bring back."""
        return len(self.undone_moves)

    @property
    def texts(self) -> list[str]:
        """The moves as text."""
        return [before.format(move) for before, move in zip(self.positions, self.moves, strict=False)]


# Events. Each has the counters `version` and `revision` of the state at that moment.


@dataclass(frozen=True, slots=True)
class Moved:
    """A move was played."""

    kind: ClassVar[Literal["moved"]] = "moved"
    version: int
    revision: int
    ply: int
    """The number of moves played, this one included."""
    side: Side
    move: Move
    text: str
    opinion: Opinion | None


@dataclass(frozen=True, slots=True)
class Thinking:
    """A search was queued, started, or found something; `opinion` is None until it finds something."""

    kind: ClassVar[Literal["thinking"]] = "thinking"
    version: int
    revision: int
    side: Side
    player: Player
    queue_place: int
    opinion: Opinion | None


@dataclass(frozen=True, slots=True)
class StateChanged:
    """Something changed; always the last event of a change."""

    kind: ClassVar[Literal["state"]] = "state"
    version: int
    revision: int
    state: LiveState


@dataclass(frozen=True, slots=True)
class EngineFailed:
    """An engine failed. The game waits for `retry` or another player; if the user's own bot failed, it loses."""

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
    """A clock was started or stopped. Between these events, readers count the time down themselves."""

    kind: ClassVar[Literal["clock"]] = "clock"
    version: int
    revision: int
    clock: ClockState


Event = Moved | Thinking | StateChanged | EngineFailed | Over | ClockChanged
