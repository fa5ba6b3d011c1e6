"""Saved games: each is one row of a database and is saved after every move. The default database is SQLite."""

from outplay.extras import require

require("app", "sqlalchemy", "alembic", "pydantic")

from outplay.store.filters import Filter
from outplay.store.games import SavedGame, Summary
from outplay.store.lease import HeldByOtherError
from outplay.store.open import StoreError, open_store
from outplay.store.outage import UnavailableError
from outplay.store.store import ConflictError, DamagedGameError, ReadOnlyError, Store
from outplay.store.writer import ClosedStoreError

__all__ = [
    "ClosedStoreError",
    "ConflictError",
    "DamagedGameError",
    "Filter",
    "HeldByOtherError",
    "ReadOnlyError",
    "SavedGame",
    "Store",
    "StoreError",
    "Summary",
    "UnavailableError",
    "open_store",
]
