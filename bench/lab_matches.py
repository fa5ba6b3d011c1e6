"""Matches between players of the lab, and how long the classic ones think: `python -m bench.lab_matches`.

Figures are wins, draws and losses of the player named first: the stronger one, who should win clearly.
"""

from __future__ import annotations

import time

from bench.match import MOST_PLIES, Match, run
from outplay.engine.types import Limit
from outplay.lab.players import make_player
from outplay.record import Game
from outplay.rules import RULES

MATCHES = (
    Match(
        "connect4",
        "five-phase, 150 ms a move, against minimax, depth 4",
        lambda seed: make_player("five-phase", time_ms=150, seed=seed),
        lambda seed: make_player("minimax", depth=4, seed=seed),
        15,
    ),
    Match(
        "checkers",
        "material, depth 6, against material, depth 4",
        lambda seed: make_player("material", depth=6, seed=seed),
        lambda seed: make_player("material", depth=4, seed=seed),
        50,
    ),
    Match(
        "connect4",
        "evaluation threats against classic, alpha-beta, depth 5",
        lambda seed: make_player("alphabeta", depth=5, evaluate="threats", seed=seed),
        lambda seed: make_player("alphabeta", depth=5, evaluate="classic", seed=seed),
        30,
    ),
    Match(
        "checkers",
        "evaluation formation against material, alpha-beta, depth 4",
        lambda seed: make_player("alphabeta", depth=4, evaluate="formation", seed=seed),
        lambda seed: make_player("alphabeta", depth=4, evaluate="material", seed=seed),
        50,
    ),
    Match(
        "connect4",
        "Monte Carlo, 4000 playouts, against minimax, depth 4",
        lambda seed: make_player("mcts", playouts=4000, seed=seed),
        lambda seed: make_player("minimax", depth=4, seed=seed),
        10,
    ),
)


CLASSIC = (("connect4", "minimax"), ("checkers", "minimax"), ("checkers", "material"))
"""The players of the classroom: plain minimax, and alpha-beta that counts pieces; all look four plies ahead."""


def answer_times(game: str, name: str, games: int = 10) -> list[float]:
    """Milliseconds of processor time for each answer in games that a player plays against itself, sorted."""
    times: list[float] = []
    for seed in range(games):
        engine = make_player(name, seed=seed)
        record = Game(RULES[game].start())
        while record.outcome() is None and record.ply < MOST_PLIES:
            started = time.process_time()
            move = engine.analyse(record.position, Limit(), history=record.history).move
            times.append(1000 * (time.process_time() - started))
            record.play(move)
    return sorted(times)


def main() -> None:
    print("| game | player, 4 plies deep | median ms | 95 % below | worst |\n|---|---|---|---|---|")
    for game, name in CLASSIC:
        times = answer_times(game, name)
        figures = f"{times[len(times) // 2]:.1f} | {times[len(times) * 95 // 100]:.1f} | {times[-1]:.1f}"
        print(f"| {game} | {name} | {figures} |", flush=True)
    print("\n| game | players | wins / draws / losses | points | seconds |\n|---|---|---|---|---|")
    for match in MATCHES:
        started = time.perf_counter()
        tally = run(match)
        figures = f"{tally.wins} / {tally.draws} / {tally.losses} | {tally.share:.0%}"
        print(f"| {match.game} | {match.title} | {figures} | {time.perf_counter() - started:.0f} |", flush=True)


if __name__ == "__main__":
    main()
