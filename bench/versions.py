"""Compare the Connect Four solver with that of another version: `python -m bench.versions FOLDER`.

Get the other version into FOLDER with `OUTPLAY_NATIVE=ON pip install --no-build-isolation --no-deps --target FOLDER .`
in its working tree. Both solve the same positions without a book, in turn, each time in a process of its own. The
least processor time of each position counts. `OUTPLAY_CORPORA` names the folder with Pascal Pons's six sets.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path

from bench.solve_many import Command, python_with
from bench.solver import SETS

NUMBERS = {"L3_R1": 1000, "L2_R1": 1000, "L2_R2": 500, "L1_R1": 1000, "L1_R2": 150, "L1_R3": 25}
"""How many positions of each set, from its beginning on."""
SIZES = ("7x6", "6x7", "8x5", "9x4", "5x10", "6x8", "7x7", "4x16")
CHILD = """
import json, sys, time
from outplay.connect4 import Position, Solver

solver, found = Solver(book=False), []
for moves, width, height in json.loads(sys.argv[1]):
    position = Position.from_moves(moves, width, height)
    solver.clear()
    started = time.process_time()
    solution = solver.solve(position)
    found.append((time.process_time() - started, solution.nodes, solution.score))
print(json.dumps(found))
"""

Question = tuple[str, int, int]
"""Moves, width and height."""
Found = list[tuple[float, int, int]]
"""Of each position: seconds, nodes and score."""


def ask(python: Command, questions: list[Question]) -> Found:
    done = subprocess.run([*python, "-c", CHILD, json.dumps(questions)], capture_output=True, text=True, check=True)
    return [(seconds, nodes, score) for seconds, nodes, score in json.loads(done.stdout)]


def compare(what: str, questions: list[Question], other: Path, repeats: int) -> str:
    """Return a row of the table: means over the positions."""
    least: list[Found] = []
    versions: list[Command] = [python_with(other), [sys.executable]]
    for _ in range(repeats):
        found = [ask(python, questions) for python in versions]
        least = [[*map(min, *pair)] for pair in zip(least, found, strict=True)] if least else found
    before, now = least
    assert [score for _, _, score in before] == [score for _, _, score in now]
    cells = [f"{sum(nodes for _, nodes, _ in each) / len(each):,.0f}" for each in least]
    cells += [f"{1000 * sum(seconds for seconds, _, _ in each) / len(each):.4g}" for each in least]
    return f"| {what} | {len(now)} | {' | '.join(cells)} |"


def read_questions(name: str) -> list[Question]:
    lines = (Path(os.environ["OUTPLAY_CORPORA"]) / "connect4" / f"Test_{name}").read_text(encoding="ascii").splitlines()
    return [(line.split()[0], 7, 6) for line in lines[: NUMBERS[name]]]


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser("python -m bench.versions", description=__doc__)
    parser.add_argument("other", metavar="FOLDER", type=Path, help="the other version")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join((*SETS, *SIZES))}; default: all")
    parser.add_argument("--repeats", type=int, default=5, help="runs of each version; default: 5")
    options = parser.parse_args(arguments)
    print("| what | positions | nodes, other | nodes, this | ms, other | ms, this |\n|---|---|---|---|---|---|")
    for name in options.names or (*SETS, *SIZES):
        width, _, height = name.partition("x")
        questions = read_questions(name) if name in SETS else [("", int(width), int(height))]
        print(compare(name, questions, options.other, options.repeats), flush=True)


if __name__ == "__main__":
    main()
