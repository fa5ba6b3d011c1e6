"""Set up a position piece by piece. The page says at once what is wrong with it."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Static

from outplay.errors import OutplayError
from outplay.notation.positions import read_board
from outplay.outcome import Side
from outplay.rules import RULES, Position, rules_of
from outplay.tui.boards import BOARDS
from outplay.tui.boards.board import BoardWidget
from outplay.tui.boards.drawing import Drawing

PIECES = {"connect4": ".12", "checkers": ".bBwW"}
"""The contents of a cell, in the order in which Enter goes through them."""
PIECE_KEYS = {"0": ".", "x": "."} | {piece: piece for piece in "12bBwW"}
KEYS = {
    "connect4": "1 red   2 yellow   0 empty   Enter next piece",
    "checkers": "b w men   B W kings   0 empty   Enter next piece   s who moves",
}


class Editor(ModalScreen["Position | None"]):
    """A board to edit. F10 uses the position; Escape closes the editor and changes nothing."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "dismiss", "Close"),
        Binding("f10,ctrl+s", "take", "Use it"),
        Binding("c", "clear", "Clear"),
        Binding("i", "initial", "Start position"),
        Binding("s", "side", "Who moves"),
        *(Binding(key, f"put('{piece}')", show=False) for key, piece in PIECE_KEYS.items()),
    ]

    def __init__(self, position: Position) -> None:
        super().__init__()
        rules = rules_of(position)
        self._game, self._shape = rules.name, rules.size(position)
        self._cells, self._side = rules.cells(position), position.side
        self._board: BoardWidget = BOARDS[self._game](id="edited")
        self._board.chooses_cells = True

    def compose(self) -> ComposeResult:
        with Vertical(classes="editor"):
            yield Static(f"{KEYS[self._game]}   c clear   i start   F10 use it   Esc close")
            yield Static(id="told", classes="soft", markup=False)
            yield self._board

    def on_mount(self) -> None:
        board = self._board
        width, height = self._shape
        board.cursor = (height - 1) * width if self._game == "connect4" else 1  # where the first disc falls
        self.set_focus(board)
        self._show()

    def _show(self) -> None:
        self._board.drawing = Drawing(self._cells, self._shape, self._side)
        self.query_one("#told", Static).update(self._told())

    def _told(self) -> str:
        try:
            position = self._position()
        except OutplayError as error:
            return f"Not possible yet: {error}"
        return f"{RULES[self._game].sides[position.side]} to move. F10 uses this position."

    def _position(self) -> Position:
        return read_board(self._game, self._cells, self._shape, int(self._side))

    def _put(self, cell: int, piece: str) -> None:
        index = cell if self._game == "connect4" else cell - 1
        self._cells = self._cells[:index] + piece + self._cells[index + 1 :]
        self._show()

    def on_board_widget_chosen(self, message: BoardWidget.Chosen) -> None:
        """Change a cell to the next kind of piece."""
        pieces = PIECES[self._game]
        index = message.cell if self._game == "connect4" else message.cell - 1
        self._put(message.cell, pieces[(pieces.index(self._cells[index]) + 1) % len(pieces)])

    def action_put(self, piece: str) -> None:
        cursor = self._board.cursor
        if cursor is not None and piece in PIECES[self._game]:
            self._put(cursor, piece)

    def action_clear(self) -> None:
        self._cells = "." * len(self._cells)
        self._show()

    def action_initial(self) -> None:
        rules = RULES[self._game]
        start = rules.read("start", size=self._shape) if self._game == "connect4" else rules.start()
        self._cells, self._side = rules.cells(start), start.side
        self._show()

    def action_side(self) -> None:
        self._side = Side(1 - self._side)
        self._show()

    def action_take(self) -> None:
        try:
            self.dismiss(self._position())
        except OutplayError:
            self._show()
