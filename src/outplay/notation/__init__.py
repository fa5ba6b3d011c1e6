"""Games to and from text: `read`, `games` and `write`, for both games (docs/notation.md is the specification)."""

from outplay.notation.builder import GameTextError
from outplay.notation.endings import outcome_of, result_text
from outplay.notation.headers import read_size
from outplay.notation.json import as_json, game_from_json, guessed, our_json
from outplay.notation.pdn import Entry, games, read, write

__all__ = [
    "Entry",
    "GameTextError",
    "as_json",
    "game_from_json",
    "games",
    "guessed",
    "our_json",
    "outcome_of",
    "read",
    "read_size",
    "result_text",
    "write",
]
