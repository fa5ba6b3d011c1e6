"""Compare the compiled core of the wheel in dist/ with that of the local build: `python -m bench.wheel`.

Both do the same work in turn, each time in a process of its own. The least processor time of several runs counts.
`--instructions` counts instructions with valgrind instead. Valgrind does not know AVX-512, so it cannot run a core that
was compiled for a processor with it: compile one without, and name the file with `--core`.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import zipfile
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.solve_many import ROOT, Command, instructions, python_with
from outplay import _core

WORK = {
    "search of checkers": "checkers.Searcher().analyse(checkers.Position(), nodes=size * 300_000)",
    "solving Connect Four": "connect4.Solver(book=False).solve_many(middle)",
    "perft of checkers": "checkers.Position().perft(7 + 2 * (size > 1))",
    "perft of Connect Four": "connect4.Position().perft(8 + 2 * (size > 1))",
    "endgame tables": "tables.probe_many(endings)",
    "planes of Connect Four": "[middle.planes(out=planes) for _ in range(size * 25)]",
    "vector games of Connect Four": "play(connect4.VectorGames(1024), size * 100)",
    "vector games of checkers": "play(checkers.VectorGames(1024), size * 100)",
}
CHILD = """
import sys, time
from outplay import checkers, connect4
from outplay.tablebase import Tablebase

def play(games, steps):
    actions = games.random_actions()
    for _ in range(steps):
        games.step(actions)
        games.random_actions(out=actions)

work, size = sys.argv[1], int(sys.argv[2])
middle = connect4.Positions.random(size * 100, plies=(16, 30), seed=1)
planes = middle.planes()
tables = Tablebase.open()
endings = checkers.Positions.random(size * 1_000, pieces=(2, 4), seed=1)
started = time.process_time()
exec(work)
print(time.process_time() - started)
"""


def seconds(package: Path, work: str) -> float:
    command: Command = [*python_with(package), "-c", CHILD, work, "20"]
    return float(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


@cache
def counted(package: Path, work: str, folder: Path) -> int:
    return instructions([*python_with(package), "-c", CHILD, work, "1"], folder)[0]


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser("python -m bench.wheel", description=__doc__)
    parser.add_argument("names", nargs="*", help=f"what to measure, of {', '.join(WORK)}; default: all of them")
    parser.add_argument("--instructions", action="store_true", help="count instructions with valgrind")
    parser.add_argument("--core", type=Path, default=Path(str(_core.__file__)), help="default: the installed core")
    parser.add_argument("--repeats", type=int, default=3, help="runs of each. Default: 3")
    given = parser.parse_args(arguments)
    (wheel,) = (ROOT / "dist").glob("outplay-*.whl")
    print(f"| {'instructions' if given.instructions else 'seconds'} | local build | wheel | wheel / local |")
    print("|---|---|---|---|")
    with TemporaryDirectory() as name:
        folder = Path(name)
        zipfile.ZipFile(wheel).extractall(folder / "wheel")
        zipfile.ZipFile(wheel).extractall(folder / "local")
        for old in (folder / "local").rglob("_core.*.so"):
            old.unlink()
        shutil.copy(given.core, folder / "local" / "outplay")
        for who in ("local", "wheel"):
            seconds(folder / who, "pass")  # Python compiles what it imports once
        for subject in given.names or WORK:
            found: dict[str, float] = {}
            for _ in range(1 if given.instructions else given.repeats):
                for who in ("local", "wheel"):
                    cost: float
                    if given.instructions:
                        without = counted(folder / who, "pass", folder)
                        cost = counted(folder / who, WORK[subject], folder) - without
                    else:
                        cost = seconds(folder / who, WORK[subject])
                    found[who] = min(cost, found.get(who, cost))
            local, ours = (f"{found[who]:,.0f}" if given.instructions else f"{found[who]:.3f}" for who in found)
            print(f"| {subject} | {local} | {ours} | {found['wheel'] / found['local']:.3f} |", flush=True)


if __name__ == "__main__":
    main()
