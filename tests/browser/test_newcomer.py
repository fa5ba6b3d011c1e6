"""A newcomer's path: the rules, a lesson, a puzzle, a game, the coach, another try. By mouse, by keys, by touch."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.test_everyone import SCHEMES, violations
from tests.support.browser.visitor import DESKTOP, PHONE, NewVisitor, Tab
from tests.support.web_server import new_game


def stage(tab: Tab, name: str) -> None:
    """Wait until the lesson or the puzzle has got so far, and its moves are played."""
    tab.page.locator(f'main.training[data-stage="{name}"][data-playing="false"]').wait_for()


def wrong_column(tab: Tab) -> str:
    """Return a legal first move of the Connect Four puzzle on the page that does not solve it."""
    path = f"/api/puzzles/{tab.page.locator('main').get_attribute('data-puzzle')}"
    legal = [move["text"] for move in tab.server.client.get(path).json()["legal"]]
    answer = tab.server.client.post(f"{path}/solution", json={}).json()["line"][0]["move"]["text"]
    return str(next(text for text in legal if text != answer))


def lost_game(tab: Tab) -> None:
    """Open a game of two seats in which Red can still lose, and lose it."""
    game = new_game(tab.server.client)
    game.play(*"142434")
    tab.open(game).sees(plies=6)


def test_by_keys(new_visitor: NewVisitor) -> None:
    tab = new_visitor(reduced_motion="reduce").tab.play()
    tab.press("?")
    sheet = tab.page.get_by_role("dialog", name="How do I play?")
    expect(sheet.get_by_role("heading").nth(1)).to_have_text("Connect Four")  # how to play comes before the keys
    tab.press("Escape")
    tab.visit("/learn")
    tab.page.locator('main[data-loaded="true"]').wait_for()
    tab.visit("/learn/connect4/rules/1")
    stage(tab, "asking")
    tab.press("1")
    stage(tab, "wrong")
    expect(tab.page.get_by_role("alert")).to_contain_text("Not column 1")
    expect(tab.page.get_by_role("button", name="Try again")).to_be_focused()
    tab.press("r")
    stage(tab, "asking")
    for step in (1, 2, 3):
        tab.press("h")
        expect(tab.head).to_contain_text(f"Hint {step} of 3")
    tab.press("Escape", "a")
    stage(tab, "shown")
    tab.press("r")
    stage(tab, "asking")
    tab.press("4")
    stage(tab, "right")
    expect(tab.page.get_by_role("button", name="Next")).to_be_focused()
    tab.press("Enter")
    expect(tab.page.locator("main")).to_have_attribute("data-step", "2")
    tab.press("ArrowLeft")
    expect(tab.page.locator("main")).to_have_attribute("data-step", "1")
    expect(tab.page.locator(".dots .done")).not_to_have_count(0)
    tab.press("Escape")
    tab.page.locator('main.learn[data-loaded="true"]').wait_for()
    tab.press("d")
    stage(tab, "asking")
    wrong = wrong_column(tab)
    tab.press(wrong)
    stage(tab, "missed")
    expect(tab.page.get_by_role("alert")).to_contain_text(f"Not column {wrong}")
    tab.press("r")
    stage(tab, "asking")
    tab.press("a")
    stage(tab, "shown")
    expect(tab.page.locator(".strip .no")).not_to_have_count(0)  # the answer was shown: it comes back
    lost_game(tab)
    tab.press("7").sees(plies=7).press("4").sees(status="over")
    expect(tab.page.locator('.coach[data-coach="done"]')).to_be_visible()
    tab.press("e")
    expect(tab.page.locator('.lesson[data-stage="asking"]')).to_be_visible()


def test_by_mouse(new_visitor: NewVisitor) -> None:
    tab = new_visitor(key=None, reduced_motion="reduce").tab.play()
    for page in ("Learn", "Puzzles"):
        expect(tab.page.locator("nav.nav").get_by_role("link", name=page)).to_be_visible()
    tab.click("Help (?)")
    tab.page.get_by_role("dialog").get_by_role("link", name="The rules in 60 seconds").first.click()
    stage(tab, "asking")
    tab.page.locator("nav.nav").get_by_role("link", name="Learn").click()
    expect(tab.page.get_by_role("region", name="Continue")).to_contain_text("rules in 60 seconds")
    tab.page.get_by_role("region", name="Continue").get_by_role("link").click()
    stage(tab, "asking")
    tab.cell(35).click()  # column 1: not the one that was asked for
    stage(tab, "wrong")
    tab.cell(0).click()  # anywhere on the board: the position comes back
    stage(tab, "asking")
    tab.cell(38).click()
    stage(tab, "right")
    tab.page.get_by_role("link", name="Back to Learn (Esc)").click()
    expect(tab.page.locator('[data-lesson="rules"]').first).to_contain_text("1 of")
    tab.page.locator("nav.nav").get_by_role("link", name="Puzzles").click()
    stage(tab, "asking")
    expect(tab.page.get_by_role("button", name="From my games")).to_be_disabled()
    expect(tab.page.get_by_text("Play a game, and puzzles can be made from it.")).to_be_visible()
    tab.page.get_by_role("button", name="Show the answer").click()
    stage(tab, "shown")


def test_by_touch(new_visitor: NewVisitor) -> None:
    tab = new_visitor(viewport=PHONE, has_touch=True, is_mobile=True, reduced_motion="reduce").tab
    tab.visit("/learn/connect4/rules/1")
    stage(tab, "asking")
    tab.cell(35).tap()
    stage(tab, "wrong")
    tab.page.locator(".bar").get_by_role("button", name="Again").tap()
    stage(tab, "asking")
    tab.cell(38).tap()
    stage(tab, "right")
    tab.visit("/puzzles/today")
    stage(tab, "asking")
    tab.page.locator(".bar").get_by_role("button", name="Hint").tap()
    expect(tab.head).to_contain_text("Hint 1 of 3")
    lost_game(tab)
    tab.cell(41).tap()
    tab.sees(plies=7)
    tab.cell(38).tap()
    tab.sees(status="over")
    expect(tab.page.locator('.coach[data-coach="done"]')).to_be_visible()
    tab.action("try-it").tap()
    expect(tab.page.locator('.lesson[data-stage="asking"]')).to_be_visible()


@pytest.mark.parametrize("path", ["/learn", "/learn/connect4/rules/1", "/learn/checkers/rules/1", "/puzzles/today"])
def test_the_pages_are_accessible_and_fit(new_visitor: NewVisitor, path: str) -> None:
    tab = new_visitor(reduced_motion="reduce").tab.visit(path)
    if path == "/learn":
        tab.page.locator('main[data-loaded="true"]').wait_for()
    else:
        tab.page.locator('main[data-stage="asking"]').wait_for()
        tab.press("a")
        stage(tab, "shown")
    for width in (DESKTOP["width"], PHONE["width"], 360):
        tab.page.set_viewport_size({"width": width, "height": 844})
        assert tab.does_not_overflow(), f"{path} overflows at {width}"
        for scheme in SCHEMES:
            tab.page.emulate_media(color_scheme=scheme)
            assert violations(tab) == [], f"{path}, {width}, {scheme}"


@pytest.mark.parametrize("path", ["/learn/connect4/nothing/1", "/puzzles/c4-9999", "/learn/chess/rules"])
def test_what_is_not_there_says_so(new_visitor: NewVisitor, path: str) -> None:
    visitor = new_visitor()
    visitor.tolerate("404")
    visitor.tab.visit(path)
    expect(visitor.page.get_by_role("heading", name="Nothing here")).to_be_visible()
