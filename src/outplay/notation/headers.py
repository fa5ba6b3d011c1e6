"""What headers mean: which game it is, where it starts, who played and when. For how it ended, see endings.py.

`RESERVED` headers follow from the game itself: they are read into it, written from it, and are not in `Game.headers`.
All others belong to the user.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from outplay.errors import NotationError
from outplay.record import AnyGame, Game
from outplay.rules import CHECKERS, CONNECT4, NoProgress, Rules

RESERVED = {"result", "gametype", "size", "setup", "fen", "noprogress"}
"""The reserved names, in lower case because case does not matter. `Termination` is reserved too if a game needs it."""

_LONGEST = 100
"""A name is shown up to this number of characters."""
_DATE = re.compile(r"([0-9]{4})(?:[-./]([0-9]{1,2})(?:[-./]([0-9]{1,2}))?)?")
GAME_TYPES = {CHECKERS.name: "21", CONNECT4.name: "connect4"}
_GAMES = {
    **dict.fromkeys(("21", "checkers", "englishdraughts", "americancheckers"), CHECKERS),
    **dict.fromkeys(("connect4", "connectfour"), CONNECT4),
}
_SIZE = re.compile(r"\s*([0-9]{1,3})\s*[xX×]\s*([0-9]{1,3})\s*")  # noqa: RUF001


def get(headers: Mapping[str, str], name: str) -> str:
    """Return the value of a header, ignoring the case of its name; an empty string if it is missing."""
    return next((value for key, value in headers.items() if key.casefold() == name.casefold()), "")


def read_size(text: str) -> tuple[int, int]:
    """Return the width and height in a string such as `7x6`."""
    match = _SIZE.fullmatch(text)
    if match is None:
        raise NotationError(text, "a size is width x height, as in 7x6")
    return int(match[1]), int(match[2])


def rules_in(headers: Mapping[str, str], default: Rules) -> Rules:
    """Return the game that the headers name; `default` if they name none."""
    text = get(headers, "GameType")
    name = re.sub(r"[^0-9a-z]", "", text.partition(",")[0].casefold())
    if name in _GAMES or not text:
        return _GAMES.get(name, default)
    raise NotationError(text, "the GameType must be 21 (checkers, English draughts) or connect4")


def new_game(headers: Mapping[str, str], default: Rules) -> AnyGame:
    """Return a game without moves, set up as the headers say."""
    rules = rules_in(headers, default)
    size = get(headers, "Size")
    start = rules.read(get(headers, "FEN") or "start", read_size(size) if size else None)
    own = {name: value for name, value in headers.items() if name.casefold() not in RESERVED}
    return Game(start, no_progress=no_progress_in(headers, rules), headers=own)


def no_progress_in(headers: Mapping[str, str], rules: Rules) -> NoProgress | None:
    text = get(headers, "NoProgress").casefold()
    if text in ("", "none"):
        return None if text else rules.no_progress
    match = re.fullmatch(r"([0-9]{1,6})( captures)?", text)
    if match is None:
        forms = "'none', a number of plies ('80'), or a number and the word 'captures' ('80 captures')"
        raise NotationError(text, f"a limit is {forms}")
    return NoProgress(int(match[1]), man_moves_count=match[2] is None)


# Who, where and when: what a list of games shows


def shown(headers: Mapping[str, str], name: str) -> str:
    """Return the value of a header, ignoring the case of its name; an empty string if it is a question mark."""
    found = get(headers, name)
    return "" if found.strip("?. ") == "" else " ".join(found.split())[:_LONGEST]


def name_of(game: AnyGame, side: int) -> str:
    """Return the name of the player of a side, from the header of its colour."""
    colours = {("checkers", 1): ("White", "Red"), ("checkers", 0): ("Black",)}
    names = colours.get((game.rules.name, side), (game.rules.sides[side],))
    return next(filter(None, (shown(game.headers, name) for name in names)), "")


def event_of(game: AnyGame) -> str:
    return shown(game.headers, "Event")


def date_of(game: AnyGame) -> str:
    """Return the date as far as it is known: 1958-09-14, 1958-09, 1958 or an empty string."""
    match = _DATE.match(shown(game.headers, "Date"))
    if match is None:
        return ""
    year, month, day = match[1], match[2], match[3]
    if month is None or not 1 <= int(month) <= 12:
        return year
    return f"{year}-{int(month):02}" + (f"-{int(day):02}" if day and 1 <= int(day) <= 31 else "")
