"""Table files: where they lie, and what their heads say."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from outplay.tablebase.material import Material

SUFFIX = ".table"


@dataclass(frozen=True, slots=True)
class TableCount:
    """How the positions of one material end for the side to move, over all legal placements, captures included."""

    material: Material
    positions: int
    wins: int
    draws: int
    losses: int


@dataclass(frozen=True, slots=True)
class TableInfo:
    """What the head of a table file says; the whole file was checked against its checksum."""

    name: str
    tables: tuple[TableCount, ...]
    """One for each material in the file: the name's, and its `other` if that is another one."""
    bytes: int
    checksum: str
    """Of the whole file, sixteen hexadecimal digits."""
    has_distances: bool


def table_path(name: str, folder: Path) -> Path:
    """Where the table file of this name lies in a folder."""
    return folder / f"{name}{SUFFIX}"


def tables_folder(path: Path | None = None) -> Path:
    """The folder of the tables that users build: as given, else $OUTPLAY_TABLES, else in the user's cache folder."""
    raise NotImplementedError


def shipped_folder() -> Path:
    """The folder of the tables that come with outplay."""
    raise NotImplementedError


def read_info(path: Path) -> TableInfo:
    """Read and check a table file; FileNotFoundError if there is none, CorruptTableError if it is damaged."""
    raise NotImplementedError
