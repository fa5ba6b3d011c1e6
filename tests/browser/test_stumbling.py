"""What new people stumbled over, each on the page: the board that moved, texts that hid, commands out of reach."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.support.browser.desk import Desk, imported
from tests.support.browser.visitor import PHONE, NewVisitor, Tab
from tests.support.web_server import ServerProcess, new_game

SIZES = ((1280, 800), (1440, 900), (768, 1024), (390, 844), (844, 390))
"""Two desktops, a tablet, a phone, and a phone on its side."""
GAME = "44444753335552521727733453766676"


def place(tab: Tab) -> dict[str, float]:
    """Return where the board is on the page, in pixels, wherever the page is scrolled to."""
    found: dict[str, float] = tab.page.evaluate(
        """() => {
          const box = document.querySelector("svg.board").getBoundingClientRect();
          return { x: box.x + scrollX, y: box.y + scrollY, width: box.width, height: box.height };
        }"""
    )
    return found


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_the_checkers_board_never_moves(new_visitor: NewVisitor, width: int, height: int) -> None:
    tab = new_visitor(viewport={"width": width, "height": height}).tab
    game = new_game(tab.server.client, "checkers", ["human", "human"], position="B:W22,28,K32:B11,18,K1")
    tab.open(game)
    start = place(tab)
    tab.cell(18).click()  # picked
    expect(tab.head).to_contain_text("Man on 18")
    assert place(tab) == start
    tab.cell(18).click()
    tab.cell(11).click()  # one that cannot move
    expect(tab.head).to_contain_text("Man on 11 cannot capture")
    assert place(tab) == start
    tab.cell(16).click()  # a refusal
    expect(tab.page.get_by_role("alert")).to_be_visible()
    assert place(tab) == start
    for step in (1, 2, 3):
        tab.press("h")
        expect(tab.head).to_contain_text(f"Hint {step} of 3")
        assert place(tab) == start
    tab.press("Escape")
    game.play("18x25")
    tab.sees(plies=1)
    assert place(tab) == start
    tab.press("Shift+R", "Shift+R").sees(status="over")
    assert place(tab) == start


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_the_connect_four_board_never_moves(new_visitor: NewVisitor, width: int, height: int) -> None:
    tab = new_visitor(viewport={"width": width, "height": height}).tab
    tab.open(new_game(tab.server.client, seats=["human", "level:2"], position="112233", seed=1))
    start = place(tab)
    for step in (1, 2, 3):
        tab.press("h")
        expect(tab.head).to_contain_text(f"Hint {step} of 3")
        assert place(tab) == start
    tab.press("k")
    tab.press("4").sees(status="over")
    assert place(tab) == start
    tab.page.locator('.coach[data-coach="done"]').wait_for()
    assert place(tab) == start
    tab.press("k")
    expect(tab.head).to_contain_text("Play from here")
    assert place(tab) == start


def test_a_text_of_any_length_leaves_the_board_in_its_place(tab: Tab) -> None:
    tab.play("/play/checkers")
    start = place(tab)
    for words in ("Short.", "A sentence that is much longer than the board is wide. " * 3):
        tab.page.evaluate("(words) => (document.querySelector('.stagehead strong').textContent = words)", words)
        assert place(tab) == start
    assert tab.page.locator(".stagehead").get_attribute("data-fit") == "wrapped"


def test_the_board_for_analysis_stays_when_a_move_is_refused(tab: Tab) -> None:
    desk = Desk(tab, "/analyse?game=checkers&pos=B:W22,28:B11,18")
    start = place(tab)
    tab.cell(11).click()
    tab.cell(16).click()
    expect(desk.page.get_by_role("alert")).to_contain_text("You must capture")
    assert place(tab) == start
    tab.click("Close (Esc)")
    expect(desk.page.locator(".objection")).to_have_count(0)


def test_what_is_pasted_is_analysed_whatever_game_it_is(tab: Tab) -> None:
    desk = Desk(tab, "/analyse")
    field = desk.page.get_by_label("Paste a game, moves or a position")
    field.fill("B:W18,24,27,K10:B12,16")
    field.press("Enter")
    expect(desk.page.locator("main.ck")).to_be_visible()
    field.fill("4455")
    field.press("Enter")
    expect(desk.page.locator("main.c4")).to_be_visible()
    desk.is_at(4)
    field.fill('[Black "Ann"] [White "Bob"] 1. 11-15 23-19 2. 8-11 22-17 *')
    field.press("Enter")
    desk.is_at(4)
    expect(desk.page.locator("main.ck")).to_be_visible()


def test_a_text_that_is_nothing_is_refused_once(tab: Tab) -> None:
    desk = Desk(tab, "/analyse")
    field = desk.page.get_by_label("Paste a game, moves or a position")
    field.fill("hello there")
    field.press("Enter")
    problem = desk.page.get_by_text("neither a game nor a position")
    expect(problem).to_have_count(1)
    expect(field).to_have_value("hello there")
    field.fill("4")
    expect(problem).to_have_count(0)


def test_the_game_of_the_analysis_is_switched_in_sight(tab: Tab) -> None:
    desk = Desk(tab, "/analyse")
    desk.page.locator(".opener").get_by_role("link", name="Checkers").click()
    expect(desk.page.locator("main.ck[data-study]")).to_be_visible()


@pytest.mark.parametrize("name", ["xyz", "chess!"])
def test_an_address_without_a_game_says_what_is_wrong(tab: Tab, name: str) -> None:
    tab.visit(f"/analyse?game={name}")
    expect(tab.page.get_by_text(f"There is no game “{name}” to analyse")).to_be_visible()
    tab.page.get_by_role("link", name="Analyse a position").click()
    tab.page.locator("main.analyse[data-study]").wait_for()


def test_review_and_lesson_are_in_sight_on_a_small_desktop(new_visitor: NewVisitor) -> None:
    tab = new_visitor(viewport={"width": 1280, "height": 800}).tab
    desk = Desk(tab, imported(tab, GAME))
    expect(tab.action("review")).to_be_in_viewport(ratio=1)
    tab.action("review").click()
    desk.is_reviewed()
    expect(tab.action("learn")).to_be_in_viewport(ratio=1)
    expect(desk.page.locator(".graphcard header")).to_contain_text("Red 88%")
    tab.action("learn").click()
    desk.stage("asking")


def test_the_library_shows_my_games_and_keeps_its_filters_in_the_address(tab: Tab, server: ServerProcess) -> None:
    mine = new_game(server.client, seats=["human", "level:5"])
    mine.play("4")
    imported(tab, "11-15 23-19")
    tab.visit("/library")
    tab.page.get_by_role("switch", name="Only mine").check()
    tab.page.locator(".playertext").fill("trap")  # the beginning of "Trapper"
    expect(tab.page).to_have_url(re.compile(r"mine=true&player=trap"))
    expect(tab.page.locator(f'[data-game="{mine.view["id"]}"]')).to_be_visible()
    expect(tab.page.get_by_text("Imported")).to_have_count(0)
    tab.page.reload()
    expect(tab.page.get_by_role("switch", name="Only mine")).to_be_checked()
    expect(tab.page.locator(f'[data-game="{mine.view["id"]}"]')).to_be_visible()


def test_a_phone_has_resign_and_names_each_page_once(phone: Tab) -> None:
    phone.open(new_game(phone.server.client, seats=["human", "level:2"])).click("Menu")
    sheet = phone.page.get_by_role("dialog", name="Game")
    expect(sheet.get_by_text("Analyse", exact=True)).to_have_count(1)
    sheet.get_by_role("button", name="Resign").tap()
    sheet.get_by_role("button", name="Sure?").tap()
    phone.sees(status="over")


def test_setting_up_is_cancelled_on_a_phone(phone: Tab) -> None:
    phone.play().click("Menu")
    phone.page.get_by_role("dialog", name="Game").locator('[data-action="new"]').tap()
    phone.click("Set up")
    cancel = phone.page.get_by_role("button", name="Cancel")
    expect(cancel).to_be_in_viewport()
    cancel.tap()
    expect(phone.page.locator(".editortools")).to_have_count(0)
    phone.sees(status="human")


def test_a_phone_on_its_side_shows_the_whole_board_and_the_commands(new_visitor: NewVisitor) -> None:
    size = {"width": PHONE["height"], "height": PHONE["width"]}
    for path in ("/", "/play/checkers"):
        tab = new_visitor(viewport=size, has_touch=True, is_mobile=True).tab.play(path)
        expect(tab.board).to_be_in_viewport(ratio=0.99)
        for action in ("takeback", "hint", "resign", "new"):
            expect(tab.action(action)).to_be_in_viewport()
        assert tab.does_not_overflow()


def test_the_tree_of_the_lab_comes_first_on_a_phone(phone: Tab) -> None:
    phone.visit("/lab?game=connect4&pos=44444226&depth=3&use=alphabeta")
    phone.page.locator('main[data-lab="done"]').wait_for()
    tree, form = (phone.page.locator(name).bounding_box() for name in (".search", ".labform"))
    assert tree is not None
    assert form is not None
    assert tree["y"] < form["y"]


def test_the_players_open_beside_their_seat(tab: Tab) -> None:
    tab.open(new_game(tab.server.client, seats=["human", "level:2"])).click("Change player: You, Red")
    rows = tab.page.locator(".seats .list > *")
    assert [row.get_attribute("class") for row in rows.all()] == ["seat", "players", "seat"]


def test_a_win_in_one_is_a_proof(tab: Tab) -> None:
    game = new_game(tab.server.client, seats=["level:3", "human"], position="112233", time_ms=1000)
    tab.open(game).sees(status="over")
    glass = tab.page.locator(".glass").first
    expect(glass.locator(".proof")).to_have_text("solved")
    expect(glass.locator("rect.solid")).to_have_count(1)  # the other columns are still estimates
    assert glass.locator("rect:not(.solid, .pick)").count() > 0


def test_players_have_the_names_people_know(tab: Tab) -> None:
    tab.open(new_game(tab.server.client, seats=["human", "level:2"])).click("Change player: Blocker, Yellow")
    for name in ("Monte Carlo", "Alpha-beta", "Minimax"):
        expect(tab.page.locator(".player b", has_text=re.compile(f"^{name}$"))).to_be_visible()


def test_a_wide_board_says_which_key_drops_where(tab: Tab) -> None:
    tab.open(new_game(tab.server.client, width=10, height=7))
    expect(tab.head).to_contain_text("9, or / and the letter")
    tab.press("/")
    tab.page.keyboard.type("a")
    tab.press("Enter").sees(plies=1)
    expect(tab.sentence).to_contain_text("Red, column a.")


def test_an_earlier_position_can_be_played_from(tab: Tab) -> None:
    game = new_game(tab.server.client, seats=["human", "level:4"], seed=1)
    tab.open(game).press("4").sees(status="human", plies=2).press("3").sees(status="human", plies=4).press("k", "k")
    tab.press("1")
    expect(tab.page.get_by_role("alert")).to_contain_text("This is an earlier position.")
    tab.page.get_by_role("alert").get_by_role("button", name="Play from here").click()
    tab.sees(status="human", plies=0)
    assert tab.game_id != game.view["id"]
    assert [seat["player"] for seat in tab.game().view["seats"]] == ["human", "level:4"]


def test_a_coronation_is_announced(tab: Tab) -> None:
    tab.open(new_game(tab.server.client, "checkers", position="B:W5,21:B27,1"))
    tab.cell(27).click()
    tab.cell(31).click()
    expect(tab.page.get_by_role("status").first).to_have_text("Black, 27-31, crowned. White to move.")


def test_a_picture_is_saved_as_png(tab: Tab) -> None:
    tab.open(new_game(tab.server.client)).press("4").sees(plies=1).click("More").do("share")
    with tab.page.expect_download() as saved:
        tab.click("Save a picture of the board (PNG)")
    png = saved.value.path().read_bytes()
    assert png.startswith(b"\x89PNG")
    assert int.from_bytes(png[16:20], "big") == 1200
    assert saved.value.suggested_filename.endswith(".png")


def test_the_app_can_be_installed(tab: Tab) -> None:
    tab.play()
    manifest = tab.page.evaluate("fetch(document.querySelector('link[rel=manifest]').href).then((r) => r.json())")
    assert (manifest["display"], manifest["start_url"]) == ("standalone", "./")
    for icon in manifest["icons"]:
        assert tab.page.request.get(f"{tab.server.url}/{icon['src'][2:]}").ok
    session = tab.page.context.new_cdp_session(tab.page)
    found = session.send("Page.getAppManifest")
    assert found["errors"] == []
