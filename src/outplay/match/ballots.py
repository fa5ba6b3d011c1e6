"""The official drawn-by-lot openings (ballots) of checkers matches: three moves, or eleven men a side.

The three-move ballots are a list (data/ballots_3move.tsv). The eleven-man ballots follow a rule: each side loses one
man of its front two rows, then makes one move with a man of these two rows. Material must be equal afterwards,
whichever of the forced captures are played.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

from outplay.checkers import Position

DATA = Path(__file__).parent.parent / "data"
BLACK_FRONT, BLACK_HOME = range(5, 13), range(1, 13)
WHITE_FRONT, WHITE_HOME = range(21, 29), range(21, 33)

NOT_BALLOTED = frozenset(
    Position.from_fen(f"B:W{white}:B{black}")
    for white, black in (
        ("17,22-27,29-32", "1-10,15"),
        ("17,22-27,29-32", "1-7,9,10,12,15"),
        ("17,22-27,29-32", "1-6,8-10,12,15"),
        ("17,22-27,29-32", "1-4,6-10,12,15"),
        ("17,22-25,27-32", "1-8,10,11,13"),
        ("18,21,22,24-26,28-32", "1-7,10-12,14"),
        ("18,21,22,24-26,28-32", "1-4,6-8,10-12,14"),
        ("21-27,29-32", "1-10,15"),
        ("21-27,29-32", "1-7,9,10,12,15"),
    )
)
"""Positions that follow the rule, but that the 2,400 ballots of CheckerBoard (Martin Fierz, Ed Gilbert) leave out."""


@cache
def three_move_ballots() -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return the three-move ballots in use: the number of each in the official list, and its moves."""
    lines = (DATA / "ballots_3move.tsv").read_text(encoding="utf-8").splitlines()
    _, *rows = [line.split("\t") for line in lines if not line.startswith("#")]
    return tuple((number, tuple(moves.split())) for number, _, moves in rows)


@cache
def eleven_man_ballots() -> tuple[Position, ...]:
    """Return all 2,400 eleven-man ballots, as positions with Black to move, sorted by their text."""
    found = {position for position in _candidates() if _is_even(position)} - NOT_BALLOTED
    return tuple(sorted(found, key=Position.fen))


def _candidates() -> Iterator[Position]:
    for black in BLACK_FRONT:
        for white in WHITE_FRONT:
            start = _without(black, white)
            for first in start.legal_moves():
                after = start.play(first)
                for second in after.legal_moves():
                    if first.path[0] in BLACK_FRONT and second.path[0] in WHITE_FRONT:
                        yield after.play(second)


def _without(black: int, white: int) -> Position:
    """Return the start position without one man of each side."""
    men = [
        ",".join(str(square) for square in home if square not in (black, white)) for home in (WHITE_HOME, BLACK_HOME)
    ]
    return Position.from_fen("B:W{}:B{}".format(*men))


def _is_even(position: Position) -> bool:
    moves = position.legal_moves()
    if moves and moves[0].is_capture:
        return all(_is_even(position.play(move)) for move in moves)
    return position.black.bit_count() == position.white.bit_count()
