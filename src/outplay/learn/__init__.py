"""Lessons and puzzles: content as data, checked by the solver, the endgame tables and the search."""

from outplay.learn.answers import StepAnswer, judge_step, solution
from outplay.learn.courses import Courses
from outplay.learn.goals import Goal
from outplay.learn.lesson import Lesson, Refutation, Step
from outplay.learn.lesson_file import LessonError, parse_lesson, read_lesson
from outplay.learn.marks import BoardMark
from outplay.learn.proof import Prover, prover
from outplay.learn.puzzle import GradedPuzzle, find_puzzle, parse_puzzle, read_puzzles, shipped_puzzles, write_puzzles
from outplay.learn.themes import THEMES

__all__ = [
    "THEMES",
    "BoardMark",
    "Courses",
    "Goal",
    "GradedPuzzle",
    "Lesson",
    "LessonError",
    "Prover",
    "Refutation",
    "Step",
    "StepAnswer",
    "find_puzzle",
    "judge_step",
    "parse_lesson",
    "parse_puzzle",
    "prover",
    "read_lesson",
    "read_puzzles",
    "shipped_puzzles",
    "solution",
    "write_puzzles",
]
