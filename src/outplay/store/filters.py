"""Filters for the list of saved games."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from sqlalchemy import ColumnElement, Table, func, or_

OutcomeKind = Literal["first", "second", "draw", "over", "unfinished"]


@dataclass(frozen=True, slots=True)
class Filter:
    """What a saved game must match. A field that is None or empty is ignored."""

    game: str | None = None
    player: str = ""
    """A part of the name of one of the players."""
    players: tuple[str, ...] = ()
    """The names of the players of outplay that the text in `player` means: see `live.catalogue.players_called`."""
    people: tuple[str, ...] = ()
    """The ids of the people whose name contains the text in `player`."""
    outcome: OutcomeKind | None = None
    since: str = ""
    until: str = ""
    """First and last day, month or year, both included. With either of them, games without a date do not match."""
    opening: str = ""
    """The first moves, as they are written: `4453`, `11-15 23-19`."""
    ids: tuple[str, ...] = ()
    class_code: str | None = None
    """The games of this class, including games without a move."""
    played_by: str | None = None
    """The games in which this person holds a seat."""
    class_codes: tuple[str, ...] | None = None
    """The games of these classes."""
    tournament: str = ""
    """The games of this tournament of engines. Default: games that belong to no tournament."""
    person: str | None = None
    """The games that this person made or plays in, and those without an owner. Default: the games of all people."""
    is_played: bool = False
    """Only games that were played here, no imported ones."""

    def conditions(self, games: Table) -> list[ColumnElement[bool]]:
        """Return the filter as database conditions."""
        columns = games.c
        # Nearly all games are of no tournament: through an index on that, SQLite would read them all for every list.
        tournament = columns.tournament if self.tournament else func.coalesce(columns.tournament, "")
        found: list[ColumnElement[bool]] = [columns.deleted.is_(None), tournament == self.tournament]
        if self.class_code is not None:
            found.append(columns.class_code == self.class_code)
        else:
            found.append(or_(columns.plies > 0, columns.origin == "imported"))
        if self.class_codes is not None:
            found.append(columns.class_code.in_(self.class_codes))
        if self.game is not None:
            found.append(columns.game == self.game)
        if self.player:
            found.append(or_(*self._named(games)))
        if self.outcome is not None:
            found += self._ended(games)
        if self.since:
            found.append(columns.date >= self.since)
        if self.until:
            found += [columns.date != "", columns.date < self.until + "~"]  # "~" sorts after every day of a year
        if self.opening:
            found.append(columns.opening.startswith(opening_text(self.opening), autoescape=True))
        if self.person is not None:
            found.append(or_(columns.owner.in_((self.person, "")), *(seat == self.person for seat in seats_of(games))))
        if self.played_by is not None:
            found.append(or_(*(seat == self.played_by for seat in seats_of(games))))
        if self.is_played:
            found.append(columns.origin == "played")
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
            *(holder.in_(self.people) for holder in seats_of(games)),
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


def seats_of(games: Table) -> list[ColumnElement[str]]:
    """Return the database columns with the ids of the people who hold the seats."""
    return [games.c.first_person, games.c.second_person]


def opening_text(text: str) -> str:
    """Return the first moves as the database stores them. Columns may be written without spaces."""
    words = re.sub(r"\b\d+\.+", " ", text).replace(",", " ").split()
    moves = [move for word in words for move in ([word] if "-" in word or "x" in word else word)]
    return f" {' '.join(moves)} "
