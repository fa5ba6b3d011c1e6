"""Measure the terminal app: `python -m bench.terminal [RUNS]`.

Processor time from the start of `outplay` to its first board, in a fresh interpreter each time; and, driven by
Textual's pilot, how long a key takes to be answered while an engine thinks.
"""

from __future__ import annotations

import asyncio
import statistics
import subprocess
import sys
import time

from outplay.players import HUMAN, player
from outplay.tui.app import OutplayApp
from outplay.tui.start import AppStart

RUNS, KEYS = 5, 40
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


async def key_ms(keys: int) -> list[float]:
    """Return how long each key takes until the screen shows its answer, while an engine thinks."""
    seats = (HUMAN, player("lab:mcts"))
    app, found = OutplayApp(AppStart(seats=seats, time_ms=60_000, db="memory")), []
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("4")
        while app.play.state.thinking is None:
            await pilot.pause(0.01)
        for number in range(keys):
            before = app.play.seen.is_flipped
            began = time.perf_counter()
            app.simulate_key("f")
            while app.play.seen.is_flipped == before:
                await asyncio.sleep(0)
            app.play.board.render_line(0)  # draws the whole board
            found.append(1000 * (time.perf_counter() - began))
            await pilot.pause(0.02 + number % 5 / 100)
    return found


def main(runs: int = RUNS) -> None:
    starts = first_board_ms(runs)
    print(f"start to first board, processor time: {statistics.median(starts):.0f} ms (worst {max(starts):.0f})")
    keys = asyncio.run(key_ms(KEYS))
    print(f"a key while an engine thinks: {statistics.median(keys):.1f} ms (worst {max(keys):.1f})")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else RUNS)
