"""`make bench`: us and the peers that PyPI offers, side by side on the same work in one run, as ratios."""

from __future__ import annotations

import importlib
import platform
import sys
from itertools import groupby
from pathlib import Path

from bench import lab_matches

SPEED = ("perft", "random_games", "tablebase")


def main() -> None:
    chosen = sys.argv[1:] or [*SPEED, "lab_matches"]
    print(f"Python {platform.python_version()}, {cpu_name()}\n")
    compare_speed([subject for subject in SPEED if subject in chosen])
    if "lab_matches" in chosen:
        print()
        lab_matches.main()


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
