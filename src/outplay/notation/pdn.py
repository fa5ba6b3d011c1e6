"""Files of games: PDN for checkers, and the same form with columns for Connect Four.

>>> from outplay.notation import pdn
>>> [entry] = pdn.read('[Black "Ann"] 1. 11-15 23x19 {a plain move} 1-0')
>>> entry.headers["Black"], [str(move) for move in entry.game.moves]
('Ann', ['11-15', '23-19'])
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from os import PathLike, fspath
from pathlib import Path
from typing import Any, BinaryIO, TextIO, cast

from outplay.errors import wrong_type
from outplay.notation.builder import Draft, GameTextError
from outplay.notation.tokens import clean, tokens
from outplay.notation.writer import write
from outplay.record import EitherGame
from outplay.rules import CHECKERS, RULES

__all__ = ["Entry", "GameTextError", "Source", "games", "read", "write"]

Source = str | PathLike[str] | TextIO | BinaryIO
"""Where games are read from: the text itself, a path to a file, or an open file. A `str` is never a path."""

Decode = Callable[[str], str]


@dataclass(frozen=True, slots=True)
class Entry:
    """One game of a file: the `game`, or the `error` that says why it cannot be read."""

    number: int
    """The number of the game in the file, from 1."""
    line: int
    """The line on which it begins, from 1."""
    headers: dict[str, str] = field(default_factory=dict)
    """All of its headers, as written."""
    game: EitherGame | None = None
    error: GameTextError | None = None
    notes: tuple[str, ...] = ()
    """What was unusual but could be read."""


def read(
    source: Source, *, name: str = "", game: str = CHECKERS.name, check: Callable[[], None] | None = None
) -> Iterator[Entry]:
    """Read the games of a source one by one. After one that cannot be read, reading goes on with the next.

    Error messages call the source `name`. `game` applies to games without a GameType header; default: checkers. `check`
    is called for every token; an exception from it ends the reading.
    """
    with _opened(source) as (stream, decode):
        number = 1
        draft: Draft | None = None
        for token in tokens(stream, decode):
            if check is not None:
                check()
            if draft is not None and draft.ends_before(token):
                yield _entry(draft)
                number, draft = number + 1, None
            if draft is None:
                draft = Draft(name or name_of(source), number, token.line, RULES[game])
            draft.take(token)
        if draft is not None and not draft.is_empty:
            yield _entry(draft)


def games(source: Source, *, name: str = "", game: str = CHECKERS.name) -> Iterator[EitherGame]:
    """Read the games of a source; raise GameTextError at the first that cannot be read."""
    for entry in read(source, name=name, game=game):
        if entry.game is None:
            assert entry.error is not None
            raise entry.error
        yield entry.game


def _entry(draft: Draft) -> Entry:
    draft.finish()
    return Entry(draft.number, draft.line, draft.headers, draft.game, draft.error, tuple(draft.notes))


@contextmanager
def _opened(source: Source) -> Iterator[tuple[TextIO, Decode]]:
    """Open the source as text, and say how to decode its lines. A file that was open stays open."""
    if isinstance(source, str):
        yield io.StringIO(source, newline=None), clean
    elif isinstance(source, PathLike):
        with Path(source).open("rb") as file, _bytes_as_text(file) as stream:
            yield stream, _decoded
    elif isinstance(source, io.TextIOBase):
        yield cast(TextIO, source), clean
    elif not hasattr(source, "read"):
        raise wrong_type("source", "text, a path or an open file", source)
    else:
        stream = _bytes_as_text(cast(BinaryIO, source))
        try:
            yield stream, _decoded
        finally:
            if not stream.closed:
                stream.detach()


def _bytes_as_text(file: BinaryIO) -> io.TextIOWrapper:
    """Return the bytes as Latin-1, one character each, so that lines can be found first and decoded afterwards."""
    return io.TextIOWrapper(file, encoding="latin-1", newline=None)


def decoded(data: bytes) -> str:
    """Return a whole file as text; each line is decoded as `read` does it."""
    return "".join(map(_decoded, data.decode("latin-1").splitlines(keepends=True))).removeprefix("\ufeff")


def chained(head: bytes, rest: BinaryIO) -> BinaryIO:
    """Return a file whose first bytes, `head`, have been read already."""
    return cast(BinaryIO, io.BufferedReader(_Chained(head, rest)))


def chained_text(head: str, rest: TextIO) -> TextIO:
    """Return a text file whose first characters, `head`, have been read already."""
    return cast(TextIO, _ChainedText(head, rest))


class _ChainedText(io.TextIOBase):
    def __init__(self, head: str, rest: TextIO) -> None:
        self._head, self._rest = io.StringIO(head), rest

    def readline(self, size: int | None = -1, /) -> str:  # type: ignore[override]
        size = -1 if size is None else size
        line = self._head.readline(size)
        if line.endswith("\n") or len(line) == size:
            return line
        return line + self._rest.readline(size - len(line) if size >= 0 else -1)


class _Chained(io.RawIOBase):
    def __init__(self, head: bytes, rest: BinaryIO) -> None:
        self._head, self._rest = head, rest

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        room = len(buffer)
        found = self._head[:room] or self._rest.read(room)
        self._head = self._head[room:]
        buffer[: len(found)] = found
        return len(found)


def _decoded(line: str) -> str:
    """Decode a line as UTF-8 if possible, otherwise as Latin-1: files edited by several programs mix both."""
    if line.isascii():
        return line
    try:
        return line.encode("latin-1").decode("utf-8")
    except UnicodeDecodeError:
        return line


def name_of(source: Source) -> str:
    if isinstance(source, str):
        return "text"
    if isinstance(source, PathLike):
        return fspath(source)
    name = getattr(source, "name", None)
    return name if isinstance(name, str) else "text"
