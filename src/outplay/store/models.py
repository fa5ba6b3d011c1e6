"""The database tables. A change here needs a migration in `migrations/versions`; a test compares the two."""

from __future__ import annotations

from datetime import UTC, datetime

from sqlalchemy import JSON, DateTime, Dialect, Index, MetaData, String, Text
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column
from sqlalchemy.types import TypeDecorator

NAMING = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}


class Utc(TypeDecorator[datetime]):
    """A moment in UTC. SQLite drops the time zone, so it is added again on reading."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        return None if value is None else value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


class Base(DeclarativeBase):
    metadata = MetaData(naming_convention=NAMING)


class GameRow(Base):
    """A complete game: `pdn` holds its moves, `terms` the rest."""

    __tablename__ = "games"
    __table_args__ = (
        Index(None, "changed"),
        Index(None, "owner"),
        Index(None, "first_person"),
        Index(None, "second_person"),
        Index(None, "class_code"),
        Index(None, "tournament"),
    )

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    game: Mapped[str] = mapped_column(String(16))
    created: Mapped[datetime] = mapped_column(Utc)
    changed: Mapped[datetime] = mapped_column(Utc)
    version: Mapped[int]
    revision: Mapped[int]
    plies: Mapped[int]
    winner: Mapped[int | None]
    reason: Mapped[str | None] = mapped_column(String(32))
    """Who won, and why the game ended. Both are None during the game; after a draw, only `winner` is None."""
    first: Mapped[str] = mapped_column(String(200))
    second: Mapped[str] = mapped_column(String(200))
    """The names of the players; `first` is the side that moves first."""
    origin: Mapped[str] = mapped_column(String(8), server_default="played")
    """`played` (here) or `imported`."""
    first_name: Mapped[str] = mapped_column(String(100), server_default="")
    second_name: Mapped[str] = mapped_column(String(100), server_default="")
    """The names of the players from the headers of an imported game."""
    event: Mapped[str] = mapped_column(String(100), server_default="")
    date: Mapped[str] = mapped_column(String(10), server_default="")
    """The day it was played, as far as known: 1958-09-14, 1958-09, 1958 or empty."""
    opening: Mapped[str] = mapped_column(String(120), server_default="")
    """The first moves, each between spaces; empty if the game did not start from the usual position."""
    deleted: Mapped[datetime | None] = mapped_column(Utc)
    """When it was deleted. It can be restored for a while."""
    pdn: Mapped[str] = mapped_column(Text)
    terms: Mapped[dict[str, object]] = mapped_column(JSON)
    """The fields of `live.Terms` that have no column, and the moves that redo can bring back."""
    study: Mapped[str] = mapped_column(Text, server_default="")
    """The tree of variations as PDN; empty if there is none. The game itself is in `pdn`."""
    study_version: Mapped[int] = mapped_column(server_default="0")
    checksum: Mapped[str] = mapped_column(String(16), server_default="")
    """The checksum of what was played: see `games.checksum_of`. Empty in rows that are older than the checksums."""
    study_checksum: Mapped[str] = mapped_column(String(16), server_default="")
    """The checksum of `study`."""
    owner: Mapped[str] = mapped_column(String(32), server_default="")
    """The person who made it; empty if the game has no owner yet."""
    first_person: Mapped[str] = mapped_column(String(32), server_default="")
    second_person: Mapped[str] = mapped_column(String(32), server_default="")
    """The people who hold the seats; empty for an engine's seat and for a free seat."""
    class_code: Mapped[str] = mapped_column(String(8), server_default="")
    """The class in which it is played; empty outside a class."""
    class_round: Mapped[int] = mapped_column(server_default="0")
    """The round of the class's tournament, from 1; 0 outside a tournament."""
    tournament: Mapped[str] = mapped_column(String(32), server_default="")
    """The tournament of the arena to which it belongs; empty if it belongs to none."""


class ReviewRow(Base):
    """The last complete review of a game."""

    __tablename__ = "reviews"

    game_id: Mapped[str] = mapped_column(String(32), primary_key=True)
    moves: Mapped[str] = mapped_column(Text)
    """The moves that were judged, as PDN: if the game has other moves now, the review does not apply."""
    review: Mapped[str] = mapped_column(Text)
    """The review as JSON."""
    saved: Mapped[datetime] = mapped_column(Utc)


class PersonRow(Base):
    """A person: a browser, or the devices that share its key."""

    __tablename__ = "people"

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    """The hash of the key."""
    name: Mapped[str] = mapped_column(String(40))
    """The name that the person has chosen."""
    created: Mapped[datetime] = mapped_column(Utc)


class ForgottenRow(Base):
    """A key that was forgotten: no browser may use it again."""

    __tablename__ = "forgotten"

    mark: Mapped[str] = mapped_column(String(32), primary_key=True)
    """A second hash of the key; it is in no other table."""
    at: Mapped[datetime] = mapped_column(Utc)


class ClassRow(Base):
    """A class: pupils who join with a code, and a teacher who pairs them."""

    __tablename__ = "classes"
    __table_args__ = (Index(None, "teacher"),)

    code: Mapped[str] = mapped_column(String(8), primary_key=True)
    teacher: Mapped[str] = mapped_column(String(32))
    """The person who opened the class."""
    title: Mapped[str] = mapped_column(String(60))
    created: Mapped[datetime] = mapped_column(Utc)
    state: Mapped[dict[str, object]] = mapped_column(JSON)
    """Whether it is paused or over, and its tournament: see `classes.ClassState`."""


class PupilRow(Base):
    """A person in a class, with the name that is used there."""

    __tablename__ = "pupils"
    __table_args__ = (Index(None, "person"),)

    code: Mapped[str] = mapped_column(String(8), primary_key=True)
    person: Mapped[str] = mapped_column(String(32), primary_key=True)
    name: Mapped[str] = mapped_column(String(40))
    joined: Mapped[datetime] = mapped_column(Utc)


class ProgressRow(Base):
    """Something that a person has learned or has been told: see `progress`."""

    __tablename__ = "progress"

    person: Mapped[str] = mapped_column(String(32), primary_key=True)
    item: Mapped[str] = mapped_column(String(120), primary_key=True)
    """`lesson:connect4/double-threats`, `ready:connect4:4`, or `here`: the person used a browser on this machine."""
    value: Mapped[dict[str, object]] = mapped_column(JSON)
    changed: Mapped[datetime] = mapped_column(Utc)


class AttemptRow(Base):
    """What happened when a person tried a puzzle."""

    __tablename__ = "attempts"

    person: Mapped[str] = mapped_column(String(32), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    """Counts the attempts of the person, from 1."""
    puzzle: Mapped[str] = mapped_column(String(16))
    kind: Mapped[str] = mapped_column(String(8))
    at: Mapped[datetime] = mapped_column(Utc)


class TournamentRow(Base):
    """A tournament of engines. Its games are rows of `games`."""

    __tablename__ = "tournaments"
    __table_args__ = (Index(None, "owner"),)

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    owner: Mapped[str] = mapped_column(String(32))
    """The person who began it."""
    created: Mapped[datetime] = mapped_column(Utc)
    terms: Mapped[dict[str, object]] = mapped_column(JSON)
    """What is played: see `tournaments.TournamentTerms`."""
    progress: Mapped[dict[str, object]] = mapped_column(JSON)
    """How far it has come: see `tournaments.TournamentProgress`."""
