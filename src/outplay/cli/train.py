"""`outplay train`: learn the weights of the checkers engine from games against itself."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from outplay.cli.answer import say_json, whole_file
from outplay.cli.arguments import Json
from outplay.cli.progress import Bar

if TYPE_CHECKING:
    from outplay.jobs.training import Event


def train(
    folder: Annotated[
        Path, typer.Option("--folder", metavar="PATH", file_okay=False, help="Folder of the samples and the weights.")
    ],
    hours: Annotated[
        float, typer.Option("--hours", min=0.001, max=10_000, help="Number of hours to play, all generations together.")
    ] = 1.0,
    generations: Annotated[int, typer.Option("--generations", min=1, max=1000, help="Number of generations.")] = 3,
    shards: Annotated[
        int | None,
        typer.Option(
            "--shards",
            min=1,
            help="Number of shards (files of games) to play in each generation. Default: as many as --hours allows.",
        ),
    ] = None,
    games: Annotated[int, typer.Option("--games", min=1, max=1_000_000, help="Number of games in a shard.")] = 1000,
    nodes: Annotated[int, typer.Option("--nodes", min=1, help="Number of positions to look at for each move.")] = 2000,
    epochs: Annotated[
        int, typer.Option("--epochs", min=1, max=1000, help="Number of times to learn from all samples.")
    ] = 8,
    seed: Annotated[int, typer.Option("--seed", min=0, max=2**32, help="Seed of the games and of learning.")] = 1,
    first_weights: Annotated[
        Path | None,
        typer.Option(
            "--from", metavar="FILE", dir_okay=False, exists=True, help="Weights to start from. Default: from nothing."
        ),
    ] = None,
    tables: Annotated[
        Path | None,
        typer.Option(
            "--tables",
            metavar="PATH",
            file_okay=False,
            exists=True,
            help="Folder of endgame tables that decide the games. Default: the tables that come with outplay.",
        ),
    ] = None,
    games_file: Annotated[
        Path | None,
        typer.Option(
            "--real-games",
            metavar="FILE.pdn",
            dir_okay=False,
            exists=True,
            help="Real games; some of the training games begin from positions of these. Default: none.",
        ),
    ] = None,
    slots: Annotated[
        int | None, typer.Option("--workers", min=0, max=1024, help="Number of processes. Default: one per core.")
    ] = None,
    cluster: Annotated[
        str | None,
        typer.Option(
            "--cluster",
            metavar="ADDRESS",
            help="Address of a Dask scheduler, or 'local' to start one. Default: this machine.",
        ),
    ] = None,
    plot: Annotated[
        Path | None,
        typer.Option("--plot", metavar="FILE.svg", help="Draw the learning curves into a file. Default: no picture."),
    ] = None,
    json: Json = False,
) -> None:
    """Learn weights from nothing: play, learn, play better. After a kill the same command continues.

    The weights of generation N are FOLDER/N.weights; play with them as searcher,weights=FOLDER/N.weights.

    [bold]Examples[/bold]

    outplay train --folder training --hours 1
    outplay train --folder training --shards 20 --seed 7           the same weights every time
    outplay train --folder training --hours 8 --cluster tcp://10.0.0.1:8786
    """
    from outplay.jobs.curve import curve_svg
    from outplay.jobs.training import Training, train
    from outplay.work import open_workers

    recipe = Training(
        hours,
        generations,
        shards,
        games,
        nodes,
        epochs,
        seed=seed,
        first_weights=first_weights,
        tables=tables,
        games_file=games_file,
    )
    with open_workers(slots, cluster=cluster) as workers, Bar("training") as bar:
        try:
            for event in train(folder, workers, recipe):
                _tell(event, json, bar)
        except KeyboardInterrupt:
            raise KeyboardInterrupt(f"the same command continues from {folder}") from None
    if plot is not None:
        with whole_file(plot) as file:
            file.write(curve_svg(folder))


def _tell(event: Event, as_json: bool, bar: Bar) -> None:
    if as_json:
        say_json(_as_dict(event))
    elif event.kind == "played":
        bar.tell(note=_in_words(event))
    else:
        typer.echo(_in_words(event))


def _as_dict(event: Event) -> dict[str, Any]:
    found = {name: str(value) if isinstance(value, Path) else value for name, value in asdict(event).items()}
    return {"event": event.kind, **found}


def _in_words(event: Event) -> str:
    from outplay.jobs.training import Epoch, Learned

    head = f"generation {event.generation}:"
    if isinstance(event, Learned):
        return f"{head} {event.path} learned from {event.samples:,} positions, held-out loss {event.held_out_loss:.5f}"
    if isinstance(event, Epoch):
        return f"{head} epoch {event.number}, loss {event.loss:.5f}, held out {event.held_out_loss:.5f}"
    return f"{head} {event.shards} shards, {event.samples:,} positions"
