"""Connect Four and checkers: play, solve, analyse, teach and build.

>>> from outplay import Game, connect4
>>> game = Game(connect4.Position())
>>> for column in "4455667":
...     _ = game.play(column)
>>> game.outcome().reason
<Reason.FOUR_IN_A_ROW: 'four in a row'>
"""

from outplay import checkers, connect4, errors
from outplay.engine.types import Analysis, Engine, Limit, Line, Score
from outplay.outcome import Outcome, Reason, Side
from outplay.record import Game
from outplay.rules import RULES, NoProgress, Position, Rules

__version__ = "0.1.0"

__all__ = [
    "RULES",
    "Analysis",
    "Engine",
    "Game",
    "Limit",
    "Line",
    "NoProgress",
    "Outcome",
    "Position",
    "Reason",
    "Rules",
    "Score",
    "Side",
    "checkers",
    "connect4",
    "errors",
]
