"""The endgame tables on this machine: those in the user's folder, and those that ship."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from outplay.errors import CorruptTableError
from outplay.jobs.lock import locked
from outplay.tablebase import TableInfo, read_info, shipped_folder, table_path, tables
from outplay.tablebase.material import FEWEST_PIECES, MOST_PIECES


@dataclass(frozen=True, slots=True)
class Stock:
    """The good table files by name, each with its place, and the errors of damaged files in the folder."""

    good: dict[str, tuple[TableInfo, Path]]
    damaged: dict[str, CorruptTableError]

    def has(self, name: str, *, distances: bool = False) -> bool:
        return name in self.good and (self.good[name][0].has_distances or not distances)

    def infos(self) -> list[TableInfo]:
        return [info for info, _ in self.good.values()]


def table_names(pieces: int, fewest: int = FEWEST_PIECES) -> Iterator[str]:
    """Yield the names of all tables of up to `pieces` pieces, in building order."""
    for count in range(fewest, pieces + 1):
        yield from tables(count)


def take_stock(folder: Path, pieces: int = MOST_PIECES) -> Stock:
    """Read and check every table of up to `pieces` pieces. A good file in the folder is preferred to one that ships."""
    stock = Stock({}, {})
    for name in table_names(pieces):
        for place in (table_path(name, folder), table_path(name, shipped_folder())):
            try:
                stock.good[name] = read_info(place), place
                break
            except FileNotFoundError:
                pass
            except CorruptTableError as error:
                if place.parent != folder:
                    raise
                stock.damaged[name] = error
    return stock


def remove_tables(folder: Path, fewest: int = FEWEST_PIECES) -> dict[str, int]:
    """Remove the tables of `fewest` pieces or more from the folder, and the leftovers of killed builds.

    Larger tables are useless without the smaller ones. Tables that ship with outplay stay. Return names and sizes.
    """
    if not folder.is_dir():
        return {}
    with locked(folder):
        paths = {name: table_path(name, folder) for name in table_names(MOST_PIECES, fewest)}
        sizes = {name: path.stat().st_size for name, path in paths.items() if path.exists()}
        for path in (*(paths[name] for name in reversed(sizes)), *leftovers(folder)):
            path.unlink(missing_ok=True)
    return sizes


def leftovers(folder: Path) -> Iterator[Path]:
    """Yield the unfinished files of killed builds."""
    yield from folder.glob("*.tmp")
