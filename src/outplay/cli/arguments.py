"""Arguments and options that several commands share."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import typer

from outplay.errors import NotationError
from outplay.notation import read_size
from outplay.notation.json import CHECKERS_MOVE
from outplay.notation.positions import read_text
from outplay.notation.tokens import clean
from outplay.rules import RULES

GameName = Annotated[Literal["connect4", "checkers"], typer.Argument(metavar="GAME", help="connect4 or checkers")]
PositionText = Annotated[
    str,
    typer.Argument(
        metavar="POSITION", help="'start', moves (4453, '11-15 22-18'), a board as text (FEN), rows or a game"
    ),
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
    wanted = None if size is None else read_size(size)
    if _is_pasted(game, text):
        return read_text(game, text, wanted or (7, 6)).position
    return RULES[game].read(text, wanted)


def _is_pasted(game: str, text: str) -> bool:
    """Is it more than a FEN or columns: moves of checkers, a board in rows, a game, a link of ours?"""
    if '"]' in text or "\n" in text.strip() or text.strip().startswith(("[", "http://", "https://")):
        return True
    return game == "checkers" and CHECKERS_MOVE.search(text) is not None and ":" not in text
