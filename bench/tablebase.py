"""Measure endgame tables: positions answered per second of CPU time.

First it builds all tables of five pieces, which takes about a minute.
"""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from random import Random

from outplay._core.tablebase import Prober
from outplay.tablebase import Tablebase, build_table, plan
from outplay.tablebase.files import open_file, shipped_folder, tables_in
from tests.support.endings import random_ending

CORE_PROBES = 2_000_000
PYTHON_PROBES = 200_000


def measure() -> list[tuple[str, str, float]]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for job in plan(5):
            build_table(job.name, folder, threads=2)
        return [*core_speeds(folder), *python_speeds(folder)]


def core_speeds(folder: Path) -> list[tuple[str, str, float]]:
    """Measure random positions of five pieces, starting with an empty cache."""
    files = [open_file(path) for place in (shipped_folder(), folder) for path in tables_in(place)]
    probers = {
        "C++, unpacked": Prober.unpacked(files, 2),
        "C++, packed, cache of 64 MiB": Prober(files, 64 << 20),
        "C++, packed, no cache": Prober(files, 0),
    }
    return [
        (
            f"Five-piece positions asked, {kind}, {'together' if is_together else 'one by one'}",
            "outplay",
            CORE_PROBES / prober.measure(5, CORE_PROBES, 1, is_together),
        )
        for kind, prober in probers.items()
        for is_together in (False, True)
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
            one_by_one = time.process_time() - started
            started = time.process_time()
            tablebase.get_all(positions)
            together = time.process_time() - started
            asked = f"Five-piece positions asked, Python, {kind}"
            rows.append((f"{asked}, one by one", "outplay", PYTHON_PROBES / one_by_one))
            rows.append((f"{asked}, together", "outplay", PYTHON_PROBES / together))
    return rows
