"""The Connect Four board: discs with their marks, the numbers of the columns, and a line for scores."""

from __future__ import annotations

from textual.geometry import Size

from outplay.draw.svg import COLOURS
from outplay.notation.positions import connect4_labels
from outplay.tui.boards.board import BoardWidget
from outplay.tui.boards.canvas import Canvas
from outplay.tui.boards.drawing import Drawing
from outplay.tui.boards.palette import ACCENT, Rgb, rgb

LEAST_CELL, MOST_CELL = 4, 24
"""The shortest and the longest side of a cell, in pixels."""
LETTER_CELL = 2
"""The side of a cell on a board that is too large to draw discs: each disc is then one character."""
SIGNS = {".": "·", "1": "●", "2": "○"}
INKS = {".": "mark", "1": "red-rim", "2": "yellow"}
SMOOTH_MARKS_FROM = 10
"""The smallest diameter of a disc whose mark has blended edges; on smaller discs the mark would blur away."""
WHITE = rgb(COLOURS["mark"])


class Connect4Widget(BoardWidget):
    """The Connect Four board: columns from left to right, row 0 on top, as in `Rules.cells`."""

    _cell = LEAST_CELL

    def paint(self, drawing: Drawing, size: Size, ground: Rgb) -> Canvas:
        width, height = drawing.size
        feet = 2 if drawing.labels else 1
        self._cell = cell = self._fitting(width, height, size, feet)
        lines = height if cell == LETTER_CELL else (height * cell + 2) // 2
        canvas = Canvas(width * cell + 1, lines + feet, ground, self.depth)
        canvas.fill(0, 0, width * cell + 1, 2 * lines, rgb(COLOURS["board"]))
        if self.cursor is not None and self.has_focus and not self.chooses_cells:
            canvas.fill(self.cursor % width * cell, 0, cell + 1, 2 * lines, WHITE, 0.16)
        for index, disc in enumerate(drawing.cells):
            self._paint_cell(canvas, drawing, index, disc, divmod(index, width))
        self._paint_ghost(canvas, drawing, width)
        if self.cursor is not None and self.has_focus and self.chooses_cells:
            self._paint_brackets(canvas, *divmod(self.cursor, width))
        self._paint_feet(canvas, drawing, lines, width)
        return canvas

    @staticmethod
    def _fitting(width: int, height: int, size: Size, feet: int) -> int:
        """Return the largest side of a cell that fits the widget; LETTER_CELL if discs would be too small."""
        across, down = (size.width - 1) // width, (2 * (size.height - feet) - 1) // height
        cell = min(across, down, MOST_CELL)
        return cell if cell >= LEAST_CELL else LETTER_CELL

    def _paint_cell(self, canvas: Canvas, drawing: Drawing, index: int, disc: str, place: tuple[int, int]) -> None:
        row, column = place
        x, y = column * self._cell + 1, row * self._cell + 1
        size = self._cell - 1
        is_hinted = index in drawing.hinted
        if is_hinted:
            canvas.fill(x - 1, y - 1, self._cell + 1, self._cell + 1, rgb(ACCENT), 0.55)
        is_marked = index in drawing.won or index in drawing.last
        if self._cell == LETTER_CELL:
            sign = "?" if is_hinted and disc == "." else SIGNS[disc]
            canvas.text(x, row, sign, rgb(COLOURS[INKS[disc]]), is_bold=is_marked or is_hinted)
            return
        if disc == ".":
            canvas.disc(x, y, size, None if canvas.is_mono else rgb(COLOURS["hole"]))
            if canvas.is_mono:
                canvas.text(x + size // 2, (y + size // 2) // 2, "+" if is_hinted else "·", None)
            return
        paint_disc(canvas, x, y, size, is_second=disc == "2", is_marked=is_marked)

    def _paint_ghost(self, canvas: Canvas, drawing: Drawing, width: int) -> None:
        """Show where a disc in the cursor's column would land."""
        cells = drawing.cells
        if self.cursor is None or not self.has_focus or not drawing.movable or self._cell == LETTER_CELL:
            return
        landing = [index for index in drawing.movable if index % width == self.cursor % width]
        for index in landing:
            if cells[index] != ".":
                continue
            row, column = divmod(index, width)
            colour = rgb(COLOURS["yellow" if drawing.side else "red-rim"])
            size = self._cell - 1
            canvas.disc(column * self._cell + 1, row * self._cell + 1, size, colour, max(0.8, size * 0.28))

    def _paint_brackets(self, canvas: Canvas, row: int, column: int) -> None:
        """Show the cell under the cursor: [ ]."""
        is_letter = self._cell == LETTER_CELL
        line = row if is_letter else (row * self._cell + self._cell // 2) // 2
        for sign, x in (("[", column * self._cell), ("]", (column + 1) * self._cell)):
            canvas.text(x, line, sign, WHITE, is_bold=True)

    def _paint_feet(self, canvas: Canvas, drawing: Drawing, lines: int, width: int) -> None:
        for column in range(width):
            name = connect4_labels(width)[column]
            is_here = self.has_focus and self.cursor is not None and self.cursor % width == column
            middle = column * self._cell + (self._cell + 1) // 2
            ink = self.outplay.ink
            if is_here:
                canvas.text(middle - 1, lines, f"[{name}]", ink, is_bold=True)
            else:
                canvas.text(middle, lines, name, ink)
            if drawing.labels:
                label = drawing.labels[column]
                label = label if len(label) <= self._cell else label[:1]  # the sign alone: never half a number
                canvas.text(middle - (len(label) - 1) // 2, lines + 1, label, ink, is_bold=True)

    def cell_at(self, drawing: Drawing, x: int, y: int) -> int | None:
        width, height = drawing.size
        column, row = (x - 1) // self._cell, (y - (self._cell != LETTER_CELL)) // self._cell
        return max(0, min(row, height - 1)) * width + column if 0 <= column < width else None

    def stepped(self, drawing: Drawing, cursor: int | None, dx: int, dy: int) -> int:
        width, height = drawing.size
        row, column = divmod(width // 2 if cursor is None else cursor, width)
        row = (row + dy) % height if self.chooses_cells else 0
        return row * width + (column if cursor is None else (column + dx) % width)

    def name_of(self, drawing: Drawing, cell: int) -> str:
        width, _ = drawing.size
        return f"column {connect4_labels(width)[cell % width]}"


def paint_disc(canvas: Canvas, x: int, y: int, size: int, *, is_second: bool, is_marked: bool = False) -> None:
    """Draw a disc: red ones carry a dot, yellow ones a ring; without colours red ones are full, yellow ones hollow."""
    name = "yellow" if is_second else "red"
    rim, face, mark = (rgb(COLOURS[f"{name}{part}"]) for part in ("-rim", "", "-mark"))
    if is_marked and not canvas.is_mono:
        canvas.disc(x - 1, y - 1, size + 2, WHITE)
    canvas.disc(x, y, size, rim)
    radius = size / 2
    inner = radius - max(1.0, size / 9)
    if canvas.is_mono:
        if is_second:
            canvas.disc(x, y, size, None, inner)
        if is_marked:
            canvas.text(x + size // 2, (y + size // 2) // 2, "*", None, is_bold=True)
        return
    canvas.disc(x, y, size, face, inner)
    is_sharp = size < SMOOTH_MARKS_FROM
    if is_second:
        outer = max(1.2, radius * 0.62 if is_sharp else radius * 0.5)
        canvas.disc(x, y, size, mark, outer, is_sharp=is_sharp)
        canvas.disc(x, y, size, face, max(0.6, outer - max(1.0, size / 9)), is_sharp=is_sharp)
    else:
        canvas.disc(
            x, y, size, mark, max(0.71, 1.0 if size < 10 and size % 2 == 0 else radius * 0.24), is_sharp=is_sharp
        )
