"""What the endgame tables know, as scores and lines."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from outplay import checkers
from outplay.engine.types import Analysis, Line, Score
from outplay.tablebase import Tablebase, Value, Verdict, open_endgames

WIN = 30_000
"""The value of a win on the spot; a ply more is one less."""


@cache
def tablebase() -> Tablebase:
    """The tables of this process, opened once."""
    return Tablebase.open()


@cache
def endgames() -> checkers.Endgames:
    """The same for the searcher."""
    return open_endgames()


def verdict_score(verdict: Verdict) -> Score:
    """A verdict as a score, for the side it was given for."""
    return _score(verdict.value, verdict.distance)


def move_score(position: checkers.Position, move: checkers.Move) -> Score | None:
    """What a move is worth to the side that plays it; None where the tables do not know."""
    after = tablebase().get(position.play(move))
    if after is None:
        return None
    return _score(_TURNED[after.value], None if after.distance is None else after.distance + 1)


def _score(value: Value, plies: int | None) -> Score:
    if value == Value.DRAW:
        return Score(0, "table", unit="men")
    sign = 1 if value == Value.WIN else -1
    return Score(sign * (WIN - (plies or 0)), "table", plies=plies, unit="men")


_TURNED = {Value.WIN: Value.LOSS, Value.DRAW: Value.DRAW, Value.LOSS: Value.WIN}


def proved(position: checkers.Position, analysis: Analysis) -> Analysis:
    """The analysis with every score that the tables know put in the place of what was searched, the best first."""
    lines = [replace(line, score=move_score(position, line.move) or line.score) for line in analysis.lines]
    lines.sort(key=lambda line: -line.score.value)
    return replace(analysis, lines=tuple(lines))


def from_tables(position: checkers.Position, lines: int) -> Analysis | None:
    """The answer where the tables know the way: who wins, and in how many plies. A draw is left to the search."""
    verdict = tablebase().get(position)
    if verdict is None or verdict.distance is None:
        return None
    scores = [(move, move_score(position, move)) for move in position.legal_moves()]
    judged = [Line(move, score, (move,)) for move, score in scores if score is not None]
    judged.sort(key=lambda line: -line.score.value)
    return Analysis(tuple(judged[:lines]), depth=0, nodes=len(judged), seconds=0.0)
