"""How long a page is busy at a stretch, in the processor's time: what other programs do does not count."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Page

LONGEST_TASK_MS = 1_000
"""A wide margin: the longest takes some 50 ms."""


@contextmanager
def never_frozen(page: Page, most_ms: float = LONGEST_TASK_MS) -> Iterator[None]:
    """Check that the page stays responsive while the block runs."""
    browser = page.context.browser
    assert browser is not None
    browser.start_tracing(page=page, categories=["toplevel"])
    try:
        yield
        page.evaluate("new Promise(done => setTimeout(done))")  # a task is noted at its end, so let the last one end
    finally:
        trace = json.loads(browser.stop_tracing())
    assert 0 < _longest_task_ms(trace["traceEvents"]) < most_ms


def _longest_task_ms(events: list[dict[str, Any]]) -> float:
    pages = {
        (event["pid"], event["tid"])
        for event in events
        if event["name"] == "thread_name" and event["args"]["name"] == "CrRendererMain"
    }
    tasks = [event for event in events if event["name"] == "ThreadControllerImpl::RunTask" and event["ph"] == "X"]
    lengths = [event.get("tdur", event["dur"]) for event in tasks if (event["pid"], event["tid"]) in pages]
    return float(max(lengths, default=0)) / 1000
