"""Write docs/api.md from the OpenAPI document of the web app: `python -m tools.api_docs`.

A test checks that it is up to date.
"""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from outplay.web.app import create_app
from outplay.web.settings import DEFAULT_HOST, DEFAULT_PORT

PAGE = Path(__file__).parent.parent / "docs" / "api.md"
SERVER = f"http://{DEFAULT_HOST}:{DEFAULT_PORT}"
Schema = dict[str, Any]
_RUN = re.compile(r"(?<=runs/|yses/|/own/)\{id\}")

_WORDS = {
    "part": "alpha-beta",
    "id": "GAME",
    "code": "CODE",
    "puzzle": "c4-0001",
    "game": "connect4",
    "name": "rules",
    "step": "2",
}
"""What stands for each part of an address in the examples."""

EXAMPLES: dict[str, Schema] = {
    "POST /api/positions": {"game": "connect4", "text": "4453"},
    "POST /api/games": {"game": "connect4", "seats": ["human", "level:2"]},
    "POST /api/games/{id}/study/moves": {"version": 0, "path": [], "moves": ["4", "4"]},
    "POST /api/games/{id}/study/comment": {"version": 1, "path": ["4"], "comment": "the centre"},
    "POST /api/games/{id}/study/promote": {"version": 2, "path": ["4", "4"]},
    "POST /api/games/{id}/study/delete": {"version": 2, "path": ["4", "4"]},
    "POST /api/games/{id}/coach": {},
    "POST /api/games/{id}/review": {"nodes": 300_000},
    "POST /api/games/{id}/review/stop": {},
    "POST /api/games/{id}/review/refute": {"ply": 1, "move": "1"},
    "POST /api/games/{id}/moves": {"version": 0, "move": "4"},
    "POST /api/games/{id}/why-not": {"version": 2, "move": "9"},
    "POST /api/games/{id}/takeback": {"version": 2},
    "POST /api/games/{id}/redo": {"version": 3},
    "POST /api/games/{id}/hint": {"version": 4, "step": 3},
    "POST /api/games/{id}/pace": {"time_ms": 500, "paused": True},
    "POST /api/games/{id}/seats": {"version": 4, "first": "level:3"},
    "POST /api/games/{id}/step": {"version": 5},
    "POST /api/games/{id}/move-now": {"version": 6},
    "POST /api/games/{id}/stop": {"version": 6},
    "POST /api/games/{id}/retry": {"version": 6},
    "POST /api/games/{id}/resign": {"version": 6, "side": 0},
    "POST /api/games/{id}/rematch": {"version": 7},
    "POST /api/games/{id}/draw": {"version": 7, "action": "offer"},
    "POST /api/games/{id}/say": {"message": 0},
    "POST /api/games/{id}/sit": {"invitation": "SECRET"},
    "POST /api/library/import": {"text": "1. 11-15 23-19 2. 8-11 *"},
    "POST /api/library/delete": {"ids": ["GAME"]},
    "POST /api/library/restore": {"ids": ["GAME"]},
    "POST /api/lab/course/{part}/again": {},
    "POST /api/lab/course/{part}/{step}/read": {},
    "POST /api/lab/course/{part}/{step}/answer": {"answer": "y"},
    "POST /api/lab/monte-carlo": {"game": "connect4", "position": "4444"},
    "POST /api/lab/runs": {"kind": "ladder", "game": "connect4", "position": "4453", "depth": 4},
    "POST /api/lab/runs/{id}/stop": {},
    "POST /api/analyses": {"game": "checkers", "moves": ["11-15", "23-19"], "lines": 3, "time_ms": 2000},
    "POST /api/analyses/{id}/stop": {},
    "POST /api/studies": {"game": "connect4", "position": "4453", "moves": ["4"]},
    "POST /api/puzzles/own": {"game": "connect4"},
    "POST /api/puzzles/own/{id}/stop": {},
    "POST /api/puzzles/{puzzle}/try": {"moves": ["4"]},
    "POST /api/puzzles/{puzzle}/hint": {"step": 1},
    "POST /api/puzzles/{puzzle}/solution": {},
    "POST /api/learn/lessons/{game}/{name}/{step}/read": {},
    "POST /api/learn/lessons/{game}/{name}/{step}/answer": {"move": "4"},
    "POST /api/learn/lessons/{game}/{name}/{step}/hint": {"step": 1},
    "POST /api/learn/lessons/{game}/{name}/{step}/solution": {},
    "POST /api/learn/record/told": {"game": "connect4", "level": 4},
    "POST /api/classes": {"title": "7b"},
    "POST /api/classes/{code}/join": {"name": "Mia"},
    "POST /api/classes/{code}/ask": {"person": "0123456789ab", "game": "connect4"},
    "POST /api/classes/{code}/pair": {"game": "connect4"},
    "POST /api/classes/{code}/pause": {"paused": True},
    "POST /api/classes/{code}/end": {},
    "POST /api/classes/{code}/pupils": {"person": "0123456789ab", "name": "Mia"},
    "POST /api/classes/{code}/seat": {"game": "GAME", "side": 1, "player": "level:2"},
    "POST /api/classes/{code}/games/end": {"game": "GAME", "winner": 0},
    "POST /api/classes/{code}/tournament": {"game": "connect4", "format": "swiss"},
    "POST /api/classes/{code}/tournament/round": {},
    "POST /api/classes/{code}/tournament/end": {},
    "POST /api/arena": {"game": "connect4", "players": ["level:1", "level:2", "level:3"], "games": 4},
    "POST /api/arena/{id}/pause": {"paused": True},
    "POST /api/arena/{id}/stop": {},
    "POST /api/arena/{id}/delete": {},
    "POST /api/me/visit": {},
    "POST /api/me/name": {"name": "Mia"},
    "POST /api/me/copy": {},
    "POST /api/me/enter": {"code": "k7wq-3mfd"},
    "POST /api/me/forget": {},
}
"""A body for each command; those of a game are in an order in which they make sense, except the last."""

INTRODUCTION = """\
# The HTTP API

The pages of the web app use this API, and any other program can use it too. `outplay serve` answers at
`{server}`; the OpenAPI document that this page is made from (by `python -m tools.api_docs`) is at
`/api/openapi.json`.

- Bodies and answers are JSON. Numbers and texts have limits; a field that is not listed is refused.
- A GET changes nothing. The answer to a command is the complete new state of the game, which is saved by then.
- `version` increases with every change of moves, seats or outcome. A command carries the version it is meant for; if
  the game has changed meanwhile, the command is refused as `stale`, so that two pages cannot overwrite each other's
  moves. The tree of variations of a game (`study`) has a `version` of its own, so that analysis does not disturb the
  players.
- `revision` increases with every change of any kind: of two views of a game the one with the higher revision is newer.
- Sides: 0 moves first in the usual start position (Red, Black), 1 is the other (Yellow, White).
- Cells: in Connect Four `row * width + column`, both from 0, row 0 on top; in checkers squares 1-32. A `board` has one
  character per cell in that order: `.` empty, `1` and `2` discs (`1` began), `b` `w` men, `B` `W` kings.
- Each person has a key. A browser keeps it in a cookie; a program sends it with each request, as the header
  `Authorization: Bearer KEY`. The key is any text of 24 to 64 letters, digits, `-` and `_` that cannot be guessed; a
  client that sends none gets one in the cookie of the answer. The person who holds a seat plays for it, the person who
  made a game may delete it, and everyone who knows its id can watch.
- Players are those that `/api/about` lists. A server takes no file, no command and no outside engine from a client.
- The server answers only to its own names, and only to its own pages: see [running a server](server.md).

## Errors

The answer to every failed request is an [`ErrorBody`](#errorbody): `error.kind` is for programs, `error.message` is a
sentence for people.

| kind | status | when |
|---|---|---|
| `invalid` | 400, 408, 422 | a field is missing, of the wrong type or out of bounds |
| `notation` | 422 | a text cannot be read |
| `illegal-position` | 422 | the position is impossible; `reasons` lists everything that is wrong |
| `illegal-move` | 409 | the rules forbid it; `moves` lists what must be played instead |
| `unknown-player` | 422 | there is no player of that name to choose |
| `not-yours` | 403 | the game, the seat or the run belongs to another person |
| `forgotten` | 401 | another device with this key has chosen "Forget me": take another key |
| `unknown-game`, `unknown-run` | 404 | there is no such game; no such experiment or analysis, or it is no longer kept |
| `unknown-code`, `unknown-class` | 404 | no other device shows this code now; no class has this code |
| `unknown-lesson`, `unknown-puzzle` | 404 | there is no such lesson, or no such step or task in it; no such puzzle |
| `name-taken` | 409 | another pupil of the class has this name |
| `not-found`, `method` | 404, 405 | there is nothing at this address, or not for this method |
| `stale` | 409 | the game has changed; `version` is the current one |
| `game-over`, `not-now` | 409 | the command is not possible at this moment |
| `engine` | 502 | a player failed |
| `storage`, `read-only` | 503 | the database does not work at the moment, or can only be read; nothing was saved |
| `damaged` | 500 | the saved game cannot be read; `GET /api/games/{{id}}/raw` returns its row as it is |
| `busy`, `rate` | 503, 429 | too many games, pages or requests; try again later |
| `forbidden`, `too-large` | 403, 413 | a wrong `Host` or `Origin`; a body of more than 64 KiB (8 MiB of games) |
| `internal` | 500 | an error in the server; its log says more |

## Events

`GET /api/games/{{id}}/events` is a WebSocket. The server sends [events](#event) as text: a `state` first, then one
whenever the game changes, `thinking` at most four times a second while an engine searches, and `clock` regularly. In a
game of two people `people` says who has the page open, and `said` brings their messages. Only the newest of each kind
is sent, so a slow reader misses steps in between, but never the last one; a reader that accepts
nothing for ten seconds is disconnected. The client may send [messages](#clientmessage): `ping`, answered by `pong`, and
`resume` with the revision it has, answered by a `state` if there is a newer one. A message that makes no sense is
answered by an `error` and changes nothing. Close codes: 4404 no such game, 1013 too many sockets, 1008 too many
messages, 1012 the server shuts down, 1011 the game could not be saved.

```console
$ python -m websockets ws://127.0.0.1:8642/api/games/GAME/events
< {{"kind": "state", "game": {{"id": "GAME", "version": 0, ...}}}}
> {{"kind": "ping"}}
< {{"kind": "pong"}}
```

## Requests

`GAME` stands for the `id` of a game, `RUN` for that of an experiment, an analysis or a search for puzzles, `CODE` for
the code of a class.
"""


def page() -> str:
    """Return the page as Markdown."""
    document = create_app().openapi()
    parts = [INTRODUCTION.format(server=SERVER)]
    parts += [_operation(path, method, what) for path, method, what in operations(document)]
    parts.append("## Types\n")
    schemas = document["components"]["schemas"]
    parts += [_type(name, schemas[name]) for name in sorted(schemas)]
    return "\n".join(parts)


def operations(document: Schema) -> Iterator[tuple[str, str, Schema]]:
    for path, methods in document["paths"].items():
        for method, what in methods.items():
            yield path, method.upper(), what


def _operation(path: str, method: str, what: Schema) -> str:
    lines = [f"### {method} {path}", "", what["description"], ""]
    if "requestBody" in what:
        lines.append(f"- Request: {_kind(what['requestBody']['content']['application/json']['schema'])}")
    for parameter in what.get("parameters", []):
        if parameter["in"] == "query":
            default = parameter["schema"].get("default")
            usual = "" if default in (None, "") else f"; default: {default}"
            lines.append(f"- `{parameter['name']}`: {_kind(parameter['schema'])}{usual}")
    status, answer = next((code, answer) for code, answer in what["responses"].items() if code != "default")
    lines.append(f"- Answer: {status}, {_kind(answer['content']['application/json']['schema'])}")
    return "\n".join([*lines, "", "```sh", _curl(path, method), "```", ""])


def _curl(path: str, method: str) -> str:
    address = _RUN.sub("RUN", path)
    for name, word in _WORDS.items():
        address = address.replace(f"{{{name}}}", word)
    address = f"{SERVER}{address}"
    if method == "GET":
        return f"curl {address}"
    body = json.dumps(EXAMPLES[f"{method} {path}"])
    return f"curl {address} -H 'content-type: application/json' \\\n  -d '{body}'"


def _type(name: str, schema: Schema) -> str:
    lines = [f"### {name}", ""]
    if "oneOf" in schema or "anyOf" in schema:
        return "\n".join([*lines, "The field `kind` says which:", _folded(f"{_kind(schema)}."), ""])
    lines += [_folded(schema.get("description", "")), "", "| field | type | |", "|---|---|---|"]
    required = schema.get("required", [])
    for field, what in schema.get("properties", {}).items():
        note = what.get("description", "")
        if field not in required and "default" in what and what["default"] is not None:
            note = f"{note + '; ' if note else ''}default: {json.dumps(what['default'])}"
        elif field not in required:
            note = f"{note + '; ' if note else ''}optional"
        lines.append(f"| `{field}` | {_kind(what)} | {_cell(note)} |")
    return "\n".join([*lines, ""])


def _folded(text: str) -> str:
    """Return a text in lines of at most 120 characters."""
    return "\n".join(textwrap.wrap(text, 120, break_long_words=False, break_on_hyphens=False))


def _kind(schema: Schema) -> str:
    """Return a type in words."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return f"[{name}](#{name.lower()})"
    for several in ("oneOf", "anyOf"):
        if several in schema:
            return " or ".join(_kind(one) for one in schema[several])
    if "const" in schema:
        return f"`{json.dumps(schema['const'])}`"
    if "enum" in schema:
        values = [f"`{json.dumps(value)}`" for value in schema["enum"]]
        return " or ".join(values) if len(values) < 4 else f"one of {', '.join(values)}"
    if schema.get("type") == "array":
        return f"list of {_kind(schema['items'])}"
    return _plain(schema)


def _plain(schema: Schema) -> str:
    words = {"integer": "integer", "number": "number", "string": "text", "boolean": "true or false", "null": "null"}
    word = words.get(schema.get("type", ""), "anything")
    low, high = schema.get("minimum"), schema.get("maximum")
    if low is not None and high is not None:
        return f"{word} from {low:.0f} to {high:.0f}"
    return f"{word} from {low:.0f}" if low is not None else word


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
