"""The pictures of the README and the docs, made by `pytest tests/browser/test_pictures.py --screenshots`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import expect

from tests.browser.brain import good_move
from tests.browser.conftest import DESKTOP, PHONE, NewVisitor
from tests.browser.visitor import Tab
from tests.web_server import new_game

FOLDER = Path(__file__).parents[2] / "docs" / "img"
MOST_BYTES = 200_000
BEFORE_THE_SLIP = "B:W21,22,23,25,27,28,K5:B2,7,12,14,15,18,K30"
Scheme = Literal["light", "dark"]


def connect_four(tab: Tab) -> None:
    """In the middle of a game against a level, the mouse over a column."""
    game = new_game(tab.server.client, seats=["human", "level:3"], seed=1)
    tab.open(game)
    for plies in range(2, 16, 2):
        tab.press(good_move(game.look())["text"]).sees(status="human", plies=plies)
    tab.cell(4).hover()


def checkers(tab: Tab) -> None:
    """A refused move, with the rule against it."""
    for seed in range(50):  # until the engine slips
        game = new_game(tab.server.client, "checkers", ["level:1", "human"], position=BEFORE_THE_SLIP, seed=seed)
        tab.open(game).sees(status="human", plies=1)
        if any(move["captures"] for move in game.look()["legal"]):
            break
    tab.cell(28).click()
    tab.cell(24).click()
    expect(tab.page.get_by_role("alert")).to_be_visible()


def match(tab: Tab) -> None:
    """Two engines, paused, with the slider."""
    game = new_game(
        tab.server.client, seats=["level:6", "lab:five-phase"], position="44444322", time_ms=800, paused=True, seed=1
    )
    tab.open(game)
    for plies in range(1, 5):
        tab.do("step").sees(status="paused", plies=plies)


PICTURES: dict[str, tuple[Callable[[Tab], None], dict[str, int], Scheme]] = {
    "connect4": (connect_four, DESKTOP, "light"),
    "connect4-dark": (connect_four, DESKTOP, "dark"),
    "connect4-phone": (connect_four, PHONE, "light"),
    "checkers": (checkers, DESKTOP, "light"),
    "checkers-phone-dark": (checkers, PHONE, "dark"),
    "match": (match, DESKTOP, "light"),
}


@pytest.mark.parametrize("name", PICTURES)
def test_pictures(new_visitor: NewVisitor, name: str) -> None:
    scene, viewport, scheme = PICTURES[name]
    tab = new_visitor(viewport=viewport, color_scheme=scheme, reduced_motion="reduce").tab
    scene(tab)
    FOLDER.mkdir(parents=True, exist_ok=True)
    png = tab.page.screenshot(path=FOLDER / f"{name}.png")
    assert len(png) < MOST_BYTES
