"""Endgame tables: positions answered in a second of CPU time; all five pieces are built first, about a minute."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from random import Random

from outplay._core.tablebase import Prober
from outplay.tablebase import Tablebase, build_table, plan
from outplay.tablebase.files import open_file, shipped_folder, tables_in
from tests.endings import random_ending

CORE_PROBES = 2_000_000
PYTHON_PROBES = 200_000


def measure() -> list[tuple[str, str, float]]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for job in plan(5):
            build_table(job.name, folder, threads=2)
        return [*core_speeds(folder), *python_speeds(folder)]


def core_speeds(folder: Path) -> list[tuple[str, str, float]]:
    """Random positions of five pieces; nothing is unpacked when the first of them is asked."""
    files = [open_file(path) for place in (shipped_folder(), folder) for path in tables_in(place)]
    probers = {
        "C++, unpacked": Prober.unpacked(files, 2),
        "C++, packed, cache of 64 MiB": Prober(files, 64 << 20),
        "C++, packed, no cache": Prober(files, 0),
    }
    return [
        (f"Five-piece positions asked, {kind}", "outplay", CORE_PROBES / prober.measure(5, CORE_PROBES, 1))
        for kind, prober in probers.items()
    ]


def python_speeds(folder: Path) -> list[tuple[str, str, float]]:
    random = Random(1)
    positions = [random_ending(random, 5) for _ in range(PYTHON_PROBES)]
    rows = []
    for kind, is_unpacked in (("unpacked", True), ("packed", False)):
        with Tablebase.open(folder, unpacked=is_unpacked) as tablebase:
            get = tablebase.get
            started = time.process_time()
            for position in positions:
                get(position)
            rows.append(
                (
                    f"Five-piece positions asked, Python, {kind}",
                    "outplay",
                    PYTHON_PROBES / (time.process_time() - started),
                )
            )
    return rows
