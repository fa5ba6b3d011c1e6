"""A game on the analysis board: its tree of variations, the node that is looked at, and its place in the store."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from outplay.errors import GameOverError, OutplayError
from outplay.live import Terms
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
        """The line through the node that is looked at: root first, down to its end."""
        return list(self.node.end().line())[::-1]

    def path(self) -> list[str]:
        return [each.text for each in reversed(list(self.node.line())) if each.parent is not None]

    def play(self, move: Move) -> bool:
        """Go to the node after a move; return whether the move is new here."""
        outcome = self.node.position.outcome()
        if outcome is not None:
            raise GameOverError(self.node.position, outcome.reason)
        is_new = all(child.move != move for child in self.node.children)
        self.node = self.tree.add(self.path(), [self.node.position.format(move)])
        return is_new

    def promote(self) -> None:
        """Move the variation one place up. NotNowError if it is the first line."""
        self.node = self.tree.promote(self.path())

    def delete(self) -> None:
        """Delete the variation from this move on. NotNowError if it was played in the game."""
        self.node = self.tree.delete(self.path())

    def comment(self, text: str) -> None:
        """Set the comment on the move that led here; an empty text removes it."""
        from outplay.store.tree import MOST_COMMENT

        if len(text) > MOST_COMMENT:
            raise OutplayError(f"a comment has at most {MOST_COMMENT:,} characters, not {len(text):,}")
        self.tree.comment(self.path(), text)

    def to_save(self) -> Callable[[Store], None]:
        """Return what saves the tree as it is now, for another thread."""
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
