"""What the app opens with: a page, and the game on its board."""

from __future__ import annotations

from dataclasses import dataclass, field

from outplay.engine.types import Limit
from outplay.live import DEFAULT_TIME_MS, ClockSetting, Terms, catalogue
from outplay.outcome import Side
from outplay.players import HUMAN, Player
from outplay.record import AnyGame, Game
from outplay.rules import NO_PROGRESS, RULES, Position


@dataclass(frozen=True, slots=True)
class AppStart:
    """A page and a game, as the command line or a dialog describes them."""

    page: str = "play"
    game: str = "connect4"
    seats: tuple[Player | None, Player | None] = (None, None)
    """None for the usual player: a human on one side, a level that most people can beat on the other."""
    position: Position | None = None
    """Where the game starts; None for the usual start."""
    size: tuple[int, int] | None = None
    time_ms: int | None = DEFAULT_TIME_MS
    limit: Limit = field(default_factory=Limit)
    seed: int | None = None
    no_progress: str = "official"
    clock: ClockSetting | None = None
    is_strict: bool = False
    db: str | None = None
    """The database of the games; None for the one that the web app uses."""

    def new_game(self) -> AnyGame:
        """Return a new game at its start position."""
        rules = RULES[self.game]
        start = self.position or rules.read("start", size=self.size)
        return Game(start, no_progress=NO_PROGRESS[self.no_progress] if self.game == "checkers" else None)

    def terms(self) -> Terms:
        terms = Terms(
            time_ms=self.time_ms, limit=self.limit, seed=self.seed, clock=self.clock, is_strict=self.is_strict
        )
        first, second = self.seats
        if second is None and first is not None and not first.is_human:
            return terms.with_seats(first=first, second=HUMAN)
        opponent = catalogue.find(self.game, catalogue.OPPONENT, terms.seat_seed(Side.SECOND))
        return terms.with_seats(first=first or HUMAN, second=second or opponent)
