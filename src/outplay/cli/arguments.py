"""Arguments and options that several commands share."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import typer

from outplay.errors import NotationError
from outplay.notation import read_size
from outplay.notation.tokens import clean
from outplay.rules import RULES

GameName = Annotated[Literal["connect4", "checkers"], typer.Argument(metavar="GAME", help="connect4 or checkers")]
PositionText = Annotated[
    str, typer.Argument(metavar="POSITION", help="'start', moves of Connect Four (4453), or a board as text (FEN)")
]
PositionOption = Annotated[
    str, typer.Option("--position", metavar="POSITION", help="where to begin: as for 'outplay show'")
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
    typer.Option("--size", metavar="WIDTHxHEIGHT", callback=_checked_size, help="Connect Four board, 7x6 if not said"),
]


def read_position(game: str, text: str, size: str | None) -> Any:
    """The position that the arguments name: of `connect4.Position` or `checkers.Position`."""
    if clean(text) != text:  # bytes that the terminal could not decode
        raise NotationError(clean(text), "it is no Unicode text")
    return RULES[game].read(text, None if size is None else read_size(size))
