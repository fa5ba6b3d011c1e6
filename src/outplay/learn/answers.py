"""Judge an answer to a step of a lesson: right, or wrong with the moves that show why."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from outplay import explain
from outplay.engine.types import Score
from outplay.explain import BoardMark, line_moves
from outplay.learn.lesson import Step
from outplay.learn.marks import threat_marks
from outplay.learn.proof import Prover
from outplay.rules import Move, Position, rules_of

SHOWN_REFUTATION = 5
"""The largest number of moves that are played on the board after a wrong move."""


@dataclass(frozen=True, slots=True)
class StepAnswer:
    """What to say about a move, and the moves to play on the board, the answer itself first."""

    is_right: bool
    headline: str
    """The verdict in a few words: "Yes, column 4", "Not column 6"."""
    sentence: str
    line: tuple[Move, ...]
    marks: tuple[BoardMark, ...] = ()
    """The marks on the board after the last move of the line."""
    label: str = ""
    """The score of the move: "+ win in 2"; empty if nothing is claimed."""
    known: str = ""
    """How the score is known: "solved", "from the endgame tables", "depth 17"."""
    is_proof: bool = False


def judge_step(step: Step, text: str, prover: Prover) -> StepAnswer:
    """Judge a move; IllegalMoveError if it is not legal."""
    move = step.position.parse(text)
    text = step.position.format(move)
    return _right(step, move, prover) if text in (*step.accept, *step.also) else _wrong(step, move, prover)


def solution(step: Step, prover: Prover) -> StepAnswer:
    """Return the answer to a step: the first accepted move."""
    return _right(step, step.position.parse(step.accept[0]), prover)


def _right(step: Step, move: Move, prover: Prover) -> StepAnswer:
    position, text = step.position, step.position.format(move)
    told = step.also_right if text in step.also else step.right
    line = (move, *line_moves(position.play(move), step.then)) if text == step.accept[0] else (move,)
    headline = f"Yes, {rules_of(position).move_name(position, move)}"
    if not step.goal.needs_scores:
        return StepAnswer(True, headline, told, line, _marks_after(position, line))
    score = prover.scores(position)[move]
    return _with_score(StepAnswer(True, headline, told, line, _marks_after(position, line)), score)


def _wrong(step: Step, move: Move, prover: Prover) -> StepAnswer:
    position = step.position
    headline = f"Not {rules_of(position).move_name(position, move)}"
    told = step.wrong.get(position.format(move))
    if not step.goal.needs_scores:
        return StepAnswer(False, headline, told.say if told else "The text names another move.", (move,))
    after = position.play(move)
    line = (move, *(line_moves(after, told.line) if told and told.line else refutation(after, prover)))
    say = told.say if told else why_not(position, move, prover)
    return StepAnswer(False, headline, say, line, _marks_after(position, line))


def refutation(after: Position, prover: Prover, *, most: int = SHOWN_REFUTATION) -> tuple[Move, ...]:
    """Return the best play after a wrong move, ending with a move of the side that refutes it."""
    line = prover.line(after, most=most)
    return line if len(line) % 2 else line[:-1]


def why_not(position: Position, move: Move, prover: Prover) -> str:
    """Say what a wrong move gives away, without naming a better one."""
    scores = prover.scores(position)
    best = max(scores.values(), key=lambda score: score.value)
    refuted = explain.refutation(position, move, voice=explain.voice_of(position, position.side))
    return explain.mistake_sentence(position, move, best, scores[move], refutation=refuted)


def _with_score(answer: StepAnswer, score: Score) -> StepAnswer:
    return StepAnswer(
        answer.is_right,
        answer.headline,
        answer.sentence,
        answer.line,
        answer.marks,
        explain.label_of(score),
        explain.known_of(score),
        score.is_proof,
    )


def _marks_after(position: Position, line: Sequence[Move]) -> tuple[BoardMark, ...]:
    for move in line:
        position = position.play(move)
    return threat_marks(position)
