"""Learn what positions of Connect Four are worth from exact labels, and let the result play.

python examples/learn_value.py
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from outplay import Match, connect4, play_match
from outplay.connect4 import Positions

Floats = NDArray[np.float32]


# The labels: random positions, each with the exact score for the side to move


def labelled(count: int, seed: int) -> tuple[Floats, Floats]:
    """Return planes, and 1 for a win, 0 for a draw, -1 for a loss."""
    positions = Positions.random(count, plies=(10, 34), seed=seed)
    won = connect4.Solver().solve_many(positions, sign_only=True).astype(np.float32)
    return positions.planes(dtype="float32").reshape(count, -1), won


# The network: one hidden layer, trained by gradient descent on the squared error


@dataclass(eq=False)
class Value:
    """Says what positions are worth to the side to move, from -1 to 1; called with a position, it chooses a move."""

    inner: Floats
    outer: Floats

    def of(self, planes: Floats) -> Floats:
        return np.tanh(np.maximum(planes @ self.inner, 0) @ self.outer)

    def step(self, planes: Floats, labels: Floats, rate: float) -> None:
        hidden = np.maximum(planes @ self.inner, 0)
        value = np.tanh(hidden @ self.outer)
        slope = (value - labels) * (1 - value**2) / len(planes)
        into = np.outer(slope, self.outer) * (hidden > 0)
        self.outer -= rate * hidden.T @ slope
        self.inner -= rate * planes.T @ into

    def __call__(self, position: connect4.Position) -> int:
        moves = position.legal_moves()
        after = [position.play(move) for move in moves]
        for move, reached in zip(moves, after, strict=True):
            if reached.outcome() is not None:
                return move  # it wins, or fills the board
        worth = self.of(Positions(after).planes(dtype="float32").reshape(len(after), -1))
        return moves[int(worth.argmin())]  # the other side is to move there


def learn(planes: Floats, labels: Floats, steps: int, seed: int) -> Value:
    rng = np.random.default_rng(seed)
    value = Value(
        (rng.standard_normal((planes.shape[1], 128)) * 0.15).astype(np.float32),
        (rng.standard_normal(128) * 0.1).astype(np.float32),
    )
    for step in range(steps):
        rows = rng.integers(len(planes), size=256)
        value.step(planes[rows], labels[rows], 0.5 * (1 - step / steps))
    return value


# How good is it? On positions it has not seen, and in games


def main(arguments: list[str] | None = None) -> tuple[float, float]:
    """Return how often it knows who wins, and its share of the points."""
    options = argparse.ArgumentParser(description="Learn a value of Connect Four from exact labels.")
    options.add_argument("--positions", type=int, default=50_000)
    options.add_argument("--steps", type=int, default=20_000)
    options.add_argument("--games", type=int, default=40)
    options.add_argument("--opponent", default="level:1")
    given = options.parse_args(arguments)
    value = learn(*labelled(given.positions, seed=1), given.steps, seed=1)
    planes, labels = labelled(2000, seed=2)
    decided = labels != 0
    right = float((np.sign(value.of(planes[decided])) == labels[decided]).mean())
    print(f"knows who wins in {right:.0%} of new positions that are not drawn")
    match = Match(value, given.opponent, "connect4", margin_ms=60_000)
    share = play_match(match, given.games, workers=0).tally.share or 0.0
    print(f"{share:.0%} of the points in {given.games} games against {given.opponent}")
    return right, share


if __name__ == "__main__":
    main()
