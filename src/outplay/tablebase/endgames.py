"""Open the endgame tables for a searcher, which looks up positions in them during its search."""

from __future__ import annotations

from pathlib import Path

from outplay.checkers import Endgames
from outplay.tablebase.files import open_file, shipped_folder, tables_folder, tables_in


def open_endgames(path: Path | None = None, *, cache_mib: int = 64) -> Endgames:
    """Open the tables that ship with outplay, and those in the folder `path`.

    Default for `path`: $OUTPLAY_TABLES, or the user's cache folder.

    Tables of up to four pieces are unpacked in memory. Of larger ones, `cache_mib` limits how many unpacked blocks are
    kept.
    """
    paths = {file.stem: file for folder in (shipped_folder(), tables_folder(path)) for file in tables_in(folder)}
    return Endgames([open_file(file) for file in paths.values()], cache_mib=cache_mib)
