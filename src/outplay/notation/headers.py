"""What the headers of a game mean: which game it is and where it starts; endings.py has how it ended.

`RESERVED` headers follow from the game itself: they are read into it and written from it, and are not among
`Game.headers`. All others are the user's own.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from outplay.errors import NotationError
from outplay.record import Game
from outplay.rules import CHECKERS, CONNECT4, NoProgress, Rules

RESERVED = {"result", "gametype", "size", "setup", "fen", "noprogress"}
"""In small letters: the case of a name does not matter. `Termination` is one too where a game needs it."""

GAME_TYPES = {CHECKERS.name: "21", CONNECT4.name: "connect4"}
_GAMES = {
    **dict.fromkeys(("21", "checkers", "englishdraughts", "americancheckers"), CHECKERS),
    **dict.fromkeys(("connect4", "connectfour"), CONNECT4),
}
_SIZE = re.compile(r"\s*([0-9]{1,3})\s*[xX×]\s*([0-9]{1,3})\s*")  # noqa: RUF001


def get(headers: Mapping[str, str], name: str) -> str:
    """The value of a header, whatever the case of its name; nothing if it is not there."""
    return next((value for key, value in headers.items() if key.casefold() == name.casefold()), "")


def read_size(text: str) -> tuple[int, int]:
    """Width and height of a board, as in `7x6`."""
    match = _SIZE.fullmatch(text)
    if match is None:
        raise NotationError(text, "a size is width x height, as in 7x6")
    return int(match[1]), int(match[2])


def rules_in(headers: Mapping[str, str], default: Rules) -> Rules:
    """The game that the headers name; `default` if they name none."""
    text = get(headers, "GameType")
    name = re.sub(r"[^0-9a-z]", "", text.partition(",")[0].casefold())
    if name in _GAMES or not text:
        return _GAMES.get(name, default)
    raise NotationError(text, "the GameType is 21 (checkers, English draughts) or connect4")


def new_game(headers: Mapping[str, str], default: Rules) -> Game:
    """A game without moves, set up as the headers say."""
    rules = rules_in(headers, default)
    size = get(headers, "Size")
    start = rules.read(get(headers, "FEN") or "start", read_size(size) if size else None)
    own = {name: value for name, value in headers.items() if name.casefold() not in RESERVED}
    return Game(start, no_progress=_no_progress_in(headers, rules), headers=own)


def _no_progress_in(headers: Mapping[str, str], rules: Rules) -> NoProgress | None:
    text = get(headers, "NoProgress").casefold()
    if text in ("", "none"):
        return None if text else rules.no_progress
    match = re.fullmatch(r"([0-9]{1,6})( captures)?", text)
    if match is None:
        raise NotationError(text, "a limit is none, a number of plies, or such a number and the word captures")
    return NoProgress(int(match[1]), man_moves_count=match[2] is None)
