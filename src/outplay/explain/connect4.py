"""Connect Four in words: what a move in a column does, and where a hint tells you to look."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

from outplay import connect4
from outplay.rules import rules_of

Places = tuple[int, ...]
"""The columns that a sentence is about, counted from 0."""


def named(listed: str, count: int) -> str:
    """Put "Column" or "Columns" before a list of moves in words: "Columns 4 and 5"."""
    return f"Column{'' if count == 1 else 's'} {listed}"


def advice(position: connect4.Position) -> str:
    """Return an empty string: every column that is not full can be played."""
    return ""


def stuck(position: connect4.Position, text: str) -> None:
    """Return None: discs never move."""


def threats(position: connect4.Position) -> list[int]:
    """Return the columns in which the side that is not to move threatens to win."""
    found = []
    moves = position.legal_moves()
    for column in moves:
        for other in moves:
            if other == column:
                continue
            after = position.play(other)
            if after.outcome() is None and wins_at_once(after, column):
                found.append(column)
                break
    return found


def wins_at_once(position: connect4.Position, column: int) -> bool:
    """Return True if a disc in this column makes four in a row."""
    outcome = position.play(column).outcome()
    return outcome is not None and outcome.winner is position.side


def reasons(position: connect4.Position, column: int) -> Iterator[str]:
    if wins_at_once(position, column):
        yield "it makes four in a row"
        return
    is_block = column in threats(position)
    if is_block:
        yield "it blocks four in a row"
    after = position.play(column)
    if after.outcome() is not None:
        yield "it fills the board"
        return
    answers = [reply for reply in after.legal_moves() if wins_at_once(after, reply)]
    if answers:
        yield f"{rules_of(position).sides[after.side]} can then win in column {_columns(position, answers)}"
        return
    made = threats(after)
    if len(made) > 1:
        yield f"it threatens two fours at once, in columns {_columns(position, made)}"
    elif made:
        yield f"it threatens four in a row in column {_columns(position, made)}"
    elif not is_block and position.plies < position.width and column in _centre(position.width):
        yield "most lines of four run through the centre"


def _columns(position: connect4.Position, columns: Sequence[int]) -> str:
    return " and ".join(position.format(column) for column in columns)


def _centre(width: int) -> set[int]:
    return {(width - 1) // 2, width // 2}


def urgency(position: connect4.Position, column: int) -> str:
    """Return the sentence on what is urgent, for the first step of a hint; often empty."""
    if wins_at_once(position, column):
        return "You can win at once. "
    threat = f"{rules_of(position).sides[position.side.other]} threatens to win. "
    return threat if column in threats(position) else ""


def area(position: connect4.Position, column: int) -> tuple[str, Places]:
    """Return the third of the board to look at: left, middle or right."""
    name = _third(column, position.width)
    columns = [other for other in range(position.width) if _third(other, position.width) == name]
    ends = [position.format(other) for other in (columns[0], columns[-1])]
    span = f"columns {ends[0]} to {ends[1]}" if len(columns) > 1 else f"column {ends[0]}"
    return f"at the {name}, {span}", tuple(columns)


def _third(column: int, width: int) -> str:
    from_centre = column - (width - 1) / 2
    return "middle" if abs(from_centre) <= width / 6 else "left" if from_centre < 0 else "right"


def subject(position: connect4.Position, column: int) -> tuple[str, Places]:
    """Return the column that the move goes to: its name in words, and the column itself."""
    return f"Column {position.format(column)}", (column,)


def path(position: connect4.Position, column: int) -> Places:
    return (column,)


def first_rows(width: int, height: int) -> Literal["odd", "even"]:
    """Return the rows in which a threat of the first side is usually good: "odd" or "even".

    If neither side plays below a threat on row r, all other columns and r - 2 cells of the threat's column fill
    up. The first side plays the discs 1, 3, 5 ...: if the number of these cells is odd, the second side must play below
    the threat.
    """
    return "odd" if ((width - 1) * height + 1) % 2 == 1 else "even"


def sign_of(score: int) -> int:
    """Return 1 for a win, 0 for a draw, -1 for a loss."""
    return (score > 0) - (score < 0)
