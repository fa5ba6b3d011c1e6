"""The first plies of a long solve: what is known about their positions, and which one to search next.

At first the root is the only leaf. If the search of a leaf gives no answer, the leaf is searched again with more nodes;
after the last of `BUDGETS`, the positions after its moves become leaves. The next leaf is chosen as in proof-number
search: one move is enough to show that a position is worth a score, and all moves are needed to show that it is not.
But leaves are not counted: instead, the nodes that they may still need are added up.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from outplay.connect4 import Position

BUDGETS = (2_000_000, 16_000_000, 128_000_000)
"""The nodes of the first search of a leaf, of the second and of the third; together about ten seconds of one core."""
INHERITED = 8
"""The guess for a new leaf: the nodes of the last search of its parent, divided by this."""


@dataclass(slots=True, eq=False)
class Place:
    """A position of the tree, or its mirror image, and the range of its score for the side to move."""

    position: Position
    low: int
    high: int
    guess: int
    """The nodes that a search of this position is expected to need: a guess made before its first search."""
    tried: int = 0
    """The number of searches that gave no answer."""
    moves: list[Place] = field(default_factory=list)
    """The positions after its moves, from the centre on. Empty for a leaf."""
    parents: list[Place] = field(default_factory=list)

    def is_open(self, score: int) -> bool:
        """Return True if it is not known whether the position is worth at least this score."""
        return self.low < score <= self.high

    @property
    def budget(self) -> int:
        """The number of nodes for the next search of this leaf."""
        return BUDGETS[self.tried]

    @property
    def cost(self) -> int:
        """The nodes that a leaf may need."""
        return max(self.guess, self.budget)


@dataclass(frozen=True, slots=True)
class Question:
    """The question whether a leaf is worth at least `score`."""

    place: Place
    score: int


class SolveTree:
    """A tree of places, found by their keys. Several leaves may be searched at a time."""

    def __init__(self, root: Position, *, sign_only: bool = False) -> None:
        self.sign_only = sign_only
        self._places: dict[int, Place] = {}
        self._busy = set[Place]()
        self.root = self._place(root, BUDGETS[0])

    @property
    def score(self) -> int | None:
        """The score with which the root is compared next; None if enough is known."""
        low, high = self.root.low, self.root.high
        if low == high or (self.sign_only and (low > 0 or high < 0)):
            return None
        likely = 1 if self.root.position.plies % 2 == 0 else 0  # the side that moved first usually wins
        for score in (likely, 1 - likely):
            if self.root.is_open(score):
                return score
        return low + 1 if low >= 0 else high

    def take(self) -> Question | None:
        """Return the leaf to search next, and mark it as busy; None if all are busy."""
        if (score := self.score) is None:
            return None
        found = self._select(self.root, score, self._costs(score))
        if found is not None:
            self._busy.add(found.place)
        return found

    @property
    def busy(self) -> int:
        """The number of leaves that are being searched."""
        return len(self._busy)

    def learn(self, key: int, score: int, low: int, high: int) -> None:
        """Add what a search of a leaf found out; KeyError if there is no such leaf."""
        place = self._places[key]
        if place.moves:
            raise KeyError(key)
        self._busy.discard(place)
        self._narrow(place, low, high)
        if place.is_open(score):
            place.tried += 1
            if place.tried == len(BUDGETS):
                self._expand(place)

    def __len__(self) -> int:
        return len(self._places)

    # Growing

    def _place(self, position: Position, guess: int) -> Place:
        key = key_of(position)
        if key not in self._places:
            low, high = possible_scores(position)
            self._places[key] = Place(position, low, high, guess)
        return self._places[key]

    def _expand(self, place: Place) -> None:
        middle, guess = (place.position.width - 1) / 2, BUDGETS[-1] // INHERITED
        columns = sorted(place.position.legal_moves(), key=lambda column: abs(column - middle))
        after = {key_of(child): child for child in map(place.position.play, columns)}
        place.moves = [self._place(child, guess) for child in after.values()]
        for child in place.moves:
            child.parents.append(place)
        self._learn_from_moves(place)

    def _narrow(self, place: Place, low: int, high: int) -> None:
        if low <= place.low and high >= place.high:
            return
        place.low, place.high = max(place.low, low), min(place.high, high)
        for parent in place.parents:
            self._learn_from_moves(parent)

    def _learn_from_moves(self, place: Place) -> None:
        self._narrow(place, max(-child.high for child in place.moves), max(-child.low for child in place.moves))

    # Choosing

    def _costs(self, score: int) -> dict[Place, tuple[int, int]]:
        """Return for each place what it may cost to show that it is worth the score, and to show that it is not."""
        costs: dict[Place, tuple[int, int]] = {}

        def cost(place: Place, score: int) -> tuple[int, int]:
            if place not in costs:
                if not place.moves:
                    costs[place] = place.cost, place.cost
                else:
                    after = [cost(child, 1 - score) for child in _open_moves(place, score)]
                    costs[place] = min(no for _, no in after), sum(yes for yes, _ in after)
            return costs[place]

        cost(self.root, score)
        return costs

    def _select(self, place: Place, score: int, costs: dict[Place, tuple[int, int]]) -> Question | None:
        if not place.moves:
            return None if place in self._busy else Question(place, score)
        for child in sorted(_open_moves(place, score), key=lambda child: costs[child][1]):
            if (found := self._select(child, 1 - score, costs)) is not None:
                return found
        return None


def _open_moves(place: Place, score: int) -> Sequence[Place]:
    return [child for child in place.moves if child.is_open(1 - score)]


def key_of(position: Position) -> int:
    """Return the key of a position, the same for its mirror image."""
    return min(position.key, position.mirror().key)


def possible_scores(position: Position) -> tuple[int, int]:
    """Return the lowest and the highest score that this number of discs allows; equal if the game is over."""
    left = position.width * position.height - position.plies
    outcome = position.outcome()
    if outcome is None:
        return -(left // 2), (left + 1) // 2
    return (0, 0) if outcome.winner is None else (-((left + 2) // 2), -((left + 2) // 2))
