"""A server and a browser for all browser tests, and a window of their own for each."""

from __future__ import annotations

import os
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from outplay.web.http.people import COOKIE
from tests.support import ROOT
from tests.support.browser import NO_BROWSER, installed_browser
from tests.support.browser.visitor import DESKTOP, PHONE, STATIC, WAIT_MS, NewVisitor, Tab, Visitor
from tests.support.web_server import KEY, ServerProcess

ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
FAILURES = ROOT / "build" / "browser"
"""Where a test that fails leaves a picture of the page."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--screenshots", action="store_true", help="make the pictures in docs/img anew")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    is_left_out = collection_path.name == "test_pictures.py" and not config.getoption("screenshots", False)
    return True if is_left_out else None


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """Not for the session: a running Playwright keeps other tests from starting event loops of their own."""
    found = installed_browser()
    if found is None:
        if os.environ.get("CI") == "true":
            pytest.fail(NO_BROWSER)
        pytest.skip(NO_BROWSER)
    if not (STATIC / "index.html").is_file():
        pytest.fail("the pages are not built: make build")
    expect.set_options(timeout=WAIT_MS)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture(scope="package")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server for all who leave it running."""
    with ServerProcess(tmp_path_factory.mktemp("games")) as server:
        yield server


@pytest.fixture
def new_visitor(browser: Browser, server: ServerProcess, request: pytest.FixtureRequest) -> Iterator[NewVisitor]:
    """Opens windows, on a server of the test's own or the one for all; no console error is left in any.

    Each window has the key of the tests' own client, unless the test chooses another; None for a newcomer.
    """
    visitors: list[Visitor] = []

    def make(at: ServerProcess = server, *, key: str | None = KEY, **options: Any) -> Visitor:
        context = browser.new_context(**{"viewport": DESKTOP, "color_scheme": "light", **options})
        if key is not None:  # the key of `server.client`: games made there are the visitor's own
            where = urlsplit(at.url)
            host, path = where.hostname or "", where.path or "/"
            context.add_cookies([{"name": COOKIE, "value": key, "domain": host, "path": path, "httpOnly": True}])
        context.set_default_timeout(WAIT_MS)
        visitors.append(Visitor(context, at))
        return visitors[-1]

    yield make
    failed = request.node.stash.get(FAILED, False)
    complaints = [complaint for visitor in visitors for complaint in visitor.complaints]
    for number, visitor in enumerate(visitors):
        if failed or complaints:
            visitor.page.screenshot(path=FAILURES / f"{request.node.name}-{number}.png")
            print(f"Page {number} said:\n{visitor.page.locator('body').inner_text()}")
        visitor.context.close()
    assert complaints == []


FAILED = pytest.StashKey[bool]()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if report.when == "call":
        item.stash[FAILED] = report.failed
    return report


@pytest.fixture
def visitor(new_visitor: NewVisitor) -> Visitor:
    """Somebody at a desk."""
    return new_visitor()


@pytest.fixture
def tab(visitor: Visitor) -> Tab:
    """A page at a desk."""
    return visitor.tab


@pytest.fixture
def phone(new_visitor: NewVisitor) -> Tab:
    """A page on a phone, 390 pixels wide, with a finger."""
    return new_visitor(viewport=PHONE, has_touch=True, is_mobile=True).tab
