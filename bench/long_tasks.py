"""Measure the longest tasks of the pages in a browser: `python -m bench.long_tasks [RUNS]`.

A real Chromium on a server of its own. The analysis page with a game of two hundred moves is opened and walked through;
on the lab page a search tree is opened up to the three hundred positions that are drawn at most, and stepped through;
a teacher's page shows a class that comes in, is paired and plays thirty games at once. A page that is busy for longer
than 100 ms feels stuck: reported is the longest task of each run on the main thread of the page, as median and worst,
in processor time and on the clock, which counts what else the machine has to do as well.
"""

from __future__ import annotations

import json
import random
import secrets
import statistics
import sys
import tempfile
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import httpx2
from playwright.sync_api import Browser, Page, expect, sync_playwright

from bench.web_load import ending, start_server
from outplay import checkers
from outplay.notation import write
from outplay.record import Game
from tests.support.browser import NO_BROWSER, installed_browser

PLIES = 200
NODES = 300
BOARDS = 30
TURNS = 6
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


def pupil(url: str, code: str, number: int) -> httpx2.Client:
    """Return a pupil who has joined a class, at a computer of its own."""
    headers = {"authorization": f"Bearer {secrets.token_hex(16)}", "x-forwarded-for": f"10.0.0.{number + 1}"}
    client = httpx2.Client(base_url=url, headers=headers, timeout=60)
    client.post(f"/api/classes/{code}/join", json={"name": f"Pupil {number}"}).raise_for_status()
    return client


def watch_class(page: Page, url: str) -> None:
    page.goto(f"{url}/class/NEW")
    page.get_by_role("button", name="Open the class").click()
    page.locator('main[data-people="0"]').wait_for()
    code = page.url.rsplit("/", 1)[1]
    pupils = [pupil(url, code, number) for number in range(2 * BOARDS)]
    page.locator(f'main[data-people="{2 * BOARDS}"]').wait_for()
    tiles = page.evaluate(
        """async (path) => {
          const { people } = await (await fetch(path)).json();
          const ids = new Map(people.map((one) => [Number(one.name.split(" ")[1]), one.person]));
          const pairs = people.filter((_, i) => i % 2).map((_, i) => [ids.get(2 * i), ids.get(2 * i + 1)]);
          const headers = { "content-type": "application/json" };
          const answer = await fetch(`${path}/pair`, { method: "POST", headers, body: JSON.stringify({ pairs }) });
          return (await answer.json()).tiles;
        }""",
        f"/api/classes/{code}",
    )
    page.locator(".tile").nth(BOARDS - 1).wait_for()
    for turn in range(TURNS):
        for tile in tiles:
            mover = pupils[int(tile["names"][turn % 2].split(" ")[1])]
            move = {"version": turn, "move": str(1 + turn)}
            mover.post(f"/api/games/{tile['id']}/moves", json=move).raise_for_status()
    expect(page.locator(".tile .mini use")).to_have_count(BOARDS * TURNS)
    for client in pupils:
        client.close()


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
    found = installed_browser()
    if found is None:
        raise SystemExit(NO_BROWSER)
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        process, url = start_server(str(Path(name) / "games.sqlite3"))
        game = save_game(url)
        browser = playwright.chromium.launch(executable_path=found, args=["--no-sandbox", "--disable-gpu"])
        print("| longest task | processor, median | worst | clock, median | worst |\n|---|---|---|---|---|")
        visits: dict[str, Callable[[Page], None]] = {
            f"a game of {PLIES} moves, opened and walked": lambda page: walk_game(page, url, game),
            f"a tree of {NODES} positions, opened and walked": lambda page: walk_tree(page, url),
            f"a class with {BOARDS} boards, {TURNS} moves on each": lambda page: watch_class(page, url),
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
