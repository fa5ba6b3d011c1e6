"""A saved game as a tree of variations that can be read, extended and rearranged. The played moves never change.

The store keeps two texts: the game, which the players write, and the tree, which the analysis writes. This module
merges the two, so that neither can damage the other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from outplay.errors import GameOverError
from outplay.live import NotNowError, StaleError
from outplay.notation import outcome_of
from outplay.notation.any import MOST_NODES, MOST_PLIES
from outplay.notation.pdn import games
from outplay.record import AnyGame, AnyNode
from outplay.store.games import SavedGame

MOST_COMMENT = 2_000

Change = Callable[["Tree"], AnyNode]
"""A function that changes a tree and returns the node that it changed."""


class Tree:
    """The tree of a saved game."""

    def __init__(self, saved: SavedGame) -> None:
        self.saved = saved
        self.outcome = None if saved.is_study else outcome_of(saved.game)
        self.played: list[AnyNode] = []
        """The nodes of the played game; empty in a study."""
        if saved.is_study:
            self.game = saved.game
        else:
            self.game, self.played = _laid_over(saved)
        self._played = set(map(id, self.played))
        self._count = sum(1 for _ in self.nodes()) - 1

    @property
    def last(self) -> AnyNode:
        """Return the last move of the game, or of a study's main line."""
        return [self.game.root, *(self.game.main_line() if self.saved.is_study else self.played)][-1]

    def is_played(self, node: AnyNode) -> bool:
        """Return True if the node belongs to the played game."""
        return id(node) in self._played

    def nodes(self) -> Iterator[AnyNode]:
        """Yield every node: each line down to its end, main line first."""
        waiting = [self.game.root]
        while waiting:
            node = waiting.pop()
            yield node
            waiting += reversed(node.children)

    def at(self, path: Sequence[str]) -> AnyNode:
        """Return the node that these moves lead to. StaleError if it no longer exists."""
        node = self.game.root
        for text in path:
            found = next((child for child in node.children if child.text == text), None)
            if found is None:
                raise StaleError(self.saved.study_version)
            node = found
        return node

    def add(self, path: Sequence[str], moves: Sequence[str]) -> AnyNode:
        """Return the last node of a line that begins at `path`; add the moves that are missing."""
        node = self.at(path)
        for text in moves:
            outcome = node.position.outcome()
            if outcome is not None:
                raise GameOverError(node.position, outcome.reason)
            before = len(node.children)
            node, parent = node.add(node.position.parse(text)), node
            self._count += len(parent.children) - before
        if self._count > MOST_NODES or len(path) + len(moves) > MOST_PLIES:
            raise NotNowError(f"a study has at most {MOST_NODES} moves, and each line at most {MOST_PLIES}")
        return node

    def promote(self, path: Sequence[str]) -> AnyNode:
        """Put the line of a node first at a branch: the nearest one above the node where it is not first already.

        If the first move at this branch was played in the game, that move stays first, and the line comes second.
        """
        node = self.at(path)
        for child in node.line():
            if child.parent is None:
                break
            siblings = child.parent.children
            first = 1 if self.is_played(siblings[0]) and siblings[0] is not child else 0
            if siblings.index(child) > first:
                siblings.remove(child)
                siblings.insert(first, child)
                return node
        raise NotNowError("this is the first line already; the moves of the game itself always stay first")

    def delete(self, path: Sequence[str]) -> AnyNode:
        """Delete a node and all that follows it, and return its parent."""
        node = self.at(path)
        if node.parent is None or self.is_played(node):
            raise NotNowError("this move was played in the game: only variations can be deleted")
        node.parent.children.remove(node)
        return node.parent

    def comment(self, path: Sequence[str], text: str) -> AnyNode:
        """Set the comment on a move; an empty string removes it."""
        node = self.at(path)
        node.comment = text
        return node


def whole_game(saved: SavedGame) -> AnyGame:
    """Return the game with all its variations, to be written to a file.

    Variations after the last move of an unfinished game are left out, because a reader would take them for played
    moves.
    """
    tree = Tree(saved)
    tree.game.headers = saved.game.headers
    end = tree.last
    if not saved.is_study:
        if tree.outcome is None:
            end.children.clear()
        elif end.children:
            end.ending = tree.outcome
    tree.game.go_to(end)
    return tree.game


def _laid_over(saved: SavedGame) -> tuple[AnyGame, list[AnyNode]]:
    """Return the tree, with the played moves as its first line, and the nodes of that line."""
    ending, moves = saved.game.current.ending, saved.game.moves
    tree = next(games(saved.study, name=f"study of game {saved.id}")) if saved.study else saved.game
    for node in (tree.root, *tree.main_line()):
        node.ending = None
    node, played = tree.root, []
    for move in moves:
        child = node.add(move)
        node.children.remove(child)
        node.children.insert(0, child)
        node = child
        played.append(node)
    node.ending = ending
    return tree, played
