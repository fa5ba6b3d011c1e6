"""A small AlphaZero for Connect Four in NumPy: self-play, a network, a tree search, all for many games at a time.

    python examples/alphazero.py --minutes 30                 learn, then play 100 games against level 2
    python examples/alphazero.py --minutes 30 --levels 2,3,4  ... and against others

Minutes are those of one core. The same seed and the same `--iterations` give the same network. The search of all games
runs in step: each simulation walks down one tree per game, and the network judges all new positions in one call.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from outplay import Match, connect4, play_match
from outplay.connect4 import Positions

Floats = NDArray[np.float32]
COLUMNS = 7
EXPLORE = 1.5
NOISE = 0.25
"""The share of random noise in what self-play thinks of the first move."""


# The network: planes in, a probability for each column and the value of the position out


@dataclass
class Network:
    """Two hidden layers; the mean of the answers for a position and its mirror image, so that they agree."""

    hidden: int = 192
    seed: int = 0
    weights: dict[str, Floats] = field(default_factory=dict)
    steps: int = 0

    def __post_init__(self) -> None:
        rng = np.random.default_rng(self.seed)
        shapes = {"one": (84, self.hidden), "two": (self.hidden, self.hidden), "policy": (self.hidden, COLUMNS)}
        for name, (inputs, outputs) in {**shapes, "value": (self.hidden, 1)}.items():
            scale = np.sqrt(2 / inputs) if name in ("one", "two") else 0.01
            self.weights.setdefault(name, (rng.standard_normal((inputs, outputs)) * scale).astype(np.float32))
            self.weights.setdefault(f"{name}_bias", np.zeros(outputs, np.float32))
        self._mean = {name: np.zeros_like(weight) for name, weight in self.weights.items()}
        self._square = {name: np.zeros_like(weight) for name, weight in self.weights.items()}

    def forward(self, planes: Floats) -> tuple[Floats, Floats, Floats, Floats]:
        w = self.weights
        one = np.maximum(planes @ w["one"] + w["one_bias"], 0)
        two = np.maximum(one @ w["two"] + w["two_bias"], 0)
        return one, two, two @ w["policy"] + w["policy_bias"], np.tanh(two @ w["value"] + w["value_bias"])[:, 0]

    def judge(self, positions: Positions) -> tuple[Floats, Floats]:
        """Return the probability of each legal column, and the value for the side to move."""
        planes = positions.planes(dtype="float32")
        both = np.concatenate([planes, planes[:, :, :, ::-1]]).reshape(2 * len(planes), 84)
        _, _, logits, values = self.forward(both)
        half = len(planes)
        logits, values = (logits[:half] + logits[half:, ::-1]) / 2, (values[:half] + values[half:]) / 2
        return softmax(np.where(positions.legal_mask(), logits, -1e9).astype(np.float32)), values

    def learn(self, planes: Floats, targets: Floats, results: Floats, rate: float) -> float:
        """Take one step of Adam towards the targets; return the loss."""
        w, count = self.weights, len(planes)
        one, two, logits, values = self.forward(planes)
        wrong, off = softmax(logits) - targets, values - results
        loss = float(np.mean(off**2) - np.sum(targets * np.log(softmax(logits) + 1e-9)) / count)
        d_policy, d_value = wrong / count, (2 * off * (1 - values**2) / count)[:, None]
        d_two = (d_policy @ w["policy"].T + d_value @ w["value"].T) * (two > 0)
        d_one = (d_two @ w["two"].T) * (one > 0)
        sources = {"one": (planes, d_one), "two": (one, d_two), "policy": (two, d_policy), "value": (two, d_value)}
        self.steps += 1
        for name, (given, slope) in sources.items():
            self._adam(name, given.T @ slope + 1e-4 * w[name], rate)
            self._adam(f"{name}_bias", slope.sum(axis=0), rate)
        return loss

    def _adam(self, name: str, gradient: Floats, rate: float) -> None:
        mean, square = self._mean[name], self._square[name]
        mean += 0.1 * (gradient - mean)
        square += 0.001 * (gradient**2 - square)
        step = mean / (1 - 0.9**self.steps) / (np.sqrt(square / (1 - 0.999**self.steps)) + 1e-8)
        self.weights[name] -= (rate * step).astype(np.float32)

    def save(self, path: Path) -> None:
        np.savez_compressed(
            path, allow_pickle=False, **{name: w.astype(np.float16) for name, w in self.weights.items()}
        )

    @classmethod
    def load(cls, path: Path) -> Network:
        with np.load(path) as found:
            weights = {name: found[name].astype(np.float32) for name in found.files}
        return cls(hidden=len(weights["two"]), weights=weights)


def softmax(logits: Floats) -> Floats:
    shifted = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return shifted / shifted.sum(axis=-1, keepdims=True)


# The search: one tree for each game, all trees in step


class Trees:
    """Monte Carlo trees of many games: node 0 is the root, `child` is 0 where there is none yet."""

    def __init__(self, network: Network, roots: Positions, simulations: int, rng: np.random.Generator | None) -> None:
        games, size = len(roots), simulations + 1
        self.network, self.games = network, np.arange(games)
        self.own, self.mask = np.zeros((games, size), np.uint64), np.zeros((games, size), np.uint64)
        self.prior, self.visits, self.total = (np.zeros((games, size, COLUMNS), np.float32) for _ in range(3))
        self.child = np.zeros((games, size, COLUMNS), np.int32)
        self.result = np.full((games, size), np.nan, np.float32)  # of a finished game, for the side to move
        self._add(0, roots)
        if rng is not None:
            noise = rng.dirichlet([1.0] * COLUMNS, games).astype(np.float32) * (self.prior[:, 0] > 0)
            self.prior[:, 0] = (1 - NOISE) * self.prior[:, 0] + NOISE * noise
        for node in range(1, size):
            self._simulate(node)

    def _add(self, node: int, positions: Positions) -> Floats:
        """Give every game its next node; return what the positions are worth to the side to move."""
        outcomes = positions.outcomes()
        priors, values = self.network.judge(positions)
        values = np.where(outcomes == 3, 0, np.where(outcomes > 0, -1, values)).astype(np.float32)  # who moved last won
        self.own[:, node], self.mask[:, node] = positions.own, positions.mask
        self.prior[:, node] = priors
        self.result[:, node] = np.where(outcomes > 0, values, np.nan)
        return values

    def _simulate(self, new: int) -> None:
        """Walk down from all roots to new leaves, judge these, and tell every node on the way."""
        at, path = np.zeros_like(self.games), list[tuple[Any, Any, Any]]()
        walking = np.ones(len(at), bool)
        leaf, action = at.copy(), at.copy()
        while walking.any():
            games = self.games[walking]
            here = at[walking]
            chosen = self._choose(games, here)
            over = ~np.isnan(self.result[games, here])
            path.append((games[~over], here[~over], chosen[~over]))
            leaf[games], action[games] = here, chosen
            below = np.where(over, 0, self.child[games, here, chosen])
            at[games] = np.where(over, here, below)
            walking[games] = below > 0
        values = self._expand(new, leaf, action)
        for games, here, chosen in reversed(path):
            values[games] = -values[games]
            self.visits[games, here, chosen] += 1
            self.total[games, here, chosen] += values[games]

    def _choose(self, games: NDArray[Any], here: NDArray[Any]) -> NDArray[Any]:
        visits, prior = self.visits[games, here], self.prior[games, here]
        mean = self.total[games, here] / np.maximum(visits, 1)
        bonus = EXPLORE * prior * np.sqrt(visits.sum(axis=1, keepdims=True) + 1) / (1 + visits)
        chosen: NDArray[Any] = np.where(prior > 0, mean + bonus, -np.inf).argmax(axis=1)
        return chosen

    def _expand(self, new: int, leaf: NDArray[Any], action: NDArray[Any]) -> Floats:
        """Make a node below every leaf; a leaf at which the game is over keeps its result."""
        games, over = self.games, ~np.isnan(self.result[self.games, leaf])
        own, mask = self.own[games, leaf], self.mask[games, leaf]
        before = Positions.from_bitboards(np.where(over, 0, own), np.where(over, 0, mask), check=False)
        values = self._add(new, before.play(np.where(over, 0, action)))
        self.child[games[~over], leaf[~over], action[~over]] = new
        return np.where(over, self.result[games, leaf], values).astype(np.float32)

    def shares(self) -> Floats:
        """Return how often each first move was tried, as shares."""
        visits = self.visits[:, 0]
        return visits / np.maximum(visits.sum(axis=1, keepdims=True), 1)


# Self-play


@dataclass
class Samples:
    planes: Floats
    targets: Floats
    results: Floats


def self_play(network: Network, games: int, simulations: int, rng: np.random.Generator) -> Samples:
    """Play games to their end against itself; each position has the search's shares and the game's result."""
    positions, numbers, turns = Positions.start(games), np.arange(games), list[tuple[Any, Any, Any]]()
    results, plies = np.zeros(games, np.float32), 0
    while len(numbers):
        shares = Trees(network, positions, simulations, rng).shares()
        turns.append((numbers, positions.planes(dtype="float32").reshape(-1, 84), shares))
        heat = shares if plies < 12 else (shares == shares.max(axis=1, keepdims=True)) / 1.0
        running = (heat / heat.sum(axis=1, keepdims=True)).cumsum(axis=1)
        positions = positions.play((running < rng.random((len(numbers), 1))).sum(axis=1).clip(max=COLUMNS - 1))
        outcomes = positions.outcomes()
        results[numbers] = np.select([outcomes == 1, outcomes == 2], [1, -1], 0)  # for the side that began
        positions, numbers, plies = positions[outcomes == 0], numbers[outcomes == 0], plies + 1
    planes, targets = (np.concatenate([turn[i] for turn in turns]) for i in (1, 2))
    signed = np.concatenate([results[turn[0]] * (-1) ** ply for ply, turn in enumerate(turns)]).astype(np.float32)
    return Samples(planes, targets, signed)


def with_mirrors(samples: Samples) -> Samples:
    planes = samples.planes.reshape(-1, 2, 6, 7)
    both = np.concatenate([planes, planes[:, :, :, ::-1]]).reshape(-1, 84)
    return Samples(
        both, np.concatenate([samples.targets, samples.targets[:, ::-1]]), np.concatenate([samples.results] * 2)
    )


def train(minutes: float, iterations: int, games: int, simulations: int, seed: int) -> Network:
    """Play and learn in turn, until the time is over or all iterations are done."""
    network, rng, memory = Network(seed=seed), np.random.default_rng(seed), list[Samples]()
    ends, share = time.process_time() + 60 * minutes, 0.0
    for iteration in range(1, iterations + 1):
        memory = [*memory[-19:], with_mirrors(self_play(network, games, simulations, rng))]
        share = max(iteration / iterations, 1 - (ends - time.process_time()) / (60 * minutes))
        rate = 0.002 * max(0.05, 1 - share)
        losses = [learn_once(network, memory, rng, rate) for _ in range(1 + 2 * len(memory[-1].planes) // 512)]
        print(f"iteration {iteration}: loss {np.mean(losses):.3f}, {share:.0%} done", flush=True)
        if time.process_time() > ends:
            break
    return network


def learn_once(network: Network, memory: list[Samples], rng: np.random.Generator, rate: float) -> float:
    samples = memory[rng.integers(len(memory))]
    rows = rng.integers(len(samples.planes), size=512)
    return network.learn(samples.planes[rows], samples.targets[rows], samples.results[rows], rate)


# The player


@dataclass(eq=False)
class AlphaZero:
    """The network with a search of some simulations: wherever outplay takes a player, it takes this one."""

    network: Network
    simulations: int

    @property
    def __name__(self) -> str:
        return "alphazero"

    def __call__(self, position: connect4.Position) -> int:
        trees = Trees(self.network, Positions([position]), self.simulations, None)
        return int(trees.shares()[0].argmax())


def main(arguments: list[str] | None = None) -> dict[int, float]:
    """Train a network, or load one, and return its share of the points against each level."""
    options = argparse.ArgumentParser(description="A small AlphaZero for Connect Four.")
    options.add_argument("--minutes", type=float, default=30.0, help="of one core")
    options.add_argument("--iterations", type=int, default=10**6, help="the largest number of iterations")
    options.add_argument("--self-play", type=int, default=256, help="games of an iteration")
    options.add_argument("--simulations", type=int, default=64, help="of each move of self-play")
    options.add_argument("--match-simulations", type=int, default=200, help="of each move of the matches")
    options.add_argument("--games", type=int, default=100, help="against each level")
    options.add_argument("--levels", default="2", help="such as 2,3,4")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--network", type=Path, help="load this .npz if it exists, else save to it")
    given = options.parse_args(arguments)
    levels = given.levels.split(",")
    if not given.minutes > 0:
        options.error(f"argument --minutes: more than 0, not {given.minutes}")
    if not set("12345678").issuperset(levels):
        options.error(f"argument --levels: numbers from 1 to 8, such as 2,3,4, not {given.levels}")
    if given.network is not None and given.network.exists():
        network = Network.load(given.network)
    else:
        network = train(given.minutes, given.iterations, given.self_play, given.simulations, given.seed)
        if given.network is not None:
            network.save(given.network)
    shares = {}
    for level in map(int, levels):
        match = Match(AlphaZero(network, given.match_simulations), f"level:{level}", "connect4", margin_ms=60_000)
        shares[level] = play_match(match, given.games, workers=0).tally.share or 0.0
        print(f"level {level}: {shares[level]:.0%} of the points in {given.games} games", flush=True)
    return shares


if __name__ == "__main__":
    main()
