"""Measure the longest tasks of the pages in a browser: `python -m bench.long_tasks [RUNS]`.

A real Chromium on a server of its own. The analysis page with a game of two hundred moves is opened and walked through;
on the lab page a search tree is opened up to the three hundred positions that are drawn at most, and stepped through. A
page that is busy for longer than 100 ms feels stuck: reported is the longest task of each run on the main thread of the
page, as median and worst, in processor time and on the clock, which counts what else the machine has to do as well.
"""

from __future__ import annotations

import json
import random
import shutil
import statistics
import sys
import tempfile
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from playwright.sync_api import Browser, Page, sync_playwright

from bench.first_paint import BROWSERS
from bench.web_load import ending, start_server
from outplay import checkers
from outplay.notation import write
from outplay.record import Game

PLIES = 200
NODES = 300
CATEGORIES = ["toplevel", "disabled-by-default-devtools.timeline", "__metadata"]


class Longest(NamedTuple):
    """Milliseconds."""

    busy: float
    clock: float


def long_game(plies: int) -> str:
    """Return a random game of this many plies."""
    for seed in range(1000):
        chance, game = random.Random(seed), Game(checkers.Position(), no_progress=None)
        while game.outcome() is None and game.ply < plies:
            game.play(chance.choice(game.position.legal_moves()))
        if game.ply == plies:
            return write(game)
    raise SystemExit(f"no game by chance has {plies} moves")


def save_game(url: str) -> str:
    """Save a long game on the server, and return its id."""
    body = json.dumps({"text": long_game(PLIES)}).encode()
    request = urllib.request.Request(f"{url}/api/library/import", body, {"content-type": "application/json"})
    with urllib.request.urlopen(request) as answer:
        game: str = json.load(answer)["ids"][0]
        return game


def walk_game(page: Page, url: str, game: str) -> None:
    page.goto(f"{url}/analyse?game={game}")
    page.locator(f'main[data-ply="{PLIES}"]').wait_for()
    for key in ["Home", *["j"] * 60, "End", *["k"] * 60]:
        page.keyboard.press(key)
    page.locator(f'main[data-ply="{PLIES - 60}"]').wait_for()


def walk_tree(page: Page, url: str) -> None:
    page.goto(f"{url}/lab?game=connect4&pos=44&depth=4&use=none")
    page.locator('main[data-lab="done"]').wait_for()
    while page.locator(".node").count() < NODES - 7:
        page.locator('.node[aria-expanded="false"]').first.dispatch_event("click")
    for key in ["Home", *["j"] * 60, "End", *["k"] * 60]:
        page.keyboard.press(key)


def longest(browser: Browser, visit: Callable[[Page], None]) -> Longest:
    """Return the longest task of a visit, from the browser's own trace of its threads."""
    context = browser.new_context(viewport={"width": 1280, "height": 860}, reduced_motion="reduce")
    page = context.new_page()
    browser.start_tracing(page=page, categories=CATEGORIES)
    visit(page)
    events = json.loads(browser.stop_tracing())["traceEvents"]
    context.close()
    main = {(event["pid"], event["tid"]) for event in events if event.get("args", {}).get("name") == "CrRendererMain"}
    tasks = [event for event in events if event["name"] == "RunTask" and (event["pid"], event["tid"]) in main]
    return Longest(*(max(task.get(key, 0) for task in tasks) / 1000 for key in ("tdur", "dur")))


def main() -> None:
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    if found is None:
        raise SystemExit(f"no browser: none of {', '.join(BROWSERS)} is installed")
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        process, url = start_server(str(Path(name) / "games.sqlite3"))
        game = save_game(url)
        browser = playwright.chromium.launch(executable_path=found, args=["--no-sandbox", "--disable-gpu"])
        print("| longest task | processor, median | worst | clock, median | worst |\n|---|---|---|---|---|")
        visits: dict[str, Callable[[Page], None]] = {
            f"a game of {PLIES} moves, opened and walked": lambda page: walk_game(page, url, game),
            f"a tree of {NODES} positions, opened and walked": lambda page: walk_tree(page, url),
        }
        for what, visit in visits.items():
            longest(browser, visit)  # the browser itself has to wake up
            tasks = [longest(browser, visit) for _ in range(runs)]
            values = [
                f"{worth(times):.0f} ms" for times in zip(*tasks, strict=True) for worth in (statistics.median, max)
            ]
            print(f"| {what} | {' | '.join(values)} |")
        browser.close()
        ending(process)


if __name__ == "__main__":
    main()
