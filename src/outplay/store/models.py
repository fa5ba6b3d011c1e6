"""The tables. A change here needs a migration in `migrations/versions`; a test compares the two."""

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
    """A moment in UTC. SQLite forgets the zone, so it is put back on the way out."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        return None if value is None else value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        return None if value is None else value.replace(tzinfo=UTC)


class Base(DeclarativeBase):
    metadata = MetaData(naming_convention=NAMING)


class GameRow(Base):
    """A game, whole: `pdn` is the game up to now, `terms` everything around the board."""

    __tablename__ = "games"
    __table_args__ = (Index(None, "changed"),)

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    game: Mapped[str] = mapped_column(String(16))
    created: Mapped[datetime] = mapped_column(Utc)
    changed: Mapped[datetime] = mapped_column(Utc)
    version: Mapped[int]
    revision: Mapped[int]
    plies: Mapped[int]
    winner: Mapped[int | None]
    reason: Mapped[str | None] = mapped_column(String(32))
    """Of a finished game; none while it goes on."""
    first: Mapped[str] = mapped_column(String(200))
    second: Mapped[str] = mapped_column(String(200))
    """The players' names."""
    origin: Mapped[str] = mapped_column(String(8), server_default="played")
    """`played` here, or `imported`."""
    first_name: Mapped[str] = mapped_column(String(100), server_default="")
    second_name: Mapped[str] = mapped_column(String(100), server_default="")
    """Who played, where the game's headers say it."""
    event: Mapped[str] = mapped_column(String(100), server_default="")
    date: Mapped[str] = mapped_column(String(10), server_default="")
    """The day it was played as far as it is known: 1958-09-14, 1958-09, 1958 or nothing."""
    opening: Mapped[str] = mapped_column(String(120), server_default="")
    """The first moves, each between spaces; nothing if it did not begin at the usual start."""
    deleted: Mapped[datetime | None] = mapped_column(Utc)
    """When it was thrown away; it is kept for a while, in case that was a mistake."""
    pdn: Mapped[str] = mapped_column(Text)
    terms: Mapped[dict[str, object]] = mapped_column(JSON)
    """The parts of `live.Terms` that have no column, and what redo brings back."""
    study: Mapped[str] = mapped_column(Text, server_default="")
    """The tree of what was looked at besides the game, as PDN; nothing if nobody has. The game itself is `pdn`."""
    study_version: Mapped[int] = mapped_column(server_default="0")
