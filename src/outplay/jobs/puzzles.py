"""Mine puzzles as jobs: each job plays some games and looks for puzzles in them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from outplay.learn.mining import Miner
from outplay.learn.puzzle import PREFIXES, GradedPuzzle, parse_puzzle
from outplay.work import Call, Job, Workers

GAMES_AT_ONCE = 5
"""The number of games in one job."""


def mine_shard(game: str, first: int, count: int, tables: Path | None = None, only_endings: bool = False) -> list[str]:
    """Return the puzzles in `count` games, with seeds from `first` on, as lines of a puzzle file, still without ids."""
    miner = Miner(game, tables=tables, only_endings=only_endings)
    return [puzzle.to_line() for seed in range(first, first + count) for puzzle in miner.mine(seed)]


def mine(
    workers: Workers,
    game: str,
    wanted: int,
    *,
    seed: int = 1,
    most_games: int = 100_000,
    known: Sequence[GradedPuzzle] = (),
    most_of_grade: int | None = None,
    tables: Path | None = None,
    only_endings: bool = False,
) -> Iterator[GradedPuzzle]:
    """Yield new puzzles, with ids after those of the `known` ones, until there are `wanted` or the last game is played.

    With one worker the same seed gives the same puzzles. `most_of_grade` limits the puzzles of each grade, the known
    ones included. For `tables` and `only_endings` see `Miner`.
    """
    seen = {puzzle.position.fen() for puzzle in known}
    number = max((int(puzzle.id.partition("-")[2]) for puzzle in known), default=0)
    of_grade = [sum(puzzle.grade == grade for puzzle in known) for grade in range(10)]
    found = 0
    step = GAMES_AT_ONCE * max(1, workers.slots)
    for start in range(0, most_games, step):
        firsts = range(start, min(start + step, most_games), GAMES_AT_ONCE)
        jobs = [_job(game, seed, first, most_games, tables, only_endings) for first in firsts]
        for done in workers.run(jobs):
            for line in done.value:
                puzzle = parse_puzzle(line)
                is_full = most_of_grade is not None and of_grade[puzzle.grade] >= most_of_grade
                if is_full or puzzle.position.fen() in seen:
                    continue
                seen.add(puzzle.position.fen())
                of_grade[puzzle.grade] += 1
                number, found = number + 1, found + 1
                yield replace(puzzle, id=f"{PREFIXES[game]}-{number:04d}")
                if found >= wanted:
                    return


def _job(game: str, seed: int, first: int, most: int, tables: Path | None, only_endings: bool) -> Job:
    arguments = (game, seed * 1_000_000 + first, min(GAMES_AT_ONCE, most - first), tables, only_endings)
    return Job(f"{game}-{seed}-{first}", Call(mine_shard, arguments))
