"""A person at the page: looks, clicks, taps and types, and records the browser's complaints."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Literal

from playwright.sync_api import BrowserContext, ConsoleMessage, Locator, Page, WebError, expect

from tests.support import ROOT
from tests.support.web_server import Game, Json, ServerProcess

DESKTOP = {"width": 1280, "height": 860}
PHONE = {"width": 390, "height": 844}
STATIC = ROOT / "src" / "outplay" / "web" / "static"
"""The pages, once they are built."""
WAIT_MS = 60_000
"""The most time that a test waits for something certain; the machine may be busy."""

Status = Literal["human", "thinking", "paused", "failed", "over"]


class Visitor:
    """A browser window of its own, with one or more tabs. It shares nothing with other windows."""

    def __init__(self, context: BrowserContext, server: ServerProcess) -> None:
        self.context, self.server = context, server
        self.complaints: list[str] = []
        """Errors in the console of any tab, and uncaught exceptions."""
        self._tolerated: list[str] = []
        context.on("console", self._hear)
        context.on("weberror", self._hear_error)
        self.page = context.new_page()

    def _hear(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self._note(f"{message.type}: {message.text} ({message.location['url']})")

    def _hear_error(self, error: WebError) -> None:
        self._note(f"uncaught: {error.error}")

    def _note(self, complaint: str) -> None:
        if not any(re.search(pattern, complaint) for pattern in self._tolerated):
            self.complaints.append(complaint)

    def tolerate(self, pattern: str) -> None:
        """Ignore complaints that contain this: the test is about what causes it."""
        self._tolerated.append(pattern)

    def new_tab(self) -> Tab:
        return Tab(self.context.new_page(), self.server)

    @property
    def tab(self) -> Tab:
        return Tab(self.page, self.server)


NewVisitor = Callable[..., Visitor]
"""Opens a window, on a server of the test's own or the one for all."""


class Tab:
    """One page, and the words to talk about it."""

    def __init__(self, page: Page, server: ServerProcess) -> None:
        self.page, self.server = page, server

    # Going places

    def visit(self, path: str) -> Tab:
        """Go to an address."""
        self.page.goto(self.server.url + path)
        return self

    def play(self, path: str = "/") -> Tab:
        """Go to an address with a game, and wait until it can be played."""
        return self.visit(path).sees(link="open")

    def open(self, game: Game) -> Tab:
        return self.play(f"/game/{game.view['id']}")

    # Looking

    def sees(self, **data: object) -> Tab:
        """Wait until the page has this state: its game's status, the number of plies, its link to the server."""
        wanted = "".join(f'[data-{name}="{value}"]' for name, value in data.items())
        self.page.locator(f"main{wanted}").wait_for(state="attached")
        return self

    def sees_turn(self, plies: int) -> Tab:
        """Wait until a human is to move after `plies` plies, or the game is over."""
        turn = f'main[data-status="human"][data-plies="{plies}"]'
        self.page.locator(f'{turn}, main[data-status="over"]').wait_for(state="attached")
        return self

    def sees_more_than(self, plies: int) -> Tab:
        """Wait until more plies than this have been played."""
        fewer = "".join(f':not([data-plies="{number}"])' for number in range(plies + 1))
        self.page.locator(f"main[data-plies]{fewer}").wait_for(state="attached")
        return self

    @property
    def status(self) -> str | None:
        return self.page.locator("main").get_attribute("data-status")

    @property
    def plies(self) -> int:
        return int(self.page.locator("main").get_attribute("data-plies") or 0)

    @property
    def game_id(self) -> str:
        """The id of the game in the page's address."""
        expect(self.page).to_have_url(re.compile("/game/"))
        return self.address.split("/game/")[1].split("?")[0]

    @property
    def address(self) -> str:
        """Where the page is, as it knows itself: `page.url` hears of it a moment later."""
        address: str = self.page.evaluate("location.href")
        return address

    def game(self) -> Game:
        """The game on the page, as the server has it."""
        game = Game(self.server.client, {"id": self.game_id})
        game.look()
        return game

    @property
    def sentence(self) -> Locator:
        """The sentence above the board: what happened, or what was refused."""
        return self.page.locator(".stagehead strong")

    @property
    def head(self) -> Locator:
        """The sentence and the line under it."""
        return self.page.locator(".stagehead")

    @property
    def board(self) -> Locator:
        return self.page.locator("svg.board")

    def cell(self, cell: int) -> Locator:
        return self.page.locator(f'[data-cell="{cell}"]')

    def does_not_overflow(self) -> bool:
        """Return True if nothing reaches past the right edge of the window."""
        fits: bool = self.page.evaluate(
            """async () => {
              await new Promise(requestAnimationFrame);
              return document.documentElement.scrollWidth <= window.innerWidth;
            }"""
        )
        return fits

    # Doing

    def press(self, *keys: str) -> Tab:
        for key in keys:
            self.page.keyboard.press(key)
        return self

    def do(self, action: str) -> Tab:
        """One of the buttons under the board, or on a phone one behind Menu."""
        self.action(action).click()
        return self

    def action(self, action: str) -> Locator:
        return self.page.locator(f'[data-action="{action}"]').first

    def click(self, name: str, role: Any = "button") -> Tab:
        self.page.get_by_role(role, name=name, exact=True).click()
        return self

    def select(self, name: str, value: str) -> Tab:
        """In the panel for a new game."""
        self.page.get_by_role("combobox", name=name).select_option(value)
        return self

    def start_the_game(self) -> Tab:
        """Leave the panel for a new game, and wait until that game is on the page."""
        self.click("Start the game")
        self.page.locator(".newgame").wait_for(state="detached")
        return self.sees(link="open")

    def set_slider(self, position: int) -> Tab:
        """From 0, turbo, to 100, slow."""
        self.page.get_by_label("Thinking time per move").fill(str(position))
        return self


def moves_of(game: Game) -> list[str]:
    """Return the moves that were played, as the server has them."""
    game.look()
    return game.texts


def taps_of(move: Json, legal: list[Json]) -> list[int]:
    """Return the squares to tap for a move: its ends, and one square where paths with the same ends differ."""
    path = move["path"]
    taps = [path[0], path[-1]]
    rivals = [other["path"] for other in legal if other["path"][0] == path[0] and other["path"][-1] == path[-1]]
    while len(rivals) > 1:
        parting = next(i for i in range(len(path)) if any(rival[i] != path[i] for rival in rivals))
        taps.append(path[parting])
        rivals = [rival for rival in rivals if rival[parting] == path[parting]]
    return taps
