"""Beginning a game: any player in any seat, boards of other sizes, positions set up by hand or pasted."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Route, expect

from tests.support.browser.visitor import Tab
from tests.support.web_server import ServerProcess, new_game


def test_a_first_time_visitor_plays_within_three_actions(tab: Tab) -> None:
    """Open the page, drop a disc: nothing stands between."""
    tab.play()
    expect(tab.head).to_contain_text("Drop a disc: click a column or press 1\N{EN DASH}7")
    expect(tab.page.get_by_role("dialog")).to_have_count(0)
    expect(tab.page.locator(".glass")).to_be_visible()
    tab.cell(3).click()
    tab.sees(status="human", plies=2)
    expect(tab.page.locator(".glass")).to_contain_text("I looked at")


def test_the_switch_leads_to_checkers_and_back_to_the_same_game(tab: Tab) -> None:
    tab.play().press("4").sees(status="human", plies=2)
    first = tab.game_id
    tab.click("Checkers", "link").sees(link="open", status="human", plies=0)
    expect(tab.page.locator(".ckb")).to_be_visible()
    tab.click("Connect Four", "link").sees(link="open", plies=2)
    assert tab.game_id == first


def test_a_panel_that_is_opened_early_has_its_choices_all_the_same(tab: Tab, server: ServerProcess) -> None:
    held: list[Route] = []
    tab.page.route("**/api/about", lambda route: held.append(route))
    tab.open(new_game(server.client, seats=["human", "level:2"])).press("n")
    for route in held:
        route.continue_()
    expect(tab.page.get_by_role("combobox", name="Yellow")).to_have_value("level:2")


def test_connect_four_is_played_on_eight_by_eight(tab: Tab) -> None:
    tab.play().do("new")
    tab.select("Board", "8x8")
    tab.select("Yellow", "human")
    tab.start_the_game().sees(plies=0)
    expect(tab.page.locator("[data-cell]")).to_have_count(64)
    tab.press(*"8")
    expect(tab.cell(63)).to_have_attribute("aria-label", "Column 8, row 1, Red disc, last move")
    for plies, key in enumerate("7878787", start=1):
        tab.sees(plies=plies).press(key)
    tab.sees(status="over")
    expect(tab.sentence).to_have_text("Red wins with column 8: four in a column.")


def test_both_seats_are_given_to_engines(tab: Tab) -> None:
    tab.play().press("n")
    tab.select("Red", "level:1")
    tab.select("Yellow", "random")
    expect(tab.page.locator(".newgame")).to_contain_text("Any move the rules allow.")
    tab.set_slider(0).start_the_game().sees(status="over")
    view = tab.game().view
    assert [seat["player"] for seat in view["seats"]] == ["level:1", "random"]
    assert view["time_ms"] == 0


def test_a_game_with_a_clock_counts_down(tab: Tab) -> None:
    tab.play().press("n")
    tab.select("Clock", "3+2")
    tab.start_the_game().sees(plies=0)
    expect(tab.page.get_by_role("timer")).to_have_count(2)
    tab.press("4").sees(status="human", plies=2)
    mine = tab.page.get_by_role("timer").first
    expect(mine).to_have_class("clock running")
    left = mine.inner_text()
    assert re.match(r"3:0|2:[345]", left)  # two seconds were added for the first move; a busy machine takes some
    assert tab.game().view["clock"]["increment_ms"] == 2000
    expect(mine).not_to_have_text(left)


# Positions of one's own


def test_a_connect_four_position_is_set_up_by_hand(tab: Tab) -> None:
    tab.play().press("n")
    tab.select("Yellow", "human")
    tab.click("Set up")
    for column in (0, 0, 1, 1, 2, 2):  # in turns: Red, Yellow, Red, ...
        tab.cell(column).click()
    expect(tab.page.locator(".verdictline")).to_have_text("Red to move, 6 discs.")
    tab.start_the_game().sees(plies=0)
    tab.press("4").sees(status="over")
    expect(tab.sentence).to_have_text("Red wins with column 4: four in a row.")


def test_what_is_wrong_with_a_position_is_said_while_it_is_set_up(tab: Tab) -> None:
    tab.play().press("n").click("Set up").click("Red")
    tab.cell(0).click()
    tab.cell(0).click()
    problem = tab.page.locator(".verdictline .problem")
    expect(problem).to_be_visible()
    expect(tab.page.get_by_role("button", name="Start the game").first).to_be_disabled()
    tab.click("Erase").cell(0).click()
    expect(problem).to_have_count(0)
    expect(tab.page.locator(".verdictline")).to_have_text("Yellow to move, 1 disc.")


def test_a_checkers_position_is_set_up_by_hand(tab: Tab) -> None:
    tab.play("/play/checkers").press("n")
    tab.select("White", "human")
    tab.click("Set up").click("Clear").click("Black king")
    tab.cell(1).click()
    tab.click("White man").cell(6).click()
    expect(tab.page.locator(".verdictline")).to_contain_text("Black to move")
    tab.start_the_game().sees(plies=0)
    tab.cell(1).click()
    tab.cell(10).click()
    tab.sees(status="over")
    expect(tab.sentence).to_contain_text("Black wins")


@pytest.mark.parametrize(
    ("path", "text", "says"),
    [
        ("/play/connect4", "4453", "Red to move, 4 discs."),
        ("/play/connect4", "......./......./......./......./..2.2../..1.1..", "Red to move, 4 discs."),
        ("/play/checkers", "W:W21,22,K5:B2,7,K30", "White to move"),
    ],
    ids=["moves", "rows", "fen"],
)
def test_a_position_is_pasted(tab: Tab, path: str, text: str, says: str) -> None:
    tab.play(path).press("n").click("Paste")
    tab.page.get_by_label("Moves, a FEN or rows").fill(text)
    expect(tab.page.locator(".verdictline")).to_contain_text(says)
    tab.start_the_game()
    assert tab.game().view["start"]["text"] != ""


def test_a_text_that_is_no_position_is_refused_with_the_reason(tab: Tab) -> None:
    tab.play().press("n").click("Paste")
    tab.page.get_by_label("Moves, a FEN or rows").fill("4444444")
    expect(tab.page.locator(".problem")).to_contain_text("full")
    expect(tab.page.get_by_role("button", name="Start the game")).to_be_disabled()


def test_a_position_pasted_into_the_move_field_opens_the_panel(tab: Tab) -> None:
    tab.play().press("/")
    tab.page.get_by_label("A move, or a position").fill("4453")
    tab.press("Enter")
    expect(tab.page.locator(".verdictline")).to_have_text("Red to move, 4 discs. Read as Connect Four: 4 moves.")


def test_a_position_has_an_address(tab: Tab) -> None:
    tab.play("/play/checkers?pos=W:W21,22,K5:B2,7,K30&first=human&second=human").sees(status="human")
    assert tab.game().view["start"]["text"] == "W:W21,22,K5:B2,7,K30"


def test_a_new_game_is_begun_on_a_phone(phone: Tab, server: ServerProcess) -> None:
    phone.open(new_game(server.client))
    phone.page.get_by_role("button", name="Menu").tap()
    phone.page.get_by_role("dialog").locator("[data-action=new]").tap()
    sheet = phone.page.get_by_role("dialog", name="New game")
    sheet.get_by_role("combobox", name="Board").select_option("5x4")
    sheet.get_by_role("button", name="Start the game").tap()
    expect(phone.page.locator("[data-cell]")).to_have_count(20)
