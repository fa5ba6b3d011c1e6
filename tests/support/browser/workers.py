"""The processes of a server: their processor time, and killing those in which its engines think."""

from __future__ import annotations

import contextlib
import os
import signal
import time
from pathlib import Path

import pytest

from tests.support.browser.visitor import Tab
from tests.support.web_server import ServerProcess


def worked_seconds(server: ServerProcess) -> float:
    """Return the processor time of the server itself, which other programs do not affect."""
    numbers = Path(f"/proc/{server.process.pid}/stat")
    if not numbers.is_file():
        return time.monotonic()
    user, system = numbers.read_text().rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def fail_engine(tab: Tab) -> None:
    """Kill the workers until the game gives up: the first time it asks its engine again."""
    failed = tab.page.locator('main[data-status="failed"]')
    while failed.count() == 0:
        kill_workers(tab.server)
        tab.page.wait_for_timeout(100)


def kill_workers(server: ServerProcess) -> None:
    """Kill every process that the server has started."""
    tasks = Path(f"/proc/{server.process.pid}/task")
    if not tasks.is_dir():
        pytest.skip("worker processes are found through /proc")
    for child in {int(text) for path in tasks.glob("*/children") for text in path.read_text().split()}:
        with contextlib.suppress(ProcessLookupError):  # the process has ended meanwhile
            os.kill(child, signal.SIGKILL)
