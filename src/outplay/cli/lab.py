"""`outplay lab`: what each technique saves (`compare`), and what a search does (`trace`)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from math import log10
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from outplay.cli.answer import help_if_alone, say_json, whole_file
from outplay.cli.arguments import GameName, Json, PositionText, Size, read_position
from outplay.cli.progress import Bar, is_terminal
from outplay.rules import Position

if TYPE_CHECKING:
    from outplay.lab.compare import Progress, Row

lab = typer.Typer(
    name="lab",
    invoke_without_command=True,
    callback=help_if_alone,
    help="Watch a search: what each technique saves, which positions the search looks at, and why.",
)

MAX_DEPTH = 42
BAR = 14

Evaluate = Annotated[
    str | None,
    typer.Option(
        "--evaluate",
        metavar="NAME",
        help="Name of an evaluation, or FILE.py:FUNCTION. Default: classic in Connect Four, material in checkers.",
    ),
]
Order = Annotated[
    str | None,
    typer.Option(
        "--order",
        metavar="NAME",
        help="Order of moves: distance (the default) or front in Connect Four, captures in checkers.",
    ),
]
_TECHNIQUES = "alphabeta, ordering, killers, table, mirror, deepening, quiescence"


@lab.command()
def compare(
    game: GameName,
    position: PositionText = "start",
    depth: Annotated[int, typer.Option("--depth", min=1, max=MAX_DEPTH, help="Number of plies to search.")] = 6,
    techniques: Annotated[
        str | None,
        typer.Option(
            "--techniques",
            metavar="A,B,...",
            help=f"Techniques to add, one in each row: {_TECHNIQUES}. Default: all that help in this game.",
        ),
    ] = None,
    evaluate: Evaluate = None,
    order: Order = None,
    quiescence: Annotated[
        bool,
        typer.Option("--quiescence", help="Use quiescence in every row. Default: only if it is one of the techniques."),
    ] = False,
    size: Size = None,
    plot: Annotated[
        Path | None,
        typer.Option("--plot", metavar="FILE.svg", help="Draw the ladder into a file. Default: no picture."),
    ] = None,
    json: Json = False,
) -> None:
    """Run the technique ladder: the same position and depth, one more technique in each row.

    [bold]Examples[/bold]

    outplay lab compare connect4 4453 --depth 6
    outplay lab compare connect4 start --depth 8 --plot ladder.svg
    outplay lab compare checkers start --depth 5 --evaluate formation --json
    outplay lab compare connect4 44 --techniques alphabeta,ordering,killers --order front
    """
    from outplay.lab.compare import ladder
    from outplay.lab.evaluate import find_evaluation
    from outplay.lab.picture import ladder_svg

    read = read_position(game, position, size)
    evaluation = find_evaluation(evaluate, game)
    with _progress(read, depth) as progress:
        steps = ladder(
            read,
            depth,
            evaluation.score,
            techniques=None if techniques is None else _names(techniques),
            quiescence=quiescence,
            order=order,
            progress=progress,
        )
        rows = list(steps)
    if plot is not None:
        with whole_file(plot) as file:
            file.write(
                ladder_svg(rows, f"{_title(position, read)}: positions looked at to depth {depth} (log scale)") + "\n"
            )
    if json:
        head = {"game": game, "position": read.fen(), "depth": depth, "evaluate": evaluation.name}
        say_json({**head, "rows": [asdict(row) for row in rows]})
    else:
        _print_ladder(rows)
        if plot is not None:
            typer.echo(f"wrote {plot}")


@lab.command()
def trace(
    game: GameName,
    position: PositionText = "start",
    depth: Annotated[int, typer.Option("--depth", min=1, max=MAX_DEPTH, help="Number of plies to search.")] = 3,
    techniques: Annotated[
        str,
        typer.Option(
            "--techniques", metavar="A,B,...", help=f"Techniques to use: all, none, or some of {_TECHNIQUES}."
        ),
    ] = "alphabeta,ordering",
    evaluate: Evaluate = None,
    order: Order = None,
    limit: Annotated[int, typer.Option("--limit", min=1, max=100_000, help="Largest number of entries to keep.")] = 200,
    size: Size = None,
    svg: Annotated[
        Path | None, typer.Option("--svg", metavar="FILE", help="Draw the tree into a file. Default: no picture.")
    ] = None,
    json: Json = False,
) -> None:
    """Show what a search looks at, in order, and why it stops where it does.

    [bold]Examples[/bold]

    outplay lab trace connect4 4453 --depth 3
    outplay lab trace connect4 4453 --depth 3 --techniques none       plain minimax
    outplay lab trace checkers start --depth 5 --techniques all --limit 60
    outplay lab trace connect4 44444226 --depth 4 --svg tree.svg
    """
    from outplay.lab import picture, words
    from outplay.lab.evaluate import find_evaluation
    from outplay.lab.techniques import Techniques
    from outplay.lab.trace import trace as record

    read = read_position(game, position, size)
    in_use = Techniques.of(techniques)
    found = record(read, depth, in_use, find_evaluation(evaluate, game), order=order, limit=limit)
    if svg is not None:
        with whole_file(svg) as file:
            file.write(picture.tree_svg(found, f"{_title(position, read)}, depth {found.depth}, {in_use}") + "\n")
    if json:
        say_json(found.as_json())
    else:
        typer.echo("\n".join([*words.summary(found), "", *words.tree(found)]))
        if svg is not None:
            typer.echo(f"wrote {svg}")


def _title(text: str, position: Position) -> str:
    return position.fen() if text == "-" else text


def _names(text: str) -> list[str]:
    """Return the techniques in the order in which they are written."""
    from outplay.lab.techniques import Techniques

    Techniques.of(text)  # raises if it does not know a name
    return [name for part in text.replace("+", ",").split(",") if (name := part.strip()) not in ("", "none", "minimax")]


def _print_ladder(rows: list[Row]) -> None:
    from rich.console import Console
    from rich.table import Table

    from outplay.lab.compare import agreement
    from outplay.lab.picture import duration

    longest = log10(max(10, rows[0].nodes))
    table = Table(box=None, pad_edge=False, caption=f"bars: log scale from 1; {agreement(rows)}")
    table.add_column("technique", no_wrap=True)
    table.add_column("", no_wrap=True, style="blue")
    for name in ("positions", "saved", "time", "move", "same?"):
        table.add_column(name, justify="right", no_wrap=True)
    for row in rows:
        bar = "━" * round(BAR * log10(max(1, row.nodes)) / longest)
        saved = "" if row is rows[0] else f"{rows[0].nodes / row.nodes:,.1f}x"
        same = "yes" if row.move == rows[0].move else "as good" if row.score == rows[0].score else "no"
        table.add_row(row.title, bar, f"{row.nodes:,}", saved, duration(row.seconds), row.move, same if saved else "")
    Console(highlight=False).print(table)


@contextmanager
def _progress(position: Position, depth: int) -> Iterator[Progress | None]:
    """Show a bar for each row. `perft` gives the total for minimax; for the other rows the total is not known."""
    if not is_terminal():
        yield None
        return
    most = sum(position.perft(plies) for plies in range(depth + 1))
    with Bar("minimax") as bar:

        def tell(techniques: tuple[str, ...], nodes: int) -> None:
            share = min(1.0, nodes / most) if techniques == ("minimax",) else None
            bar.tell(share, count=f"{nodes:,} positions", what=techniques[-1])

        yield tell
