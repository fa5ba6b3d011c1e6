"""Connect Four on boards of many sizes: `Position` holds all of its rules, `Solver` plays it perfectly."""

from outplay._core.connect4 import NO_SCORE, Members, Position, Positions, VectorGames, observation
from outplay.connect4.book import Book
from outplay.connect4.deep_book import DeepBook, open_book
from outplay.connect4.solver import NearScore, Solution, Solver, UnsolvedError, plies_to_end

__all__ = [
    "NO_SCORE",
    "Book",
    "DeepBook",
    "Members",
    "NearScore",
    "Position",
    "Positions",
    "Solution",
    "Solver",
    "UnsolvedError",
    "VectorGames",
    "observation",
    "open_book",
    "plies_to_end",
]
