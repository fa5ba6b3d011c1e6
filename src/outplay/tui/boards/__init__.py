"""The two boards as widgets: they draw a position and report the chosen cell; they know geometry but no rules."""

from outplay.tui.boards.checkers import CheckersWidget
from outplay.tui.boards.connect4 import Connect4Widget

BOARDS: dict[str, type[Connect4Widget] | type[CheckersWidget]] = {
    "connect4": Connect4Widget,
    "checkers": CheckersWidget,
}

__all__ = ["BOARDS", "CheckersWidget", "Connect4Widget"]
