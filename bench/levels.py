"""The strength ladder, shown by matches between neighbours: `python -m bench.levels GAME LOWER [GAMES]`.

No search looks at more than `NODES` positions: that is what a level that thinks as long as it may gets in about two
seconds.
"""

from __future__ import annotations

import sys

from bench.match import Match, run
from outplay.engine.types import Limit
from outplay.levels import LevelEngine

NODES = 250_000


def main() -> None:
    game, lower = sys.argv[1], int(sys.argv[2])
    games = int(sys.argv[3]) if len(sys.argv) > 3 else 100
    title = f"level {lower + 1} v level {lower}"
    tally = run(
        Match(
            game,
            title,
            lambda seed: LevelEngine(lower + 1, seed=seed),
            lambda seed: LevelEngine(lower, seed=seed),
            games // 2,
            Limit(nodes=NODES),
        ),
        tell=lambda tally: print(
            f"{title}: {tally.wins} / {tally.draws} / {tally.losses}", file=sys.stderr, flush=True
        ),
    )
    print(f"| {game} | {title} | {tally.wins} / {tally.draws} / {tally.losses} | {tally.share:.0%} |", flush=True)


if __name__ == "__main__":
    main()
