"""What a visitor prefers: kept in the browser, honoured at once."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.support.browser.visitor import NewVisitor, Tab, Visitor
from tests.support.web_server import ServerProcess, new_game

WATCH_MOTION = """
  window.movements = [];  // of pieces, each with how long it waits before it begins
  const animate = Element.prototype.animate;
  Element.prototype.animate = function (frames, timing) {
    if (this.tagName === "use") window.movements.push(timing.delay);
    return animate.call(this, frames, timing);
  };
"""
COUNT_SOUND = """
  window.knocks = 0;
  const start = OscillatorNode.prototype.start;
  OscillatorNode.prototype.start = function (...args) { window.knocks += 1; return start.apply(this, args); };
"""


def choose(tab: Tab, setting: str, value: str) -> None:
    tab.page.get_by_role("group", name=setting).get_by_role("button", name=value, exact=True).click()


def background(tab: Tab) -> str:
    colour: str = tab.page.evaluate("getComputedStyle(document.body).backgroundColor")
    return colour


def test_the_theme_follows_the_system_until_it_is_chosen(visitor: Visitor) -> None:
    tab = visitor.tab.play()
    body = tab.page.locator("body")
    light = background(tab)
    tab.page.emulate_media(color_scheme="dark")
    expect(body).not_to_have_css("background-color", light)
    dark = background(tab)
    tab.visit("/settings")
    choose(tab, "Theme", "Light")
    expect(body).to_have_css("background-color", light)
    tab.page.reload()
    expect(body).to_have_css("background-color", light)
    tab.press("t")
    expect(tab.page.locator("html")).to_have_attribute("data-theme", "dark")
    expect(body).to_have_css("background-color", dark)


@pytest.mark.parametrize(("preference", "movements"), [("no-preference", 1), ("reduce", 0)])
def test_pieces_move_unless_the_system_asks_for_less_motion(
    new_visitor: NewVisitor, server: ServerProcess, preference: str, movements: int
) -> None:
    visitor = new_visitor(reduced_motion=preference)
    visitor.context.add_init_script(WATCH_MOTION)
    tab = visitor.tab.open(new_game(server.client)).press("4").sees(plies=1)
    expect(tab.page.locator(".c4b .last")).to_have_count(1)
    assert tab.page.evaluate("window.movements.length") == movements
    tokens = tab.page.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--t-slide')")
    assert (tokens == "0s") == (movements == 0)


def test_motion_is_a_setting_too(new_visitor: NewVisitor, server: ServerProcess) -> None:
    visitor = new_visitor(reduced_motion="reduce")
    visitor.context.add_init_script(WATCH_MOTION)
    tab = visitor.tab.visit("/settings")
    choose(tab, "Motion", "On")
    tab.open(new_game(server.client, "checkers"))
    tab.cell(11).click()
    tab.cell(15).click()
    tab.sees(plies=1)
    assert tab.page.evaluate("window.movements.length") == 1
    tab.visit("/settings")
    choose(tab, "Motion", "Off")
    tab.open(new_game(server.client)).press("4").sees(plies=1)
    assert tab.page.evaluate("window.movements.length") == 0


def test_a_quick_answer_waits_until_the_disc_before_it_has_landed(visitor: Visitor, server: ServerProcess) -> None:
    visitor.context.add_init_script(WATCH_MOTION)
    seats = ["level:1", "human"]  # paused: two moves that come together would not be seen one by one
    tab = visitor.tab.open(new_game(server.client, position="4", seats=seats, time_ms=0, paused=True))
    tab.page.emulate_media(reduced_motion="no-preference")
    tab.press("4").sees(plies=1).press(".").sees(status="human", plies=2)
    first, second = tab.page.evaluate("window.movements")
    assert first == 0
    assert 0 <= second <= 400


def test_sound_is_off_until_it_is_wanted(visitor: Visitor, server: ServerProcess) -> None:
    visitor.context.add_init_script(COUNT_SOUND)
    tab = visitor.tab.open(new_game(server.client, seats=["human", "level:1"], seed=1, paused=True))
    tab.press("4").sees(plies=1).press(".").sees(status="human", plies=2)
    assert tab.page.evaluate("window.knocks") == 0
    tab.visit("/settings")
    choose(tab, "Sound", "On")
    tab.click("Back to the game", "link").sees(link="open", plies=2)
    tab.press("4").sees(plies=3).press(".").sees(status="human", plies=4)  # one by one, and each is heard once
    assert tab.page.evaluate("window.knocks") == 2


def test_computer_output_is_hidden_at_a_key(tab: Tab, server: ServerProcess) -> None:
    tab.open(new_game(server.client, seats=["human", "level:2"], seed=1)).press("4").sees(status="human", plies=2)
    expect(tab.page.locator(".glass .bars")).to_be_visible()
    tab.press("z")
    expect(tab.page.locator(".bars")).to_have_count(0)
    expect(tab.action("hint")).to_be_disabled()
    tab.press("z")
    tab.click("Hide all computer output (Z)")  # the key's picture is a button
    expect(tab.page.locator(".bars")).to_have_count(0)
    tab.press("z", "g")
    expect(tab.page.locator(".bars")).to_have_count(0)
    expect(tab.action("hint")).to_be_enabled()
    tab.press("g")
    expect(tab.page.locator(".glass .bars")).to_be_visible()


def test_captures_are_written_as_the_visitor_likes(tab: Tab, server: ServerProcess) -> None:
    game = new_game(server.client, "checkers", position="B:W22,15,14,29:B11,10")
    tab.open(game)
    tab.cell(10).click()
    tab.cell(26).click()
    tab.sees(plies=1)
    written = tab.page.locator("[data-ply='1']")
    expect(written).to_have_text("10x17x26")
    tab.visit("/settings")
    choose(tab, "Captures are written", "22x8")
    tab.open(game)
    expect(written).to_have_text("10x26")


def test_marks_and_numbers_are_switched(tab: Tab, server: ServerProcess) -> None:
    game = new_game(server.client)
    game.play("4")
    tab.visit("/settings")
    choose(tab, "Marks on pieces", "Bold")
    choose(tab, "Numbers on the board", "Off")
    tab.open(game)
    expect(tab.page.locator("html")).to_have_attribute("data-marks", "bold")
    expect(tab.page.locator(".c4b .colno")).to_have_count(0)


def test_the_key_sheet_opens_and_closes_by_key(tab: Tab) -> None:
    tab.play().press("?")
    sheet = tab.page.get_by_role("dialog", name="How do I play?")
    expect(sheet).to_contain_text("hint; again for more")
    tab.press("Escape")
    expect(sheet).to_have_count(0)
