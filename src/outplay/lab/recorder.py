"""The recorder: it observes a search from outside.

`Search.node` calls `self.node` for each child, and the recorder puts its own function there: it sees every position on
the way in and its score on the way out. What happens in between tells the reason:

        children were looked at, and the score reached beta      a cut, made by the last of them
        no child was looked at, though there are moves           a leaf, or an answer from the table

A search that is not recorded contains no recording code and is not slowed down.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from outplay.lab.alphabeta import AlphaBeta
from outplay.lab.score import INFINITY
from outplay.lab.search import Search
from outplay.rules import Move, Position

Kind = Literal["exact", "cut", "low", "table", "leaf", "end", "pruned", "unfinished"]
"""exact: between alpha and beta. cut: a move reached beta. low: no move came above alpha. table: answered by the table.
leaf: evaluated. end: the game is over. pruned: never looked at. unfinished: the clock stopped it."""


@dataclass(slots=True)
class Visit:
    """One position of the tree, seen from its side to move; or a move that was never looked at."""

    move: str | None
    """The move that leads here; None at the root."""
    ply: int
    depth: int = 0
    """Plies left to search."""
    alpha: float | None = None
    """The lower end of the window; None for no bound (infinity). `beta` is the upper end."""
    beta: float | None = None
    score: float | None = None
    kind: Kind = "unfinished"
    bound: str | None = None
    """The kind of score: exact, at least, at most. (The kind "cut" gives "at least", "low" gives "at most".)"""
    by: str | None = None
    """The move that made the cut."""
    by_what: str | None = None
    """Where that move came from: the table, the last search, the killers, or the usual order."""
    moves: int = 0
    """Legal moves here."""
    looked: int = 0
    """The number of legal moves that were searched."""
    number: int | None = None
    """The index of this position in the search, from 1; None if it was never searched."""
    left_out: int = 0
    """The number of positions below this one that were searched but are not in the trace."""
    is_main: bool = False
    """True on the expected line."""
    id: int = 0
    parent: int | None = None
    """The `id` of the parent position."""


@dataclass(slots=True, eq=False)
class _Branch:
    """A visit and the branches below it."""

    visit: Visit
    texts: dict[int, list[str]] = field(default_factory=dict)
    """During the search: the moves not searched yet, by the position they lead to."""
    children: list[_Branch] = field(default_factory=list)

    def size(self) -> int:
        """Return the number of positions below this one that were searched."""
        looked = (1 + child.size() for child in self.children if child.visit.number is not None)
        return self.visit.left_out + sum(looked)


class Recorder:
    """Wraps the recursion of a search, and keeps about `keep` positions of the last search's tree."""

    def __init__(self, search: Search, keep: int) -> None:
        self._search = search
        self._inner = search.node
        search.node = self._node  # type: ignore[method-assign]
        self._keep = keep
        self._kept = 0
        self._path: list[_Branch] = []
        self._root: _Branch | None = None
        self._begun: list[tuple[int, int]] = []
        """The depth of each search, and the number of positions searched before it."""

    def searches(self) -> tuple[tuple[int, int], ...]:
        """Return the depth of each search so far, and its number of positions."""
        ends = [before for _, before in self._begun[1:]] + [self._search.nodes]
        return tuple((depth, end - before) for (depth, before), end in zip(self._begun, ends, strict=True))

    def visits(self, line: tuple[str, ...], limit: int) -> tuple[tuple[Visit, ...], int]:
        """Return at most `limit` visits of the last search, in order, and the number of positions left out."""
        assert self._root is not None
        ranked = sorted(_ranked(self._root, 0, line), key=lambda item: item[0])
        kept = {id(branch) for _, branch in ranked[:limit]}
        visits: list[Visit] = []
        _collect(self._root, None, kept, visits)
        return tuple(visits), sum(visit.left_out for visit in visits)

    def _node(self, position: Position, depth: int, alpha: float, beta: float, ply: int) -> float:
        if ply == 0:
            self._begun.append((depth, self._search.nodes))
            self._path, self._kept = [], 0
        branch = self._enter(position, Visit(None, ply, depth, _finite(alpha), _finite(beta)))
        favourites = self._favourites(position, ply)
        self._path.append(branch)
        score = self._inner(position, depth, alpha, beta, ply)
        self._path.pop()
        self._leave(branch, position, score, favourites, alpha, beta)
        return score

    def _enter(self, position: Position, visit: Visit) -> _Branch:
        visit.number = self._search.nodes + 1 - self._begun[-1][1]
        branch = _Branch(visit)
        for move in position.legal_moves():
            visit.moves += 1
            branch.texts.setdefault(position.play(move).key, []).append(position.format(move))
        if self._path:
            parent = self._path[-1]
            visit.move = parent.texts[position.key].pop(0)
            parent.children.append(branch)
        else:
            self._root = branch
        self._kept += 1
        return branch

    def _favourites(self, position: Position, ply: int) -> dict[str, str]:
        """Return the moves that will be tried first for a special reason, and the reason."""
        search = self._search
        if not isinstance(search, AlphaBeta):
            return {}
        reasons: list[tuple[Move, str]] = []
        if search.killers is not None:
            reasons += [(killer, "killer") for killer in search.killers.at(ply)]
        reasons.append((search.principal.get(position.key), "last search"))
        entry = search.table.find(position, ply) if search.table is not None else None
        reasons.append((entry.move if entry is not None else None, "table"))
        legal = position.legal_moves()
        return {position.format(move): reason for move, reason in reasons if move is not None and move in legal}

    def _leave(
        self, branch: _Branch, position: Position, score: float, favourites: dict[str, str], alpha: float, beta: float
    ) -> None:
        """Record the kind of answer once the score is known, and drop positions if there are too many."""
        visit = branch.visit
        visit.score = score
        visit.looked = len(branch.children)
        visit.kind, visit.bound = self._kind(visit, position, alpha, beta)
        if visit.kind == "cut":
            visit.by = branch.children[-1].visit.move
            visit.by_what = favourites.get(visit.by or "", "order")
        if visit.looked:
            rest = [text for texts in branch.texts.values() for text in texts]
            branch.children += [_Branch(Visit(text, visit.ply + 1, kind="pruned")) for text in rest]
        branch.texts = {}
        if self._kept > self._keep:
            self._drop_grandchildren(branch)

    def _kind(self, visit: Visit, position: Position, alpha: float, beta: float) -> tuple[Kind, str]:
        assert visit.score is not None
        if not visit.moves:
            return "end", "exact"
        if not visit.looked:
            if self._search.is_leaf(position, visit.depth):
                return "leaf", "exact"
            table = self._search.table if isinstance(self._search, AlphaBeta) else None
            entry = table.find(position, visit.ply) if table is not None else None
            return "table", entry.bound if entry is not None else "exact"
        if visit.score >= beta:
            return "cut", "at least"
        return ("low", "at most") if visit.score <= alpha else ("exact", "exact")

    def _drop_grandchildren(self, branch: _Branch) -> None:
        """Keep the children and what is below the best of them; count the rest."""
        looked = [child for child in branch.children if child.visit.number is not None]
        best = min(looked, key=lambda child: child.visit.score or 0.0, default=None)
        for child in looked:
            if child is not best and child.children:
                before = child.visit.left_out
                child.visit.left_out = child.size()
                child.children = []
                self._kept -= child.visit.left_out - before


def _ranked(branch: _Branch, off: int, line: tuple[str, ...]) -> Iterator[tuple[tuple[int, int], _Branch]]:
    """Yield every visit with its rank: distance from the expected line, then depth. Parents rank before children."""
    visit = branch.visit
    visit.is_main = off == 0
    yield (off, visit.ply), branch
    for child in branch.children:
        is_next = off == 0 and visit.ply < len(line) and child.visit.move == line[visit.ply]
        yield from _ranked(child, 0 if is_next else off + 1, line)


def _collect(branch: _Branch, parent: Visit | None, kept: set[int], visits: list[Visit]) -> None:
    """Append a visit and what is kept below it to the list, and count the rest."""
    visit = branch.visit
    visit.id, visit.parent = len(visits), None if parent is None else parent.id
    visits.append(visit)
    for child in branch.children:
        if id(child) in kept:
            _collect(child, visit, kept, visits)
        elif child.visit.number is not None:
            visit.left_out += 1 + child.size()


def _finite(bound: float) -> float | None:
    return None if abs(bound) == INFINITY else bound
