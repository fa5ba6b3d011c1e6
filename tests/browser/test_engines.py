"""Engines at play: the slider, pausing, hurrying, and what happens when one fails."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from tests.support.browser.visitor import Tab
from tests.support.browser.workers import fail_engine, kill_workers
from tests.support.web_server import Game, Json, ServerProcess, new_game

SLOW_MS = 60_000
"""A thinking time that no test waits for."""


@pytest.fixture
def thinker(server: ServerProcess) -> Iterator[Game]:
    """A game in which an engine that uses all its time has a minute to answer the human's first move."""
    game = new_game(server.client, seats=["human", "lab:five-phase"], time_ms=SLOW_MS)
    yield game
    game.do("pace", paused=True)


@pytest.fixture
def match(server: ServerProcess) -> Iterator[Game]:
    """A long game of two engines that use all their time, paused, with a second and a half a move."""
    seats = ["lab:five-phase", "lab:five-phase"]
    game = new_game(server.client, "checkers", seats, time_ms=1500, paused=True)
    yield game
    game.do("pace", paused=True)


def thought_ms(view: Json, ply: int) -> int:
    """How long the engine thought that moved after so many plies; of each engine the last thought is known."""
    return next(int(opinion["time_ms"]) for opinion in view["opinions"] if opinion["ply"] == ply)


def set_pace(tab: Tab, position: int) -> None:
    """Move the slider, and wait until the server has heard of it: the hand must rest a moment first."""
    with tab.page.expect_response(lambda answer: "time_ms" in (answer.request.post_data or "")):
        tab.set_slider(position)


# The slider


def test_the_slider_sets_the_thinking_time_of_the_next_move(tab: Tab, match: Game) -> None:
    tab.open(match).do("step").sees(status="paused", plies=1)
    assert thought_ms(match.look(), 0) > 1000
    set_pace(tab, 10)
    expect(tab.page.locator(".seats output")).to_have_text("0.085 s")
    tab.do("step").sees(status="paused", plies=2)
    assert match.look()["time_ms"] == 85
    assert thought_ms(match.view, 1) < 1000


def test_the_slider_is_moved_while_two_engines_play(tab: Tab, match: Game) -> None:
    match.do("pace", time_ms=SLOW_MS)
    tab.open(match).do("pause").sees(status="thinking", plies=0)
    set_pace(tab, 20)  # the engine that thinks now has had its time
    tab.sees_more_than(1).do("pause").sees(status="paused")
    assert match.look()["time_ms"] < 300
    later = [int(opinion["time_ms"]) for opinion in match.view["opinions"] if opinion["ply"] >= 1]
    assert later
    assert max(later) < SLOW_MS / 10
    set_pace(tab, 0)
    expect(tab.page.locator(".seats output")).to_have_text("turbo")
    expect(tab.page.locator("html[data-speed=turbo]")).to_be_attached()
    assert match.look()["time_ms"] == 0
    tab.do("pause").sees_more_than(len(match.view["moves"]))


def test_the_slider_has_keys(tab: Tab, match: Game) -> None:
    tab.open(match)
    slider = tab.page.get_by_label("Thinking time per move")
    before = int(slider.input_value())
    tab.press("[")
    expect(slider).to_have_value(str(before - 10))
    tab.press("]", "]")
    expect(slider).to_have_value(str(before + 10))


# Pausing and hurrying


def test_a_match_is_paused_and_goes_on_move_by_move(tab: Tab, server: ServerProcess) -> None:
    game = new_game(server.client, "checkers", ["level:1", "level:1"], time_ms=200, seed=1)
    tab.open(game).sees_more_than(1).press("p").sees(status="paused")
    plies = tab.plies
    tab.press(".").sees(status="paused", plies=plies + 1)
    tab.do("step").sees(status="paused", plies=plies + 2)
    assert len(game.look()["moves"]) == plies + 2
    tab.do("takeback").sees(status="paused", plies=plies + 1)
    tab.press("p").sees_more_than(plies + 2)
    tab.press("p").sees(status="paused")


def test_a_seat_changes_hands_while_two_engines_play(tab: Tab, server: ServerProcess) -> None:
    game = new_game(server.client, "checkers", ["level:2", "level:2"], time_ms=200, seed=1)
    tab.open(game).sees_more_than(1)
    tab.click("Change player: Trader, White")
    tab.page.get_by_role("button", name="Human").click()
    tab.sees(status="human")
    expect(tab.page.locator(".seat b")).to_have_text(["Trader", "You"])
    assert [seat["player"] for seat in game.look()["seats"]] == ["level:2", "human"]


def test_an_engine_is_told_to_move_now(tab: Tab, thinker: Game) -> None:
    tab.open(thinker).press("4").sees(status="thinking", plies=1)
    expect(tab.head).to_contain_text("positions")
    tab.do("move-now").sees(status="human", plies=2)
    assert thought_ms(thinker.look(), 1) < SLOW_MS / 2


def test_an_engine_is_stopped_and_goes_on(tab: Tab, thinker: Game) -> None:
    tab.open(thinker).press("4").sees(status="thinking", plies=1)
    tab.do("stop").sees(status="paused", plies=1)
    tab.do("pause").sees(status="thinking", plies=1)
    tab.press(".").sees(status="human", plies=2)


def test_the_page_is_usable_while_an_engine_thinks(tab: Tab, thinker: Game) -> None:
    tab.open(thinker).press("4").sees(status="thinking", plies=1)
    before = tab.board.bounding_box()
    tab.press("k")
    expect(tab.sentence).to_have_text("The start position.")
    tab.press("End", "f")
    expect(tab.page).to_have_url(f"{tab.server.url}/game/{tab.game_id}?flip=1")
    tab.press("?")
    expect(tab.page.get_by_role("dialog")).to_be_visible()
    tab.press("Escape")
    expect(tab.page.locator(".glass")).to_contain_text("What Five-phase thinks")
    assert tab.board.bounding_box() == before  # the board never moves while something thinks
    longest_ms = tab.page.evaluate(
        """async () => {
          let longest = 0, last = performance.now();
          for (let frame = 0; frame < 20; frame += 1) {
            await new Promise(requestAnimationFrame);
            const now = performance.now();
            longest = Math.max(longest, now - last);
            last = now;
          }
          return longest;
        }"""
    )
    assert longest_ms < SLOW_MS / 10  # a wide margin: other programs run here too
    tab.do("takeback").sees(status="human", plies=0)


# Engines that fail


def test_a_worker_that_is_killed_is_replaced_by_itself(tab: Tab, thinker: Game) -> None:
    tab.open(thinker).press("4").sees(status="thinking", plies=1)
    expect(tab.head).to_contain_text("positions")  # its worker is at it
    kill_workers(tab.server)
    expect(tab.page.locator("strong", has_text="Five-phase's process was killed; it thinks again.")).to_be_visible()
    tab.do("move-now").sees(status="human", plies=2)


def test_a_worker_that_is_killed_again_fails_its_game_until_it_is_asked_again(tab: Tab, thinker: Game) -> None:
    tab.open(thinker).press("4").sees(status="thinking", plies=1)
    expect(tab.action("move-now")).to_be_visible()
    expect(tab.head).to_contain_text("positions")  # its worker is at it
    fail_engine(tab)
    tab.sees(status="failed", plies=1)
    expect(tab.page.get_by_role("alert")).to_contain_text("Five-phase failed. The game is paused.")
    tab.do("retry").sees(status="thinking", plies=1)
    expect(tab.page.get_by_role("alert")).to_have_count(0)
    tab.do("move-now").sees(status="human", plies=2)


def test_another_player_takes_the_seat_on_a_phone_too(phone: Tab, thinker: Game) -> None:
    phone.open(thinker)
    phone.cell(3).tap()
    phone.sees(status="thinking", plies=1)
    expect(phone.page.get_by_role("button", name="Stop")).to_be_visible()
    expect(phone.head).to_contain_text("positions")
    fail_engine(phone)
    phone.sees(status="failed").action("choose").tap()
    phone.page.get_by_role("dialog").get_by_role("button", name="Sprout").tap()
    phone.sees(status="human", plies=2)


def test_another_player_takes_the_seat_of_one_that_failed(tab: Tab, thinker: Game) -> None:
    tab.open(thinker).press("4").sees(status="thinking", plies=1)
    expect(tab.action("move-now")).to_be_visible()
    expect(tab.head).to_contain_text("positions")  # its worker is at it
    fail_engine(tab)
    tab.sees(status="failed").do("choose")
    tab.page.get_by_role("button", name="Sprout").click()
    tab.sees(status="human", plies=2)
    expect(tab.page.locator(".seat b")).to_have_text(["You", "Sprout"])
