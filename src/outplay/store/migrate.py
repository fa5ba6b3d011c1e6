"""Bring the database tables up to date. The migrations of `migrations/versions` run when the store is opened.

After a change of `models`, `write_next("0002", "what has changed")` writes the next migration; check it by hand.
"""

from __future__ import annotations

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Engine, create_engine

MIGRATIONS = Path(__file__).parent / "migrations"
MIGRATION_KEY = 0x6F757471
"""The number of the advisory lock under which PostgreSQL's tables are migrated."""


def configuration(connection: Connection | None = None) -> Config:
    """Return Alembic's configuration, without a configuration file."""
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    return config


def migrate(engine: Engine) -> None:
    """Apply the missing migrations, all or none. Two servers that start together take turns."""
    with engine.connect() as connection:
        if engine.dialect.name == "sqlite":
            connection.exec_driver_sql("BEGIN IMMEDIATE")
        elif engine.dialect.name == "postgresql":
            connection.exec_driver_sql("SET LOCAL lock_timeout = 0")  # another server may have much to migrate
            connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({MIGRATION_KEY})")
        command.upgrade(configuration(connection), "head")
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = version_num")  # fails if read-only
        connection.commit()


def is_up_to_date(engine: Engine) -> bool:
    """Return whether a database has all our migrations and no others. The database is only read."""
    head = ScriptDirectory.from_config(configuration()).get_current_head()
    with engine.connect() as connection:
        return MigrationContext.configure(connection).get_current_revision() == head


def write_next(number: str, message: str) -> None:
    """Write the migration from the newest version to the current models."""
    engine = create_engine("sqlite://")
    with engine.connect() as connection:
        config = configuration(connection)
        command.upgrade(config, "head")
        command.revision(config, message, autogenerate=True, rev_id=number)
    engine.dispose()
