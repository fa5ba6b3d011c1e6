"""End a game early: when its result is known, or when it is too long.

An adjudicator is a function of a game that returns a ruling, or None to let the game continue.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

from outplay import checkers
from outplay.match.settings import Match
from outplay.outcome import Side
from outplay.record import AnyGame
from outplay.tablebase import Tablebase, Value, Verdict


@dataclass(frozen=True, slots=True)
class Ruling:
    """How a game was ended: the winner (None: a draw), and the reason."""

    winner: Side | None
    by: str


Adjudicator = Callable[[AnyGame], Ruling | None]


def adjudicators(match: Match) -> tuple[Adjudicator, ...]:
    """Return the adjudicators of a match, in the order in which they are asked."""
    if match.tables and match.game == "checkers":
        return by_tables(_tables().get), by_length(match.max_plies)
    return (by_length(match.max_plies),)


@cache
def _tables() -> Tablebase:
    """Return the tablebase that all games of this process share. Every move uses it, so it is opened only once."""
    return Tablebase.open()


def by_tables(get: Callable[[checkers.Position], Verdict | None]) -> Adjudicator:
    """Return an adjudicator that asks the endgame tables; `get` is the method of a `Tablebase`."""

    def ask(game: AnyGame) -> Ruling | None:
        position: Any = game.position
        known = get(position) if game.rules.name == "checkers" else None
        if known is None:
            return None
        winners = {Value.WIN: position.side, Value.DRAW: None, Value.LOSS: position.side.other}
        return Ruling(winners[known.value], "endgame tables")

    return ask


def by_length(plies: int) -> Adjudicator:
    """Return an adjudicator that declares a draw after `plies` plies, the opening included."""
    return lambda game: Ruling(None, f"{plies} plies") if game.ply >= plies else None


def ruled(game: AnyGame, ruling: Ruling) -> None:
    """End the game as ruled: the loser resigns, or a draw is agreed; a header gives the reason."""
    game.headers["Adjudication"] = ruling.by
    if ruling.winner is None:
        game.agree_draw()
    else:
        game.resign(ruling.winner.other)
