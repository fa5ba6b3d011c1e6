"""`outplay match`: two players against each other, and how much stronger one of them is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from outplay.cli.answer import say_json, whole_file
from outplay.cli.arguments import Json

if TYPE_CHECKING:
    from outplay.match import Result

INTERRUPTED = 130


def match(
    players: Annotated[
        list[str],
        typer.Argument(
            metavar="[GAME] A B",
            help="connect4 or checkers (default: --game), then two players: level:5, lab:mcts, FILE.py:FUNCTION, ...",
        ),
    ],
    games: Annotated[int, typer.Option("--games", min=1, help="how many, at most; two for each opening")] = 100,
    game: Annotated[
        Literal["checkers", "connect4"],
        typer.Option("--game", help="What they play, if it is not the first argument. Default: checkers."),
    ] = "checkers",
    openings: Annotated[
        str, typer.Option("--openings", metavar="NAME", help="start, 3move, 11man, plies:N, random:N, a file, A+B")
    ] = "",
    time_ms: Annotated[
        int | None, typer.Option("--time-ms", min=1, help="for each move; 100 if neither nodes nor depth are said")
    ] = None,
    nodes: Annotated[int | None, typer.Option("--nodes", min=1, help="positions to look at for each move")] = None,
    depth: Annotated[int | None, typer.Option("--depth", min=1, help="plies to look ahead")] = None,
    sprt: Annotated[bool, typer.Option("--sprt", help="Stop as soon as it is decided which of two is true.")] = False,
    elo0: Annotated[float, typer.Option("--elo0", help="A is not stronger than this ...")] = 0.0,
    elo1: Annotated[float, typer.Option("--elo1", help="... or at least by this")] = 5.0,
    alpha: Annotated[float, typer.Option("--alpha", help="how often the second may be wrong")] = 0.05,
    beta: Annotated[float, typer.Option("--beta", help="how often the first may be wrong")] = 0.05,
    seed: Annotated[int, typer.Option("--seed", help="of the openings' order and the players' choices")] = 1,
    margin_ms: Annotated[
        int | None, typer.Option("--margin-ms", min=1, help="who answers later than its time and this loses")
    ] = None,
    max_plies: Annotated[int | None, typer.Option("--max-plies", min=1, help="a longer game is a draw")] = None,
    tables: Annotated[
        bool, typer.Option("--tables/--no-tables", help="end games whose outcome the endgame tables know")
    ] = True,
    workers: Annotated[
        int | None, typer.Option("--workers", min=0, help="games at a time; as many as there are cores if not said")
    ] = None,
    cluster: Annotated[
        str | None, typer.Option("--cluster", metavar="ADDRESS", help="play on a Dask cluster; 'local' starts one")
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="for the games; A-v-B.pdn if not said")
    ] = None,
    plot: Annotated[Path | None, typer.Option("--plot", metavar="FILE.svg", help="Draw the course of it.")] = None,
    json: Json = False,
) -> None:
    """Play a match: every opening twice with sides exchanged, Elo with its error from the pairs.

    Each game is added to a file as it ends; the same command goes on where it was left.

    [bold]Examples[/bold]

    outplay match checkers level:5 level:4 --games 200 --openings 3move
    outplay match checkers level:5 level:4 --games 2000 --sprt --elo0 0 --elo1 10
    outplay match connect4 lab:mcts level:3 --time-ms 50 --plot course.svg
    outplay match checkers 'hub:./scan hub' level:8 --openings 11man --time-ms 1000
    outplay match connect4 mybot.py:play level:2 --games 20 --json
    """
    from outplay.engine.types import Limit
    from outplay.match import Match, Sprt, play_match
    from outplay.match.gamefile import file_name
    from outplay.match.picture import match_svg

    game, a, b = _who(players, game)
    limit = Limit(depth, nodes, time_ms) if time_ms or nodes or depth else None
    chosen = {"limit": limit, "margin_ms": margin_ms, "max_plies": max_plies}
    given: dict[str, Any] = {name: value for name, value in chosen.items() if value is not None}
    terms = Match(a, b, game, openings, seed=seed, tables=tables, **given)
    test = Sprt(elo0, elo1, alpha, beta) if sprt else None
    path = output if output is not None else Path(file_name(terms))
    latest: list[Result] = []
    with _progress(games, latest) as progress:
        try:
            play_match(terms, games, path=path, sprt=test, workers=workers, cluster=cluster, progress=progress)
            is_whole = True
        except KeyboardInterrupt:
            is_whole = False
    if latest:
        if plot is not None:
            with whole_file(plot) as file:
                file.write(match_svg(latest[-1]) + "\n")
        say_json(latest[-1].as_json() | {"file": str(path)}) if json else _print(latest[-1], path)
    if not is_whole:
        raise typer.Exit(INTERRUPTED)


def _who(given: list[str], game: Literal["checkers", "connect4"]) -> tuple[Literal["checkers", "connect4"], str, str]:
    """What is played, and by whom: three arguments, or two with the option."""
    if len(given) == 3 and given[0] in ("checkers", "connect4"):
        return ("connect4" if given[0] == "connect4" else "checkers"), given[1], given[2]
    if len(given) != 2:
        raise typer.BadParameter("give GAME A B, as in 'connect4 level:3 mybot.py:play'", param_hint="players")
    return game, given[0], given[1]


def _print(result: Result, path: Path) -> None:
    from rich.console import Console
    from rich.table import Table

    from outplay.match import report

    console = Console(highlight=False)
    table = Table(title=report.headline(result), title_justify="left", box=None, pad_edge=False, title_style="bold")
    for name in report.COLUMNS:
        table.add_column(name, justify="right" if name else "left", no_wrap=True)
    for row in report.cross_table(result):
        table.add_row(*row)
    console.print(table)
    for line in report.sentences(result):
        console.print(line, soft_wrap=True, markup=False)
    console.print(f"Games: {path}", soft_wrap=True, markup=False)


@contextmanager
def _progress(games: int, latest: list[Result]) -> Iterator[Callable[[Result], None]]:
    """Keeps the latest result; shows it on standard error if that is a terminal."""
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    from outplay.match.report import short

    console = Console(stderr=True)
    columns = (
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        TextColumn("{task.description}"),
    )
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bars:
        task = bars.add_task("", total=games)

        def tell(result: Result) -> None:
            latest[:] = [result]
            bars.update(task, completed=len(result.played), description=short(result))

        yield tell
