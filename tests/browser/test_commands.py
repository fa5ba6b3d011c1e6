"""What a player may ask for beside moving: back and forth, a hint, a draw, the end, another game."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from playwright.sync_api import expect

from tests.support.browser.visitor import Tab, moves_of
from tests.support.web_server import ServerProcess, new_game

# Taking back


def test_a_move_is_taken_back_with_its_answer_and_played_again(tab: Tab, server: ServerProcess) -> None:
    game = new_game(server.client, seats=["human", "level:2"], seed=1)
    tab.open(game)
    expect(tab.action("takeback")).to_be_disabled()
    tab.press("4").sees(status="human", plies=2)
    moves = moves_of(game)
    tab.do("takeback").sees(status="human", plies=0)
    expect(tab.cell(38)).to_have_attribute("aria-label", "Column 4, row 1, empty")
    tab.click("Redo").sees(status="human", plies=2)
    assert moves_of(game) == moves
    tab.press("u").sees(plies=0).press("Shift+U").sees(plies=2)


def test_two_humans_take_back_one_move_at_a_time(tab: Tab, server: ServerProcess) -> None:
    game = new_game(server.client)
    game.play("4", "4", "3")
    tab.open(game).press("u").sees(plies=2).press("u").sees(plies=1).press("5").sees(plies=2)
    assert moves_of(game) == ["4", "5"]


def test_a_strict_game_has_no_way_back_and_no_hint(tab: Tab, server: ServerProcess) -> None:
    tab.open(new_game(server.client, strict=True)).press("4").sees(plies=1)
    expect(tab.action("takeback")).to_be_disabled()
    expect(tab.action("hint")).to_be_disabled()
    tab.press("u", "h").sees(plies=1)
    expect(tab.sentence).to_have_text("Red, column 4. Yellow to move.")


def test_a_thumb_takes_back_and_browses_on_a_phone(phone: Tab, server: ServerProcess) -> None:
    game = new_game(server.client)
    game.play("4", "4", "3")
    phone.open(game)
    bar = phone.page.get_by_role("navigation", name="Game controls")
    bar.get_by_role("button", name="Previous").tap()
    expect(phone.sentence).to_have_text("Move 2 of 3: Yellow, column 4.")
    bar.get_by_role("button", name="Next").tap()
    expect(phone.sentence).to_have_text("Red, column 3. Yellow to move.")
    bar.get_by_role("button", name="Undo").tap()
    phone.sees(plies=2)


# Seats


def test_an_engine_takes_over_a_seat_in_the_middle_of_a_game_and_gives_it_back(tab: Tab, server: ServerProcess) -> None:
    game = new_game(server.client)
    game.play("4", "4", "3")
    tab.open(game).click("Change player: Yellow, Yellow")
    tab.page.get_by_role("button", name="Planner").click()
    tab.sees(status="human", plies=4)
    expect(tab.page.locator(".seat b")).to_have_text(["You", "Planner"])
    tab.click("Change player: Planner, Yellow")
    tab.page.get_by_role("button", name="Human").click()
    expect(tab.page.locator(".seat b")).to_have_text(["Red", "Yellow"])
    tab.press("1").sees(status="human", plies=5)


# Hints


def test_a_hint_comes_in_three_steps_in_connect_four(tab: Tab, server: ServerProcess) -> None:
    game = new_game(server.client, position="112233")  # Red wins in column 4
    tab.open(game).do("hint")
    expect(tab.head).to_contain_text("Hint 1 of 3")
    area = tab.page.locator(".c4b .litcell").count()
    tab.press("h")
    expect(tab.head).to_contain_text("Hint 2 of 3")
    column = tab.page.locator(".c4b .litcell").count()
    tab.page.get_by_role("button", name="Tell me more").click()
    expect(tab.head).to_contain_text("Hint 3 of 3")
    expect(tab.sentence).to_contain_text("4")
    expect(tab.page.locator(".c4b .lit")).to_have_count(1)
    assert area > column > 1
    tab.press("4").sees(status="over")
    expect(tab.sentence).to_have_text("Red wins with column 4: four in a row.")


def test_a_hint_comes_in_three_steps_in_checkers(tab: Tab, server: ServerProcess) -> None:
    game = new_game(server.client, "checkers", ["human", "level:1"], position="B:W22,28:B11,18,K1")
    tab.open(game)
    for step in (1, 2, 3):
        tab.press("h")
        expect(tab.head).to_contain_text(f"Hint {step} of 3")
        expect(tab.page.locator(".ckb .litsq")).not_to_have_count(0)
    expect(tab.sentence).to_contain_text("18x25")
    expect(tab.page.locator(".ckb .target")).to_have_count(1)
    tab.press("Escape")
    expect(tab.page.locator(".ckb .litsq")).to_have_count(0)


# The end of a game


def stop_time(tab: Tab) -> Tab:
    """The page's: it gives three seconds for the second of two presses, and this machine may be busy."""
    tab.page.clock.install()
    tab.page.clock.pause_at(datetime.now() + timedelta(hours=1))
    return tab


def test_resigning_takes_two_presses(tab: Tab, server: ServerProcess) -> None:
    tab.open(new_game(server.client, seats=["human", "level:1"], seed=1)).press("4").sees(status="human", plies=2)
    stop_time(tab)
    tab.do("resign")
    expect(tab.action("resign")).to_contain_text("Sure?")
    tab.do("resign").sees(status="over")
    expect(tab.sentence).to_have_text("You lost on move 2: you resigned.")


def test_two_humans_agree_on_a_draw(tab: Tab, server: ServerProcess) -> None:
    tab.open(new_game(server.client, "checkers")).press("Shift+D")
    expect(tab.head).to_contain_text("Black offers a draw.")
    tab.click("Decline")
    expect(tab.head).to_contain_text("White declines the draw.")
    tab.click("More").do("draw")
    tab.click("Accept").sees(status="over")
    expect(tab.sentence).to_contain_text("draw")


def test_an_engine_answers_a_draw_offer(tab: Tab, server: ServerProcess) -> None:
    game = new_game(server.client, position="121212", seats=["human", "level:2"], seed=1)
    tab.open(game).press("Shift+D")
    expect(tab.head).to_contain_text("Blocker declines the draw.")


def test_the_seats_are_swapped_for_a_rematch(tab: Tab, server: ServerProcess) -> None:
    game = new_game(server.client, seats=["human", "level:1"], seed=1)
    stop_time(tab.open(game)).press("Shift+R", "Shift+R").sees(status="over")
    tab.do("rematch").sees(status="human", plies=1)
    expect(tab.page.locator(".seat b")).to_have_text(["Sprout", "You"])
    assert tab.game().view["id"] == game.look()["rematch"]


def test_a_finished_game_is_browsed_and_shared(tab: Tab, server: ServerProcess) -> None:
    tab.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    game = new_game(server.client)
    game.play(*"4151617")
    tab.open(game).sees(status="over").press("Home")
    expect(tab.sentence).to_have_text("The start position.")
    tab.page.locator("[data-ply='3']").click()
    expect(tab.sentence).to_have_text("Move 3 of 7: Red, column 5.")
    tab.page.reload()
    expect(tab.sentence).to_have_text("Move 3 of 7: Red, column 5.")
    tab.do("share").click("Copy link")
    expect(tab.page.get_by_text("Link copied.")).to_be_visible()
    assert tab.page.evaluate("navigator.clipboard.readText()").endswith("?ply=3")


@pytest.mark.slow
def test_a_player_loses_on_time(tab: Tab, server: ServerProcess) -> None:
    game = new_game(server.client, clock={"base_ms": 10_000})  # the shortest there is
    tab.open(game)
    tab.press("4").sees(plies=1)
    expect(tab.page.get_by_role("timer").last).to_have_class("clock running")
    tab.sees(status="over")
    expect(tab.sentence).to_have_text("Red wins: Yellow ran out of time.")
    expect(tab.page.get_by_role("timer").last).to_have_text("0:00.0")
