"""Saved games as values: the moves, the terms (players, times, clocks), and what the library adds."""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import blake2b
from typing import Any

from sqlalchemy import Row

from outplay.errors import NotationError
from outplay.live import DEFAULT_TIME_MS, ClockSetting, Terms
from outplay.notation import write
from outplay.notation.headers import date_of, event_of, name_of
from outplay.notation.pdn import games
from outplay.outcome import Side
from outplay.players import Player, player
from outplay.record import AnyGame

LETTERS = "abcdefghijkmnpqrstuvwxyz23456789"
"""The characters of game ids: no two look alike."""
RECORD = Terms(is_strict=True)
"""The terms of a game that was played elsewhere or by others."""
LISTED_PLIES = 16
"""The number of opening moves that a search can match."""


@dataclass(frozen=True, slots=True)
class SavedGame:
    """A complete game at one moment."""

    id: str
    game: AnyGame
    terms: Terms = field(default_factory=Terms)
    rematch: str | None = None
    """The id of the rematch."""
    rematch_by: Side | None = None
    """The side that asked for the rematch."""
    is_record: bool = False
    """True if it was played elsewhere and imported; then it cannot be changed here."""
    is_study: bool = False
    """True if its moves were only tried on the analysis board, not played. Then `is_record` is true too."""
    date: str = ""
    """The day it was played, as the database stores it."""
    study: str = ""
    """The tree of variations as PDN; empty if there is none."""
    study_version: int = 0
    owner: str = ""
    """The id of the person who made it."""
    people: tuple[str, str] = ("", "")
    """The ids of the people who hold the seats."""
    invitation: str = ""
    """The secret in the link with which a person takes the free seat; empty if no seat is free."""
    class_code: str = ""
    class_round: int = 0
    """The class in which it is played, and the round of its tournament."""
    tournament: str = ""
    """The id of the tournament of engines to which it belongs."""

    @property
    def seats(self) -> tuple[str, str]:
        """Return the names of the players."""
        first, second = self.terms.seats
        return first.name, second.name

    def sides_of(self, person: str) -> tuple[Side, ...]:
        """Return the sides that a person plays."""
        return tuple(side for side in Side if person and self.people[side] == person)

    def is_of(self, person: str) -> bool:
        """Return True if a person made the game or plays in it."""
        return bool(person) and person in (self.owner, *self.people)

    def others(self, person: str) -> list[str]:
        """Return the other people who made the game or play in it."""
        return [other for other in (self.owner, *self.people) if other not in ("", person)]


@dataclass(frozen=True, slots=True)
class Summary:
    """A saved game as an entry of a list."""

    id: str
    game: str
    seats: tuple[str, str]
    plies: int
    winner: int | None
    reason: str | None
    changed: datetime
    names: tuple[str, str] = ("", "")
    """The names of the players, if the game is an imported record."""
    event: str = ""
    date: str = ""
    opening: tuple[str, ...] = ()
    is_imported: bool = False
    is_study: bool = False
    people: tuple[str, str] = ("", "")
    """The ids of the people who hold the seats."""
    class_code: str = ""
    class_round: int = 0
    owner: str = ""


Columns = dict[str, object]


def new_id() -> str:
    """Return an id for a new game."""
    return "".join(secrets.choice(LETTERS) for _ in range(10))


def columns_of(saved: SavedGame) -> Columns:
    """Return a game's database row, without the times at which it was saved."""
    game, outcome = saved.game, saved.game.outcome()
    first, second = saved.seats
    columns: Columns = {
        "id": saved.id,
        "game": game.rules.name,
        "version": saved.terms.version,
        "revision": saved.terms.revision,
        "plies": game.ply,
        "winner": None if outcome is None or outcome.winner is None else int(outcome.winner),
        "reason": None if outcome is None else outcome.reason.value,
        "first": first,
        "second": second,
        "origin": "imported" if saved.is_record else "played",
        "first_name": name_of(game, 0),
        "second_name": name_of(game, 1),
        "event": event_of(game),
        "date": date_of(game),
        "opening": opening_of(game),
        "pdn": write(game),
        "terms": _terms_json(saved),
        "owner": saved.owner,
        "first_person": saved.people[0],
        "second_person": saved.people[1],
        "class_code": saved.class_code,
        "class_round": saved.class_round,
        "tournament": saved.tournament,
    }
    return {**columns, "checksum": checksum_of(columns)}


CHECKED = (
    "id",
    "game",
    "version",
    "revision",
    "plies",
    "winner",
    "reason",
    "first",
    "second",
    "origin",
    "pdn",
    "terms",
)
"""The columns that the checksum covers: what was played, and under which terms."""


def checksum_of(columns: Mapping[str, object]) -> str:
    """Return the checksum of a row."""
    return text_checksum(json.dumps([columns[name] for name in CHECKED], sort_keys=True))


def text_checksum(text: str) -> str:
    return blake2b(text.encode(errors="surrogatepass"), digest_size=8).hexdigest()


def damage_in(row: Row[Any]) -> str | None:
    """Return what is wrong with a row; None if the row is as it was written."""
    if row.checksum and row.checksum != checksum_of(dict(row._mapping)):
        return "its checksum does not match"
    if row.study_checksum and row.study_checksum != text_checksum(row.study):
        return "the checksum of its variations does not match"
    return None


def _terms_json(saved: SavedGame) -> dict[str, object]:
    """Return the fields that have no column of their own."""
    terms, clock = saved.terms, saved.terms.clock
    values: dict[str, object] = {
        "seed": terms.seed,
        "time_ms": terms.time_ms,
        "is_paused": terms.is_paused,
        "is_strict": terms.is_strict,
        "clock_ms": None if clock is None else clock.initial_ms,
        "increment_ms": 0 if clock is None else clock.increment_ms,
        "left_ms": terms.left_ms,
        "undone": _undone_texts(saved.game),
        "takebacks": terms.takebacks,
        "has_new_players": terms.has_new_players or None,
        "draw_offer": None if terms.draw_offer is None else int(terms.draw_offer),
        "takeback_offer": None if terms.takeback_offer is None else int(terms.takeback_offer),
        "invitation": saved.invitation or None,
        "rematch": saved.rematch,
        "rematch_by": None if saved.rematch_by is None else int(saved.rematch_by),
        "is_record": saved.is_record,
        "is_study": saved.is_study,
    }
    return {name: value for name, value in values.items() if value is not None or name == "time_ms"}


def _undone_texts(game: AnyGame) -> list[str]:
    position, texts = game.position, []
    for move in game.undone:
        texts.append(position.format(move))
        position = position.play(move)
    return texts


def _take_back_again(game: AnyGame, undone: Sequence[str]) -> None:
    """Let redo bring back the moves in `undone`. The game may have ended after they were taken back."""
    ending, game.current.ending = game.current.ending, None
    for text in undone:
        game.play(text)
    for _ in undone:
        game.undo(keep=False)
    game.current.ending = ending


def saved_from(row: Row[Any]) -> SavedGame:
    game = next(games(row.pdn, name=f"saved game {row.id}"))
    values: dict[str, Any] = row.terms
    _take_back_again(game, values.get("undone", ()))
    return SavedGame(
        row.id,
        game,
        _terms_from(row, values),
        rematch=values.get("rematch"),
        rematch_by=None if values.get("rematch_by") is None else Side(values["rematch_by"]),
        is_record=values.get("is_record", False),
        is_study=values.get("is_study", False),
        date=row.date,
        study=row.study,
        study_version=row.study_version,
        owner=row.owner,
        people=(row.first_person, row.second_person),
        invitation=values.get("invitation", ""),
        class_code=row.class_code,
        class_round=row.class_round,
        tournament=row.tournament,
    )


def _terms_from(row: Row[Any], values: dict[str, Any]) -> Terms:
    clock_ms, left_ms, offer = values.get("clock_ms"), values.get("left_ms"), values.get("draw_offer")
    takeback = values.get("takeback_offer")
    terms = Terms(
        time_ms=values.get("time_ms", DEFAULT_TIME_MS),
        clock=None if clock_ms is None else ClockSetting(clock_ms, values.get("increment_ms", 0)),
        is_strict=values.get("is_strict", False),
        is_paused=values.get("is_paused", False),
        seed=values.get("seed"),
        version=row.version,
        revision=row.revision,
        left_ms=None if left_ms is None else (left_ms[0], left_ms[1]),
        takebacks=tuple(values.get("takebacks", ())),
        has_new_players=values.get("has_new_players", False),
        draw_offer=None if offer is None else Side(offer),
        takeback_offer=None if takeback is None else Side(takeback),
    )
    first, second = _player(row.first, terms.seat_seed(Side.FIRST)), _player(row.second, terms.seat_seed(Side.SECOND))
    return terms.with_seats(first=first, second=second)


def _player(name: str, seed: int | None) -> Player:
    """Return the player of a seat. An unknown name gives a human with that name."""
    try:
        return player(name, seed=seed)
    except NotationError:
        return Player(name, name, "human")


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
        is_study=bool(row.terms.get("is_study", False)),
        people=(row.first_person, row.second_person),
        class_code=row.class_code,
        class_round=row.class_round,
        owner=row.owner,
    )


def opening_of(game: AnyGame) -> str:
    """Return the first moves, with a space around each; empty if the game did not start from the usual position."""
    start = game.start
    is_usual = start == game.rules.start()
    texts = [node.text for node in game.main_line()[:LISTED_PLIES]] if is_usual else []
    return f" {' '.join(texts)} "[:120] if texts else ""
