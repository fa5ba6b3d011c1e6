"""What a game is played under: seats, time, clock and manners, and how it stands besides its moves."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from outplay.engine.types import Limit
from outplay.live.clock import ClockSetting
from outplay.outcome import Side
from outplay.players import HUMAN, Player

DEFAULT_TIME_MS = 2500
"""The thinking time of a move by default."""


@dataclass(frozen=True, slots=True)
class Terms:
    """The terms of one game. With its record they are all there is to save: a game made of both goes on as it was."""

    seats: tuple[Player, Player] = (HUMAN, HUMAN)
    """The player of the side that moves first, and of the other."""
    time_ms: int | None = DEFAULT_TIME_MS
    """The thinking time of a move; None: no limit of time."""
    limit: Limit = field(default_factory=Limit)
    """A depth, nodes or lines besides the time."""
    pace_ms: int = 0
    """The least time an engine's move takes to appear."""
    clock: ClockSetting | None = None
    is_strict: bool = False
    """No take-back, no hints."""
    is_paused: bool = False
    seed: int | None = None
    """Makes the choices of the players repeatable; see `seat_seed`."""

    # How it stands.
    version: int = 0
    revision: int = 0
    """Counters: see `LiveState`."""
    left_ms: tuple[int, int] | None = None
    """Left on the clocks; None: all."""
    takebacks: tuple[int, ...] = ()
    """How many plies each take-back took, oldest first: the record must be able to redo as many."""
    draw_offer: Side | None = None

    def seat_seed(self, side: Side) -> int | None:
        """The seed of a side's player, if the game has one."""
        return None if self.seed is None else 2 * self.seed + side

    def again(self) -> Terms:
        """The same terms for a new game, with the seats swapped."""
        return Terms(
            seats=(self.seats[1], self.seats[0]),
            time_ms=self.time_ms,
            limit=self.limit,
            pace_ms=self.pace_ms,
            clock=self.clock,
            is_strict=self.is_strict,
            seed=self.seed,
        )

    def with_seats(self, *, first: Player | None = None, second: Player | None = None) -> Terms:
        """Other players; a seat left out keeps its own."""
        return replace(self, seats=(first or self.seats[0], second or self.seats[1]))
