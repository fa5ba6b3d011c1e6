"""What the library lists of a game besides its moves: who, where, when, and how it began."""

from __future__ import annotations

import re
from collections.abc import Mapping

from outplay.record import Game

LISTED_PLIES = 16
"""Moves of an opening that can be looked for."""
_LENGTH = 100
_DATE = re.compile(r"([0-9]{4})(?:[-./]([0-9]{1,2})(?:[-./]([0-9]{1,2}))?)?")


def get(headers: Mapping[str, str], name: str) -> str:
    """The value of a header, whatever the case of its name; nothing for a question mark."""
    found = next((value for key, value in headers.items() if key.casefold() == name.casefold()), "")
    return "" if found.strip("?. ") == "" else " ".join(found.split())[:_LENGTH]


def name_of(game: Game, side: int) -> str:
    """Who held a side: by its colour, as PDN has it, or as the first or second."""
    colours = {("checkers", 1): ("White", "Red"), ("checkers", 0): ("Black",)}
    names = colours.get((game.rules.name, side), (game.rules.sides[side],))
    return next(filter(None, (get(game.headers, name) for name in names)), "")


def event_of(game: Game) -> str:
    return get(game.headers, "Event")


def date_of(game: Game) -> str:
    """The day of the Date header, as far as it is known: 1958-09-14, 1958-09, 1958 or nothing."""
    match = _DATE.match(get(game.headers, "Date"))
    if match is None:
        return ""
    year, month, day = match[1], match[2], match[3]
    if month is None or not 1 <= int(month) <= 12:
        return year
    return f"{year}-{int(month):02}" + (f"-{int(day):02}" if day and 1 <= int(day) <= 31 else "")


def opening_of(game: Game) -> str:
    """The first moves, each with a space before and behind; nothing if the start is not the usual one."""
    start = game.start
    is_usual = start == game.rules.start()
    texts = [node.text for node in game.main_line()[:LISTED_PLIES]] if is_usual else []
    return f" {' '.join(texts)} "[:120] if texts else ""
