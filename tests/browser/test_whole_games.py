"""Whole games on the page: every kind of player in every seat; by mouse, by touch, and by keyboard alone."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.support.browser.brain import good_move, the_move
from tests.support.browser.hands import Finger, Hand, Keyboard, Mouse
from tests.support.browser.visitor import Tab
from tests.support.web_server import Game, Json, ServerProcess, new_game

DIAGONAL = "12234334544"
"""Red wins with a diagonal."""
FULL_BOARD = "121212212121343434434343565656656565777777"
"""Nobody wins."""
MASSACRE = """
    9-13 23-19 6-9 22-18 2-6 25-22 11-15 18x11x2 12-16 19x12 13-17 21x14x7 3x10 12x3 9-14 2x9x18 4-8 3x12 10-15
    18x11 1-6 11-7 6-10 7x14 5-9 14x5
"""
# A short game of checkers, found among random ones: White takes everything, with men and kings, one and two at a time.


def play_out(tab: Tab, game: Game, hand: Hand) -> Json:
    """Play the human against an engine to the end, as a good player would; gives the finished game."""
    while (view := game.look())["status"] != "over":
        hand.play(tab, view, good_move(view))
        tab.sees_turn(len(view["moves"]) + 2)
    return view


def play_moves(tab: Tab, game: Game, hand: Hand, moves: list[str]) -> Json:
    """Two humans at one screen play these moves."""
    for text in moves:
        view = game.view
        hand.play(tab, view, the_move(view, text))
        tab.sees(plies=len(view["moves"]) + 1)
        game.look()
    assert game.texts == moves
    return game.view


def expect_the_end(tab: Tab, view: Json) -> None:
    """The page tells how the game ended, and offers another."""
    tab.sees(status="over", plies=len(view["moves"]))
    expect(tab.sentence).to_have_text(view["sentence"])
    expect(tab.action("rematch")).to_be_visible()


# Connect Four


def test_two_humans_play_connect_four_with_a_mouse(tab: Tab) -> None:
    tab.play().press("n")
    tab.select("Yellow", "human")
    tab.start_the_game().sees(plies=0)
    game = tab.game()
    view = play_moves(tab, game, Mouse(), list(DIAGONAL))
    expect_the_end(tab, view)
    expect(tab.sentence).to_have_text("Red wins with column 4: four on a diagonal.")
    expect(tab.page.get_by_label("winning")).to_have_count(4)
    expect(tab.page.locator(".c4b .last")).to_have_count(4)


def test_a_first_time_visitor_plays_with_a_mouse_and_lets_the_engine_begin_the_rematch(tab: Tab) -> None:
    tab.play()
    expect(tab.sentence).to_have_text("Your move.")
    tab.cell(3).click()
    tab.sees_turn(2)
    view = play_out(tab, tab.game(), Mouse())
    expect_the_end(tab, view)
    tab.press("n").sees(status="human", plies=1)  # rematch: Yellow's human now waits for Red's engine
    rematch = tab.game()
    assert [seat["kind"] for seat in rematch.view["seats"]] == ["level", "human"]
    expect_the_end(tab, play_out(tab, rematch, Mouse()))


def test_connect_four_is_played_by_number_keys_to_a_full_board(tab: Tab, server: ServerProcess) -> None:
    game = new_game(server.client)
    tab.open(game)
    for plies, key in enumerate(FULL_BOARD, start=1):
        tab.press(key).sees(plies=plies)
    expect_the_end(tab, game.look())
    expect(tab.sentence).to_contain_text("draw")


def test_connect_four_is_played_by_arrows_and_enter_alone(tab: Tab, server: ServerProcess) -> None:
    game = new_game(server.client, seats=["human", "level:1"], seed=3)
    tab.open(game)
    expect_the_end(tab, play_out(tab, game, Keyboard()))


def test_connect_four_is_played_on_a_phone(phone: Tab, server: ServerProcess) -> None:
    game = new_game(server.client, seats=["level:1", "human"], seed=2)
    phone.open(game).sees_turn(1)
    board = phone.board.bounding_box()
    view = play_out(phone, game, Finger())
    expect_the_end(phone, view)
    assert phone.board.bounding_box() == board  # the longest sentence of the game does not move it
    phone.action("rematch").tap()
    phone.sees(status="human", plies=0)


# Checkers


def test_two_humans_play_checkers_with_a_mouse(tab: Tab, server: ServerProcess) -> None:
    game = new_game(server.client, "checkers")
    tab.open(game)
    view = play_moves(tab, game, Mouse(), MASSACRE.split())
    expect_the_end(tab, view)
    expect(tab.sentence).to_contain_text("White wins")


def test_a_human_plays_checkers_by_keyboard_alone(tab: Tab, server: ServerProcess) -> None:
    game = new_game(server.client, "checkers", ["human", "level:1"], seed=2)
    tab.open(game)
    expect_the_end(tab, play_out(tab, game, Keyboard()))


def test_a_human_plays_checkers_on_a_phone_against_an_engine_that_begins(phone: Tab, server: ServerProcess) -> None:
    game = new_game(server.client, "checkers", ["level:1", "human"], seed=4)
    phone.open(game).sees_turn(1)
    expect_the_end(phone, play_out(phone, game, Finger()))


# Engines among themselves


@pytest.mark.parametrize("game", ["connect4", "checkers"])
def test_two_engines_play_a_game_in_turbo(tab: Tab, server: ServerProcess, game: str) -> None:
    watched = new_game(server.client, game, ["level:1", "level:2"], seed=1, time_ms=0, paused=True)
    tab.open(watched).sees(status="paused")
    tab.do("pause").sees(status="over")
    expect_the_end(tab, watched.look())
