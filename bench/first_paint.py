"""Measure how soon the first page is ready: `python -m bench.first_paint [RUNS]`.

A real Chromium visits a new server, each time as a first visit with an empty cache. Reported, as median and worst: the
first paint, the time until a person can play (the board is shown and the game's socket is open), and the compressed
bytes that were loaded.
"""

from __future__ import annotations

import gzip
import statistics
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from playwright.sync_api import Browser, sync_playwright

from bench.web_load import ending, start_server
from tests.support.browser import NO_BROWSER, installed_browser

STATIC = Path(__file__).parents[1] / "src" / "outplay" / "web" / "static"
_TIMES = """
  () => ({
    painted: performance.getEntriesByName("first-contentful-paint")[0].startTime,
    playable: performance.now(),
    loaded: [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")]
      .reduce((sum, entry) => sum + entry.transferSize, 0),
  })
"""


class Visit(NamedTuple):
    """Milliseconds from the request of the page, and bytes."""

    painted: float
    playable: float
    loaded: int


def visit(browser: Browser, url: str) -> Visit:
    context = browser.new_context(viewport={"width": 1280, "height": 860})
    page = context.new_page()
    page.goto(url)
    page.locator('main[data-link="open"][data-status="human"]').wait_for(state="attached")
    times = page.evaluate(_TIMES)
    context.close()
    return Visit(times["painted"], times["playable"], times["loaded"])


def javascript() -> int:
    """Return the bytes of all our JavaScript, compressed."""
    return sum(len(gzip.compress(path.read_bytes())) for path in STATIC.rglob("*.js"))


def main() -> None:
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    found = installed_browser()
    if found is None:
        raise SystemExit(NO_BROWSER)
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        process, url = start_server(str(Path(name) / "games.sqlite3"))
        browser = playwright.chromium.launch(executable_path=found, args=["--no-sandbox", "--disable-gpu"])
        visit(browser, url)  ## the first visit starts the browser
        visits = [visit(browser, url) for _ in range(runs)]
        browser.close()
        ending(process)
    print(f"{runs} first visits; JavaScript {javascript() / 1000:.1f} kB packed")
    print("| | median | worst |\n|---|---|---|")
    for what, unit, values in (
        ("first paint", "ms", [one.painted for one in visits]),
        ("ready to play", "ms", [one.playable for one in visits]),
        ("loaded", "kB", [one.loaded / 1000 for one in visits]),
    ):
        print(f"| {what} | {statistics.median(values):.0f} {unit} | {max(values):.0f} {unit} |")


if __name__ == "__main__":
    main()
