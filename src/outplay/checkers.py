"""Checkers (English draughts): `Position` and `Move` are the whole of its rules."""

from outplay._core.checkers import Move, Position

__all__ = ["Move", "Position"]
