"""Measure what a part of the checkers search is worth: `python -m bench.techniques [PART[+PART] ...]`.

The searcher plays against itself without the part, 3-move and 11-man ballots in turn, both colours each, until the
sequential test decides between 0 and `ELO1`. Both search `NODES` positions a move in one process and thread, so that
a repeated test plays the same games. Every test adds a line to the log, which is part of the repository.

A game ends as the rules or the endgame tables say, or when both sides agree: on a win if the scores of `AGREED_PLIES`
plies in a row are beyond `WON`; on a draw if as many are within `EVEN` when kings go to and fro or the game is long.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from itertools import count
from pathlib import Path

from outplay.checkers import techniques
from outplay.engine.native import ENDGAMES, SearcherEngine
from outplay.engine.types import Limit
from outplay.match import find_openings
from outplay.match.adjudicate import Ruling, by_tables
from outplay.match.elo import Pairs, estimate
from outplay.match.openings import Opening
from outplay.match.result import Tally
from outplay.match.sprt import Sprt
from outplay.outcome import Side
from outplay.record import AnyGame
from outplay.rules import RULES
from outplay.tablebase import Tablebase

NODES = 5_000
ELO1 = 10.0
MOST_PAIRS = 3000
TABLE_MIB = 4
VERDICTS = {"H1": "accepted", "H0": "rejected", None: "open"}
LOG = Path(__file__).parent / "data" / "checkers_sprt.tsv"

WON, EVEN = 350, 90
"""Hundredths of a man."""
AGREED_PLIES = 10
IDLE_PLIES = 16
"""The number of plies in a row in which kings move back and forth."""
LONG, LONGEST = 90, 160
"""The number of plies after which a draw may be agreed, and after which a game is a draw."""


class Agreement:
    """The opinions of both sides, ply by ply."""

    def __init__(self) -> None:
        self._won = self._even = 0
        self._leader: Side | None = None

    def note(self, game: AnyGame, score: float) -> None:
        """Note the score of the side to move, before it moves."""
        side = game.position.side
        leader = None if abs(score) < WON else side if score > 0 else side.other
        self._won = 0 if leader is None else self._won + 1 if leader is self._leader else 1
        self._leader = leader
        self._even = self._even + 1 if abs(score) < EVEN else 0

    def ruling(self, game: AnyGame) -> Ruling | None:
        if self._won >= AGREED_PLIES:
            return Ruling(self._leader, "agreement")
        is_slow = game.ply >= LONG or game.plies_without_progress() >= IDLE_PLIES
        if game.ply >= LONGEST or (is_slow and self._even >= AGREED_PLIES):
            return Ruling(None, "agreement")
        return None


def play(opening: Opening, players: dict[Side, SearcherEngine], limit: Limit, tables: Tablebase) -> Side | None:
    """Play a game, and return the winner; None for a draw."""
    game, agreement, known = opening.game(RULES["checkers"]), Agreement(), by_tables(tables.get)
    while (outcome := game.outcome()) is None:
        ruling = agreement.ruling(game) or known(game)
        if ruling is not None:
            return ruling.winner
        best = players[game.position.side].analyse(game.position, limit, history=game.history).lines[0]
        agreement.note(game, best.score.value)
        game.play(best.move)
    return outcome.winner


def pairs(without: str, limit: Limit) -> Iterator[tuple[float, float]]:
    """Yield the points of the complete search in the two games of each pair, without end."""
    openings = find_openings("3move+11man", "checkers")
    with Tablebase.open() as tables:

        def points(number: int, side: Side) -> float:
            whole, less = SearcherEngine(table_mib=TABLE_MIB), SearcherEngine(table_mib=TABLE_MIB, without=without)
            winner = play(openings(number), {side: whole, side.other: less}, limit, tables)
            return 0.5 if winner is None else float(winner is side)

        for number in count(1):
            yield points(number, Side.FIRST), points(number, Side.SECOND)


def run(without: str, nodes: int, sprt: Sprt, most_pairs: int) -> str:
    """Run one test, and return it as a line of the log."""
    started, points = time.process_time(), list[tuple[float, float]]()
    for pair in pairs(without, Limit(nodes=nodes)):
        points.append(pair)
        if len(points) >= most_pairs or sprt.verdict(Pairs.of(map(sum, points))) is not None:
            break
    tally, found = Tally.of(point for pair in points for point in pair), Pairs.of(map(sum, points))
    elo = estimate(found)
    cells = (
        without,
        nodes,
        f"{sprt.elo0:g} {sprt.elo1:g}",
        f"{tally.wins} {tally.draws} {tally.losses}",
        " ".join(map(str, found.counts)),
        "" if elo.elo is None else f"{elo.elo:+.1f}",
        "" if elo.error is None else f"{elo.error:.1f}",
        f"{sprt.llr(found):+.2f}",
        VERDICTS[sprt.verdict(found)],
        f"{time.process_time() - started:.0f}",
    )
    return "\t".join(map(str, cells))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", default=[*techniques(), ENDGAMES], help="default: all parts")
    parser.add_argument("--nodes", type=int, default=NODES, help="positions a move; default: %(default)s")
    parser.add_argument("--elo1", type=float, default=ELO1)
    parser.add_argument("--pairs", type=int, default=MOST_PAIRS, help="the most pairs of games; default: %(default)s")
    parser.add_argument("--log", type=Path, default=LOG)
    chosen = parser.parse_args()
    for part in chosen.parts:
        row = run(part, chosen.nodes, Sprt(elo1=chosen.elo1), chosen.pairs)
        print(row, flush=True)
        with chosen.log.open("a", encoding="utf-8") as log:
            log.write(row + "\n")


if __name__ == "__main__":
    main()
