"""The app under a sub-path of a site: `outplay serve --root-path /outplay`."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from tests.support.browser.visitor import NewVisitor, Tab
from tests.support.web_server import ServerProcess

PATH = "/games/outplay"


@pytest.fixture(scope="module")
def under_a_path(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with ServerProcess(tmp_path_factory.mktemp("subpath"), "--port", "0", "--root-path", PATH) as server:
        yield server


@pytest.fixture
def tab(new_visitor: NewVisitor, under_a_path: ServerProcess) -> Tab:
    return new_visitor(under_a_path, key=None).tab


def test_a_game_is_played_and_found_again(tab: Tab) -> None:
    asked: list[str] = []
    tab.page.on("request", lambda request: asked.append(request.url))
    tab.page.on("websocket", lambda socket: asked.append(socket.url.replace("ws", "http", 1)))
    tab.play().press("4").sees(status="human", plies=2)
    assert f"{PATH}/game/" in tab.address
    tab.page.reload()
    tab.sees(link="open", plies=2)
    assert all(url.startswith(f"{tab.server.url}/") for url in asked)
    assert any(url.endswith("/events") for url in asked)
    (cookie,) = tab.page.context.cookies()
    assert cookie["path"] == PATH


def test_every_page_is_reached_by_links_and_by_its_address(tab: Tab) -> None:
    tab.play()
    for name in ("Analyse", "Lab", "Library", "Settings"):
        link = tab.page.get_by_role("link", name=name, exact=True).first
        assert (link.get_attribute("href") or "").startswith(f"{PATH}/")
        link.click()
        expect(tab.page).to_have_url(f"{tab.server.url}/{name.lower()}")
        tab.page.reload()
        expect(tab.page.get_by_role("heading", level=1).first).to_be_visible()
    tab.page.go_back()
    expect(tab.page).to_have_url(f"{tab.server.url}/library")


def test_the_pages_of_the_lab_link_to_each_other(tab: Tab) -> None:
    tab.visit("/docs/lab/choosing")
    links = tab.page.locator("article a")
    links.first.wait_for()
    addresses: list[str] = links.evaluate_all("links => links.map(link => link.getAttribute('href'))")
    assert all(address.startswith((f"{PATH}/docs/", "#", "http")) for address in addresses)
    assert any(address.startswith(PATH) for address in addresses)
    links.first.click()
    expect(tab.page).to_have_url(re.compile(f"^{re.escape(tab.server.url)}/docs/lab/"))


def test_an_unknown_page_leads_back(new_visitor: NewVisitor, under_a_path: ServerProcess) -> None:
    visitor = new_visitor(under_a_path)
    visitor.tolerate("404")
    tab = visitor.tab
    tab.visit("/nowhere")
    expect(tab.page.get_by_text("There is no page at /nowhere.")).to_be_visible()
    tab.page.get_by_role("link", name="Play Connect Four").click()
    tab.sees(link="open")
    expect(tab.page).to_have_url(re.compile(f"{PATH}/"))
