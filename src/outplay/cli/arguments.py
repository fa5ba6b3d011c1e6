"""Arguments and options that several commands share."""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal

import typer

from outplay.errors import IllegalPositionError, NotationError
from outplay.notation import read_size
from outplay.notation.any import read_one
from outplay.notation.pdn import decoded
from outplay.notation.positions import CHECKERS_FEN
from outplay.notation.tokens import clean
from outplay.rules import RULES, rules_of

MOST_BYTES = 1_000_000
"""The most bytes that a position on standard input may have."""
_QUOTES = "put quotes around a position with spaces"

GameName = Annotated[Literal["connect4", "checkers"], typer.Argument(metavar="GAME", help="connect4 or checkers.")]
_POSITION = "start, moves (4453, '11-15 22-18'), a FEN, rows, a game or a link; - reads the text from standard input."
PositionText = Annotated[str, typer.Argument(metavar="POSITION", help=_POSITION)]
GivenGame = Annotated[
    str | None,
    typer.Argument(metavar="GAME", help="connect4 or checkers. Default: guessed from the position."),
]
GivenPosition = Annotated[
    str | None,
    typer.Argument(metavar="POSITION", help=f"{_POSITION} Default: start."),
]
PositionOption = Annotated[
    str,
    typer.Option("--position", metavar="POSITION", help="Position to begin with, written as for 'outplay show'."),
]
Json = Annotated[bool, typer.Option("--json", help="Answer in JSON. Default: text.")]


def _checked_size(text: str | None) -> str | None:
    try:
        if text is not None:
            read_size(text)
    except NotationError as error:
        raise typer.BadParameter(error.reason) from error
    return text


Size = Annotated[
    str | None,
    typer.Option(
        "--size", metavar="WIDTHxHEIGHT", callback=_checked_size, help="Size of the Connect Four board. Default: 7x6."
    ),
]


def read_position(game: str, text: str, size: str | None) -> Any:
    """Return the position that a text names: a `connect4.Position` or a `checkers.Position`."""
    check_size(game, size)
    return position_of(game, typed_or_piped(text), None if size is None else read_size(size))


def position_of(game: str, text: str, size: tuple[int, int] | None) -> Any:
    """Return the position on a board of this size; None means 7 x 6, or the size that the text has."""
    if _is_simple(game, text, size):
        return RULES[game].read(text, size)
    return _of_size(read_one(_checked_text(text), game, size).game.position, size)


def read_given(game: str | None, text: str | None, size: str | None) -> tuple[str, Any]:
    """Return the game and the position of the arguments `[GAME] [POSITION]`; say so if the game is a guess."""
    if game in RULES:
        return game, read_position(game, "start" if text is None else text, size)
    if text is not None:
        raise typer.BadParameter(f"must be connect4 or checkers, not {game!r}; {_QUOTES}", param_hint="GAME")
    if not game:
        raise typer.BadParameter("give a game, a position, or both")
    pasted, wanted = typed_or_piped(game), None if size is None else read_size(size)
    try:
        found = read_one(_checked_text(pasted), None, wanted)
    except NotationError as error:
        if not re.fullmatch(r"\w+", pasted):
            raise
        raise typer.BadParameter(f"{pasted!r} is neither a game nor a position") from error
    check_size(found.game.rules.name, size)
    if found.is_guess:
        say_guess(found.what)
    return found.game.rules.name, _of_size(found.game.position, wanted)


def typed_or_piped(text: str) -> str:
    """Return the text of an argument; if it is -, the text on standard input."""
    if text != "-":
        return text
    piped = decoded(typer.get_binary_stream("stdin").read(MOST_BYTES + 1))
    if len(piped) > MOST_BYTES:
        raise NotationError("-", f"standard input has more than {MOST_BYTES:,} bytes")
    if not piped.strip():
        raise NotationError("-", "standard input is empty")
    return piped


def check_size(game: str | None, size: str | None) -> None:
    if game == "checkers" and size is not None:
        raise typer.BadParameter("is for Connect Four; checkers has a board of 8 x 8", param_hint="--size")


def say_guess(what: str) -> None:
    """Say on standard error how a text was read."""
    typer.echo(f"outplay: read as {what}", err=True)


def _checked_text(text: str) -> str:
    if clean(text) != text:  # bytes that the terminal could not decode
        raise NotationError(clean(text), "this is not Unicode text")
    return text


def _is_simple(game: str, text: str, size: tuple[int, int] | None) -> bool:
    """Return whether the text is the start, a FEN or only columns: quick to read, with errors that name the move."""
    text = text.strip()
    if text in ("", "start"):
        return True
    if game == "checkers":
        return CHECKERS_FEN.fullmatch(text) is not None
    if re.fullmatch(r"[.12/]*/[.12/]*", text):
        return True
    is_wide = size is not None and size[0] > 9
    return text.isascii() and (text.isdecimal() or (is_wide and text.isalnum()))


def _of_size(position: Any, size: tuple[int, int] | None) -> Any:
    rules = rules_of(position)
    found = rules.size(position)
    if size is not None and size != found:
        raise IllegalPositionError([f"the board is {found[0]} x {found[1]}, not {size[0]} x {size[1]}"])
    return position
