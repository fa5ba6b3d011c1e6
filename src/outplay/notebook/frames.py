"""What a board in a notebook shows, as JSON: one frame for each position of a game, or of a recorded search."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from outplay import checkers, connect4
from outplay.lab.narrate import Story
from outplay.lab.recorder import Visit
from outplay.lab.trace import Trace
from outplay.outcome import Outcome
from outplay.record import AnyGame, AnyNode
from outplay.rules import Move, Position, must_capture, rules_named, rules_of

Frame = dict[str, Any]
SCORE_NODES = 30_000
"""How many positions a search of checkers looks at for the scores on the board."""
SCORE_LINES = 4


class Film(Protocol):
    """A sequence of positions to go through."""

    def __len__(self) -> int:
        """Return the number of frames."""

    def frame(self, at: int) -> Frame:
        """Return a frame by its index."""

    def position(self, at: int) -> Position:
        """Return the position of a frame."""


class GameFilm:
    """The line of a game through the current position, from the start to the end."""

    def __init__(self, game: AnyGame) -> None:
        self.game = game
        self._nodes = list(game.current.end().line())[::-1]

    def __len__(self) -> int:
        return len(self._nodes)

    def node(self, at: int) -> AnyNode:
        return self._nodes[at]

    def position(self, at: int) -> Position:
        position: Position = self._nodes[at].position
        return position

    def frame(self, at: int) -> Frame:
        node = self._nodes[at]
        before = node.parent.position if node.parent is not None else None
        outcome = self.game.outcome_at(node)
        return {
            **position_frame(node.position, before, node.move, at),
            "won": won_cells(node.position, outcome),
            "text": sentence(node.position, outcome),
        }


class TraceFilm:
    """The positions of a recorded search in the order of the search, each with what happened there."""

    def __init__(self, trace: Trace) -> None:
        self._visits, self._story = [visit for visit in trace.visits if visit.kind != "pruned"], Story(trace)
        self._positions: dict[int, Position] = {}
        self._by_id = {visit.id: visit for visit in trace.visits}
        self._start = rules_named(trace.game).read(trace.position)

    def __len__(self) -> int:
        return len(self._visits)

    def position(self, at: int) -> Position:
        return self._position(self._visits[at])

    def _position(self, visit: Visit) -> Position:
        if visit.parent is None or visit.move is None:
            return self._start
        if visit.id not in self._positions:
            before = self._position(self._by_id[visit.parent])
            self._positions[visit.id] = before.play(before.parse(visit.move))
        return self._positions[visit.id]

    def frame(self, at: int) -> Frame:
        visit = self._visits[at]
        position, before, move = self._position(visit), None, None
        if visit.parent is not None and visit.move is not None:
            before = self._position(self._by_id[visit.parent])
            move = before.parse(visit.move)
        said = self._story.sentences(visit)
        return {**position_frame(position, before, move, visit.ply), "won": [], "text": f"Ply {visit.ply}. {said}"}


def position_frame(position: Position, before: Position | None, move: Move | None, ply: int) -> Frame:
    """Return the data to draw a position and the move that led to it."""
    rules = rules_of(position)
    width, height = rules.size(position)
    last = None
    if before is not None and move is not None:
        last = {"ply": ply, "path": list(rules.path(before, move)), "captures": list(rules.captures(move))}
    return {
        "game": rules.name,
        "sides": list(rules.sides),
        "board": rules.cells(position),
        "before": "" if before is None else rules.cells(before),
        "width": width,
        "height": height,
        "side": int(position.side),
        "last": last,
    }


def move_frame(position: Position, move: Move) -> Frame:
    """Return a move in the form that the board reads."""
    rules = rules_of(position)
    return {
        "text": position.format(move),
        "path": list(rules.path(position, move)),
        "captures": list(rules.captures(move)),
    }


def legal_frames(position: Position) -> Frame:
    moves = [move_frame(position, move) for move in position.legal_moves()]
    return {"legal": moves, "must_capture": must_capture(position)}


def won_cells(position: Position, outcome: Outcome | None) -> list[int]:
    """Return the cells of the winning fours."""
    width, _ = rules_of(position).size(position)
    return [] if outcome is None else sorted({row * width + column for line in outcome.lines for row, column in line})


def sentence(position: Position, outcome: Outcome | None) -> str:
    """Say whose turn it is, or how the game ended."""
    rules = rules_of(position)
    if outcome is None:
        return f"{rules.side_name(position.side)} to move"
    if outcome.winner is None:
        return f"A draw: {outcome.reason}"
    return f"{rules.side_name(outcome.winner)} wins: {outcome.reason}"


def score_chips(position: Position) -> list[Frame]:
    """Return the scores of the moves: exact ones in Connect Four, those of a search in checkers."""
    if position.outcome() is not None:
        return []
    board: Any = position
    if rules_of(position).name == "connect4":
        scores = connect4.Solver().scores(board)
        return [_chip(str(column + 1), score) for column, score in enumerate(scores) if score is not None]
    found = checkers.Searcher(table_mib=4).analyse(board, nodes=SCORE_NODES, lines=SCORE_LINES)
    return [_chip(position.format(line.move), line.score / 100) for line in found.lines]


def _chip(move: str, score: float) -> Frame:
    kind = "win" if score > 0 else "loss" if score < 0 else "draw"
    return {"move": move, "score": f"{score:+.3g}" if score else "0", "kind": kind}


def arrow_frames(position: Position, moves: Sequence[Move | str]) -> list[Frame]:
    """Return the moves for arrows; NotationError or IllegalMoveError for a string that is not a legal move here."""
    return [
        move_frame(position, position.parse(move) if isinstance(move, str) else _checked(position, move))
        for move in moves
    ]


def _checked(position: Position, move: Move) -> Move:
    position.play(move)  # refuses what is not legal
    return move
