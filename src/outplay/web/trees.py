"""A tree of variations as the page sees it."""

from __future__ import annotations

from collections.abc import Sequence

from outplay import explain
from outplay.openings import name_of
from outplay.outcome import Outcome
from outplay.record import Node
from outplay.rules import rules_of
from outplay.web import boards, wire
from outplay.web.library import seat_titles
from outplay.web.study import Tree
from outplay.web.views import outcome_cells
from outplay.web.words import TITLE, clipped, counted

MOST_GLYPHS = 10


def study_view(tree: Tree, path: Sequence[str] | None = None) -> wire.Study:
    """The tree, and the node that was asked for; without one, the last move of the game."""
    saved, rules = tree.saved, rules_of(tree.game.start)
    nodes = list(tree.nodes())
    places = {id(node): number for number, node in enumerate(nodes)}
    at = tree.last if path is None else tree.at(path)
    return wire.Study(
        id=saved.id,
        version=saved.study_version,
        game=boards.game_name(tree.game.start),
        title=rules.title,
        seats=[clipped(title, TITLE) for title in seat_titles(saved)],
        is_study=saved.terms.is_study,
        is_over=tree.outcome is not None,
        sentence=_sentence(tree, rules.sides),
        start=boards.position_view(tree.game.start),
        played=len(tree.played),
        at=places[id(at)],
        nodes=_node_views(tree, nodes, places),
    )


def _sentence(tree: Tree, sides: tuple[str, str]) -> str:
    if tree.outcome is not None:
        return explain.outcome_sentence(tree.outcome, sides)
    if tree.saved.terms.is_study:
        return "A study."
    return f"After {counted(len(tree.played), 'move')}."


def _node_views(tree: Tree, nodes: Sequence[Node], places: dict[int, int]) -> list[wire.StudyNode]:
    plies: dict[int, int] = {}
    views = []
    for number, node in enumerate(nodes):
        plies[id(node)] = 0 if node.parent is None else plies[id(node.parent)] + 1
        parent = None if node.parent is None else places[id(node.parent)]
        views.append(_node_view(tree, node, number, parent, plies[id(node)]))
    return views


def _node_view(tree: Tree, node: Node, number: int, parent: int | None, ply: int) -> wire.StudyNode:
    position, before = node.position, node.parent.position if node.parent is not None else None
    return wire.StudyNode(
        id=number,
        parent=parent,
        ply=ply,
        side=None if before is None else _number(before.side),
        move=node.text or None,
        path=[] if before is None else boards.path_of(before, node.move),
        captures=[] if before is None else boards.captures_of(node.move),
        text=position.fen(),
        board=boards.board_text(position),
        turn=_number(position.side),
        is_played=tree.is_played(node),
        glyphs=[glyph for glyph in node.glyphs if glyph][:MOST_GLYPHS],
        comment=clipped(node.comment, wire.MAX_COMMENT),
        opening=clipped(name_of(position), TITLE),
        outcome=_outcome(tree, node),
    )


def _outcome(tree: Tree, node: Node) -> wire.OutcomeView | None:
    """How it ends here: as the game was ended, or as the board shows it."""
    outcome: Outcome | None = node.position.outcome()
    if outcome is None and node is tree.last and not tree.saved.terms.is_study:
        outcome = tree.outcome
    if outcome is None:
        return None
    return wire.OutcomeView(
        winner=None if outcome.winner is None else _number(outcome.winner),
        reason=outcome.reason.value,
        sentence=explain.outcome_sentence(outcome, rules_of(node.position).sides),
        cells=outcome_cells(node.position, outcome),
    )


def _number(side: int) -> wire.SideNumber:
    return 1 if side else 0
