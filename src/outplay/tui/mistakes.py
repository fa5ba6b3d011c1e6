"""The review of a game on the analysis board: its mistakes, and the one that the player tries to correct."""

from __future__ import annotations

from dataclasses import dataclass

from outplay.record import AnyGame, AnyNode
from outplay.review import Answer, Grade, JudgedMove, Review

FLAWS = (Grade.BLUNDER, Grade.MISTAKE, Grade.INACCURACY)


@dataclass(slots=True)
class Mistakes:
    """What a review says about a game; empty before there is a review."""

    review: Review | None = None
    tried: JudgedMove | None = None
    """The mistake that the player tries to correct, while the answer is hidden."""

    def signs(self) -> dict[int, str]:
        """Return the signs of the moves, such as "??", by ply."""
        return {} if self.review is None else {move.ply: move.grade.sign for move in self.review.moves}

    def judged(self, game: AnyGame, node: AnyNode) -> JudgedMove | None:
        """Return what the review says about the move that led to a node; None if it says nothing."""
        if self.review is None or node not in game.main_line():
            return None
        return next((move for move in self.review.moves if move.ply == node.ply), None)

    def remark(self, game: AnyGame, node: AnyNode) -> str:
        """Return a judged move with its sign and the reason; empty if there is none, or during a retry."""
        judged = self.judged(game, node)
        if judged is None or not judged.sentence or self.tried is not None:
            return ""
        return f"{judged.move}{judged.grade.sign} {judged.sentence}"

    def next_flaw(self, ply: int, *, is_grave: bool) -> int | None:
        """Return the ply of the next flaw, or with `is_grave` of the next blunder. After the last one comes the first.

        None if there is no such move.
        """
        moves = () if self.review is None else self.review.moves
        flaws = [move.ply for move in moves if move.grade in (FLAWS[:1] if is_grave else FLAWS)]
        return next((each for each in flaws if each > ply), flaws[0] if flaws else None)

    def answer(self, text: str) -> Answer | None:
        """Return the verdict on a move played instead of the mistake; None if the move was not judged."""
        assert self.tried is not None
        return next((each for each in self.tried.answers if each.move == text), None)
