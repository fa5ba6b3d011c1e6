"""A build of some endgame tables, as a program that can be killed: FOLDER WORKERS CLUSTER TABLE...

It says each table as it is finished. CLUSTER is - for none.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

from outplay.jobs import tables
from outplay.work import Workers, open_workers


def build_some(names: list[str], folder: Path, runner: Workers) -> list[tables.TableStep]:
    """Build these tables of five pieces, in an order in which they can be; gives the steps."""
    steps = list[tables.TableStep]()
    with tables.building(5, folder, runner, threads=1) as plan:
        jobs = {job.name: job for job in plan.jobs}
        for step in tables.build(replace(plan, jobs=tuple(jobs[name] for name in names if name in jobs)), runner):
            steps.append(step)
            print(step.name, flush=True)
    return steps


def main(folder: str, workers: str, cluster: str, *names: str) -> None:
    with open_workers(int(workers), cluster=None if cluster == "-" else cluster) as runner:
        build_some(list(names), Path(folder), runner)


if __name__ == "__main__":
    main(*sys.argv[1:])
