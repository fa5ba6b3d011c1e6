"""Measure the strength ladder by matches between neighbours: `python -m bench.levels GAME LOWER [GAMES]`.

No search visits more than `NODES` positions, about two seconds for a level that is limited by its time only.
"""

from __future__ import annotations

import sys
from typing import Any

from outplay.engine.types import Limit
from outplay.match import Match, play_match

NODES = 250_000
OPENINGS = {"connect4": "random:2", "checkers": "random:4"}
MOST_PLIES = 200


def main() -> None:
    game: Any = sys.argv[1]
    lower, games = int(sys.argv[2]), int(sys.argv[3]) if len(sys.argv) > 3 else 100
    match = Match(
        f"level:{lower + 1}",
        f"level:{lower}",
        game,
        openings=OPENINGS[game],
        limit=Limit(nodes=NODES),
        margin_ms=60_000,
        max_plies=MOST_PLIES,
    )
    tally = play_match(match, games).tally
    figures = f"{tally.wins} / {tally.draws} / {tally.losses} | {tally.share:.0%}"
    print(f"| {game} | level {lower + 1} v level {lower} | {figures} |", flush=True)


if __name__ == "__main__":
    main()
