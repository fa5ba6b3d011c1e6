"""What each move of a position is worth: by the solver, the endgame tables, or a search with a fixed number of nodes.

Nothing here depends on time, so an answer is the same on every machine.
"""

from __future__ import annotations

import threading
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import cast

from outplay import checkers, connect4
from outplay.engine.tables import verdict_score
from outplay.engine.types import Line, Score
from outplay.review.checkers import turned
from outplay.rules import Move, Position, rules_of
from outplay.tablebase import Tablebase, open_endgames, shipped_folder

NODES = 400_000
"""The number of nodes of one search, which scores all moves of a checkers position."""
CLOSER = 10
"""A closer search has the usual number of nodes times this."""
SHOWN_LINE = 12
"""The largest number of moves of a line."""
KEPT = 2_000
_MOST_LINES = 100


class Prover:
    """Knows what moves are worth. The answer to a question does not depend on earlier ones."""

    def __init__(self, *, nodes: int = NODES, tables: Path | None = None) -> None:
        """Make a prover. `tables` is a folder of endgame tables. Default: only those that come with outplay."""
        self._nodes = nodes
        self._folder = tables or shipped_folder()
        self._tables = Tablebase.open(self._folder)
        self._solver = connect4.Solver(table_mib=16)
        self._searcher: checkers.Searcher | None = None
        self._lock = threading.Lock()
        self._known: dict[tuple[Position, bool], tuple[Line, ...]] = {}
        """The last answers; the oldest are forgotten."""

    def lines(self, position: Position, *, closer: bool = False) -> tuple[Line, ...]:
        """Return every legal move with its score and the best continuation, best first; nothing if the game is over.

        `closer` asks for a longer search, where a search is needed at all.
        """
        with self._lock:
            found = self._known.get((position, closer))
            if found is None:
                found = self._known[position, closer] = self._judged(position, closer)
                if len(self._known) > KEPT:
                    del self._known[next(iter(self._known))]
        return found

    def _judged(self, position: Position, closer: bool) -> tuple[Line, ...]:
        if position.outcome() is not None:
            return ()
        if rules_of(position).name == "connect4":
            return self._solved(cast(connect4.Position, position))
        return self._searched(cast(checkers.Position, position), self._nodes * (CLOSER if closer else 1))

    def scores(self, position: Position, *, closer: bool = False) -> dict[Move, Score]:
        """Return the score of every legal move, for the side to move."""
        return {line.move: line.score for line in self.lines(position, closer=closer)}

    def line(self, position: Position, *, most: int = SHOWN_LINE) -> tuple[Move, ...]:
        """Return the moves of best play from here: the winner is quick, the loser holds out."""
        moves: list[Move] = []
        while len(moves) < most and position.outcome() is None:
            lines = self.lines(position)
            best = lines[0]
            moves.append(best.move)
            if not best.score.is_proof and len(best.moves) > 1:  # found by a search: only its own line is known
                moves += best.moves[1 : most - len(moves) + 1]
                break
            position = position.play(best.move)
        return tuple(moves)

    def _solved(self, position: connect4.Position) -> tuple[Line, ...]:
        scores = self._solver.scores(position)
        found = [
            Line(column, Score(score, "solved", plies=connect4.plies_to_end(position, score), unit="exact"), (column,))
            for column, score in enumerate(scores)
            if score is not None
        ]
        return tuple(sorted(found, key=lambda line: (-line.score.value, abs(2 * line.move - position.width + 1))))

    def _searched(self, position: checkers.Position, nodes: int) -> tuple[Line, ...]:
        known = self._from_tables(position)
        if known is not None:
            return known
        if self._searcher is None:
            self._searcher = checkers.Searcher(
                table_mib=16, weights=_weights_in_men(), endgames=open_endgames(self._folder)
            )
        self._searcher.clear()
        count = min(_MOST_LINES, len(position.legal_moves()))
        found = self._searcher.analyse(position, nodes=nodes, lines=count).lines
        lines = [Line(line.move, self._table_score(position, line.move) or _score(line), line.moves) for line in found]
        return tuple(sorted(lines, key=lambda line: -line.score.value))

    def _from_tables(self, position: checkers.Position) -> tuple[Line, ...] | None:
        """Return every move with the tables' score, best first; None if the tables do not know all of them."""
        if self._tables.get(position) is None:
            return None
        scores = [(move, self._table_score(position, move)) for move in position.legal_moves()]
        found = [Line(move, score, (move,)) for move, score in scores if score is not None]
        return tuple(sorted(found, key=lambda line: -line.score.value)) if len(found) == len(scores) else None

    def _table_score(self, position: checkers.Position, move: checkers.Move) -> Score | None:
        verdict = self._tables.get(position.play(move))
        return None if verdict is None else turned(verdict_score(verdict))


def _weights_in_men() -> checkers.Weights:
    """Return weights that count a man the same at every stage of a game; the engine's usual ones do not."""
    return checkers.Weights.from_bytes(files("outplay").joinpath("data", "checkers-patterns.weights").read_bytes())


def _score(line: checkers.SearchLine) -> Score:
    return Score(line.score, "search", line.depth, line.plies, "men")


@cache
def prover() -> Prover:
    """Return the prover of this process, opened once."""
    return Prover()
