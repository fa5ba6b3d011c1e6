"""The file of a match or a tournament: each game is appended when it ends. On a restart, its games are read first.

It is a plain file of games (docs/notation.md). A game is appended by one write. If the program or the machine stops
during that write, part of a game is left; it is cut off on the restart.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Generic, Self, TypeVar

from outplay.errors import NotationError, OutplayError
from outplay.match.game import EVENT
from outplay.match.result import Played
from outplay.match.settings import Match
from outplay.match.versions import is_current, version_of
from outplay.notation.pdn import games
from outplay.notation.tokens import words
from outplay.players import PlayerLike
from outplay.record import AnyGame

try:
    import fcntl
except ImportError:  # no file locks on this system, so two matches must not share a file
    fcntl = None  # type: ignore[assignment]

Kept = TypeVar("Kept")
"""The type of a game that was read from the file."""


class EventFile(Generic[Kept]):
    """A file with the games of one event, a match or a tournament. While it is open, nothing else may write to it.

    `read` returns a game in the form that the event keeps, and raises NotationError for a game of another event. `key`
    returns the key that identifies a game. `players` are the event's players, by name. Games that were played before a
    player's file changed stay in the file, but do not count.
    """

    def __init__(
        self,
        path: Path,
        event: str,
        players: Mapping[str, PlayerLike],
        read: Callable[[AnyGame], Kept],
        key: Callable[[Kept], str],
    ) -> None:
        self._path, self._read_game, self._key = path, read, key
        self._versions = {words(name): version_of(who) for name, who in players.items()}
        self.outdated = 0
        """The number of games that do not count, because the file of a player has changed."""
        self._beginning, self._what = f'[Event "{event}"]\n', event.rpartition(" ")[2]
        self._file = path.open("a+b", buffering=0)
        try:
            self._lock()
            self.played = self._read()
        except BaseException:
            self._file.close()  # unchanged: it belongs to something else
            raise

    def add(self, text: str) -> None:
        """Append a game."""
        self._file.write(f"{text}\n".encode())
        os.fsync(self._file.fileno())

    def close(self) -> None:
        """Close the file, and remove it if it has no game."""
        is_empty = os.fstat(self._file.fileno()).st_size == 0
        self._file.close()
        if is_empty:
            self._path.unlink(missing_ok=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def _lock(self) -> None:
        if fcntl is not None:
            try:
                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise OutplayError(f"{self._path}: another {self._what} is writing to this file") from None

    def _read(self) -> list[Kept]:
        self._file.seek(0)
        content = self._file.read()
        if content and not content.startswith(self._beginning.encode()[: len(content)]):
            raise NotationError(self._path.name, f"this is not the file of a {self._what}; name another file")
        whole = _whole(content)
        read = [(game, self._read_game(game)) for game in games(whole.decode(), name=str(self._path))]
        found = [kept for game, kept in read if is_current(game, self._versions)]
        self.outdated = len(read) - len(found)
        if len(set(map(self._key, found))) < len(found):
            raise NotationError(self._path.name, f"one game of the {self._what} is in the file twice")
        self._file.truncate(len(whole))
        return found


class GameFile(EventFile[Played]):
    """The file of a match."""

    def __init__(self, path: Path, match: Match) -> None:
        self._match = match
        players = dict(zip(match.names, (match.a, match.b), strict=True))
        super().__init__(path, EVENT, players, self._played, lambda played: played.round)

    def _played(self, game: AnyGame) -> Played:
        """Return a game of this match; raise NotationError for one of another match."""
        names = {game.headers.get(side, "") for side in game.rules.sides}
        terms = game.headers.get("Terms", "")
        if game.rules.name != self._match.game:
            raise NotationError(self._path.name, f"it belongs to a match of {game.rules.title}")
        if names != set(map(words, self._match.names)):
            raise NotationError(self._path.name, f"it belongs to a match between {' and '.join(sorted(names))}")
        if terms != words(self._match.terms):
            reason = f"it belongs to a match with other terms: {terms}; the terms now are {self._match.terms}"
            raise NotationError(self._path.name, reason)
        return Played.of(game)


def _whole(content: bytes) -> bytes:
    """Return the content up to the end of the last complete game.

    Headers and moves are paragraphs, each followed by an empty line.
    """
    paragraphs = content.split(b"\n\n")[:-1]
    del paragraphs[len(paragraphs) // 2 * 2 :]
    return b"".join(paragraph + b"\n\n" for paragraph in paragraphs)


def file_name(match: Match) -> str:
    """Return the default name of the file of a match: `checkers-level-5-v-level-4.pdn`."""
    names = ["-".join("".join(c if c.isalnum() else " " for c in name).split()) for name in match.names]
    return f"{match.game}-{names[0][:60]}-v-{names[1][:60]}.pdn"
