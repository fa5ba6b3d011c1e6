"""What all pages share: the bar with the other pages, help, the theme, a word about a terminal that is too small."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, cast

from rich.style import Style
from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.widgets import Footer, Static

if TYPE_CHECKING:
    from outplay.tui.app import OutplayApp

LEAST = (80, 24)
"""The columns and lines that the pages need."""
PAGES = {
    "play": "Play",
    "analyse": "Analyse",
    "learn": "Learn",
    "puzzles": "Puzzles",
    "lab": "Lab",
    "library": "Library",
}
PAGE_KEYS = {name: f"f{number}" for number, name in enumerate(PAGES, 2)}


class PageBar(Static):
    """The names of the pages, each with its key; a click or the key opens it."""

    def __init__(self, here: str) -> None:
        super().__init__(id="bar")
        self._here = here

    def on_mount(self) -> None:
        line = Text().append(" outplay  ", style="bold")
        for name, title in PAGES.items():
            style = Style(reverse=name == self._here, meta={"@click": f"app.page('{name}')"})
            line.append(f" {PAGE_KEYS[name].upper()} {title} ", style=style)
        line.append(" ? ", style=Style(meta={"@click": "screen.help()"}))
        self.update(line)


class TooSmall(Static):
    """Covers a page that does not fit."""

    def tell(self, width: int, height: int) -> None:
        self.update(
            f"This terminal has {width} columns and {height} lines.\n"
            f"outplay needs {LEAST[0]} x {LEAST[1]}: make it larger,\n"
            "or leave with Ctrl-C and type: outplay play --plain"
        )


class AppPage(Screen[None]):
    """A page: its body between the bar and the keys. `help_text` answers "how do I do this?" before the keys."""

    name_of_page: ClassVar[str] = ""
    help_text: ClassVar[str] = ""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("question_mark,f1", "help", "Help", key_display="?"),
        Binding("t", "app.change_theme", "Light or dark", show=False),
        *(Binding(key, f"app.page('{name}')", PAGES[name], show=False) for name, key in PAGE_KEYS.items()),
    ]

    @property
    def outplay(self) -> OutplayApp:
        """The app, by its own type."""
        return cast("OutplayApp", self.app)

    def leave(self) -> None:
        """Stop everything that runs for this page, because the app ends."""

    def compose(self) -> ComposeResult:
        yield PageBar(self.name_of_page)
        yield from self.compose_body()
        yield Footer(compact=True, show_command_palette=False)
        yield TooSmall(id="too-small")

    def compose_body(self) -> ComposeResult:
        yield from ()

    def on_resize(self, event: events.Resize) -> None:
        width, height = event.size
        is_small = width < LEAST[0] or height < LEAST[1]
        cover = self.query_one(TooSmall)
        cover.display = is_small
        if is_small:
            cover.tell(width, height)

    def action_help(self) -> None:
        from outplay.tui.help import Help

        self.app.push_screen(Help(self))
