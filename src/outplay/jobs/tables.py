"""Build endgame tables as jobs: which are missing, what each needs, and what was built.

The folder holds only finished tables: each is written to a temporary file, checked and renamed. An interrupted build
continues from these tables.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from outplay import tablebase
from outplay.errors import CorruptTableError, MissingTableError
from outplay.jobs.inventory import Stock, leftovers, table_names, take_stock
from outplay.jobs.lock import locked
from outplay.jobs.resources import Machine, check_disk, check_memory, fits_memory, this_machine, threads_each
from outplay.tablebase import TableInfo, build_table, read_info, shipped_folder, table_path, verify_table
from outplay.tablebase.material import FEWEST_PIECES
from outplay.work import Job, Progress, Report, Stop, Task, Workers

DISK_BYTES = 1 / 40
DISK_BYTES_WITH_DISTANCES = 1 / 8
"""Both numbers are estimates of the bytes per position. Measured: 1/61 with six pieces, 1/9 with distances."""


@dataclass(frozen=True, slots=True)
class TablesPlan:
    """The plan of a build: `jobs` for the tables wanted, in an order in which they can be built."""

    pieces: int
    folder: Path
    threads: int
    distances: bool
    stock: Stock
    jobs: tuple[tablebase.TableJob, ...]

    @property
    def positions(self) -> int:
        return sum(job.positions for job in self.jobs)

    @property
    def memory(self) -> int:
        """Return the bytes of memory that the largest job needs."""
        return max((job.bytes_needed for job in self.jobs), default=0)

    @property
    def disk(self) -> int:
        """Return the estimated bytes of disk that the tables will take."""
        return round(self.positions * (DISK_BYTES_WITH_DISTANCES if self.distances else DISK_BYTES))


@dataclass(frozen=True, slots=True)
class TableStep:
    """Progress: one table is built or verified; `error` says what was found wrong."""

    name: str
    info: TableInfo | None
    seconds: float
    progress: Progress
    error: CorruptTableError | None = None


def plan_build(
    pieces: int, folder: Path, machines: Sequence[Machine], *, threads: int | None = None, distances: bool = False
) -> TablesPlan:
    """Plan the tables of up to `pieces` pieces that are neither in the folder nor among those that ship.

    More threads need more memory. Default for `threads`: as many as the machines have cores and memory for.
    """
    stock = take_stock(folder, pieces)
    for number in (threads,) if threads else range(threads_each(machines), 0, -1):
        missing = (job for job in _every(pieces, number) if not stock.has(job.name, distances=distances))
        plan = TablesPlan(pieces, folder, number, distances, stock, tuple(missing))
        if fits_memory([job.bytes_needed for job in plan.jobs], machines):
            break
    return plan


def _every(pieces: int, threads: int) -> Iterator[tablebase.TableJob]:
    for count in range(FEWEST_PIECES, pieces + 1):
        yield from tablebase.plan(count, threads=threads)


@contextmanager
def building(
    pieces: int, folder: Path, workers: Workers, *, threads: int | None = None, distances: bool = False
) -> Iterator[TablesPlan]:
    """Hold the folder's lock and yield the plan for `build`.

    Raise NoRoomError before any work if the memory or the disk is too small.
    """
    machines = workers.survey(this_machine)
    plan = plan_build(pieces, folder, machines, threads=threads, distances=distances)
    check_room(plan, machines)
    if not plan.jobs and not plan.stock.damaged:
        yield plan
        return
    with locked(folder):  # check again: another build may just have finished
        yield plan_build(pieces, folder, machines, threads=threads, distances=distances)


def check_room(plan: TablesPlan, machines: Sequence[Machine]) -> None:
    """Raise NoRoomError if the machines' memory or the disk is too small for the plan."""
    what = f"a build of {plan.pieces} pieces"
    check_memory(what, [job.bytes_needed for job in plan.jobs], machines)
    check_disk(what, plan.disk, plan.folder)


def build(plan: TablesPlan, workers: Workers) -> Iterator[TableStep]:
    """Build what is missing, and yield each table when it is finished and in place."""
    damaged = (table_path(name, plan.folder) for name in plan.stock.damaged)
    for path in (*damaged, *leftovers(plan.folder)):
        path.unlink(missing_ok=True)
    jobs = [
        Job(
            job.name,
            BuildTable(job.name, plan.threads, plan.distances, plan.folder),
            needs=job.needs,
            size=job.positions,
            files=_brought(job.needs, plan),
            makes=(_file(job.name),),
        )
        for job in plan.jobs
    ]
    for done in workers.run(jobs, finished=plan.stock.good):
        path = table_path(done.job.key, plan.folder)
        if read_info(path).checksum != done.value.checksum:
            raise CorruptTableError(path, "it differs from what the worker wrote")
        yield TableStep(done.job.key, done.value, done.seconds, done.progress)


def plan_verify(pieces: int, folder: Path, machines: Sequence[Machine], *, threads: int | None = None) -> TablesPlan:
    """Plan the check of all tables of up to `pieces` pieces; MissingTableError names one that is missing."""
    stock = take_stock(folder, pieces)
    for name in table_names(pieces):
        if name not in stock.good and name not in stock.damaged:
            raise MissingTableError(name)
    number = threads or threads_each(machines)
    return TablesPlan(pieces, folder, number, False, stock, tuple(_every(pieces, number)))


def verify(plan: TablesPlan, workers: Workers) -> Iterator[TableStep]:
    """Verify every table from the tables that it needs, by a different method from that of the build."""
    jobs = [
        Job(
            job.name,
            VerifyTable(job.name, plan.threads, _ships(job.name, plan), plan.folder),
            size=job.positions,
            files=_brought((*job.needs, job.name), plan),
        )
        for job in plan.jobs
    ]
    for done in workers.run(jobs):
        info, wrong = done.value
        error = None if wrong is None else CorruptTableError(plan.folder / wrong[0], wrong[1])
        yield TableStep(done.job.key, info, done.seconds, done.progress, error)


def _brought(names: Iterable[str], plan: TablesPlan) -> tuple[str, ...]:
    """Return the files of these tables that must be sent to a worker: all but the tables that ship."""
    return tuple(_file(name) for name in names if not _ships(name, plan))


def _ships(name: str, plan: TablesPlan) -> bool:
    """Return True if the table in use is the one that ships."""
    return name in plan.stock.good and plan.stock.good[name][1].parent == shipped_folder()


def _file(name: str) -> str:
    return table_path(name, Path()).name


# The tasks of one job each.


@dataclass(frozen=True, slots=True)
class BuildTable(Task[TableInfo]):
    """A task that builds one table into its folder, from the tables there."""

    material: str
    threads: int
    distances: bool
    folder: Path

    @property
    def name(self) -> str:
        return f"table {self.material}"

    def run(self, report: Report[TableInfo], stop: Stop) -> TableInfo:
        return build_table(self.material, self.folder, threads=self.threads, distances=self.distances, stop=stop)


Proof = tuple[TableInfo | None, tuple[str, str] | None]
"""The result of a verification: the table's description, or the path of a wrong file and what is wrong with it.

The wrong file may be that of a table that this one needs.
"""


@dataclass(frozen=True, slots=True)
class VerifyTable(Task[Proof]):
    """A task that verifies one table, with the help of the tables that this table needs."""

    material: str
    threads: int
    ships: bool
    folder: Path

    @property
    def name(self) -> str:
        return f"table {self.material}"

    def run(self, report: Report[Proof], stop: Stop) -> Proof:
        place = shipped_folder() if self.ships else self.folder
        try:
            return verify_table(self.material, place, threads=self.threads, stop=stop), None
        except CorruptTableError as error:
            return None, (error.path.name, error.reason)
