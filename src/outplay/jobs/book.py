"""Build opening books as jobs: positions are solved in batches, and each batch is saved when it is done.

Solved positions are kept in a part file beside the book until the book is complete (docs/book.md). An interrupted build
continues from that file.
"""

from __future__ import annotations

import os
import random
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from outplay.connect4 import Book, Position, Solver
from outplay.errors import CorruptTableError, JobError
from outplay.jobs import lock
from outplay.jobs.resources import MIB, check_memory, this_machine
from outplay.work import Job, Progress, Report, Stop, Task, Workers
from outplay.work.shelf import shelf

PLIES = 8
TABLE_MIB = 64
Scores = dict[int, int | None]
"""The scores of all positions of the last ply, by key and in order; None for a position that is not solved yet."""
BATCH = 50
"""The number of positions of one job: a few seconds of work on the 7 x 6 board."""
SAMPLE_BATCH = 10


class BookFileError(JobError):
    """A file prevents a build: `.job` is the file, `.reason` says why."""

    def __str__(self) -> str:
        return f"{self.job}: {self.reason}"


@dataclass(frozen=True, slots=True)
class Order:
    """A book to build: its board, its number of plies and its file."""

    path: Path
    plies: int = PLIES
    width: int = 7
    height: int = 6

    @property
    def part(self) -> Path:
        return self.path.with_name(self.path.name + ".part")

    @property
    def kept(self) -> Path:
        """Return the file that an interrupted build continues from."""
        return self.part

    @property
    def lock(self) -> Path:
        return self.path.with_name(self.path.name + ".lock")

    @property
    def header(self) -> str:
        """The first line of the part file."""
        return f"outplay book part {self.width}x{self.height} {self.plies}"

    @property
    def scores(self) -> range:
        """Return the possible scores of a last-ply position: from a loss after two discs to a win with the next one."""
        cells = self.width * self.height
        return range(-((cells - self.plies) // 2), (cells + 1 - self.plies) // 2 + 1)

    def is_built(self) -> bool:
        """Return True if the book exists. CorruptTableError or BookFileError if another file is in its place."""
        if not self.path.exists():
            return False
        book = Book.open(self.path)
        if (book.width, book.height, book.plies) != (self.width, self.height, self.plies):
            raise BookFileError(
                str(self.path),
                f"this is a book of {book.width}x{book.height}, {book.plies} plies: "
                "name another file, or remove this one",
            )
        return True


# The part file: a text file. Its first line is the header, every other line a key and a score.

_LINE = re.compile(rb"(\d{1,20}) (-?\d{1,2})")


def read_part(order: Order, known: Scores) -> Scores:
    """Return the scores `known` and those of the part file; BookFileError if that file belongs to another book."""
    scores = dict(known)
    for number, line in enumerate(_whole_lines(order), 1):
        if number > 1:
            _take_in(line, number, scores, order)
        elif line != order.header.encode():
            raise _refusal(order, f"it begins with {_shown(line)}, not with '{order.header}'")
    return scores


def _whole_lines(order: Order) -> list[bytes]:
    """Return the complete lines of the file, without a last line that a killed process left unfinished."""
    try:
        *lines, torn = order.part.read_bytes().split(b"\n")
    except FileNotFoundError:
        return []
    if not lines and not order.header.encode().startswith(torn):
        return [torn]
    return lines


def _take_in(line: bytes, number: int, scores: Scores, order: Order) -> None:
    match = _LINE.fullmatch(line)
    if match is None:
        raise _refusal(order, f"line {number} is not a key and a score: {_shown(line)}")
    key, score = int(match[1]), int(match[2])
    if key not in scores:
        raise _refusal(order, f"line {number}: this book has no position with the key {key}")
    if score not in order.scores:
        raise _refusal(order, f"line {number}: no position of this book can have the score {score}")
    if scores[key] not in (None, score):
        raise _refusal(order, f"line {number}: the score of {key} is {score}, but an earlier line says {scores[key]}")
    scores[key] = score


def _shown(line: bytes) -> str:
    return repr(line[:60].decode("ascii", "replace"))


def _refusal(order: Order, reason: str) -> BookFileError:
    return BookFileError(str(order.part), f"{reason}; remove the file to start again")


class PartFile:
    """The part file, open for appending. Only the holder of the lock may do that."""

    def __init__(self, order: Order) -> None:
        self._file = order.part.open("ab")
        self._file.truncate(sum(len(line) + 1 for line in _whole_lines(order)))
        if self._file.seek(0, os.SEEK_END) == 0:
            self._write(f"{order.header}\n")

    def add(self, scores: Mapping[int, int]) -> None:
        """Append these scores; they are on disk when this returns."""
        self._write("".join(f"{key} {score}\n" for key, score in scores.items()))

    def _write(self, text: str) -> None:
        self._file.write(text.encode())
        self._file.flush()
        os.fsync(self._file.fileno())

    def __enter__(self) -> PartFile:
        return self

    def __exit__(self, *error: object) -> None:
        self._file.close()


# Building


@dataclass(frozen=True, slots=True)
class BookPlan:
    """The plan of a build: `todo` lists the positions without a score."""

    order: Order
    scores: Scores
    todo: list[Position]
    table_mib: int
    batch: int

    @property
    def jobs(self) -> int:
        return -(-len(self.todo) // self.batch)

    @property
    def total(self) -> int:
        return len(self.scores)

    @property
    def solved(self) -> int:
        return sum(score is not None for score in self.scores.values())


@dataclass(frozen=True, slots=True)
class BookStep:
    """Progress: one batch is solved and saved."""

    positions: int
    progress: Progress


@contextmanager
def building(order: Order, workers: Workers, *, table_mib: int = TABLE_MIB, batch: int = BATCH) -> Iterator[BookPlan]:
    """Hold the lock of a book file and yield the plan for `build`.

    Raises an error before any work starts if the build is impossible.
    """
    if order.is_built() and not order.part.exists():
        yield BookPlan(order, {}, [], table_mib, batch)
        return
    positions = Book.positions(order.plies, width=order.width, height=order.height)
    known: Scores = {each.key: order.scores[-1] if _wins_at_once(each) else None for each in positions}
    read_part(order, known)
    check_memory("a book", [table_mib * MIB] * workers.slots, workers.survey(this_machine))
    if not order.path.parent.is_dir():
        raise BookFileError(str(order.path), "the folder of this file does not exist")
    with lock.locked(order.lock):  # check again: another build may just have finished
        scores = read_part(order, known)
        todo = [] if order.is_built() else [each for each in positions if scores[each.key] is None]
        yield BookPlan(order, scores, todo, table_mib, batch)
        if order.is_built():
            _clear(order)


def _wins_at_once(position: Position) -> bool:
    ends = (position.play(move).outcome() for move in position.legal_moves())
    return any(end is not None and end.winner is not None for end in ends)


def _clear(order: Order) -> None:
    """Remove the files that only a build needs. A process that waits for the lock will find the book."""
    order.part.unlink(missing_ok=True)
    lock.remove(order.lock)


def build(plan: BookPlan, workers: Workers) -> Iterator[BookStep]:
    """Solve what is missing, and yield each batch when it is saved. After the last one the book is in place."""
    order, todo = plan.order, plan.todo
    if not todo and order.is_built():
        return
    with PartFile(order) as part:
        for done in workers.run(_jobs(todo, plan.batch, plan.table_mib)):
            part.add(done.value)
            plan.scores.update(done.value)
            yield BookStep(len(done.value), done.progress)
    scores = [score for score in plan.scores.values() if score is not None]
    if len(scores) == len(plan.scores):  # otherwise the workers were stopped
        Book.from_scores(order.plies, scores, width=order.width, height=order.height).save(order.path)


def _jobs(positions: Sequence[Position], batch: int, table_mib: int) -> list[Job]:
    starts = range(0, len(positions), batch)
    batches = [positions[start : start + batch] for start in starts]
    return [Job(f"from {each[0].fen()}", SolveBatch(tuple(each), table_mib), size=len(each)) for each in batches]


# Counting and verifying a book


@dataclass(frozen=True, slots=True)
class Count:
    """The number of won, drawn and lost positions of a ply, for the side to move."""

    plies: int
    wins: int
    draws: int
    losses: int

    @property
    def positions(self) -> int:
        return self.wins + self.draws + self.losses


@dataclass(frozen=True, slots=True)
class Checked:
    """Progress of a check: `wrong` lists the positions whose score in the book differs, with both scores."""

    positions: int
    wrong: list[tuple[Position, int, int]]
    progress: Progress


def count(path: Path) -> Iterator[Count]:
    """Count the positions of a book file, ply by ply; CorruptTableError if a position is missing."""
    for plies, entries in enumerate(_entries(path)):
        wins, losses = sum(score > 0 for _, score in entries), sum(score < 0 for _, score in entries)
        yield Count(plies, wins, len(entries) - wins - losses, losses)


def sample(path: Path, number: int, seed: int) -> list[tuple[Position, int]]:
    """Return `number` entries of a book file, chosen at random; all of them if it has fewer."""
    total = len(Book.open(path))
    chosen = set(random.Random(seed).sample(range(total), min(number, total)))
    entries = (entry for level in _entries(path) for entry in level)
    return [entry for index, entry in enumerate(entries) if index in chosen]


def verify(
    entries: Sequence[tuple[Position, int]], workers: Workers, *, table_mib: int = TABLE_MIB
) -> Iterator[Checked]:
    """Solve the positions of `entries` without a book, and compare the results with their scores."""
    by_key = {position.key: (position, score) for position, score in entries}
    for done in workers.run(_jobs([position for position, _ in entries], SAMPLE_BATCH, table_mib)):
        wrong = [(*by_key[key], found) for key, found in done.value.items() if found != by_key[key][1]]
        yield Checked(len(done.value), wrong, done.progress)


def _entries(path: Path) -> Iterator[list[tuple[Position, int]]]:
    """Yield positions and scores, ply by ply."""
    book = Book.open(path)
    left = len(book)
    for plies in range(book.plies + 1):
        positions = Book.positions(plies, width=book.width, height=book.height)
        entries = [(each, score) for each in positions if (score := book.get(each)) is not None]
        if len(entries) < len(positions):
            raise CorruptTableError(path, f"{len(positions) - len(entries)} positions of {plies} plies are missing")
        left -= len(entries)
        yield entries
    if left:
        raise CorruptTableError(path, f"{left} entries are not positions of {book.plies} plies or fewer")


# The task of one job.


@dataclass(frozen=True, slots=True)
class SolveBatch(Task[dict[int, int]]):
    """A task that returns scores by position key. The solver, with its hash table, is kept for the next batch."""

    positions: tuple[Position, ...]
    table_mib: int

    @property
    def name(self) -> str:
        return f"positions from {self.positions[0].fen()}"

    def run(self, report: Report[dict[int, int]], stop: Stop) -> dict[int, int]:
        with shelf().lend(("solver", self.table_mib), lambda: Solver(table_mib=self.table_mib, book=False)) as solver:
            return {position.key: _score(solver, position, stop) for position in self.positions}


def _score(solver: Solver, position: Position, stop: Stop) -> int:
    def give_up_if_unwanted(*_: int) -> None:
        if stop.is_set():
            raise JobError(position.fen(), "the build was stopped before this position was solved")

    give_up_if_unwanted()
    return solver.solve(position, progress=give_up_if_unwanted).score
