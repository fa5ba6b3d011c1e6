"""`outplay tournament`: many players against each other, standings with ratings, and a report to share."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from outplay.cli.answer import say_json, whole_file
from outplay.cli.arguments import GameName, Json
from outplay.cli.limits import ClusterAddress, Depth, MarginMs, MaxPlies, Nodes, Openings, Seed, Tables, TimeMs, Workers
from outplay.cli.progress import Bar

if TYPE_CHECKING:
    from outplay.match import TournamentState


def tournament(
    game: GameName,
    players: Annotated[
        list[str],
        typer.Argument(metavar="PLAYER PLAYER ...", help="Bots (FILE.py, FILE.py:FUNCTION), cmd:COMMAND, level:3, ..."),
    ],
    kind: Annotated[
        Literal["round-robin", "gauntlet", "swiss"],
        typer.Option(
            "--kind",
            "--format",
            help="Who plays whom: all against all, the first against all others, or players with similar points.",
        ),
    ] = "round-robin",
    games: Annotated[int, typer.Option("--games", min=1, help="Number of games of each meeting.")] = 2,
    rounds: Annotated[
        int | None,
        typer.Option(
            "--rounds",
            min=1,
            help="Swiss: number of rounds. Default: log2 of the number of players, rounded up, plus 2.",
        ),
    ] = None,
    challengers: Annotated[
        int, typer.Option("--challengers", min=1, help="Gauntlet: this many of the first players play all the others.")
    ] = 1,
    openings: Openings = "",
    time_ms: TimeMs = None,
    nodes: Nodes = None,
    depth: Depth = None,
    seed: Seed = 1,
    margin_ms: MarginMs = None,
    max_plies: MaxPlies = None,
    tables: Tables = True,
    sandbox: Annotated[
        Literal["auto", "bubblewrap", "limits", "none"],
        typer.Option(
            "--sandbox", help="Sandbox in which the bots run; auto is bubblewrap if it works here, otherwise limits."
        ),
    ] = "auto",
    memory_mib: Annotated[
        int, typer.Option("--memory-mib", min=128, help="The most memory that each bot may use, in MiB.")
    ] = 1024,
    workers: Workers = None,
    cluster: ClusterAddress = None,
    html: Annotated[
        Path | None,
        typer.Option("--html", metavar="FILE", help="Write a report with all games to replay. Default: no report."),
    ] = None,
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="File of the games.")] = Path(
        "tournament.pdn"
    ),
    json: Json = False,
) -> None:
    """Play a tournament: standings, ratings of all players with their errors, and a report in one file.

    Bots and programs run in a sandbox. One that cannot start is named, and the others play without it. Each game is
    saved when it ends; the same command continues an interrupted tournament.

    [bold]Examples[/bold]

    outplay tournament connect4 bots/*.py level:3 solver --games 20 --html report.html
    outplay tournament connect4 mybot.py level:1 level:2 level:3 --kind gauntlet --games 10
    outplay tournament checkers level:1 level:2 level:3 level:4 --kind swiss --rounds 3 --json
    """
    from outplay.engine.sandbox import find_sandbox
    from outplay.engine.types import Limit
    from outplay.match import Tournament, TournamentRun
    from outplay.match.entries import entries, is_guest
    from outplay.match.page import tournament_html

    house = find_sandbox(None if sandbox == "auto" else sandbox, memory_mib=memory_mib)
    seated, names = entries(players, house)
    limit = Limit(depth, nodes, time_ms) if time_ms or nodes or depth else None
    chosen = {"limit": limit, "margin_ms": margin_ms, "max_plies": max_plies}
    given: dict[str, Any] = {name: value for name, value in chosen.items() if value is not None}
    terms = Tournament(
        seated, names, game, kind, games, rounds, challengers, openings, seed=seed, tables=tables, **given
    )
    if html is not None and not html.resolve().parent.is_dir():
        raise FileNotFoundError(2, "the folder of this file does not exist", str(html))
    protection = house.in_words if any(map(is_guest, players)) else ""
    run = TournamentRun(terms, path=output, workers=workers, cluster=cluster, protection=protection)
    with _progress() as tell:
        run.watch(lambda _, state: tell(state))
        try:
            run.run()
            is_whole = True
        except KeyboardInterrupt:
            is_whole = False
    state = run.state
    if html is not None:
        with whole_file(html) as file:
            file.write(tournament_html(state))
    files = {"file": str(output), "report": None if html is None else str(html)}
    say_json(state.as_json() | files) if json else _print(state, output, html)
    if not is_whole:
        done = f"{len(state.bouts)} of {state.planned} games are in {output}"
        raise KeyboardInterrupt(f"{done}; the same command continues from there")


def _print(state: TournamentState, output: Path, html: Path | None) -> None:
    from rich.console import Console
    from rich.table import Table

    from outplay.match import tournament_report

    console = Console(highlight=False)
    console.print(tournament_report.headline(state), style="bold", soft_wrap=True, markup=False)
    table = Table(box=None, pad_edge=False)
    for name in tournament_report.COLUMNS:
        table.add_column(name, justify="left" if name == "player" else "right", no_wrap=True)
    for row in tournament_report.table(state):
        table.add_row(*row)
    console.print(table)
    for line in tournament_report.sentences(state):
        console.print(line, soft_wrap=True, markup=False)
    console.print(f"Games: {output}", soft_wrap=True, markup=False)
    if html is not None:
        console.print(f"Report: {html}", soft_wrap=True, markup=False)


@contextmanager
def _progress() -> Iterator[Callable[[TournamentState], None]]:
    with Bar("tournament") as bar:

        def tell(state: TournamentState) -> None:
            done = len(state.bouts)
            failed = sum(bout.failed is not None for bout in state.bouts)
            note = f"{failed} failed" if failed else ""
            bar.tell(done / max(1, state.planned), count=f"{done}/{state.planned}", note=note)

        yield tell
