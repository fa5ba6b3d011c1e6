"""The processes of a server: what it has worked, and the violent end of those in which its engines think."""

from __future__ import annotations

import contextlib
import os
import signal
import time
from pathlib import Path

import pytest

from tests.support.web_server import ServerProcess


def worked_seconds(server: ServerProcess) -> float:
    """The processor's time that the server itself has used: what other programs do does not prolong it."""
    numbers = Path(f"/proc/{server.process.pid}/stat")
    if not numbers.is_file():
        return time.monotonic()
    user, system = numbers.read_text().rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def kill_workers(server: ServerProcess) -> None:
    """End every process that the server has started, without a word."""
    tasks = Path(f"/proc/{server.process.pid}/task")
    if not tasks.is_dir():
        pytest.skip("worker processes are found through /proc")
    for child in {int(text) for path in tasks.glob("*/children") for text in path.read_text().split()}:
        with contextlib.suppress(ProcessLookupError):  # it has ended by itself meanwhile
            os.kill(child, signal.SIGKILL)
