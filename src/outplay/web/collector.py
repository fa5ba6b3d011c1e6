"""The search for puzzles in its worker: game after game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from outplay.engine.types import Engine, Limit, Report
from outplay.notation import games
from outplay.outcome import Side
from outplay.review import Judge, Puzzle, puzzle_judge, puzzles_of, review
from outplay.rules import Position
from outplay.web.reviewer import NICENESS
from outplay.web.work import Found, give_way


@dataclass(frozen=True, slots=True)
class Source:
    """A game to be looked through, and whose mistakes count in it."""

    game_id: str
    title: str
    text: str
    sides: tuple[Side, ...]


@dataclass(frozen=True, slots=True)
class Collected(Found):
    """The puzzles found by now, each with the game that it is from."""

    puzzles: tuple[tuple[Source, Puzzle], ...] = ()
    done: int = 0


@dataclass(frozen=True, slots=True)
class Collector:
    """The search for puzzles as a recipe for a worker."""

    sources: tuple[Source, ...]
    most: int
    """Puzzles that are enough."""
    name: str = "the search for puzzles"
    is_reusable: bool = False
    needs_process: bool = True

    def __call__(self) -> Engine:
        give_way(NICENESS)
        return _Collector(self.sources, self.most)


class _Collector:
    """The engine in its worker."""

    name = "the search for puzzles"

    def __init__(self, sources: Sequence[Source], most: int) -> None:
        self._sources, self._most = sources, most
        self._judge: Judge | None = None
        self._is_stopped = False

    def stop(self) -> None:
        self._is_stopped = True
        if (judge := self._judge) is not None:
            judge.stop()

    def analyse(
        self, position: Position, limit: Limit, *, history: Sequence[Position] = (), report: Report | None = None
    ) -> Collected:
        found = Collected((), 0, 0, 0.0, is_complete=False)
        seen: set[str] = set()
        for source in self._sources:
            if self._is_stopped or len(found.puzzles) >= self._most:
                break
            new = [puzzle for puzzle in self._puzzles(source) if puzzle.position not in seen]
            seen.update(puzzle.position for puzzle in new)
            puzzles = (*found.puzzles, *((source, puzzle) for puzzle in new))[: self._most]
            found = replace(found, puzzles=puzzles, done=found.done + 1)
            if report is not None:
                report(found)
        return replace(found, is_complete=not self._is_stopped)

    def _puzzles(self, source: Source) -> list[Puzzle]:
        game = next(games(source.text))
        self._judge = puzzle_judge(game)
        return puzzles_of(game, review(game, judge=self._judge), sides=source.sides)
