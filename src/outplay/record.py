"""A game as it was played: a start position and a tree of moves with comments, and how it ended.

A position is a value and knows only the board; everything that needs the past belongs here: take-back, repetition,
moves without progress, resignation. The tree has a main line (first children) and variations; a cursor stands on one
node of it, and `position`, `moves`, `history` and `outcome()` speak of that node.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from outplay.errors import GameOverError, OutplayError
from outplay.outcome import Outcome, Reason, Side
from outplay.rules import Move, NoProgress, Position, rules_of

REPETITIONS = 3
"""A position that stands on the board for this many times is a draw, where the game can repeat at all."""


@dataclass(eq=False, slots=True)
class Node:
    """A place in the tree: the move that led here, the position after it, and what was said about it."""

    position: Position
    move: Move | None = None
    parent: Node | None = None
    children: list[Node] = field(default_factory=list)
    comment: str = ""
    glyphs: list[int] = field(default_factory=list)
    """Numeric annotation glyphs: 1 is "!", 2 "?", 3 "!!", 4 "??", 5 "!?", 6 "?!"."""
    ending: Outcome | None = None
    """How the game was ended here without a move: resignation, agreement, time, forfeit."""

    @property
    def text(self) -> str:
        """The move as text; nothing at the root."""
        return "" if self.parent is None else self.parent.position.format(self.move)

    def add(self, move: Move) -> Node:
        """The child with this move; if there is none yet, a new last variation. The move must be legal here."""
        for child in self.children:
            if child.move == move:
                return child
        child = Node(self.position.play(move), move, self)
        self.children.append(child)
        return child

    def line(self) -> Iterator[Node]:
        """This node and those before it, back to the root."""
        node: Node | None = self
        while node is not None:
            yield node
            node = node.parent


class NothingToUndoError(OutplayError, ValueError):
    """There is no move to take back, or none to play again."""


DEFAULT = NoProgress(plies=0)
"""Stands for "the limit of the rules" where a limit, or None for no limit, may be given."""


class Game:
    """One game. `headers` are its PDN tags; `no_progress` is its limit of plies without progress, or None."""

    def __init__(
        self, start: Position, *, no_progress: NoProgress | None = DEFAULT, headers: dict[str, str] | None = None
    ) -> None:
        self.rules = rules_of(start)
        self.no_progress = self.rules.no_progress if no_progress is DEFAULT else no_progress
        self.headers = dict(headers or {})
        self.root = Node(start)
        self.current = self.root
        self._undone: list[Node] = []

    @property
    def start(self) -> Position:
        return self.root.position

    @property
    def position(self) -> Position:
        return self.current.position

    @property
    def nodes(self) -> list[Node]:
        """The nodes from the first move to the current one."""
        return list(self.current.line())[-2::-1]

    @property
    def moves(self) -> list[Move]:
        """The moves from the start to the current position."""
        return [node.move for node in self.nodes]

    @property
    def history(self) -> tuple[Position, ...]:
        """The positions before the current one, the start first."""
        return tuple(node.position for node in list(self.current.line())[:0:-1])

    @property
    def ply(self) -> int:
        return len(self.nodes)

    @property
    def undone(self) -> tuple[Move, ...]:
        """The moves that were taken back and `redo` would play again, in that order."""
        return tuple(node.move for node in reversed(self._undone))

    def main_line(self) -> list[Node]:
        """The nodes of the main line, from the first move to its end, wherever the cursor stands."""
        nodes = []
        node = self.root
        while node.children:
            node = node.children[0]
            nodes.append(node)
        return nodes

    def play(self, move: Move | str) -> Node:
        """Play a move, or the text of one. It becomes the main line from here; what stood there, a variation."""
        outcome = self.outcome()
        if outcome is not None:
            raise GameOverError(self.position, outcome.reason)
        node = self.current.add(self.position.parse(move) if isinstance(move, str) else move)
        self.current.children.remove(node)
        self.current.children.insert(0, node)
        self.current = node
        self._undone.clear()
        return node

    def undo(self, *, keep: bool = True) -> Move:
        """Take the last move (and whatever ended the game after it) back, and return it.

        It stays in the tree as a variation; with `keep=False` it leaves the tree, and only `redo` brings it back.
        """
        node = self.current
        if node.parent is None:
            raise NothingToUndoError("there is no move to take back: this is the start of the game")
        node.ending = None
        self._undone.append(node)
        self.current = node.parent
        if not keep:
            node.parent.children.remove(node)
        return node.move

    def redo(self) -> Move:
        """Play the move that was last taken back again, and return it."""
        if not self._undone:
            raise NothingToUndoError("there is no move to play again")
        node = self._undone.pop()
        if node not in self.current.children:
            self.current.children.insert(0, node)
        self.current = node
        return node.move

    def go_to(self, node: Node) -> None:
        """Put the cursor on a node of this game's tree."""
        self.current = node
        self._undone.clear()

    def resign(self, side: Side | None = None) -> None:
        """The side (the one to move, if not said) gives up."""
        loser = self.position.side if side is None else side
        self._end(Outcome(loser.other, Reason.RESIGNATION))

    def agree_draw(self) -> None:
        self._end(Outcome(None, Reason.AGREEMENT))

    def lose_on_time(self, side: Side) -> None:
        self._end(Outcome(side.other, Reason.TIME))

    def forfeit(self, side: Side) -> None:
        """The side's player failed: it lost its game, nothing else."""
        self._end(Outcome(side.other, Reason.FORFEIT))

    def _end(self, outcome: Outcome) -> None:
        before = self.outcome()
        if before is not None:
            raise GameOverError(self.position, before.reason)
        self.current.ending = outcome

    def outcome(self) -> Outcome | None:
        """How the game ended at the current move, and why; None while it goes on."""
        if self.current.ending is not None:
            return self.current.ending
        on_board = self.position.outcome()
        if on_board is not None:
            return on_board
        if self.repetitions() >= REPETITIONS:
            return Outcome(None, Reason.REPETITION)
        if self.no_progress is not None and self.plies_without_progress() >= self.no_progress.plies:
            return Outcome(None, Reason.NO_PROGRESS)
        return None

    def repetitions(self) -> int:
        """How many times the current position has stood on the board, this time included."""
        if not self.rules.can_repeat:
            return 1
        return sum(node.position == self.position for node in self.current.line())

    def plies_without_progress(self) -> int:
        """How many plies in a row, up to now, made no progress in the sense of `no_progress`."""
        count = 0
        for node in self.current.line():
            if node.parent is None or self._is_progress(node.parent.position, node.move):
                break
            count += 1
        return count

    def _is_progress(self, before: Position, move: Move) -> bool:
        counts_men = self.no_progress is None or self.no_progress.man_moves_count
        return self.rules.is_capture(move) or (counts_men and self.rules.is_man_move(before, move))
