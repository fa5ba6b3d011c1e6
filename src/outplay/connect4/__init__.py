"""Connect Four on any board that fits: `Position` is the whole of its rules, `Solver` plays it perfectly."""

from outplay._core.connect4 import Position
from outplay.connect4.book import Book
from outplay.connect4.deep_book import DeepBook
from outplay.connect4.solver import Solution, Solver, UnsolvedError, plies_to_end

__all__ = ["Book", "DeepBook", "Position", "Solution", "Solver", "UnsolvedError", "plies_to_end"]
