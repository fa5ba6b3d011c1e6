"""`outplay data`: data sets of positions with labels."""

from __future__ import annotations

import re
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from outplay.cli.answer import help_if_alone, say_json
from outplay.cli.arguments import Json, Size
from outplay.cli.limits import ClusterAddress

if TYPE_CHECKING:
    from outplay.jobs.data_orders import DataOrder

data = typer.Typer(
    name="data",
    invoke_without_command=True,
    callback=help_if_alone,
    help="Data sets: positions with labels, the same for the same seed. Needs NumPy.",
)

Count = Annotated[int, typer.Option("--positions", metavar="N", min=1, max=10**9, help="Number of positions.")]
Out = Annotated[
    Path,
    typer.Option(
        "--out", metavar="FILE", dir_okay=False, help="File to write: its name ends in .parquet, .npz or .csv."
    ),
]
SeedOption = Annotated[int, typer.Option("--seed", metavar="N", min=0, max=2**32, help="Seed of the positions.")]
TestShare = Annotated[
    float, typer.Option("--test-share", metavar="SHARE", min=0, max=1, help="Share of the positions for testing.")
]
WorkerCount = Annotated[
    int | None,
    typer.Option("--workers", metavar="N", min=0, max=1024, help="Number of processes. Default: one per core."),
]


def _range(text: str | None, name: str) -> tuple[int, int] | None:
    """Return "8-24" as (8, 24), and "8" as (8, 8)."""
    if text is None:
        return None
    found = re.fullmatch(r"(\d{1,3})(?:-(\d{1,3}))?", text.strip())
    if found is None or int(found[1]) > int(found[2] or found[1]):
        raise typer.BadParameter(
            f"{text!r} is neither a number nor a range from low to high, such as 8-24", param_hint=name
        )
    return int(found[1]), int(found[2] or found[1])


@data.command()
def connect4(
    positions: Count,
    out: Out,
    plies: Annotated[
        str, typer.Option("--plies", metavar="A-B", help="Smallest and largest number of discs on the board.")
    ] = "8-24",
    size: Size = None,
    quiet: Annotated[
        bool,
        typer.Option(
            "--no-immediate-win", help="Leave out positions in which a move wins at once. Default: keep them."
        ),
    ] = False,
    seed: SeedOption = 1,
    test_share: TestShare = 0.1,
    slots: WorkerCount = None,
    cluster: ClusterAddress = None,
    json: Json = False,
) -> None:
    """Choose positions at random and solve every column of each. After a kill the same command continues.

    [bold]Examples[/bold]

    outplay data connect4 --positions 1000000 --plies 8-24 --out c4.parquet
    outplay data connect4 --positions 5000 --size 6x5 --plies 4-20 --out small.csv
    """
    from outplay.jobs.data_orders import Connect4Data
    from outplay.notation import read_size

    width, height = read_size(size or "7x6")
    least_and_most = _range(plies, "--plies")
    assert least_and_most is not None
    order = Connect4Data(positions, seed, test_share, least_and_most, quiet, width, height)
    _make(order, out, slots, cluster, json)


@data.command()
def checkers(
    positions: Count,
    out: Out,
    plies: Annotated[
        str | None,
        typer.Option(
            "--plies", metavar="A-B", help="Smallest and largest number of plies played at random. Default: 10-80."
        ),
    ] = None,
    pieces: Annotated[
        str | None,
        typer.Option(
            "--pieces",
            metavar="A-B",
            help="Smallest and largest number of pieces on random squares, instead of random play. Default: none.",
        ),
    ] = None,
    nodes: Annotated[
        int,
        typer.Option("--nodes", metavar="N", min=1, help="Number of nodes that the search visits for each label."),
    ] = 10_000,
    seed: SeedOption = 1,
    test_share: TestShare = 0.1,
    slots: WorkerCount = None,
    cluster: ClusterAddress = None,
    json: Json = False,
) -> None:
    """Choose positions at random, and label each with its value in the endgame tables and the score of a search.

    [bold]Examples[/bold]

    outplay data checkers --positions 100000 --out checkers.parquet
    outplay data checkers --positions 100000 --pieces 3-4 --out endings.npz
    """
    from outplay.jobs.data_orders import CheckersData

    if plies is not None and pieces is not None:
        raise typer.BadParameter("give --plies or --pieces, not both", param_hint="--pieces")
    by_plies, by_pieces = _range(plies or "10-80", "--plies"), _range(pieces, "--pieces")
    order = CheckersData(positions, seed, test_share, by_plies, by_pieces, nodes)
    _make(order, out, slots, cluster, json)


@data.command()
def check(
    file: Annotated[Path, typer.Argument(metavar="FILE", exists=True, dir_okay=False, help="A data set.")],
    sample: Annotated[
        int, typer.Option("--sample", metavar="N", min=0, help="Number of positions whose labels are computed again.")
    ] = 1000,
    seed: Annotated[
        int | None, typer.Option("--seed", metavar="N", min=0, help="Seed of the sample. Default: a new one each time.")
    ] = None,
    json: Json = False,
) -> None:
    """Check a data set against its card (FILE.json), and label a sample again; exit code 8 if something is wrong.

    [bold]Examples[/bold]

    outplay data check c4.parquet
    outplay data check c4.parquet --sample 10000 --seed 7
    """
    from outplay.extras import require

    require("numpy", "numpy")
    from outplay.jobs.data_check import check

    found = check(file, sample=sample, seed=seed)
    if json:
        say_json(asdict(found))
    else:
        typer.echo(
            f"{file}: {found.positions:,} positions ({found.train:,} train, {found.test:,} test) match their card; "
            f"{found.sample:,} labelled again, all correct"
        )


def _make(order: DataOrder, out: Path, slots: int | None, cluster: str | None, as_json: bool) -> None:
    from outplay.extras import require

    require("numpy", "numpy")
    from outplay.cli.progress import run_progress
    from outplay.jobs.data import card_path, make, making
    from outplay.work import open_workers

    with making(order, out) as plan, open_workers(slots, cluster=cluster) as workers:
        try:
            with run_progress("labelling", len(plan.missing)) as tell:
                for step in make(plan, workers):
                    tell(step.progress)
        except KeyboardInterrupt:
            raise KeyboardInterrupt(f"the same command continues from {plan.shards}") from None
    if as_json:
        say_json({"file": str(out), "card": str(card_path(out)), "order": order.describe()})
    else:
        typer.echo(f"{out}: {order.positions:,} positions; {card_path(out).name} says how they were made")
