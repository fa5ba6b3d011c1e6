"""The result of a review: every move with its worth, a summary of each side, and the turning point.

Frozen values that convert to JSON.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

from outplay.engine.types import KnownBy
from outplay.explain import MoveReason, Verdict, Voice
from outplay.outcome import Side


class Grade(StrEnum):
    """How good a move was; see `grades` for the limits."""

    BEST = "best"
    GOOD = "good"
    INACCURACY = "inaccuracy"
    MISTAKE = "mistake"
    BLUNDER = "blunder"
    FORCED = "forced"
    """There was no other move."""
    UNKNOWN = "unknown"
    """The worth of the move could not be computed with the given nodes."""

    @property
    def is_flaw(self) -> bool:
        return self in GLYPHS

    @property
    def sign(self) -> str:
        """Return the sign written after the move, such as "??"; empty for a move without a flaw."""
        return {Grade.INACCURACY: "?!", Grade.MISTAKE: "?", Grade.BLUNDER: "??"}.get(self, "")

    @property
    def words(self) -> str:
        """The grade in words: "best move", "blunder"."""
        named = {Grade.BEST: "best move", Grade.GOOD: "good move", Grade.FORCED: "only move"}
        return "not judged" if self is Grade.UNKNOWN else named.get(self, self.value)


GLYPHS = {Grade.INACCURACY: 6, Grade.MISTAKE: 2, Grade.BLUNDER: 4}
"""The numeric annotation glyphs of PDN."""


@dataclass(frozen=True, slots=True)
class Worth:
    """The worth of a position for one side, in words, and how it is known."""

    label: str
    """The score in a few characters: "+ win in 7", "= draw", "+0.35", "not solved"."""
    verdict: Verdict
    chance: float
    """1 for a win, 0.5 for a draw, 0 for a loss."""
    known_by: KnownBy
    known: str
    """How it is known: "solved", "from the opening book", "from the endgame tables", "depth 17", "not solved"."""
    plies: int | None = None
    """Plies to the end, counted from before the move; None if not known."""


@dataclass(frozen=True, slots=True)
class Answer:
    """One legal move in a puzzle."""

    move: str
    worth: Worth
    is_good: bool
    """True if the move keeps the result, or nearly does."""
    sentence: str


@dataclass(frozen=True, slots=True)
class JudgedMove:
    """One judged move of the game. Both worths are those of the side that moved."""

    ply: int
    """The number of the move in the game, from 1."""
    side: Side
    move: str
    grade: Grade
    before: Worth
    """The worth after the best move."""
    after: Worth
    """The worth after the move that was played."""
    loss: float
    """The share of the winning chances that the move gave away, from 0 to 1."""
    sentence: str
    """What the move gave away, and why; empty for a move without a flaw."""
    better: tuple[str, ...]
    """The best moves if the move has a flaw; otherwise empty."""
    line: tuple[str, ...]
    """The better line, which starts with a best move."""
    answers: tuple[Answer, ...]
    """Every legal move, if the move is worth another try; otherwise empty.

    In Connect Four that is a move that changed the result, in checkers any move with a flaw.
    """
    gauge: float
    """The score before the move, from -1 (won for the second side) to 1 (won for the first)."""
    headline: str
    """The score before the move in a sentence: "Red wins in 9, solved"."""
    let_go: str
    """What a blunder gave away: "Yellow had a win in 7 and let it go." """
    refutation: MoveReason | None = None
    """How a flaw is answered; the line begins with the flaw itself."""
    missed: MoveReason | None = None
    """Why the best move was better."""

    def told(self, voice: Voice) -> JudgedMove:
        """Return the move with its sentences in this voice."""
        return replace(
            self,
            sentence=voice.tell(self.sentence),
            headline=voice.tell(self.headline),
            let_go=voice.tell(self.let_go),
            refutation=None if self.refutation is None else self.refutation.told(voice),
            missed=None if self.missed is None else self.missed.told(voice),
        )


@dataclass(frozen=True, slots=True)
class SideReview:
    """How well one side played. `accuracy` is in per cent; None if the side never had a choice."""

    side: Side
    name: str
    accuracy: float | None
    inaccuracies: int
    mistakes: int
    blunders: int
    sentence: str


@dataclass(frozen=True, slots=True)
class TurningPoint:
    """The last move that gave the result away."""

    ply: int
    side: Side
    move: str
    sentence: str


@dataclass(frozen=True, slots=True)
class Review:
    """A game judged move by move."""

    game: str
    start: str
    plies: int
    """The number of moves of the main line, all of which are to be judged."""
    moves: tuple[JudgedMove, ...]
    sides: tuple[SideReview, SideReview]
    turning_point: TurningPoint | None
    gauge: float
    """The score at the end of the game, from -1 to 1."""
    headline: str
    """The end of the game in a sentence."""
    opening: str
    seconds: float = field(compare=False)
    is_complete: bool = True
    """False if the review was stopped; then the first moves are not judged."""
    ends: tuple[Worth, Worth] | None = None
    """The worth of the last position for each side; None until it has been judged."""
    ranked: tuple[int, ...] = ()
    """The plies of the flaws, first the one that a person could have seen most easily: see `ranks`."""

    def told(self, voice: Voice) -> Review:
        """Return the review with its sentences in this voice, which addresses one player or names both."""
        point = self.turning_point
        return replace(
            self,
            moves=tuple(move.told(voice) for move in self.moves),
            turning_point=None if point is None else replace(point, sentence=voice.tell(point.sentence)),
            headline=voice.tell(self.headline),
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the review as JSON data: docs/review.md has an example."""
        return {
            "game": self.game,
            "start": self.start,
            "plies": self.plies,
            "opening": self.opening,
            "moves": [_move(move) for move in self.moves],
            "sides": [_side(side) for side in self.sides],
            "turning_point": None if self.turning_point is None else _turning_point(self.turning_point),
            "ranked": list(self.ranked),
            "end": {"gauge": round(self.gauge, 4), "sentence": self.headline},
            "complete": self.is_complete,
            "seconds": round(self.seconds, 3),
        }


def _move(move: JudgedMove) -> dict[str, Any]:
    return {
        "ply": move.ply,
        "side": int(move.side),
        "move": move.move,
        "grade": move.grade.value,
        "before": _worth(move.before),
        "after": _worth(move.after),
        "loss": round(move.loss, 4),
        "gauge": round(move.gauge, 4),
        **({"sentence": move.sentence} if move.sentence else {}),
        **({"better": list(move.better), "line": list(move.line)} if move.better else {}),
        **({"answers": [_answer(answer) for answer in move.answers]} if move.answers else {}),
        **({} if move.refutation is None else {"refutation": move.refutation.to_dict()}),
        **({} if move.missed is None else {"missed": move.missed.to_dict()}),
    }


def _worth(worth: Worth) -> dict[str, Any]:
    return {
        "label": worth.label,
        "verdict": worth.verdict,
        "chance": round(worth.chance, 4),
        "known_by": worth.known_by,
        "known": worth.known,
    }


def _answer(answer: Answer) -> dict[str, Any]:
    return {"move": answer.move, "label": answer.worth.label, "good": answer.is_good, "sentence": answer.sentence}


def _side(side: SideReview) -> dict[str, Any]:
    return {
        "side": int(side.side),
        "name": side.name,
        "accuracy": None if side.accuracy is None else round(side.accuracy, 1),
        "inaccuracies": side.inaccuracies,
        "mistakes": side.mistakes,
        "blunders": side.blunders,
    }


def _turning_point(point: TurningPoint) -> dict[str, Any]:
    return {"ply": point.ply, "side": int(point.side), "move": point.move, "sentence": point.sentence}
