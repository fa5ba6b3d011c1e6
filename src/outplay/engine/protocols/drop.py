"""The Drop protocol: Connect Four with the grammar and the order of messages of the Hub protocol. See docs/drop.md.

A move is a column from 1; columns past 9 are a, b, ... A position is written as the moves that lead to it, in one word:

>>> from outplay.connect4 import Position
>>> position, history = read_setup(read_line("pos moves=4453"))
>>> position == Position.from_moves("4453"), len(history)
(True, 4)
>>> write_setup(position, history)
{'moves': '4453'}
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from outplay.connect4 import Position
from outplay.engine.protocols.hub import Message, read_line
from outplay.engine.types import Analysis, Line, Score
from outplay.errors import IllegalMoveError, NotationError

__all__ = ["read_info", "read_line", "read_move", "read_setup", "write_info", "write_move", "write_setup"]

USUAL_SIZE = (7, 6)


# Positions and moves


def write_setup(position: Position, history: Sequence[Position]) -> dict[str, str]:
    """Return the arguments of `pos`.

    `moves` lead to the position. `size` is given if the board is not 7 x 6, `rows` if the first board is not empty.
    """
    start, moves = _since_start(position, history)
    arguments: dict[str, str] = {}
    if (start.width, start.height) != USUAL_SIZE:
        arguments["size"] = f"{start.width}x{start.height}"
    if start.plies:
        arguments["rows"] = start.fen()
    if moves:
        arguments["moves"] = moves
    return arguments


def _since_start(position: Position, history: Sequence[Position]) -> tuple[Position, str]:
    """Return the earliest position from which single moves lead through the history to `position`, and these moves."""
    start, moves = position, list[str]()
    for before in reversed(history):
        step = next((move for move in before.legal_moves() if before.play(move) == start), None)
        if step is None:
            break
        moves.append(before.format(step))
        start = before
    return start, "".join(reversed(moves))


def read_setup(message: Message) -> tuple[Position, tuple[Position, ...]]:
    """Return the position of a `pos`, and the positions before it."""
    position, history = _start(message), list[Position]()
    for text in message.get("moves").replace(" ", ""):
        history.append(position)
        position = position.play(read_move(position, text))
    return position, tuple(history)


def _start(message: Message) -> Position:
    found = re.fullmatch(r"([0-9]{1,2})x([0-9]{1,2})", message.get("size") or "7x6")
    if found is None:
        raise NotationError(message.get("size"), "write a size as columns x rows, such as 7x6")
    if message.get("rows"):
        position = Position.from_fen(message.get("rows"))
        if message.get("size") and (position.width, position.height) != (int(found[1]), int(found[2])):
            raise NotationError(message.get("rows"), f"this board is not {found[0]}")
        return position
    return Position(int(found[1]), int(found[2]))


def write_move(position: Position, move: int) -> str:
    return position.format(move)


def read_move(position: Position, text: str) -> int:
    """Return the column that a text names. NotationError, or IllegalMoveError if it cannot be played here."""
    if not re.fullmatch("[1-9a-z]", text):
        raise NotationError(text, "a move is a column: 1 to 9, then a, b, ...")
    move: int = position.parse(text)
    if not position.is_legal(move):
        legal = " ".join(map(position.format, position.legal_moves()))
        raise IllegalMoveError(text, position, f"the moves are {legal}" if legal else "there is no move")
    return move


# What a search found


def write_info(position: Position, analysis: Analysis) -> Message:
    """Return `info` with depth, score, nodes, seconds and the best line."""
    line = analysis.lines[0]
    texts = list[str]()
    for move in line.moves or (line.move,):
        texts.append(position.format(move))
        position = position.play(move)
    arguments = {
        "depth": str(analysis.depth),
        "score": f"{line.score.value:g}",
        "nodes": str(analysis.nodes),
        "time": f"{analysis.seconds:.3f}",
        "pv": "".join(texts),
    }
    return Message("info", arguments)


def read_info(message: Message, position: Position) -> Analysis | None:
    """Return the analysis of an `info`; None if the message has no `pv`, and so no move."""
    texts = message.get("pv").replace(" ", "")
    if not texts:
        return None
    depth, nodes, seconds, score = (_number(message, name) for name in ("depth", "nodes", "time", "score"))
    moves = list[int]()
    for text in texts:
        moves.append(read_move(position, text))
        position = position.play(moves[-1])
    line = Line(moves[0], Score(score, "search", int(depth)), tuple(moves))
    return Analysis((line,), int(depth), int(nodes), seconds)


def _number(message: Message, name: str) -> float:
    text = message.get(name) or "0"
    if not re.fullmatch(r"[+-]?[0-9]{1,12}(\.[0-9]{0,9})?", text):
        raise NotationError(text, f"{name} must be a decimal number")
    return float(text)
