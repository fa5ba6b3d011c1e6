"""Q-learning in Connect Four against a level: the value of a move is a sum over the rows of four it leaves.

python examples/q_learning.py --opponent level:1
"""

from __future__ import annotations

import argparse
import random

import numpy as np
from numpy.typing import NDArray

from outplay import Match, best_move, connect4, play_match

Floats = NDArray[np.float64]


# What is looked at: every row of four cells, by the discs of both sides in it


def rows_of_four() -> NDArray[np.int64]:
    """Return the 69 rows of the board as the indices of their four cells."""
    steps = ((0, 1), (1, 0), (1, 1), (1, -1))
    found = [
        [(r + k * dr) * 7 + c + k * dc for k in range(4)]
        for r in range(6)
        for c in range(7)
        for dr, dc in steps
        if 0 <= r + 3 * dr < 6 and 0 <= c + 3 * dc < 7
    ]
    return np.array(found)


ROWS = rows_of_four()
STATES = 25
"""Own discs of a row (0 to 4) times those of the other side."""


def features(after: connect4.Position) -> NDArray[np.int64]:
    """Return the index of one weight for each row, as the side that has just moved sees it."""
    planes = connect4.Positions([after]).planes()[0].reshape(2, 42)
    counts = planes[:, ROWS].sum(axis=2)  # of the side to move, of the one that moved
    indices: NDArray[np.int64] = np.arange(len(ROWS)) * STATES + 5 * counts[1] + counts[0]
    return indices


# The player and its lessons


class Learner:
    """Plays the move with the highest value; while it learns, sometimes another."""

    def __init__(self) -> None:
        self.weights: Floats = np.zeros(len(ROWS) * STATES)

    def value(self, after: connect4.Position) -> float:
        outcome = after.outcome()
        if outcome is not None:
            return 0.0 if outcome.winner is None else 1.0
        return float(np.tanh(self.weights[features(after)].sum()))

    def best(self, position: connect4.Position) -> tuple[int, float]:
        values = {move: self.value(position.play(move)) for move in position.legal_moves()}
        move = max(values, key=lambda move: values[move])
        return move, values[move]

    def __call__(self, position: connect4.Position) -> int:
        return self.best(position)[0]

    def learn(self, after: connect4.Position, target: float, rate: float = 0.01) -> None:
        """Move the value of a position towards a target."""
        chosen = features(after)
        value = np.tanh(self.weights[chosen].sum())
        self.weights[chosen] += rate * (target - value) * (1 - value**2)


def play_and_learn(learner: Learner, opponent: str, rng: random.Random) -> None:
    """One game: after each reply, the move before it is worth what the best move now is worth."""
    position, before = connect4.Position(), None
    if rng.random() < 0.5:
        position = position.play(best_move(position, opponent))
    while True:
        move, value = learner.best(position)
        if before is not None:
            learner.learn(before, value)
        if rng.random() < 0.1:
            move = rng.choice(position.legal_moves())
        before = position.play(move)
        if before.outcome() is not None:
            return
        position = before.play(best_move(before, opponent))
        outcome = position.outcome()
        if outcome is not None:
            learner.learn(before, 0.0 if outcome.winner is None else -1.0)
            return


# Before and after


def main(arguments: list[str] | None = None) -> tuple[float, float]:
    """Return the share of the points before learning and after it."""
    options = argparse.ArgumentParser(description="Q-learning in Connect Four against a level.")
    options.add_argument("--lessons", type=int, default=3000)
    options.add_argument("--games", type=int, default=40)
    options.add_argument("--opponent", default="level:1")
    given = options.parse_args(arguments)
    learner, rng = Learner(), random.Random(1)
    match = Match(learner, given.opponent, "connect4", margin_ms=60_000)
    shares = [play_match(match, given.games, workers=0).tally.share or 0.0]
    for _ in range(given.lessons):
        play_and_learn(learner, given.opponent, rng)
    shares.append(play_match(match, given.games, workers=0).tally.share or 0.0)
    print(
        f"{shares[0]:.0%} of the points against {given.opponent} before {given.lessons:,} games, {shares[1]:.0%} after"
    )
    return shares[0], shares[1]


if __name__ == "__main__":
    main()
