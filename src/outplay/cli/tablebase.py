"""`outplay tablebase`: endgame tables of checkers: build, verify, probe, info, remove."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated

import typer

from outplay.cli import table_views as views
from outplay.cli.answer import help_if_alone
from outplay.cli.arguments import Json, read_position
from outplay.cli.failure import FAILED

if TYPE_CHECKING:
    from outplay.jobs.tables import TablesPlan, TableStep
    from outplay.work import Workers

tablebase = typer.Typer(
    name="tablebase",
    invoke_without_command=True,
    callback=help_if_alone,
    help="Endgame tables of checkers: the exact value of every position with few pieces.",
)

Pieces = Annotated[
    int, typer.Option("--pieces", metavar="N", min=2, max=8, help="Largest number of pieces, both sides together.")
]
Folder = Annotated[
    Path | None, typer.Option("--folder", metavar="PATH", file_okay=False, help="Folder of the tables. Default: "
                              "$OUTPLAY_TABLES, or a folder in your cache folder.")
]  # fmt: skip
WorkerCount = Annotated[
    int | None,
    typer.Option(
        "--workers",
        metavar="N",
        min=1,
        max=1024,
        help="Number of processes. Default: 1, or 2 with --cluster local.",
    ),
]
Threads = Annotated[
    int | None,
    typer.Option(
        "--threads",
        metavar="N",
        min=1,
        max=1024,
        help="Number of threads of each process. Default: the processes share all cores.",
    ),
]
Cluster = Annotated[
    str | None,
    typer.Option(
        "--cluster",
        metavar="ADDRESS",
        help="Address of a Dask scheduler, or 'local' to start one. Default: this machine.",
    ),
]


@tablebase.command()
def build(
    pieces: Pieces,
    folder: Folder = None,
    distances: Annotated[
        bool, typer.Option("--distances", help="Also store how many plies each win takes. Default: only who wins.")
    ] = False,
    slots: WorkerCount = None,
    threads: Threads = None,
    cluster: Cluster = None,
    only_plan: Annotated[
        bool, typer.Option("--plan", help="Say what would be built, and build nothing. Default: build it.")
    ] = False,
    json: Json = False,
) -> None:
    """Build the tables that are missing. After a kill or Ctrl-C the same command builds the rest.

    [bold]Examples[/bold]

    outplay tablebase build --pieces 5
    outplay tablebase build --pieces 6 --plan    what it needs
    outplay tablebase build --pieces 6 --cluster tcp://10.0.0.1:8786
    """
    from outplay.jobs import tables
    from outplay.jobs.resources import this_machine

    place, started = _folder(folder), perf_counter()
    with _open_workers(slots, cluster) as workers:
        if only_plan:
            machines = workers.survey(this_machine)
            plan = tables.plan_build(pieces, place, machines, threads=threads, distances=distances)
            views.say_plan(plan, json)
            return
        with tables.building(pieces, place, workers, threads=threads, distances=distances) as plan:
            views.note_damaged(plan)
            try:
                steps = list(_watched(f"{pieces} pieces", plan, tables.build(plan, workers)))
            except KeyboardInterrupt:
                raise KeyboardInterrupt("what is built is kept; the same command builds the rest") from None
    views.say_built(plan, steps, perf_counter() - started, json)


@tablebase.command()
def verify(
    pieces: Pieces,
    folder: Folder = None,
    slots: WorkerCount = None,
    threads: Threads = None,
    cluster: Cluster = None,
    json: Json = False,
) -> None:
    """Check the tables with another method than the one that built them. The exit code is 8 if one is wrong.

    [bold]Examples[/bold]

    outplay tablebase verify --pieces 4
    outplay tablebase verify --pieces 6 --workers 2 --json
    """
    from outplay.errors import EXIT_CODES, CorruptTableError
    from outplay.jobs import tables
    from outplay.jobs.resources import this_machine

    started = perf_counter()
    with _open_workers(slots, cluster) as workers:
        plan = tables.plan_verify(pieces, _folder(folder), workers.survey(this_machine), threads=threads)
        steps = list(_watched(f"verifying {pieces} pieces", plan, tables.verify(plan, workers)))
    views.say_verified(plan, steps, perf_counter() - started, json)
    if any(step.error for step in steps):
        raise typer.Exit(EXIT_CODES[CorruptTableError])


@tablebase.command()
def probe(
    position: Annotated[
        str,
        typer.Argument(
            metavar="POSITION", help="A checkers position: a FEN, moves or rows; - reads it from standard input."
        ),
    ],
    folder: Folder = None,
    json: Json = False,
) -> None:
    """Say what the tables know about a position and about each of its moves.

    The tables ignore repetition and the rule that ends a game without progress.

    [bold]Examples[/bold]

    outplay tablebase probe 'W:WK3:BK31'
    outplay tablebase probe 'B:W18,K10:B12,K16' --json
    """
    from outplay.errors import MissingTableError
    from outplay.tablebase import Tablebase
    from outplay.tablebase.material import MOST_PIECES

    read = read_position("checkers", position, None)
    pieces = len(read.pieces())
    if pieces > MOST_PIECES:
        raise MissingTableError(f"{pieces} pieces: tables have at most {MOST_PIECES}")
    with Tablebase.open(_folder(folder)) as tables:
        views.say_probed(views.probed(tables, read), json)


@tablebase.command()
def info(
    pieces: Annotated[
        int | None,
        typer.Option(
            "--pieces", metavar="N", min=2, max=8, help="List only tables of exactly this many pieces. Default: all."
        ),
    ] = None,
    folder: Folder = None,
    json: Json = False,
) -> None:
    """Check and list the tables: those that ship with outplay and those that were built.

    [bold]Examples[/bold]

    outplay tablebase info
    outplay tablebase info --pieces 5 --json
    """
    from outplay.jobs.inventory import take_stock
    from outplay.tablebase.material import MOST_PIECES

    place = _folder(folder)
    stock = take_stock(place, pieces or MOST_PIECES)
    for error in stock.damaged.values():
        raise error
    infos = [each for each in stock.infos() if pieces in (None, each.tables[0].material.pieces)]
    views.say_infos(infos, place, json)


@tablebase.command()
def remove(
    pieces: Annotated[
        int, typer.Option("--pieces", metavar="N", min=2, max=8, help="Remove tables of this many pieces and more.")
    ] = 2,
    folder: Folder = None,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Remove them without asking. Default: ask.")] = False,
    json: Json = False,
) -> None:
    """Remove tables that were built. Those that ship with outplay stay.

    [bold]Examples[/bold]

    outplay tablebase remove --pieces 6
    outplay tablebase remove --yes --json
    """
    from outplay.jobs.inventory import remove_tables

    place = _folder(folder)
    if not yes:
        if json or not sys.stdin.isatty():
            raise typer.BadParameter(
                "with --json or without a terminal, the command cannot ask for confirmation: add --yes",
                param_hint="--yes",
            )
        if not typer.confirm(f"Remove the tables of {pieces} pieces and more in {place}?", err=True):
            typer.echo("outplay: nothing was removed", err=True)
            raise typer.Exit(FAILED)
    views.say_removed(remove_tables(place, pieces), place, json)


def _folder(folder: Path | None) -> Path:
    from outplay.tablebase import tables_folder

    return tables_folder(folder)


def _open_workers(slots: int | None, cluster: str | None) -> Workers:
    from outplay.work import open_workers

    if cluster is not None and cluster != "local":
        if slots is not None:
            raise typer.BadParameter(
                "--workers is for this machine: a cluster brings its own workers", param_hint="--workers"
            )
        return open_workers(cluster=cluster)
    return open_workers(slots or (2 if cluster else 1), cluster=cluster)


def _watched(what: str, plan: TablesPlan, steps: Iterator[TableStep]) -> Iterator[TableStep]:
    """Yield the steps of a build or a check, and show the progress."""
    from outplay.cli.progress import run_progress
    from outplay.jobs.resources import amount, disk_left

    with run_progress(what, len(plan.jobs), note=lambda: f"{amount(disk_left(plan.folder))} of disk left") as tell:
        for step in steps:
            tell(step.progress)
            yield step
