"""Table files: where they are stored, what their headers say, and how they are written."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from outplay._core.tablebase import TableFile
from outplay.errors import CorruptTableError, NotationError
from outplay.places import cache_folder
from outplay.tablebase.material import Material, parse_table

SUFFIX = ".table"
VARIABLE = "OUTPLAY_TABLES"


@dataclass(frozen=True, slots=True)
class TableCount:
    """How the positions of one material end for the side to move.

    All legal placements count, even those with a capture to play.
    """

    material: Material
    positions: int
    wins: int
    draws: int
    losses: int


@dataclass(frozen=True, slots=True)
class TableInfo:
    """What the header of a table file says; the whole file was checked against its checksum."""

    name: str
    tables: tuple[TableCount, ...]
    """One count for each material in the file: the material that names the file, and its `other` if it is different."""
    bytes: int
    checksum: str
    """The checksum of the whole file: sixteen hexadecimal digits."""
    has_distances: bool


def tables_folder(path: Path | None = None) -> Path:
    """Return the folder of tables that users build: `path`, $OUTPLAY_TABLES or, without both, a cache folder."""
    named = os.environ.get(VARIABLE, "").strip()
    return path or (Path(named).expanduser() if named else cache_folder() / "tables")


def shipped_folder() -> Path:
    """Return the folder of the tables that come with outplay."""
    return Path(__file__).parent.parent / "data" / "tables"


def table_path(name: str, folder: Path) -> Path:
    """Return the path of the table file of this name in a folder."""
    return folder / f"{name}{SUFFIX}"


def find_table(name: str, folder: Path) -> Path | None:
    """Return the table file of this name: the one in the folder, or the one that ships; None if there is none."""
    candidates = (table_path(name, folder), table_path(name, shipped_folder()))
    return next((path for path in candidates if path.is_file()), None)


def tables_in(folder: Path) -> Iterator[Path]:
    """Return every table file in a folder, by name; none if the folder does not exist. Other files are ignored."""
    for path in sorted(folder.glob(f"*{SUFFIX}")):
        try:
            parse_table(path.stem)
        except NotationError:
            continue
        yield path


def open_file(path: Path) -> TableFile:
    """Map and check a table file; CorruptTableError if it is damaged or its name is that of another table."""
    file = TableFile(str(path))
    if file.name != path.stem:
        raise CorruptTableError(path, f"it holds the table {file.name}")
    return file


def read_info(path: Path) -> TableInfo:
    """Read and check a table file; FileNotFoundError if there is none, CorruptTableError if it is damaged."""
    file = open_file(path)
    material = Material.parse(file.name)
    counts = tuple(
        TableCount(seen, wins + draws + losses, wins, draws, losses)
        for seen, (wins, draws, losses) in zip((material, material.other), file.counts, strict=False)
    )
    return TableInfo(file.name, counts, file.bytes, file.checksum, file.has_distances)
