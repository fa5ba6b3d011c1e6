"""Write an agent for Kaggle's ConnectX that needs nothing but its own file, and try it against a level.

    python examples/kaggle_agent.py --out submission.py

The file is one function of the standard library, a stand-in for the player (docs/environments.md).
outplay's environments need `pip install 'outplay[envs]'`.
"""

from __future__ import annotations

import argparse
import runpy
from pathlib import Path

from outplay import Match, play_match
from outplay.envs import kaggle

# The file is run as Kaggle would run it; `from_agent` makes it a player of ours


def main(arguments: list[str] | None = None) -> float:
    """Return the agent's share of the points."""
    options = argparse.ArgumentParser(description="An agent for Kaggle's ConnectX.")
    options.add_argument("--player", default="level:4")
    options.add_argument("--opponent", default="level:1")
    options.add_argument("--games", type=int, default=10)
    options.add_argument("--out", type=Path, default=Path("submission.py"))
    given = options.parse_args(arguments)
    kaggle.write_agent(given.player, given.out, carries="stand-in")
    agent = kaggle.from_agent(runpy.run_path(str(given.out))["agent"])
    match = Match(agent, given.opponent, "connect4", margin_ms=60_000)
    share = play_match(match, given.games, workers=0).tally.share or 0.0
    print(f"{given.out}: {share:.0%} of the points in {given.games} games against {given.opponent}")
    return share


if __name__ == "__main__":
    main()
