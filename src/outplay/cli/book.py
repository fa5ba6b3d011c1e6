"""`outplay book`: opening books of Connect Four: build, verify, info."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated

import typer

from outplay.cli.answer import help_if_alone, say_json
from outplay.cli.arguments import Json, Size

if TYPE_CHECKING:
    from outplay.connect4 import Position
    from outplay.jobs import book as opening
    from outplay.jobs import deep_book
    from outplay.jobs.book import BookStep, Count

book = typer.Typer(
    name="book",
    invoke_without_command=True,
    callback=help_if_alone,
    help="Opening books of Connect Four: the exact scores of all positions with few discs.",
)

BookFile = Annotated[
    Path | None,
    typer.Argument(metavar="FILE", dir_okay=False, help="A book. Default: the one that comes with outplay."),
]
WorkerCount = Annotated[
    int | None,
    typer.Option("--workers", metavar="N", min=0, max=1024, help="Number of processes. Default: one per core."),
]
ShippedDeep = Annotated[
    bool,
    typer.Option("--deep", help="Without FILE: use the deep book that comes with outplay. Default: the opening book."),
]
TableMib = Annotated[
    int,
    typer.Option(
        "--table-mib", metavar="N", min=1, max=1 << 20, help="Memory of the hash table of each process, in MiB."
    ),
]


@book.command()
def build(
    plies: Annotated[
        int | None,
        typer.Option(
            "--plies", metavar="N", min=0, help="Largest number of plies of a position. Default: 8; with --deep 12."
        ),
    ] = None,
    deep: Annotated[
        bool,
        typer.Option(
            "--deep",
            help="Build a deep book: positions of N and N - 2 plies in which no move wins at once. "
            "Default: all positions of up to N plies.",
        ),
    ] = False,
    size: Size = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            metavar="FILE",
            dir_okay=False,
            help="File of the book. Default: connect4-SIZE-PLIES.book or .deep.",
        ),
    ] = None,
    slots: WorkerCount = None,
    table_mib: TableMib = 64,
    cluster: Annotated[
        str | None,
        typer.Option(
            "--cluster",
            metavar="ADDRESS",
            help="Address of a Dask scheduler, or 'local' to start one. Default: this machine.",
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Solve every position of up to N plies and write the scores into a book.

    What is solved is kept in FILE.part or FILE.shards: after a kill or Ctrl-C the same command continues from there.

    [bold]Examples[/bold]

    outplay book build    8 plies of the 7 x 6 board: an hour on one core
    outplay book build --plies 4 --size 5x4 --out small.book
    outplay book build --deep    12 and 10 plies of the 7 x 6 board: one to two hours on one core
    outplay book build --plies 10 --cluster tcp://10.0.0.1:8786
    """
    from outplay.jobs import book as opening
    from outplay.jobs import deep_book
    from outplay.notation import read_size
    from outplay.work import open_workers

    started, (width, height) = perf_counter(), read_size(size or "7x6")
    plies = (deep_book.PLIES if deep else opening.PLIES) if plies is None else plies
    path = out or Path(f"connect4-{width}x{height}-{plies}.{'deep' if deep else 'book'}")
    with open_workers(slots, cluster=cluster) as workers:
        if deep:
            deep_order = deep_book.DeepOrder(path, plies, width, height)
            with deep_book.building(deep_order, workers, table_mib=table_mib) as deep_plan:
                solved = _watch(deep_plan, deep_book.build(deep_plan, workers))
        else:
            order = opening.Order(path, plies, width, height)
            with opening.building(order, workers, table_mib=table_mib) as plan:
                solved = _watch(plan, opening.build(plan, workers))
    _say_built(path, solved, perf_counter() - started, json)


@book.command()
def verify(
    file: BookFile = None,
    deep: ShippedDeep = False,
    number: Annotated[
        int, typer.Option("--sample", metavar="N", min=1, help="Number of positions to solve again.")
    ] = 200,
    seed: Annotated[
        int | None, typer.Option("--seed", min=0, max=2**32, help="Seed of the sample. Default: a new one each time.")
    ] = None,
    slots: WorkerCount = None,
    table_mib: TableMib = 64,
    json: Json = False,
) -> None:
    """Solve a random sample of a book's positions again, without the book. The exit code is 8 if a score is wrong.

    [bold]Examples[/bold]

    outplay book verify
    outplay book verify small.book --sample 1000 --seed 7 --json
    """
    from random import SystemRandom

    from outplay.cli.progress import run_progress
    from outplay.errors import EXIT_CODES, CorruptTableError
    from outplay.jobs import book as jobs
    from outplay.work import open_workers

    path, started = _path(file, deep), perf_counter()
    seed = SystemRandom().randrange(2**32) if seed is None else seed
    entries = _sample(path, number, seed)
    wrong = list[tuple["Position", int, int]]()
    with open_workers(slots) as workers, run_progress("verifying", -(-len(entries) // jobs.SAMPLE_BATCH)) as tell:
        for checked in jobs.verify(entries, workers, table_mib=table_mib):
            wrong += checked.wrong
            tell(checked.progress)
    _say_verified(path, len(entries), wrong, seed, perf_counter() - started, json)
    if wrong:
        raise typer.Exit(EXIT_CODES[CorruptTableError])


@book.command()
def info(file: BookFile = None, deep: ShippedDeep = False, json: Json = False) -> None:
    """Count a book's positions for each number of discs, with wins, draws and losses of the side to move.

    [bold]Examples[/bold]

    outplay book info
    outplay book info small.book --json
    """
    from outplay.connect4 import open_book

    path = _path(file, deep)
    opened, counts = open_book(path), list(_counts(path))
    if json:
        rows = [{"plies": each.plies, "positions": each.positions, **_outcomes(each)} for each in counts]
        head = {"file": str(path), "size": f"{opened.width}x{opened.height}", "plies": opened.plies}
        say_json({**head, "positions": len(opened), "bytes": path.stat().st_size, "counts": rows})
        return
    _print_counts(counts)
    sizes = f"{len(opened):,} positions of {opened.width}x{opened.height}, {path.stat().st_size:,} bytes"
    typer.echo(f"{sizes}: {path}")


def _path(file: Path | None, deep: bool) -> Path:
    from outplay.connect4 import book, deep_book

    return file or (deep_book.SHIPPED if deep else book.SHIPPED)


def _sample(path: Path, number: int, seed: int) -> list[tuple[Position, int]]:
    from outplay.connect4 import DeepBook, open_book
    from outplay.jobs import book as opening
    from outplay.jobs import deep_book

    is_deep = isinstance(open_book(path), DeepBook)
    return deep_book.sample(path, number, seed) if is_deep else opening.sample(path, number, seed)


def _counts(path: Path) -> Iterator[Count]:
    from outplay.connect4 import DeepBook, open_book
    from outplay.jobs import book as opening
    from outplay.jobs import deep_book

    is_deep = isinstance(open_book(path), DeepBook)
    return deep_book.count(path) if is_deep else opening.count(path)


def _watch(plan: opening.BookPlan | deep_book.DeepPlan, steps: Iterator[BookStep]) -> int:
    """Show the steps of a build; return the number of positions solved."""
    from outplay.cli.progress import run_progress

    before, solved = plan.solved, 0

    def note() -> str:
        return f"{before + solved:,} of {plan.total:,} positions"

    try:
        with run_progress(f"{plan.order.plies} plies", plan.jobs, note=note) as tell:
            for step in steps:
                solved += step.positions
                tell(step.progress)
    except KeyboardInterrupt:
        known = f"{plan.solved:,} of {plan.total:,} positions are known"
        raise KeyboardInterrupt(f"{known}; the same command continues from {plan.order.kept}") from None
    return solved


def _say_built(path: Path, solved: int, seconds: float, json: bool) -> None:
    from outplay.connect4 import open_book

    opened, size = open_book(path), path.stat().st_size
    if json:
        head = {"file": str(path), "size": f"{opened.width}x{opened.height}", "plies": opened.plies}
        say_json({**head, "positions": len(opened), "solved": solved, "bytes": size, "seconds": round(seconds, 3)})
    elif solved:
        typer.echo(f"{path}: {len(opened):,} positions, {size:,} bytes; {solved:,} solved in {seconds:.1f} s")
    else:
        typer.echo(f"{path}: {len(opened):,} positions, {size:,} bytes; nothing was left to solve")


def _say_verified(
    path: Path, number: int, wrong: Sequence[tuple[Position, int, int]], seed: int, seconds: float, json: bool
) -> None:
    if json:
        views = [{"position": each.fen(), "score": score, "solved": found} for each, score, found in wrong]
        head = {"file": str(path), "verified": number - len(wrong), "wrong": views}
        say_json({**head, "seed": seed, "seconds": round(seconds, 3)})
        return
    for each, score, found in wrong:
        typer.echo(f"outplay: {path} is wrong: the score of {each.fen()} is {found}, not {score}", err=True)
    rest = f"; {len(wrong)} are wrong" if wrong else ""
    typer.echo(f"verified {number - len(wrong)} positions in {seconds:.1f} s (seed {seed}){rest}")


def _outcomes(count: Count) -> dict[str, int]:
    return {name: number for name, number in asdict(count).items() if name != "plies"}


def _print_counts(counts: Sequence[Count]) -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    for name in ("plies", "positions", "wins", "draws", "losses"):
        table.add_column(name, justify="right", no_wrap=True)
    for each in counts:
        numbers = (each.plies, each.positions, each.wins, each.draws, each.losses)
        table.add_row(*(f"{number:,}" for number in numbers))
    Console(highlight=False).print(table)
