"""Measure the terminal app: `python -m bench.terminal [RUNS]`.

Processor time from the start of `outplay` to its first board, in a fresh interpreter each time; and, driven by
Textual's pilot, how long a key takes to be answered while an engine thinks: in both games, and on the analysis board.
"""

from __future__ import annotations

import asyncio
import gc
import statistics
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from textual.pilot import Pilot

from outplay.players import HUMAN, player
from outplay.record import Game
from outplay.rules import RULES
from outplay.tui.analyse import AnalysePage
from outplay.tui.app import OutplayApp
from outplay.tui.board_page import BoardPage
from outplay.tui.start import AppStart

RUNS, KEYS = 5, 100
SIZE = (120, 40)
OPPONENTS = {"connect4": "lab:mcts", "checkers": "level:8"}
FIRST_BOARD = """
import time
from outplay.cli.app import app
from outplay.tui.app import OutplayApp
from outplay.tui.start import AppStart

class Timed(OutplayApp):
    def on_ready(self):
        self.exit(time.process_time())

print(Timed(AppStart(db="memory")).run(headless=True))
"""


def first_board_ms(runs: int) -> list[float]:
    """Return the processor time of each start, in milliseconds."""
    found = []
    for _ in range(runs):
        done = subprocess.run([sys.executable, "-c", FIRST_BOARD], capture_output=True, text=True, check=True)
        found.append(1000 * float(done.stdout))
    return found


@asynccontextmanager
async def opened(start: AppStart) -> AsyncIterator[tuple[OutplayApp, Pilot[None]]]:
    """Run the app as its own program does, in memory."""
    app = OutplayApp(start, has_process=True)
    async with app.run_test(size=SIZE) as pilot:
        yield app, pilot
    gc.unfreeze()


async def game_key_ms(game: str, keys: int) -> list[float]:
    """Return how long each key takes until the screen shows its answer, while the opponent thinks."""
    start = AppStart(game=game, seats=(HUMAN, player(OPPONENTS[game])), time_ms=60_000, db="memory")
    async with opened(start) as (app, pilot):
        first = app.play.here.legal_moves()[0]
        app.play.enter(app.play.here.format(first))
        while app.play.state.thinking is None:
            await pilot.pause(0.01)
        found = await _flips(app.play, pilot, keys)
        assert app.play.state.status == "thinking", "the opponent moved before the last key"
        return found


async def analysis_key_ms(keys: int) -> list[float]:
    """Return how long each key takes on the analysis board, while lines of checkers deepen."""
    async with opened(AppStart(seats=(HUMAN, HUMAN), db="memory")) as (app, pilot):
        app.analyse(game=Game(RULES["checkers"].start()))
        while not (isinstance(app.screen, AnalysePage) and app.screen.judged):
            await pilot.pause(0.01)
        return await _flips(app.screen, pilot, keys)


async def _flips(page: BoardPage, pilot: Pilot[None], keys: int) -> list[float]:
    """Flip the board again and again; each answer is a whole new picture."""
    found = []
    for number in range(keys):
        before = page.seen.is_flipped
        began = time.perf_counter()
        page.app.simulate_key("f")
        while page.seen.is_flipped == before:
            await asyncio.sleep(0)
        page.board.render_line(0)  # draws the whole board
        found.append(1000 * (time.perf_counter() - began))
        await pilot.pause(0.02 + number % 5 / 100)
    return found


def main(runs: int = RUNS) -> None:
    starts = first_board_ms(runs)
    print(f"start to first board, processor time: {statistics.median(starts):.0f} ms (worst {max(starts):.0f})")
    for what, keys in (
        ("Connect Four", game_key_ms("connect4", KEYS)),
        ("checkers", game_key_ms("checkers", KEYS)),
        ("analysis of checkers", analysis_key_ms(KEYS)),
    ):
        taken = asyncio.run(keys)
        print(f"a key while an engine thinks, {what}: {statistics.median(taken):.1f} ms (worst {max(taken):.1f})")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else RUNS)
