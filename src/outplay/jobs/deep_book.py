"""Build deep books as jobs: the highest level is solved shard by shard, and each shard is saved when it is done.

Solved shards are kept in a folder beside the book until the book is complete (docs/book.md). An interrupted build
continues from that folder.
"""

from __future__ import annotations

import random
import shutil
import zlib
from array import array
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from outplay.connect4 import DeepBook, Members, Position
from outplay.errors import CorruptTableError
from outplay.files import write_whole
from outplay.jobs import lock
from outplay.jobs.book import BookFileError, BookStep, Count, SolveBatch
from outplay.jobs.resources import MIB, check_memory, this_machine
from outplay.work import Job, Report, Stop, Task, Workers
from outplay.work.shelf import shelf

PLIES = 12
TABLE_MIB = 64
SHARD = 16_384
"""The number of members of one job: half a minute of work with 12 discs on the 7 x 6 board."""


@dataclass(frozen=True, slots=True)
class DeepOrder:
    """A deep book to build. The level `plies` is solved; the level two plies lower follows from it."""

    path: Path
    plies: int = PLIES
    width: int = 7
    height: int = 6
    shard: int = SHARD

    @property
    def levels(self) -> list[int]:
        return [plies for plies in (self.plies, self.plies - 2) if plies >= 0]

    @property
    def shards(self) -> Path:
        return self.path.with_name(self.path.name + ".shards")

    @property
    def kept(self) -> Path:
        """Return the folder that an interrupted build continues from."""
        return self.shards

    @property
    def lock(self) -> Path:
        return self.path.with_name(self.path.name + ".lock")

    def members(self) -> Members:
        return DeepBook.members(self.plies, width=self.width, height=self.height)

    def is_built(self) -> bool:
        """Return True if the book exists. CorruptTableError or BookFileError if another file is in its place."""
        if not self.path.exists():
            return False
        book = DeepBook.open(self.path)
        if (book.width, book.height, book.levels) != (self.width, self.height, self.levels):
            levels = " and ".join(map(str, book.levels))
            raise BookFileError(
                str(self.path),
                f"this is a deep book of another kind ({book.width}x{book.height}, {levels} discs): "
                "name another file, or remove this one",
            )
        return True


# The shards folder: one file of scores for each solved shard.


def read_shard(order: DeepOrder, index: int, count: int) -> array[int] | None:
    """Return the scores of a shard with `count` members; None if not solved yet, BookFileError if damaged."""
    path = order.shards / f"{index:03}"
    try:
        scores = array("b", zlib.decompress(path.read_bytes()))
    except FileNotFoundError:
        return None
    except zlib.error:
        raise BookFileError(
            str(path), "this is not a shard of scores, or it is damaged; remove the file to solve the shard again"
        ) from None
    if len(scores) != count:
        told = f"it has {len(scores)} scores and should have {count}: remove the file to solve the shard again"
        raise BookFileError(str(path), told)
    return scores


def write_shard(order: DeepOrder, index: int, scores: array[int]) -> None:
    """Save the scores of a shard; they are on disk when this returns."""
    write_whole(order.shards / f"{index:03}", zlib.compress(scores.tobytes(), 9))


# Building


@dataclass(frozen=True, slots=True)
class DeepPlan:
    """The plan of a build: `shards` has the scores of each shard, None where they are missing."""

    order: DeepOrder
    shards: list[array[int] | None]
    total: int
    table_mib: int

    @property
    def jobs(self) -> int:
        return self.shards.count(None)

    @property
    def solved(self) -> int:
        return sum(len(scores) for scores in self.shards if scores is not None)


@contextmanager
def building(order: DeepOrder, workers: Workers, *, table_mib: int = TABLE_MIB) -> Iterator[DeepPlan]:
    """Hold the lock of a book file and yield the plan for `build`.

    Raises an error before any work starts if the build is impossible.
    """
    if order.is_built() and not order.shards.exists():
        yield DeepPlan(order, [], 0, table_mib)
        return
    total = len(order.members())
    check_memory("a deep book", [table_mib * MIB] * workers.slots, workers.survey(this_machine))
    if not order.path.parent.is_dir():
        raise BookFileError(str(order.path), "the folder of this file does not exist")
    with lock.locked(order.lock):
        is_built = order.is_built()
        yield DeepPlan(order, [] if is_built else _read_shards(order, total), total, table_mib)
        if order.is_built():
            shutil.rmtree(order.shards, ignore_errors=True)
            lock.remove(order.lock)


def _read_shards(order: DeepOrder, total: int) -> list[array[int] | None]:
    starts = range(0, total, order.shard)
    return [read_shard(order, index, min(order.shard, total - start)) for index, start in enumerate(starts)]


def build(plan: DeepPlan, workers: Workers) -> Iterator[BookStep]:
    """Solve what is missing, and yield each shard when it is saved. After the last one the book is in place."""
    order = plan.order
    if order.is_built():
        return
    missing = [index for index, scores in enumerate(plan.shards) if scores is None]
    for done in workers.run([_job(order, index, plan.total, plan.table_mib) for index in missing]):
        index, scores = done.value
        write_shard(order, index, scores)
        plan.shards[index] = scores
        yield BookStep(len(scores), done.progress)
    if plan.jobs == 0:  # otherwise the workers were stopped
        _book_of(plan).save(order.path)


def _book_of(plan: DeepPlan) -> DeepBook:
    order, scores = plan.order, array("b")
    for shard in plan.shards:
        scores.extend(shard or ())
    return DeepBook.from_scores(order.plies, scores, below=order.levels[1:], width=order.width, height=order.height)


def _job(order: DeepOrder, index: int, total: int, table_mib: int) -> Job:
    size = min(order.shard, total - index * order.shard)
    return Job(f"shard {index}", SolveShard(order, index, table_mib), size=size)


# Counting and sampling a deep book


def count(path: Path) -> Iterator[Count]:
    """Count the wins, draws and losses of each level; CorruptTableError unless every member has one score."""
    book = DeepBook.open(path)
    levels = [(plies, book.scores(plies)) for plies in sorted(book.levels)]
    total = sum(len(scores) for _, scores in levels)
    if total != len(book):
        raise CorruptTableError(path, f"it should have {len(book):,} scores, one for each position, but has {total:,}")
    for plies, scores in levels:
        wins, losses = sum(score > 0 for score in scores), sum(score < 0 for score in scores)
        yield Count(plies, wins, len(scores) - wins - losses, losses)


def sample(path: Path, number: int, seed: int) -> list[tuple[Position, int]]:
    """Choose `number` members of a deep book at random, with their scores; all of them if it has fewer."""
    book = DeepBook.open(path)
    chosen = iter(sorted(random.Random(seed).sample(range(len(book)), min(number, len(book)))))
    entries, at, start = list[tuple[Position, int]](), next(chosen, None), 0
    for plies in book.levels:
        members, scores = DeepBook.members(plies, width=book.width, height=book.height), book.scores(plies)
        while at is not None and at - start < len(members):
            entries.append((members[at - start], scores[at - start]))
            at = next(chosen, None)
        start += len(members)
    return entries


# The task of one job.


@dataclass(frozen=True, slots=True)
class SolveShard(Task[tuple[int, "array[int]"]]):
    """A task that returns a shard's index and scores. The list of members is kept for the next shard."""

    order: DeepOrder
    index: int
    table_mib: int

    @property
    def name(self) -> str:
        return f"shard {self.index}"

    def run(self, report: Report[tuple[int, array[int]]], stop: Stop) -> tuple[int, array[int]]:
        order, first = self.order, self.index * self.order.shard
        with shelf().lend(("members", order.width, order.height, order.plies), order.members) as members:
            positions = tuple(members[at] for at in range(first, min(first + order.shard, len(members))))
        found = SolveBatch(positions, self.table_mib).run(Report(), stop)
        return self.index, array("b", found.values())
