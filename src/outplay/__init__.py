"""Connect Four and checkers: play, solve, analyse, teach and build.

>>> from outplay import Game, connect4
>>> game = Game(connect4.Position())
>>> for column in "4455667":
...     _ = game.play(column)
>>> game.outcome().reason
<Reason.FOUR_IN_A_ROW: 'four in a row'>
"""

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from outplay import _processor

__path__[:0] = _processor.folders(Path(__file__).parent)  # before the compiled core is imported

from outplay import checkers, connect4, errors
from outplay.engine.types import Analysis, Engine, Limit, Line, Score
from outplay.outcome import Outcome, Reason, Side
from outplay.record import Game, Node
from outplay.rules import RULES, AnyPosition, NoProgress, Rules

if TYPE_CHECKING:
    from outplay.live import LiveGame, Terms
    from outplay.match import Match, play_match
    from outplay.notation import games, read, write
    from outplay.players import Player, best_move, player
    from outplay.tablebase import Tablebase

__version__ = "0.1.0"

_LAZY = {
    **dict.fromkeys(("LiveGame", "Terms"), "outplay.live"),
    **dict.fromkeys(("Match", "play_match"), "outplay.match"),
    **dict.fromkeys(("games", "read", "write"), "outplay.notation"),
    **dict.fromkeys(("Player", "best_move", "player"), "outplay.players"),
    "Tablebase": "outplay.tablebase",
}
"""Names that are loaded when they are first used, so that `import outplay` stays fast."""
_PARTS = ("draw", "explain", "lab", "levels", "live", "match", "notation", "openings", "players", "review", "tablebase")
"""Modules that are imported when they are first used: `outplay.review.review(game)` needs only `import outplay`."""

__all__ = [
    "RULES",
    "Analysis",
    "AnyPosition",
    "Engine",
    "Game",
    "Limit",
    "Line",
    "LiveGame",
    "Match",
    "NoProgress",
    "Node",
    "Outcome",
    "Player",
    "Reason",
    "Rules",
    "Score",
    "Side",
    "Tablebase",
    "Terms",
    "best_move",
    "checkers",
    "connect4",
    "errors",
    "games",
    "play_match",
    "player",
    "read",
    "write",
]


def __getattr__(name: str) -> Any:
    if name in _PARTS:
        return import_module(f"outplay.{name}")
    if name not in _LAZY:
        raise AttributeError(f"module 'outplay' has no attribute {name!r}")
    found = globals()[name] = getattr(import_module(_LAZY[name]), name)
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
