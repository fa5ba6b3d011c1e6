"""`make bench`: measure outplay and similar packages from PyPI on the same work in one run, as ratios.

`python -m bench perft solver` measures only these; an unknown name is an error.
"""

from __future__ import annotations

import argparse
import importlib
import platform
from itertools import groupby
from pathlib import Path

from bench import lab_matches, solver, terminal

SPEED = ("perft", "random_games", "tablebase", "batches", "environments")
NAMES = (*SPEED, "solver", "lab_matches", "terminal")


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser("python -m bench", description="Measure outplay beside similar packages.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(NAMES)}; default: all of them")
    chosen = parser.parse_args(arguments).names or NAMES
    unknown = [name for name in chosen if name not in NAMES]
    if unknown:
        parser.error(f"there is no bench named {', '.join(unknown)}; there are {', '.join(NAMES)}")
    print(f"Python {platform.python_version()}, {cpu_name()}\n")
    compare_speed([subject for subject in SPEED if subject in chosen])
    if "solver" in chosen:
        print()
        solver.main([])
    if "lab_matches" in chosen:
        print()
        lab_matches.main()
    if "terminal" in chosen:
        print()
        terminal.main()


def compare_speed(subjects: list[str]) -> None:
    print("| what | who | a second | outplay is |\n|---|---|---|---|")
    for subject in subjects:
        rows = importlib.import_module(f"bench.{subject}").measure()
        for what, group in groupby(rows, key=lambda row: row[0]):
            members = list(group)
            ours = members[0][2]
            for _, who, speed in members:
                ratio = "" if who == "outplay" else f"{ours / speed:,.1f} x as fast"
                print(f"| {what} | {who} | {speed:,.0f} | {ratio} |", flush=True)


def cpu_name() -> str:
    lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    return next((line.split(":")[1].strip() for line in lines if line.startswith("model name")), "unknown CPU")


if __name__ == "__main__":
    main()
