"""An analysis as the page sees it: a headline and its proof, every move with its worth, the gauge."""

from __future__ import annotations

import secrets

from outplay import connect4, explain
from outplay.engine.types import Line
from outplay.openings import opening_of
from outplay.outcome import Side
from outplay.rules import Position, rules_of
from outplay.tablebase import Verdict
from outplay.web import boards, wire
from outplay.web.analyst import Judgement
from outplay.web.errors import job_message
from outplay.web.jobs import Job
from outplay.web.opinions import line_view
from outplay.web.words import LABEL, TITLE, WORD, clipped, position_sentence, sentence

NOTHING = Judgement((), 0, 0, 0.0)


def analysis_view(job: Job) -> wire.AnalysisView:
    found = job.found if isinstance(job.found, Judgement) else NOTHING
    position = job.position
    game = boards.game_name(position)
    best = found.lines[0].score if found.lines else None
    return wire.AnalysisView(
        id=job.id,
        status=job.status,
        place=job.place,
        game=game,
        position=boards.position_view(position),
        legal=boards.legal_views(position),
        is_over=False,
        label="" if best is None else clipped(explain.label_of(position, best), LABEL),
        verdict="unclear" if best is None else explain.verdict_of(position, best),
        known_by="search" if best is None else best.known_by,
        known="" if best is None else clipped(explain.known_of(position, best), WORD),
        sentence=position_sentence(position) if best is None else clipped(explain.sentence_of(position, best)),
        detail=_detail(position, found.lines),
        gauge=0 if best is None else round(explain.gauge_of(position, best), 4),
        lines=[_line(game, position, line) for line in found.lines],
        depth=min(1000, max(0, found.depth)),
        nodes=found.nodes,
        time_ms=min(24 * 3600 * 1000, round(1000 * found.seconds)),
        table=None if found.verdict is None else _table(position, found.verdict),
        opening=clipped(opening_of((*job.question.history, position)), TITLE),
        message=job_message(job),
    )


def over_view(position: Position, history: tuple[Position, ...]) -> wire.AnalysisView:
    """Where the game is over there is nothing to judge, but there is something to say."""
    outcome = position.outcome()
    winner = None if outcome is None else outcome.winner
    return wire.AnalysisView(
        id=secrets.token_hex(6),
        status="done",
        place=0,
        game=boards.game_name(position),
        position=boards.position_view(position),
        legal=[],
        is_over=True,
        label="",
        verdict="draw" if winner is None else "win" if winner is position.side else "loss",
        known_by="solved",
        known="over",
        sentence=position_sentence(position),
        detail="",
        gauge={Side.FIRST: 1, Side.SECOND: -1, None: 0}[winner],
        lines=[],
        depth=0,
        nodes=0,
        time_ms=0,
        table=None,
        opening=clipped(opening_of((*history, position)), TITLE),
        message="",
    )


def _line(game: str, position: Position, line: Line) -> wire.OpinionLine:
    return line_view(
        game, position, line, explain.label_of(position, line.score), explain.verdict_of(position, line.score)
    )


def _table(position: Position, verdict: Verdict) -> wire.TableVerdict:
    sides = rules_of(position).sides
    ends_in = None if not verdict.distance else explain.own_moves(verdict.distance)
    told = "A draw"
    if verdict.value != "draw":
        winner = sides[position.side if verdict.value == "win" else position.side.other]
        told = f"{winner} wins{'' if ends_in is None else f' in {ends_in}'}"
    return wire.TableVerdict(
        verdict=verdict.value.value, ends_in=ends_in, sentence=sentence(f"{told}, {explain.KNOWN['table']}")
    )


def _detail(position: Position, lines: tuple[Line, ...]) -> str:
    """Which moves do what: "Only column 7 wins. Column 6 draws, the others lose." """
    if not isinstance(position, connect4.Position) or not lines or not all(line.score.is_proof for line in lines):
        return ""
    found: dict[str, list[str]] = {"win": [], "draw": [], "loss": []}
    for line in sorted(lines, key=lambda line: line.move):
        found[explain.verdict_of(position, line.score)].append(position.format(line.move))
    (best, columns), *others = [(kind, columns) for kind, columns in found.items() if columns]
    if not others:
        return f"Every column {_DOES[best]}s." if len(lines) > 1 else "It is the only move."
    told = f"{'Only column' if len(columns) == 1 else 'Columns'} {_does(columns, best)}."
    (kind, columns), *rest = others
    named = "the others lose" if kind == "loss" and len(columns) > 1 else f"column{_s(columns)} {_does(columns, kind)}"
    return clipped(f"{told} {sentence(f'{named}, the others lose' if rest else named)}")


_DOES = {"win": "win", "draw": "draw", "loss": "lose"}


def _does(columns: list[str], kind: str) -> str:
    """ "3 and 5 draw", "4 wins"."""
    return f"{explain.listed(columns)} {_DOES[kind]}{'' if len(columns) > 1 else 's'}"


def _s(columns: list[str]) -> str:
    return "s" if len(columns) > 1 else ""
