"""Arguments and options that several commands share."""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal

import typer

from outplay.errors import IllegalPositionError, NotationError
from outplay.notation import read_size
from outplay.notation.any import read_one
from outplay.notation.positions import CHECKERS_FEN
from outplay.notation.tokens import clean
from outplay.rules import RULES, rules_of

GameName = Annotated[Literal["connect4", "checkers"], typer.Argument(metavar="GAME", help="connect4 or checkers")]
PositionText = Annotated[
    str,
    typer.Argument(metavar="POSITION", help="'start', moves (4453, '11-15 22-18'), a FEN, rows, a game or a link"),
]
Given = Annotated[
    list[str],
    typer.Argument(
        metavar="[GAME] [POSITION]",
        help="connect4 or checkers (default: guessed from the position), then 'start' (default), moves "
        "(4453, '11-15 22-18'), a FEN, rows, a game or a link",
    ),
]
PositionOption = Annotated[
    str,
    typer.Option("--position", metavar="POSITION", help="Begin here: whatever 'outplay show' takes. Default: start."),
]
Json = Annotated[bool, typer.Option("--json", help="Answer in JSON.")]


def _checked_size(text: str | None) -> str | None:
    try:
        if text is not None:
            read_size(text)
    except NotationError as error:
        raise typer.BadParameter(error.reason) from error
    return text


Size = Annotated[
    str | None,
    typer.Option("--size", metavar="WIDTHxHEIGHT", callback=_checked_size, help="Board of Connect Four. Default: 7x6."),
]


def read_position(game: str, text: str, size: str | None) -> Any:
    """Return the position that a text names: a `connect4.Position` or a `checkers.Position`."""
    return position_of(game, text, None if size is None else read_size(size))


def position_of(game: str, text: str, size: tuple[int, int] | None) -> Any:
    """Return the position on a board of this size; None means 7 x 6, or the size that the text has."""
    if _is_simple(game, text, size):
        return RULES[game].read(text, size)
    return _of_size(read_one(_checked_text(text), game, size).game.position, size)


def read_given(given: list[str], size: str | None) -> tuple[str, Any]:
    """Return the game and the position of the arguments `[GAME] [POSITION]`; say so if the game is a guess."""
    if given[0] in RULES:
        if len(given) > 2:
            raise typer.BadParameter("give a game and a position; quote a position with spaces", param_hint="POSITION")
        return given[0], read_position(given[0], given[1] if len(given) == 2 else "start", size)
    if len(given) > 1:
        raise typer.BadParameter(f"the first of {len(given)} arguments is connect4 or checkers, not {given[0]!r}")
    wanted = None if size is None else read_size(size)
    try:
        found = read_one(_checked_text(given[0]), None, wanted)
    except NotationError as error:
        if not re.fullmatch(r"\w+", given[0]):
            raise
        raise typer.BadParameter(f"{given[0]!r} is neither a game nor a position") from error
    if found.is_guess:
        say_guess(found.what)
    return found.game.rules.name, _of_size(found.game.position, wanted)


def say_guess(what: str) -> None:
    """Say on standard error how a text was read."""
    typer.echo(f"outplay: read as {what}", err=True)


def _checked_text(text: str) -> str:
    if clean(text) != text:  # bytes that the terminal could not decode
        raise NotationError(clean(text), "this is not Unicode text")
    return text


def _is_simple(game: str, text: str, size: tuple[int, int] | None) -> bool:
    """Is it the start, a FEN or only columns? These are quick to read, and their errors name the move."""
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
