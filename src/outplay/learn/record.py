"""A person's results against the levels, and when it is time for the next one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from outplay.levels import LEVELS, level

LAST = 10
"""How many of the last games against a level count."""
WINS = 7
"""This many wins in the last ten games: ready for the next level."""
GameResult = Literal["win", "draw", "loss"]


@dataclass(frozen=True, slots=True)
class LevelRow:
    """The last games against one level, oldest first."""

    level: int
    name: str
    results: tuple[GameResult, ...]

    @property
    def wins(self) -> int:
        return self.results.count("win")


def level_rows(game: str, results: Sequence[tuple[int, GameResult]]) -> list[LevelRow]:
    """Return a row for each level that was played, weakest first. `results` are in the order of the games."""
    return [
        LevelRow(each.number, each.name, found)
        for each in LEVELS[game]
        if (found := tuple(result for number, result in results if number == each.number)[-LAST:])
    ]


def ready_level(game: str, rows: Sequence[LevelRow]) -> LevelRow | None:
    """Return the strongest level that was beaten in seven of the last ten games.

    None if there is none, or if that level is the strongest of all.
    """
    ready = [row for row in rows if row.wins >= WINS]
    if not ready or ready[-1].level == len(LEVELS[game]):
        return None
    return ready[-1]


def ready_sentence(game: str, row: LevelRow) -> str:
    """Return a sentence such as "You won 7 of 10 against Planner. You are ready for level 4, Weaver."."""
    following = level(game, row.level + 1)
    return (
        f"You won {row.wins} of {len(row.results)} against {row.name}. "
        f"You are ready for level {following.number}, {following.name}."
    )
