"""A newcomer's path, three times: the rules, a lesson, a puzzle, a game, the coach, another try."""

from __future__ import annotations

import re
from typing import Any, ClassVar

import pytest
from playwright.sync_api import Locator, Route, expect

from tests.browser.test_everyone import SCHEMES, violations
from tests.support.browser.visitor import PHONE, NewVisitor, Tab

LOST = "/play/connect4?pos=414161&first=human&second=level:8"
"""Red has to block column 1, and wins then; the strongest level wins there otherwise."""


class ByMouse:
    """Clicks on what is in sight."""

    options: ClassVar[dict[str, Any]] = {}

    def __init__(self, tab: Tab) -> None:
        self.tab = tab

    def drop(self, column: int) -> None:
        self.tab.cell(34 + column).click()

    def push(self, name: str, key: str) -> None:
        """Push a button of the page, or press its key."""
        self.tab.page.locator("main").get_by_role("button", name=name).first.click()

    def follow(self, link: Locator) -> None:
        link.click()

    def ask_for_help(self) -> None:
        self.tab.click("Help (?)")

    def go(self, page: str) -> None:
        """Go to a page of the menu."""
        self.follow(self.tab.page.locator("nav.nav").get_by_role("link", name=page))


class ByKeys(ByMouse):
    """Has no mouse: numbers of columns, the letters on the buttons, Tab and Enter."""

    def drop(self, column: int) -> None:
        self.tab.press(str(column))

    def push(self, name: str, key: str) -> None:
        self.tab.press(key)

    def follow(self, link: Locator) -> None:
        expect(link).to_be_visible()
        for _ in range(60):
            if link.evaluate("(element) => element === document.activeElement"):
                break
            self.tab.press("Tab")
        expect(link).to_be_focused()
        self.tab.press("Enter")

    def ask_for_help(self) -> None:
        self.tab.press("?")


class ByTouch(ByMouse):
    """Has a phone: the bar at its foot, and the sheets."""

    options: ClassVar[dict[str, Any]] = {"viewport": PHONE, "has_touch": True, "is_mobile": True}
    bar: ClassVar[dict[str, str]] = {"Hint": "Hint", "Next": "Next", "Try again": "Again", "Show the answer": "Answer"}

    def drop(self, column: int) -> None:
        self.tab.cell(34 + column).tap()

    def push(self, name: str, key: str) -> None:
        if name in self.bar:
            self.tab.page.locator("nav.bar").get_by_role("button", name=self.bar[name]).tap()
        else:
            self.tab.page.locator("main").get_by_role("button", name=name).tap()

    def follow(self, link: Locator) -> None:
        link.tap()

    def ask_for_help(self) -> None:
        self.tab.click("Menu").click("How do I play?")

    def go(self, page: str) -> None:
        self.tab.page.get_by_role("button", name=re.compile("^(Pages|Menu)$")).tap()
        self.follow(self.tab.page.get_by_role("dialog").get_by_role("link", name=page, exact=True))


def stage(tab: Tab, name: str) -> None:
    """Wait until the lesson or the puzzle has got so far, and its moves are played."""
    tab.page.locator(f'main.training[data-stage="{name}"][data-playing="false"]').wait_for()


def wrong_column(tab: Tab) -> int:
    """Return a legal first move of the Connect Four puzzle on the page that does not solve it."""
    path = f"/api/puzzles/{tab.page.locator('main').get_attribute('data-puzzle')}"
    legal = [move["text"] for move in tab.server.client.get(path).json()["legal"]]
    answer = tab.server.client.post(f"{path}/solution", json={}).json()["line"][0]["move"]["text"]
    return int(next(text for text in legal if text != answer))


def check(tab: Tab) -> None:
    """No axe violation, light and dark; nothing past the edge of the screen, on a phone of 360 pixels either."""
    size = tab.page.viewport_size
    assert size is not None
    if size["width"] < 640:
        tab.page.set_viewport_size({**size, "width": 360})
    assert tab.does_not_overflow(), tab.address
    for scheme in SCHEMES:
        tab.page.emulate_media(color_scheme=scheme)
        assert violations(tab) == [], f"{tab.address}, {scheme}"
    tab.page.set_viewport_size(size)


@pytest.mark.parametrize("way", [ByMouse, ByKeys, ByTouch], ids=["mouse", "keys", "touch"])
def test_a_newcomers_path(new_visitor: NewVisitor, way: type[ByMouse]) -> None:
    tab = new_visitor(key=None, reduced_motion="reduce", **way.options).tab.play()
    hand, page = way(tab), tab.page
    expect(tab.sentence).to_have_text("Your move.")

    hand.ask_for_help()
    sheet = page.get_by_role("dialog", name="How do I play?")
    expect(sheet.get_by_role("heading").nth(1)).to_have_text("Connect Four")  # how to play comes before the keys
    check(tab)
    hand.follow(sheet.get_by_role("link", name="The rules in 60 seconds").first)

    stage(tab, "asking")
    hand.drop(1)
    stage(tab, "wrong")
    expect(page.get_by_role("alert")).to_contain_text("Not column 1")
    expect(page.get_by_role("button", name="Try again")).to_be_focused()
    check(tab)
    hand.push("Try again", "r")
    stage(tab, "asking")
    for step in (1, 2, 3):
        hand.push("Hint", "h")
        expect(tab.head).to_contain_text(f"Hint {step} of 3")
    hand.drop(4)
    stage(tab, "right")
    expect(page.locator("main").get_by_role("button", name="Next")).to_be_focused()
    hand.push("Next", "Enter")
    expect(page.locator("main")).to_have_attribute("data-step", "2")
    hand.follow(page.get_by_role("link", name="Back to Learn (Esc)"))
    page.locator('main.learn[data-loaded="true"]').wait_for()
    expect(page.locator('[data-lesson="rules"]').first).to_contain_text("1 of")
    expect(page.get_by_role("region", name="Continue")).to_contain_text("The rules in 60 seconds")
    check(tab)

    hand.go("Puzzles")
    stage(tab, "asking")
    expect(page.get_by_role("button", name="From my games")).to_be_disabled()
    expect(page.get_by_text("Play a game, and puzzles can be made from it.")).to_be_visible()
    wrong = wrong_column(tab)
    hand.drop(wrong)
    stage(tab, "missed")
    expect(page.get_by_role("alert")).to_contain_text(f"Not column {wrong}")
    check(tab)
    hand.push("Try again", "r")
    stage(tab, "asking")
    hand.push("Show the answer", "a")
    stage(tab, "shown")
    expect(page.locator(".strip .no")).not_to_have_count(0)  # the answer was shown: it comes back
    check(tab)
    hand.push("Next", "n")
    stage(tab, "asking")
    tab.visit("/puzzles/c4-0013")
    stage(tab, "asking")
    hand.drop(2)
    stage(tab, "solved")
    expect(page.locator(".said")).to_contain_text("Right, at the first try")
    expect(page.locator(".said")).to_contain_text("Column 2: It makes four in column 2.")
    check(tab)
    hand.follow(page.get_by_role("link", name="Checkers").locator("visible=true"))
    stage(tab, "asking")
    expect(page.locator("main")).to_have_attribute("data-puzzle", re.compile("^ck-"))
    check(tab)

    hand.go("Play")
    tab.sees(link="open", status="human")
    hand.drop(4)
    tab.sees(status="human", plies=2)
    tab.play(LOST)
    hand.drop(7)
    tab.sees(status="over")
    expect(tab.sentence).to_have_text("You lost on move 2: four in a column.")
    expect(tab.action("try-it")).to_be_focused()
    expect(page.locator(".coach")).to_contain_text("You had a win on move 1")
    check(tab)
    hand.push("Try it", "e")
    lesson = page.locator(".lesson")
    expect(lesson).to_have_attribute("data-stage", "asking")
    hand.drop(1)
    expect(lesson).to_have_attribute("data-stage", "right")
    check(tab)


@pytest.mark.parametrize("path", ["/learn/connect4/nothing/1", "/puzzles/c4-9999", "/learn/chess/rules"])
def test_what_is_not_there_says_so(new_visitor: NewVisitor, path: str) -> None:
    visitor = new_visitor()
    visitor.tolerate("404")
    visitor.tab.visit(path)
    expect(visitor.page.get_by_role("heading", name="Nothing here")).to_be_visible()


def test_skip_leads_on_and_a_theme_keeps_how_hard(new_visitor: NewVisitor) -> None:
    tab = new_visitor(key=None, reduced_motion="reduce").tab.visit("/puzzles")
    main, seen = tab.page.locator("main"), []
    for _ in range(4):
        stage(tab, "asking")
        seen.append(main.get_attribute("data-puzzle"))
        tab.press("n")
        expect(main).not_to_have_attribute("data-puzzle", seen[-1] or "")
    assert len(set(seen)) == 4
    tab.click("Harder")
    expect(main).not_to_have_attribute("data-puzzle", seen[-1] or "")
    tab.page.get_by_role("button", name=re.compile("^Forcing moves")).click()
    expect(tab.page).to_have_url(re.compile("theme=forcing"))
    expect(tab.page.get_by_role("button", name="Harder")).to_have_attribute("aria-pressed", "true")
    tab.visit("/puzzles?theme=nothing")
    expect(main).to_contain_text('There is no theme "nothing" in the puzzles of Connect Four.')


def test_ready_for_the_next_level_is_said_once(new_visitor: NewVisitor) -> None:
    tab = new_visitor(key=None).tab

    def be_ready(route: Route) -> None:
        found = route.fetch().json()
        found["games"][0]["ready"] = {"level": 4, "name": "Weaver", "sentence": "You are ready for level 4, Weaver."}
        route.fulfill(json=found)

    tab.page.route("**/api/learn/record", be_ready)
    with tab.page.expect_request("**/api/learn/record/told") as told:
        tab.visit("/learn")
    assert told.value.post_data_json == {"game": "connect4", "level": 4}
    expect(tab.page.get_by_text("You are ready for level 4, Weaver.")).to_be_visible()
    expect(tab.page.get_by_role("link", name="Play Weaver")).to_be_visible()
