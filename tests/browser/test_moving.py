"""Moving pieces: ways to say which move is meant, and what the page says when it cannot be played."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.support.browser.hands import Keyboard
from tests.support.browser.visitor import Tab, moves_of
from tests.support.web_server import Game, ServerProcess, new_game

TWO_WAYS = "B:W23,22,15,14:B11,10"
"""10x19x26 and 10x17x26 share both ends."""
MUST_CAPTURE = "B:W22,28:B11,18"
"""18x25 has to be played."""


@pytest.fixture
def two_ways(server: ServerProcess) -> Game:
    return new_game(server.client, "checkers", position=TWO_WAYS)


@pytest.fixture
def must_capture(server: ServerProcess) -> Game:
    return new_game(server.client, "checkers", position=MUST_CAPTURE)


# Jumps with more than one path


@pytest.mark.parametrize(("way", "move"), [(17, "10x17x26"), (19, "10x19x26")])
def test_a_path_is_asked_for_where_two_lead_to_one_square(tab: Tab, two_ways: Game, way: int, move: str) -> None:
    tab.open(two_ways)
    tab.cell(10).click()
    expect(tab.sentence).to_have_text("Man on 10: to 26.")
    expect(tab.page.locator(".ckb .path")).not_to_have_count(0)  # both ways are drawn before one is chosen
    expect(tab.page.locator(".ckb .takex")).not_to_have_count(0)
    tab.cell(26).click()
    expect(tab.head).to_contain_text("2 ways to 26.")
    expect(tab.head).to_contain_text("Which way?")
    tab.cell(way).click()
    tab.sees(plies=1)
    assert moves_of(two_ways) == [move]


def test_a_path_may_be_tapped_square_by_square_on_a_phone(phone: Tab, two_ways: Game) -> None:
    phone.open(two_ways)
    for square in (10, 17, 26):
        phone.cell(square).tap()
    phone.sees(plies=1)
    assert moves_of(two_ways) == ["10x17x26"]


def test_a_path_is_chosen_by_keyboard(tab: Tab, two_ways: Game) -> None:
    tab.open(two_ways)
    keyboard = Keyboard()
    keyboard.play(tab, two_ways.view, next(move for move in two_ways.view["legal"] if move["text"] == "10x19x26"))
    tab.sees(plies=1)
    assert moves_of(two_ways) == ["10x19x26"]


# Other ways to move


def test_a_piece_is_dragged(tab: Tab, server: ServerProcess) -> None:
    game = new_game(server.client, "checkers")
    tab.open(game)
    tab.cell(11).drag_to(tab.cell(15))
    tab.sees(plies=1)
    assert moves_of(game) == ["11-15"]


def test_a_piece_that_was_picked_is_let_go(tab: Tab, server: ServerProcess) -> None:
    game = new_game(server.client, "checkers")
    tab.open(game)
    tab.cell(11).click()
    expect(tab.page.locator(".ckb .pickedsq")).to_have_count(1)
    tab.press("Escape")
    expect(tab.page.locator(".ckb .pickedsq")).to_have_count(0)
    expect(tab.page.get_by_label("can move")).to_have_count(4)


def test_a_move_is_typed(tab: Tab, server: ServerProcess) -> None:
    game = new_game(server.client, "checkers")
    tab.open(game).press("/")
    field = tab.page.get_by_label("A move, or a position")
    expect(field).to_be_focused()
    field.fill("11x15")  # as real game files write it
    tab.press("Enter").sees(plies=1)
    field.fill("nonsense")
    expect(field).to_have_value("nonsense")  # letters in a text field are no commands
    tab.press("Escape")
    expect(field).to_have_count(0)
    assert moves_of(game) == ["11-15"]


def test_the_whole_column_is_the_target(phone: Tab, server: ServerProcess) -> None:
    phone.open(new_game(server.client))
    box = phone.board.bounding_box()
    assert box is not None
    for plies, share in enumerate((0.02, 0.5, 0.98), start=1):  # the top, the middle and the foot of column 4
        phone.page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] * share)
        phone.sees(plies=plies)
    assert box["width"] / 7 >= 44


# Refusals


def test_a_refused_move_cites_its_rule(tab: Tab, must_capture: Game) -> None:
    tab.open(must_capture)
    expect(tab.head).to_contain_text("Ringed pieces can capture, and one of them must.")
    tab.cell(11).click()
    expect(tab.sentence).to_have_text("Man on 11 cannot capture.")
    tab.cell(16).click()
    refusal = tab.page.get_by_role("alert")
    expect(refusal).to_contain_text("You must capture: 18x25")
    expect(refusal).to_contain_text("11-16 is refused")
    expect(tab.page.get_by_label("must capture")).to_have_count(1)
    expect(tab.page.locator(".ckb .must")).to_have_count(1)
    expect(tab.page.locator(".ckb .tried")).to_have_count(1)
    tab.press("Escape")
    expect(refusal).to_have_count(0)
    assert moves_of(must_capture) == []


def test_a_full_column_is_refused(tab: Tab, server: ServerProcess) -> None:
    game = new_game(server.client, position="444444")
    tab.open(game).press("4")
    expect(tab.page.get_by_role("alert")).to_contain_text("Column 4 is full")
    tab.press("3").sees(plies=1)
    expect(tab.page.get_by_role("alert")).to_have_count(0)


def test_an_earlier_position_is_only_looked_at(tab: Tab, server: ServerProcess) -> None:
    game = new_game(server.client)
    game.play("4", "4")
    tab.open(game).press("k")
    expect(tab.sentence).to_have_text("Move 1 of 2: Red, column 4.")
    tab.press("4")
    expect(tab.page.get_by_role("alert")).to_contain_text("This is an earlier position.")
    tab.press("End", "4").sees(plies=3)


# What a screen reader hears


def test_every_move_is_said_and_every_square_named(tab: Tab, server: ServerProcess) -> None:
    game = new_game(server.client, "checkers")
    tab.open(game)
    said = tab.page.locator("[aria-live=polite]")
    tab.cell(11).click()
    tab.cell(15).click()
    expect(said).to_have_text("Black, 11-15. White to move.")
    expect(tab.cell(15)).to_have_attribute("aria-label", "Square 15, black man, last move")
    expect(tab.cell(11)).to_have_attribute("aria-label", "Square 11, empty")
    expect(tab.page.locator("[data-cell][tabindex='0']")).to_have_count(1)
