"""Reading whatever people paste: files of games, positions, moves, our own JSON and links."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs, urlsplit

from outplay.errors import NotationError, OutplayError
from outplay.notation.json import CHECKERS_MOVE, game_from_json, guessed, our_json
from outplay.notation.pdn import read
from outplay.notation.positions import read_game
from outplay.record import AnyGame
from outplay.rules import RULES

USUAL_SIZE = (7, 6)
MOST_GAMES = 5_000
"""Games of one text; what comes after them is left out, and told."""
MOST_PLIES = 1_990
"""Moves of one game."""
MOST_NOTES = 20
_LINK = re.compile(r"(?:https?://\S+|/(?:game|play|lab|analyse)\b\S*)")
_COLUMNS = re.compile(r"[1-9a-p][1-9a-p\s.,;]*")


@dataclass(frozen=True, slots=True)
class Problem:
    """A game of the text that cannot be read."""

    number: int
    line: int
    message: str


@dataclass(slots=True)
class Pasted:
    """What a text holds."""

    games: list[AnyGame] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    link: str | None = None
    """The id of a game, where the text is a link to one."""
    is_position: bool = False
    """There is one game, and nothing was played in it."""
    is_cut: bool = False
    """There were more games than are taken at a time."""


def read_anything(text: str, game: str | None) -> Pasted:
    """The games of a text; `game` is meant where it does not say. NotationError if it is nothing we know."""
    text = text.strip().lstrip("\ufeff")
    if _LINK.fullmatch(text):
        return _from_link(text)
    ours = our_json(text)
    if ours is not None:
        return _from_entries(_json_entries(ours))
    if '"]' in text:
        return _from_entries(_pdn_entries(text, game or "checkers"))
    guess = game or guessed(text)
    if _is_moves(text, guess):
        return _from_entries(_pdn_entries(text, guess))
    if not _is_position(text, guess):
        raise NotationError(text, "it is no game and no position: paste PDN, a FEN, moves (4453, 11-15) or a link")
    return _position(guess, text)


def _is_moves(text: str, game: str) -> bool:
    if game == "checkers":
        return CHECKERS_MOVE.search(text) is not None and ":" not in text
    return "\n" not in text and _COLUMNS.fullmatch(text) is not None


def _is_position(text: str, game: str) -> bool:
    """Does it look like one? What is wrong with it in detail is told by whoever reads it."""
    if game == "checkers":
        return ":" in text
    return "/" in text or "\n" in text or text.startswith("[")


def _from_link(text: str) -> Pasted:
    """A link of ours is parsed, never followed."""
    parts = urlsplit(text)
    path = [part for part in parts.path.split("/") if part]
    try:
        query = {name: values[0] for name, values in parse_qs(parts.query).items()}
    except ValueError:
        query = {}
    if len(path) == 2 and path[0] == "game":
        return Pasted(link=path[1])
    if path == ["analyse"] and query.get("game", "") not in ("", *RULES):
        return Pasted(link=query["game"])
    game = path[1] if len(path) == 2 and path[0] == "play" else query.get("game", "")
    if game not in RULES or not query.get("pos"):
        raise NotationError(text, "this link names no game and no position of ours")
    return _position(game, query["pos"], _size(query.get("size", "")))


def _size(text: str) -> tuple[int, int]:
    match = re.fullmatch(r"([0-9]{1,2})x([0-9]{1,2})", text)
    return (int(match[1]), int(match[2])) if match else USUAL_SIZE


def _position(game: str, text: str, size: tuple[int, int] = USUAL_SIZE) -> Pasted:
    """A text that names a position; the moves that led to it come with it where they are known."""
    if not text:
        raise NotationError(text, "there is nothing in it")
    found = read_game(game, text, size)
    return Pasted([found], is_position=not found.main_line())


# Several games


@dataclass(frozen=True, slots=True)
class _Entry:
    number: int
    line: int
    game: AnyGame | None
    error: str = ""
    notes: tuple[str, ...] = ()


def _from_entries(entries: Iterator[_Entry]) -> Pasted:
    found = Pasted()
    for entry in entries:
        if len(found.games) + len(found.problems) >= MOST_GAMES:
            found.is_cut = True
            break
        if entry.game is None:
            found.problems.append(Problem(entry.number, entry.line, entry.error))
        elif entry.game.ply > MOST_PLIES:
            found.problems.append(Problem(entry.number, entry.line, f"a game has at most {MOST_PLIES} moves"))
        else:
            found.games.append(entry.game)
            notes = (f"game {entry.number}: {note}" for note in entry.notes)
            found.notes += list(notes)[: MOST_NOTES - len(found.notes)]
    if not found.games and not found.problems:
        raise NotationError("", "there is no game and no position in it")
    return found


def _pdn_entries(text: str, game: str) -> Iterator[_Entry]:
    for entry in read(text, game=game):
        if entry.error is None:
            yield _Entry(entry.number, entry.line, entry.game, notes=entry.notes)
        else:
            ply = "" if entry.error.ply is None else f"ply {entry.error.ply}: "
            yield _Entry(entry.number, entry.error.line, None, f"{ply}{entry.error.reason}")


def _json_entries(games: list[dict[str, Any]]) -> Iterator[_Entry]:
    for number, values in enumerate(games, 1):
        try:
            yield _Entry(number, 1, game_from_json(values))
        except OutplayError as error:
            yield _Entry(number, 1, None, str(error))
