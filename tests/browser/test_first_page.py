"""How quickly the first page is there, and how little it takes."""

from __future__ import annotations

import gzip

from tests.support.browser.visitor import STATIC, Tab

JAVASCRIPT_BYTES = 150_000


def test_the_javascript_is_small() -> None:
    scripts = list(STATIC.rglob("*.js"))
    assert scripts
    assert sum(len(gzip.compress(script.read_bytes())) for script in scripts) < JAVASCRIPT_BYTES


def test_the_first_page_is_painted_soon(tab: Tab) -> None:
    tab.play()
    found = tab.page.wait_for_function("performance.getEntriesByName('first-contentful-paint')[0]?.startTime")
    painted: float = found.json_value()
    assert painted < 5_000  # milliseconds; a wide margin: it took about 250


def test_the_page_asks_nobody_but_its_server(tab: Tab) -> None:
    asked: list[str] = []
    tab.page.on("request", lambda request: asked.append(request.url))
    tab.play().press("4").sees(status="human", plies=2)
    assert asked
    assert all(url.startswith(tab.server.url) for url in asked)
