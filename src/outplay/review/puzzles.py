"""Make puzzles from games: positions in which only some moves keep the result, and the player missed them.

The answers are proved, by the solver in Connect Four and by the endgame tables in checkers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from outplay.outcome import Side
from outplay.record import AnyGame
from outplay.review.checkers import TablesJudge
from outplay.review.connect4 import Connect4Judge
from outplay.review.judge import Judge
from outplay.review.types import Answer, JudgedMove, Review
from outplay.rules import RULES


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A position, its goal and its solution."""

    game: str
    position: str
    side: Side
    ply: int
    """The number of moves played before it in the game."""
    goal: Literal["win", "draw"]
    answers: tuple[Answer, ...]
    """Every legal move; those that keep the result are good."""
    line: tuple[str, ...]
    """The solution."""
    played: str
    """The move that was played instead."""
    known: str
    """How the answers are known: "solved", "from the endgame tables"."""

    @property
    def sentence(self) -> str:
        """The task as a sentence: "Red to move and win"."""
        return f"{RULES[self.game].sides[self.side]} to move and {self.goal}."

    def accepts(self, move: str) -> bool:
        """Return True if this move keeps the result."""
        return any(answer.is_good and answer.move == move for answer in self.answers)

    def to_dict(self) -> dict[str, Any]:
        return {
            "game": self.game,
            "position": self.position,
            "goal": self.sentence,
            "good": [answer.move for answer in self.answers if answer.is_good],
            "line": list(self.line),
            "played": self.played,
            "ply": self.ply,
            "known": self.known,
        }


def puzzle_judge(game: AnyGame) -> Judge:
    """Return a judge that uses proved results only: in checkers much faster than a full review."""
    return Connect4Judge() if game.rules.name == "connect4" else TablesJudge()


def puzzles_of(game: AnyGame, review: Review, *, sides: Sequence[Side] = tuple(Side)) -> list[Puzzle]:
    """Return the puzzles made from the mistakes of these sides, in the order of the game."""
    positions = [game.start, *(node.position for node in game.main_line())]
    return [
        Puzzle(
            game=review.game,
            position=positions[move.ply - 1].fen(),
            side=move.side,
            ply=move.ply - 1,
            goal="win" if move.before.verdict == "win" else "draw",
            answers=move.answers,
            line=move.line,
            played=move.move,
            known=move.before.known,
        )
        for move in review.moves
        if move.side in sides and _is_puzzle(move)
    ]


def _is_puzzle(move: JudgedMove) -> bool:
    is_proof = all(answer.worth.known_by != "search" for answer in move.answers)
    return bool(move.answers) and is_proof and move.before.verdict in ("win", "draw")
