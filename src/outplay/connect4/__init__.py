"""Connect Four on any board that fits: `Position` is the whole of its rules, `Solver` plays it perfectly."""

from outplay._core.connect4 import Members, Position
from outplay.connect4.book import Book
from outplay.connect4.deep_book import DeepBook, open_book
from outplay.connect4.solver import Solution, Solver, UnsolvedError, plies_to_end

__all__ = [
    "Book",
    "DeepBook",
    "Members",
    "Position",
    "Solution",
    "Solver",
    "UnsolvedError",
    "open_book",
    "plies_to_end",
]
