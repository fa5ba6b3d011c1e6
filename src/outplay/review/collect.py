"""Collect puzzles from games, as a task: game after game, until there are enough."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from outplay.notation.pdn import games
from outplay.outcome import Side
from outplay.review.puzzles import Puzzle, puzzle_judge, puzzles_of
from outplay.review.review import review
from outplay.review.task import NICENESS
from outplay.work.task import Report, Stop, Task, give_way

MOST_MS = 60_000


@dataclass(frozen=True, slots=True)
class PuzzleSource:
    """A game to search, and the sides whose mistakes count."""

    game_id: str
    title: str
    text: str
    sides: tuple[Side, ...]


@dataclass(frozen=True, slots=True)
class Collected:
    """The puzzles found so far, each with its game."""

    puzzles: tuple[tuple[PuzzleSource, Puzzle], ...] = ()
    done: int = 0
    """The number of games searched."""
    is_complete: bool = False


@dataclass(frozen=True, slots=True)
class CollectTask(Task[Collected]):
    """A task that looks for puzzles in games."""

    name: ClassVar[str] = "the search for puzzles"
    needs_process: ClassVar[bool] = True
    time_ms: ClassVar[int] = MOST_MS
    sources: tuple[PuzzleSource, ...]
    most: int
    """The number of puzzles wanted."""

    def run(self, report: Report[Collected], stop: Stop) -> Collected:
        give_way(NICENESS)
        report.begin()
        found, seen = Collected(), set[str]()
        for source in self.sources:
            if stop.is_set() or len(found.puzzles) >= self.most:
                break
            new = [puzzle for puzzle in _puzzles(source, stop) if puzzle.position not in seen]
            seen.update(puzzle.position for puzzle in new)
            puzzles = (*found.puzzles, *((source, puzzle) for puzzle in new))[: self.most]
            found = replace(found, puzzles=puzzles, done=found.done + 1)
            report(found)
        return replace(found, is_complete=not stop.is_set())


def _puzzles(source: PuzzleSource, stop: Stop) -> list[Puzzle]:
    game = next(games(source.text))
    judge = puzzle_judge(game)
    with stop.calling(judge.stop):
        return puzzles_of(game, review(game, judge=judge), sides=source.sides)
