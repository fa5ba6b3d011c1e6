"""Boards of both games as text and as SVG, from plain data.

Nothing here knows the rules: it draws what it is given, and raises ValueError for what it cannot draw.
"""

from outplay.draw.checkers import checkers_svg, checkers_text
from outplay.draw.connect4 import connect4_svg, connect4_text

__all__ = ["checkers_svg", "checkers_text", "connect4_svg", "connect4_text"]
