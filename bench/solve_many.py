"""Count the instructions of `solve_many`, and those of a loop in C++ that solves the same positions.

`python -m bench.solve_many` needs valgrind, g++ and the wheel of `make wheel`: its core has none of the instructions
that valgrind does not know. What a program does without positions is subtracted. `--threads` measures time instead:
one thread and two, in turn, with the core that is installed.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import time
import zipfile
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from outplay import connect4
from outplay.connect4 import Positions
from outplay.connect4.book import SHIPPED as BOOK
from outplay.connect4.deep_book import SHIPPED as DEEP_BOOK

ROOT = Path(__file__).parent.parent
COUNT = 100_000
CHILD = """
import sys
import numpy
from outplay import connect4
words = numpy.fromfile(sys.argv[1], numpy.uint64).reshape(-1, 2)
positions = connect4.Positions.from_bitboards(words[:, 0].copy(), words[:, 1].copy())
asked = positions if sys.argv[2] == "solve" else positions[:0]
print(connect4.Solver().solve_many(asked).astype(int).sum())
"""


Command = list[str | Path]
ONE_THREAD = ("OPENBLAS_NUM_THREADS=1",)  # the threads that NumPy starts wait in loops of millions of instructions


def python_with(package: Path) -> Command:
    """Return a Python that finds outplay in this folder, and other packages where this one does."""
    others = Path(np.__file__).parent.parent
    return ["env", f"PYTHONPATH={package}:{others}", "PYTHONHASHSEED=0", *ONE_THREAD, sys.executable, "-S"]


def instructions(command: Command, folder: Path) -> tuple[int, str]:
    """Return how many instructions a command takes, in all of its threads, and what it prints."""
    tool = ["valgrind", "--tool=callgrind", "--trace-children=yes", f"--callgrind-out-file={folder / 'callgrind.out'}"]
    done = subprocess.run([*tool, *command], capture_output=True, text=True, check=True)
    found = re.search(r"Collected : (\d+)", done.stderr)
    assert found is not None, done.stderr
    return int(found[1]), done.stdout.strip()


def count(positions: Positions, folder: Path) -> None:
    (wheel,) = (ROOT / "dist").glob("outplay-*.whl")
    zipfile.ZipFile(wheel).extractall(folder / "wheel")
    (library,) = (ROOT / "build/wheel").glob("liboutplay_core_v3.a")
    loop = folder / "solve_loop"
    source = ROOT / "bench/solve_loop.cpp"
    options = ["-std=gnu++20", "-O3", "-DNDEBUG", "-march=x86-64-v3", "-pthread", f"-I{ROOT / 'core'}"]
    subprocess.run(["g++", *options, source, library, "-o", loop], check=True)
    all_of, none_of = folder / "all", folder / "none"
    np.stack([positions.own, positions.mask], axis=1).tofile(all_of)
    none_of.touch()
    child = [*python_with(folder / "wheel"), "-c", CHILD, all_of]
    ours, score = instructions([*child, "solve"], folder)
    ours -= instructions([*child, "nothing"], folder)[0]
    core, same = instructions([loop, all_of, BOOK, DEEP_BOOK], folder)
    core -= instructions([loop, none_of, BOOK, DEEP_BOOK], folder)[0]
    assert score == same, (score, same)
    print(f"| instructions | {len(positions):,} positions | each | times |\n|---|---|---|---|")
    print(f"| the core's own loop | {core:,} | {core / len(positions):,.0f} | |")
    print(f"| solve_many | {ours:,} | {ours / len(positions):,.0f} | {ours / core:.4f} |")


def measure_threads(positions: Positions, repeats: int) -> None:
    seconds: dict[int, list[float]] = {1: [], 2: []}
    for _ in range(repeats):
        for threads, found in seconds.items():
            solver = connect4.Solver()
            started = time.perf_counter()
            solver.solve_many(positions, threads=threads)
            found.append(time.perf_counter() - started)
    one, two = (float(np.median(found)) for found in seconds.values())
    print(f"{len(positions):,} positions: {one:.2f} s on one thread, {two:.2f} s on two: {one / two:.2f} times as fast")


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser("python -m bench.solve_many", description=__doc__)
    parser.add_argument("--positions", type=int, default=COUNT, help="random positions of all plies; default: 100,000")
    parser.add_argument("--threads", action="store_true", help="measure time on one thread and on two")
    parser.add_argument("--repeats", type=int, default=3, help="of the times; the median counts. Default: 3")
    given = parser.parse_args(arguments)
    positions = Positions.random(given.positions, seed=1)
    if given.threads:
        measure_threads(positions, given.repeats)
        return
    with TemporaryDirectory() as folder:
        count(positions, Path(folder))


if __name__ == "__main__":
    main()
