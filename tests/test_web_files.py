"""A server that may open only few files: connections are refused quietly, and those who are there play on."""

from __future__ import annotations

import asyncio
import errno
import logging
import socket
import sys
from contextlib import ExitStack
from pathlib import Path

import pytest

from outplay.web.http.connections import Files
from tests.support.processes import until as happens
from tests.support.web_server import SECONDS, Game, ServerProcess, is_state, new_game, receive, until

MOST_FILES = 64
WITHIN = ("sh", "-c", f'ulimit -n {MOST_FILES} && exec "$@"', "sh")


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="needs Linux, where the limit is known to hold")
def test_64_file_descriptors_are_enough_for_those_who_are_there(tmp_path: Path) -> None:
    with ServerProcess(tmp_path, within=WITHIN) as server:
        game = new_game(server.client, seats=["human", "level:1"])
        with server.socket(game) as events:
            receive(events)
            with ExitStack() as crowd:
                for _ in range(3 * MOST_FILES):
                    crowd.enter_context(socket.create_connection(("127.0.0.1", server.port), SECONDS))
                happens(lambda: len(list(Path(f"/proc/{server.process.pid}/fd").iterdir())) < MOST_FILES)
                # a page, a saved move, an engine's reply: each needs a file, or a process of its own
                assert server.client.get("/").status_code == 200
                game.play("4")
                until(lambda: receive(events), is_state(version=2))
                assert server.client.get("/api/library/export").status_code == 200
            happens(lambda: _has_room(server))
        again = Game(server.client, game.view)
        again.look()
        again.play("5")
        assert server.end() == 0
        (line,) = server.said[server.started :]
        assert f"this process may open only {MOST_FILES} files" in line


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such limit")
def test_the_limit_is_raised_as_far_as_the_system_allows(tmp_path: Path) -> None:
    import resource

    most = min(resource.getrlimit(resource.RLIMIT_NOFILE)[1], 4096)
    limits = ("sh", "-c", f'ulimit -Sn {MOST_FILES} && ulimit -Hn {most} && exec "$@"', "sh")
    with ServerProcess(tmp_path, within=limits) as server, ExitStack() as crowd:
        for _ in range(3 * MOST_FILES):
            crowd.enter_context(socket.create_connection(("127.0.0.1", server.port), SECONDS))
        assert _has_room(server)
        assert server.end() == 0
        assert server.said[server.started :] == []


def _has_room(server: ServerProcess) -> bool:
    """Return whether a new client is served."""
    with socket.create_connection(("127.0.0.1", server.port), SECONDS) as client:
        try:
            client.sendall(f"GET /health HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n\r\n".encode())
            return client.recv(100).startswith(b"HTTP/1.1 200")
        except ConnectionError:
            return False


def test_the_plain_event_loop_is_as_quiet(caplog: pytest.LogCaptureFixture) -> None:
    """asyncio, without uvloop, reports each connection that it could not accept, again each second."""
    loop, files = asyncio.new_event_loop(), Files()
    refused = {"message": "socket.accept() out of system resource", "exception": OSError(errno.EMFILE, "")}
    with caplog.at_level(logging.WARNING):
        for _ in range(3):
            files.handle(loop, {**refused, "socket": None})
        assert len(caplog.records) == 1
        files.handle(loop, {"message": "something else", "exception": OSError(errno.EIO, "")})
        assert [record.message.split("\n")[0] for record in caplog.records[1:]] == ["something else"]
    loop.close()
