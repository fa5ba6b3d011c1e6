"""Unpacked tables that this process has used recently: the next build often needs the same ones."""

from __future__ import annotations

import threading
from collections import OrderedDict
from pathlib import Path
from typing import Protocol

from outplay._core.tablebase import TableFile, UnpackedTable, capture_needs, unpack
from outplay.errors import MissingTableError
from outplay.tablebase.files import find_table, open_file
from outplay.tablebase.material import needs

MOST_BYTES = 1 << 30
"""The largest size of all kept tables: more than all tables of six pieces together."""


class StopFlag(Protocol):
    """Says whether to stop: a `threading.Event`, or any other object with this method."""

    def is_set(self) -> bool: ...


_Key = tuple[str, str, bool]  # name, checksum, with distances
_kept: OrderedDict[_Key, UnpackedTable] = OrderedDict()
_lock = threading.Lock()


def unpacked(
    name: str, folder: Path, *, distances: bool = False, threads: int = 1, stop: StopFlag | None = None
) -> UnpackedTable:
    """Unpack a table of the folder, or one that ships, into memory; MissingTableError if it is in neither."""
    path = find_table(name, folder)
    if path is None:
        raise MissingTableError(name)
    file = open_file(path)
    if distances and not file.has_distances:
        raise MissingTableError(f"{name} with distances")
    return _find(file, distances) or _unpack(file, folder, distances, threads, stop)


def keep(table: UnpackedTable, file: TableFile) -> None:
    """Remember a table for later; when all together are too large, the least recently used ones are forgotten."""
    with _lock:
        _kept[file.name, file.checksum, table.has_distances] = table
        while sum(kept.bytes for kept in _kept.values()) > MOST_BYTES and len(_kept) > 1:
            _kept.popitem(last=False)


def _find(file: TableFile, distances: bool) -> UnpackedTable | None:
    with _lock:
        for has_distances in (True,) if distances else (False, True):
            key = (file.name, file.checksum, has_distances)
            if key in _kept:
                _kept.move_to_end(key)
                return _kept[key]
    return None


def _unpack(file: TableFile, folder: Path, distances: bool, threads: int, stop: StopFlag | None) -> UnpackedTable:
    needed = needs(file.name) if distances else capture_needs(file.name)
    tables = [unpacked(need, folder, distances=distances, threads=threads, stop=stop) for need in needed]
    table = unpack(file, tables, distances=distances, threads=threads, stop=stop)
    keep(table, file)
    return table
