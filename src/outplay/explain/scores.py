"""Scores in words and as chances, for every front end; proofs and estimates look different.

A score has a unit. The Connect Four solver uses `exact`: a nonzero score is certain about the winner. The checkers
searcher uses `men`, in hundredths of a man: beyond `CERTAIN` the search saw the end of the game. The searcher's
weights were trained with a logistic curve, which turns the score back into a chance. Every other evaluation uses
`points`.

"In N" counts the winner's own moves: with p plies to the end, N = (p + 1) // 2.
"""

from __future__ import annotations

from dataclasses import replace
from math import exp
from typing import Any, Literal

from outplay.engine.types import Line, Score
from outplay.explain.voice import Voice, does, first_who, voice_of, who
from outplay.rules import Position, rules_of

MAN = 100
"""The searcher's value of a man, and the scale of its logistic curve."""
CERTAIN = 9_999
NEAREST_WIN = 0.25
"""The smallest gauge of a win of Connect Four, that of the slowest win; an immediate win has 1."""
HALF_BAR = {"exact": 30.0, "points": 30.0, "men": float(MAN)}
"""The estimate that fills half a bar: about one good threat, or a man."""
EVEN = "about equal"
"""The label of an estimate of 0: neither side is ahead, which is not the same as a draw."""
KNOWN = {"solved": "solved", "table": "from the endgame tables", "book": "from the opening book"}

Verdict = Literal["win", "draw", "loss", "unclear"]


def own_moves(plies: int) -> int:
    """Return how many moves the winner makes in the last `plies` plies of a game; the last ply is the winner's."""
    return (plies + 1) // 2


def in_moves(plies: int | None) -> str:
    """Return " in 4" for a number of plies; empty if it is not known."""
    return "" if plies is None else f" in {own_moves(plies)}"


def verdict_of(score: Score) -> Verdict:
    """Return the result for the side to move, if it is certain."""
    if not is_certain(score):
        return "unclear"
    return "win" if score.value > 0 else "loss" if score.value < 0 else "draw"


def is_certain(score: Score) -> bool:
    if score.is_proof or score.plies is not None:
        return True
    return score.value != 0 if score.unit == "exact" else score.unit == "men" and abs(score.value) > CERTAIN


def settled(position: Position, line: Line) -> Score:
    """Return the score of a line. If its first move ends the game, the score is a proof, whichever engine searched."""
    if line.score.is_proof or line.score.plies != 1 or position.play(line.move).outcome() is None:
        return line.score
    return replace(line.score, known_by="solved")


def label_of(score: Score) -> str:
    """Return a score in a few characters: "+ win in 5", "= draw", "+0.35", "-3"; "about equal", "not solved"."""
    match verdict_of(score):
        case "win":
            return f"+ win{in_moves(score.plies)}"
        case "loss":
            return f"- loss{in_moves(score.plies)}"
        case "draw":
            return "= draw"
    if score.unit == "exact":
        return "not solved"
    if not score.value:
        return EVEN
    if score.unit == "men":
        return f"{score.value / MAN:+.2f}"
    return f"{score.value:+.0f}" if abs(score.value) >= 100 else f"{score.value:+.3g}"


def known_of(score: Score) -> str:
    """Return how a score is known.

    For example "solved", "from the opening book", "depth 17", "estimated" or "not solved".
    """
    if score.is_proof:
        return KNOWN[score.known_by]
    if score.unit == "exact":
        return "number of moves not known yet" if score.value else "not solved"
    return f"depth {score.depth}" if score.depth else "estimated"


def sentence_of(position: Position, score: Score, voice: Voice | None = None) -> str:
    """Return a sentence: "Red wins in 9", "A draw", "Estimated +0.35 for Black", "Not solved in time".

    `voice` names the sides. Default: by their colours.
    """
    return (voice or voice_of(position)).tell(_sentence(position, score))


def _sentence(position: Position, score: Score) -> str:
    match verdict_of(score):
        case "draw":
            return "A draw"
        case "unclear" if score.unit == "exact":
            return "Not solved in time"
        case "unclear":
            whose = "" if label_of(score) == EVEN else f" for {who(position.side)}"
            return f"Estimated {label_of(score)}{whose}"
    return _winner(position, score)


def headline_of(position: Position, score: Score, voice: Voice | None = None) -> str:
    """Return the sentence and how the score is known.

    "Red wins in 9, solved", "Estimated +0.35 for Black, depth 17".
    """
    told = sentence_of(position, score, voice)
    is_open = score.unit == "exact" and verdict_of(score) == "unclear"
    return told if is_open else f"{told}, {known_of(score)}"


def score_sentence(position: Position, score: Score, sides: tuple[str, str] | None = None) -> str:
    """Return a score for use in a sentence: "Red wins in 9, solved", "a draw, solved", "estimated +0.4, depth 13"."""
    known = f", {KNOWN[score.known_by]}" if score.is_proof else ""
    match verdict_of(score):
        case "draw" if score.is_proof:
            return f"a draw{known}"
        case "win" | "loss":
            return Voice(sides or rules_of(position).sides).tell(_winner(position, score)) + known
    depth = "" if not score.depth else f", depth {score.depth}"
    return f"estimated {label_of(score)}{depth}"


def _winner(position: Position, score: Score) -> str:
    winner = position.side if score.value > 0 else position.side.other
    return f"{first_who(winner)} {does(winner, 'wins', 'win')}{in_moves(score.plies)}"


def worth_words(score: Score) -> str:
    """Return a score in words: "a win in 7", "a draw", "a loss", "+0.35"."""
    verdict = verdict_of(score)
    if verdict in ("draw", "unclear"):
        return "a draw" if verdict == "draw" else label_of(score)
    return f"a {verdict}{in_moves(score.plies)}"


def points_text(points: float) -> str:
    """Return points of an evaluation as text: `7`, `-2.5`, `1,234,567`."""
    return f"{points + 0:,g}" if abs(points) < 100_000 else f"{points:,.0f}"  # + 0 turns -0.0 into 0


def chance_of(score: Score) -> float:
    """Return the expected result of the side to move: 1 for a win, 0.5 for a draw, 0 for a loss."""
    match verdict_of(score):
        case "win":
            return 1.0
        case "loss":
            return 0.0
        case "unclear" if score.unit != "exact":
            return 1 / (1 + exp(-score.value / MAN))
    return 0.5


def bar_of(score: Score) -> float:
    """Return the length of a bar for a score, from -1 to 1: full if it is certain, otherwise never full."""
    value = float(score.value)
    if is_certain(score):
        return 1.0 if value > 0 else -1.0 if value < 0 else 0.0
    return round(value / (abs(value) + HALF_BAR[score.unit]), 4)


def gauge_of(position: Any, score: Score) -> float:
    """Return a gauge from -1 to 1, 1 for a win of the first side; in Connect Four a faster win is further from 0."""
    ours = 2 * chance_of(score) - 1
    if score.unit == "exact" and score.is_proof and ours:
        most = position.width * position.height / 2
        ours *= NEAREST_WIN + (1 - NEAREST_WIN) * min(1.0, abs(score.value) / most)
    return ours if position.side == 0 else -ours
