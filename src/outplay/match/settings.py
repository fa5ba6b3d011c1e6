"""The settings of a match: the players, the game, the openings and the thinking time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from outplay.engine.types import Limit
from outplay.errors import NotationError, wrong_type
from outplay.match.openings import DEFAULT
from outplay.players import PlayerLike, player
from outplay.rules import rules_named
from outplay.work.supervise import GRACE_MS

GameName = Literal["connect4", "checkers"]
USUAL_LIMIT = Limit(time_ms=100)


@dataclass(frozen=True, slots=True)
class Match:
    """A match of two players, A and B, each a name, a function or an engine (see `players`).

    All results are seen from A.
    """

    a: PlayerLike
    b: PlayerLike
    game: GameName = "checkers"
    openings: str = ""
    """See `match.openings`. Default: the usual openings of the game."""
    limit: Limit = USUAL_LIMIT
    """The limit of each move."""
    seed: int = 1
    """Seed for the order of the openings and the players' choices."""
    margin_ms: int = GRACE_MS
    """How much longer than its time a player may take before it loses the game."""
    max_plies: int = 400
    """A longer game counts as a draw."""
    tables: bool = True
    """True if a checkers game ends as soon as the endgame tables know its result."""
    called: tuple[str, str] | None = None
    """What A and B are called. Default: their names as players."""

    def __post_init__(self) -> None:
        rules_named(self.game)
        if not isinstance(self.limit, Limit):
            raise wrong_type("limit", "a Limit", self.limit)
        if not self.openings:
            object.__setattr__(self, "openings", DEFAULT[self.game])
        for name in ("margin_ms", "max_plies"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name} must be positive, not {getattr(self, name)}")
        if self.limit.clock_ms is not None:
            raise ValueError("a match has a limit for each move, not a clock for the game")
        for who in (self.a, self.b):
            if player(who).is_human:
                raise NotationError("human", "a match is played by engines; people play with 'outplay play'")

    @property
    def names(self) -> tuple[str, str]:
        """Return the names of A and B."""
        if self.called is not None:
            return self.called
        first, second = (who if isinstance(who, str) else player(who).name for who in (self.a, self.b))
        return first, second

    @property
    def limit_text(self) -> str:
        """Return the limit as text: `100 ms a move`, `depth 6`, `10,000 nodes a move`."""
        parts = {
            "depth": f"depth {self.limit.depth}",
            "nodes": f"{self.limit.nodes:,} nodes a move" if self.limit.nodes else "",
            "time_ms": f"{self.limit.time_ms} ms a move",
        }
        return ", ".join(text for name, text in parts.items() if getattr(self.limit, name) is not None) or "no limit"

    @property
    def terms(self) -> str:
        """Return what two runs must have in common, besides the players, to count as one match."""
        tables = "" if self.tables or self.game != "checkers" else ", no tables"
        return f"{self.openings}, seed {self.seed}, {self.limit_text}, at most {self.max_plies} plies{tables}"
