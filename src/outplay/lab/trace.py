"""A recorded search as plain data: the positions it searched, in order, each with its window, score and reason.

recorder.py observes the search; this file defines what is recorded.

A search visits more positions than a reader wants to see. A trace keeps at most `limit` entries, positions and
pruned moves together: the expected line, the moves beside it, then the others from the root down. What is left out is
counted in the entry above it.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import Any

from outplay.engine.types import check_not_over
from outplay.lab.clock import Clock, Stopped
from outplay.lab.compare import run
from outplay.lab.deepening import BY_TWO, deepen, useful_depth
from outplay.lab.evaluate import Evaluation
from outplay.lab.recorder import Recorder, Visit
from outplay.lab.search import Search, SearchResult
from outplay.lab.techniques import Techniques, make_search
from outplay.rules import Move, Position, rules_of

LIMIT = 2000


@dataclass(frozen=True, slots=True)
class Trace:
    """A recorded search as plain data: `asdict` makes JSON of it."""

    game: str
    position: str
    sides: tuple[str, str]
    """The name of the side to move at the root, and of the other one."""
    depth: int
    techniques: tuple[str, ...]
    evaluate: str
    score: float | None
    line: tuple[str, ...]
    visited: int
    """The number of positions searched in all, including those of shallower searches."""
    searches: tuple[tuple[int, int], ...]
    """The depth of each search and its number of positions: one, or several when deepening."""
    left_out: int
    """The number of positions of the last search that are not in `visits`."""
    visits: tuple[Visit, ...]
    """The last search, in the order of its positions; a pruned move is at the place where it would have come."""

    def as_json(self) -> dict[str, Any]:
        """Return the trace as JSON data, without the fields of a visit that are None."""
        visits = [{key: value for key, value in asdict(visit).items() if value is not None} for visit in self.visits]
        return {**asdict(replace(self, visits=())), "visits": visits}


def trace(
    position: Position,
    depth: int,
    techniques: Techniques,
    evaluation: Evaluation,
    *,
    order: str | None = None,
    limit: int = LIMIT,
    clock: Clock | None = None,
) -> Trace:
    """Search a position and return what was recorded. With a clock the search may end early, and the trace says so."""
    check_not_over(position)
    if limit < 1:
        raise ValueError(f"limit must be positive, not {limit}")
    depth = useful_depth(position, depth)
    search = make_search(techniques, position, evaluation.score, order=order, clock=clock)
    recorder = Recorder(search, keep=10 * limit + 10_000)
    try:
        found: SearchResult | None = run(search, position, depth, deepening=techniques.deepening)
    except Stopped:
        found = None
    return _made(position, depth, techniques, evaluation, search, recorder, found, limit)


def trace_each(position: Position, depth: int, techniques: Techniques, evaluation: Evaluation) -> list[Trace]:
    """Search a position by deepening, and return the trace of each depth."""
    check_not_over(position)
    search = make_search(techniques, position, evaluation.score)
    recorder = Recorder(search, keep=11 * LIMIT)
    return [
        _made(position, found.depth, techniques, evaluation, search, recorder, found, LIMIT)
        for found in deepen(search, position, lambda now: search.look(position, now), depth, step=BY_TWO)
    ]


def _made(
    position: Position,
    depth: int,
    techniques: Techniques,
    evaluation: Evaluation,
    search: Search,
    recorder: Recorder,
    found: SearchResult | None,
    limit: int,
) -> Trace:
    """Return the trace of the last search; `found` is None if the clock stopped it."""
    rules = rules_of(position)
    texts = _texts(position, search.lines[0] if found is None else found.line)
    visits, left_out = recorder.visits(texts, limit)
    return Trace(
        game=rules.name,
        position=position.fen(),
        sides=(rules.side_name(position.side), rules.side_name(position.side.other)),
        depth=depth,
        techniques=techniques.names(),
        evaluate=evaluation.name,
        score=None if found is None else found.score,
        line=texts,
        visited=search.nodes,
        searches=recorder.searches(),
        left_out=left_out,
        visits=visits,
    )


def _texts(position: Position, line: tuple[Move, ...]) -> tuple[str, ...]:
    texts = []
    for move in line:
        texts.append(position.format(move))
        position = position.play(move)
    return tuple(texts)
