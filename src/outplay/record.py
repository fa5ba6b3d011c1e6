"""A game as it was played: a start position and a tree of moves with comments, and how it ended.

A position is a value and knows only the board; everything that needs the past belongs here: take-back, repetition,
moves without progress, resignation. The tree has a main line (first children) and variations. The cursor of a
game marks one node of the tree: `position`, `moves`, `history` and `outcome()` refer to that node.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Generic, TypeVar, cast, overload

from outplay import checkers, connect4
from outplay.errors import GameOverError, OutplayError, wrong_type
from outplay.outcome import Outcome, Reason, Side
from outplay.rules import NoProgress, Position, rules_of

REPETITIONS = 3
"""The game is a draw when the same position has occurred this many times, if its rules allow repetition."""


P = TypeVar("P", bound=Position)
M = TypeVar("M")


class Node(Generic[P, M]):
    """A place in the tree: the move that led here, the position after it, and the comments on it."""

    __slots__ = ("children", "comment", "ending", "glyphs", "move", "parent", "position")

    position: P
    move: M | None
    parent: Node[P, M] | None
    children: list[Node[P, M]]
    comment: str
    glyphs: list[int]
    """Numeric annotation glyphs: 1 is "!", 2 "?", 3 "!!", 4 "??", 5 "!?", 6 "?!"."""
    ending: Outcome | None
    """How the game ended here without a move: resignation, agreement, time, forfeit or decision."""

    def __init__(self, position: P, move: M | None = None, parent: Node[P, M] | None = None) -> None:
        self.position, self.move, self.parent = position, move, parent
        self.children, self.comment, self.glyphs, self.ending = [], "", [], None

    @property
    def text(self) -> str:
        """The move as text; an empty string at the root."""
        return "" if self.parent is None else self.parent.position.format(self.move)

    @property
    def ply(self) -> int:
        """The number of moves from the start to here."""
        return sum(1 for _ in self.line()) - 1

    def add(self, move: M) -> Node[P, M]:
        """Return the child with this move; a new one becomes the last child. The move must be legal here."""
        position = self.position.play(move)
        for child in self.children:
            if child.move == move:
                return child
        child = Node(position, move, self)
        self.children.append(child)
        return child

    def add_line(self, moves: str | Iterable[M | str]) -> Node[P, M]:
        """Add moves one after the other and return the last node. If one is illegal, nothing is added.

        `moves` is a sequence of moves or of their texts, or one string such as "4453" or "11-15 22-18".
        """
        if not isinstance(moves, Iterable):
            raise wrong_type("moves", "a sequence of moves, or one string with moves", moves)
        line, position = list[M](), self.position
        for each in rules_of(position).words(moves) if isinstance(moves, str) else moves:
            move: M = position.parse(each) if isinstance(each, str) else each
            position = position.play(move)
            line.append(move)
        node = self
        for move in line:
            node = node.add(move)
        return node

    def line(self) -> Iterator[Node[P, M]]:
        """Iterate over this node and those before it, back to the root."""
        node: Node[P, M] | None = self
        while node is not None:
            yield node
            node = node.parent

    def end(self) -> Node[P, M]:
        """Return the last node of the main line from here."""
        node = self
        while node.children:
            node = node.children[0]
        return node

    def promote(self) -> None:
        """Move this variation one place towards the main line. The main line itself stays where it is."""
        siblings, place = self._place()
        siblings.insert(max(0, place - 1), siblings.pop(place))

    def promote_to_main(self) -> None:
        """Make this move, and every one before it, the main line."""
        for node in self.line():
            if node.parent is not None:
                siblings, place = node._place()
                siblings.insert(0, siblings.pop(place))

    def demote(self) -> None:
        """Move this variation one place away from the main line. The last one stays where it is."""
        siblings, place = self._place()
        siblings.insert(place + 1, siblings.pop(place))

    def remove(self) -> None:
        """Take this move and all that follows out of the tree. If the game's cursor is there, it goes to `parent`."""
        siblings, place = self._place()
        del siblings[place]
        *_, root = self.line()
        if isinstance(root, _Root):
            root.game._has_lost(self)

    def _place(self) -> tuple[list[Node[P, M]], int]:
        if self.parent is None:
            raise ValueError("the start of a game is not a variation: it has no move")
        if not self._is_in_parent():
            raise ValueError(f"{self.text} is not in the tree any more: it was removed")
        return self.parent.children, self.parent.children.index(self)

    def _is_in_parent(self) -> bool:
        """Return whether the node before this one still leads here; True at the root."""
        return self.parent is None or self in self.parent.children

    def _repr_svg_(self) -> str:
        """Return the position as SVG, for notebooks, with the move that led to it."""
        return _picture(self)

    def __reduce__(self) -> tuple[Any, ...]:
        """Return the game and this node's place in it: a node pickles with its whole tree."""
        *_, root = self.line()
        nodes = _nodes_of(root)
        place = next((place for place, node in enumerate(nodes) if node is self), None)
        if not isinstance(root, _Root) or place is None:
            raise TypeError(f"{self!r} is in no game's tree, so it cannot be pickled")
        return _node_in, (root.game, place)

    def __repr__(self) -> str:
        """Return a string such as `<Node at ply 41: 12-16, 2 replies>`."""
        count = len(self.children)
        replies = f", {count} repl{'y' if count == 1 else 'ies'}" if count else ""
        return f"<Node at ply {self.ply}{f': {self.text}' if self.text else ''}{replies}>"


class _Root(Node[P, M]):
    """The start of a game: it knows the game, so that the game learns of nodes that are removed."""

    __slots__ = ("game",)

    def __init__(self, position: P, game: Game[P, M]) -> None:
        super().__init__(position)
        self.game = game


AnyNode = Node[Any, Any]


def _nodes_of(root: Node[P, M]) -> list[Node[P, M]]:
    """Return a tree as a flat list, each node after its parent."""
    nodes: list[Node[P, M]] = []
    waiting = [root]
    while waiting:
        node = waiting.pop()
        nodes.append(node)
        waiting += reversed(node.children)
    return nodes


def _node_in(game: AnyGame, place: int) -> AnyNode:
    return _nodes_of(game.root)[place]


def take_apart(game: AnyGame) -> None:
    """Cut the links between the nodes of a game that is no longer needed: then its memory is free at once.

    Nodes refer to each other, so Python would free them only when it next collects all garbage.
    """
    for node in (*_nodes_of(game.root), *game._undone):
        node.parent = None
        node.children.clear()
    game.current = game.root = Node(game.start)
    game._undone.clear()


class NothingToUndoError(OutplayError, ValueError):
    """There is no move to take back, or none to play again."""


DEFAULT = NoProgress(plies=0)
"""The default of `no_progress`: the limit of the rules. None cannot say this, because it means no limit."""


class Game(Generic[P, M]):
    """One game. `headers` are its PDN tags; `no_progress` is its limit of plies without progress, or None.

    Two games are equal if they have the same start, headers, limit and tree: moves, order of variations, comments,
    glyphs and endings. The cursor does not matter. A game changes, so it has no hash.
    """

    @overload
    def __init__(
        self: Game[connect4.Position, int],
        start: connect4.Position,
        *,
        no_progress: NoProgress | None = ...,
        headers: dict[str, str] | None = ...,
    ) -> None: ...
    @overload
    def __init__(
        self: Game[checkers.Position, checkers.Move],
        start: checkers.Position,
        *,
        no_progress: NoProgress | None = ...,
        headers: dict[str, str] | None = ...,
    ) -> None: ...
    @overload
    def __init__(
        self: Game[Any, Any],
        start: Position,
        *,
        no_progress: NoProgress | None = ...,
        headers: dict[str, str] | None = ...,
    ) -> None: ...
    def __init__(
        self, start: Any, *, no_progress: NoProgress | None = DEFAULT, headers: dict[str, str] | None = None
    ) -> None:
        if not isinstance(start, connect4.Position | checkers.Position):
            raise TypeError(f"a game starts from a position of connect4 or checkers, not {start!r}")
        if not isinstance(no_progress, NoProgress | None):
            raise wrong_type("no_progress", "a NoProgress, such as rules.NO_PROGRESS['official'], or None", no_progress)
        if not isinstance(headers, Mapping | None):
            raise wrong_type("headers", "a dict of strings, or None", headers)
        self.rules = rules_of(start)
        self.no_progress = self.rules.no_progress if no_progress is DEFAULT else no_progress
        self.headers = dict(headers or {})
        self.root: Node[P, M] = _Root(cast(P, start), self)
        self.current: Node[P, M] = self.root
        self._undone: list[Node[P, M]] = []

    @property
    def start(self) -> P:
        return self.root.position

    @property
    def position(self) -> P:
        return self.current.position

    @property
    def nodes(self) -> list[Node[P, M]]:
        """The nodes from the first move to the current one."""
        return list(self.current.line())[-2::-1]

    @property
    def moves(self) -> list[M]:
        """The moves from the start to the current position."""
        return [node.move for node in self.nodes if node.move is not None]

    @property
    def history(self) -> tuple[P, ...]:
        """The positions before the current one, the start first."""
        return tuple(node.position for node in list(self.current.line())[:0:-1])

    @property
    def ply(self) -> int:
        return len(self.nodes)

    @property
    def undone(self) -> tuple[M, ...]:
        """The moves that were taken back, in the order in which `redo` would play them again."""
        return tuple(node.move for node in reversed(self._undone) if node.move is not None)

    def main_line(self) -> list[Node[P, M]]:
        """Return the nodes of the main line, from the first move to its end. The cursor does not matter."""
        nodes = []
        node = self.root
        while node.children:
            node = node.children[0]
            nodes.append(node)
        return nodes

    def play(self, move: M | str) -> Node[P, M]:
        """Play a move, or the text of one. It becomes the main line from here; an earlier line becomes a variation."""
        outcome = self.outcome()
        if outcome is not None:
            raise GameOverError(self.position, outcome.reason)
        node = self.current.add(self.position.parse(move) if isinstance(move, str) else move)
        self.current.children.remove(node)
        self.current.children.insert(0, node)
        self.current = node
        self._undone.clear()
        return node

    def undo(self, *, keep: bool = True) -> M:
        """Take back the last move and return it. If the game ended after the move, that ending is removed.

        The move stays in the tree as a variation; with `keep=False` it leaves the tree, and only `redo` brings it back.
        """
        node = self.current
        if node.parent is None:
            raise NothingToUndoError("there is no move to take back: this is the start of the game")
        node.ending = None
        self._undone.append(node)
        self.current = node.parent
        if not keep:
            node.parent.children.remove(node)
        return cast(M, node.move)

    def redo(self) -> M:
        """Replay the move that was last taken back, and return it."""
        if not self._undone:
            raise NothingToUndoError("there is no move to play again")
        node = self._undone.pop()
        if node not in self.current.children:
            self.current.children.insert(0, node)
        self.current = node
        return cast(M, node.move)

    def go_to(self, node: Node[P, M]) -> None:
        """Put the cursor on a node of this game's tree. ValueError if it is not in the tree."""
        self._check_own(node)
        self.current = node
        self._undone.clear()

    def _check_own(self, node: Node[P, M]) -> None:
        if not isinstance(node, Node):
            raise wrong_type("node", "a Node of this game", node)
        if node.parent is self.current and node._is_in_parent():
            return  # one move further, the most frequent case
        for each in node.line():
            if not each._is_in_parent():
                raise ValueError(f"{node!r} is not in the tree any more: it was removed")
            if each.parent is None and each is not self.root:
                raise ValueError(f"{node!r} is a node of another game")

    def _has_lost(self, node: Node[P, M]) -> None:
        """After `node` left the tree, move the cursor off it, and forget the undone moves that followed it."""
        if any(each is node for each in self.current.line()):
            self.go_to(cast("Node[P, M]", node.parent))
        while any(each is node for undone in self._undone[:1] for each in undone.line()):
            del self._undone[0]  # the moves that `redo` plays last come first

    def resign(self, side: Side | None = None) -> None:
        """End the game: this side resigns. Default: the side to move."""
        self._end(Outcome(_checked(self.position.side if side is None else side).other, Reason.RESIGNATION))

    def agree_draw(self) -> None:
        self._end(Outcome(None, Reason.AGREEMENT))

    def lose_on_time(self, side: Side) -> None:
        self._end(Outcome(_checked(side).other, Reason.TIME))

    def forfeit(self, side: Side) -> None:
        """End the game: this side's player failed, and loses."""
        self._end(Outcome(_checked(side).other, Reason.FORFEIT))

    def decide(self, winner: Side | None) -> None:
        """End the game: a teacher or a referee says who has won; None for a draw."""
        self._end(Outcome(None if winner is None else _checked(winner), Reason.DECISION))

    def _end(self, outcome: Outcome) -> None:
        before = self.outcome()
        if before is not None:
            raise GameOverError(self.position, before.reason)
        self.current.ending = outcome

    def outcome(self) -> Outcome | None:
        """Return how the game ended at the current move, and why; None while the game goes on."""
        return self._outcome_at(self.current)

    def outcome_at(self, node: Node[P, M]) -> Outcome | None:
        """Return how the game ended at a node of its tree, and why; None if the game goes on there."""
        self._check_own(node)
        return self._outcome_at(node)

    def _outcome_at(self, node: Node[P, M]) -> Outcome | None:
        outcome = node.ending or node.position.outcome()
        if outcome is not None:
            return outcome
        if self._repetitions(node) >= REPETITIONS:
            return Outcome(None, Reason.REPETITION)
        if self.no_progress is not None and self._without_progress(node) >= self.no_progress.plies:
            return Outcome(None, Reason.NO_PROGRESS)
        return None

    def repetitions(self) -> int:
        """Return how many times the current position has occurred, this time included."""
        return self._repetitions(self.current)

    def _repetitions(self, last: Node[P, M]) -> int:
        if not self.rules.can_repeat:
            return 1
        return sum(node.position == last.position for node in last.line())

    def plies_without_progress(self) -> int:
        """Return the number of plies since the last progress; `no_progress` says what counts as progress."""
        return self._without_progress(self.current)

    def _without_progress(self, last: Node[P, M]) -> int:
        count = 0
        for node in last.line():
            if node.parent is None or self._is_progress(node.parent.position, node.move):
                break
            count += 1
        return count

    def _is_progress(self, before: P, move: M | None) -> bool:
        counts_men = self.no_progress is None or self.no_progress.man_moves_count
        return self.rules.is_capture(move) or (counts_men and self.rules.is_man_move(before, move))

    @property
    def captures(self) -> int:
        """The number of pieces captured from the start to the current position."""
        return sum(len(self.rules.captures(node.move)) for node in self.nodes)

    def __repr__(self) -> str:
        """Return a string such as `<Game of Checkers: 41 moves, White to move>`."""
        ply, outcome = self.ply, self.outcome()
        moves = "1 move" if ply == 1 else f"{ply} moves"
        stands = f"{self.rules.side_name(self.position.side)} to move" if outcome is None else outcome.result
        return f"<Game of {self.rules.title}: {moves}, {stands}>"

    def _repr_svg_(self) -> str:
        """Return the current position as SVG, for notebooks."""
        return self.position._repr_svg_()

    def _repr_html_(self) -> str:
        """Return the line through the current position as a small replay, for notebooks; it opens at the line's end."""
        from outplay.draw.replay import replay_html

        names = [self.headers.get(side, "") for side in self.rules.sides]
        title = " - ".join(name or "?" for name in names) if any(names) else self.rules.title
        nodes = list(self.current.end().line())[::-1]
        return replay_html([_picture(node) for node in nodes], [self._caption(node) for node in nodes], title=title)

    def _caption(self, node: Node[P, M]) -> str:
        """Return a caption such as "Move 7, Red: column 4. 1-0, four in a row."."""
        outcome = self._outcome_at(node)
        end = "" if outcome is None else f" {outcome.result}, {outcome.reason}."
        if node.parent is None:
            return f"The start.{end}"
        before = node.parent.position
        name = self.rules.move_name(before, node.move)
        return f"Move {node.ply}, {self.rules.side_name(before.side)}: {name}.{end}"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Game):
            return NotImplemented
        return self is other or self._content() == other._content()

    __hash__ = None  # type: ignore[assignment]  # a game changes

    def _content(self) -> tuple[Any, ...]:
        return type(self.start), self.start, self.no_progress, self.headers, self._tree()

    def _tree(self) -> list[tuple[Any, ...]]:
        """Return the tree as a flat list: pickling node by node would recurse once for every move."""
        nodes = _nodes_of(self.root)
        places = {id(node): place for place, node in enumerate(nodes)}
        return [
            (
                None if node.parent is None else places[id(node.parent)],
                node.move,
                node.comment,
                node.glyphs,
                node.ending,
            )
            for node in nodes
        ]

    def __getstate__(self) -> dict[str, Any]:
        return {
            "start": self.start,
            "no_progress": self.no_progress,
            "headers": self.headers,
            "tree": self._tree(),
            "current": next(place for place, node in enumerate(_nodes_of(self.root)) if node is self.current),
            "undone": self.undone,
        }

    def __setstate__(self, state: dict[str, Any]) -> None:
        Game.__init__(self, state["start"], no_progress=state["no_progress"], headers=state["headers"])
        nodes = [self.root]
        for parent, move, comment, glyphs, ending in state["tree"]:
            if parent is not None:
                node = Node(nodes[parent].position.play(move), move, nodes[parent])
                nodes[parent].children.append(node)
                nodes.append(node)
            nodes[-1].comment, nodes[-1].glyphs, nodes[-1].ending = comment, glyphs, ending
        self.current = nodes[state["current"]]
        node = self.current
        for move in state["undone"]:  # in the tree, or removed from it by undo(keep=False)
            found = next((child for child in node.children if child.move == move), None)
            node = found or Node(node.position.play(move), move, node)
            self._undone.insert(0, node)


AnyGame = Game[Any, Any]
EitherGame = Game[connect4.Position | checkers.Position, int | checkers.Move]
"""A game of either kind, as read from a file.

`isinstance(game.position, connect4.Position)` tells a type checker which kind it is.
"""


def _checked(side: Side) -> Side:
    if not isinstance(side, Side):
        raise wrong_type("side", "a Side", side)
    return side


def _picture(node: AnyNode) -> str:
    """Draw the position of a node, with the move that led to it and the discs that won."""
    from outplay.draw import checkers_svg, connect4_svg

    position = node.position
    rules = rules_of(position)
    path = () if node.parent is None else rules.path(node.parent.position, node.move)
    if rules.name == "checkers":
        return checkers_svg(position.pieces(), last=path)
    outcome = position.outcome()
    last = divmod(path[0], position.width) if path else None
    return connect4_svg(position.rows(), last=last, lines=() if outcome is None else outcome.lines)
