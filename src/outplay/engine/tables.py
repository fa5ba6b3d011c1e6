"""The endgame tables as scores and lines."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from outplay import checkers
from outplay.engine.types import Analysis, Line, Score
from outplay.tablebase import Tablebase, Value, Verdict, open_endgames

WIN = 30_000
"""The value of an immediate win; it is one less for each further ply."""


@cache
def tablebase() -> Tablebase:
    """Return the tables of this process, opened once."""
    return Tablebase.open()


@cache
def endgames() -> checkers.Endgames:
    """Return the tables of this process for the searcher."""
    return open_endgames()


def verdict_score(verdict: Verdict) -> Score:
    """Return a verdict as a score, for the same side."""
    return _score(verdict.value, verdict.distance)


def move_score(position: checkers.Position, move: checkers.Move) -> Score | None:
    """Return the score of a move for the side that plays it; None if the tables do not know it."""
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
    """Return the analysis, best move first. Scores that the tables know replace those of the search."""
    lines = [replace(line, score=move_score(position, line.move) or line.score) for line in analysis.lines]
    lines.sort(key=lambda line: -line.score.value)
    return replace(analysis, lines=tuple(lines))


def from_tables(position: checkers.Position, lines: int) -> Analysis | None:
    """Return the tables' answer if they know who wins and in how many plies. Draws are left to the search."""
    verdict = tablebase().get(position)
    if verdict is None or verdict.distance is None:
        return None
    scores = [(move, move_score(position, move)) for move in position.legal_moves()]
    judged = [Line(move, score, (move,)) for move, score in scores if score is not None]
    judged.sort(key=lambda line: -line.score.value)
    return Analysis(tuple(judged[:lines]), depth=0, nodes=len(judged), seconds=0.0)
