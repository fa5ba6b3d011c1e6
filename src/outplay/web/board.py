"""Positions and moves of either game as the page wants them: one character per cell, and paths of cells."""

from __future__ import annotations

from typing import Any

from outplay import connect4
from outplay.explain import Hint
from outplay.outcome import Outcome
from outplay.rules import Move, Position
from outplay.web.wire import GameName, MoveView, PositionView, SideNumber

MOST_MOVES = 256
"""Shown at a time; only composed positions, with many ways round the same kings, have more. They can be typed."""


def board_text(position: Position) -> str:
    """One character per cell; see the top of `wire`."""
    if isinstance(position, connect4.Position):
        return position.fen().replace("/", "")
    pieces: dict[int, str] = _checkers(position).pieces()
    return "".join(pieces.get(square, ".") for square in range(1, 33))


def size_of(position: Position) -> tuple[int, int]:
    return (position.width, position.height) if isinstance(position, connect4.Position) else (8, 8)


def game_name(position: Position) -> GameName:
    return "connect4" if isinstance(position, connect4.Position) else "checkers"


def position_view(position: Position) -> PositionView:
    width, height = size_of(position)
    return PositionView(
        text=position.fen(), board=board_text(position), side=_number(position), width=width, height=height
    )


def move_view(position: Position, move: Move) -> MoveView:
    """A move that may be played here, or was."""
    return MoveView(text=position.format(move), path=path_of(position, move), captures=captures_of(move))


def legal_views(position: Position) -> list[MoveView]:
    return [move_view(position, move) for move in position.legal_moves()[:MOST_MOVES]]


def path_of(position: Position, move: Move) -> list[int]:
    if isinstance(position, connect4.Position):
        return [_landing(position, move)]
    return list(move.path)


def captures_of(move: Move) -> list[int]:
    return [] if isinstance(move, int) else list(move.captures)


def outcome_cells(position: Position, outcome: Outcome) -> list[int]:
    """The cells of the winning fours."""
    width, _ = size_of(position)
    return sorted({row * width + column for line in outcome.lines for row, column in line})


def hint_cells(position: Position, hint: Hint) -> list[int]:
    """What a hint lights up, as cells: in Connect Four whole columns, and on the last step where the disc will lie."""
    if not isinstance(position, connect4.Position):
        return sorted(set(hint.places)) if hint.move is None else list(hint.places)
    if hint.move is not None:
        return path_of(position, hint.move)
    return [row * position.width + column for row in range(position.height) for column in sorted(hint.places)]


def _landing(position: connect4.Position, column: int) -> int:
    """The cell in which a disc dropped in this column comes to rest."""
    bits = (position.first | position.second) >> column * (position.height + 1) & (1 << position.height) - 1
    return (position.height - 1 - bits.bit_count()) * position.width + column


def _number(position: Position) -> SideNumber:
    return 1 if position.side else 0


def _checkers(position: Any) -> Any:
    return position
