"""Measure how well the checkers evaluation tells lost from drawn: `python -m bench.telling FILE [--weights FILE ...]`.

`--make` first plays the games: the searcher against itself from 3-move ballots and a few random plies. FILE then holds
the positions at plies 28 and 36, one a line: `28 FEN RESULT`, where the result is 0, 1 or 2 for the side to move (lost,
drawn, won), by the rules or by the endgame tables. The measure is the AUC: the probability that a position with the
better of two results has the higher score. It is taken for won against drawn and for drawn against lost, and the mean
is printed, with the score of a search of `--nodes` positions and with the plain evaluation.

With five-piece tables (`--tables`), the second measure: random quiet endings of three against two pieces, won against
drawn for the stronger side, which is to move, at depth 1.
"""

from __future__ import annotations

import argparse
import random
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from pathlib import Path

from outplay.checkers import Position, Searcher, Weights
from outplay.match import find_openings
from outplay.outcome import Side
from outplay.record import AnyGame
from outplay.rules import RULES
from outplay.tablebase import Tablebase, Value, open_endgames, shipped_folder

PLIES = (28, 36)
MOST_RANDOM_PLIES = 5
BALANCED = 70
"""Hundredths of a man: openings in which one side is further ahead are not played."""
ENDINGS = 1500
Labelled = tuple[str, Position, int]


def played(games: int, nodes: int, seed: int, tables: Tablebase) -> Iterator[Labelled]:
    """Play games, and yield their positions at `PLIES`."""
    openings = find_openings("3move", "checkers", seed=seed)
    searcher = Searcher(table_mib=8, endgames=open_endgames(shipped_folder()))
    for number in range(1, games + 1):
        game, chance = openings(number).game(RULES["checkers"]), random.Random(f"{seed} {number}")
        for _ in range(chance.randint(0, MOST_RANDOM_PLIES)):
            game.play(chance.choice(game.position.legal_moves()))
        searcher.clear()
        if abs(searcher.analyse(game.position, nodes=nodes).lines[0].score) <= BALANCED:
            winner = finished(game, searcher, nodes, tables)
            for ply, position in enumerate(game.history):
                if ply in PLIES:
                    yield str(ply), position, 1 if winner is None else 2 * (winner is position.side)


def finished(game: AnyGame, searcher: Searcher, nodes: int, tables: Tablebase) -> Side | None:
    """Play a game to its end, and return the winner."""
    while (outcome := game.outcome()) is None:
        known = tables.get(game.position)
        if known is not None:
            side = game.position.side
            return None if known.value is Value.DRAW else side if known.value is Value.WIN else side.other
        game.play(searcher.analyse(game.position, nodes=nodes, history=game.history).lines[0].move)
    return outcome.winner


def endings(count: int, tables: Tablebase) -> Iterator[Labelled]:
    """Yield random quiet endings of three against two, the three to move, which they do not lose."""
    chance = random.Random(3)
    while count > 0:
        squares = chance.sample(range(1, 33), 5)
        pieces = [("K" if chance.random() < 0.5 else "") + str(square) for square in squares]
        try:
            position = Position.from_fen(f"B:W{','.join(pieces[:2])}:B{','.join(pieces[2:])}")
        except ValueError:
            continue
        moves = position.legal_moves() + position.legal_moves(side=Side.SECOND)
        if position.outcome() is not None or any(move.is_capture for move in moves):
            continue
        value = tables.probe(position).value
        if value is not Value.LOSS:
            count -= 1
            yield "3v2", position, 2 if value is Value.WIN else 1


def auc(higher: Iterable[int], lower: Iterable[int]) -> float:
    """Return the probability that one of `higher` is above one of `lower`; a tie counts half."""
    others, sum_, count = sorted(lower), 0.0, 0
    for score in higher:
        sum_ += (bisect_left(others, score) + bisect_right(others, score)) / 2
        count += 1
    return sum_ / (count * len(others)) if count and others else float("nan")


def telling(scored: list[tuple[int, int]]) -> float:
    """Return the mean AUC over neighbouring results that both occur."""
    scores = [[score for score, result in scored if result == each] for each in (0, 1, 2)]
    found = [auc(scores[n + 1], scores[n]) for n in (0, 1) if scores[n] and scores[n + 1]]
    return sum(found) / len(found)


def read(path: Path) -> Iterator[Labelled]:
    for line in path.read_text(encoding="utf-8").splitlines():
        ply, fen, result = line.split()
        yield ply, Position.from_fen(fen), int(result)


def measure(name: str, weights: Weights | None, positions: list[Labelled], nodes: int) -> None:
    searcher = Searcher(table_mib=8, weights=weights, endgames=open_endgames(shipped_folder()))
    cells = []
    for kind in dict.fromkeys(kind for kind, *_ in positions):
        static, searched = [], []
        for _, position, result in (each for each in positions if each[0] == kind):
            searcher.clear()
            found = searcher.analyse(position, depth=1 if kind == "3v2" else None, nodes=nodes)
            searched.append((found.lines[0].score, result))
            static.append((searcher.evaluate(position), result))
        cells.append(f"{kind}: {telling(static):.4f} -> {telling(searched):.4f}")
    print(f"{name}: AUC of the evaluation -> of the search; " + "; ".join(cells), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("--make", type=int, default=0, metavar="GAMES", help="play this number of games first")
    parser.add_argument("--weights", type=Path, nargs="*", default=[], help="default: the weights that ship")
    parser.add_argument("--nodes", type=int, help="positions a move; default: 5000 to play, 20000 to measure")
    parser.add_argument("--positions", type=int, default=2000, help="of each ply; default: %(default)s")
    parser.add_argument("--tables", type=Path, help="folder of endgame tables")
    parser.add_argument("--seed", type=int, default=901)
    chosen = parser.parse_args()
    with Tablebase.open(chosen.tables) as tables:
        if chosen.make:
            found = played(chosen.make, chosen.nodes or 5000, chosen.seed, tables)
            with chosen.file.open("w", encoding="utf-8") as file:
                file.writelines(f"{ply} {position.fen()} {result}\n" for ply, position, result in found)
            return
        everything = list(read(chosen.file))
        positions = [each for ply in PLIES for each in [e for e in everything if e[0] == str(ply)][: chosen.positions]]
        if chosen.tables:
            positions += endings(ENDINGS, tables)
    for path in chosen.weights or [None]:
        name = "shipped" if path is None else path.name
        measure(
            name, None if path is None else Weights.from_bytes(path.read_bytes()), positions, chosen.nodes or 20_000
        )


if __name__ == "__main__":
    main()
