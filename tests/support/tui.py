"""Drive the terminal app without a terminal: keys, clicks, and what the screen says."""

from __future__ import annotations

import asyncio
import os
import random
import time
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any
from unittest import mock

from textual import events
from textual.keys import _character_to_key
from textual.pilot import Pilot
from textual.widgets import Input

from outplay.rules import RULES
from outplay.tui.app import OutplayApp
from outplay.tui.sentence import Sentence
from outplay.tui.start import AppStart

WAIT = 30
"""The most seconds that something may take to appear."""
Script = Callable[["Player"], Awaitable[None]]


class Player:
    """A person at the app."""

    def __init__(self, app: OutplayApp, pilot: Pilot[None]) -> None:
        self.app, self.pilot = app, pilot

    @property
    def state(self) -> Any:
        return self.app.play.state

    @property
    def sentence(self) -> str:
        """What is said at the top of the page; empty while it is being built."""
        return "\n".join(found.text for found in self.app.screen.query(Sentence))

    @property
    def board(self) -> Any:
        return self.app.play.board

    async def press(self, *keys: str) -> None:
        await self.pilot.press(*keys)

    async def burst(self, *keys: str) -> None:
        """Press keys that arrive together, as from a slow line or a script, and wait until all are carried out."""
        for key in keys:
            name = _character_to_key(key) if len(key) == 1 else key
            self.app.post_message(events.Key(name, key if len(key) == 1 else None))
        done = asyncio.Event()
        self.app.call_later(done.set)  # behind all the keys
        await asyncio.wait_for(done.wait(), WAIT)
        await self.app._settle()

    async def type(self, text: str) -> None:
        """Type a text after /, and Enter."""
        await self.pilot.press("slash")
        await self.paste(text)
        await self.pilot.press("enter")

    async def paste(self, text: str) -> None:
        from textual.events import Paste

        await self.until(lambda: isinstance(self.app.focused, Input))
        focused = self.app.focused
        assert isinstance(focused, Input)
        focused.post_message(Paste(text))
        await self.until(lambda: focused.value)

    async def click(self, cell: int) -> None:
        """Click on a cell of the board."""
        board = self.board
        x, y = next(
            (x, y)
            for y in range(board.size.height)
            for x in range(board.size.width)
            if board.cell_at(board.drawing, x - board._left, 2 * y) == cell
            and board.cell_at(board.drawing, x + 1 - board._left, 2 * y + 2) == cell
        )
        await self.pilot.click(board, offset=(x + 1, y))

    async def walk_to(self, square: int) -> None:
        """Move the cursor of checkers to a square with the arrows, from wherever it stands."""
        board = self.board
        if board.cursor is None:
            await self.press("down")
        for _ in range(32):
            if board.cursor == square:
                return
            rows = [(each - 1) // 4 for each in (board.cursor, square)]
            vertical = "up" if rows[0] > rows[1] else "down"
            sideways = "left" if (board.cursor - 1) % 4 > (square - 1) % 4 else "right"
            await self.press(vertical if rows[0] != rows[1] else sideways)
        raise AssertionError(f"the arrows never came to {square}, but to {board.cursor}")

    async def until(self, holds: Callable[[], object]) -> None:
        """Wait for what should appear."""
        deadline = time.monotonic() + WAIT
        while not holds():
            assert time.monotonic() < deadline, f"it never happened; the screen says {self.sentence!r}"
            await self.pilot.pause(0.01)

    async def until_ply(self, ply: int) -> None:
        await self.until(lambda: self.state.ply >= ply or self.state.status == "over")

    async def until_shown(self) -> None:
        """Wait until the board shows the game as it stands."""
        play = self.app.play
        await self.until(lambda: play._version == self.state.version)


def drive(
    script: Script,
    start: AppStart | None = None,
    *,
    size: tuple[int, int] = (80, 24),
    is_light: bool = False,
    **env: str,
) -> OutplayApp:
    """Run the app in memory and let a player use it."""

    async def run() -> OutplayApp:
        begin = start or AppStart()
        app = OutplayApp(begin if begin.db else replace(begin, db="memory"), is_light=is_light)
        async with app.run_test(size=size) as pilot:
            await script(Player(app, pilot))
        return app

    patient = mock.patch("outplay.tui.app.PATIENCE_SECONDS", WAIT)  # a slow machine changes nothing
    with patient, mock.patch.dict(os.environ, {"COLORTERM": "truecolor", "TERM": "xterm-256color", **env}):
        os.environ.pop("NO_COLOR", None) if "NO_COLOR" not in env else None
        return asyncio.run(run())


def some_game(game: str, seed: int) -> list[str]:
    """A whole game at random, as the rules allow it."""
    position, choose, texts = RULES[game].start(), random.Random(seed), list[str]()
    while position.outcome() is None and len(texts) < 300:
        move = choose.choice(position.legal_moves())
        texts.append(position.format(move))
        position = position.play(move)
    return texts
