"""The processes in which a server's engines think, and their violent end."""

from __future__ import annotations

import contextlib
import os
import signal
from pathlib import Path

import pytest

from tests.web_server import ServerProcess


def kill_workers(server: ServerProcess) -> None:
    """End every process that the server has started, without a word."""
    tasks = Path(f"/proc/{server.process.pid}/task")
    if not tasks.is_dir():
        pytest.skip("worker processes are found through /proc")
    for child in {int(text) for path in tasks.glob("*/children") for text in path.read_text().split()}:
        with contextlib.suppress(ProcessLookupError):  # it has ended by itself meanwhile
            os.kill(child, signal.SIGKILL)
