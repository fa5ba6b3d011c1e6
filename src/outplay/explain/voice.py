"""Name the two sides of a sentence: "Yellow makes four", "you make four", "Planner makes four".

A sentence is written once, as a template in which every mention of a side is a marker. `Voice.tell` fills them in, so
that the same sentence can address either player, or name both.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from outplay.outcome import Side
from outplay.rules import Position, rules_of

_NAMED = re.compile(r"\{(\^?)([01])('s)?\}")
_CHOSEN = re.compile(r"\{([01]):([^|{}]*)\|([^|{}]*)\}")


def who(side: Side) -> str:
    """Return the marker for a side within a sentence: "Yellow", or "you"."""
    return f"{{{int(side)}}}"


def first_who(side: Side) -> str:
    """Return the marker for a side that begins a sentence: "Yellow", or "You"."""
    return f"{{^{int(side)}}}"


def whose(side: Side) -> str:
    """Return the marker for what belongs to a side: "Yellow's", or "your"."""
    return f"{{{int(side)}'s}}"


def first_whose(side: Side) -> str:
    """Return the marker for what belongs to a side, at the start of a sentence: "Yellow's", or "Your"."""
    return f"{{^{int(side)}'s}}"


def does(side: Side, third: str, second: str) -> str:
    """Return the marker for words that depend on the side: `third` ("makes") for a name, `second` ("make") for you."""
    return f"{{{int(side)}:{third}|{second}}}"


@dataclass(frozen=True, slots=True)
class Voice:
    """The names of both sides, and the side of the reader, if any."""

    names: tuple[str, str]
    you: Side | None = None

    def tell(self, template: str) -> str:
        """Return a template as a sentence. A text without markers stays as it is."""
        chosen = _CHOSEN.sub(lambda found: found[3 if self._is_you(found[1]) else 2], template)
        return _NAMED.sub(lambda found: self._named(found[2], is_first=bool(found[1]), owns=bool(found[3])), chosen)

    def _named(self, side: str, *, is_first: bool, owns: bool) -> str:
        if self._is_you(side):
            name = "your" if owns else "you"
            return name.capitalize() if is_first else name
        return self.names[int(side)] + ("'s" if owns else "")

    def _is_you(self, side: str) -> bool:
        return self.you is not None and int(side) == self.you


class Untold(Voice):
    """The voice that leaves templates as they are, for sentences that are completed later."""

    def tell(self, template: str) -> str:
        return template


UNTOLD = Untold(("", ""))


def voice_of(position: Position, you: Side | None = None) -> Voice:
    """Return the voice that calls the sides by their colours, except the side `you`, if given, which is "you"."""
    return Voice(rules_of(position).sides, you)
