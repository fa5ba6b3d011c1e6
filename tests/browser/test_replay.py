"""The replay of a game in a notebook: its buttons and keys, several on a page, and what stays without scripts."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from outplay import Game, checkers, connect4
from outplay.record import AnyGame

NASTY = "</script><script>window.hacked = 1</script><img src=x onerror='window.hacked = 1'>"


def played(game: AnyGame, moves: str) -> AnyGame:
    for move in moves.split():
        game.play(move)
    return game


DISCS = played(Game(connect4.Position(), headers={"Red": NASTY, "Yellow": "Bob & Co"}), "4 4 5 5 6 6 7")
MEN = played(Game(checkers.Position()), "11-15 22-18 15x22")


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page with two replays, and nothing to load from anywhere."""
    context = browser.new_context(offline=True)
    page = context.new_page()
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.set_content(f"<!doctype html><html lang=en><title>x</title>{DISCS._repr_html_()}{MEN._repr_html_()}")
    yield page
    assert complaints == []
    assert page.evaluate("window.hacked") is None
    context.close()


def test_the_buttons_step_through_the_game(page: Page) -> None:
    discs, men = page.get_by_role("group").all()
    caption = discs.locator("[data-part=caption]")
    expect(caption).to_have_text("Move 7, Red: column 7. 1-0, four in a row.")
    expect(discs.locator("svg title")).to_contain_text("4 red discs in a row")
    discs.get_by_role("button", name="First position").click()
    expect(caption).to_have_text("The start.")
    expect(discs.locator("svg title")).to_contain_text("No discs.")
    discs.get_by_role("button", name="Previous move").click(force=True)  # there is none: it does nothing
    expect(caption).to_have_text("The start.")
    discs.get_by_role("button", name="Next move").click()
    expect(caption).to_have_text("Move 1, Red: column 4.")
    discs.get_by_role("button", name="Last position").click()
    expect(caption).to_have_text("Move 7, Red: column 7. 1-0, four in a row.")
    expect(discs.get_by_role("button", name="Next move")).to_have_attribute("aria-disabled", "true")
    expect(discs.get_by_role("button", name="Next move")).to_have_css("opacity", "0.4")
    expect(discs.get_by_role("button", name="Previous move")).to_have_css("opacity", "1")
    expect(men.locator("[data-part=caption]")).to_have_text("Move 3, Black: 15x22.")  # the other one stays
    men.get_by_role("button", name="Previous move").click()
    expect(men.locator("[data-part=caption]")).to_have_text("Move 2, White: 22-18.")


def test_the_keyboard_steps_too(page: Page) -> None:
    men = page.get_by_role("group").nth(1)
    caption = men.locator("[data-part=caption]")
    men.get_by_role("button", name="First position").focus()
    for key, words in (
        ("Home", "The start."),
        ("ArrowRight", "Move 1, Black: 11-15."),
        ("End", "Move 3, Black: 15x22."),
        ("ArrowLeft", "Move 2, White: 22-18."),
    ):
        page.keyboard.press(key)
        expect(caption).to_have_text(words)
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(caption).to_have_text("Move 3, Black: 15x22.")


def test_names_are_text_and_nothing_else(page: Page) -> None:
    discs = page.get_by_role("group").first
    expect(discs.locator("b")).to_have_text(f"{NASTY} - Bob & Co")
    expect(page.locator("img")).to_have_count(0)


def test_a_second_copy_of_the_script_changes_nothing(page: Page) -> None:
    page.evaluate("() => { for (const each of [...document.scripts]) if (!each.type) eval(each.textContent) }")
    men = page.get_by_role("group").nth(1)
    men.get_by_role("button", name="Previous move").click()
    expect(men.locator("[data-part=caption]")).to_have_text("Move 2, White: 22-18.")


def test_without_scripts_the_last_board_stays(browser: Browser) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.set_content(f"<!doctype html>{DISCS._repr_html_()}")
    expect(page.locator("svg title")).to_contain_text("4 red discs in a row")
    expect(page.locator("[data-part=caption]")).to_have_text("Move 7, Red: column 7. 1-0, four in a row.")
    expect(page.get_by_role("button")).to_have_count(0)
    context.close()
