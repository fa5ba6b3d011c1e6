"""A board in a notebook: play against any player, replay a game, see scores, walk through a search.

It is the board of the web app, as a widget for Jupyter, marimo and VS Code. It needs `pip install 'outplay[notebook]'`.
"""

from outplay.extras import require

require("notebook", "anywidget")

from outplay.notebook.board import Board

__all__ = ["Board"]
