"""A search as an engine: it is asked for a move like any other engine, and reports what it saw."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from outplay.engine.types import Analysis, Limit, Line, Report, check_not_over
from outplay.lab.clock import Clock, Stopped
from outplay.lab.deepening import choose, useful_depth
from outplay.lab.evaluate import Evaluation, find_evaluation
from outplay.lab.root import Ranking, Root, RootMove
from outplay.lab.score import engine_score
from outplay.lab.search import MAX_DEPTH, Search
from outplay.lab.techniques import Techniques, make_search
from outplay.rules import Move, Position, rules_of

DEFAULT_DEPTH = 4


class LabEngine:
    """An engine that searches with the chosen techniques, and picks at random among equally good moves.

    `depth` and `time_ms` limit every search, in addition to the `limit` given to `analyse`. If no depth is given, the
    search goes DEFAULT_DEPTH plies deep; with deepening and a limit of time or positions, it goes on until that limit.
    `evaluate` is the name of an evaluation (or `file.py:function`), `order` one of ORDERS. The same seed
    gives the same choices. With `deeper_counts` the table also uses entries of greater depth.
    """

    def __init__(
        self,
        name: str = "lab",
        *,
        techniques: Techniques | None = None,
        depth: int | None = None,
        time_ms: int | None = None,
        evaluate: str | None = None,
        order: str | None = None,
        deeper_counts: bool = False,
        seed: int | None = None,
    ) -> None:
        if depth is not None and not 1 <= depth <= MAX_DEPTH:
            raise ValueError(f"depth must be from 1 to {MAX_DEPTH}, not {depth}")
        if time_ms is not None and time_ms < 1:
            raise ValueError(f"time_ms must be positive, not {time_ms}")
        self._name = name
        self.techniques = techniques if techniques is not None else Techniques()
        self.depth = depth
        self.time_ms = time_ms
        self.evaluate = evaluate
        self.order = order
        self.deeper_counts = deeper_counts
        self._random = random.Random(seed)
        self._clock = Clock()
        self._evaluations: dict[str, Evaluation] = {}

    @property
    def name(self) -> str:
        return self._name

    def stop(self) -> None:
        """End the running search; `analyse` then returns the best result so far."""
        self._clock.stop()

    def analyse(
        self, position: Position, limit: Limit, *, history: Sequence[Position] = (), report: Report | None = None
    ) -> Analysis:
        clock = self._clock = Clock(self._time_ms(limit), limit.nodes)
        check_not_over(position)
        evaluation = self._evaluation(position)
        search = make_search(
            self.techniques,
            position,
            evaluation.score,
            order=self.order,
            deeper_counts=self.deeper_counts,
            clock=clock,
        )
        root = Root(
            search,
            position,
            moves=self.candidates(position, limit),
            every_score=limit.lines > 1,
            history=history,
            shuffle=evaluation.shuffle,
        )
        lots = {move: self._random.random() for move in position.legal_moves()}
        ranking = Ranking(0, (RootMove(root.moves[0], 0, False, (root.moves[0],)),))  # if no move is searched in time
        for ranking in self.rankings(search, root, self._depth(position, limit)):
            if report is not None:
                report(_analysis(ranking, lots, limit, search))
        return _analysis(ranking, lots, limit, search)

    def candidates(self, position: Position, limit: Limit) -> Sequence[Move] | None:
        """Return the moves to choose from; None means all."""
        return None

    def rankings(self, search: Search, root: Root, depth: int) -> Iterator[Ranking]:
        """Yield better and better rankings of the moves."""
        if self.techniques.deepening:
            yield from choose(search, root, depth)
            return
        try:
            yield root.look(depth)
        except Stopped:
            partial = root.so_far(depth, None)
            if partial is not None:
                yield partial

    def _evaluation(self, position: Position) -> Evaluation:
        game = rules_of(position).name
        if game not in self._evaluations:
            self._evaluations[game] = find_evaluation(self.evaluate, game)
        return self._evaluations[game]

    def _depth(self, position: Position, limit: Limit) -> int:
        depths = [depth for depth in (self.depth, limit.depth) if depth is not None]
        if depths:
            return useful_depth(position, min(depths))
        can_go_on = self.techniques.deepening and (self._time_ms(limit) is not None or limit.nodes is not None)
        return useful_depth(position, MAX_DEPTH if can_go_on else DEFAULT_DEPTH)

    def _time_ms(self, limit: Limit) -> int | None:
        times = [time_ms for time_ms in (self.time_ms, limit.move_time_ms()) if time_ms is not None]
        return min(times) if times else None


def _analysis(ranking: Ranking, lots: dict[Move, float], limit: Limit, search: Search) -> Analysis:
    """Return the ranking as an analysis; of the best moves, the one with the highest random number comes first."""
    favourite = max(ranking.best(), key=lambda found: lots[found.move])
    moves = [favourite, *(found for found in ranking.moves if found is not favourite)]
    lines = tuple(
        Line(found.move, engine_score(found.score, ranking.depth), found.line) for found in moves[: limit.lines]
    )
    return Analysis(lines, ranking.depth, search.nodes, search.clock.seconds)
