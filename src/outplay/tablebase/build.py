"""Building and verifying table files, one at a time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from outplay._core.tablebase import build, king_placements, placements, unpack, verify
from outplay.errors import CorruptTableError
from outplay.files import write_whole
from outplay.tablebase.files import TableInfo, open_file, read_info, table_path
from outplay.tablebase.kept import StopFlag, keep, unpacked
from outplay.tablebase.material import Material, needs, parse_table, tables

Report = Callable[[float], None]
"""Called with the share that is done, from 0 to 1, a few times a second, in the thread of the caller."""

_PROCESS_BYTES = 64 << 20
_POSITIONS_PER_BYTE = 4
_WORK_BYTES = 20
"""The bytes per placement of the kings that a thread needs; it works on one placement of the men at a time."""


@dataclass(frozen=True, slots=True)
class TableJob:
    """One table file to build, as plain data for planning."""

    name: str
    needs: tuple[str, ...]
    """The table files it is built from, smaller ones first."""
    positions: int
    """The number of positions in the file, both materials together."""
    bytes_needed: int
    """The peak memory in bytes, including the unpacked tables that it needs."""


def plan(pieces: int, *, threads: int = 1) -> tuple[TableJob, ...]:
    """Return every table file with this number of pieces, ordered so that each needs only earlier or smaller ones."""
    return tuple(_job(name, threads) for name in tables(pieces))


def build_table(
    name: str,
    folder: Path,
    *,
    threads: int = 1,
    distances: bool = False,
    stop: StopFlag | None = None,
    report: Report | None = None,
) -> TableInfo:
    """Build one table file from those in the folder and those that ship; a good file that exists already is kept.

    The file appears whole or not at all: it is written to a temporary file, checked, and renamed.
    MissingTableError if a table that it needs is absent, CorruptTableError if one is damaged, JobError if `stop` was
    set before the end, OSError (and no file) if it cannot be written.
    """
    path, needed = table_path(name, folder), needs(name)
    if path.exists():
        info = read_info(path)
        if info.has_distances or not distances:
            return info
    found = [unpacked(need, folder, distances=distances, threads=threads, stop=stop) for need in needed]
    data, table = build(name, found, distances=distances, threads=threads, stop=stop, report=report)
    write_whole(path, data)
    keep(table, open_file(path))
    return read_info(path)


def verify_table(
    name: str,
    folder: Path,
    *,
    threads: int = 1,
    stop: StopFlag | None = None,
    report: Report | None = None,
) -> TableInfo:
    """Verify a table file by a method other than that of `build_table`.

    CorruptTableError names the first wrong position.

    The build works backwards from the ends of games. The check plays every move of every position forwards, and traces
    each win and each loss to its end, so it also finds false wins that support each other in a circle.
    FileNotFoundError if there is no such file, MissingTableError if a move leads to a table that is absent.
    """
    path, needed = table_path(name, folder), needs(name)
    info, file = read_info(path), open_file(path)
    distances = info.has_distances
    found = [unpacked(need, folder, distances=distances, threads=threads, stop=stop) for need in needed]
    table = unpack(file, found, distances=distances, threads=threads, stop=stop)  # the file's, not a kept one
    result = verify(name, [*found, table], threads=threads, stop=stop, report=report)
    if isinstance(result, str):
        raise CorruptTableError(path, result)
    counted = tuple((count.wins, count.draws, count.losses) for count in info.tables)
    if result[: len(counted)] != counted:
        real = result[: len(counted)]
        reason = f"wins, draws and losses are {counted} in its header, but {real} in its positions"
        raise CorruptTableError(path, reason)
    return info


def _job(name: str, threads: int) -> TableJob:
    needed = needs(name)
    unpacked_bytes = sum(_positions(table) for table in (name, *needed)) // _POSITIONS_PER_BYTE
    work = threads * 2 * king_placements(name) * _WORK_BYTES
    packing = _positions(name)  # runs of values, before and after they are coded
    return TableJob(name, needed, _positions(name), _PROCESS_BYTES + unpacked_bytes + max(work, packing))


def _positions(name: str) -> int:
    return placements(name) * len({parse_table(name), Material.parse(name).other})
