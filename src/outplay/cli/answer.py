"""How commands give their answers: JSON, text that fits the terminal, and files that are whole or not there."""

from __future__ import annotations

import errno
import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO

import typer

from outplay.draw import checkers_text, connect4_text
from outplay.rules import Position, rules_of


def as_json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def say_json(value: Any) -> None:
    typer.echo(as_json(value))


def board(position: Any, *, ascii: bool = False) -> str:  # noqa: A002
    """The board as text, in ASCII if it is wanted or if the output can take nothing else."""
    ascii = ascii or not _takes("·○●")  # noqa: A001
    if rules_of(position).name == "connect4":
        return connect4_text(position.rows(first=1), ascii=ascii)
    return checkers_text(position.pieces(), ascii=ascii, numbers=True)


def _takes(text: str) -> bool:
    try:
        text.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        return False
    return True


def sentence(position: Position) -> str:
    """Whose move it is and what can be played, or how the game ended."""
    rules, outcome = rules_of(position), position.outcome()
    if outcome is not None:
        return f"{'Nobody' if outcome.winner is None else rules.side_name(outcome.winner)} wins: {outcome.reason}."
    moves = " ".join(position.format(move) for move in position.legal_moves())
    return f"{rules.side_name(position.side)} to move: {moves}"


@contextmanager
def whole_file(path: Path) -> Iterator[TextIO]:
    """A text file that appears at `path` when all is written, and replaces what was there; after an error, nothing."""
    path = path.resolve()
    if path.exists() and not path.is_file():  # a device, a pipe: nothing that could be replaced
        with path.open("w", encoding="utf-8", newline="\n") as file:
            yield file
        return
    if not path.parent.is_dir():
        raise FileNotFoundError(errno.ENOENT, "the folder of this file does not exist", str(path))
    beside = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with beside.open("x", encoding="utf-8", newline="\n") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)
