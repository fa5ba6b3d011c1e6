"""Measure how soon the coach speaks after a game: `python -m bench.coach [GAMES]`.

A real Chromium on a server of its own. Two seats of one person play random games of Connect Four, the last move with a
key. Reported is the time from the end of a game on the page to the words on the coach's card, median and worst, by the
clock: the machine should have nothing else to do.
"""

from __future__ import annotations

import random
import statistics
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from outplay import connect4
from tests.support.browser import NO_BROWSER, installed_browser
from tests.support.web_server import ServerProcess

WATCH = """() => {
  window.spoken = new Promise((tell) => {
    let over = 0;
    const look = () => {
      if (!over && document.querySelector('main[data-status="over"]')) over = performance.now();
      if (over && document.querySelector('.coach[data-coach="done"]')) tell(performance.now() - over);
      else requestAnimationFrame(look);
    };
    look();
  });
}"""


def random_moves(seed: int) -> list[str]:
    """Return a random game that is won."""
    chance, position, moves = random.Random(seed), connect4.Position(), list[str]()
    while position.outcome() is None:
        move = chance.choice(position.legal_moves())
        moves.append(position.format(move))
        position = position.play(move)
    return moves


def milliseconds(page: Page, url: str, moves: list[str]) -> float:
    """Return the time from the end of a game to the coach's words."""
    game = page.request.post(f"{url}/api/games", data={"game": "connect4", "seats": ["human", "human"]}).json()
    for move in moves[:-1]:
        answer = page.request.post(
            f"{url}/api/games/{game['id']}/moves", data={"version": game["version"], "move": move}
        )
        game = answer.json()
    page.goto(f"{url}/game/{game['id']}")
    page.locator(f'main[data-link="open"][data-plies="{len(moves) - 1}"]').wait_for()
    page.evaluate(WATCH)
    page.keyboard.press(moves[-1])
    found: float = page.evaluate("window.spoken")
    return found


def main(games: int) -> None:
    chromium = installed_browser()
    if chromium is None:
        raise SystemExit(NO_BROWSER)
    with (
        tempfile.TemporaryDirectory() as folder,
        ServerProcess(Path(folder)) as server,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_context(reduced_motion="reduce").new_page()
        page.goto(server.url)
        page.locator('main[data-link="open"]').wait_for()
        times = [milliseconds(page, server.url, random_moves(seed)) for seed in range(games)]
        browser.close()
    print(f"{games} games: median {statistics.median(times):.0f} ms, worst {max(times):.0f} ms")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 20)
