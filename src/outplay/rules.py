"""Both games side by side: what every position can do, and `RULES` to find a game by its name."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol, Self, TypeVar

from outplay import checkers, connect4
from outplay.errors import IllegalPositionError, NotationError, wrong_type
from outplay.outcome import Outcome, Side

Move = Any
"""A move of either game: a column (`int`, from 0) in Connect Four, a `checkers.Move` in checkers."""


M = TypeVar("M")


class AnyPosition(Protocol[M]):
    """What a position of either game can do, with moves of type `M`. It is a value: `play` returns a new one."""

    @property
    def side(self) -> Side: ...
    @property
    def key(self) -> int: ...
    def legal_moves(self, *, side: Side | None = None) -> list[M]: ...
    def is_legal(self, move: M, /) -> bool: ...
    def is_win(self, side: Side) -> bool: ...
    def play(self, move: M, /) -> Self: ...
    def outcome(self) -> Outcome | None: ...
    def parse(self, text: str) -> M: ...
    def format(self, move: M) -> str: ...
    def fen(self) -> str: ...
    def perft(self, depth: int) -> int: ...
    def __hash__(self) -> int: ...
    def _repr_svg_(self) -> str: ...


Position = AnyPosition[Any]
"""A position of either game, for code that takes both."""


@dataclass(frozen=True, slots=True)
class NoProgress:
    """When a game is drawn for lack of progress: after `plies` plies in a row without a capture.

    If `man_moves_count`, the move of a man is progress too.
    """

    plies: int
    man_moves_count: bool = True


OFFICIAL_NO_PROGRESS = NoProgress(plies=80)  # forty moves of each side
CLASSROOM_NO_PROGRESS = NoProgress(plies=100, man_moves_count=False)
NO_PROGRESS = {"official": OFFICIAL_NO_PROGRESS, "classroom": CLASSROOM_NO_PROGRESS, "none": None}
"""The limits of a game of checkers, by name."""


@dataclass(frozen=True, slots=True)
class Rules:
    """One game: its names, its start, how its positions are written, and what counts as progress in it."""

    name: str
    title: str
    sides: tuple[str, str]
    position_type: type
    read: Callable[..., Position]
    """`read(text, size=None)` returns the position of a text; "start" or an empty string is the start position."""
    is_capture: Callable[[Move], bool]
    is_man_move: Callable[[Any, Move], bool]
    can_repeat: bool
    no_progress: NoProgress | None
    """The default limit; a game may set another."""

    move_name: Callable[[Any, Move], str]
    """What a move is called: "column 4", "11-15"."""
    size: Callable[[Any], tuple[int, int]]
    """Columns and rows of a position's board."""
    cells: Callable[[Any], str]
    """A position as one character per cell: row by row in Connect Four, squares 1 to 32 in checkers."""
    path: Callable[[Any, Move], tuple[int, ...]]
    """The cells that a move goes through, in order, by their index in `cells` (checkers: squares from 1)."""
    captures: Callable[[Move], tuple[int, ...]]
    """The squares that a move jumps, in order."""
    words: Callable[[str], list[str]]
    """The moves in a line of text, as a list of strings; move numbers and commas are left out."""
    plies_left: Callable[[Any], int | None]
    """The largest number of plies that can follow; None if there is no limit."""
    mirror: Callable[[Any], Any] | None = None
    """Returns the mirror image of a position; None if it is not equivalent to the position, as in checkers."""

    def start(self) -> Position:
        return self.read("start")

    def side_name(self, side: Side) -> str:
        return self.sides[side]


def _read_connect4(text: str, size: tuple[int, int] | None = None) -> connect4.Position:
    """Read move text such as `4453`, a board as `connect4.Position.fen` writes it, or "start"."""
    text = text.strip()
    if "/" in text:
        position = connect4.Position.from_fen(text)
        found = (position.width, position.height)
        if size is not None and size != found:
            raise IllegalPositionError([f"the board is {found[0]} x {found[1]}, not {size[0]} x {size[1]}"])
        return position
    return connect4.Position.from_moves("" if text == "start" else text, *(size or (7, 6)))


def _read_checkers(text: str, size: tuple[int, int] | None = None) -> checkers.Position:
    """Read a PDN FEN, or "start". The counters of moves that may follow a FEN, as in ":H0:F1", are ignored."""
    if size is not None and size != (8, 8):
        raise NotationError(f"{size[0]}x{size[1]}", "checkers is played on 8 x 8")
    text = re.sub(r"(?::[HFhf][0-9]+)+(\.?)$", r"\1", text.strip())
    return checkers.Position() if text in ("", "start") else checkers.Position.from_fen(text)


def _landing(position: connect4.Position, column: int) -> int:
    """Return the cell in which a disc dropped in this column lands: row * width + column, row 0 on top."""
    return position.landing_row(column) * position.width + column


def _words(text: str) -> list[str]:
    """Cut a line of moves such as "1. 11-15 22-18" at spaces and commas."""
    return [word for word in re.split(r"[\s,]+", text) if word and not re.fullmatch(r"\d+\.+", word)]


def _squares(position: checkers.Position) -> str:
    pieces = position.pieces()
    return "".join(pieces.get(square, ".") for square in range(1, 33))


CONNECT4 = Rules(
    name="connect4",
    title="Connect Four",
    sides=("Red", "Yellow"),
    position_type=connect4.Position,
    read=_read_connect4,
    is_capture=lambda move: False,
    is_man_move=lambda position, move: True,
    can_repeat=False,
    no_progress=None,
    move_name=lambda position, move: f"column {position.format(move)}",
    size=lambda position: (position.width, position.height),
    cells=lambda position: position.fen().replace("/", ""),
    path=lambda position, move: (_landing(position, move),),
    captures=lambda move: (),
    words=lambda text: list("".join(_words(text))),
    plies_left=lambda position: position.width * position.height - position.plies,
    mirror=lambda position: position.mirror(),
)
CHECKERS = Rules(
    name="checkers",
    title="Checkers",
    sides=("Black", "White"),
    position_type=checkers.Position,
    read=_read_checkers,
    is_capture=lambda move: move.is_capture,
    is_man_move=lambda position, move: not position.kings >> (move.path[0] - 1) & 1,
    can_repeat=True,
    no_progress=OFFICIAL_NO_PROGRESS,
    move_name=lambda position, move: position.format(move),
    size=lambda position: (8, 8),
    cells=_squares,
    path=lambda position, move: tuple(move.path),
    captures=lambda move: tuple(move.captures),
    words=lambda text: [re.sub(r"^\d+\.+", "", word) for word in _words(text)],
    plies_left=lambda position: None,
)

RULES = {rules.name: rules for rules in (CONNECT4, CHECKERS)}
"""The rules of each game, by the name of the game."""


def rules_named(name: str) -> Rules:
    """Return the game of this name; NotationError if there is none."""
    if not isinstance(name, str):
        raise wrong_type("game", "the name of a game, connect4 or checkers", name)
    if name not in RULES:
        raise NotationError(name, f"the games are {', '.join(RULES)}")
    return RULES[name]


def rules_of(position: Position) -> Rules:
    """Return the game that a position belongs to."""
    return CONNECT4 if isinstance(position, connect4.Position) else CHECKERS


def is_crowned(before: Position, move: Move, after: Position) -> bool:
    """Return whether a move made a man a king."""
    rules = rules_of(before)
    path = rules.path(before, move)
    return rules is CHECKERS and rules.cells(after)[path[-1] - 1].isupper() and rules.is_man_move(before, move)


def must_capture(position: Position) -> bool:
    """Return whether a capture is compulsory here: then every legal move is a capture."""
    return any(map(rules_of(position).is_capture, position.legal_moves()))
