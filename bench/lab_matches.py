"""Matches between players of the lab, and how long the classic ones think: `python -m bench.lab_matches`.

Figures are wins, draws and losses of the player named first: the stronger one, who should win clearly.
"""

from __future__ import annotations

import time

from outplay.engine.types import Limit
from outplay.lab.players import make_player
from outplay.match import Match, play_match
from outplay.match.report import elo_text
from outplay.match.settings import GameName
from outplay.record import Game
from outplay.rules import RULES

OPENINGS = {"connect4": "random:2", "checkers": "random:4"}
MOST_PLIES = 200
"""A longer checkers game counts as a draw."""

MATCHES: tuple[tuple[GameName, str, str, int], ...] = (
    ("connect4", "lab:five-phase,time_ms=150", "lab:minimax,depth=4", 30),
    ("checkers", "lab:material,depth=6", "lab:material,depth=4", 100),
    ("connect4", "lab:alphabeta,depth=5,evaluate=threats", "lab:alphabeta,depth=5,evaluate=classic", 60),
    ("checkers", "lab:alphabeta,depth=4,evaluate=formation", "lab:alphabeta,depth=4,evaluate=material", 100),
    ("connect4", "lab:mcts,playouts=4000", "lab:minimax,depth=4", 20),
)
"""The game, the players, and the number of games."""

CLASSIC = (("connect4", "minimax"), ("checkers", "minimax"), ("checkers", "material"))
"""The classroom players: plain minimax, and alpha-beta that counts pieces; all search four plies."""


def answer_times(game: str, name: str, games: int = 10) -> list[float]:
    """Return the sorted processor times in milliseconds of all answers of a player in games against itself."""
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
    print("\n| game | players | wins / draws / losses | points | Elo | seconds |\n|---|---|---|---|---|---|")
    for named, stronger, weaker, games in MATCHES:
        started = time.perf_counter()
        match = Match(stronger, weaker, named, OPENINGS[named], Limit(), margin_ms=60_000, max_plies=MOST_PLIES)
        result = play_match(match, games)
        tally = result.tally
        figures = f"{tally.wins} / {tally.draws} / {tally.losses} | {tally.share:.0%} | {elo_text(result.estimate)}"
        seconds = time.perf_counter() - started
        print(f"| {named} | {stronger} against {weaker} | {figures} | {seconds:.0f} |", flush=True)


if __name__ == "__main__":
    main()
