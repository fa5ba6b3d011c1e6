"""The strength ladder, shown by matches between neighbours: `python -m bench.levels GAME LOWER [GAMES]`.

Each pair of games starts from the same random opening and is played with both colours. No search looks at more than
`NODES` positions: that is what a level that thinks as long as it may gets in about two seconds.
"""

from __future__ import annotations

import random
import sys

from outplay.engine.types import Engine, Limit
from outplay.levels import LevelEngine
from outplay.outcome import Side
from outplay.record import Game
from outplay.rules import RULES

OPENING_PLIES = {"connect4": 2, "checkers": 4}
NODES = 250_000
MOST_PLIES = 200


def opening(game: str, source: random.Random) -> Game:
    record = Game(RULES[game].start())
    for _ in range(OPENING_PLIES[game]):
        record.play(source.choice(record.position.legal_moves()))
    return record


def play(record: Game, engines: dict[Side, Engine]) -> float:
    """The points of the side that began: 1, 1/2 or 0."""
    while record.outcome() is None and record.ply < MOST_PLIES:
        engine = engines[record.position.side]
        record.play(engine.analyse(record.position, Limit(nodes=NODES), history=record.history).move)
    outcome = record.outcome()
    if outcome is None or outcome.winner is None:
        return 0.5
    return 1.0 if outcome.winner is Side.FIRST else 0.0


def match(game: str, lower: int, games: int, seed: int = 1) -> tuple[int, int, int]:
    """Wins, draws and losses of level lower + 1 against level lower."""
    points = []
    for number in range(games // 2):
        engines = [LevelEngine(lower + 1, seed=seed + number), LevelEngine(lower, seed=seed + number)]
        start = random.Random(seed * 10_000 + number).getstate()
        for is_first in (True, False):
            source = random.Random()
            source.setstate(start)
            stronger = Side.FIRST if is_first else Side.SECOND
            result = play(opening(game, source), {stronger: engines[0], stronger.other: engines[1]})
            points.append(result if is_first else 1 - result)
    return points.count(1), points.count(0.5), points.count(0)


def main() -> None:
    game, lower = sys.argv[1], int(sys.argv[2])
    games = int(sys.argv[3]) if len(sys.argv) > 3 else 100
    wins, draws, losses = match(game, lower, games)
    share = (wins + draws / 2) / max(1, wins + draws + losses)
    print(f"| {game} | level {lower + 1} v level {lower} | +{wins} ={draws} -{losses} | {share:.0%} |", flush=True)


if __name__ == "__main__":
    main()
