"""Pair the players of a Swiss tournament: those with equal points meet, and two players meet only once if possible.

Players are ordered by points, then by number. From the top, each player meets the first candidate that it has not met.
As usual, the candidates begin with the lower half of the players with the same points. If the remaining players cannot
be paired, we go back and try the next candidate. With an odd number of players, the last player that has had no bye
gets a bye.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

BYE_POINTS = 1.0
"""Points for a bye, for each game of a round."""
MOST_TRIES = 5_000
"""After this many tries players may meet again; those who met least often are paired first."""


@dataclass(frozen=True, slots=True)
class Entrant:
    """A player before a round: its number, its points, and its games so far."""

    number: int
    points: float = 0.0
    opponents: tuple[int, ...] = ()
    """The numbers of its opponents, one entry for each round."""
    colours: tuple[int, ...] = ()
    """One entry for each round: 0 if it moved first, 1 if second."""
    has_had_bye: bool = False

    @property
    def balance(self) -> int:
        """Return how many more times it moved second than first."""
        return 2 * sum(self.colours) - len(self.colours)


@dataclass(frozen=True, slots=True)
class SwissRound:
    """The pairs of a round, with the player who moves first in front, and the player that has a bye."""

    pairs: tuple[tuple[int, int], ...]
    bye: int | None = None


def pair_round(entrants: Sequence[Entrant]) -> SwissRound:
    """Return the next round. Players meet again only if there is no other way."""
    order = sorted(entrants, key=lambda who: (-who.points, who.number))
    resting = list(_byes(order))
    found = ((bye, _Search([who for who in order if who is not bye]).run()) for bye in resting)
    again = resting[0], _again([who for who in order if who is not resting[0]])
    bye, pairs = next(((bye, pairs) for bye, pairs in found if pairs is not None), again)
    return SwissRound(tuple(map(_seated, pairs)), None if bye is None else bye.number)


def _byes(order: Sequence[Entrant]) -> Iterator[Entrant | None]:
    """Yield the candidates for the bye; None if the number of players is even.

    Players that have had no bye come first; among equals, the lowest in the order comes first.
    """
    if len(order) % 2 == 0:
        yield None
        return
    lowest_first = list(reversed(order))
    yield from sorted(lowest_first, key=lambda who: who.has_had_bye)


@dataclass(slots=True)
class _Search:
    """Tries the pairings from the top, and goes back where the remaining players cannot be paired."""

    order: list[Entrant]
    tries: int = field(default=0, init=False)

    def run(self) -> list[tuple[Entrant, Entrant]] | None:
        """Return pairs without a rematch; None if there are none, or if the search took too long."""
        return self._pair(tuple(self.order))

    def _pair(self, left: tuple[Entrant, ...]) -> list[tuple[Entrant, Entrant]] | None:
        if not left:
            return []
        first, *others = left
        for other in _preferred(first, others):
            if other.number in first.opponents:
                continue
            self.tries += 1
            if self.tries > MOST_TRIES:
                return None
            rest = self._pair(tuple(who for who in others if who is not other))
            if rest is not None:
                return [(first, other), *rest]
        return None


def _preferred(first: Entrant, others: Sequence[Entrant]) -> list[Entrant]:
    """Return the possible opponents, best first: the lower half of those with the same points, then the upper half.

    Among equals, a player whose turn it is to get the other colour comes first.
    """
    equal = [who for who in others if who.points == first.points]
    middle = len(equal) // 2
    ranked = [*equal[middle:], *reversed(equal[:middle]), *(who for who in others if who.points != first.points)]
    return sorted(ranked, key=lambda who: (-who.points, first.balance * who.balance > 0))


def _again(order: Sequence[Entrant]) -> list[tuple[Entrant, Entrant]]:
    """Return pairs of players who have met least often."""
    left, found = list(order), list[tuple[Entrant, Entrant]]()
    while left:
        first = left.pop(0)
        other = min(left, key=lambda who: (first.opponents.count(who.number), left.index(who)))
        left.remove(other)
        found.append((first, other))
    return found


def _seated(pair: tuple[Entrant, Entrant]) -> tuple[int, int]:
    """Return the numbers of two players, the one that moves first in front.

    It is the one that moved second more often; if that is equal, the one that moved second in its last round.
    """
    one, two = pair
    wish = (one.balance, one.colours[-1:] == (1,)), (two.balance, two.colours[-1:] == (1,))
    is_swapped = wish[1] > wish[0] or (wish[0] == wish[1] and (one.number + len(one.colours)) % 2 == 1)
    return (two.number, one.number) if is_swapped else (one.number, two.number)
