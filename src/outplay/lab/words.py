"""Describe a recorded search: a tree for the terminal, with the reason for every answer.

Each score is for the side to move in its position, as in the search itself.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from outplay.lab.recorder import Visit
from outplay.lab.score import in_words
from outplay.lab.trace import Trace

_FROM = {"killer": ", a killer", "last search": ", the expected move", "table": ", the table's move", "order": ""}


def reason(visit: Visit) -> str:
    """Return why the search has this score here: `cut: 7 >= beta 5 by 4; 3 moves never looked at`."""
    if visit.score is None:
        return "never looked at" if visit.kind == "pruned" else "not finished: the time was up"
    score = in_words(visit.score)
    if visit.kind == "cut" and visit.beta is not None:
        text = f"cut: {score} >= beta {in_words(visit.beta)} by {visit.by}{_FROM[visit.by_what or 'order']}"
        skipped = visit.moves - visit.looked
        return f"{text}; {_moves(skipped)} never looked at" if skipped else text
    if visit.kind == "low" and visit.alpha is not None:
        return f"low: no move gets above alpha {in_words(visit.alpha)}; {_moves(visit.looked)} looked at"
    if visit.kind == "table":
        return f"table: {visit.bound} {score}, searched before".replace("exact", "exactly")
    if visit.kind == "exact":
        return f"exact: the best of {_moves(visit.moves)}" if visit.moves > 1 else "exact: the only move"
    return "the game is over" if visit.kind == "end" else "evaluated"


def tree(trace: Trace) -> Iterator[str]:
    """Yield the lines of the tree. Moves that were never searched have no line; the cut says how many there are."""
    children: defaultdict[int | None, list[Visit]] = defaultdict(list)
    for visit in trace.visits:
        if visit.kind != "pruned":
            children[visit.parent].append(visit)
    root = children[None][0]
    width = max(len(visit.move or "") for visit in trace.visits)
    yield f"{'start':{width + 3}} {_answer(root, trace.sides)}"
    yield from _below(root, children, trace.sides, "", width)


def _below(
    visit: Visit, children: dict[int | None, list[Visit]], sides: tuple[str, str], indent: str, width: int
) -> Iterator[str]:
    below = children.get(visit.id, [])
    for number, child in enumerate(below):
        is_last = number == len(below) - 1 and not visit.left_out
        mark = "*" if child.is_main else " "
        yield f"{indent}{'└─' if is_last else '├─'}{mark}{child.move or '':{width}} {_answer(child, sides)}"
        yield from _below(child, children, sides, indent + ("   " if is_last else "│  "), width)
    if visit.left_out:
        yield f"{indent}└─ {visit.left_out:,} more position{'s' * (visit.left_out > 1)}, not shown"


def _answer(visit: Visit, sides: tuple[str, str]) -> str:
    if visit.score is None:
        return reason(visit)
    return f"{sides[visit.ply % 2]} {in_words(visit.score)}  {reason(visit)}"


def summary(trace: Trace) -> list[str]:
    """Return what was searched, the result, and how many of the positions the tree shows."""
    shown = sum(visit.number is not None for visit in trace.visits)
    with_what = ", ".join(trace.techniques) or "plain minimax"
    lines = [
        f"{trace.position}, {trace.sides[0]} to move, depth {trace.depth}, {with_what}, evaluation {trace.evaluate}"
    ]
    if trace.score is None:
        lines.append(f"the time was up; best so far: {' '.join(trace.line) or 'nothing'}")
    else:
        lines.append(
            f"score {in_words(trace.score)} for {trace.sides[0]}, expected line (marked *): {' '.join(trace.line)}"
        )
    if len(trace.searches) > 1:
        steps = ", ".join(f"depth {depth} {nodes:,}" for depth, nodes in trace.searches)
        lines.append(f"looked at {trace.visited:,} positions: {steps}; the tree is the last search, {shown:,} shown")
    else:
        lines.append(f"looked at {trace.visited:,} positions, {shown:,} shown")
    lines.append("each score is for the side to move in its position")
    return lines


def _moves(count: int) -> str:
    return "1 move" if count == 1 else f"{count} moves"
