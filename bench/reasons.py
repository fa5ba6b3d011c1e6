"""Count the mistakes of real games that get a reason: `python -m bench.reasons [--count 200] [--seed 1] [--show 40]`.

Connect Four: mistakes of random games, moves that give a proved result away. Checkers: moves that cost `--least`
hundredths of a man, or a proved result, in the games of `tinsley.pdn` and `german_open_2004.pdn`, from
$OUTPLAY_CORPORA/checkers. The two files hold 214 distinct mistakes of 0.4 of a man, 173 of 0.6.

`--check FOLDER` doubts each reason of checkers: the pieces are counted anew, and a search forty times as long, with the
endgame tables of that folder, must agree with what is said.
"""

from __future__ import annotations

import argparse
import os
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Any

from outplay import connect4
from outplay.explain import MoveReason, Proofs, reason_for_move, refutation, voice_of
from outplay.explain.proofs import WON
from outplay.learn.proof import Prover
from outplay.notation.any import read_file
from outplay.outcome import Side
from outplay.rules import Move, Position, must_capture

FILES = ("tinsley.pdn", "german_open_2004.pdn")
LEAST = 40
"""The least loss of a mistake in checkers, in hundredths of a man: a tenth of the winning chances."""
GLANCE = 10_000
"""The nodes of a first look, which sorts out the moves that seem to lose less than half of that."""
CHECK_NODES = 4_000_000
"""The nodes of the search that doubts a reason."""
AGREES = 60
"""It agrees if it finds at most this much less, in hundredths of a man, at the end of a line than at its beginning."""
Mistake = tuple[Position, Move, Move]
"""A position, the move that was played, and the best one."""


def random_mistakes(count: int, random: Random, proofs: Proofs) -> list[Mistake]:
    """Return different mistakes of random Connect Four games."""
    found: dict[tuple[int, int], Mistake] = {}
    while len(found) < 3 * count:
        position = connect4.Position()
        while position.outcome() is None:
            move = random.choice(position.legal_moves())
            scores = proofs.move_scores(position)
            assert scores is not None
            best = max(scores, key=lambda column: (scores[column], -abs(column - 3)))
            if _sign(scores[move]) < _sign(scores[best]):
                found[position.key, move] = (position, move, best)
            position = position.play(move)
    return random.sample(list(found.values()), count)


def _sign(score: int) -> int:
    return (score > 0) - (score < 0)


def mistakes_in_files(folder: Path, count: int, random: Random, proofs: Proofs, least: int) -> Iterator[Mistake]:
    """Yield mistakes of games in PDN: random moves of random games that a search, and then a longer one, condemns.

    A position and a move that several games share counts once.
    """
    plays: dict[tuple[Any, Any], None] = {}
    glance = Proofs(search_nodes=GLANCE)
    for name in FILES:
        with (folder / name).open("rb") as file:
            found = [entry.game for entry in read_file(file, name=name) if entry.game is not None]
        for game in found:
            nodes = game.main_line()
            befores = [game.start, *(node.position for node in nodes)]
            plays |= dict.fromkeys((before, node.move) for before, node in zip(befores, nodes, strict=False))
    for position, move in random.sample(list(plays), len(plays)):
        if count == 0:
            return
        if len(position.legal_moves()) == 1 or position.play(move).outcome() is not None:
            continue
        best, after = glance.search(position), glance.search(position.play(move))
        if best.moves[0] != move and best.value + after.value >= least / 2:
            longer, then = (proofs.search(each, longer=True) for each in (position, position.play(move)))
            if longer.moves[0] != move and longer.value + then.value >= least:
                count -= 1
                yield position, move, longer.moves[0]


def measure(name: str, mistakes: list[Mistake], proofs: Proofs, show: int, check: Prover | None = None) -> None:
    started, kinds, told = perf_counter(), Counter[str](), 0
    for number, (position, move, best) in enumerate(mistakes):
        voice = voice_of(position, position.side)
        wrong = refutation(position, move, voice=voice, proofs=proofs)
        right = reason_for_move(position, best, voice=voice, proofs=proofs)
        kinds.update((f"against: {wrong.kind}", f"for: {right.kind}"))
        told += wrong.is_reason or (right.is_reason and right.kind != "only-move")
        if number < show:
            print(_shown(position, move, wrong, right))
        if check is not None:
            for doubt in (*doubts(position, wrong, check), *doubts(position, right, check)):
                print(f"{position.fen()} {doubt}")
    seconds = (perf_counter() - started) / max(1, len(mistakes))
    print(f"{name}: {told} of {len(mistakes)} mistakes have a reason ({100 * told / len(mistakes):.0f} %), ", end="")
    print(f"{1000 * seconds:.0f} ms each")
    for kind, count in kinds.most_common():
        print(f"  {kind:28} {count}")


def _shown(position: Position, move: Move, wrong: MoveReason, right: MoveReason) -> str:
    lines = [position.fen(), f"  played {position.format(move)}"]
    for found in (wrong, right):
        lines.append(f"  {found.kind}: {found.text} [{' '.join(found.line)}]")
    return "\n".join(lines)


def doubts(position: Position, reason: MoveReason, check: Prover) -> Iterator[str]:
    """Yield what is doubtful about a reason of checkers."""
    positions = [position]
    for text in reason.line:
        positions.append(positions[-1].play(positions[-1].parse(text)))
    start, end = positions[reason.at], positions[-1]
    named = f"{reason.kind}: {reason.text}"
    before, after = (_counted(each.fen(), start.side) for each in (start, end))
    if reason.kind in ("hanging", "shot", "material") and not (after > before and not must_capture(end)):
        yield f"{named} No piece is won, or more is to be taken."
    if reason.kind == "crowned" and not _is_crowned(positions[-2].fen(), end.fen(), reason.line[-1]):
        yield f"{named} There is no new king."
    if reason.kind == "simplify" and (after != before or before <= 0):
        yield f"{named} It is no even exchange, or the side is not ahead."
    if reason.kind in ("hanging", "shot", "material", "tables") and end.outcome() is None:
        first, last = _worth(start, start.side, check), _worth(end, start.side, check)
        if last < first - AGREES:
            yield f"{named} {first:+.0f} at the beginning, but {last:+.0f} at the end of the line."
        if reason.kind == "tables" and (first > 0) != ("draw" not in reason.text):
            yield f"{named} The tables say {first:+.0f}."


def _counted(fen: str, side: Side) -> int:
    """Count how many pieces more than the other side it has, from the text of a position alone."""
    _, *sides = fen.split(":")
    pieces = {text[0]: text[1:].split(",") if text[1:] else [] for text in sides}
    return len(pieces["BW"[side]]) - len(pieces["BW"[side.other]])


def _is_crowned(before: str, after: str, move: str) -> bool:
    """Return True if a move made a man a king, from the texts of the positions alone."""
    squares = move.replace("x", "-").split("-")
    kings = [{piece[1:] for piece in re.split("[:,BW]+", fen) if piece.startswith("K")} for fen in (before, after)]
    return squares[0] not in kings[0] and squares[-1] in kings[1]


def _worth(position: Position, side: Side, check: Prover) -> float:
    score = check.lines(position)[0].score.value
    limited = max(-WON, min(WON, score))
    return limited if position.side is side else -limited


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=200, help="mistakes of each game")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--least", type=int, default=LEAST, help="least loss in checkers, in hundredths of a man")
    parser.add_argument("--show", type=int, default=0, help="number of mistakes of each game to print")
    parser.add_argument("--game", choices=("connect4", "checkers"), help="default: both")
    parser.add_argument("--check", metavar="FOLDER", type=Path, help="doubt the reasons of checkers, with these tables")
    asked = parser.parse_args()
    proofs = Proofs()
    if asked.game != "checkers":
        found = random_mistakes(asked.count, Random(asked.seed), proofs)
        measure("Connect Four", found, proofs, asked.show)
    if asked.game != "connect4":
        folder = Path(os.environ.get("OUTPLAY_CORPORA", ".")) / "checkers"
        found = list(mistakes_in_files(folder, asked.count, Random(asked.seed), proofs, asked.least))
        check = Prover(nodes=CHECK_NODES, tables=asked.check) if asked.check else None
        measure("Checkers", found, proofs, asked.show, check)


if __name__ == "__main__":
    main()
