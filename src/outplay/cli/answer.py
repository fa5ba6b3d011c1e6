"""How commands answer: as JSON, as text that the terminal can show, and in files that appear only when complete."""

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


def help_if_alone(context: typer.Context) -> None:
    """Print the help of a command group if none of its commands was given."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


def board(position: Any, *, ascii: bool = False) -> str:  # noqa: A002
    """Return the board as text; in ASCII with `ascii`, or if the output can show nothing else."""
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


def styled(text: str, colour: str, *, bold: bool = False) -> str:
    """Return the text in a colour, for `typer.echo`, which removes colours in a pipe; plain if NO_COLOR is set."""
    return text if os.environ.get("NO_COLOR") else typer.style(text, fg=colour, bold=bold)


def sentence(position: Position) -> str:
    """Say whose move it is and what can be played, or how the game ended."""
    rules, outcome = rules_of(position), position.outcome()
    if outcome is not None:
        result = "A draw" if outcome.winner is None else f"{rules.side_name(outcome.winner)} wins"
        return f"{result}: {outcome.reason}."
    moves = " ".join(position.format(move) for move in position.legal_moves())
    return f"{rules.side_name(position.side)} to move: {moves}"


@contextmanager
def whole_file(path: Path) -> Iterator[TextIO]:
    """Open a text file that replaces `path` only when all of it is written; after an error, the old file remains."""
    path = path.resolve()
    if path.exists() and not path.is_file():  # a device or a pipe cannot be replaced
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
