"""Save a game in progress: after every change, the record and the terms that `live` holds go to the store."""

from __future__ import annotations

from dataclasses import replace

from outplay.errors import OutplayError
from outplay.live import LiveGame
from outplay.store.games import SavedGame, columns_of
from outplay.store.store import Store


class StorageError(OutplayError):
    """The store failed: the disk is full or gone."""


class Keeper:
    """Saves one game, one call at a time. `after` is its last revision in the store; None for a new game."""

    def __init__(self, store: Store, live: LiveGame, *, after: int | None) -> None:
        self._store, self._live, self._revision = store, live, after

    def save(self, about: SavedGame, revision: int) -> None:
        """Save the game, unless this or a newer revision is saved. `about` holds what `live` does not know.

        StorageError if the store fails, ConflictError if another program has changed the game meanwhile.
        """
        if about.is_record or (self._revision is not None and revision <= self._revision):
            return  # a record has variations and comments that a game in progress does not hold
        try:
            with self._live.held() as (game, terms):
                columns = columns_of(replace(about, game=game, terms=terms))
            self._store.write(columns, after=self._revision)
        except OutplayError:
            raise
        except Exception as error:
            said = getattr(error, "orig", None) or error
            raise StorageError(f"the game could not be saved: {said}") from error
        self._revision = terms.revision
