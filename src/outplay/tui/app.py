"""The app: its pages, its theme, the commands of the palette, and how it ends."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import signal
import time
import traceback
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from textual import events
from textual.app import App, SystemCommand
from textual.binding import Binding, BindingType
from textual.filter import Monochrome, NoColor
from textual.screen import Screen
from textual.widgets import Input
from textual.worker import Worker, WorkerError

from outplay import __version__, places
from outplay.record import AnyGame
from outplay.tui.boards.palette import Rgb, rgb
from outplay.tui.page import PAGES, AppPage
from outplay.tui.play import PlayPage
from outplay.tui.services import Services
from outplay.tui.start import AppStart
from outplay.tui.theme import DARK, LIGHT, board_depth, has_light_background

if TYPE_CHECKING:
    from outplay.store import SavedGame
    from outplay.tui.analyse import AnalysePage


PATIENCE_SECONDS = 2.0
"""The longest time that a key waits for the effects of the key before it. Only a stuck page takes this long."""


class OutplayApp(App[None]):
    """Connect Four and checkers in a terminal."""

    TITLE = "outplay"
    CSS_PATH = Path(__file__).with_name("app.tcss")
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+c,ctrl+q", "quit", "Leave", show=False, priority=True),
        Binding("ctrl+z", "suspend_process", "To the shell", show=False, priority=True),
    ]

    def __init__(self, start: AppStart, *, is_light: bool = False, has_process: bool = False) -> None:
        """Make the app. `has_process`: the app has the process to itself, and may tune the garbage collector."""
        super().__init__()
        self._has_process = has_process
        self.begin, self.services = start, Services(start.db)
        self.report: Path | None = None
        """The path of the report of a crash."""
        self.opening: Worker[None] | None = None
        """The newest work that opens a game or a page; keys pressed after it are meant for what it opens."""
        self._pages: dict[str, AppPage] = {}
        self.register_theme(DARK)
        self.register_theme(LIGHT)
        self.theme = LIGHT.name if is_light else DARK.name
        self.board_depth = board_depth(self.console.color_system, no_color=self.no_color)
        if self.no_color:
            self._filters = [NoColor() if isinstance(each, Monochrome) else each for each in self._filters]
            self.add_class("no-color")

    @property
    def ink(self) -> Rgb:
        """The colour of text."""
        return rgb(self.theme_variables["foreground"])

    @property
    def play(self) -> PlayPage:
        page = self._page("play")
        assert isinstance(page, PlayPage)
        return page

    def on_mount(self) -> None:
        with contextlib.suppress(NotImplementedError, RuntimeError, ValueError):  # only on the main thread
            asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, self.exit)  # SIGHUP: no window to restore
        self.app_suspend_signal.subscribe(self, lambda _: self._hold(), immediate=True)  # a queued call is too late
        self.app_resume_signal.subscribe(self, lambda _: self._go_on())
        self.push_screen(self._page("play"))
        if self.begin.page != "play":
            self.action_page(self.begin.page)
        self.call_after_refresh(self.services.begin, self._spare)

    def on_ready(self) -> None:
        self._spare()

    def _spare(self) -> None:
        """Exempt everything that is loaded now from garbage collection.

        It stays loaded until the end. A full collection took 50 to 70 ms, and keys had to wait (bench/terminal).
        """
        if self._has_process:
            gc.freeze()

    async def on_unmount(self) -> None:
        for page in self._pages.values():
            page.leave()
        await asyncio.get_running_loop().run_in_executor(None, self.services.close)

    def _hold(self) -> None:
        """Stop all that runs, because the shell comes to the foreground."""
        for page in self._pages.values():
            page.hold()
        self.services.rest()

    def _go_on(self) -> None:
        for page in self._pages.values():
            page.go_on()

    # Keys

    async def on_event(self, event: events.Event) -> None:
        """Carry out each key before the next one is read, even if several arrive together.

        Textual passes a key through the queues of the focused widget and of all widgets around it, and only then looks
        for its binding. On the way, keys that arrive together can overtake each other: then the text typed after /
        misses the line that / opens.
        """
        if not isinstance(event, events.Key | events.Paste) or event.is_forwarded:
            await super().on_event(event)
            return
        await self._settle()
        if isinstance(self.screen, AppPage) and not self.screen.takes(event):
            return
        if isinstance(event, events.Key) and not (event.is_printable and isinstance(self.focused, Input)):
            is_done = await self._check_bindings(event.key, priority=True) or await self._check_bindings(event.key)
            if is_done or not self.screen.is_modal:
                return
        await super().on_event(event)

    async def _settle(self) -> None:
        """Wait until everything that the earlier keys started is done."""
        with contextlib.suppress(TimeoutError, WorkerError):
            await _pass_through(self.screen)
            if isinstance(self.screen, AppPage):
                await asyncio.wait_for(self.screen.settle(), PATIENCE_SECONDS)
                opening, self.opening = self.opening, None  # no two keys wait for the same
                if opening is not None:
                    await asyncio.wait_for(opening.wait(), PATIENCE_SECONDS)
                await _pass_through(self.screen)

    # Pages

    def action_page(self, name: str) -> None:
        """Open a page. The page that was open stays as it is until the user returns to it."""
        page = self._page(name)
        if self.screen is not page and self.play.has_moves and page.is_empty:
            self.play.action_analyse()
        else:
            self._show(page)

    def _show(self, page: AppPage) -> None:
        """Show a page, unless a dialog or the palette is open: on closing, these would remove the new page instead."""
        if not self.screen.is_modal and self.screen is not page:
            self.switch_screen(page)

    def _page(self, name: str) -> AppPage:
        if name not in self._pages:
            self._pages[name] = self._new_page(name)
            self.install_screen(self._pages[name], name)  # so that it stays when another page is shown
            self.call_after_refresh(self._spare)
        return self._pages[name]

    def _new_page(self, name: str) -> AppPage:
        """Make a page when it is first opened, so that its modules are imported only then."""
        if name == "analyse":
            from outplay.record import Game
            from outplay.tui.analyse import AnalysePage
            from outplay.tui.study import StudyTree

            return AnalysePage(StudyTree.of(Game(self.play.state.start)))
        if name == "learn":
            from outplay.tui.learn import LearnPage

            return LearnPage()
        if name == "puzzles":
            from outplay.tui.puzzles import PuzzlesPage

            return PuzzlesPage()
        if name == "lab":
            from outplay.tui.lab import LabPage

            return LabPage(self.play.state.position)
        if name == "library":
            from outplay.tui.library import LibraryPage

            return LibraryPage()
        return PlayPage(self.begin)

    def analyse(self, saved: SavedGame | None = None, game: AnyGame | None = None) -> AnalysePage:
        """Open the analysis board with a saved game, or with a game that is in no store."""
        from outplay.tui.analyse import AnalysePage

        page = self._page("analyse")
        assert isinstance(page, AnalysePage)
        if saved is not None:
            page.open_saved(saved)
        elif game is not None:
            page.open_game(game)
        self._show(page)
        return page

    def action_change_theme(self) -> None:
        self.theme = LIGHT.name if self.theme == DARK.name else DARK.name

    def get_system_commands(self, screen: Screen[object]) -> Iterable[SystemCommand]:
        for name, title in PAGES.items():
            yield SystemCommand(title, f"Open the page {title}", lambda name=name: self.action_page(name))
        if isinstance(screen, AppPage):
            for told in screen.commands():
                if not told.action.startswith("app.page"):
                    yield SystemCommand(
                        told.description,
                        f"The same as the key {self.get_key_display(told)}",
                        lambda action=told.action: self.call_later(screen.run_action, action),
                    )
        yield SystemCommand("Leave", "End outplay; your games are saved", self.exit)

    # Ends

    def _handle_exception(self, error: Exception) -> None:
        """Write a report before the terminal is restored; `run` prints its path."""
        if self.report is None:
            self.report = write_report(error)
        super()._handle_exception(error)

    def _fatal_error(self) -> None:
        self._close_messages_no_wait()


async def _pass_through(screen: Screen[Any]) -> None:
    """Wait until every message from the focused widget has passed all queues and reached the screen."""
    path = [screen] if screen.focused is None else screen.focused.ancestors_with_self
    for node in path[: path.index(screen) + 1]:
        passed = asyncio.Event()
        if node.call_later(passed.set):
            await asyncio.wait_for(passed.wait(), PATIENCE_SECONDS)


def write_report(error: Exception) -> Path | None:
    """Write what is known about a crash to a file, and return its path; None if that fails too."""
    folder = places.data_folder()
    path = folder / f"crash-{time.strftime('%Y%m%d-%H%M%S')}.txt"
    text = "".join(traceback.format_exception(error))
    try:
        folder.mkdir(parents=True, exist_ok=True)
        path.write_text(f"outplay {__version__}\n\n{text}", encoding="utf-8")
    except OSError:
        return None
    return path


def run(start: AppStart) -> int:
    """Run the app in this terminal until the player leaves; return the exit code."""
    app = OutplayApp(start, is_light=has_light_background(), has_process=True)
    app.run()
    if app._exception is not None:
        where = "" if app.report is None else f" The report is in {app.report}."
        print(f"outplay failed: {app._exception!r}.{where} Your games are saved.")
    return app.return_code or 0
