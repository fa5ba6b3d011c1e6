"""The checkers board: squares with their numbers, men, kings with a K, and the marks of a move."""

from __future__ import annotations

from textual.geometry import Size

from outplay import checkers
from outplay.draw.svg import COLOURS
from outplay.tui.boards.board import BoardWidget
from outplay.tui.boards.canvas import Canvas
from outplay.tui.boards.drawing import Drawing
from outplay.tui.boards.palette import ACCENT, Rgb, rgb

SIDE = 8
LEAST_CELL, MOST_CELL = 4, 24
"""The shortest and the longest side of a square, in pixels."""
PIECES = {"b": "black man", "B": "black king", "w": "white man", "W": "white king", ".": "empty"}
WHITE, MUST = rgb(COLOURS["mark"]), rgb(COLOURS["must"])
INK = rgb(COLOURS["square-ink"])


class CheckersWidget(BoardWidget):
    """The checkers board, with Black's home row on top unless it is flipped."""

    _cell = LEAST_CELL

    def paint(self, drawing: Drawing, size: Size, ground: Rgb) -> Canvas:
        self._cell = cell = max(LEAST_CELL, min(size.width // SIDE, 2 * size.height // SIDE, MOST_CELL))
        canvas = Canvas(SIDE * cell, (SIDE * cell + 1) // 2, ground, self.depth)
        canvas.fill(0, 0, SIDE * cell, SIDE * cell, rgb(COLOURS["square-light"]))
        pieces = drawing.cells
        for square in range(1, 33):
            self._paint_square(canvas, drawing, square, pieces[square - 1])
        return canvas

    def _paint_square(self, canvas: Canvas, drawing: Drawing, square: int, piece: str) -> None:
        x, y = self._corner(drawing, square)
        cell = self._cell
        is_lit = square in drawing.picked or square in drawing.last
        canvas.fill(x, y, cell, cell, rgb(COLOURS["square-lit" if is_lit else "square-dark"]))
        if square in drawing.hinted:
            canvas.fill(x, y, cell, cell, rgb(ACCENT), 0.7)
        is_cursor = self.has_focus and square == self.cursor
        if is_cursor:
            canvas.fill(x, y, cell, cell, WHITE, 0.45)
        if piece != ".":
            self._paint_piece(canvas, x, y, piece, is_ringed=square in drawing.ringed)
        else:
            canvas.text(x, self._line(y), str(square), INK)
        self._paint_sign(canvas, x, y, self._sign(drawing, square, piece), is_empty=piece == ".")
        if is_cursor:
            canvas.text(x + cell - 1, self._line(y) + 1, "<", INK, is_bold=True)  # below the other signs

    def _paint_piece(self, canvas: Canvas, x: int, y: int, piece: str, *, is_ringed: bool) -> None:
        size = self._cell - (0 if self._cell < 6 else 1 if self._cell < 8 else 2)
        x, y = x + (self._cell - size) // 2, y + (self._cell - size) // 2
        name = "man-dark" if piece in "bB" else "man-light"
        face, groove, edge = (rgb(COLOURS[f"{name}{part}"]) for part in ("", "-groove", "-edge"))
        if canvas.is_mono:
            canvas.disc(x, y, size, WHITE)
            if name == "man-light":
                canvas.disc(x, y, size, None, size / 2 - max(1.0, size / 9))
        else:
            outer = WHITE if is_ringed else edge if size >= 7 else face
            canvas.disc(x, y, size, outer)
            if is_ringed:
                canvas.disc(x, y, size, MUST, size / 2 - max(0.5, size / 12))
            canvas.disc(x, y, size, face, size / 2 - max(0.5, size / 10) * (2 if is_ringed else 1))
            if size >= 7:
                canvas.disc(x, y, size, groove, size * 0.32)
                canvas.disc(x, y, size, face, size * 0.32 - max(0.7, size / 14))
        if piece in "BW":
            line = self._line(y + size // 2 - 1)
            ink = rgb(COLOURS["man-light" if piece == "B" else "man-dark"])
            canvas.text(x + (size - 1) // 2, line, "K", ink, is_bold=True)

    def _sign(self, drawing: Drawing, square: int, piece: str) -> str:
        """Return the sign beside a piece or on an empty square: each state has a sign as well as a colour."""
        if square in drawing.picked:
            return "*"
        if square in drawing.ringed:
            return "!"
        if square in drawing.targets:
            return "o"
        if square in drawing.hinted:
            return "?"
        return "'" if square in drawing.movable and piece != "." else ""

    def _paint_sign(self, canvas: Canvas, x: int, y: int, sign: str, *, is_empty: bool) -> None:
        if sign:
            place = x + (self._cell // 2 if is_empty and sign == "o" else self._cell - 1)
            canvas.text(place, self._line(y) + (1 if is_empty and sign == "o" else 0), sign, INK, is_bold=True)

    def _line(self, y: int) -> int:
        """Return the first line of text that begins at this row of pixels or below it."""
        return (y + 1) // 2

    def _corner(self, drawing: Drawing, square: int) -> tuple[int, int]:
        row, column = checkers.cell_of(square)
        if drawing.is_flipped:
            row, column = SIDE - 1 - row, SIDE - 1 - column
        return column * self._cell, row * self._cell

    def cell_at(self, drawing: Drawing, x: int, y: int) -> int | None:
        column, row = x // self._cell, y // self._cell
        if not (0 <= column < SIDE and 0 <= row < SIDE):
            return None
        if drawing.is_flipped:
            row, column = SIDE - 1 - row, SIDE - 1 - column
        return checkers.square_at(row, column) if (row + column) % 2 else None

    def stepped(self, drawing: Drawing, cursor: int | None, dx: int, dy: int) -> int:
        """Return the next dark square of the row, or for up and down the nearest one of the next row."""
        if cursor is None:
            return (drawing.movable or drawing.targets or (18,))[0]
        if drawing.is_flipped:
            dx, dy = -dx, -dy
        row, column = checkers.cell_of(cursor)
        if dx:
            return checkers.square_at(row, (column + 2 * dx) % SIDE)
        row = (row + dy) % SIDE
        return checkers.square_at(row, column + (-1 if row % 2 else 1))

    def name_of(self, drawing: Drawing, cell: int) -> str:
        return f"square {cell}, {PIECES[drawing.cells[cell - 1]]}"
