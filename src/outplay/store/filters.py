"""Which games of the library are wanted."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from sqlalchemy import ColumnElement, Table, func, or_

OutcomeKind = Literal["first", "second", "draw", "over", "unfinished"]


@dataclass(frozen=True, slots=True)
class Filter:
    """What a game must fit: whatever is None or empty does not matter."""

    game: str | None = None
    player: str = ""
    """A part of a name, of either side."""
    players: tuple[str, ...] = ()
    """Players of ours who go by that name too."""
    outcome: OutcomeKind | None = None
    since: str = ""
    until: str = ""
    """Days, months or years, both included; games whose day is not known fit only if none is asked for."""
    opening: str = ""
    """The first moves, as they are written: `4453`, `11-15 23-19`."""
    ids: tuple[str, ...] = ()

    def conditions(self, games: Table) -> list[ColumnElement[bool]]:
        """As the database understands it."""
        columns = games.c
        found: list[ColumnElement[bool]] = [columns.deleted.is_(None)]
        found.append(or_(columns.plies > 0, columns.origin == "imported"))
        if self.game is not None:
            found.append(columns.game == self.game)
        if self.player:
            found.append(or_(*self._named(games)))
        if self.outcome is not None:
            found += self._ended(games)
        if self.since:
            found.append(columns.date >= self.since)
        if self.until:
            found += [columns.date != "", columns.date < self.until + "~"]  # a year has all its days
        if self.opening:
            found.append(columns.opening.startswith(opening_text(self.opening), autoescape=True))
        if self.ids:
            found.append(columns.id.in_(self.ids))
        return found

    def _named(self, games: Table) -> list[ColumnElement[bool]]:
        part = self.player.lower()
        names = (games.c.first_name, games.c.second_name)
        seats = (games.c.first, games.c.second)
        return [
            *(func.lower(name).contains(part, autoescape=True) for name in names),
            *(seat.in_(self.players) for seat in seats),
        ]

    def _ended(self, games: Table) -> list[ColumnElement[bool]]:
        reason, winner = games.c.reason, games.c.winner
        match self.outcome:
            case "first":
                return [winner == 0]
            case "second":
                return [winner == 1]
            case "draw":
                return [reason.is_not(None), winner.is_(None)]
            case "over":
                return [reason.is_not(None)]
        return [reason.is_(None)]


def opening_text(text: str) -> str:
    """The first moves as a row of the table has them. Columns may be written without anything between."""
    words = re.sub(r"\b\d+\.+", " ", text).replace(",", " ").split()
    moves = [move for word in words for move in ([word] if "-" in word or "x" in word else word)]
    return f" {' '.join(moves)} "
