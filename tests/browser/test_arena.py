"""The arena at its page: begun from the form, live, reloaded, paused, watched by others, at a desk and on a phone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.test_class import AT_A_PHONE, is_clean
from tests.support.browser.visitor import NewVisitor, Tab
from tests.support.web_server import ServerProcess

CRASH = "def choose(position):\n    return position.legal_moves()[0] if position.plies < 8 else 1 / 0\n"


@pytest.fixture(scope="module")
def arena_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server with a bot that crashes at a fixed move."""
    folder = tmp_path_factory.mktemp("arena")
    (folder / "crash.py").write_text(CRASH)
    with ServerProcess(folder, "--port", "0", "--bot", str(folder / "crash.py:choose")) as server:
        yield server


def standing(tab: Tab, name: str) -> Locator:
    return tab.page.locator(f".elo tr[data-player='{name}']")


def played(tab: Tab) -> int:
    return int(tab.page.locator("main").get_attribute("data-played") or 0)


def stop(tab: Tab) -> None:
    tab.do("stop").sees(status="stopped")


def test_a_tournament_is_begun_watched_paused_reloaded_and_analysed(
    new_visitor: NewVisitor, arena_server: ServerProcess
) -> None:
    tab = new_visitor(arena_server).tab.visit("/arena")
    expect(tab.page.locator(".readymade li")).to_have_count(3)
    expect(tab.page.get_by_role("link", name="Arena")).to_have_attribute("aria-current", "page")
    is_clean(tab)

    form = tab.page.get_by_role("form", name="New tournament")
    form.get_by_role("button", name="Remove Weaver").click()
    form.get_by_label("Add a level or a bot").select_option("bot:crash")
    expect(form).to_contain_text("12 games.")
    expect(form).to_contain_text(re.compile("bubblewrap|limits"))
    form.get_by_label("Games for each pair").select_option("20")
    form.get_by_role("button", name="Start").click()
    expect(tab.page).to_have_url(re.compile("/arena/[a-z0-9]{10}$"))
    tab.sees(status="running")

    expect(tab.page.locator(".wall .tile").first).to_be_visible()
    expect(tab.page.locator(".cross .on").first).to_be_visible()
    expect(tab.page.locator(".elo .dot").first).to_be_visible()
    expect(tab.page.locator(".elo .interval").first).to_be_visible()
    expect(tab.page.locator(".failrow")).to_contain_text("ZeroDivisionError")
    tab.click("Log of crash")
    expect(tab.page.locator(".trace")).to_contain_text("1 / 0")
    tab.press("Escape")

    tab.press("p").sees(status="paused")
    expect(tab.page.locator(".wall .tile")).to_have_count(0)  # games in progress are finished first
    before = played(tab)
    is_clean(tab)
    tab.page.reload()
    tab.sees(status="paused", played=before)
    tab.press("p").sees(status="running")
    expect(tab.page.locator("main")).not_to_have_attribute("data-played", str(before))
    stop(tab)

    tab.page.locator(".cross button").first.click()
    tab.page.locator("dialog .arenarows a").first.click()
    expect(tab.page).to_have_url(re.compile("/analyse\\?game="))
    expect(tab.page.locator("svg.c4b, .board").first).to_be_visible()


def test_what_is_exported(new_visitor: NewVisitor, arena_server: ServerProcess, tmp_path: Path) -> None:
    tab = new_visitor(arena_server).tab.visit("/arena")
    tab.click("Start: Levels 1 to 8").sees(status="running")  # it lasts long enough to be stopped
    expect(tab.page.locator(".arenarows a").first).to_be_visible()
    stop(tab)
    for form, words in {
        "html": "<h2>Standings</h2>",
        "csv": ",player,games",
        "pdn": '[Event "outplay tournament"]',
    }.items():
        tab.do("export")
        with tab.page.expect_download() as saved:
            tab.page.locator(f"[data-format={form}]").click()
        saved.value.save_as(tmp_path / form)
        assert words in (tmp_path / form).read_text(encoding="utf-8")
    tab.do("delete").page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    expect(tab.page).to_have_url(re.compile("/arena$"))


def test_others_watch_on_a_phone_and_cannot_rule(new_visitor: NewVisitor, arena_server: ServerProcess) -> None:
    tab = new_visitor(arena_server).tab.visit("/arena")
    tab.click("Start: Levels 1 to 8").sees(status="running")
    phone = new_visitor(arena_server, key="e" * 24, **AT_A_PHONE).tab.visit("/arena")
    phone.page.locator(".arenarows a").first.click()
    phone.sees(status="running")
    expect(phone.action("pause")).to_have_count(0)
    expect(phone.action("stop")).to_have_count(0)
    expect(phone.page.locator(".newtournament")).not_to_have_attribute("open", "")
    assert phone.does_not_overflow()
    phone.page.locator(".wall .tilebutton").first.tap()
    expect(phone.page.locator("dialog .mini")).to_be_visible()
    assert phone.does_not_overflow()
    phone.press("Escape")
    phone.press("p")
    phone.sees(status="running")
    stop(tab)
    phone.sees(status="stopped")


def test_the_key_sheet_and_a_tournament_that_is_gone(new_visitor: NewVisitor, arena_server: ServerProcess) -> None:
    visitor = new_visitor(arena_server)
    visitor.tolerate("404")
    tab = visitor.tab.visit("/arena/abcdefgh23")
    expect(tab.page.locator(".notices")).to_contain_text("There is no such tournament here")
    tab.press("?")
    expect(tab.page.locator(".keysheet")).to_contain_text("pause the tournament")
    tab.press("Escape", "n")
    expect(tab.page).to_have_url(re.compile("/arena$"))
