"""Write a review into a game: glyphs, comments, and the better lines as variations."""

from __future__ import annotations

from outplay.record import AnyGame, AnyNode, Game
from outplay.review.types import GLYPHS, JudgedMove, Review

_OF_MOVES = range(1, 7)
"""The glyphs that say how good a move is: ! ? !! ?? !? ?!"""


def annotated(game: AnyGame, review: Review) -> AnyGame:
    """Return a copy of a game with its review in it.

    Earlier comments stay. On judged moves, the glyphs for good and bad moves are replaced by those of the review.
    """
    copy = _copied(game)
    nodes = copy.main_line()
    for move in review.moves:
        _annotate(nodes[move.ply - 1], move)
    accuracies = [
        f"{side.name} {side.accuracy:.0f} % accurate ({side.sentence})"
        for side in review.sides
        if side.accuracy is not None
    ]
    if accuracies:
        _remark(copy.root, f"{'; '.join(accuracies)}.")
    return copy


def _annotate(node: AnyNode, move: JudgedMove) -> None:
    assert node.parent is not None
    node.glyphs = [glyph for glyph in node.glyphs if glyph not in _OF_MOVES]
    if move.grade not in GLYPHS:
        return
    node.glyphs.insert(0, GLYPHS[move.grade])
    _remark(node, move.sentence)
    better = node.parent
    for text in move.line:
        better = better.add(better.position.parse(text))


def _remark(node: AnyNode, text: str) -> None:
    node.comment = f"{node.comment} {text}".strip()


def _copied(game: AnyGame) -> AnyGame:
    """Return a copy of the tree; a stack avoids recursion in deep trees."""
    copy: AnyGame = Game(game.start, no_progress=game.no_progress, headers=game.headers)
    waiting = [(game.root, copy.root)]
    while waiting:
        old, new = waiting.pop()
        new.comment, new.glyphs, new.ending = old.comment, list(old.glyphs), old.ending
        if old is game.current:
            copy.go_to(new)
        waiting += [(child, new.add(child.move)) for child in old.children]
    return copy
