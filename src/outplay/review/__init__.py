"""Judge a game move by move: by proof in Connect Four, by endgame tables and search in checkers."""

from outplay.review.annotate import annotated
from outplay.review.judge import Judge, Judgement
from outplay.review.puzzles import Puzzle, puzzle_judge, puzzles_of
from outplay.review.review import Progress, judge_for, review
from outplay.review.types import Answer, Grade, JudgedMove, Review, SideReview, TurningPoint, Worth

__all__ = [
    "Answer",
    "Grade",
    "Judge",
    "JudgedMove",
    "Judgement",
    "Progress",
    "Puzzle",
    "Review",
    "SideReview",
    "TurningPoint",
    "Worth",
    "annotated",
    "judge_for",
    "puzzle_judge",
    "puzzles_of",
    "review",
]
