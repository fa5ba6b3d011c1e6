"""A saved game as a tree of variations: looked at, added to, rearranged. What was played stays as it was played.

The game and the tree are saved apart: the store has the game as those who play it left it, and beside it the tree as
those who analyse it left it. Both are laid over one another here, so that neither can spoil the other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from outplay.errors import GameOverError
from outplay.live import NotNowError, StaleError
from outplay.notation import games, outcome_of
from outplay.record import AnyGame, AnyNode
from outplay.store.games import SavedGame

MOST_NODES = 4_000
"""Moves of a tree, all variations together."""
MOST_PLIES = 2_000
"""Moves of one line."""
MOST_COMMENT = 2_000

Change = Callable[["Tree"], AnyNode]
"""Changes a tree, and gives the node that it was about."""


class Tree:
    """The tree of a saved game."""

    def __init__(self, saved: SavedGame) -> None:
        self.saved = saved
        self.outcome = None if saved.is_study else outcome_of(saved.game)
        self.played: list[AnyNode] = []
        """The nodes of the game itself; none in a study."""
        if saved.is_study:
            self.game = saved.game
        else:
            self.game, self.played = _laid_over(saved)
        self._played = set(map(id, self.played))
        self._count = sum(1 for _ in self.nodes()) - 1

    @property
    def last(self) -> AnyNode:
        """The last move of the game, or of a study's first line."""
        return [self.game.root, *(self.game.main_line() if self.saved.is_study else self.played)][-1]

    def is_played(self, node: AnyNode) -> bool:
        """Is it part of the game itself?"""
        return id(node) in self._played

    def nodes(self) -> Iterator[AnyNode]:
        """Every node, each line down to its end, the first one first."""
        waiting = [self.game.root]
        while waiting:
            node = waiting.pop()
            yield node
            waiting += reversed(node.children)

    def at(self, path: Sequence[str]) -> AnyNode:
        """The node that these moves lead to. StaleError if there is none: somebody has deleted it."""
        node = self.game.root
        for text in path:
            found = next((child for child in node.children if child.text == text), None)
            if found is None:
                raise StaleError(self.saved.study_version)
            node = found
        return node

    def add(self, path: Sequence[str], moves: Sequence[str]) -> AnyNode:
        """The end of a line that begins at a node; what is not there yet is added."""
        node = self.at(path)
        for text in moves:
            outcome = node.position.outcome()
            if outcome is not None:
                raise GameOverError(node.position, outcome.reason)
            before = len(node.children)
            node, parent = node.add(node.position.parse(text)), node
            self._count += len(parent.children) - before
        if self._count > MOST_NODES or len(path) + len(moves) > MOST_PLIES:
            raise NotNowError(f"a study has at most {MOST_NODES} moves, and {MOST_PLIES} in a line")
        return node

    def promote(self, path: Sequence[str]) -> AnyNode:
        """Put the line through a node before those beside it, at the last place where it is not the first."""
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
        raise NotNowError("it is the first line already; what was played in the game stays before it")

    def delete(self, path: Sequence[str]) -> AnyNode:
        """Take a node and all that follows it away, and give the one before it."""
        node = self.at(path)
        if node.parent is None or self.is_played(node):
            raise NotNowError("this was played in the game: only variations can be deleted")
        node.parent.children.remove(node)
        return node.parent

    def comment(self, path: Sequence[str], text: str) -> AnyNode:
        """Say something about a move, or nothing any more."""
        node = self.at(path)
        node.comment = text
        return node


def whole_game(saved: SavedGame) -> AnyGame:
    """The game with all its variations, as a file can have it: those after the last move of a game that goes on are
    left out, for they would be read as moves that were played."""
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
    """The tree with the game as it is now as its first line, and the nodes of that line."""
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
