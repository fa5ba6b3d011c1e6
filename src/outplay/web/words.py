"""Words that several pages use: sentences, counted things, descriptions of positions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from outplay import explain
from outplay.notation.any import counted
from outplay.players import HUMAN
from outplay.rules import Position, rules_of
from outplay.store import SavedGame
from outplay.store.exporting import seat_titles
from outplay.web.board import board_text

LONGEST = 300
"""The most characters of a sentence: an error may quote a long text that was sent."""
TITLE = 60


def clipped(text: str, length: int = LONGEST) -> str:
    return text if len(text) <= length else text[: length - 1] + "\N{HORIZONTAL ELLIPSIS}"


def sentence(text: str) -> str:
    """Return a message as a sentence: a capital letter and a full stop."""
    text = text.strip()
    return clipped(text[:1].upper() + text[1:] + ("" if text.endswith((".", "!", "?")) else "."))


def position_sentence(position: Position) -> str:
    """Describe a position: "Red to move, 14 discs.", or how the game has ended."""
    sides = rules_of(position).sides
    outcome = position.outcome()
    if outcome is not None:
        return explain.outcome_sentence(outcome, sides)
    pieces = len(board_text(position).replace(".", ""))
    word = "disc" if rules_of(position).name == "connect4" else "piece"
    return f"{sides[position.side]} to move, {counted(pieces, word)}."


def seats_for(saved: SavedGame, person: str) -> list[str]:
    """Return the titles of both players as a person sees them: "You", names, or colours."""
    mine = saved.sides_of(person)
    told = [
        side if title == HUMAN.label else title
        for title, side in zip(seat_titles(saved), saved.game.rules.sides, strict=True)
    ]
    if len(mine) == 1:
        told[mine[0]] = "You"
    return [clipped(title, TITLE) for title in told]


def spoken_name(text: str) -> str:
    """Return a name as people may see it: on one line, without control characters."""
    return " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())


def csv_text(rows: Iterable[Sequence[object]]) -> str:
    """Return rows as the text of a CSV file."""
    return "".join(",".join(_cell(str(value)) for value in row) + "\r\n" for row in rows)


def _cell(text: str) -> str:
    """Quote a value where needed. A value that a spreadsheet would take for a formula gets an apostrophe."""
    if text[:1] in ("=", "+", "-", "@"):
        text = f"'{text}"
    return '"' + text.replace('"', '""') + '"' if any(letter in text for letter in ',"\r\n') else text
