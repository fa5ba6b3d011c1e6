"""The terms of a game: seats, time, clock, permissions, and the state that the moves do not show."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from outplay.engine.types import Limit
from outplay.live.clock import ClockSetting
from outplay.outcome import Side
from outplay.players import HUMAN, Player

DEFAULT_TIME_MS = 2500
"""The default thinking time of a move."""
EVERY_MOVE = Limit(lines=64)
"""A limit with a line for every move: the "glass box" panel shows what an engine thinks of each move."""


@dataclass(frozen=True, slots=True)
class Terms:
    """The terms of one game. Its record and its terms are all that must be saved to continue it."""

    seats: tuple[Player, Player] = (HUMAN, HUMAN)
    """The player of the side that moves first, and the other player."""
    time_ms: int | None = DEFAULT_TIME_MS
    """The thinking time of a move; None for no time limit."""
    limit: Limit = field(default_factory=Limit)
    """Further limits: a depth, nodes or lines."""
    pace_ms: int = 0
    """The least time before an engine's move appears."""
    clock: ClockSetting | None = None
    is_strict: bool = False
    """True if takebacks and hints are not allowed."""
    is_paused: bool = False
    seed: int | None = None
    """Seed that makes the players' choices repeatable; see `seat_seed`."""

    # The state besides the moves.
    version: int = 0
    revision: int = 0
    """The counters `version` and `revision`: see `LiveState`."""
    left_ms: tuple[int, int] | None = None
    """The time left on the clocks; None for the full time."""
    takebacks: tuple[int, ...] = ()
    """The number of plies of each takeback, oldest first. The record must still have these moves, to redo them."""
    has_new_players: bool = False
    """True if a player was replaced after the first move: the result says nothing about either of them."""
    draw_offer: Side | None = None
    """The side that offers a draw."""
    takeback_offer: Side | None = None
    """The side that asks to take its last move back."""

    def seat_seed(self, side: Side) -> int | None:
        """Return the seed of a side's player, or None if the game has no seed."""
        return None if self.seed is None else 2 * self.seed + side

    def again(self) -> Terms:
        """Return the same terms for a new game, with the seats swapped."""
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
        """Return the terms with other players; a seat that is left out keeps its player."""
        return replace(self, seats=(first or self.seats[0], second or self.seats[1]))


def pace_of(seats: Sequence[Player], time_ms: int) -> int:
    """Return the pace: 0 if a human plays, otherwise the thinking time, so that an engine that answers early waits."""
    return 0 if any(player.is_human for player in seats) else time_ms
