"""Puzzles: a position with one best first move, a line of several moves against the best defence, and a grade.

They ship as one text file for each game, with one line for each puzzle: see docs/formats/puzzle.md.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from outplay.errors import IllegalMoveError, NotationError, OutplayError
from outplay.learn.goals import Goal
from outplay.learn.themes import THEMES
from outplay.rules import RULES, Move, Position

PREFIXES = {"connect4": "c4", "checkers": "ck"}
"""How the ids of a game's puzzles begin."""
GRADES = range(1, 9)
ID = re.compile(r"(c4|ck)-\d{4}")
HEAD = "# id\tgrade\tgoal\tthemes\tposition\tline"
_FIELDS = 6
_SHOWN = "/"
"""Stands before the moves that are only shown."""


@dataclass(frozen=True, slots=True)
class GradedPuzzle:
    """A puzzle with a measured grade: the lowest level that solves it."""

    id: str
    """The id in the address of the puzzle: `c4-0123`."""
    game: str
    grade: int
    goal: Goal
    themes: tuple[str, ...]
    """The themes, the most important first."""
    position: Position
    asked: tuple[str, ...]
    """The moves to find, each followed by the reply to it; the last move to find has no reply."""
    accept: tuple[str, ...]
    """Every right last move, beginning with that of `asked`. At each earlier turn only one move is right."""
    shown: tuple[str, ...] = ()
    """The moves of best play after `asked`; they are shown, not asked for."""

    @property
    def own_moves(self) -> int:
        """The number of moves to find."""
        return (len(self.asked) + 1) // 2

    @property
    def sentence(self) -> str:
        """The task as a sentence: "Red to move and win in 3"."""
        return self.goal.sentence(self.position)

    def accepted(self, ply: int) -> tuple[str, ...]:
        """Return the moves that are right after `ply` moves of the line."""
        return self.accept if ply == len(self.asked) - 1 else self.asked[ply : ply + 1]

    def questions(self) -> Iterator[tuple[Position, tuple[str, ...]]]:
        """Yield each position in which a move is asked for, and the moves that are right there."""
        for ply, position in enumerate(positions_along(self.position, self.asked[:-1])):
            if ply % 2 == 0:
                yield position, self.accepted(ply)

    def to_line(self) -> str:
        """Return the puzzle as a line of a puzzle file."""
        moves = [*self.asked[:-1], "|".join(self.accept), *([_SHOWN, *self.shown] if self.shown else [])]
        parts = (self.id, str(self.grade), str(self.goal), ",".join(self.themes), self.position.fen(), " ".join(moves))
        return "\t".join(parts)


def positions_along(position: Position, moves: Iterable[str]) -> Iterator[Position]:
    """Yield a position, and the position after each move."""
    yield position
    for move in moves:
        position = position.play(position.parse(move))
        yield position


def parse_puzzle(text: str, where: str = "") -> GradedPuzzle:
    """Read a line of a puzzle file; NotationError says what is wrong with it."""
    parts = text.split("\t")
    if len(parts) != _FIELDS:
        raise NotationError(text, f"a puzzle has {_FIELDS} parts, separated by tabs", where)
    name, grade, goal, themes, fen, moves = parts
    if not ID.fullmatch(name):
        raise NotationError(name, "an id is c4- or ck- and four digits", where)
    game = next(game for game, prefix in PREFIXES.items() if name.startswith(prefix))
    if not grade.isdecimal() or int(grade) not in GRADES:
        raise NotationError(grade, f"a grade is from {GRADES[0]} to {GRADES[-1]}", where)
    unknown = [theme for theme in themes.split(",") if theme not in THEMES[game]]
    if unknown:
        raise NotationError(themes, f"there is no theme {unknown[0]!r} in this game", where)
    try:
        position = RULES[game].read(fen)
        asked, _, shown = moves.partition(f" {_SHOWN} ")
        *line, last = asked.split()
        accept = tuple(last.split("|"))
        puzzle = GradedPuzzle(
            name, game, int(grade), Goal.parse(goal), tuple(themes.split(",")), position,
            (*line, accept[0]), accept, tuple(shown.split()),
        )  # fmt: skip
        _check_line(puzzle)
    except (OutplayError, ValueError) as error:
        raise NotationError(text, str(error), where) from None
    return puzzle


def _check_line(puzzle: GradedPuzzle) -> None:
    """Check that every move is legal, and written as we write it."""
    if len(puzzle.asked) % 2 == 0:
        raise NotationError(" ".join(puzzle.asked), "the first and the last move of the line must be of the same side")
    *_, last = positions_along(puzzle.position, puzzle.asked[:-1])
    for text in puzzle.accept:
        last.parse(text)
    position: Position = puzzle.position
    for text in (*puzzle.asked, *puzzle.shown):
        move: Move = position.parse(text)
        if position.format(move) != text:
            raise IllegalMoveError(text, position, f"write it as {position.format(move)}")
        position = position.play(move)


def read_puzzles(text: str, source: str) -> list[GradedPuzzle]:
    """Read the text of a puzzle file; NotationError names the line. Ids must differ."""
    found: dict[str, GradedPuzzle] = {}
    for number, line in enumerate(text.splitlines(), 1):
        if not line or line.startswith("#"):
            continue
        puzzle = parse_puzzle(line, f"{source}, line {number}")
        if puzzle.id in found:
            raise NotationError(puzzle.id, "another puzzle has this id", f"{source}, line {number}")
        found[puzzle.id] = puzzle
    return list(found.values())


def write_puzzles(puzzles: Sequence[GradedPuzzle]) -> str:
    """Return the text of a puzzle file."""
    return "".join(f"{line}\n" for line in (HEAD, *(puzzle.to_line() for puzzle in puzzles)))


@cache
def shipped_puzzles(game: str) -> tuple[GradedPuzzle, ...]:
    """Return the puzzles that come with outplay, in the order of their ids."""
    name = f"{game}.tsv"
    return tuple(read_puzzles(files("outplay").joinpath("data", "puzzles", name).read_text(encoding="utf-8"), name))


def find_puzzle(puzzle_id: str) -> GradedPuzzle | None:
    """Return the shipped puzzle of this id; None if there is none."""
    return _by_id().get(puzzle_id)


@cache
def _by_id() -> dict[str, GradedPuzzle]:
    return {puzzle.id: puzzle for game in PREFIXES for puzzle in shipped_puzzles(game)}
