"""Connect Four on any board that fits: `Position` is the whole of its rules."""

from outplay._core.connect4 import Position

__all__ = ["Position"]
