"""The file of a match: every game is added as it ends, and whoever opens it again finds those that were played.

It is a plain file of games (docs/notation.md). A game is added by one write at the end. If the machine or the program
ends in the middle of that, the rest of a game is left behind, which is cut off when the match goes on.
"""

from __future__ import annotations

import os
from pathlib import Path

from outplay.errors import NotationError, OutplayError
from outplay.match.game import EVENT
from outplay.match.result import Played
from outplay.match.settings import Match
from outplay.notation import games
from outplay.notation.tokens import words
from outplay.record import AnyGame

try:
    import fcntl
except ImportError:  # not on this system: two matches must not share a file
    fcntl = None  # type: ignore[assignment]

_BEGINNING = f'[Event "{EVENT}"]\n'


class GameFile:
    """A file that belongs to this match alone as long as it is open."""

    def __init__(self, path: Path, match: Match) -> None:
        self._path, self._match = path, match
        self._file = path.open("a+b", buffering=0)
        try:
            self._lock()
            self.played = self._read()
        except BaseException:
            self._file.close()  # as it was: it is not ours
            raise

    def add(self, text: str) -> None:
        """Put a game at the end."""
        self._file.write(f"{text}\n".encode())
        os.fsync(self._file.fileno())

    def close(self) -> None:
        """Let go of it; a file without a game is no file."""
        is_empty = os.fstat(self._file.fileno()).st_size == 0
        self._file.close()
        if is_empty:
            self._path.unlink(missing_ok=True)

    def __enter__(self) -> GameFile:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def _lock(self) -> None:
        if fcntl is not None:
            try:
                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise OutplayError(f"{self._path}: another match is writing into it") from None

    def _read(self) -> list[Played]:
        self._file.seek(0)
        content = self._file.read()
        if content and not content.startswith(_BEGINNING.encode()[: len(content)]):
            raise NotationError(self._path.name, "it is not a file of a match; name another one")
        whole = _whole(content)
        found = [self._played(game) for game in games(whole.decode(), name=str(self._path))]
        if len({each.round for each in found}) < len(found):
            raise NotationError(self._path.name, "it has a game of the match twice")
        self._file.truncate(len(whole))
        return found

    def _played(self, game: AnyGame) -> Played:
        """A game of this match; one of another is refused."""
        names = {game.headers.get(side, "") for side in game.rules.sides}
        terms = game.headers.get("Terms", "")
        if names != set(map(words, self._match.names)):
            raise NotationError(self._path.name, f"it is of a match between {' and '.join(sorted(names))}")
        if terms != words(self._match.terms):
            reason = f"it is of a match with other terms: {terms}; now {self._match.terms}"
            raise NotationError(self._path.name, reason)
        return Played.of(game)


def _whole(content: bytes) -> bytes:
    """Up to the end of the last game that is whole: headers and moves are paragraphs, each with an empty line after."""
    paragraphs = content.split(b"\n\n")[:-1]
    del paragraphs[len(paragraphs) // 2 * 2 :]
    return b"".join(paragraph + b"\n\n" for paragraph in paragraphs)


def file_name(match: Match) -> str:
    """What the file of a match is called if nobody says otherwise: `level-5-v-level-4.pdn`."""
    names = ["-".join("".join(c if c.isalnum() else " " for c in name).split()) for name in match.names]
    return f"{names[0][:60]}-v-{names[1][:60]}.pdn"
