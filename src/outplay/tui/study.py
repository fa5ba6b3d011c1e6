"""A game on the analysis board: its tree of variations, the current node, and its place in the store."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from outplay.errors import GameOverError, OutplayError
from outplay.live import NotNowError, Terms
from outplay.notation import write
from outplay.record import AnyGame, AnyNode
from outplay.rules import Move

if TYPE_CHECKING:
    from outplay.store import SavedGame, Store
    from outplay.store.tree import Tree


class StudyTree:
    """A saved game, or one that is saved when the first variation is tried."""

    def __init__(self, saved: SavedGame, *, is_new: bool) -> None:
        from outplay.store.tree import Tree

        self.tree: Tree = Tree(saved)
        self._is_new = is_new
        self.node: AnyNode = self.tree.last
        self._before: tuple[AnyNode, list[tuple[AnyNode, list[AnyNode]]]] | None = None
        """The node that was looked at, and all nodes with their children, before the newest deletion or reordering."""

    @classmethod
    def of(cls, game: AnyGame) -> StudyTree:
        """Return a study of a game that is in no store."""
        from outplay.store.games import SavedGame, new_id

        terms = Terms(is_strict=True)
        return cls(SavedGame(new_id(), game, terms, is_record=True, is_study=True), is_new=True)

    @property
    def game(self) -> AnyGame:
        return self.tree.game

    @property
    def line(self) -> list[AnyNode]:
        """The line through the current node, from the root to the end of the line."""
        return list(self.node.end().line())[::-1]

    def path(self) -> list[str]:
        return [each.text for each in reversed(list(self.node.line())) if each.parent is not None]

    def play(self, move: Move) -> bool:
        """Go to the node after a move; return whether this node is new."""
        outcome = self.node.position.outcome()
        if outcome is not None:
            raise GameOverError(self.node.position, outcome.reason)
        is_new = all(child.move != move for child in self.node.children)
        if is_new:
            self._before = None
        self.node = self.tree.add(self.path(), [self.node.position.format(move)])
        return is_new

    def promote(self) -> None:
        """Put the variation first at the nearest branch; see `Tree.promote`. NotNowError if it is first already."""
        before = self._lines()
        self.node, self._before = self.tree.promote(self.path()), before

    def delete(self) -> None:
        """Delete the variation from this move on. NotNowError if the move was played in the game."""
        before = self._lines()
        self.node, self._before = self.tree.delete(self.path()), before

    def _lines(self) -> tuple[AnyNode, list[tuple[AnyNode, list[AnyNode]]]]:
        return self.node, [(each, list(each.children)) for each in self.tree.nodes()]

    def undo(self) -> None:
        """Undo the newest deletion or reordering, if no move was added since. NotNowError if there is none."""
        if self._before is None:
            raise NotNowError("there is nothing to undo: u undoes the newest deletion or reordering")
        (self.node, lines), self._before = self._before, None
        for each, children in lines:
            each.children[:] = children

    def comment(self, text: str) -> None:
        """Set the comment on the move that led here; an empty string removes it."""
        from outplay.store.tree import MOST_COMMENT

        if len(text) > MOST_COMMENT:
            raise OutplayError(f"a comment has at most {MOST_COMMENT:,} characters, not {len(text):,}")
        self.tree.comment(self.path(), text)

    def to_save(self) -> Callable[[Store], None]:
        """Return a function that saves the tree as it is now; another thread may call it."""
        tree, saved, is_new = self.tree, self.tree.saved, self._is_new
        self.game.go_to(tree.last)
        text = write(self.game)
        self._is_new = False
        tree.saved = replace(saved, study_version=saved.study_version + (not is_new))

        def save(store: Store) -> None:
            store.check_writable()
            if is_new:
                store.add([saved])
            else:
                store.save_study(saved, tree.game, text)

        return save
