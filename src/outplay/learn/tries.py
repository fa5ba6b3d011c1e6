"""Judge the moves that a person plays in a puzzle, one after the other, against the best defence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from outplay.errors import OutplayError
from outplay.explain import KNOWN, BoardMark, known_of, label_of, line_moves, reason_for_move, voice_of
from outplay.learn.answers import refutation, why_not
from outplay.learn.marks import threat_marks
from outplay.learn.proof import Prover
from outplay.learn.puzzle import GradedPuzzle
from outplay.rules import Move, Position, rules_of


class OffLineError(OutplayError):
    """The moves before an answer are not those of the puzzle."""


@dataclass(frozen=True, slots=True)
class Tried:
    """The result of a move. The status `going` means: right so far. `line` holds the move and the reply to it."""

    status: Literal["going", "solved", "missed"]
    headline: str
    sentence: str
    position: Position
    """The position before the moves of `line`."""
    line: tuple[Move, ...]
    marks: tuple[BoardMark, ...] = ()
    label: str = ""
    known: str = ""
    is_proof: bool = False

    @property
    def after(self) -> Position:
        return _after(self.position, self.line)


def try_moves(puzzle: GradedPuzzle, moves: Sequence[str], prover: Prover) -> Tried:
    """Judge the last of these moves. The first is played in the puzzle's position; replies are included.

    IllegalMoveError if the last move is not legal, OffLineError if the moves before it are not those of the line.
    """
    *before, text = moves
    position = position_after(puzzle, before)
    move = position.parse(text)
    if position.format(move) not in puzzle.accepted(len(before)):
        return _missed(position, move, prover)
    if len(moves) == len(puzzle.asked):
        return _solved(puzzle, position, move, prover)
    after = position.play(move)
    reply = after.parse(puzzle.asked[len(moves)])
    name = rules_of(position).move_name
    line = (move, reply)
    sentence = f"{_capital(name(after, reply))} is the best defence. Go on."
    return Tried(
        "going", f"Yes, {name(position, move)}", sentence, position, line, threat_marks(_after(position, line))
    )


def position_after(puzzle: GradedPuzzle, moves: Sequence[str]) -> Position:
    """Return the position in which the next move is asked for. OffLineError if these moves do not lead to one."""
    if tuple(moves) != puzzle.asked[: len(moves)] or len(moves) % 2 or len(moves) >= len(puzzle.asked):
        raise OffLineError("these moves are not the line of this puzzle: begin again")
    return _after(puzzle.position, line_moves(puzzle.position, moves))


def puzzle_solution(puzzle: GradedPuzzle, prover: Prover) -> Tried:
    """Return the solution, played out from the puzzle's position."""
    line = line_moves(puzzle.position, (*puzzle.asked, *puzzle.shown))
    return _with_proof(puzzle, Tried("missed", "The answer", _how(puzzle), puzzle.position, line), prover)


def _solved(puzzle: GradedPuzzle, position: Position, move: Move, prover: Prover) -> Tried:
    is_main = position.format(move) == puzzle.asked[-1]
    line = (move, *(line_moves(position.play(move), puzzle.shown) if is_main else ()))
    return _with_proof(puzzle, Tried("solved", "Right", _how(puzzle), position, line), prover)


def _missed(position: Position, move: Move, prover: Prover) -> Tried:
    headline = f"Not {rules_of(position).move_name(position, move)}"
    line = (move, *refutation(position.play(move), prover))
    marks = threat_marks(_after(position, line))
    return Tried("missed", headline, why_not(position, move, prover), position, line, marks)


def _with_proof(puzzle: GradedPuzzle, tried: Tried, prover: Prover) -> Tried:
    """Add what the first move is worth, and how that is known."""
    score = prover.scores(puzzle.position)[puzzle.position.parse(puzzle.asked[0])]
    return Tried(
        tried.status,
        tried.headline,
        tried.sentence,
        tried.position,
        tried.line,
        threat_marks(tried.after),
        label_of(score),
        known_of(score),
        score.known_by in KNOWN,
    )


def _how(puzzle: GradedPuzzle) -> str:
    """Return why the first move is good, "Column 4: It makes two threats at once, ...", or the whole solution."""
    position, move = puzzle.position, puzzle.position.parse(puzzle.asked[0])
    reason = reason_for_move(position, move, voice=voice_of(position, position.side))
    if reason.is_reason:
        return f"{_capital(rules_of(position).move_name(position, move))}: {reason.text}"
    return f"{puzzle.sentence.removesuffix('.')}: {' '.join((*puzzle.asked, *puzzle.shown))}."


def _after(position: Position, line: Sequence[Move]) -> Position:
    for move in line:
        position = position.play(move)
    return position


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
