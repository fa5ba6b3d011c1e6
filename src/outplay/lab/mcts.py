"""Monte Carlo tree search, for comparison: it plays random games and counts the results, without an evaluation.

Minimax needs an evaluation at its leaves. This search needs only the rules. From a position it plays
a game to the end with random moves (a "playout"), and counts who won. One such game says little; ten thousand of them
say where it is easier to win. Each round has four steps:

        select     from the root go down to a position with moves not tried yet, each time to the most promising child
        expand     try one of these moves: one new position joins the tree
        play out   random moves to the end of the game
        back up    every position on the way learns who won

"Most promising" balances two aims: to search more of what has done well, and to return to what was hardly searched,

        wins / visits  +  c * sqrt(log(visits of the parent) / visits)             ("UCT", upper confidence bound)

so the tree grows deep where it matters and stays shallow elsewhere. It never proves anything, it overlooks traps easily
(the one reply that refutes a move is lost among many that do not), and it can be stopped at any moment. Compare it with
the other players of the lab: in Connect Four, a game of traps, it needs many playouts to play as well as they do.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence

from outplay.engine.types import Analysis, Limit, Line, Report, Score, check_not_over
from outplay.lab.clock import Clock, Stopped
from outplay.lab.search import MAX_DEPTH
from outplay.rules import Move, Position

EXPLORE = 1.0
"""The c of the formula above: a larger one explores more, a smaller one trusts the statistics sooner."""

PLAYOUTS = 2000
"""The number of playouts for a move without another limit."""

LONGEST = 150
"""A random game that is longer than this many plies (kings wander about) counts as a draw."""

_REPORT_EVERY = 0.25  # seconds


class MctsNode:
    """A position in the tree. `wins` counts for the side that moved *into* it, because that side chose the move."""

    __slots__ = ("children", "move", "parent", "position", "untried", "visits", "wins")

    def __init__(self, position: Position, move: Move, parent: MctsNode | None) -> None:
        self.position = position
        self.move = move
        self.parent = parent
        self.children: list[MctsNode] = []
        self.untried = position.legal_moves()
        self.visits = 0
        self.wins = 0.0

    def most_promising(self, explore: float) -> MctsNode:
        log = math.log(self.visits)
        return max(self.children, key=lambda child: child.wins / child.visits + explore * math.sqrt(log / child.visits))

    def rate(self) -> float:
        """Return the success of the side that moved last, from -1 (it always lost) to +1 (it always won)."""
        return 2 * self.wins / self.visits - 1


class MonteCarlo:
    """An engine that plays the move tried most often: better moves are tried more often. `playouts` is per move."""

    def __init__(
        self,
        name: str = "mcts",
        *,
        playouts: int | None = None,
        time_ms: int | None = None,
        explore: float = EXPLORE,
        seed: int | None = None,
    ) -> None:
        if playouts is not None and playouts < 1:
            raise ValueError(f"playouts must be positive, not {playouts}")
        self._name = name
        self.playouts = playouts
        self.time_ms = time_ms
        self.explore = explore
        self._random = random.Random(seed)
        self._clock = Clock()

    @property
    def name(self) -> str:
        return self._name

    def stop(self) -> None:
        """End the running search; `analyse` then returns the best result so far."""
        self._clock.stop()

    def analyse(
        self, position: Position, limit: Limit, *, history: Sequence[Position] = (), report: Report | None = None
    ) -> Analysis:
        times = [time_ms for time_ms in (self.time_ms, limit.move_time_ms()) if time_ms is not None]
        counts = [count for count in (self.playouts, limit.nodes) if count is not None]
        if not times and not counts:
            counts = [PLAYOUTS]
        clock = self._clock = Clock(min(times, default=None), min(counts, default=None))
        check_not_over(position)
        root = MctsNode(position, None, None)
        self._random.shuffle(root.untried)
        told = 0.0
        try:
            while True:
                clock.look(root.visits + 1)
                self._round(root, limit.depth or MAX_DEPTH)
                if report is not None and clock.seconds >= told + _REPORT_EVERY:
                    told = clock.seconds
                    report(_analysis(root, limit, clock))
        except Stopped:
            pass
        if not root.children:
            self._round(root, 1)  # no time left: one game is better than none
        analysis = _analysis(root, limit, clock)
        if report is not None:
            report(analysis)
        return analysis

    def _round(self, root: MctsNode, deepest: int) -> None:
        """Select, expand, play out, back up. The tree grows no deeper than `deepest` plies."""
        node, ply = root, 0
        while not node.untried and node.children:
            node, ply = node.most_promising(self.explore), ply + 1
        if node.untried and ply < deepest:
            move = node.untried.pop()
            child = MctsNode(node.position.play(move), move, node)
            self._random.shuffle(child.untried)
            node.children.append(child)
            node = child
        outcome = self._play_out(node.position).outcome()
        winner = None if outcome is None else outcome.winner  # no outcome: given up, a draw
        seen: MctsNode | None = node
        while seen is not None:
            seen.visits += 1
            if winner is None:
                seen.wins += 0.5
            elif winner != seen.position.side:  # the side that moved into this position is the other one
                seen.wins += 1
            seen = seen.parent

    def _play_out(self, position: Position) -> Position:
        """Play a random game from here; return its last position, or the one after LONGEST plies."""
        for _ in range(LONGEST):
            moves = position.legal_moves()
            if not moves:
                break
            position = position.play(moves[int(self._random.random() * len(moves))])
        return position


def _analysis(root: MctsNode, limit: Limit, clock: Clock) -> Analysis:
    ranked = sorted(root.children, key=lambda child: (-child.visits, -child.wins))
    lines = tuple(_line(child) for child in ranked[: limit.lines])
    return Analysis(lines, max(len(line.moves) for line in lines), root.visits, clock.seconds)


def _line(child: MctsNode) -> Line:
    """Return a move with its success in per cent, from -100 to +100, and the most visited moves after it."""
    moves = [child.move]
    node = child
    while node.children:
        node = max(node.children, key=lambda next_one: next_one.visits)
        moves.append(node.move)
    return Line(child.move, Score(round(100 * child.rate(), 1), "search", len(moves)), tuple(moves))
