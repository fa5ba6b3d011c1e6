"""Open the endgame tables for a searcher, which looks up positions in them during its search."""

from __future__ import annotations

from pathlib import Path

from outplay.checkers import Endgames
from outplay.tablebase.files import open_file, shipped_folder, tables_folder, tables_in


def open_endgames(path: Path | None = None, *, cache_mib: int = 64, unpacked_pieces: int = 4) -> Endgames:
    """Open the tables that ship with outplay, and those in the folder `path`.

    Default for `path`: $OUTPLAY_TABLES, or the user's cache folder.

    Tables of up to `unpacked_pieces` are unpacked in memory (1.2 GiB for six). Of larger ones, `cache_mib` limits how
    many unpacked blocks are kept.
    """
    paths = {file.stem: file for folder in (shipped_folder(), tables_folder(path)) for file in tables_in(folder)}
    files = [open_file(file) for file in paths.values()]
    return Endgames(files, cache_mib=cache_mib, unpacked_pieces=unpacked_pieces)
