"""A saved game as a value: the record of the game and the terms it is played on."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from datetime import datetime
from typing import Any

from sqlalchemy import Row

from outplay.notation import games, write
from outplay.record import Game
from outplay.store.headers import date_of, event_of, name_of, opening_of


@dataclass(frozen=True, slots=True)
class Terms:
    """On what terms a game is played, and what else is to be remembered of it besides its moves."""

    seed: int | None = None
    time_ms: int = 2500
    is_paused: bool = False
    is_strict: bool = False
    clock_ms: int | None = None
    """The clock's initial time; None for a game without a clock."""
    increment_ms: int = 0
    left_ms: tuple[int, int] | None = None
    undone: tuple[str, ...] = ()
    """Moves that were taken back and may be played again, in the order of playing."""
    takebacks: tuple[int, ...] = ()
    """By how many plies at a time, oldest first."""
    draw_offer: int | None = None
    rematch: str | None = None
    """The game that followed."""
    is_record: bool = False
    """It was played elsewhere: nothing of it is to be changed here."""
    is_study: bool = False
    """It was not played at all: somebody tried moves on the analysis board. It is a record too."""

    def to_json(self) -> dict[str, object]:
        return {name: value for name, value in asdict(self).items() if value is not None}

    @staticmethod
    def from_json(values: dict[str, Any]) -> Terms:
        """What a later version may have added is left out."""
        known = {field.name for field in fields(Terms)}
        given = {name: value for name, value in values.items() if name in known}
        tuples: dict[str, Any] = {name: tuple(value) for name, value in given.items() if isinstance(value, list)}
        return Terms(**(given | tuples))


@dataclass(frozen=True, slots=True)
class SavedGame:
    """A game at one moment, whole."""

    id: str
    game: Game
    seats: tuple[str, str]
    version: int
    revision: int
    terms: Terms
    date: str = ""
    """The day it was played, as the store has it."""
    study: str = ""
    """The tree of what was looked at besides, as PDN; nothing if nobody has."""
    study_version: int = 0


@dataclass(frozen=True, slots=True)
class Summary:
    """A saved game in a list."""

    id: str
    game: str
    seats: tuple[str, str]
    plies: int
    winner: int | None
    reason: str | None
    changed: datetime
    names: tuple[str, str] = ("", "")
    """Who played, where it is a record."""
    event: str = ""
    date: str = ""
    opening: tuple[str, ...] = ()
    is_imported: bool = False
    is_study: bool = False


def values_of(saved: SavedGame, now: datetime) -> dict[str, object]:
    """The columns of a game's row."""
    game, outcome = saved.game, saved.game.outcome()
    return {
        "game": game.rules.name,
        "changed": now,
        "version": saved.version,
        "revision": saved.revision,
        "plies": game.ply,
        "winner": None if outcome is None or outcome.winner is None else int(outcome.winner),
        "reason": None if outcome is None else outcome.reason.value,
        "first": saved.seats[0],
        "second": saved.seats[1],
        "origin": "imported" if saved.terms.is_record else "played",
        "first_name": name_of(game, 0),
        "second_name": name_of(game, 1),
        "event": event_of(game),
        "date": date_of(game),
        "opening": opening_of(game),
        "pdn": write(game),
        "terms": saved.terms.to_json(),
    }


def saved_from(row: Row[Any]) -> SavedGame:
    game = next(games(row.pdn, name=f"saved game {row.id}"))
    seats = (row.first, row.second)
    terms = Terms.from_json(row.terms)
    return SavedGame(row.id, game, seats, row.version, row.revision, terms, row.date, row.study, row.study_version)


def summary_from(row: Row[Any]) -> Summary:
    return Summary(
        row.id,
        row.game,
        (row.first, row.second),
        row.plies,
        row.winner,
        row.reason,
        row.changed,
        names=(row.first_name, row.second_name),
        event=row.event,
        date=row.date,
        opening=tuple(row.opening.split()),
        is_imported=row.origin == "imported",
        is_study=Terms.from_json(row.terms).is_study,
    )
