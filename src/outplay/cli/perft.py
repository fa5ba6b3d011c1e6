"""`outplay perft`: count the move sequences of a given length, the usual test of a move generator."""

from __future__ import annotations

from time import perf_counter
from typing import Annotated

import typer

from outplay.cli.answer import say_json
from outplay.cli.arguments import GameName, Json, PositionOption, Size, read_position


def perft(
    game: GameName,
    depth: Annotated[int, typer.Argument(metavar="DEPTH", min=0, help="Number of plies.")],
    position: PositionOption = "start",
    size: Size = None,
    merged: Annotated[
        bool,
        typer.Option(
            "--merged",
            help="Checkers: count different paths of the same capture as one move. Default: each path is a move.",
        ),
    ] = False,
    distinct: Annotated[
        bool, typer.Option("--distinct", help="Connect Four: count different positions. Default: move sequences.")
    ] = False,
    json: Json = False,
) -> None:
    """Count the move sequences of a given length, and measure the speed.

    [bold]Examples[/bold]

    outplay perft checkers 11                            the published number is 85,242,128
    outplay perft checkers 12 --merged                   the other way to count captures
    outplay perft checkers 6 --position 'B:W18,K10:B12'  from another position
    outplay perft connect4 9 --distinct                  558,186 different positions
    outplay perft connect4 6 --size 8x8 --json
    """
    if merged and game != "checkers":
        raise typer.BadParameter("only checkers has captures to merge", param_hint="--merged")
    if distinct and game != "connect4":
        raise typer.BadParameter("different positions are counted for connect4 only", param_hint="--distinct")
    start = read_position(game, position, size)
    started = perf_counter()
    if distinct:
        nodes = start.count_positions(depth)
    elif merged:
        nodes = start.perft(depth, merged=True)
    else:
        nodes = start.perft(depth)
    seconds = perf_counter() - started
    if json:
        say_json({"game": game, "depth": depth, "nodes": nodes, "seconds": seconds})
    else:
        what = "positions" if distinct else "nodes"
        typer.echo(f"{nodes:,} {what} in {seconds:.3f} s: {nodes / max(seconds, 1e-9) / 1e6:,.1f} million a second")
