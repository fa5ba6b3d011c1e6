"""How quickly the first page is there, and how little it takes."""

from __future__ import annotations

import gzip
import re

from tests.support.browser.visitor import STATIC, Tab

FIRST_BYTES = 70_000
"""The most bytes of JavaScript, compressed, that the first page needs."""
PAGE_BYTES = 25_000
"""The same for what any other page brings with it."""


def test_the_javascript_is_small() -> None:
    needed = set(re.findall(r"assets/[^\"]+\.js", (STATIC / "index.html").read_text(encoding="utf-8")))
    sizes = {
        str(script.relative_to(STATIC)): len(gzip.compress(script.read_bytes())) for script in STATIC.rglob("*.js")
    }
    assert needed <= sizes.keys()
    assert 0 < sum(sizes[script] for script in needed) < FIRST_BYTES
    assert max(size for script, size in sizes.items() if script not in needed) < PAGE_BYTES


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
