"""What the headers of a game mean: which game it is, where it starts, who played and when; endings.py has how it ended.

`RESERVED` headers follow from the game itself: they are read into it and written from it, and are not among
`Game.headers`. All others are the user's own.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from outplay.errors import NotationError
from outplay.record import AnyGame, Game
from outplay.rules import CHECKERS, CONNECT4, NoProgress, Rules

RESERVED = {"result", "gametype", "size", "setup", "fen", "noprogress"}
"""In small letters: the case of a name does not matter. `Termination` is one too where a game needs it."""

_LONGEST = 100
"""Characters of a name that are kept."""
_DATE = re.compile(r"([0-9]{4})(?:[-./]([0-9]{1,2})(?:[-./]([0-9]{1,2}))?)?")
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


def new_game(headers: Mapping[str, str], default: Rules) -> AnyGame:
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


# Who, where and when: what a list shows of a game


def shown(headers: Mapping[str, str], name: str) -> str:
    """The value of a header, whatever the case of its name; nothing for a question mark."""
    found = get(headers, name)
    return "" if found.strip("?. ") == "" else " ".join(found.split())[:_LONGEST]


def name_of(game: AnyGame, side: int) -> str:
    """Who held a side: by its colour, as PDN has it, or as the first or second."""
    colours = {("checkers", 1): ("White", "Red"), ("checkers", 0): ("Black",)}
    names = colours.get((game.rules.name, side), (game.rules.sides[side],))
    return next(filter(None, (shown(game.headers, name) for name in names)), "")


def event_of(game: AnyGame) -> str:
    return shown(game.headers, "Event")


def date_of(game: AnyGame) -> str:
    """The day of the Date header, as far as it is known: 1958-09-14, 1958-09, 1958 or nothing."""
    match = _DATE.match(shown(game.headers, "Date"))
    if match is None:
        return ""
    year, month, day = match[1], match[2], match[3]
    if month is None or not 1 <= int(month) <= 12:
        return year
    return f"{year}-{int(month):02}" + (f"-{int(day):02}" if day and 1 <= int(day) <= 31 else "")
