"""The pictures of the README and the docs, made by `pytest tests/browser/test_pictures.py --screenshots`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import expect

from tests.support.browser.brain import good_move
from tests.support.browser.desk import Desk, imported
from tests.support.browser.visitor import DESKTOP, PHONE, NewVisitor, Tab
from tests.support.web_server import new_game

FOLDER = Path(__file__).parents[2] / "docs" / "img"
MOST_BYTES = 200_000
BEFORE_THE_SLIP = "B:W21,22,23,25,27,28,K5:B2,7,12,14,15,18,K30"
CLUB = '[Event "Club evening"]\n[Date "1958.09.{0}"]\n[Black "{1}"]\n[White "{2}"]\n[Result "{3}"]\n{4} {3}\n'
CLUB_GAMES = (
    (14, "Ann Lee", "Bob Ray", "1-0", "1. 11-15 23-19 2. 8-11 22-17 3. 4-8"),
    (21, "Cid Oak", "Ann Lee", "1/2-1/2", "1. 9-13 22-18 2. 10-15 25-22"),
    (28, "Bob Ray", "Cid Oak", "0-1", "1. 11-16 24-19 2. 8-11 22-18"),
)
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


def analyse(tab: Tab) -> None:
    """A reviewed game, at a blunder."""
    desk = Desk(tab, imported(tab, "44444753335552521727733453766676")).review()
    desk.press("Home", "b", "b").is_at(18).is_scored()


def lab(tab: Tab) -> None:
    """A search tree with one of its cuts, and the ladder."""
    tab.visit("/lab?game=connect4&pos=44444226&depth=4&use=alphabeta,ordering")
    tab.page.locator('main[data-lab="done"]').wait_for()
    tab.page.locator(".node.cut").nth(2).click()
    tab.page.locator(".node.sel").click()  # shut again: the main line and what stands beside it


def library(tab: Tab) -> None:
    """Games of people and of engines."""
    for seed, (first, second) in enumerate([("level:3", "level:5"), ("level:6", "level:2"), ("random", "level:1")]):
        game = new_game(tab.server.client, seats=[first, second], time_ms=0, seed=seed)
        tab.open(game).sees(status="over")
    text = "".join(CLUB.format(day, *players) for day, *players in CLUB_GAMES)
    tab.visit("/library")
    tab.page.locator(".importtext").fill(text)
    tab.click("Import")
    expect(tab.page.get_by_text("3 games imported.")).to_be_visible()
    expect(tab.page.locator(".gamerow")).to_have_count(6)


def arena(tab: Tab) -> None:
    """A tournament of four levels that is over."""
    tab.visit("/arena")
    tab.page.get_by_label("Time for a move").select_option("10")
    tab.page.get_by_role("button", name="Start", exact=True).click()
    tab.sees(status="done")


PICTURES: dict[str, tuple[Callable[[Tab], None], dict[str, int], Scheme]] = {
    "connect4": (connect_four, DESKTOP, "light"),
    "connect4-dark": (connect_four, DESKTOP, "dark"),
    "connect4-phone": (connect_four, PHONE, "light"),
    "checkers": (checkers, DESKTOP, "light"),
    "checkers-phone-dark": (checkers, PHONE, "dark"),
    "match": (match, DESKTOP, "light"),
    "analyse": (analyse, {"width": 1120, "height": 900}, "light"),
    "lab": (lab, {"width": 1180, "height": 760}, "light"),
    "library": (library, DESKTOP, "light"),
    "arena": (arena, {"width": 1180, "height": 900}, "light"),
}


@pytest.mark.parametrize("name", PICTURES)
def test_pictures(new_visitor: NewVisitor, name: str) -> None:
    scene, viewport, scheme = PICTURES[name]
    tab = new_visitor(viewport=viewport, color_scheme=scheme, reduced_motion="reduce").tab
    scene(tab)
    FOLDER.mkdir(parents=True, exist_ok=True)
    png = tab.page.screenshot(path=FOLDER / f"{name}.png")
    assert len(png) < MOST_BYTES
