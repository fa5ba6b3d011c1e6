"""A reason for a move, or against it: a sentence, marks for the board, and a line of moves to play through."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeVar

from outplay.engine.types import KnownBy
from outplay.explain.voice import Voice
from outplay.outcome import Side
from outplay.rules import Move, Position

P = TypeVar("P", bound=Position)
MarkKind = Literal["threat", "line", "order", "arrow", "reply", "take", "target", "avoid", "cell"]
"""What a mark draws: see `BoardMark`."""
ReasonKind = Literal[
    "line",
    "four",
    "block",
    "missed-block",
    "gives-cell",
    "double-threat",
    "stacked-threats",
    "forced-sequence",
    "zugzwang",
    "loses-threat",
    "threat",
    "centre",
    "stops",
    "only-move",
    "parries",
    "shot",
    "hanging",
    "material",
    "crowned",
    "back-row",
    "trapped-king",
    "the-move",
    "no-moves",
    "tables",
    "simplify",
]
"""What a reason says; a reason of the kind "line" has only a line. docs/explain.md has a sentence for each kind."""


@dataclass(frozen=True, slots=True)
class BoardMark:
    """One mark on a board. Cells are numbered as in our JSON: row * width + column from 0, or squares 1-32.

    `threat`: `side` makes four there. `line`: the cells of a four, the empty one last. `order`: the disc of move
    `number`. `arrow`, `reply`: the path of a move, and of the answer. `take`: a piece that is captured. `target`:
    where a piece will stand. `avoid`: a cell that `side` must not fill. `cell`: anything else worth looking at.
    """

    kind: MarkKind
    cells: tuple[int, ...]
    side: Side | None = None
    number: int | None = None

    def to_dict(self) -> dict[str, Any]:
        told: dict[str, Any] = {"kind": self.kind, "cells": list(self.cells)}
        if self.side is not None:
            told["side"] = int(self.side)
        return told if self.number is None else told | {"number": self.number}


@dataclass(frozen=True, slots=True)
class MoveReason:
    """Why a move is good, or how it is refuted. The solver, the tables or a search has confirmed it."""

    kind: ReasonKind
    text: str
    """One to three sentences; empty if only the line is known."""
    line: tuple[str, ...]
    """The moves to play through: the move itself first."""
    at: int = 0
    """The number of moves of the line after which the marks are drawn."""
    marks: tuple[BoardMark, ...] = ()
    known_by: KnownBy = "search"
    """`solved` and `table` are proofs. `search`: the search finds nothing better for either side."""

    @property
    def is_reason(self) -> bool:
        """Return True if there is a sentence, and not only a line."""
        return bool(self.text)

    def told(self, voice: Voice) -> MoveReason:
        """Return the reason with the sides named as in this voice; see voice.py."""
        return replace(self, text=voice.tell(self.text))

    def to_dict(self) -> dict[str, Any]:
        """Return the reason as JSON data."""
        return {
            "kind": self.kind,
            "text": self.text,
            "line": list(self.line),
            "at": self.at,
            "marks": [mark.to_dict() for mark in self.marks],
            "known_by": self.known_by,
        }


def reason_from_dict(data: dict[str, Any]) -> MoveReason:
    """Return the reason that `to_dict` wrote."""
    marks = tuple(
        BoardMark(
            mark["kind"],
            tuple(mark["cells"]),
            None if mark.get("side") is None else Side(mark["side"]),
            mark.get("number"),
        )
        for mark in data["marks"]
    )
    return MoveReason(data["kind"], data["text"], tuple(data["line"]), data["at"], marks, data["known_by"])


def line_texts(position: Position, moves: Sequence[Move]) -> tuple[str, ...]:
    """Return moves as strings, each as it is written in the position in which it is played."""
    texts = []
    for move in moves:
        texts.append(position.format(move))
        position = position.play(move)
    return tuple(texts)


def line_moves(position: Position, texts: Sequence[str]) -> tuple[Move, ...]:
    """Read the moves of a line; the first one is played in `position`."""
    moves = []
    for text in texts:
        moves.append(position.parse(text))
        position = position.play(moves[-1])
    return tuple(moves)


def end_of(position: P, moves: Sequence[Move]) -> P:
    """Return the position after these moves."""
    for move in moves:
        position = position.play(move)
    return position
