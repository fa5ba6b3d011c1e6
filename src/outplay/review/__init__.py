"""Judge a game move by move: by proof in Connect Four, by endgame tables and search in checkers."""

from outplay.review.annotate import annotated
from outplay.review.coach import Coach, coach
from outplay.review.judge import Judge, Judgement
from outplay.review.puzzles import Puzzle, puzzle_judge, puzzles_of
from outplay.review.review import Progress, judge_for, review
from outplay.review.types import Answer, Grade, JudgedMove, Review, SideReview, TurningPoint, Worth

__all__ = [
    "Answer",
    "Coach",
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
    "coach",
    "judge_for",
    "puzzle_judge",
    "puzzles_of",
    "review",
]
