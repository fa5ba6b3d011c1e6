"""A board on the screen. It draws itself as large as possible, and reports the cell chosen by key or mouse."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, ClassVar, cast

from rich.segment import Segment
from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Size
from textual.message import Message
from textual.reactive import reactive
from textual.strip import Strip
from textual.widget import Widget

from outplay.tui.boards.canvas import Canvas
from outplay.tui.boards.drawing import Drawing
from outplay.tui.boards.palette import Depth, Rgb

if TYPE_CHECKING:
    from outplay.tui.app import OutplayApp


class BoardWidget(Widget, can_focus=True):
    """The board of one game. `drawing` is what it shows; `cursor` is the cell that Enter chooses."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "move(-1,0)", "Left", show=False),
        Binding("right", "move(1,0)", "Right", show=False),
        Binding("up", "move(0,-1)", "Up", show=False),
        Binding("down", "move(0,1)", "Down", show=False),
        Binding("enter,space", "choose", "Choose", show=False),
    ]
    DEFAULT_CSS = """
    BoardWidget { width: 1fr; height: 1fr; background: $background; }
    """
    drawing: reactive[Drawing | None] = reactive(None)
    cursor: reactive[int | None] = reactive(None)
    depth: reactive[Depth] = reactive("smooth")

    class Chosen(Message):
        """A cell was chosen: in Connect Four any cell of the column."""

        def __init__(self, cell: int) -> None:
            super().__init__()
            self.cell = cell

    chooses_cells = False
    """Whether the cursor of Connect Four stands on a cell rather than on a column."""

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self._strips: list[Strip] = []
        self._painted: object = None

    # What each game's board knows

    @abstractmethod
    def paint(self, drawing: Drawing, size: Size, ground: Rgb) -> Canvas:
        """Draw the position for a widget of this size."""

    @abstractmethod
    def cell_at(self, drawing: Drawing, x: int, y: int) -> int | None:
        """Return the cell under a pixel of the picture that was painted last."""

    @abstractmethod
    def stepped(self, drawing: Drawing, cursor: int | None, dx: int, dy: int) -> int:
        """Return the cell that an arrow key leads to."""

    @abstractmethod
    def name_of(self, drawing: Drawing, cell: int) -> str:
        """Return the name of a cell and what stands on it: "column 4", "square 18, black king"."""

    # Drawing

    def on_mount(self) -> None:
        self.depth = self.outplay.board_depth

    @property
    def outplay(self) -> OutplayApp:
        """The app, typed as `OutplayApp`."""
        return cast("OutplayApp", self.app)

    def render_line(self, y: int) -> Strip:
        if self.drawing is None or not self.size:
            return Strip.blank(self.size.width, self.rich_style)
        strips = self._picture(self.drawing)
        if y >= len(strips):
            return Strip.blank(self.size.width, self.rich_style)
        return Strip.join(
            [
                Strip.blank(self._left, self.rich_style),
                strips[y],
                Strip.blank(self.size.width - self._left - strips[y].cell_length, self.rich_style),
            ]
        )

    def _picture(self, drawing: Drawing) -> list[Strip]:
        ground = self.background_colors[1]
        ground_rgb: Rgb = (ground.r, ground.g, ground.b)
        shown = (drawing, self.cursor if self.has_focus else None, self.size, self.depth, ground_rgb)
        if shown != self._painted:
            canvas = self.paint(drawing, self.size, ground_rgb)
            columns, lines = canvas.width - self.size.width, canvas.lines - self.size.height
            self._strips = canvas.strips() if columns <= 0 and lines <= 0 else self._refusal(columns, lines)
            self._painted = shown
        return self._strips

    def _refusal(self, columns: int, lines: int) -> list[Strip]:
        """Say by how much the terminal is too small for this board."""
        missing = [f"{count} more {what}" for count, what in ((columns, "columns"), (lines, "lines")) if count > 0]
        told = ("This board needs a larger terminal:", " and ".join(missing))
        return [Strip([Segment(line.ljust(self.size.width)[: self.size.width], self.rich_style)]) for line in told]

    @property
    def _left(self) -> int:
        width = self._strips[0].cell_length if self._strips else 0
        return max(0, (self.size.width - width) // 2)

    def watch_drawing(self) -> None:
        self.refresh()

    def watch_cursor(self) -> None:
        self.refresh()

    # Choosing

    def action_move(self, dx: int, dy: int) -> None:
        if self.drawing is not None:
            self.cursor = self.stepped(self.drawing, self.cursor, dx, dy)

    def action_choose(self) -> None:
        if self.cursor is not None:
            self.post_message(self.Chosen(self.cursor))

    def on_click(self, event: events.Click) -> None:
        cell = self._cell_under(event)
        if cell is not None:
            self.cursor = cell
            self.post_message(self.Chosen(cell))

    def on_mouse_move(self, event: events.MouseMove) -> None:
        cell = self._cell_under(event)
        if cell is not None:
            self.cursor = cell

    def _cell_under(self, event: events.MouseEvent) -> int | None:
        if self.drawing is None:
            return None
        self._picture(self.drawing)
        return self.cell_at(self.drawing, event.x - self._left, 2 * event.y)
