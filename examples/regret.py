"""Measure a bot exactly: how much of the score each of its moves gives away, by the solver.

python examples/regret.py level:3 --positions 200
python examples/regret.py mybot.py:choose
"""

from __future__ import annotations

import argparse

import numpy as np

from outplay import best_move, connect4, player

# The regret of a move is the best score minus its own; a blunder turns a win into less, or a draw into a loss


def main(arguments: list[str] | None = None) -> tuple[float, float, float]:
    """Return the mean regret, the share of best moves and the share of blunders."""
    options = argparse.ArgumentParser(description="The exact regret of a player of Connect Four.")
    options.add_argument("player", nargs="?", default="level:3")
    options.add_argument("--positions", type=int, default=200)
    options.add_argument("--seed", type=int, default=1)
    given = options.parse_args(arguments)
    who = player(given.player, seed=given.seed)
    positions = connect4.Positions.random(given.positions, plies=(6, 30), no_immediate_win=True, seed=given.seed)
    scores = connect4.Solver().scores_many(positions).astype(int)
    chosen = np.array([best_move(position, who) for position in positions])
    best, own = scores.max(axis=1), scores[np.arange(len(chosen)), chosen]
    regret, is_blunder = best - own, np.sign(own) < np.sign(best)
    found = float(regret.mean()), float((regret == 0).mean()), float(is_blunder.mean())
    print(f"{given.player}: mean regret {found[0]:.2f}, {found[1]:.0%} best moves, {found[2]:.0%} blunders")
    return found


if __name__ == "__main__":
    main()
