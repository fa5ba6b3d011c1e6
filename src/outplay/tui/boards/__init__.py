"""The two boards as widgets: they draw a position, know geometry and no rules, and tell what was chosen."""

from outplay.tui.boards.checkers import CheckersBoard
from outplay.tui.boards.connect4 import Connect4Board

BOARDS: dict[str, type[Connect4Board] | type[CheckersBoard]] = {"connect4": Connect4Board, "checkers": CheckersBoard}

__all__ = ["BOARDS", "CheckersBoard", "Connect4Board"]
