"""The options that matches and tournaments share."""

from __future__ import annotations

from typing import Annotated

import typer

Openings = Annotated[
    str,
    typer.Option(
        "--openings",
        metavar="NAME",
        help="start, 3move, 11man, plies:N, random:N, a file, or several joined by +. Default: 3move; plies:4 in "
        "Connect Four.",
    ),
]
TimeMs = Annotated[
    int | None,
    typer.Option(
        "--time-ms",
        min=1,
        help="Time for each move, in milliseconds. Default: 100 if there is no other limit.",
    ),
]
Nodes = Annotated[
    int | None,
    typer.Option("--nodes", min=1, help="Number of positions to look at for each move. Default: no limit."),
]
Depth = Annotated[int | None, typer.Option("--depth", min=1, help="Number of plies to look ahead. Default: no limit.")]
Seed = Annotated[int, typer.Option("--seed", help="Seed of the order of the openings and of the players' choices.")]
MarginMs = Annotated[
    int | None,
    typer.Option(
        "--margin-ms",
        min=1,
        help="Tolerance in milliseconds: a player that exceeds its time by more than this loses. Default: 1000.",
    ),
]
MaxPlies = Annotated[
    int | None, typer.Option("--max-plies", min=1, help="A game of this many plies is a draw. Default: 400.")
]
Tables = Annotated[
    bool, typer.Option("--tables/--no-tables", help="End a game as soon as the endgame tables know its outcome.")
]
Workers = Annotated[
    int | None,
    typer.Option("--workers", min=0, help="Number of games to play at the same time. Default: one per core."),
]
ClusterAddress = Annotated[
    str | None,
    typer.Option(
        "--cluster",
        metavar="ADDRESS",
        help="Address of a Dask scheduler, or 'local' to start one. Default: this machine.",
    ),
]
