"""Solve one position as jobs: the first plies are split, and each finished search is saved in a small file.

An interrupted solve continues from that file (docs/sizes.md describes it). The jobs run in this process, on all cores
or on a cluster; each worker has a hash table of its own and keeps it for the next job.
"""

from __future__ import annotations

import os
import re
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from outplay.connect4 import Position, Solution, Solver, plies_to_end
from outplay.errors import GameOverError, JobError
from outplay.jobs import lock
from outplay.jobs.resources import MIB, check_memory, this_machine
from outplay.jobs.solve_tree import Question, SolveTree, key_of
from outplay.work import Done, Job, Report, Stop, Task, Workers
from outplay.work.shelf import shelf

TABLE_MIB = 1024


class SolveFileError(JobError):
    """A file prevents a solve: `.job` is the file, `.reason` says why."""

    def __str__(self) -> str:
        return f"{self.job}: {self.reason}"


@dataclass(frozen=True, slots=True)
class SolveOrder:
    """A position to solve, and the file that keeps what is known."""

    path: Path
    position: Position
    sign_only: bool = False
    without: tuple[str, ...] = ()
    """Techniques of the solver to switch off, for a second opinion: the answer stays the same. A file of searches with
    other techniques is refused, because their answers would be no second opinion."""

    @property
    def header(self) -> str:
        """The first line of the file."""
        size = f"{self.position.width}x{self.position.height}"
        return " ".join(["outplay solve", size, self.position.fen(), *(f"-{name}" for name in sorted({*self.without}))])

    @property
    def lock(self) -> Path:
        return self.path.with_name(self.path.name + ".lock")


@dataclass(frozen=True, slots=True)
class FinishedSearch:
    """A finished search: was the position worth at least `asked`? Its score is at least `low` and at most `high`."""

    key: int
    asked: int
    low: int
    high: int
    nodes: int
    ms: int

    @property
    def line(self) -> str:
        text = f"{self.key} {self.asked} {self.low} {self.high} {self.nodes} {self.ms}"
        return f"{text} {zlib.crc32(text.encode()):08x}"


# The file: a text file. Its first line is the header, every other line an entry and its checksum.

_LINE = re.compile(r"((\d{1,39}) (-?\d{1,3}) (-?\d{1,3}) (-?\d{1,3}) (\d{1,16}) (\d{1,12})) ([0-9a-f]{8})")


def read_entries(order: SolveOrder) -> list[FinishedSearch]:
    """Return the entries of the file; none if it is missing. SolveFileError if it is damaged or from another solve."""
    return [_entry(order, line, number) for number, line in enumerate(_whole_lines(order), 1) if number > 1]


def _whole_lines(order: SolveOrder) -> list[str]:
    """Return the complete lines, without a last one that a killed process left unfinished."""
    try:
        *lines, torn = order.path.read_bytes().decode("ascii", "replace").split("\n")
    except FileNotFoundError:
        return []
    first = lines[0] if lines else torn
    if first != order.header and (lines or not order.header.startswith(torn)):
        raise SolveFileError(
            str(order.path), f"it begins with {first[:60]!r}, not with {order.header!r}: name another file"
        )
    return lines


def _entry(order: SolveOrder, line: str, number: int) -> FinishedSearch:
    match = _LINE.fullmatch(line)
    if match is None or f"{zlib.crc32(match[1].encode()):08x}" != match[8]:
        raise _damage(order, f"line {number} is damaged: {line[:60]!r}")
    return FinishedSearch(*map(int, match.groups()[1:7]))


def _damage(order: SolveOrder, reason: str) -> SolveFileError:
    return SolveFileError(str(order.path), f"{reason}; remove the file to start again")


class _File:
    """The file, open for appending. Only the holder of the lock may do that."""

    def __init__(self, order: SolveOrder) -> None:
        whole = sum(len(line) + 1 for line in _whole_lines(order))
        self._file = order.path.open("ab")
        self._file.truncate(whole)
        if whole == 0:
            self._write(order.header)

    def add(self, entry: FinishedSearch) -> None:
        """Append an entry; it is on disk when this returns."""
        self._write(entry.line)

    def _write(self, line: str) -> None:
        self._file.write(f"{line}\n".encode())
        self._file.flush()
        os.fsync(self._file.fileno())

    def close(self) -> None:
        self._file.close()


# Solving


@dataclass(slots=True)
class LongSolve:
    """A solve in progress: the tree, and what its searches have cost so far, including those of earlier runs."""

    order: SolveOrder
    table_mib: int
    tree: SolveTree
    searches: int = 0
    nodes: int = 0
    seconds: float = 0.0
    """The time of all workers together."""
    _started: int = field(default=0, repr=False)

    @property
    def solution(self) -> Solution:
        """What is known now, and what it has cost."""
        low, high = self.tree.root.low, self.tree.root.high
        plies = plies_to_end(self.order.position, low) if low == high else None
        return Solution(low, high, plies, "solved" if self.is_solved else "search", self.nodes, self.seconds)

    @property
    def is_solved(self) -> bool:
        return self.tree.score is None

    def learn(self, entry: FinishedSearch) -> None:
        """Add a finished search to the tree; KeyError if the tree has no such leaf."""
        self.tree.learn(entry.key, entry.asked, entry.low, entry.high)
        self.searches += 1
        self.nodes += entry.nodes
        self.seconds += entry.ms / 1000

    def jobs(self, slots: int) -> Iterator[Job]:
        """Yield jobs for the next leaves, until `slots` leaves are being searched."""
        while self.tree.busy < slots and (question := self.tree.take()) is not None:
            self._started += 1
            yield self._job(question)

    def _job(self, question: Question) -> Job:
        place = question.place
        task = SolveLeaf(place.position, question.score, place.budget, self.table_mib, self.order.without)
        return Job(f"search {self._started}", task)


@contextmanager
def solving(order: SolveOrder, workers: Workers, *, table_mib: int = TABLE_MIB) -> Iterator[LongSolve]:
    """Hold the lock of the file and yield the solve for `run`, with the results that are in the file.

    Raises an error before any work starts if the solve is impossible.
    """
    if (outcome := order.position.outcome()) is not None:
        raise GameOverError(order.position, outcome.reason)
    if not order.path.parent.is_dir():
        raise SolveFileError(str(order.path), "the folder of this file does not exist")
    read_entries(order)
    check_memory("a long solve", [table_mib * MIB] * workers.slots, workers.survey(this_machine))
    with lock.locked(order.lock):
        solve = _begun(order, table_mib)
        yield solve
        if solve.is_solved:
            lock.remove(order.lock)


def _begun(order: SolveOrder, table_mib: int) -> LongSolve:
    solve = LongSolve(order, table_mib, SolveTree(order.position, sign_only=order.sign_only))
    for number, entry in enumerate(read_entries(order), 2):
        try:
            solve.learn(entry)
        except KeyError:
            raise _damage(order, f"line {number} is about a position that the lines before it do not lead to") from None
    return solve


def run(solve: LongSolve, workers: Workers) -> Iterator[FinishedSearch]:
    """Search leaf after leaf, and yield each result when it is saved, until enough is known about the root."""

    def jobs() -> Iterator[Job]:
        return solve.jobs(max(1, workers.slots))

    file = _File(solve.order)
    try:
        for done in workers.run(jobs(), more=jobs):
            yield _take_in(solve, done, file)
            if solve.is_solved:
                return
    finally:
        file.close()


def _take_in(solve: LongSolve, done: Done, file: _File) -> FinishedSearch:
    entry: FinishedSearch = done.value
    file.add(entry)
    solve.learn(entry)
    return entry


# The task of one job.


@dataclass(frozen=True, slots=True)
class SolveLeaf(Task[FinishedSearch]):
    """A task that compares a position's score with one number, with a limited number of nodes."""

    position: Position
    score: int
    nodes: int
    table_mib: int
    without: tuple[str, ...]

    @property
    def name(self) -> str:
        return f"whether {self.position.fen()} is worth {self.score}"

    def run(self, report: Report[FinishedSearch], stop: Stop) -> FinishedSearch:
        kind = ("long solve", self.table_mib, self.without)
        with shelf().lend(kind, self._solver, most=1) as solver, stop.calling(solver.stop):
            found = solver.compare(self.position, self.score, nodes=self.nodes)
        if stop.is_set():
            raise JobError(self.name, "the solve was stopped")
        return FinishedSearch(
            key_of(self.position), self.score, found.low, found.high, found.nodes, round(found.seconds * 1000)
        )

    def _solver(self) -> Solver:
        return Solver(table_mib=self.table_mib, book=False, **dict.fromkeys(self.without, False))
