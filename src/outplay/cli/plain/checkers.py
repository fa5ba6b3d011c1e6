"""Checkers in a plain terminal: a menu with five entries, pieces b and r, moves by squares or by rows and columns."""

from __future__ import annotations

import re
from typing import Any

from outplay.cli.plain.console import Console, Leave
from outplay.cli.plain.game import COMMANDS, Instead, View
from outplay.cli.plain.program import HUMANS, PlayOptions, Program, Setup
from outplay.draw import checkers_text
from outplay.draw.checkers import side_in_words
from outplay.errors import IllegalMoveError, NotationError
from outplay.explain import cell_of
from outplay.players import HUMAN, Player
from outplay.rules import RULES, Move, Position

OPPONENT = "lab:material"
SIDES = ("Black", "Red")
SQUARES = {cell_of(square): square for square in range(1, 33)}
MENU = """\
1. Human vs AI
2. AI vs human
3. AI vs AI
4. Human vs human
5. Exit"""
MENU_HELP = """\
Type a number. The player named first has Black and moves first.
  undo     go back one turn in the game that has just ended, and play on
  quit     leave (so do Ctrl-C and Ctrl-D)"""
MOVE_HELP = """\
Type a move by its squares: 11-15, a jump 22x15, several jumps 22x15x8 or only the ends 22x8.
Or by row and column, from and to: 2 5 3 4, or just 2 5 and then 3 4.
Men (b, r) go forward, kings (B, R) any way. You must jump if you can, and go on jumping while you can."""
TO_HELP = "Type the row and the column to go to, as in 3 4; undo to choose another piece."


class CheckersView:
    """Shows the board with its rows and columns, and the square numbers beside it."""

    sides = SIDES
    help_text = MOVE_HELP

    def __init__(self, console: Console) -> None:
        self._console = console

    def board(self, position: Any) -> str:
        if self._console.has_words:
            pieces = position.pieces()
            return " ".join(f"{side}: {side_in_words(pieces, sign)}." for side, sign in zip(SIDES, "bw", strict=True))
        return checkers_text(position.pieces(), ascii=self._console.is_ascii, numbers=True)

    def question(self, position: Position) -> str:
        side = position.side
        sign = "" if self._console.has_words else f" ({'br'[side]})"
        return f"{SIDES[side]}{sign}, your move?"

    def read(self, position: Position, text: str) -> Move:
        if not re.fullmatch(r"[\d\s,]+", text) or len(numbers := re.findall(r"\d+", text)) < 2:
            return position.parse(text)
        if len(numbers) % 2:
            raise NotationError(text, "a square is a row and a column, as in 2 5")
        squares = [_square(text, row, column) for row, column in zip(numbers[::2], numbers[1::2], strict=True)]
        if len(squares) > 1:
            return position.parse("-".join(map(str, squares)))
        return self._ask_where_to(position, squares[0])

    def words(self, text: str) -> str:
        return text.replace(RULES["checkers"].sides[1], SIDES[1])

    def _ask_where_to(self, position: Position, square: int) -> Move:
        """Ask for the target of a move of which only the first square was typed."""
        _check_can_move(position, square)
        while True:
            text = self._console.ask(f"From {square} to? (row column)", TO_HELP)
            if text.lower() in COMMANDS:
                raise Instead(text.lower())
            try:
                return position.parse(f"{square}-{_target(text)}")
            except (NotationError, IllegalMoveError) as error:
                self._console.say(f"Not possible: {self.words(error.reason)}.")


def _target(text: str) -> int:
    """Return the square that a text names, by its row and column or by its number."""
    numbers = re.findall(r"\d+", text)
    if not re.fullmatch(r"[\d\s,]+", text) or len(numbers) > 2:
        raise NotationError(text, "a square is a row and a column, as in 3 4")
    return int(numbers[0]) if len(numbers) == 1 else _square(text, *numbers)


def _square(text: str, row: str, column: str) -> int:
    cell = int(row), int(column)
    if not all(0 <= number <= 7 for number in cell):
        raise NotationError(text, "rows and columns are 0 to 7")
    if cell not in SQUARES:
        raise NotationError(text, f"row {row}, column {column} is a light square, and pieces stand on dark ones")
    return SQUARES[cell]


def _check_can_move(position: Any, square: int) -> None:
    """Raise IllegalMoveError, with the reason, if no legal move begins on this square."""
    legal = position.legal_moves()
    if any(move.path[0] == square for move in legal):
        return
    piece = position.pieces().get(square)
    own = "bw"[position.side]
    if piece is None:
        reason = f"there is no piece on {square}"
    elif piece.lower() != own:
        reason = f"the piece on {square} is {RULES['checkers'].sides[position.side.other]}'s"
    elif legal[0].is_capture:
        reason = f"{legal[0]} is a jump and must be taken"
    else:
        reason = f"the piece on {square} has nowhere to go"
    raise IllegalMoveError(square, position, reason)


class CheckersProgram(Program):
    """The program for checkers: a menu with five entries."""

    title = "Checkers"

    def __init__(self, options: PlayOptions, console: Console) -> None:
        super().__init__(options, console)
        self._start: Position = options.read("checkers")
        self._ai = options.engine(OPPONENT)

    def start_position(self) -> Position:
        return self._start

    def view_of(self, position: Position) -> View:
        return CheckersView(self.console)

    def seats_named(self) -> Setup:
        assert self.options.first is not None
        assert self.options.second is not None
        return self._setup((self.options.first, self.options.second))

    def menu(self) -> Setup | None:
        self.console.say(MENU)
        while True:
            answer = self.ask("Choose 1-5:", MENU_HELP)
            if answer is None:
                return None
            match answer:
                case "1":
                    return self._setup((HUMAN, self._ai))
                case "2":
                    return self._setup((self._ai, HUMAN))
                case "3":
                    return self._setup((self.options.first or self._ai, self._ai))
                case "4":
                    return self._setup(HUMANS)
                case "5":
                    raise Leave
            self.refuse(answer, "1, 2, 3, 4 or 5")

    def _setup(self, seats: tuple[Player, Player]) -> Setup:
        return self._start, seats, CheckersView(self.console)
