"""Explain any position of a recorded search in a few sentences.

All values are those of the side to move at the root, which wants the highest; the other side wants the lowest. (The
search itself sees each score from the side to move, and so does words.py.)
"""

from __future__ import annotations

from outplay.draw.svg import MINUS
from outplay.explain.scores import in_moves
from outplay.lab.recorder import Visit
from outplay.lab.score import INFINITY, plies_to_end
from outplay.lab.trace import Trace

INFINITE = "\N{INFINITY}"
_NUMBERS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
_ORDINALS = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"]
_MIRRORED = {"at least": "at most", "at most": "at least"}


def value_text(value: float) -> str:
    """Return a text such as `+3`, `0`, `-2.5` (with a real minus sign) or `win in 3` (the winner's own moves)."""
    plies = plies_to_end(value)
    if plies is not None:
        return f"{'win' if value > 0 else 'loss'}{in_moves(plies)}"
    return "0" if value == 0 else f"{value:+,.6g}".replace("-", MINUS)


def bound_text(bound: float) -> str:
    """Return alpha or beta: `+3`, `∞`."""
    if abs(bound) == INFINITY:
        return INFINITE if bound > 0 else f"{MINUS}{INFINITE}"
    return value_text(bound)


def move_name(game: str, text: str) -> str:
    """Return the name of a move: `column 4`, `11-15`."""
    return f"column {text}" if game == "connect4" else text


class Story:
    """The explanations of one trace."""

    def __init__(self, trace: Trace) -> None:
        self._trace = trace
        self._visits = {visit.id: visit for visit in trace.visits}
        self._children: dict[int | None, list[Visit]] = {}
        for visit in trace.visits:
            self._children.setdefault(visit.parent, []).append(visit)

    def value(self, visit: Visit) -> float | None:
        """Return the score for the side to move at the root; None if the position has no score."""
        return None if visit.score is None else visit.score * _sign(visit)

    def bound(self, visit: Visit) -> str:
        """Return whether `value` is `exact`, `at least` or `at most`; an empty string if there is no value."""
        bound = visit.bound or ""
        return _MIRRORED.get(bound, bound) if _sign(visit) < 0 else bound

    def label(self, visit: Visit) -> str:
        """Return value and bound in one text: `+3`, `≤+2`."""
        value = self.value(visit)
        if value is None:
            return "" if visit.kind == "pruned" else "?"
        return {"at least": "≥", "at most": "≤"}.get(self.bound(visit), "") + value_text(value)

    def window(self, visit: Visit) -> str:
        """Return alpha and beta: `3 to ∞`."""
        low, high = self.root_window(visit)
        return f"{bound_text(-INFINITY if low is None else low)} to {bound_text(INFINITY if high is None else high)}"

    def reason(self, visit: Visit) -> str:
        """Return in a few words why the search ended here: `cut: +7 ≥ beta +5, three moves never looked at`."""
        value = self.value(visit)
        if value is None:
            return "never looked at" if visit.kind == "pruned" else "stopped here"
        match visit.kind:
            case "cut":
                low, high = self.root_window(visit)
                sign, name, limit = ("≥", "beta", high) if _sign(visit) > 0 else ("≤", "alpha", low)
                skipped = visit.moves - visit.looked
                rest = f", {count_of(skipped, 'move')} never looked at" if skipped else ""
                return f"cut: {value_text(value)} {sign} {name} {value_text(limit or 0)}{rest}"
            case "low":
                low, high = self.root_window(visit)
                sign, name, limit = ("≤", "alpha", low) if _sign(visit) > 0 else ("≥", "beta", high)
                return f"too low: {value_text(value)} {sign} {name} {value_text(limit or 0)}"
            case "table":
                return f"table: {self.bound(visit)} {value_text(value)}"
            case "leaf":
                return f"evaluated: {value_text(value)}"
            case "end":
                return "the game is over"
        return f"exact: the best of {count_of(visit.moves, 'move')}"

    def sentences(self, visit: Visit) -> str:
        """Say what happened here and why, for a reader who has never seen a search."""
        tell = {
            "cut": self._cut,
            "low": self._low,
            "table": self._table,
            "leaf": self._leaf,
            "end": self._end,
            "pruned": self._pruned,
            "unfinished": self._unfinished,
        }.get(visit.kind, self._exact)
        left_out = f" {visit.left_out:,} positions below are not shown." if visit.left_out else ""
        return tell(visit) + left_out

    # One method for each kind of answer

    def _exact(self, visit: Visit) -> str:
        best = self._best(visit)
        side, wants = self._mover(visit), "highest" if _sign(visit) > 0 else "lowest"
        chosen = "" if best is None else f" {side} takes the {wants}, {self.move(best)}: {self.told(visit)}."
        if visit.parent is None:
            return f"The search begins here, {side} to move.{chosen}"
        return f"{self._replies(visit)} looked at.{chosen}"

    def _cut(self, visit: Visit) -> str:
        mover, chooser, low, high = self._mover(visit), self._chooser(visit), *self.root_window(visit)
        limit = high if _sign(visit) > 0 else low
        rival = self._rival(visit, limit)
        has = "" if limit is None else f"{chooser} already has {rival}{value_text(limit)}. "
        which = _ordinal(visit.looked)
        skipped = visit.moves - visit.looked
        rest = (
            f", and the other {count_of(skipped, 'reply')} {'is' if skipped == 1 else 'are'} skipped" if skipped else ""
        )
        return (
            f"{has}Here {mover}'s {which} reply, {self._name(visit.by)}, makes it {self.told(visit)}.{_from(visit)} "
            f"So {self.move(visit)} cannot be better for {chooser}{rest}."
        )

    def _low(self, visit: Visit) -> str:
        mover, low, high = self._mover(visit), *self.root_window(visit)
        limit = low if _sign(visit) > 0 else high
        has = "" if limit is None else f"{mover} has {value_text(limit)} elsewhere. "
        return f"{has}{self._replies(visit)} looked at, and none is better than that: {self.told(visit)}."

    def _table(self, visit: Visit) -> str:
        return f"The table knows this position: {self.told(visit)}. Nothing below is searched again."

    def _leaf(self, visit: Visit) -> str:
        return f"The depth is used up. The evaluation guesses {self.told(visit)}."

    def _end(self, visit: Visit) -> str:
        value = self.value(visit) or 0
        if value == 0:
            return "The game ends here in a draw."
        return f"The game ends here: {self._trace.sides[value < 0]} has won."

    def _pruned(self, visit: Visit) -> str:
        parent = self._visits.get(visit.parent or 0)
        by = "" if parent is None or parent.by is None else f": after {self._name(parent.by)} it could not matter"
        return f"Never looked at{by}."

    def _unfinished(self, visit: Visit) -> str:
        return "The search was stopped before it was finished here."

    # Words

    def move(self, visit: Visit) -> str:
        """Return the name of the move that led here: `column 4`, `11-15`, or `the start`."""
        return "the start" if visit.move is None else self._name(visit.move)

    def _name(self, text: str | None) -> str:
        return move_name(self._trace.game, str(text))

    def _mover(self, visit: Visit) -> str:
        return self._trace.sides[visit.ply % 2]

    def _chooser(self, visit: Visit) -> str:
        return self._trace.sides[(visit.ply + 1) % 2]

    def told(self, visit: Visit) -> str:
        """Return value and bound in words: `+3`, `at most +2`."""
        value, bound = self.value(visit), self.bound(visit)
        return f"{bound + ' ' if bound.startswith('at') else ''}{value_text(value or 0)}"

    def _replies(self, visit: Visit) -> str:
        if visit.moves == 1:
            return "The only reply was"
        if visit.looked < visit.moves:
            return "Some replies were"
        return "Both replies were" if visit.moves == 2 else f"All {count_of(visit.moves, 'reply')} were"

    def root_window(self, visit: Visit) -> tuple[float | None, float | None]:
        """Return alpha and beta for the side to move at the root."""
        if _sign(visit) > 0:
            return visit.alpha, visit.beta
        return _negated(visit.beta), _negated(visit.alpha)

    def _best(self, visit: Visit) -> Visit | None:
        looked = [child for child in self._children.get(visit.id, []) if child.score is not None]
        return next((child for child in looked if child.is_main), None) or min(
            looked, key=lambda child: child.score or 0, default=None
        )

    def _rival(self, visit: Visit, limit: float | None) -> str:
        """Return the sibling move that set the limit, as "column 4, worth "; empty if none of the earlier ones did."""
        for sister in self._children.get(visit.parent, []):
            if sister is visit:
                break
            if self.value(sister) == limit and sister.kind not in ("cut", "pruned"):
                return f"{self.move(sister)}, worth "
        return ""


def _sign(visit: Visit) -> int:
    return 1 if visit.ply % 2 == 0 else -1


def _negated(bound: float | None) -> float | None:
    return None if bound is None else -bound


def _from(visit: Visit) -> str:
    """Say why the move that caused the cut-off was tried so early."""
    reasons = {
        "killer": " It is a killer: it cut a sister position before.",
        "last search": " The search before this one expected it.",
        "table": " The table remembered it.",
    }
    return reasons.get(visit.by_what or "", "")


def count_of(number: int, word: str) -> str:
    """Return a number of things in words: `one reply`, `six moves`."""
    plural = {"reply": "replies", "move": "moves"}[word]
    return f"{_NUMBERS[number] if number < len(_NUMBERS) else number} {word if number == 1 else plural}"


def _ordinal(number: int) -> str:
    return _ORDINALS[number - 1] if 1 <= number <= len(_ORDINALS) else f"{number}th"
