"""What a task asks for, and whether a move reaches it.

    win           the move wins
    win in N      the move wins, with the Nth move of its side at the latest
    draw          the move does not lose
    hold N        the move does not lose within N moves of the other side
    gain N        the move wins N pieces and keeps them (checkers)
    forced        the rules allow no other move
    told          the text names the move; nothing is claimed about it

A goal divides the legal moves in two: those that reach it, and all others.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, get_args

from outplay import checkers
from outplay.engine.types import Score
from outplay.errors import NotationError
from outplay.explain import own_moves, verdict_of
from outplay.explain.scores import MAN
from outplay.outcome import Side
from outplay.rules import Position, rules_of

GoalKind = Literal["win", "draw", "hold", "gain", "forced", "told"]
KING = 1.4 * MAN
"""The worth of a king when material is counted."""
GAINED = 0.6
"""A man counts as won if the search gains at least this share of its worth."""
NOT_GAINED = 0.4
"""A man does not count as won if the search gains at most this share. Between the two it is unclear: no task may
depend on it."""
_FORM = re.compile(r"(?P<kind>[a-z]+)(?: in (?P<within>[1-9][0-9]?)| (?P<number>[1-9][0-9]?))?")
_NUMBERED = {"hold", "gain"}


@dataclass(frozen=True, slots=True)
class Goal:
    """What a task asks for."""

    kind: GoalKind
    number: int | None = None
    """The N of `win in N`, `hold N` and `gain N`."""

    @classmethod
    def parse(cls, text: str) -> Goal:
        """Read a goal as a lesson file writes it; NotationError lists the goals that exist."""
        found = _FORM.fullmatch(text)
        kind = found["kind"] if found else ""
        needs_number = kind in _NUMBERED
        if (
            found is None
            or kind not in get_args(GoalKind)
            or needs_number != bool(found["number"])
            or (found["within"] and kind != "win")
        ):
            raise NotationError(text, "a goal is win, win in N, draw, hold N, gain N, forced or told")
        number = found["number"] or found["within"]
        return cls(kind, int(number) if number else None)  # type: ignore[arg-type]

    def __str__(self) -> str:
        if self.number is None:
            return self.kind
        return f"{self.kind}{' in' * (self.kind == 'win')} {self.number}"

    @property
    def needs_scores(self) -> bool:
        """True if a solver, tables or a search must say which moves reach it."""
        return self.kind not in ("forced", "told")

    def is_reached(self, position: Position, score: Score) -> bool | None:
        """Return whether a move with this score reaches the goal; None if that is not clear."""
        verdict = verdict_of(score)
        if self.kind == "gain":
            return self._is_gained(position, score)
        if verdict == "unclear":
            return None
        if self.kind == "win":
            return verdict == "win" and (self.number is None or _within(score, self.number))
        if self.kind == "hold":
            assert self.number is not None
            return verdict != "loss" or not _within(score, self.number)
        return verdict != "loss"

    def _is_gained(self, position: Position, score: Score) -> bool | None:
        verdict = verdict_of(score)
        if verdict in ("win", "loss"):
            return verdict == "win"
        assert self.number is not None
        gained = (score.value - balance(position)) / MAN - (self.number - 1)
        return True if gained >= GAINED else False if gained <= NOT_GAINED else None

    def sentence(self, position: Position) -> str:
        """Return the goal as a sentence: "Red to move and win in 3." """
        side = rules_of(position).sides[position.side]
        match self.kind:
            case "win":
                return f"{side} to move and win{'' if self.number is None else f' in {self.number}'}."
            case "draw":
                return f"{side} to move and draw."
            case "hold":
                return f"{side} to move and not lose."
            case "gain":
                one, many = ("piece", "pieces") if _has_kings(position) else ("man", "men")
                return f"{side} to move and win {f'a {one}' if self.number == 1 else f'{self.number} {many}'}."
        return f"{side} to move."


def _within(score: Score, moves: int) -> bool:
    return score.plies is not None and own_moves(score.plies) <= moves


def _has_kings(position: Position) -> bool:
    return isinstance(position, checkers.Position) and position.kings != 0


def pieces_won(start: Position, end: Position) -> int:
    """Return how many pieces the side to move at the start has won by the end, on balance; a king counts as one."""
    return _ahead(end, start.side) - _ahead(start, start.side)


def _ahead(position: Position, side: Side) -> int:
    assert isinstance(position, checkers.Position)
    return sum(1 if piece.lower() == "bw"[side] else -1 for piece in position.pieces().values())


def balance(position: Position) -> float:
    """Return the material of the side to move minus that of the other side, in hundredths of a man."""
    assert isinstance(position, checkers.Position)
    worth = {"b": MAN, "w": MAN, "B": KING, "W": KING}
    own = "bw"[position.side]
    return sum(worth[piece] * (1 if piece.lower() == own else -1) for piece in position.pieces().values())
