"""The tables for a searcher, which asks them in the middle of its search."""

from __future__ import annotations

from pathlib import Path

from outplay.checkers import Endgames
from outplay.tablebase.files import open_file, shipped_folder, tables_folder, tables_in


def open_endgames(path: Path | None = None, *, cache_mib: int = 64) -> Endgames:
    """Open the tables of `path`, or $OUTPLAY_TABLES, or the user's cache folder, on top of those that ship.

    Those to four pieces are spread out in memory; of larger ones, `cache_mib` bounds how many blocks are kept.
    """
    paths = {file.stem: file for folder in (shipped_folder(), tables_folder(path)) for file in tables_in(folder)}
    return Endgames([open_file(file) for file in paths.values()], cache_mib=cache_mib)
