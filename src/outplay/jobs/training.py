"""Train the searcher's weights on games that it plays against itself, one generation after another.

A generation plays with the weights of the one before it (the first with plain weights). Its positions,
and those of all earlier generations except the first, train the next weights. Everything is in one folder:
`1/0001.samples` holds the positions of the first thousand games of generation 1, `1.weights` the weights learned from
them, `1.csv` the learning curve. Files are complete or absent, so that an interrupted run continues from them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import count, islice
from pathlib import Path
from time import monotonic
from typing import ClassVar

from outplay.checkers import Endgames, Weights, fit_network, known_endings, self_play
from outplay.files import write_whole
from outplay.jobs.lock import locked
from outplay.jobs.starts import training_starts
from outplay.tablebase import open_endgames, shipped_folder
from outplay.work import Call, Job, Workers

SAMPLE_BYTES = 16
MOST_UNPACKED_PIECES = 6
FIRST_NODES_SHARE = 0.3
"""The first generation knows little: it gets this share of the nodes per move and of the time."""
ENDINGS_SHARE = 0.25
"""The number of random endings for each sample of the games; 0 without tables of five pieces or more."""


@dataclass(frozen=True, slots=True)
class Training:
    """The settings of a training run. With `shards` the run is repeatable; without them it lasts `hours`."""

    hours: float = 1.0
    generations: int = 3
    shards: int | None = None
    """The number of shards of each generation, of `games` games each."""
    games: int = 1000
    nodes: int = 2000
    """Search nodes for each move."""
    epochs: int = 8
    rate: float = 0.001
    result_share: float = 0.5
    """The weight of the game's result in the training target; the rest is the search's score."""
    seed: int = 1
    first_weights: Path | None = None
    """Weights to start from; default: plain ones."""
    tables: Path | None = None
    """A folder of endgame tables. Default: the tables that ship, so that a seed plays the same games everywhere."""
    games_file: Path | None = None
    """A PDN file of real games: a part of the training games begins from their positions."""

    def __post_init__(self) -> None:
        if not self.hours > 0:
            raise ValueError(f"hours must be positive, not {self.hours}")
        for name in ("generations", "games", "nodes", "epochs"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name} must be positive, not {getattr(self, name)}")
        if self.shards is not None and self.shards < 1:
            raise ValueError(f"shards must be positive, not {self.shards}")


@dataclass(frozen=True, slots=True)
class ShardPlayed:
    """Event: a shard of games was played and saved."""

    kind: ClassVar[str] = "played"
    generation: int
    shards: int
    samples: int


@dataclass(frozen=True, slots=True)
class Epoch:
    """Event: one pass over the samples is finished."""

    kind: ClassVar[str] = "epoch"
    generation: int
    number: int
    loss: float
    held_out_loss: float


@dataclass(frozen=True, slots=True)
class Learned:
    """Event: a generation is finished; its weights are at `path`."""

    kind: ClassVar[str] = "learned"
    generation: int
    samples: int
    held_out_loss: float
    path: Path


Event = ShardPlayed | Epoch | Learned


def train(folder: Path, workers: Workers, recipe: Training) -> Iterator[Event]:
    """Train as the recipe says, and yield events; finished generations are kept."""
    with locked(folder):
        for generation in range(1, recipe.generations + 1):
            if not weights_path(folder, generation).exists():
                yield from _play(folder, workers, recipe, generation)
                yield from _learn(folder, recipe, generation)


def weights_path(folder: Path, generation: int) -> Path:
    return folder / f"{generation}.weights"


def read_weights(folder: Path, generation: int) -> Weights:
    """Return the weights of a generation; before the first, plain ones."""
    return Weights.plain() if generation == 0 else Weights.from_bytes(weights_path(folder, generation).read_bytes())


def _weights_before(folder: Path, recipe: Training, generation: int) -> Weights:
    """Return the weights that a generation plays with."""
    if generation == 1 and recipe.first_weights is not None:
        return Weights.from_bytes(recipe.first_weights.read_bytes())
    return read_weights(folder, generation - 1)


# Playing


def _play(folder: Path, workers: Workers, recipe: Training, generation: int) -> Iterator[ShardPlayed]:
    place, weights = folder / str(generation), _weights_before(folder, recipe, generation)
    place.mkdir(exist_ok=True)
    ends = monotonic() + _seconds(recipe, generation)
    jobs = (job for job in _jobs(recipe, generation, weights) if not _shard_path(place, job.key).exists())
    while True:
        batch = list(islice(jobs, 4 * max(1, workers.slots)))
        for done in workers.run(batch):
            write_whole(_shard_path(place, done.job.key), done.value)
            yield ShardPlayed(generation, len(_shards(place)), _sample_count(place))
            if recipe.shards is None and monotonic() >= ends:
                return
        if not batch:
            return


def _seconds(recipe: Training, generation: int) -> float:
    shares = [FIRST_NODES_SHARE if number == 1 else 1.0 for number in range(1, recipe.generations + 1)]
    return 3600 * recipe.hours * shares[generation - 1] / sum(shares)


def _jobs(recipe: Training, generation: int, weights: Weights) -> Iterator[Job]:
    is_beginner = generation == 1 and recipe.first_weights is None
    nodes = max(1, round(recipe.nodes * (FIRST_NODES_SHARE if is_beginner else 1)))
    shards = count(1) if recipe.shards is None else range(1, recipe.shards + 1)
    for number in shards:
        seed = recipe.seed + 1_000_000 * generation + number
        yield Job(
            f"{number:04}", Call(play_shard, (weights, recipe.games, nodes, seed, recipe.tables, recipe.games_file))
        )


def play_shard(
    weights: Weights, games: int, nodes: int, seed: int, tables: Path | None = None, games_file: Path | None = None
) -> bytes:
    """Play the games of one job, and return their samples."""
    starts = training_starts(games_file)
    return self_play(weights, games=games, nodes=nodes, seed=seed, endgames=_endgames(tables), starts=starts)


@cache
def _endgames(tables: Path | None) -> Endgames:
    """Return the tables that decide the games. They are unpacked, because they are used at every leaf."""
    return open_endgames(tables or shipped_folder(), unpacked_pieces=MOST_UNPACKED_PIECES)


def _shard_path(place: Path, key: str) -> Path:
    return place / f"{key}.samples"


def _shards(place: Path) -> list[Path]:
    return sorted(place.glob("*.samples"))


def _sample_count(place: Path) -> int:
    return sum(path.stat().st_size for path in _shards(place)) // SAMPLE_BYTES


# Learning


def _known_endings(recipe: Training, generation: int, samples: int) -> bytes:
    count = max(1, round(ENDINGS_SHARE * samples))
    return known_endings(_endgames(recipe.tables), count=count, seed=recipe.seed + 1_000_000 * generation)


def _learn(folder: Path, recipe: Training, generation: int) -> Iterator[Event]:
    first = min(generation, 2)  # games played with plain weights are soon out of date
    places = [folder / str(number) for number in range(first, generation + 1)]
    samples = [path.read_bytes() for place in places for path in _shards(place)]
    samples.append(_known_endings(recipe, generation, sum(map(len, samples)) // SAMPLE_BYTES))
    epochs: list[Epoch] = []
    weights = fit_network(
        samples,
        epochs=recipe.epochs,
        rate=recipe.rate,
        result_share=recipe.result_share,
        seed=recipe.seed,
        report=lambda number, loss, held_out: epochs.append(Epoch(generation, number, loss, held_out)),
    )
    yield from epochs
    rows = [f"{epoch.number},{epoch.loss:.6f},{epoch.held_out_loss:.6f}\n" for epoch in epochs]
    write_whole(folder / f"{generation}.csv", "".join(["epoch,loss,held_out_loss\n", *rows]).encode())
    write_whole(weights_path(folder, generation), weights.to_bytes())
    least = min(epoch.held_out_loss for epoch in epochs)
    yield Learned(generation, sum(map(len, samples)) // SAMPLE_BYTES, least, weights_path(folder, generation))
