"""Connect Four in a plain terminal: "Play against the AI?", columns from 1, ○ and ●."""

from __future__ import annotations

import re
from typing import Any

from outplay import connect4
from outplay.cli.plain.console import Console
from outplay.cli.plain.game import View
from outplay.cli.plain.program import HUMANS, NO_HINT, PlayOptions, Program, Setup
from outplay.draw import connect4_text
from outplay.notation.positions import connect4_labels, list_of_rows
from outplay.outcome import Side
from outplay.players import HUMAN, Player
from outplay.rules import RULES, Move, Position

OPPONENT = "lab:five-phase"
MENU_HELP = """\
yes      play against the AI; it is always player 2 and ●
no       two people play at this keyboard
watch    the AI plays against itself
undo     go back one turn in the game that has just ended, and play on
quit     leave (so do Ctrl-C and Ctrl-D)"""
WHO_HELP = "1 if you want to move first, 2 if the AI moves first; undo to go back."


class Connect4View:
    """Shows the board with ○ for player 1 and ● for player 2, no matter who began; or says it in words."""

    def __init__(self, sides: tuple[str, str], first: int, width: int, console: Console) -> None:
        self.sides, self._first, self._console = sides, first, console
        self._columns = f"1-{connect4.Position(width, 4).format(width - 1)}"
        self.help_text = f"Type a column, {self._columns}. Four discs in a row win: across, down or on a diagonal."

    def board(self, position: Any) -> str:
        rows = position.rows(first=self._first)
        return self._in_words(rows) if self._console.has_words else connect4_text(rows, ascii=self._console.is_ascii)

    def _in_words(self, rows: list[list[int]]) -> str:
        """Return whose discs each column has: "From the bottom: column 4 Player 1, AI; column 5 AI."."""
        names = dict(zip((self._first, 3 - self._first), self.sides, strict=True))
        columns = zip(connect4_labels(len(rows[0])), zip(*reversed(rows), strict=True), strict=True)
        said = [
            f"column {label} {', '.join(names[disc] for disc in discs if disc)}"
            for label, discs in columns
            if any(discs)
        ]
        return f"From the bottom: {'; '.join(said)}." if said else "No discs."

    def question(self, position: Position) -> str:
        return f"{self.sides[position.side]}, which column? ({self._columns})"

    def read(self, position: Position, text: str) -> Move:
        return position.parse(text)

    def words(self, text: str) -> str:
        for side, name in zip(RULES["connect4"].sides, self.sides, strict=True):
            text = text.replace(side, name)
        return text


class Connect4Program(Program):
    """The program for Connect Four: a menu of two questions."""

    title = "Connect Four"

    def __init__(self, options: PlayOptions, console: Console) -> None:
        super().__init__(options, console)
        self._start = Start(options)
        self._ai = options.engine(OPPONENT)

    def start_position(self) -> Position:
        return self._start.position()[0]

    def view_of(self, position: Position) -> View:
        return self._view(position, self._start.position()[1], HUMANS)

    def seats_named(self) -> Setup:
        first, second = self.options.first, self.options.second
        assert first is not None
        assert second is not None
        # The human is player 1 even if the AI begins.
        is_swapped = second.is_human and not first.is_human
        return self._setup((second, first) if is_swapped else (first, second), began=2 if is_swapped else 1)

    def menu(self) -> Setup | None:
        answer = self.ask("Play against the AI? (yes/no)", MENU_HELP)
        if answer is None:
            return None
        match answer.lower():
            case "yes" | "y":
                return self._against_ai()
            case "no" | "n":
                return self._setup(HUMANS)
            case "watch":
                return self._setup((self.options.first or self._ai, self._ai))
        self.refuse(answer, "yes or no")
        return None

    def _against_ai(self) -> Setup | None:
        """Ask who moves first, unless the numbers of discs on the given board decide it."""
        players = (HUMAN, self._ai)
        next_to_move = self._start.next_to_move()
        if next_to_move is not None:
            return self._setup(players, next_to_move=next_to_move)
        while True:
            answer = self.console.ask("Do you want to move first or second? (1/2)", WHO_HELP)
            if answer in ("1", "2"):
                return self._setup(players, next_to_move=int(answer))
            if answer.lower() == "undo":
                return None
            if answer.lower() == "hint":
                self.console.say(NO_HINT)
            else:
                self.refuse(answer, "1 or 2")

    def _setup(
        self, players: tuple[Player, Player], *, next_to_move: int | None = None, began: int | None = None
    ) -> Setup:
        """Set up a game of players 1 and 2. `next_to_move` or `began` is the number of a player; default: 1 began."""
        position, first = self._start.position(next_to_move=next_to_move, began=began)
        seats = players if first == 1 else (players[1], players[0])
        return position, seats, self._view(position, first, players)

    def _view(self, position: Any, first: int, players: tuple[Player, Player]) -> View:
        signs = ("", "") if self.console.has_words else (" (x)", " (o)") if self.console.is_ascii else (" (○)", " (●)")
        one, two = _names(players, signs)
        sides = (one, two) if first == 1 else (two, one)
        return Connect4View(sides, first, position.width, self.console)


class Start:
    """The start position of the command line: moves, a board as text, or a list of lists of 0, 1 and 2."""

    def __init__(self, options: PlayOptions) -> None:
        self._rows = _rows(options.position)
        self._read: Any = None if self._rows is not None else options.read("connect4")
        self.position()

    def next_to_move(self) -> int | None:
        """Return the number of the player to move, if the discs on the board decide it."""
        if self._rows is None:
            return None
        ones, twos = (sum(row.count(number) for row in self._rows) for number in (1, 2))
        return None if ones == twos else 1 if ones < twos else 2

    def position(self, *, next_to_move: int | None = None, began: int | None = None) -> tuple[connect4.Position, int]:
        """Return the position and the number of the player that began; default: player 1."""
        if self._rows is not None:
            forced = self.next_to_move()
            first = (began or next_to_move or 1) if forced is None else 3 - forced
            return connect4.Position.from_rows(self._rows, first=first), first
        if next_to_move is not None:
            began = next_to_move if self._read.side is Side.FIRST else 3 - next_to_move
        return self._read, began or 1


def _rows(text: str) -> list[list[int]] | None:
    """Return the rows if the text is a list of lists."""
    return list_of_rows(text) if re.match(r"\s*\[\s*\[", text) else None


def _names(players: tuple[Player, Player], signs: tuple[str, str]) -> tuple[str, str]:
    """Return the names of players 1 and 2, each with its sign."""
    one, two = players
    names = [f"{'Player' if who.is_human else 'AI'} {number}" for number, who in enumerate(players, 1)]
    if one.is_human != two.is_human:
        names = ["Player 1" if one.is_human else "AI", "Player 2" if two.is_human else "AI"]
    return names[0] + signs[0], names[1] + signs[1]
