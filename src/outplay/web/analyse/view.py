"""Make the JSON of an analysis (headline, proof, the worth of every move, the gauge) and of a tree of variations."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Sequence

from outplay import explain
from outplay.engine.analyst import Judged
from outplay.engine.tables import verdict_score
from outplay.engine.types import Analysis, Line
from outplay.explain.places import outcome_cells
from outplay.notation.any import counted
from outplay.openings import name_of, opening_of
from outplay.outcome import Outcome, Side
from outplay.record import AnyNode
from outplay.rules import Position, must_capture, rules_of
from outplay.store.tree import MOST_COMMENT, Tree
from outplay.tablebase import Verdict
from outplay.web import board
from outplay.web.analyse import wire
from outplay.web.analyse.analyses import AnalysisRun
from outplay.web.play.view import line_view
from outplay.web.wire import OutcomeView, SideNumber
from outplay.web.words import clipped, position_sentence, seats_for, sentence

NOTHING = Judged(Analysis((), 0, 0, 0.0), None, is_complete=False)


def analysis_view(run: AnalysisRun) -> wire.AnalysisView:
    judged = run.found or NOTHING
    found, position = judged.analysis, run.task.position
    game = board.game_name(position)
    best = explain.settled(position, found.lines[0]) if found.lines else None
    return wire.AnalysisView(
        id=run.id,
        status=run.status,
        place=run.place,
        game=game,
        position=board.position_view(position),
        legal=board.legal_views(position),
        must_capture=must_capture(position),
        is_over=False,
        label="" if best is None else explain.label_of(best),
        verdict="unclear" if best is None else explain.verdict_of(best),
        known_by="search" if best is None else best.known_by,
        known="" if best is None else explain.known_of(best),
        sentence=position_sentence(position) if best is None else explain.sentence_of(position, best),
        detail=_detail(position, found.lines),
        gauge=0 if best is None else round(explain.gauge_of(position, best), 4),
        lines=[line_view(position, line) for line in found.lines],
        depth=found.depth,
        nodes=found.nodes,
        time_ms=round(1000 * found.seconds),
        table=None if judged.verdict is None else _table(position, judged.verdict),
        opening=opening_of((*run.task.history, position)),
        message=run.message(),
    )


def over_view(position: Position, history: tuple[Position, ...]) -> wire.AnalysisView:
    """Return the view of a finished game, which needs no analysis."""
    outcome = position.outcome()
    winner = None if outcome is None else outcome.winner
    return wire.AnalysisView(
        id=secrets.token_hex(6),
        status="done",
        place=0,
        game=board.game_name(position),
        position=board.position_view(position),
        legal=[],
        must_capture=False,
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
        opening=opening_of((*history, position)),
        message="",
    )


def _table(position: Position, verdict: Verdict) -> wire.TableVerdict:
    score = verdict_score(verdict)
    ends_in = None if not verdict.distance else explain.own_moves(verdict.distance)
    return wire.TableVerdict(
        verdict=verdict.value.value, ends_in=ends_in, sentence=sentence(explain.headline_of(position, score))
    )


def _detail(position: Position, lines: tuple[Line, ...]) -> str:
    """Say which moves do what: "Only column 7 wins. Column 6 draws, the others lose." """
    if not lines or not all(line.score.is_proof and line.score.unit == "exact" for line in lines):
        return ""
    found: dict[str, list[str]] = {"win": [], "draw": [], "loss": []}
    for line in sorted(lines, key=lambda line: line.move):
        found[explain.verdict_of(line.score)].append(position.format(line.move))
    (best, columns), *others = [(kind, columns) for kind, columns in found.items() if columns]
    if not others:
        return f"Every column {_DOES[best]}s." if len(lines) > 1 else "It is the only move."
    told = f"{'Only column' if len(columns) == 1 else 'Columns'} {_does(columns, best)}."
    (kind, columns), *rest = others
    named = "the others lose" if kind == "loss" and len(columns) > 1 else f"column{_s(columns)} {_does(columns, kind)}"
    return f"{told} {sentence(f'{named}, the others lose' if rest else named)}"


_DOES = {"win": "win", "draw": "draw", "loss": "lose"}


def _does(columns: list[str], kind: str) -> str:
    """Say what columns do: "3 and 5 draw", "4 wins"."""
    return f"{explain.listed(columns)} {_DOES[kind]}{'' if len(columns) > 1 else 's'}"


def _s(columns: list[str]) -> str:
    return "s" if len(columns) > 1 else ""


# Trees

NODES_AT_ONCE = 200
"""The number of nodes that are written without a pause."""


class StudyText:
    """A tree as the JSON of a `wire.Study`, made in parts, because a large tree takes long."""

    def __init__(self, tree: Tree, path: Sequence[str] | None = None, *, person: str) -> None:
        """`path` leads to the requested node; default: the last move of the game. The tree is for `person`."""
        self._tree, self._at = tree, tree.last if path is None else tree.at(path)
        self._person = person
        self._nodes = list(tree.nodes())
        self._places = {id(node): number for number, node in enumerate(self._nodes)}
        self._plies: dict[int, int] = {}

    def parts(self) -> Iterator[str]:
        """Yield the text, NODES_AT_ONCE nodes at a time."""
        head, tail = self._study().model_dump_json().removesuffix("]}"), "]}"
        for first in range(0, len(self._nodes), NODES_AT_ONCE):
            some = self._nodes[first : first + NODES_AT_ONCE]
            views = ",".join(self._node(first + number, node).model_dump_json() for number, node in enumerate(some))
            is_last = first + NODES_AT_ONCE >= len(self._nodes)
            yield ("," if first else head) + views + (tail if is_last else "")

    def _study(self) -> wire.Study:
        tree, saved = self._tree, self._tree.saved
        rules = rules_of(tree.game.start)
        return wire.Study(
            id=saved.id,
            version=saved.study_version,
            game=board.game_name(tree.game.start),
            title=rules.title,
            seats=seats_for(saved, self._person),
            is_study=saved.is_study,
            is_yours=saved.is_of(self._person),
            is_over=tree.outcome is not None,
            sentence=_study_sentence(tree, rules.sides),
            start=board.position_view(tree.game.start),
            played=len(tree.played),
            at=self._places[id(self._at)],
            nodes=[],
        )

    def _node(self, number: int, node: AnyNode) -> wire.StudyNode:
        """Return the view of a node. Call this for the nodes in order: a parent before its children."""
        self._plies[id(node)] = 0 if node.parent is None else self._plies[id(node.parent)] + 1
        parent = None if node.parent is None else self._places[id(node.parent)]
        return _node_view(self._tree, node, number, parent, self._plies[id(node)])


def _study_sentence(tree: Tree, sides: tuple[str, str]) -> str:
    if tree.outcome is not None:
        return explain.outcome_sentence(tree.outcome, sides)
    if tree.saved.is_study:
        return "A study."
    return f"After {counted(len(tree.played), 'move')}."


def _node_view(tree: Tree, node: AnyNode, number: int, parent: int | None, ply: int) -> wire.StudyNode:
    position, before = node.position, node.parent.position if node.parent is not None else None
    return wire.StudyNode(
        id=number,
        parent=parent,
        ply=ply,
        side=None if before is None else _number(before.side),
        move=node.text or None,
        path=[] if before is None else board.path_of(before, node.move),
        captures=[] if before is None else list(rules_of(before).captures(node.move)),
        text=position.fen(),
        board=board.board_text(position),
        turn=_number(position.side),
        is_played=tree.is_played(node),
        glyphs=[glyph for glyph in node.glyphs if glyph][:10],
        comment=clipped(node.comment, MOST_COMMENT),
        opening=name_of(position),
        outcome=_node_outcome(tree, node),
    )


def _node_outcome(tree: Tree, node: AnyNode) -> OutcomeView | None:
    """Return how the game ends at this node: on the board, or as the players ended it."""
    outcome: Outcome | None = node.position.outcome()
    if outcome is None and node is tree.last and not tree.saved.is_study:
        outcome = tree.outcome
    if outcome is None:
        return None
    return OutcomeView(
        winner=None if outcome.winner is None else _number(outcome.winner),
        reason=outcome.reason.value,
        sentence=explain.outcome_sentence(outcome, rules_of(node.position).sides),
        cells=outcome_cells(node.position, outcome),
    )


def _number(side: int) -> SideNumber:
    return 1 if side else 0
