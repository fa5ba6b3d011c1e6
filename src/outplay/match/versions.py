"""The versions of players that are files: a match counts only those earlier games that the same version played."""

from __future__ import annotations

import hashlib
import shlex
from functools import lru_cache
from pathlib import Path

from outplay.players import PlayerLike
from outplay.record import AnyGame


def version_of(who: PlayerLike) -> str:
    """Return a hash of the files of a bot or a program; empty for other players, or if the files are not here.

    The files of a bot are `first.py` and all that is in the folder `first/` beside it; those of a program are the
    files that its command names.
    """
    files = _files(who) if isinstance(who, str) else []
    if not files:
        return ""
    digests = (f"{path} {_digest(path, *_stamp(path))}" for path in files)
    return hashlib.sha256("\n".join(digests).encode()).hexdigest()[:12]


def is_current(game: AnyGame, versions: dict[str, str]) -> bool:
    """Return True if the players of a game played it with the versions that `versions` gives for their names."""
    sides = {side: versions.get(game.headers.get(side, ""), "") for side in game.rules.sides}
    return all(version in ("", game.headers.get(f"{side}Version", "")) for side, version in sides.items())


def outdated_text(games: int) -> str:
    """Say that earlier games do not count."""
    some = "1 earlier game does" if games == 1 else f"{games:,} earlier games do"
    return f"{some} not count: the file of a player has changed since."


def _files(who: str) -> list[Path]:
    text = who.partition(":")[2] if who.startswith(("guest:", "guest,")) else who
    if text.startswith(("hub:", "cmd:")):
        return [path for word in shlex.split(text[4:]) if (path := Path(word)).is_file()]
    path = Path(text if text.endswith(".py") else text.rpartition(":")[0])
    if path.suffix != ".py" or not path.is_file():
        return []
    beside = sorted(each for each in path.with_suffix("").rglob("*") if "__pycache__" not in each.parts)
    return [path, *(each for each in beside if each.is_file())]


def _stamp(path: Path) -> tuple[int, int]:
    found = path.stat()
    return found.st_mtime_ns, found.st_size


@lru_cache(maxsize=1000)
def _digest(path: Path, changed: int, size: int) -> str:
    """Return the hash of a file; it is read again when it has changed."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
