"""What all pages share: the bar with the pages, help, a cover if the terminal is too small, searches and the store."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from typing import TYPE_CHECKING, ClassVar, TypeVar, cast

from rich.style import Style
from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.screen import Screen
from textual.widgets import Footer, Static

from outplay.errors import OutplayError
from outplay.tui.sentence import Sentence
from outplay.work import Task, Ticket

if TYPE_CHECKING:
    from outplay.store import Store
    from outplay.tui.app import OutplayApp

Found = TypeVar("Found")
COVERED_KEYS = ("question_mark", "f1", "ctrl+c", "ctrl+q", "ctrl+z")
"""The keys that work while the cover hides a page: help, and the ways out."""
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
    """A page: its body between the bar and the keys. `help_text` says how to use it; the help adds its keys."""

    name_of_page: ClassVar[str] = ""
    help_text: ClassVar[str] = ""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("question_mark,f1", "help", "Help", key_display="?"),
        Binding("t", "app.change_theme", "Light or dark", show=False),
        *(Binding(key, f"app.page('{name}')", PAGES[name], show=False) for name, key in PAGE_KEYS.items()),
    ]

    class Failed(Message):
        """A command, a search or the store failed."""

        def __init__(self, error: BaseException) -> None:
            super().__init__()
            self.error = error

    @property
    def outplay(self) -> OutplayApp:
        """The app, typed as `OutplayApp`."""
        return cast("OutplayApp", self.app)

    # Words

    def say(self, text: str) -> None:
        """Write a sentence at the top of the page."""
        self.query_one(Sentence).show(text)

    def refuse(self, error: Exception) -> None:
        """Say why something is not possible."""
        if isinstance(error, OSError) and error.filename:
            self.say(f"Not possible: {error.filename}: {error.strerror}.")
        else:
            self.say(f"Not possible: {error}.")

    def on_app_page_failed(self, message: Failed) -> None:
        """Show an error that a user can understand. Any other error is a defect, and ends the app with a report."""
        if not isinstance(message.error, OutplayError | OSError):
            raise message.error
        self.refuse(message.error)

    # Work on other threads and in other processes

    def tell(self, message: Message) -> None:
        """Pass a message from any thread to this page, if the page still runs."""
        if self.is_running:
            self.post_message(message)

    def search(self, kind: str, task: Task[Found], found: Callable[[Found], Message]) -> Ticket[Found]:
        """Run a task in the pool of this kind; every report and the answer come as the message that `found` makes."""

        def done(future: Future[Found]) -> None:
            if not future.cancelled():
                error = future.exception()
                self.tell(found(future.result()) if error is None else self.Failed(error))

        pool = self.outplay.services.pool(kind)
        ticket = pool.submit(task, report=lambda so_far: self.tell(found(so_far)))
        ticket.future.add_done_callback(done)
        return ticket

    def with_store(self, work: Callable[[Store], Message | None], *, opens: bool = False) -> None:
        """Use the store on another thread. The page gets the message that `work` returns, if any, or `Failed`.

        `opens`: the work opens a game or a page, and the keys that follow are meant for it.
        """

        def run() -> None:
            try:
                message = work(self.outplay.services.store())
            except (OutplayError, OSError) as error:
                message = self.Failed(error)
            if message is not None:
                self.tell(message)

        worker = self.run_worker(run, thread=True, group="store")
        if opens:
            self.outplay.opening = worker

    @property
    def is_empty(self) -> bool:
        """True for an analysis board with nothing to keep; False for all other pages."""
        return False

    def leave(self) -> None:
        """Stop everything that runs for this page, because the app ends."""

    def hold(self) -> None:
        """End what runs for this page until `go_on`, because the shell comes to the foreground."""

    def go_on(self) -> None:
        """Start again what `hold` ended."""

    async def settle(self) -> None:
        """Wait until the commands so far are carried out."""

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

    def takes(self, event: events.Key | events.Paste) -> bool:
        """Return whether the page accepts this input now; while the cover hides it, only COVERED_KEYS."""
        return not self.query_one(TooSmall).display or (isinstance(event, events.Key) and event.key in COVERED_KEYS)

    def commands(self) -> list[Binding]:
        """Return the keys of this page, each command once; the keys of a table or list in it are left out."""
        general = {each.action for each in Screen.BINDINGS if isinstance(each, Binding)}
        told = [each.binding for each in self.active_bindings.values() if each.node is self]
        return list({each.action: each for each in told if each.description and each.action not in general}.values())

    def action_help(self) -> None:
        from outplay.tui.help import Help

        self.app.push_screen(Help(self))
