"""The board in a real JupyterLab: a kernel, a page, clicks that arrive and answers that are drawn."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

pytest.importorskip("anywidget", reason="anywidget is not installed: pip install 'outplay[notebook]'")
pytestmark = pytest.mark.slow
WAIT_MS = 120_000
CELLS = (
    "from outplay import Game, connect4\nfrom outplay.notebook import Board\n"
    "def lowest(position):\n    return position.legal_moves()[0]\n"
    "board = Board('connect4', opponent=lowest, scores=True)\nboard",
    "Board('checkers', arrows=['11-15'])",
    "game = Game(connect4.Position())\nfor column in '4455667':\n    game.play(column)\nBoard(game)",
    "from outplay.lab import Techniques, find_evaluation, trace\n"
    "found = trace(connect4.Position.from_moves('112'), 2, Techniques.of('alphabeta'), "
    "find_evaluation('classic', 'connect4'))\nBoard(found)",
)


def notebook() -> str:
    """The cells as a notebook file that was never run."""
    cells: list[dict[str, Any]] = [
        {"cell_type": "code", "id": f"cell{n}", "source": text, "metadata": {}, "outputs": [], "execution_count": None}
        for n, text in enumerate(CELLS)
    ]
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    return json.dumps({"cells": cells, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5})


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a JupyterLab with a folder of its own; nothing of the user's is read or written."""
    if shutil.which("jupyter-lab", path=str(Path(sys.executable).parent)) is None:
        pytest.skip("JupyterLab is not installed: pip install --group notebook")
    folder = tmp_path_factory.mktemp("lab")
    (folder / "boards.ipynb").write_text(notebook(), encoding="utf-8")
    own = {name: str(folder / ".jupyter") for name in ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "IPYTHONDIR", "HOME")}
    command = [sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root", "--ip=127.0.0.1", "--port=0"]
    options = [
        "--LabApp.expose_app_in_browser=True",
        "--IdentityProvider.token=",
        "--ServerApp.root_dir=" + str(folder),
    ]
    environment = {**os.environ, **own}
    with subprocess.Popen(
        [*command, *options], cwd=folder, env=environment, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stderr is not None
        for line in process.stderr:
            if found := re.search(r"http://127\.0\.0\.1:\d+/", line):
                break
        else:
            pytest.fail("JupyterLab did not start")
        threading.Thread(target=process.stderr.read, daemon=True).start()  # so that its pipe never fills
        yield found[0]
        process.terminate()


@pytest.fixture
def page(browser: Browser, lab: str) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1280, "height": 1400})
    context.set_default_timeout(WAIT_MS)
    page = context.new_page()
    page.goto(f"{lab}lab/tree/boards.ipynb")
    page.get_by_text("(ipykernel) | Idle").wait_for()
    page.evaluate("void window.jupyterapp.commands.execute('notebook:run-all-cells')")
    yield page
    context.close()


def boards(page: Page) -> Locator:
    return page.locator(".outplay")


def test_the_board_of_the_app_plays_replays_and_walks_in_jupyterlab(page: Page) -> None:
    first = boards(page).nth(0)
    said = first.get_by_role("status")
    expect(said).to_have_text("Red to move", timeout=WAIT_MS)
    expect(first.locator(".chips li")).to_have_count(7)
    first.locator("[data-cell='38']").click()  # the lowest cell of the middle column
    expect(first.get_by_label("Column 4, row 1, red disc")).to_be_visible(timeout=WAIT_MS)
    expect(first.get_by_label("Column 1, row 1, yellow disc, last move")).to_be_visible(timeout=WAIT_MS)
    expect(first.locator(".at")).to_have_text("2 / 2")
    first.get_by_role("button", name="First position").click()
    expect(first.get_by_label("Column 4, row 1, empty")).to_be_visible(timeout=WAIT_MS)

    men = boards(page).nth(1)
    men.scroll_into_view_if_needed()
    men.get_by_label("Square 11, black man").click()
    men.get_by_label("Square 15").click()
    expect(men.get_by_role("status")).to_have_text("White to move", timeout=WAIT_MS)
    expect(men.get_by_label("Square 15, black man, last move")).to_be_visible()

    replay = boards(page).nth(2)
    replay.scroll_into_view_if_needed()
    expect(replay.get_by_role("status")).to_have_text("Red wins: four in a row", timeout=WAIT_MS)
    replay.get_by_role("button", name="One back").click()
    expect(replay.get_by_role("status")).to_have_text("Red to move", timeout=WAIT_MS)

    walk = boards(page).nth(3)
    walk.scroll_into_view_if_needed()
    expect(walk.get_by_role("status")).to_contain_text("The search begins here", timeout=WAIT_MS)
    walk.get_by_role("button", name="One on").click()
    expect(walk.get_by_role("status")).to_contain_text("Ply 1.", timeout=WAIT_MS)
