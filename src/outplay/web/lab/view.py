"""Make the JSON of experiments: recorded searches with a board for every position, and ladders."""

from __future__ import annotations

import time
from typing import cast

from outplay.lab.compare import Row, agreement, fewer
from outplay.lab.narrate import Story, value_text
from outplay.lab.recorder import Visit
from outplay.lab.task import Experiment, Finding
from outplay.lab.trace import Trace
from outplay.rules import RULES, Position
from outplay.web import board
from outplay.web.lab import wire
from outplay.web.runs import Run
from outplay.web.words import position_sentence, sentence

LabRun = Run[Experiment, Finding]


def run_view(run: LabRun) -> wire.LabRun:
    finding = run.found
    return wire.LabRun(
        id=run.id,
        kind=run.task.kind,
        status=run.status,
        place=run.place,
        nodes=0 if finding is None else finding.nodes,
        time_ms=_time_ms(run, finding),
        trace=None if finding is None or finding.trace is None else trace_view(finding.trace),
        ladder=None if run.task.kind == "trace" else ladder_view(run),
        message=run.message(run.task.time_ms),
    )


def _time_ms(run: LabRun, finding: Finding | None) -> int:
    if run.place:
        return 0
    seconds = time.monotonic() - run.began if finding is None and not run.is_over else finding.seconds if finding else 0
    return round(seconds * 1000)


# A recorded search


def trace_view(trace: Trace) -> wire.TraceView:
    root = RULES[trace.game].read(trace.position)
    story = Story(trace)
    positions: dict[int, Position] = {}
    visits = [_visit(visit, story, positions, root) for visit in trace.visits]
    return wire.TraceView(
        game=board.game_name(root),
        position=board.position_view(root),
        sides=list(trace.sides),
        sentence=position_sentence(root),
        depth=trace.depth,
        techniques=cast("list[wire.TechniqueName]", list(trace.techniques)),
        evaluation=trace.evaluate,
        label="" if trace.score is None else value_text(trace.score),
        line=list(trace.line),
        visited=trace.visited,
        searches=[wire.SearchStep(depth=depth, nodes=nodes) for depth, nodes in trace.searches],
        left_out=trace.left_out,
        visits=visits,
    )


def _visit(visit: Visit, story: Story, positions: dict[int, Position], root: Position) -> wire.VisitView:
    """Return one position, and add it to `positions`, which has all earlier ones."""
    path: list[int] = []
    position = root
    if visit.parent is not None and visit.move is not None:
        before = positions[visit.parent]
        move = before.parse(visit.move)
        position, path = before.play(move), board.path_of(before, move)
    positions[visit.id] = position
    return wire.VisitView(
        id=visit.id,
        parent=visit.parent,
        move=visit.move,
        ply=visit.ply,
        number=visit.number,
        kind=visit.kind,
        is_main=visit.is_main,
        label=story.label(visit),
        bound=story.bound(visit),
        window="" if visit.number is None else story.window(visit),
        moves=visit.moves,
        looked=visit.looked,
        left_out=visit.left_out,
        reason=story.reason(visit),
        sentences=story.sentences(visit),
        board=board.board_text(position),
        path=path,
    )


# The ladder


def ladder_view(run: LabRun) -> wire.LadderView:
    experiment, finding = run.task, run.found
    rows = () if finding is None else finding.rows
    return wire.LadderView(
        position=board.position_view(experiment.position),
        depth=experiment.depth,
        evaluation=experiment.evaluation or "",
        rungs=[_rung(row, rows[0]) for row in rows],
        agreement=_agreement(rows),
        now="" if finding is None or run.is_over else finding.now,
    )


def _agreement(rows: tuple[Row, ...]) -> str:
    scores = {row.score for row in rows if row.score is not None}
    if len(scores) == 1:
        return f"All find {value_text(scores.pop())}."
    return sentence(agreement(rows)) if rows else ""


def _rung(row: Row, first: Row) -> wire.Rung:
    used = [name for name in row.techniques if name != "minimax"]
    return wire.Rung(
        title=row.title[:1].upper() + row.title[1:],
        techniques=cast("list[wire.TechniqueName]", used),
        nodes=row.nodes,
        time_ms=round(row.seconds * 1000, 2),
        fewer=fewer(row, first),
        move=row.move,
        label="" if row.score is None else value_text(row.score),
        is_finished=row.score is not None,
    )
