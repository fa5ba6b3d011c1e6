"""Games as JSON, for programs: the main line of one game, or a list of them. PDN has variations and comments too.

The `--json` output of our commands can be read too: the lists of `outplay games`, the games of `outplay play`, the
positions of `outplay show`.
"""

from __future__ import annotations

import json
from typing import Any

from outplay.errors import NotationError
from outplay.notation.endings import result_text, settle, termination_text
from outplay.notation.headers import RESERVED, no_progress_in
from outplay.notation.tokens import clean
from outplay.outcome import Outcome, Reason, Side
from outplay.record import AnyGame, Game
from outplay.rules import RULES, Rules

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
    """Return the games of a JSON text that we wrote: one game or a list of games; None if it is another text."""
    if not text.startswith(("{", "[")):
        return None
    try:
        values = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if isinstance(values, dict) and isinstance(values.get("games"), list):
        values = values["games"]  # of `outplay games`
    found = values if isinstance(values, list) else [values]
    return found if found and all(map(_is_ours, found)) else None


def _is_ours(one: Any) -> bool:
    if not isinstance(one, dict):
        return False
    is_game = one.get("game") in RULES and {"start", "moves"} <= one.keys()
    return one.get("format") == FORMAT or is_game or is_position(one) or {"number", "error"} <= one.keys()


def is_position(one: dict[str, Any]) -> bool:
    """Return whether this is the output of `outplay show`, in which `moves` are the legal moves, not those played."""
    return one.get("game") in RULES and {"fen", "side", "board"} <= one.keys()


def game_from_json(values: dict[str, Any]) -> AnyGame:
    """Return the game in JSON that we wrote. NotationError, or the error of the rules, if it cannot be read."""
    error = values.get("error")
    if isinstance(error, dict):  # `outplay games` could not read it
        raise NotationError("error", str(error.get("message", "this game could not be read")))
    name, start, moves = values.get("game"), values.get("start"), values.get("moves")
    if is_position(values):
        start, moves = values["fen"], []
    headers = values.get("headers", {})
    if name not in RULES or not isinstance(start, str) or not _are_texts(moves):
        raise NotationError(
            str(name),
            'a game in JSON needs the fields "game" and "start", which are strings, and "moves", a list of strings',
        )
    if not isinstance(headers, dict) or not _are_texts([*headers, *headers.values()]):
        raise NotationError("headers", '"headers" must be an object whose values are all strings')
    rules = RULES[str(name)]
    headers = {clean(name): clean(value) for name, value in headers.items()}
    own = {name: value for name, value in headers.items() if name.casefold() not in RESERVED}
    game = Game(rules.read(start), no_progress=no_progress_in(headers, rules), headers=_seats(values, rules) | own)
    for move in moves or []:
        game.play(move)
    settle(game, _result(values, rules), str(values.get("termination") or values.get("reason") or ""))
    return game


def _seats(values: dict[str, Any], rules: Rules) -> dict[str, str]:
    """Return the players in the output of `outplay play`, as headers."""
    named = zip(rules.sides, (values.get("first"), values.get("second")), strict=True)
    return {side: clean(name) for side, name in named if isinstance(name, str)}


def _result(values: dict[str, Any], rules: Rules) -> str:
    if "winner" not in values:
        return str(values.get("result", ""))
    sides = {name: Side(number) for number, name in enumerate(rules.sides)}
    return Outcome(sides.get(values["winner"]), Reason.AGREEMENT).result


def _are_texts(values: Any) -> bool:
    return isinstance(values, list) and all(isinstance(value, str) for value in values)
