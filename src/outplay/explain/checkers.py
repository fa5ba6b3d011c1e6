"""Checkers in words: what a move does, why a piece cannot move, where a hint tells you to look."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from outplay import checkers
from outplay.rules import must_capture, rules_of

Places = tuple[int, ...]
"""The squares that a sentence is about, from 1 to 32."""


def named(listed: str, count: int) -> str:
    """Return a list of moves in words without a change: "11-15 and 10-14"."""
    return listed


def advice(position: checkers.Position) -> str:
    """Say which pieces can move. The sentence refers to the rings that the board draws around these pieces."""
    return "Ringed pieces can capture, and one of them must." if must_capture(position) else "Dotted rings: can move"


def stuck(position: checkers.Position, text: str) -> tuple[str, str] | None:
    """Say why the piece on a square cannot move, and which pieces can.

    None if it can move, or if it does not belong to the side to move.
    """
    square = int(text) if text.isdecimal() else 0
    letter = position.pieces().get(square, "")
    is_own = letter.lower() == "bw"[position.side]
    if not is_own or any(move.path[0] == square for move in position.legal_moves()):
        return None
    piece = f"{'King' if letter.isupper() else 'Man'} on {square}"
    if must_capture(position):
        return f"{piece} cannot capture.", "Ringed pieces can, and one of them must."
    return f"{piece} cannot move.", advice(position)


def reasons(position: checkers.Position, move: checkers.Move) -> Iterator[str]:
    pieces = position.pieces()
    if move.is_capture:
        yield f"it takes {_counted(pieces[square] for square in move.captures)}"
    after = position.play(move)
    if pieces[move.path[0]].islower() and after.pieces()[move.path[-1]].isupper():
        yield "it makes a king"
    if after.outcome() is not None:
        yield "it ends the game"
        return
    replies = [reply for reply in after.legal_moves() if reply.is_capture]
    if replies:
        most = max(replies, key=lambda reply: len(reply.captures))
        taken = after.pieces()
        loss = _counted(taken[square] for square in most.captures)
        yield f"{rules_of(position).sides[after.side]} must then take {loss} with {after.format(most)}"
    elif move.path[0] in _attacked(position):
        yield "it saves a piece that could be taken"


def _attacked(position: checkers.Position) -> set[int]:
    """Return the squares where the other side could capture a piece after a move of another piece."""
    found: set[int] = set()
    for move in position.legal_moves():
        after = position.play(move)
        for reply in after.legal_moves():
            if reply.is_capture:
                found |= set(reply.captures) - {move.path[-1]}
    return found


def _counted(pieces: Iterable[str]) -> str:
    letters = list(pieces)
    kings = sum(letter.isupper() for letter in letters)
    return counted_pieces(len(letters) - kings, kings)


def counted_pieces(men: int, kings: int) -> str:
    """Return counts in words: "a man", "two men and a king"."""
    parts = [
        f"{_NUMBERS.get(count, str(count))} {one if count == 1 else many}"
        for count, one, many in ((men, "man", "men"), (kings, "king", "kings"))
        if count
    ]
    return " and ".join(parts)


_NUMBERS = {1: "a", 2: "two", 3: "three", 4: "four", 5: "five"}


def urgency(position: checkers.Position, move: checkers.Move) -> str:
    """Return the sentence on what is urgent, for the first step of a hint; often empty."""
    return "You must capture. " if move.is_capture else ""


def area(position: checkers.Position, move: checkers.Move) -> tuple[str, Places]:
    """Return the quarter of the board to look at."""
    cell = cell_of(move.path[0])
    squares = tuple(
        square for square in range(1, 33) if all(a // 4 == b // 4 for a, b in zip(cell_of(square), cell, strict=True))
    )
    # "top left" would be wrong on a flipped board; a number is always right
    return f"around square {squares[3]}", squares


def cell_of(square: int) -> tuple[int, int]:
    """Return the row and column of a square, both from 0, row 0 on top."""
    row, place = divmod(square - 1, 4)
    return row, 2 * place + (row + 1) % 2


def subject(position: checkers.Position, move: checkers.Move) -> tuple[str, Places]:
    """Return the piece that moves: its name in words, and its square."""
    square = move.path[0]
    piece = "king" if position.pieces()[square].isupper() else "man"
    return f"The {piece} on {square}", (square,)


def path(position: checkers.Position, move: checkers.Move) -> Places:
    return tuple(move.path)
