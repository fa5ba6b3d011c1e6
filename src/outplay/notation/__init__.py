"""Games to and from text: `read`, `games`, `write` and `read_anything` (docs/notation.md is the specification)."""

from outplay.notation.any import GamesOfFile, Pasted, games, read, read_anything, read_one
from outplay.notation.builder import GameTextError
from outplay.notation.endings import outcome_of, result_text
from outplay.notation.headers import read_size
from outplay.notation.json import as_json, game_from_json, our_json
from outplay.notation.pdn import Entry, write

__all__ = [
    "Entry",
    "GameTextError",
    "GamesOfFile",
    "Pasted",
    "as_json",
    "game_from_json",
    "games",
    "our_json",
    "outcome_of",
    "read",
    "read_anything",
    "read_one",
    "read_size",
    "result_text",
    "write",
]
