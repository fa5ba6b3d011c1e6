"""A saved game as a value: the record of the game and the terms it is played on."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from datetime import datetime
from typing import Any

from sqlalchemy import Row

from outplay.notation import games, write
from outplay.record import Game


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


def values_of(saved: SavedGame, now: datetime) -> dict[str, object]:
    """The columns of a game's row."""
    outcome = saved.game.outcome()
    return {
        "game": saved.game.rules.name,
        "changed": now,
        "version": saved.version,
        "revision": saved.revision,
        "plies": saved.game.ply,
        "winner": None if outcome is None or outcome.winner is None else int(outcome.winner),
        "reason": None if outcome is None else outcome.reason.value,
        "first": saved.seats[0],
        "second": saved.seats[1],
        "pdn": write(saved.game),
        "terms": saved.terms.to_json(),
    }


def saved_from(row: Row[Any]) -> SavedGame:
    game = next(games(row.pdn, name=f"saved game {row.id}"))
    return SavedGame(row.id, game, (row.first, row.second), row.version, row.revision, Terms.from_json(row.terms))


def summary_from(row: Row[Any]) -> Summary:
    return Summary(row.id, row.game, (row.first, row.second), row.plies, row.winner, row.reason, row.changed)
