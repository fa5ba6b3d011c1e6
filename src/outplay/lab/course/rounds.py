"""Monte Carlo tree search, recorded round by round, and its moments."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass

from outplay.lab.course.moments import CourseNode, CourseRun, MomentList, NodeChange, sentence
from outplay.lab.course.programs import MONTE_CARLO
from outplay.lab.mcts import LONGEST, MctsNode, MonteCarlo
from outplay.lab.narrate import move_name
from outplay.lab.search import MAX_DEPTH
from outplay.rules import Position, rules_of


@dataclass(frozen=True, slots=True)
class GameTally:
    """The results of the random games through one position, for the side that moved last."""

    wins: float = 0.0
    games: int = 0

    @property
    def text(self) -> str:
        """Return a text such as `2 of 5`; a draw counts as half a win."""
        return f"{self.wins:g} of {self.games}"

    def promise(self, parent_games: int, explore: float) -> float:
        """Return how promising a position is: its share of wins, and a bonus if it was hardly tried."""
        return self.wins / self.games + explore * math.sqrt(math.log(parent_games) / self.games)


@dataclass(frozen=True, slots=True)
class MonteCarloRound:
    """One round: the way down the tree, and the end of the random game."""

    way: tuple[int, ...]
    """The positions from the root to the one at which the random game began."""
    is_new: bool
    """True if the last of them joined the tree in this round."""
    end: Position
    before: tuple[GameTally, ...]
    """What was known about each position when the round began."""


class RecordedMonteCarlo(MonteCarlo):
    """A Monte Carlo search whose rounds are kept. The seed makes every run the same."""

    def __init__(self, position: Position, *, seed: int) -> None:
        super().__init__(seed=seed)
        self.root = MctsNode(position, None, None)
        self._random.shuffle(self.root.untried)
        self._tree = [self.root]
        self._ids = {id(self.root): 0}
        self._end = position
        self.rounds: list[MonteCarloRound] = []

    def play(self, rounds: int) -> None:
        """Play `rounds` more rounds."""
        for _ in range(rounds):
            before = self.tallies()
            self._round(self.root, MAX_DEPTH)
            self._note(before)

    def tallies(self) -> tuple[GameTally, ...]:
        """Return what is known about every position of the tree, in the order in which they joined it."""
        return tuple(GameTally(node.wins, node.visits) for node in self._tree)

    def nodes(self) -> tuple[CourseNode, ...]:
        """Return the positions of the tree, in the order in which they joined it."""
        return tuple(self._node(node) for node in self._tree)

    def _play_out(self, position: Position) -> Position:
        self._end = super()._play_out(position)
        return self._end

    def _note(self, before: tuple[GameTally, ...]) -> None:
        """Record the last round; the positions on its way are those whose number of games has grown."""
        way, node, is_new = [0], self.root, False
        while True:
            counted = [child for child in node.children if child.visits != self._known(child, before)]
            if not counted:
                break
            node = counted[0]
            if id(node) not in self._ids:
                self._ids[id(node)], is_new = len(self._tree), True
                self._tree.append(node)
            way.append(self._ids[id(node)])
        self.rounds.append(MonteCarloRound(tuple(way), is_new, self._end, before))

    def _known(self, node: MctsNode, before: tuple[GameTally, ...]) -> int:
        number = self._ids.get(id(node))
        return 0 if number is None else before[number].games

    def _node(self, node: MctsNode) -> CourseNode:
        number = self._ids[id(node)]
        if node.parent is None:
            return CourseNode(number, None, None, 0, node.position)
        parent = self._ids[id(node.parent)]
        ply, above = 1, node.parent
        while above.parent is not None:
            ply, above = ply + 1, above.parent
        return CourseNode(number, parent, node.parent.position.format(node.move), ply, node.position)


def monte_carlo_run(position: Position, *, rounds: int, seed: int) -> tuple[CourseRun, RecordedMonteCarlo]:
    """Play some rounds; return their moments, and the search, which can play more rounds."""
    search = RecordedMonteCarlo(position, seed=seed)
    search.play(rounds)
    told = _Rounds(search)
    for number in range(rounds):
        told.tell(number)
    rules = rules_of(position)
    sides = (rules.side_name(position.side), rules.side_name(position.side.other))
    return CourseRun(MONTE_CARLO, sides, 0, search.nodes(), tuple(told.list.moments)), search


class _Rounds:
    """The moments of recorded rounds."""

    def __init__(self, search: RecordedMonteCarlo) -> None:
        self._search, self._nodes = search, search.nodes()
        self._rules = rules_of(search.root.position)
        self.list = MomentList(MONTE_CARLO)

    def tell(self, number: int) -> None:
        """Add the moments of one round."""
        played = self._search.rounds[number]
        way, say = played.way, self.list.add
        tree_way = way[:-1] if played.is_new else way
        opened = tuple(NodeChange(node, "open", _label(node, played.before[node])) for node in tree_way)
        say("root", 0, f"Round {number + 1} begins at the start.", changes=opened[:1])
        for here, below in itertools.pairwise(tree_way):
            say("down?", here, "All moves here are in the tree already.")
            change = tuple(change for change in opened if change.id == below)
            say("down", below, f"Down to {self._name(below)}: it is the most promising.", changes=change)
        last = tree_way[-1]
        end = way[-1]
        is_over = not self._nodes[last].position.legal_moves()
        say("down?", last, "The game is over here." if is_over else "Some moves here are not in the tree yet.")
        say("new?", last, "No move is left to try." if is_over else "One of them is tried.")
        if played.is_new:
            words = f"{sentence(self._name(end))} joins the tree."
            say("expand", end, words, changes=(NodeChange(end, "open", "new"),))
        say("playout", end, self._ended(played), end=played.end)
        for here in reversed(way):
            say("up", here, self._up(here), end=played.end)
            tally = self._after(number)[here]
            counted = NodeChange(here, "done", _label(here, tally))
            say("count", here, self._counted(here, tally), changes=(counted,), end=played.end)
        say("up", 0, "The start is counted too: the round is over.")

    def _after(self, number: int) -> tuple[GameTally, ...]:
        rounds = self._search.rounds
        return rounds[number + 1].before if number + 1 < len(rounds) else self._search.tallies()

    def _name(self, node: int) -> str:
        move = self._nodes[node].move
        return "the start" if move is None else move_name(self._rules.name, move)

    def _ended(self, played: MonteCarloRound) -> str:
        outcome = played.end.outcome()
        if outcome is None:
            return f"{LONGEST} random moves, and the game is not over: it counts as a draw."
        if outcome.winner is None:
            return "Random moves to the end of the game: a draw."
        return f"Random moves to the end of the game: {self._rules.side_name(outcome.winner)} wins."

    def _up(self, node: int) -> str:
        return f"{sentence(self._name(node))} learns who won."

    def _counted(self, node: int, tally: GameTally) -> str:
        mover = self._rules.side_name(self._nodes[node].position.side.other)
        if node == 0:
            return f"{tally.games} games so far."
        return f"{sentence(self._name(node))}: {mover} won {tally.text}."


def _label(node: int, tally: GameTally) -> str:
    """Return the label of a position: wins and games; at the root only games, because no side moved there."""
    return f"{tally.games} games" if node == 0 else f"{tally.wins:g}/{tally.games}"
