"""The library page: games are pasted in, found, opened, taken along, thrown away and brought back."""

from __future__ import annotations

import os
import re
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, expect

from tests.support.browser.desk import PATIENCE_MS
from tests.support.browser.tasks import never_frozen
from tests.support.browser.visitor import NewVisitor, Tab
from tests.support.browser.workers import worked_seconds
from tests.support.games import long_game
from tests.support.web_server import ServerProcess, new_game

GAMES = """[Event "Cup"]
[Date "1958.09.14"]
[Black "Ann Lee"]
[White "Bob"]
[Result "1-0"]
1. 11-15 23-19 2. 8-11 22-17 3. 4-8 1-0

[Event "Cup"]
[Black "Dot"]
[White "Eve"]
[Result "0-1"]
1. 11-15 11-16 0-1

[GameType "connect4"]
[Event "Club"]
[Date "1990"]
[Red "Cid"]
[Yellow "Ann Lee"]
[Result "1-0"]
1. 4 1 2. 4 1 3. 4 1 4. 4 1-0
"""
IMPORT_SECONDS = 10


class Shelf:
    """The library page with its words."""

    def __init__(self, tab: Tab, path: str = "/library") -> None:
        self.tab, self.page = tab, tab.page
        tab.visit(path)
        self.page.locator('main[data-loaded="true"]').wait_for()

    @property
    def rows(self) -> Locator:
        return self.page.locator(".gamerow")

    @property
    def answer(self) -> Locator:
        return self.page.locator(".importanswer")

    def has(self, total: int) -> Shelf:
        expect(self.page.locator("main.library")).to_have_attribute("data-total", str(total))
        return self

    def take_in(self, text: str) -> Shelf:
        self.page.locator(".importtext").fill(text)
        self.tab.click("Import")
        expect(self.answer).to_contain_text(re.compile("imported|already"))
        return self

    def paste(self, text: str) -> Shelf:
        """From the clipboard, as a browser does it."""
        self.page.locator(".importtext").evaluate(
            """(field, text) => {
              const clipboardData = new DataTransfer();
              clipboardData.setData("text/plain", text);
              field.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
            }""",
            text,
        )
        return self


@pytest.fixture(scope="module")
def own_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A library that only these tests fill."""
    with ServerProcess(tmp_path_factory.mktemp("library")) as server:
        yield server


@pytest.fixture
def shelf(new_visitor: NewVisitor, own_server: ServerProcess) -> Shelf:
    """An empty library."""
    while games := own_server.client.get("/api/games", params={"limit": 100}).json()["games"]:
        deleted = own_server.client.post("/api/library/delete", json={"ids": [game["id"] for game in games]})
        assert deleted.status_code == 200
    return Shelf(new_visitor(own_server, permissions=["clipboard-read", "clipboard-write"]).tab)


def clipboard(shelf: Shelf) -> str:
    text: str = shelf.page.evaluate("navigator.clipboard.readText()")
    return text


def test_games_are_pasted_and_a_broken_one_is_told(shelf: Shelf) -> None:
    expect(shelf.page.get_by_text("Nothing yet")).to_be_visible()
    shelf.take_in(GAMES).has(2)
    expect(shelf.answer).to_contain_text("2 games imported, 1 cannot be read.")
    expect(shelf.answer).to_contain_text("Read as checkers and Connect Four: 2 games (PDN), 1 not readable.")
    expect(shelf.answer.locator(".problem")).to_contain_text("Game 2, line 12: ply 2")
    expect(shelf.rows.first).to_contain_text("Ann Lee")
    expect(shelf.rows.first).to_contain_text("11-15 23-19 8-11")
    expect(shelf.rows.first).to_contain_text("14 Sep 1958")
    shelf.page.get_by_text("Undo the import").click()
    shelf.has(0)
    shelf.tab.press("u")
    shelf.has(2)


@pytest.mark.skipif("OUTPLAY_CORPORA" not in os.environ, reason="OUTPLAY_CORPORA names no folder")
def test_seven_hundred_games_are_pasted_in_ten_seconds(shelf: Shelf) -> None:
    text = (Path(os.environ["OUTPLAY_CORPORA"]) / "checkers" / "tinsley.pdn").read_text(encoding="latin-1")
    shelf.paste(text)
    expect(shelf.page.locator(".heldtext")).to_contain_text("characters")
    began = worked_seconds(shelf.tab.server)
    shelf.tab.click("Import")
    expect(shelf.answer).to_contain_text("723 games imported, 1 cannot be read.", timeout=PATIENCE_MS)
    seconds = worked_seconds(shelf.tab.server) - began
    expect(shelf.answer.locator(".problem")).to_contain_text("Game 541, line 5588")
    shelf.has(723)
    expect(shelf.rows).to_have_count(50)
    shelf.tab.press("]")
    expect(shelf.page.get_by_text("51 to 100 of 723 games.")).to_be_visible()
    assert 0 < seconds < IMPORT_SECONDS


def test_games_are_found(shelf: Shelf) -> None:
    shelf.take_in(GAMES).has(2)
    form = shelf.page.get_by_role("search")
    form.get_by_label("Player").fill("bob")
    shelf.has(1)
    expect(shelf.page).to_have_url(re.compile(r"/library\?player=bob$"))
    shelf.tab.click("Clear filters")
    shelf.has(2)
    form.get_by_label("Game").select_option("connect4")
    shelf.has(1)
    shelf.page.reload()  # the address brings the choice back
    expect(form.get_by_label("Game")).to_have_value("connect4")
    form.get_by_label("Outcome").select_option(label="Yellow won")
    shelf.has(0)
    expect(form.get_by_label("Outcome")).to_have_value("second")
    expect(shelf.page.get_by_text("No game matches")).to_be_visible()
    form.get_by_label("Outcome").select_option("")
    form.get_by_label("Game").select_option("")
    shelf.has(2)
    form.get_by_label("Opening").fill("11-15 23-19")
    shelf.has(1)
    form.get_by_label("Opening").fill("")
    shelf.has(2)
    form.get_by_label("Since").fill("1980")
    shelf.has(1)
    expect(shelf.page).to_have_url(re.compile(r"/library\?since=1980$"))
    again = Shelf(shelf.tab, shelf.page.url.removeprefix(shelf.tab.server.url))  # the address keeps it
    expect(again.rows).to_have_count(1)
    expect(again.rows).to_contain_text("Cid")


def test_a_game_is_thrown_away_and_brought_back(shelf: Shelf) -> None:
    shelf.take_in(GAMES).has(2)
    shelf.page.get_by_role("button", name="Delete Ann Lee against Bob").click()
    shelf.has(1)
    expect(shelf.page.locator(".deed")).to_contain_text("1 game deleted.")
    shelf.page.get_by_role("button", name=re.compile("^Undo")).first.click()
    shelf.has(2)
    expect(shelf.rows.first).to_contain_text("Bob")


def test_a_game_taken_out_comes_back_the_same(shelf: Shelf) -> None:
    shelf.take_in(GAMES).has(2)
    for name, ending in (("Save as PDN", "pdn"), ("Save as JSON", "json")):
        shelf.page.get_by_role("button", name="Share Ann Lee against Bob").first.click()
        with shelf.page.expect_download() as download:
            shelf.page.get_by_role("button", name=name).click()
        assert download.value.suggested_filename.endswith(f".{ending}")
        text = Path(download.value.path()).read_text(encoding="utf-8")
        shelf.tab.press("Escape")
        shelf.take_in(text)
    shelf.has(4)
    games = shelf.tab.server.client.get("/api/games", params={"player": "bob"}).json()["games"]
    views = [shelf.tab.server.client.get(f"/api/games/{game['id']}").json() for game in games]
    assert len(views) == 3
    for view in views:
        assert view["moves"] == views[0]["moves"]
        assert view["outcome"] == views[0]["outcome"]
        assert [seat["title"] for seat in view["seats"]] == ["Ann Lee", "Bob"]
    with shelf.page.expect_download() as download:
        shelf.page.get_by_role("button", name="Save all as PDN").click()
    assert Path(download.value.path()).read_text(encoding="utf-8").count("[Event ") == 4


def test_a_link_brings_back_any_ply(shelf: Shelf) -> None:
    shelf.take_in(GAMES)
    tab = shelf.tab
    shelf.rows.first.locator(".gamelink").click()
    tab.sees(link="open", status="over", plies=5)
    expect(tab.page.locator(".seat b")).to_have_text(["Ann Lee", "Bob"])
    tab.press("k", "k", "f").do("share")
    tab.page.get_by_role("button", name="Copy link").click()
    expect(tab.page.get_by_text("Link copied.")).to_be_visible()
    link = clipboard(shelf)
    assert re.search(r"/game/\w+\?ply=3&flip=1$", link)
    tab.page.get_by_role("button", name="Copy position (FEN)").click()
    expect(tab.page.get_by_text("Position copied.")).to_be_visible()
    fen = clipboard(shelf)
    assert fen.startswith("W:W")
    tab.page.get_by_role("button", name="Copy game (PDN)").click()
    expect(tab.page.get_by_text("Game copied.")).to_be_visible()
    assert "1. 11-15 23-19 2. 8-11 22-17" in clipboard(shelf)
    with tab.page.expect_download() as download:
        tab.page.get_by_role("button", name="Save a picture of the board (SVG)").click()
    assert Path(download.value.path()).read_text(encoding="utf-8").startswith("<svg")
    tab.page.goto(link)
    tab.sees(link="open")
    expect(tab.page.locator('.moves [data-ply="3"]')).to_have_attribute("aria-current", "true")
    again = Shelf(tab)
    again.take_in(link)
    expect(again.answer).to_contain_text("already")
    again.take_in(fen)
    expect(again.answer.get_by_role("link", name="Play from here")).to_be_visible()


def test_a_record_is_played_on_from_any_position_and_stays_as_it_is(shelf: Shelf) -> None:
    shelf.take_in(GAMES)
    tab = shelf.tab
    shelf.rows.first.locator(".gamelink").click()
    tab.sees(link="open", plies=5)
    expect(tab.page.get_by_role("button", name=re.compile("Change player"))).to_have_count(0)
    expect(tab.action("takeback")).to_have_count(0)
    record = tab.address
    tab.press("Home", "j", "j").do("from-here")
    tab.sees(link="open", plies=0)
    assert not tab.address.startswith(record)
    expect(tab.page.locator('[data-cell="15"]')).to_have_attribute("aria-label", re.compile("black man"))
    tab.page.goto(record)
    tab.sees(link="open", plies=5)


def test_everything_is_done_by_keyboard(shelf: Shelf) -> None:
    tab = shelf.tab
    tab.press("/")
    expect(shelf.page.locator(".importtext")).to_be_focused()
    shelf.page.keyboard.insert_text(GAMES)
    tab.press("Control+Enter")
    shelf.has(2)
    tab.press("Escape", "j", "j")
    expect(shelf.rows.nth(1).locator(".gamelink")).to_be_focused()
    tab.press("Delete")
    shelf.has(1)
    tab.press("u")
    shelf.has(2)
    tab.press("Home", "s")
    expect(shelf.page.get_by_role("dialog", name="Share")).to_be_visible()
    tab.press("Escape", "f")
    expect(shelf.page.get_by_label("Player")).to_be_focused()
    shelf.page.keyboard.insert_text("cid")
    shelf.has(1)
    tab.press("Escape", "j", "Enter")
    tab.sees(link="open", status="over", plies=7)


def test_a_game_of_two_hundred_moves_is_browsed_without_delay(shelf: Shelf) -> None:
    tab = shelf.take_in(long_game(200)).tab
    shelf.rows.first.locator(".gamelink").click()
    tab.sees(link="open", plies=200)
    with never_frozen(tab.page):
        tab.press("Home", *["j"] * 30, "End", *["k"] * 10)
        expect(tab.page.locator('.moves [data-ply="190"]')).to_have_attribute("aria-current", "true")


def test_a_damaged_game_is_named_and_what_is_there_can_be_saved(new_visitor: NewVisitor, tmp_path: Path) -> None:
    with ServerProcess(tmp_path) as server:
        new_game(server.client).play("4")
        damaged = new_game(server.client)
        damaged.play("5")
        game_id = damaged.view["id"]
        with sqlite3.connect(tmp_path / "games.sqlite3") as connection:
            connection.execute("UPDATE games SET pdn = 'nonsense' WHERE id = ?", (game_id,))
        connection.close()
        page = new_visitor(server).tab.visit("/library").page
        expect(page.locator("[data-game]")).to_have_count(1)
        listed = page.get_by_label("Damaged games")
        expect(listed).to_contain_text(f"{game_id}: Its checksum does not match.")
        with page.expect_download() as download:
            listed.get_by_role("button", name="Save its data").click()
        assert "nonsense" in Path(download.value.path()).read_text(encoding="utf-8")
        page.goto("about:blank")
