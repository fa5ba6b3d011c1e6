"""The trees of saved games, changed version by version."""

from __future__ import annotations

from outplay.live import StaleError
from outplay.notation import write
from outplay.store import ConflictError
from outplay.store.tree import Change, Tree
from outplay.web.play.games import Games


class Studies:
    """The trees of saved games. Any thread may call any method."""

    def __init__(self, all_games: Games) -> None:
        self._games = all_games

    def tree(self, game_id: str) -> Tree:
        return Tree(self._games.saved(game_id))

    def change(self, game_id: str, version: int, change: Change) -> tuple[Tree, list[str]]:
        """Apply a change to this version of the tree. Return the saved tree, and the path of the changed node."""
        tree = self.tree(game_id)
        if tree.saved.study_version != version:
            raise StaleError(tree.saved.study_version)
        before = write(tree.game)
        node = change(tree)
        path = [each.text for each in reversed(list(node.line())) if each.parent is not None]
        text = write(tree.game)
        if text == before:
            return tree, path
        tree.game.go_to(tree.last)
        try:
            self._games.store.save_study(tree.saved, tree.game, text)
        except ConflictError:
            raise StaleError(self.tree(game_id).saved.study_version) from None
        if tree.saved.is_study:
            self._games.put_away(game_id)
        return self.tree(game_id), path
