"""What a score of our own engines is worth, in words and as a chance; proof and guess never look alike.

The solver of Connect Four says the sign of a score only when it is sure of it. The searcher of checkers counts in
hundredths of a man; beyond `CERTAIN` it has seen the end. Its scores were learned on a logistic curve, so that curve
turns them back into chances.
"""

from __future__ import annotations

from math import exp
from typing import Literal

from outplay import connect4
from outplay.engine.types import Score
from outplay.explain.words import KNOWN, score_label, score_sentence
from outplay.rules import Position, rules_of

MAN = 100
"""The searcher's unit for a man, and the scale of its logistic curve."""
CERTAIN = 9_999
NEAREST_WIN = 0.25
"""How far from even a gauge shows the latest win of Connect Four; a win on the spot fills it."""

Verdict = Literal["win", "draw", "loss", "unclear"]


def verdict_of(position: Position, score: Score) -> Verdict:
    """How it ends for the side to move, if that is certain."""
    if not _is_certain(position, score):
        return "unclear"
    return "win" if score.value > 0 else "loss" if score.value < 0 else "draw"


def label_of(position: Position, score: Score) -> str:
    """A score in a few characters: "+ win in 5", "= draw", "+0.35"; "not solved"."""
    if score.is_proof or score.plies is not None:
        return score_label(score)
    if _is_certain(position, score):
        return "+ win" if score.value > 0 else "- loss"
    if isinstance(position, connect4.Position):
        return "not solved"
    return f"{score.value / MAN:+.2f}" if score.value else "0"


def known_of(position: Position, score: Score) -> str:
    """How it is known: "solved", "from the opening book", "from the endgame tables", "depth 17", "not solved"."""
    if score.is_proof:
        return KNOWN[score.known_by]
    if isinstance(position, connect4.Position):
        return "solved but for its length" if score.value else "not solved"
    return f"depth {score.depth}" if score.depth else "estimated"


def sentence_of(position: Position, score: Score) -> str:
    """ "Red wins in 9", "A draw", "Estimated +0.35 for Black", "Not solved in time"."""
    sides = rules_of(position).sides
    match verdict_of(position, score):
        case "draw":
            return "A draw"
        case "unclear" if isinstance(position, connect4.Position):
            return "Not solved in time"
        case "unclear":
            return f"Estimated {label_of(position, score)} for {sides[position.side]}"
    if score.plies is None:
        return f"{sides[position.side if score.value > 0 else position.side.other]} wins"
    return score_sentence(position, Score(score.value, plies=score.plies))


def headline_of(position: Position, score: Score) -> str:
    """The same with how it is known: "Red wins in 9, solved", "Estimated +0.35 for Black, depth 17"."""
    told = sentence_of(position, score)
    is_open = isinstance(position, connect4.Position) and verdict_of(position, score) == "unclear"
    return told if is_open else f"{told}, {known_of(position, score)}"


def chance_of(position: Position, score: Score) -> float:
    """What the side to move may expect: 1 a win, one half a draw, 0 a loss."""
    match verdict_of(position, score):
        case "win":
            return 1.0
        case "loss":
            return 0.0
        case "unclear" if not isinstance(position, connect4.Position):
            return 1 / (1 + exp(-score.value / MAN))
    return 0.5


def gauge_of(position: Position, score: Score) -> float:
    """From -1 to 1, 1 for a win of the side that moves first; in Connect Four the sooner, the further from even."""
    ours = 2 * chance_of(position, score) - 1
    if isinstance(position, connect4.Position) and score.is_proof and ours:
        most = position.width * position.height / 2
        ours *= NEAREST_WIN + (1 - NEAREST_WIN) * min(1.0, abs(score.value) / most)
    return ours if position.side == 0 else -ours


def _is_certain(position: Position, score: Score) -> bool:
    if score.is_proof or score.plies is not None:
        return True
    return score.value != 0 if isinstance(position, connect4.Position) else abs(score.value) > CERTAIN
