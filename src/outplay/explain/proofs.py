"""What confirms a reason: the Connect Four solver, the endgame tables and a checkers search of a fixed size.

The answers do not depend on the time, the machine or earlier questions: the solver is exact, and every checkers search
has one thread, an empty hash table and a fixed number of nodes.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass
from functools import cache, cached_property

from outplay import checkers, connect4
from outplay.engine.native import SearcherEngine
from outplay.engine.tables import proved
from outplay.engine.types import KnownBy, Limit
from outplay.explain.reason import end_of
from outplay.explain.scores import CERTAIN, is_certain

SOLVER_NODES = 3_000_000
"""The nodes for each question to the solver: more than any position of the usual board needs with the book."""
SEARCH_NODES = 100_000
"""The nodes for each checkers position."""
LONGER = 6
"""A longer search has the usual number of nodes times this."""
REMEMBERED = 1000
LONG_ENOUGH = 6
"""A line of fewer moves is continued from its end."""
MOST_CONTINUED = 2
WON = CERTAIN
"""The score of every certain win, however far away: a slower win is no mistake."""


@dataclass(frozen=True, slots=True)
class Found:
    """What a search found about a checkers position: the score for the side to move, in hundredths of a man."""

    value: float
    moves: tuple[checkers.Move, ...]
    known_by: KnownBy
    is_certain: bool
    """True if the result is known, by the tables or because the search saw the end."""


class Proofs:
    """A solver and a searcher, made when they are first needed. Any thread may ask."""

    def __init__(
        self,
        *,
        solver: connect4.Solver | None = None,
        solver_nodes: int = SOLVER_NODES,
        search_nodes: int = SEARCH_NODES,
    ) -> None:
        self._given, self._solver_nodes, self._search_nodes = solver, solver_nodes, search_nodes
        self._lock = threading.Lock()
        self._searched: dict[tuple[checkers.Position, bool], Found] = {}

    @cached_property
    def solver(self) -> connect4.Solver:
        return self._given or connect4.Solver(table_mib=16)

    def solve(self, position: connect4.Position) -> int | None:
        """Return the exact score of a position for the side to move; None if it is not found."""
        with self._lock:
            found = self.solver.solve(position, nodes=self._solver_nodes)
        return found.score if found.is_exact else None

    def move_scores(self, position: connect4.Position) -> dict[int, int] | None:
        """Return the exact score of every move for the side that plays it; None if one is not found."""
        scores = {column: self.move_score(position, column) for column in position.legal_moves()}
        found = {column: score for column, score in scores.items() if score is not None}
        return found if len(found) == len(scores) else None

    def move_score(self, position: connect4.Position, column: int) -> int | None:
        after = position.play(column)
        if after.outcome() is None:
            score = self.solve(after)
            return None if score is None else -score
        return self.solver.move_score(position, column)

    def line(self, position: connect4.Position) -> tuple[int, ...]:
        """Return best play by both sides to the end, or as far as it is found."""
        with self._lock:
            return tuple(self.solver.line(position, nodes=self._solver_nodes))

    @cached_property
    def _engine(self) -> SearcherEngine:
        return SearcherEngine(table_mib=16)

    def search(self, position: checkers.Position, *, longer: bool = False) -> Found:
        """Return what a search with an empty hash table finds; the position must have a legal move."""
        with self._lock:
            if (position, longer) not in self._searched:
                if len(self._searched) >= REMEMBERED:
                    self._searched.clear()
                self._searched[position, longer] = self._search(position, longer)
            return self._searched[position, longer]

    def _search(self, position: checkers.Position, longer: bool) -> Found:
        self._engine.clear()
        limit = Limit(nodes=self._search_nodes * (LONGER if longer else 1))
        line = proved(position, self._engine.analyse(position, limit)).lines[0]
        value = max(-WON, min(WON, line.score.value))
        moves = self._continued(position, line.moves)
        return Found(value, moves, line.score.known_by, is_certain(line.score))

    def _continued(self, position: checkers.Position, moves: tuple[checkers.Move, ...]) -> tuple[checkers.Move, ...]:
        """Return a line, continued by searches from its end if it is short: a search may lose the rest of its line."""
        for _ in range(MOST_CONTINUED):
            end = end_of(position, moves)
            if len(moves) >= LONG_ENOUGH or end.outcome() is not None:
                break
            self._engine.clear()
            moves += proved(end, self._engine.analyse(end, Limit(nodes=self._search_nodes))).lines[0].moves
        return moves


@cache
def shared_proofs() -> Proofs:
    """Return the `Proofs` that this whole process shares."""
    return Proofs()
