"""Tournaments of engines in the database: what is played, how far it has come, and the games."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any, Literal, cast

from pydantic import TypeAdapter
from sqlalchemy import Connection, Table, delete, insert, select, update

from outplay.store.filters import Filter
from outplay.store.games import SavedGame
from outplay.store.models import GameRow, ReviewRow, TournamentRow
from outplay.store.store import Store

MOST_GAMES = 10_000
_TOURNAMENTS = cast(Table, TournamentRow.__table__)
_GAMES = cast(Table, GameRow.__table__)
_REVIEWS = cast(Table, ReviewRow.__table__)
TournamentStatus = Literal["running", "paused", "stopped", "failed", "done"]
GOING_ON: tuple[TournamentStatus, ...] = ("running", "paused")
"""Tournaments with one of these statuses continue after a restart of the server."""


@dataclass(frozen=True, slots=True)
class TournamentTerms:
    """What is played. The terms do not change after the beginning."""

    game: str
    players: tuple[str, ...]
    """The players, by the names under which the server offers them."""
    names: tuple[str, ...]
    """The names of the players in the tournament; all are different."""
    kind: str
    games: int
    """The number of games that a pair plays each time it meets."""
    time_ms: int
    seed: int


@dataclass(frozen=True, slots=True)
class TournamentProgress:
    """How far a tournament has come. Its games are stored separately."""

    status: TournamentStatus = "running"
    message: str = ""
    """Why the tournament failed."""
    planned: int = 0
    """The number of games in all; 0 before it is known."""
    byes: tuple[int, ...] = ()
    absent: tuple[tuple[int, str], ...] = ()
    """The players that could not start, by their indices, and why."""

    @property
    def goes_on(self) -> bool:
        return self.status in GOING_ON


@dataclass(frozen=True, slots=True)
class SavedTournament:
    """A tournament at one moment."""

    id: str
    owner: str
    terms: TournamentTerms
    progress: TournamentProgress = field(default_factory=TournamentProgress)
    created: datetime = field(default_factory=lambda: datetime.now(UTC))


_TERMS: TypeAdapter[TournamentTerms] = TypeAdapter(TournamentTerms)
_PROGRESS: TypeAdapter[TournamentProgress] = TypeAdapter(TournamentProgress)


def add_tournament(store: Store, new: SavedTournament) -> None:
    """Save a new tournament."""
    row = {
        "id": new.id,
        "owner": new.owner,
        "created": new.created,
        "terms": _TERMS.dump_python(new.terms, mode="json"),
        "progress": _PROGRESS.dump_python(new.progress, mode="json"),
    }
    store.change(lambda connection: connection.execute(insert(_TOURNAMENTS), row))


def load_tournament(store: Store, tournament_id: str) -> SavedTournament | None:
    """Return a tournament, or None if there is none."""
    query = select(_TOURNAMENTS).where(_TOURNAMENTS.c.id == tournament_id)
    with store.reading() as connection:
        row = connection.execute(query).one_or_none()
    return None if row is None else _saved(row)


def tournaments(store: Store) -> list[SavedTournament]:
    """Return all tournaments, newest first."""
    query = select(_TOURNAMENTS).order_by(_TOURNAMENTS.c.created.desc())
    with store.reading() as connection:
        return [_saved(row) for row in connection.execute(query).all()]


def save_progress(store: Store, saved: SavedTournament, progress: TournamentProgress) -> SavedTournament:
    """Save how far a tournament has come, and return the tournament with this progress."""
    values = {"progress": _PROGRESS.dump_python(progress, mode="json")}
    query = update(_TOURNAMENTS).where(_TOURNAMENTS.c.id == saved.id).values(values)
    store.change(lambda connection: connection.execute(query).rowcount)
    return replace(saved, progress=progress)


def games_of(store: Store, tournament_id: str) -> list[SavedGame]:
    """Return the games of a tournament in the order in which they ended."""
    return store.texts(limit=MOST_GAMES, where=Filter(tournament=tournament_id))[::-1]


def delete_tournament(store: Store, tournament_id: str) -> None:
    """Delete a tournament with all its games, permanently."""

    def write(connection: Connection) -> None:
        games = select(_GAMES.c.id).where(_GAMES.c.tournament == tournament_id)
        connection.execute(delete(_REVIEWS).where(_REVIEWS.c.game_id.in_(games)))
        connection.execute(delete(_GAMES).where(_GAMES.c.tournament == tournament_id))
        connection.execute(delete(_TOURNAMENTS).where(_TOURNAMENTS.c.id == tournament_id))

    store.change(write)


def forget_in_tournaments(connection: Connection, person: str) -> None:
    """Delete the tournaments of a person, but not their games: these are deleted with all games of the person."""
    connection.execute(delete(_TOURNAMENTS).where(_TOURNAMENTS.c.owner == person))


def _saved(row: Any) -> SavedTournament:
    terms, progress = _TERMS.validate_python(row.terms), _PROGRESS.validate_python(row.progress)
    return SavedTournament(row.id, row.owner, terms, progress, row.created)
