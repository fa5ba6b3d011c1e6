"""Positions and moves of either game as JSON: one character per cell, and paths of cells."""

from __future__ import annotations

from collections.abc import Iterable
from typing import cast

from outplay.explain import BoardMark
from outplay.rules import Move, Position, rules_of
from outplay.web.wire import GameName, MarkView, MoveView, PositionView, SideNumber

MOST_MOVES = 256
"""The most moves shown. Only artificial positions, in which kings have many paths, have more; all can be typed."""


def board_text(position: Position) -> str:
    """Return one character per cell; see the top of `wire`."""
    return rules_of(position).cells(position)


def size_of(position: Position) -> tuple[int, int]:
    return rules_of(position).size(position)


def game_name(position: Position) -> GameName:
    return cast(GameName, rules_of(position).name)


def position_view(position: Position) -> PositionView:
    width, height = size_of(position)
    return PositionView(
        text=position.fen(), board=board_text(position), side=_number(position), width=width, height=height
    )


def mark_views(marks: Iterable[BoardMark]) -> list[MarkView]:
    return [
        MarkView(
            kind=mark.kind,
            cells=list(mark.cells),
            side=None if mark.side is None else 1 if mark.side else 0,
            number=mark.number,
        )
        for mark in marks
    ]


def move_view(position: Position, move: Move) -> MoveView:
    """Return a legal or played move as JSON."""
    return MoveView(
        text=position.format(move), path=path_of(position, move), captures=list(rules_of(position).captures(move))
    )


def legal_views(position: Position) -> list[MoveView]:
    return [move_view(position, move) for move in position.legal_moves()[:MOST_MOVES]]


def path_of(position: Position, move: Move) -> list[int]:
    return list(rules_of(position).path(position, move))


def _number(position: Position) -> SideNumber:
    return 1 if position.side else 0
