"""The help of a page: first how to use it, then its keys."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from rich.table import Table
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Static

if TYPE_CHECKING:
    from outplay.tui.page import AppPage


class Help(ModalScreen[None]):
    """The help of a page. Escape, ?, q or Enter closes it."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,question_mark,q,enter", "dismiss", "Close")]

    def __init__(self, page: AppPage) -> None:
        super().__init__()
        self._page = page

    def compose(self) -> ComposeResult:
        with VerticalScroll(classes="dialog"):
            yield Static("Esc closes  ↓ scrolls  Ctrl+P all commands  Ctrl+C quit  Ctrl+Z shell", classes="soft")
            yield Static(" ".join(self._page.help_text.split()), markup=False)
            yield Static(self._keys())

    def _keys(self) -> Table:
        table = Table.grid(padding=(0, 2))
        rows = [(self.app.get_key_display(each), each.description) for each in self._page.commands()]
        half = (len(rows) + 1) // 2
        for number in range(half):
            right = rows[number + half] if number + half < len(rows) else ("", "")
            table.add_row(*rows[number], *right)
        return table
