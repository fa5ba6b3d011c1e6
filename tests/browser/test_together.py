"""People without accounts: my name, another device, a friend by link, those who watch."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Route, expect
from sqlalchemy import create_engine, select

from outplay.store.models import Base
from outplay.web.http.people import COOKIE, id_of, public_id
from tests.browser.test_everyone import violations
from tests.browser.test_whole_games import DIAGONAL, MASSACRE
from tests.support.browser.brain import the_move
from tests.support.browser.hands import Finger, Hand, Mouse
from tests.support.browser.visitor import PHONE, NewVisitor, Tab, Visitor
from tests.support.web_server import Json, ServerProcess, new_game

AT_A_PHONE: Json = {"viewport": PHONE, "has_touch": True, "is_mobile": True}


def key_of(visitor: Visitor) -> str:
    """The key that the server gave this window."""
    (cookie,) = visitor.context.cookies()
    assert cookie["name"] == COOKIE
    return str(cookie["value"])


def seat_of(tab: Tab, side: int) -> Locator:
    return tab.page.locator("main .seat").nth(side)


def invite(tab: Tab, game: str = "connect4", path: str = "/", choose: Callable[[], Any] = lambda: None) -> str:
    """Begin a game with a friend, and return the link to the other seat."""
    tab.play(path if game == "connect4" else f"/play/{game}").press("n")
    tab.click("Play a friend")
    choose()
    tab.click("Make the link")
    link = tab.page.get_by_label("Link for your friend")
    expect(link.first).to_have_value(re.compile("/sit/"))
    return link.first.input_value()


def sit_down(tab: Tab, link: str) -> None:
    tab.page.goto(link)
    tab.sees(link="open")
    expect(tab.page).to_have_url(re.compile("/game/[a-z0-9]+$"))


def pair(new_visitor: NewVisitor, **options: Any) -> tuple[Tab, Tab]:
    """Red at a desk, and Yellow, who came by the link, on a phone."""
    desk, phone = new_visitor(key=None).tab, new_visitor(key=None, **AT_A_PHONE).tab
    sit_down(phone, invite(desk, **options))
    expect(desk.page.locator(".invite")).to_have_count(0)
    return desk, phone


def play_by_turns(tabs: tuple[Tab, Tab], hands: tuple[Hand, Hand], moves: list[str]) -> None:
    """Each plays the own moves on the own page, and sees those of the other."""
    game = tabs[0].game()
    for ply, text in enumerate(moves):
        tab, hand = tabs[ply % 2], hands[ply % 2]
        tab.sees(plies=ply)
        expect(tab.head).to_contain_text("Your move.")
        hand.play(tab, game.look(), the_move(game.view, text))
        tab.sees(plies=ply + 1)
    for tab in tabs:
        tab.sees(status="over", plies=len(moves))
    assert game.look()["moves"][-1]["text"] == moves[-1]


# Two people, two devices


def test_two_friends_play_connect_four_by_link(new_visitor: NewVisitor) -> None:
    desk, phone = pair(new_visitor)
    expect(phone.sentence).to_contain_text("sits down")
    desk.press("4").sees(plies=1)
    expect(desk.sentence).to_have_text("Red, column 4. Yellow to move.")
    phone.sees(plies=1)
    expect(phone.sentence).to_have_text("Red, column 4. Your move.")
    desk.press("u")
    phone.page.get_by_role("button", name="Accept").tap()
    desk.sees(plies=0)
    play_by_turns((desk, phone), (Mouse(), Finger()), list(DIAGONAL))
    expect(desk.sentence).to_have_text("You won on move 11: four on a diagonal.")
    expect(phone.sentence).to_have_text("You lost on move 11: four on a diagonal.")
    desk.press("n").sees(plies=0)  # a rematch: seats swapped
    offer = phone.page.locator(".offer")
    expect(offer).to_contain_text("Red wants a rematch.")
    offer.get_by_role("button", name="Play").tap()
    phone.sees(plies=0, link="open")
    assert phone.game_id == desk.game_id
    expect(seat_of(phone, 0)).to_contain_text("You")
    phone.cell(3).tap()
    desk.sees(plies=1)


def test_two_friends_play_checkers_by_link(new_visitor: NewVisitor) -> None:
    desk, phone = pair(new_visitor, game="checkers")
    assert phone.does_not_overflow()
    play_by_turns((desk, phone), (Mouse(), Finger()), MASSACRE.split())
    expect(phone.sentence).to_contain_text("You won")
    expect(desk.sentence).to_contain_text("You lost")


def test_the_friend_begins_if_i_choose_the_second_side_and_the_clock_waits(new_visitor: NewVisitor) -> None:
    desk, phone = new_visitor(key=None).tab, new_visitor(key=None, **AT_A_PHONE).tab

    def choose() -> None:
        desk.page.get_by_role("group", name="You play").get_by_role("button", name="Yellow").click()
        desk.select("Clock", "5+3")

    link = invite(desk, choose=choose)
    expect(desk.sentence).to_have_text("Waiting for your friend.")
    expect(desk.page.locator(".clock.running")).to_have_count(0)
    desk.press("4")
    expect(desk.sentence).to_have_text("The game begins when your friend sits down.")
    assert desk.game().view["moves"] == []
    sit_down(phone, link)
    expect(seat_of(desk, 0).locator(".clock.running")).to_be_visible()
    phone.cell(3).tap()
    desk.sees(plies=1)
    desk.press("4").sees(plies=2)


def test_links_lead_to_the_machine_that_other_devices_can_reach(new_visitor: NewVisitor) -> None:
    alone, shared = new_visitor(key=None).tab, new_visitor(key=None, **AT_A_PHONE).tab
    assert invite(alone).startswith("http://127.0.0.1:")
    expect(alone.page.get_by_role("note")).to_contain_text("Other devices cannot open this link")
    assert violations(alone) == []

    def reachable(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, json=answer.json() | {"address": "http://192.168.1.4:8642"})

    shared.page.route("**/api/about", reachable)
    assert invite(shared).startswith("http://192.168.1.4:8642/play/")
    expect(shared.page.get_by_role("note")).to_have_count(0)
    shared.visit("/class/NEW").page.get_by_label("Name of the class").fill("7b")
    shared.click("Open the class")
    expect(shared.page.get_by_text("192.168.1.4:8642/class")).to_be_visible()


def test_names_messages_and_presence(new_visitor: NewVisitor) -> None:
    desk, phone = pair(new_visitor)
    desk.click("You").page.get_by_label("Name").fill("Mia")
    desk.click("Save")
    expect(desk.page.get_by_text("You are Mia.")).to_be_visible()
    desk.press("Escape")
    expect(seat_of(phone, 0)).to_contain_text("Mia")
    expect(seat_of(desk, 0)).to_contain_text("You")
    phone.page.get_by_role("button", name="Say").tap()
    phone.page.get_by_role("button", name="Have fun!").tap()
    expect(seat_of(desk, 1).locator(".bubble")).to_have_text("Have fun!")
    expect(desk.page.get_by_text("Yellow says: Have fun!")).to_be_attached()
    desk.click("Say something").click("Thank you!")
    expect(seat_of(phone, 0).locator(".bubble")).to_have_text("Thank you!")
    phone.page.goto("about:blank")
    expect(desk.head).to_contain_text("Yellow is away.")
    phone.page.go_back()
    phone.sees(link="open")
    expect(desk.head).not_to_contain_text("away")


def test_a_draw_is_offered_declined_and_agreed(new_visitor: NewVisitor) -> None:
    desk, phone = pair(new_visitor)
    desk.do("draw")
    expect(desk.head).to_contain_text("You offered Yellow a draw.")
    offer = phone.page.locator(".offer")
    expect(offer).to_contain_text("Red offers a draw.")
    expect(phone.page.get_by_role("status").filter(has_text="Red offers a draw.")).to_be_attached()
    board = phone.board.bounding_box()
    offer.get_by_role("button", name="Decline").tap()
    expect(desk.sentence).to_have_text("Yellow declines the draw.")
    assert phone.board.bounding_box() == board
    phone.page.get_by_role("button", name="Menu").tap()
    phone.page.locator("dialog").locator('[data-action="draw"]').tap()
    accept = desk.page.locator(".offer").get_by_role("button", name="Accept")
    accept.focus()
    desk.press("Enter").sees(status="over")
    phone.sees(status="over")


def test_two_people_have_no_hint_no_pause_and_no_other_players(new_visitor: NewVisitor) -> None:
    desk, phone = pair(new_visitor)
    desk.page.get_by_role("button", name="More").click()
    for action in ("hint", "redo", "pause", "analyse", "lab"):
        expect(desk.page.locator(f'[data-action="{action}"]')).to_have_count(0)
    expect(desk.page.get_by_role("button", name="Change player")).to_have_count(0)
    expect(phone.page.get_by_role("button", name="Hint")).to_have_count(0)
    desk.press("h", "p", "[")
    expect(desk.sentence).to_have_text("Yellow sits down.")


def test_two_people_at_one_screen_play_as_before(new_visitor: NewVisitor) -> None:
    visitor = new_visitor()
    tab = visitor.tab.open(new_game(visitor.server.client))
    visitor.server.client.post("/api/me/name", json={"name": "Mia"})
    try:
        expect(seat_of(tab, 0)).to_contain_text("Red")
        tab.press("4").sees(plies=1).press("4").sees(plies=2).press("u").sees(plies=1)
        expect(tab.page.locator('[data-action="hint"]').first).to_be_enabled()
        expect(tab.page.get_by_role("button", name="Change player")).to_have_count(2)
        tab.press("Shift+D")
        tab.page.get_by_role("button", name="Accept").click()
        tab.sees(status="over")
        assert [seat["title"] for seat in tab.game().view["seats"]] == ["Red", "Yellow"]
    finally:
        visitor.server.client.post("/api/me/name", json={"name": ""})


# Those who watch


def test_a_third_watches_and_cannot_move(new_visitor: NewVisitor) -> None:
    desk, _ = pair(new_visitor)
    visitor = new_visitor(key=None)
    third = visitor.tab.play(f"/game/{desk.game_id}")
    expect(third.head).to_contain_text("You are watching.")
    expect(desk.page.get_by_text("1 person is watching.")).to_be_visible()
    expect(third.page.locator(".bar, .controls").get_by_role("button", name="Resign")).to_have_count(0)
    for action in ("takeback", "hint", "resign", "draw", "redo", "rematch"):
        expect(third.page.locator(f'[data-action="{action}"]')).to_have_count(0)
    expect(third.page.get_by_role("button", name="Change player")).to_have_count(0)
    third.cell(3).click()
    expect(third.sentence).to_have_text("You are watching.")
    third.press("4", "u", "h", "Shift+R", "Shift+R", "Shift+D", "p")
    desk.press("3").sees(plies=1)
    third.sees(plies=1)
    assert [move["text"] for move in desk.game().view["moves"]] == ["3"]
    version = desk.game().view["version"]
    answer = visitor.context.request.post(
        f"{third.server.url}/api/games/{desk.game_id}/moves", data={"version": version, "move": "4"}
    )
    assert (answer.status, answer.json()["error"]["kind"]) == (403, "not-yours")


def test_a_used_link_leads_to_watching(new_visitor: NewVisitor) -> None:
    desk, phone = new_visitor(key=None).tab, new_visitor(key=None, **AT_A_PHONE).tab
    link = invite(desk)
    sit_down(phone, link)
    late = new_visitor(key=None)
    late.tolerate("403")
    sit_down(late.tab, link)
    expect(late.tab.sentence).to_have_text("This seat is taken, or the link is wrong: you can watch the game.")
    late.tab.press("Escape")
    expect(late.tab.head).to_contain_text("You are watching.")
    sit_down(phone, link)  # who sits there already may open it again
    expect(seat_of(phone, 1)).to_contain_text("You")
    sit_down(desk, link)
    expect(seat_of(desk, 0)).to_contain_text("You")


def test_a_game_against_an_engine_is_watched_without_a_you(new_visitor: NewVisitor, server: ServerProcess) -> None:
    game = new_game(server.client, seats=["human", "level:1"])
    tab = new_visitor(key=None).tab.open(game)
    expect(tab.sentence).to_have_text("Red to move.")
    expect(tab.head).to_contain_text("You are watching.")
    expect(seat_of(tab, 0)).not_to_contain_text("You")


def test_who_watches_analyses_in_a_study_of_the_own(new_visitor: NewVisitor, server: ServerProcess) -> None:
    game = new_game(server.client)
    game.play(*"4433")
    tab = new_visitor(key=None).tab
    tab.visit(f"/analyse?game={game.view['id']}").sees(ply=4)
    expect(tab.page.get_by_text("Only its players can have this game reviewed.")).to_be_visible()
    expect(tab.page.get_by_role("button", name="Review the game")).to_be_disabled()
    tab.press("5")
    expect(tab.page).to_have_url(re.compile(r"/analyse\?game=(?!" + game.view["id"] + ")[a-z0-9]{10}"))
    assert game.look()["moves"][-1]["text"] == "3"


# Seats that last


def test_seats_survive_a_reload_and_a_killed_server(new_visitor: NewVisitor, tmp_path: Path) -> None:
    with ServerProcess(tmp_path) as first:
        port = str(first.port)
        visitors = [new_visitor(first, key=None), new_visitor(first, key=None, **AT_A_PHONE)]
        for visitor in visitors:
            visitor.tolerate("WebSocket|ERR_CONNECTION|Failed to load")
        desk, phone = (visitor.tab for visitor in visitors)
        sit_down(phone, invite(desk))
        desk.sees(plies=0).press("4").sees(plies=1)
        phone.page.reload()
        phone.sees(link="open", plies=1)
        first.kill()
        for tab in (desk, phone):
            tab.sees(link="gone")
    with ServerProcess(tmp_path, "--port", port) as second:
        for tab in (desk, phone):
            tab.server = second
            tab.sees(link="open", plies=1)
        phone.cell(3).tap()
        desk.sees(plies=2).press("4").sees(plies=3)
        phone.sees(plies=3)
        expect(seat_of(phone, 1)).to_contain_text("You")
        for visitor in visitors:
            visitor.page.goto("about:blank")


def test_a_code_brings_my_seat_to_another_device(new_visitor: NewVisitor) -> None:
    desk, phone = pair(new_visitor)
    desk.press("4").sees(plies=1)
    desk.click("You").click("Take me to another device")
    code = desk.page.locator(".code").inner_text()
    expect(desk.page.get_by_role("img", name="QR code")).to_be_visible()
    fresh = new_visitor(key=None)
    fresh.tab.visit(f"/me/{code}")
    expect(fresh.page).to_have_url(f"{desk.server.url}/")
    fresh.tab.play(f"/game/{desk.game_id}")
    expect(seat_of(fresh.tab, 0)).to_contain_text("You")
    phone.cell(3).tap()
    fresh.tab.sees(plies=2).press("5").sees(plies=3)
    desk.press("Escape").sees(plies=3)


def test_a_code_is_typed_and_a_wrong_one_is_told(new_visitor: NewVisitor, server: ServerProcess) -> None:
    code = server.client.post("/api/me/copy", json={}).json()["code"]
    visitor = new_visitor(key=None)
    visitor.tolerate("404")
    tab = visitor.tab.play()
    tab.click("You").page.get_by_label("Code").fill("xxxx-xxxx")
    tab.click("Enter")
    expect(tab.page.get_by_text("This code is wrong or too old")).to_be_visible()
    tab.page.get_by_label("Code").fill(code)
    tab.click("Enter")
    expect(tab.page.get_by_role("dialog")).to_have_count(0)
    tab.sees(link="open")
    me = visitor.context.request.get(f"{server.url}/api/me").json()
    assert me["id"] == server.client.get("/api/me").json()["id"]


def test_a_browser_with_games_of_its_own_is_asked_first(new_visitor: NewVisitor, server: ServerProcess) -> None:
    visitor = new_visitor(key=None)
    visitor.tab.play().press("4").sees(status="human", plies=2)
    before = key_of(visitor)
    code = server.client.post("/api/me/copy", json={}).json()["code"]
    visitor.tab.visit(f"/me/{code}")
    expect(visitor.page.get_by_text("This browser has a game of its own.")).to_be_visible()
    assert violations(visitor.tab) == []
    assert key_of(visitor) == before
    visitor.tab.click("Take over")
    expect(visitor.page).to_have_url(f"{server.url}/")
    visitor.tab.sees(link="open")
    assert key_of(visitor) != before


def test_forget_me_deletes_what_is_mine(new_visitor: NewVisitor, tmp_path: Path) -> None:
    with ServerProcess(tmp_path) as server:
        visitor, other = new_visitor(server, key=None), new_visitor(server, key=None)
        desk, friend = visitor.tab, other.tab
        sit_down(friend, invite(desk))
        desk.sees(plies=0).press("4").sees(plies=1)
        desk.click("You").page.get_by_label("Name").fill("Mia")
        desk.click("Save")
        expect(seat_of(friend, 0)).to_contain_text("Mia")
        key = key_of(visitor)
        assert rows_of(tmp_path, key)
        desk.click("Forget me")
        expect(desk.page.get_by_text("Games with a friend stay for your friend")).to_be_visible()
        expect(desk.page.get_by_role("button", name="Keep it")).to_be_focused()
        desk.click("Delete all that is mine")
        expect(desk.page).to_have_url(f"{server.url}/")
        desk.sees(link="open", plies=0)
        assert key_of(visitor) != key
        assert rows_of(tmp_path, key) == []
        expect(friend.head).to_contain_text("Red has left.")
        friend.press("4").sees(plies=2)
        for window in (visitor, other):
            window.page.goto("about:blank")


def test_another_device_is_told_that_i_was_forgotten_and_begins_anew(new_visitor: NewVisitor) -> None:
    visitor, other = new_visitor(key=None), new_visitor(key=None, **AT_A_PHONE)
    other.tolerate("401|404")
    desk, phone = visitor.tab, other.tab
    desk.play()
    phone.visit(f"/me/{visitor.context.request.post(f'{desk.server.url}/api/me/copy', data={}).json()['code']}")
    phone.sees(link="open").cell(3).tap()
    phone.sees(plies=2)
    forgotten = key_of(other)
    assert key_of(visitor) == forgotten
    desk.click("You").click("Forget me").click("Delete all that is mine")
    desk.sees(link="open", plies=0)
    expect(phone.page.get_by_text("This game was deleted.")).to_be_visible()
    phone.page.get_by_role("link", name="Play Connect Four").tap()
    note = phone.page.get_by_role("note").filter(has_text="You chose “Forget me” on another device.")
    expect(note).to_be_visible()
    phone.sees(link="open", plies=0)
    assert key_of(other) not in (forgotten, key_of(visitor))
    is_fine(phone)
    phone.page.get_by_role("button", name="OK").tap()
    expect(note).to_have_count(0)
    phone.cell(3).tap()
    phone.sees(plies=2)
    phone.page.reload()
    phone.sees(link="open", plies=2)
    expect(note).to_have_count(0)


def rows_of(folder: Path, key: str) -> list[Json]:
    """Every row of the database that knows the person who has this key."""
    known = {key, id_of(key), public_id(id_of(key))}
    engine = create_engine(f"sqlite:///{next(folder.glob('*.sqlite3'))}")
    with engine.connect() as connection:
        tables = Base.metadata.sorted_tables
        found = [dict(row._mapping) for table in tables for row in connection.execute(select(table))]
    engine.dispose()
    return [row for row in found if any(part in str(row) for part in known)]


def test_the_library_has_my_games_and_deletes_only_those_i_made(new_visitor: NewVisitor) -> None:
    desk, phone = pair(new_visitor)
    desk.press("4").sees(plies=1)
    for tab, count in ((desk, 1), (phone, 0)):
        tab.visit("/library")
        expect(tab.page.locator(".gamerow")).to_have_count(1)
        expect(tab.page.locator('[data-tool="delete"]')).to_have_count(count)


# For everyone


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_state_with_others_is_accessible_and_fits(new_visitor: NewVisitor, scheme: str) -> None:
    desk, phone = new_visitor(key=None, color_scheme=scheme).tab, new_visitor(key=None, **AT_A_PHONE).tab
    phone.page.emulate_media(color_scheme="dark" if scheme == "dark" else "light", reduced_motion="reduce")
    desk.page.emulate_media(reduced_motion="reduce")
    link = invite(desk)
    is_fine(desk)
    desk.click("You").click("Take me to another device")
    desk.click("Forget me")
    is_fine(desk)
    desk.press("Escape")
    sit_down(phone, link)
    desk.sees(plies=0).press("4").sees(plies=1)
    desk.click("Say something")
    is_fine(desk)
    desk.click("Say something").click("Good move!")
    desk.do("draw")
    expect(phone.page.locator(".offer")).to_be_visible()
    is_fine(phone)
    third = new_visitor(key=None).tab.play(f"/game/{desk.game_id}")
    expect(third.head).to_contain_text("You are watching.")
    is_fine(third)


def is_fine(tab: Tab) -> None:
    """At both widths: axe finds nothing, and nothing reaches past the edge."""
    before = tab.page.viewport_size
    for size in ({"width": 1280, "height": 860}, PHONE, {"width": 360, "height": 740}):
        tab.page.set_viewport_size({"width": size["width"], "height": size["height"]})
        assert tab.does_not_overflow(), size
        assert violations(tab) == [], size
    assert before is not None
    tab.page.set_viewport_size(before)
