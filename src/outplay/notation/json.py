"""Games as JSON, for programs: the main line of one game, or a list of them. PDN has variations and comments too."""

from __future__ import annotations

import json
from typing import Any

from outplay.errors import NotationError
from outplay.notation.endings import result_text, settle, termination_text
from outplay.notation.tokens import clean
from outplay.record import AnyGame, Game
from outplay.rules import RULES

FORMAT = "outplay game"


def as_json(game: AnyGame) -> str:
    """Return the main line of a game as JSON."""
    end = [game.start, *(node.position for node in game.main_line())][-1]
    values = {
        "format": FORMAT,
        "game": game.rules.name,
        "headers": game.headers,
        "start": game.start.fen(),
        "moves": [node.text for node in game.main_line()],
        "end": end.fen(),
        "result": result_text(game),
        "termination": termination_text(game),
    }
    return json.dumps(values, indent=1, ensure_ascii=False) + "\n"


def our_json(text: str) -> list[dict[str, Any]] | None:
    """Return the games of a JSON text that `as_json` wrote, one or a list of them; None if it is another text."""
    if not text.startswith(("{", "[")):
        return None
    try:
        values = json.loads(text)
    except (ValueError, RecursionError):
        return None
    found = values if isinstance(values, list) else [values]
    is_ours = all(isinstance(one, dict) and one.get("format") == FORMAT for one in found)
    return found if found and is_ours else None


def game_from_json(values: dict[str, Any]) -> AnyGame:
    """Return the game that `as_json` wrote. NotationError, or the error of the rules, if it cannot be read."""
    name, start, moves = values.get("game"), values.get("start"), values.get("moves")
    headers = values.get("headers", {})
    if name not in RULES or not isinstance(start, str) or not _are_texts(moves):
        raise NotationError(str(name), "a game in JSON has a game, a start and moves, all of them texts")
    if not isinstance(headers, dict) or not _are_texts([*headers, *headers.values()]):
        raise NotationError("headers", "headers are names with a text each")
    headers = {clean(name): clean(value) for name, value in headers.items()}
    game = Game(RULES[str(name)].read(start), headers=headers)
    for move in moves or []:
        game.play(move)
    settle(game, str(values.get("result", "")), str(values.get("termination", "")))
    return game


def _are_texts(values: Any) -> bool:
    return isinstance(values, list) and all(isinstance(value, str) for value in values)
