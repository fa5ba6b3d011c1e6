"""What a match is: who plays what against whom, from which openings, and how long they may think."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from outplay.engine.types import Limit
from outplay.errors import NotationError
from outplay.match.openings import DEFAULT
from outplay.players import PlayerLike, player
from outplay.rules import RULES
from outplay.work.supervise import GRACE_MS

GameName = Literal["connect4", "checkers"]
USUAL_LIMIT = Limit(time_ms=100)


@dataclass(frozen=True, slots=True)
class Match:
    """Two players, A and B, each a name, a function or an engine (see `players`). Everything is seen from A."""

    a: PlayerLike
    b: PlayerLike
    game: GameName = "checkers"
    openings: str = ""
    """See `match.openings`; if not said, the ones that are usual for the game."""
    limit: Limit = USUAL_LIMIT
    """For each move."""
    seed: int = 1
    """Of the order of the openings and of the players' choices."""
    margin_ms: int = GRACE_MS
    """How far past its time a player may answer before it loses the game."""
    max_plies: int = 400
    """A game that is longer counts as a draw."""
    tables: bool = True
    """Are games of checkers ended when the endgame tables know the outcome?"""

    def __post_init__(self) -> None:
        if self.game not in RULES:
            raise NotationError(self.game, f"the games are {', '.join(RULES)}")
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
        """What A and B are called."""
        first, second = (who if isinstance(who, str) else player(who).name for who in (self.a, self.b))
        return first, second

    @property
    def limit_text(self) -> str:
        """`100 ms a move`, `depth 6`, `10,000 nodes a move`."""
        parts = {
            "depth": f"depth {self.limit.depth}",
            "nodes": f"{self.limit.nodes:,} nodes a move" if self.limit.nodes else "",
            "time_ms": f"{self.limit.time_ms} ms a move",
        }
        return ", ".join(text for name, text in parts.items() if getattr(self.limit, name) is not None) or "no limit"

    @property
    def terms(self) -> str:
        """All that two matches must have in common, besides the players, for their games to be of one match."""
        tables = "" if self.tables or self.game != "checkers" else ", no tables"
        return f"{self.openings}, seed {self.seed}, {self.limit_text}, at most {self.max_plies} plies{tables}"
