"""`outplay match`: two players against each other, and how much stronger one of them is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from outplay.cli.answer import say_json, whole_file
from outplay.cli.arguments import Json
from outplay.cli.failure import FAILED
from outplay.cli.limits import ClusterAddress, Depth, MarginMs, MaxPlies, Nodes, Openings, Seed, Tables, TimeMs, Workers
from outplay.cli.progress import Bar

if TYPE_CHECKING:
    from outplay.match import Result

GameName = Literal["checkers", "connect4"]


def match(
    players: Annotated[
        list[str],
        typer.Argument(
            metavar="GAME A B",
            help="connect4 or checkers, then two players: level:5, lab:mcts, FILE.py:FUNCTION, ... "
            "With --game, only the players.",
        ),
    ],
    games: Annotated[int, typer.Option("--games", min=1, help="Largest number of games; two for each opening.")] = 100,
    game: Annotated[
        Literal["checkers", "connect4"] | None,
        typer.Option("--game", help="Game to play, if it is not the first argument. Default: checkers."),
    ] = None,
    openings: Openings = "",
    time_ms: TimeMs = None,
    nodes: Nodes = None,
    depth: Depth = None,
    sprt: Annotated[
        bool,
        typer.Option(
            "--sprt", help="Stop as soon as the test decides between --elo0 and --elo1. Default: play all games."
        ),
    ] = False,
    elo0: Annotated[
        float, typer.Option("--elo0", help="First hypothesis of the test: A is stronger by at most this much Elo.")
    ] = 0.0,
    elo1: Annotated[
        float, typer.Option("--elo1", help="Second hypothesis: A is stronger by at least this much Elo.")
    ] = 5.0,
    alpha: Annotated[
        float, typer.Option("--alpha", help="Probability of choosing the second hypothesis wrongly.")
    ] = 0.05,
    beta: Annotated[float, typer.Option("--beta", help="Probability of choosing the first hypothesis wrongly.")] = 0.05,
    seed: Seed = 1,
    margin_ms: MarginMs = None,
    max_plies: MaxPlies = None,
    tables: Tables = True,
    workers: Workers = None,
    cluster: ClusterAddress = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="File of the games. Default: GAME-A-v-B.pdn.")
    ] = None,
    plot: Annotated[
        Path | None,
        typer.Option(
            "--plot", metavar="FILE.svg", help="Draw the course of the match into a file. Default: no picture."
        ),
    ] = None,
    at_least: Annotated[
        str | None,
        typer.Option(
            "--at-least",
            metavar="SHARE",
            help="Share of the points that A must make, such as 60%. Exit code 1 if A makes less. Default: none.",
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Play a match: two games from every opening, sides exchanged. The pairs of games give the Elo and its error.

    Each game is saved when it ends; the same command continues an interrupted match.

    [bold]Examples[/bold]

    outplay match checkers level:5 level:4 --games 200 --openings 3move
    outplay match checkers level:5 level:4 --games 2000 --sprt --elo0 0 --elo1 10
    outplay match connect4 lab:mcts level:3 --time-ms 50 --plot course.svg
    outplay match checkers 'hub:./scan hub' level:8 --openings 11man --time-ms 1000
    outplay match connect4 mybot.py:play level:2 --games 20 --json
    outplay match connect4 mybot.py level:2 --games 20 --at-least 60%
    """
    from outplay.engine.types import Limit
    from outplay.match import Match, Sprt, play_match
    from outplay.match.gamefile import file_name
    from outplay.match.picture import match_svg

    game, a, b = _who(players, game)
    goal = None if at_least is None else _share(at_least)
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
        answer = latest[-1].as_json() | {"file": str(path)} | _verdict_json(latest[-1], goal)
        say_json(answer) if json else _print(latest[-1], path, goal)
    if not is_whole:
        done = len(latest[-1].played) if latest else 0
        raise KeyboardInterrupt(f"{done} of {games} games are in {path}; the same command continues from there")
    if goal is not None and not _is_passed(latest[-1], goal):
        raise typer.Exit(FAILED)


def _share(text: str) -> float:
    """Return a share that is written as 60%, 60 % or 0.6."""
    number, is_percent = text.strip().removesuffix("%").strip(), text.strip().endswith("%")
    try:
        share = float(number) / (100 if is_percent else 1)
    except ValueError:
        share = -1.0
    if not 0 <= share <= 1:
        raise typer.BadParameter("write a share of the points such as 60% or 0.6", param_hint="--at-least")
    return share


def _is_passed(result: Result, goal: float) -> bool:
    return result.tally.games > 0 and result.tally.points >= goal * result.tally.games


def _verdict_json(result: Result, goal: float | None) -> dict[str, Any]:
    return {} if goal is None else {"at_least": goal, "passed": _is_passed(result, goal)}


def _who(given: list[str], game: GameName | None) -> tuple[GameName, str, str]:
    """Return the game and both players, from three arguments, or from two arguments and the option `--game`."""
    if len(given) == 3 and given[0] in ("checkers", "connect4"):
        if game not in (None, given[0]):
            raise typer.BadParameter(f"the first argument says {given[0]}", param_hint="--game")
        return ("connect4" if given[0] == "connect4" else "checkers"), given[1], given[2]
    if len(given) != 2 or given[0] in ("checkers", "connect4"):
        if len(given) == 3:
            raise typer.BadParameter(f"must be connect4 or checkers, not {given[0]!r}", param_hint="GAME")
        raise typer.BadParameter("give GAME A B, as in 'connect4 level:3 mybot.py:play'")
    return game or "checkers", given[0], given[1]


def _print(result: Result, path: Path, goal: float | None) -> None:
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
    if goal is not None:
        word, tally = "Passed" if _is_passed(result, goal) else "Not passed", result.tally
        needed = f"{goal * tally.games:g} ({goal:.0%}) are needed"
        console.print(f"{word}: {tally.points:g} of {tally.games} points; {needed}.", soft_wrap=True, markup=False)


@contextmanager
def _progress(games: int, latest: list[Result]) -> Iterator[Callable[[Result], None]]:
    """Keep the latest result, and show it in the bar."""
    from outplay.match.report import short

    with Bar("match") as bar:

        def tell(result: Result) -> None:
            latest[:] = [result]
            done = len(result.played)
            bar.tell(done / games, count=f"{done}/{games}", note=short(result))

        yield tell
