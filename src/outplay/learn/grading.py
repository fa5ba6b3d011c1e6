"""Measure how hard a puzzle is: its grade is the lowest level that solves it in four of five tries.

In one try, a level plays every move of the line, with a limit of nodes instead of time and a seed of its own. So a
measurement gives the same grade on every machine.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence

from outplay.engine.types import Limit
from outplay.learn.puzzle import GRADES, GradedPuzzle
from outplay.levels import EVERY_LINE, LevelEngine, chances, level
from outplay.rules import Position, rules_of

NODES = 20_000
"""The largest number of nodes that a level may search for one move."""
TRIES = 5
ENOUGH = 4
"""A level solves a puzzle if it does so in this many of its tries."""


class Grader:
    """Measures grades. The search of a level makes no random choices, so it is done once for all tries."""

    def __init__(self) -> None:
        self._looks: dict[tuple[int, Position], tuple[list[str], list[float]]] = {}
        """The moves of a level in a position, and how likely the level is to play each."""

    def solves(self, puzzle: GradedPuzzle, number: int, seed: int) -> bool:
        """Return whether a level finds every move of the line. A forced move needs no search."""
        for place, (position, accepted) in enumerate(puzzle.questions()):
            if len(position.legal_moves()) > 1 and self._move(position, number, f"{seed} {place}") not in accepted:
                return False
        return True

    def solved_tries(self, puzzle: GradedPuzzle, number: int, seeds: Iterable[int]) -> int:
        """Return in how many tries a level solves a puzzle."""
        return sum(self.solves(puzzle, number, seed) for seed in seeds)

    def grade(self, puzzle: GradedPuzzle, seeds: Sequence[int] = range(TRIES)) -> int | None:
        """Return the lowest level that solves a puzzle; None if none does."""
        self._looks.clear()
        return next((number for number in GRADES if self._is_enough(puzzle, number, seeds)), None)

    def _is_enough(self, puzzle: GradedPuzzle, number: int, seeds: Sequence[int]) -> bool:
        """Return whether a level solves a puzzle in enough tries; stop as soon as that is clear."""
        allowed = len(seeds) - round(len(seeds) * ENOUGH / TRIES)
        for seed in seeds:
            allowed -= not self.solves(puzzle, number, seed)
            if allowed < 0:
                return False
        return True

    def _move(self, position: Position, number: int, seed: str) -> str:
        """Return the move of a level in one try."""
        if (number, position) not in self._looks:
            self._looks[number, position] = self._look(position, number)
        moves, weights = self._looks[number, position]
        return random.Random(seed).choices(moves, weights)[0]

    def _look(self, position: Position, number: int) -> tuple[list[str], list[float]]:
        rung = level(rules_of(position).name, number)
        limit = Limit(nodes=NODES, lines=EVERY_LINE if rung.slack else 1)
        lines = LevelEngine(number, seed=number).analyse(position, limit).lines
        if rung.slack:
            lines = tuple(sorted(lines, key=lambda line: -line.score.value))  # the engine puts its own choice first
        return [position.format(line.move) for line in lines], chances(lines, rung) if rung.slack else [1.0]
