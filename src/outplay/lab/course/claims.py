"""What the technique of a rung gains, measured: fewer positions for the same answer, or a better move."""

from __future__ import annotations

from dataclasses import dataclass

from outplay import connect4
from outplay.lab.compare import TITLES, Row, fewer, run
from outplay.lab.course.rounds import RecordedMonteCarlo
from outplay.lab.course.rungs import CourseRung
from outplay.lab.evaluate import find_evaluation
from outplay.lab.narrate import move_name, value_text
from outplay.lab.techniques import Techniques, make_search
from outplay.rules import Position

JUDGE_DEPTH = 8
"""The depth to which both moves are searched to judge them, in a game without a solver."""


@dataclass(frozen=True, slots=True)
class ClaimRow:
    """One row in the table of figures: one search and the move that it chose."""

    title: str
    nodes: int
    """Positions searched, or games played."""
    move: str
    value: str
    """The value that the search found; empty for Monte Carlo."""
    truth: str = ""
    """The true value of the move, and how it is known; empty where only the positions are compared."""


@dataclass(frozen=True, slots=True)
class RungClaim:
    """What the technique of a rung gains: a headline, a sentence and the figures."""

    headline: str
    sentence: str
    rows: tuple[ClaimRow, ...]


def fewer_positions(rung: CourseRung) -> RungClaim:
    """Compare searches with and without the rung's technique, at the rung's `depth` and, if given, at its `deeper`."""
    depths = [rung.depth, *([] if rung.deeper is None else [rung.deeper])]
    pairs = [(search_row(rung, depth, rung.base), search_row(rung, depth, rung.techniques)) for depth in depths]
    told = []
    rows = []
    for depth, (before, after) in zip(depths, pairs, strict=True):
        told.append(f"Depth {depth}: {before.nodes:,} positions without it, {after.nodes:,} with it.")
        for row, names in ((before, rung.base), (after, rung.techniques)):
            move = move_name(rung.game, row.move or "")
            rows.append(ClaimRow(f"{_title(names)}, depth {depth}", row.nodes, move, value_text(row.score or 0)))
    before, after = pairs[-1]
    same = "The value is the same." if before.score == after.score else "The values differ."
    return RungClaim(
        f"{fewer(after, before)} positions at depth {depths[-1]}", " ".join((*told, same, rung.also)), tuple(rows)
    )


def better_move(rung: CourseRung, search: RecordedMonteCarlo | None) -> RungClaim:
    """Compare the move that the run chose with the move of the base search, and judge both."""
    base_depth = rung.base_depth or rung.depth
    before = search_row(rung, base_depth, rung.base)
    rows = [_judged(rung, f"{_title(rung.base)}, depth {base_depth}", before)]
    if search is None:
        after = search_row(rung, rung.depth, rung.techniques)
        rows.append(_judged(rung, f"{_title(rung.techniques)}, depth {rung.depth}", after))
    else:
        search.play(rung.all_rounds - len(search.rounds))
        best = max(search.root.children, key=lambda child: (child.visits, child.wins))
        move = rung.position.format(best.move)
        row = Row((), rung.all_rounds, 0.0, move, None)
        rows.append(_judged(rung, f"Monte Carlo, {rung.all_rounds} games", row))
    first, second = rows
    return RungClaim(
        f"{second.move[:1].upper()}{second.move[1:]} instead of {first.move}",
        f"{first.title}: {first.move}, {first.truth}. {second.title}: {second.move}, {second.truth}. {rung.also}",
        tuple(rows),
    )


def search_row(rung: CourseRung, depth: int, techniques: str) -> Row:
    """Return the result of one search of the rung's position."""
    position, used = rung.position, Techniques.of(techniques)
    search = make_search(used, position, find_evaluation(None, rung.game).score)
    found = run(search, position, depth, deepening=used.deepening)
    return Row(("minimax", *used.names()), search.nodes, 0.0, position.format(found.line[0]), found.score)


def _title(names: str) -> str:
    used = [TITLES[name] for name in Techniques.of(names).names()] or [TITLES["minimax"]]
    if used == [TITLES["quiescence"]]:
        used = [TITLES["minimax"], *used]
    text = " with ".join((used[0], ", ".join(used[1:]))) if len(used) > 1 else used[0]
    return text[:1].upper() + text[1:]


def _judged(rung: CourseRung, title: str, row: Row) -> ClaimRow:
    position = rung.position
    after = position.play(position.parse(row.move or ""))
    value = "" if row.score is None else value_text(row.score)
    return ClaimRow(title, row.nodes, move_name(rung.game, row.move or ""), value, _truth(after))


def _truth(position: Position) -> str:
    """Return the value of a position for the side that moved last, and how it is known."""
    if isinstance(position, connect4.Position):
        if position.outcome() is not None:
            return "which ends the game"
        solved = -connect4.Solver().solve(position).low
        return f"which {'wins' if solved > 0 else 'loses' if solved < 0 else 'draws'}, solved"
    techniques = Techniques.of("alphabeta,ordering,table,quiescence")
    search = make_search(techniques, position, find_evaluation(None, "checkers").score)
    score = -search.look(position, JUDGE_DEPTH - 1).score
    return f"worth {value_text(score)} at depth {JUDGE_DEPTH}"
