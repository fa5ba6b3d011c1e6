"""Connections that say nothing, say it slowly, or are too many."""

from __future__ import annotations

import socket
import threading
from collections.abc import AsyncIterator
from dataclasses import replace
from functools import partial

import pytest
from starlette.responses import PlainTextResponse, StreamingResponse
from starlette.types import Receive, Scope, Send
from websockets.sync.client import connect

from outplay.web.settings import ALONE
from tests.support.web_server import SECONDS, served

IMPATIENT = replace(ALONE, head_seconds=1.0)
REQUEST = b"GET / HTTP/1.1\r\nHost: here\r\n\r\n"


async def hello(scope: Scope, receive: Receive, send: Send) -> None:
    """Answers "hello" to everything; a WebSocket is kept until it is closed."""
    if scope["type"] == "http":
        await PlainTextResponse("hello")(scope, receive, send)
        return
    await receive()
    await send({"type": "websocket.accept"})
    await receive()


serving = partial(served, hello, lifespan="off")


def answer(connection: socket.socket) -> bytes:
    """What comes until it has answered once or is closed; nothing if it is cut off."""
    got = b""
    try:
        while not got.endswith(b"hello") and (part := connection.recv(1000)):
            got += part
    except ConnectionResetError:
        pass
    return got


@pytest.mark.parametrize("line", [b"X-Long: " + b"x" * 1000 + b"\r\n", b"x" * 1000], ids=["many headers", "one header"])
def test_headers_without_end_are_cut_off(line: bytes) -> None:
    with serving(ALONE) as address, socket.create_connection(address, SECONDS) as connection:
        connection.sendall(b"GET / HTTP/1.1\r\nHost: here\r\nX: ")
        with pytest.raises(ConnectionError):
            connection.sendall(line * 50_000)


@pytest.mark.parametrize("said", [b"", b"G", b"GET / HTTP/1.1\r\nHost: he"], ids=["nothing", "a letter", "half"])
def test_a_connection_that_does_not_come_to_the_point_is_closed(said: bytes) -> None:
    with serving(IMPATIENT) as address, socket.create_connection(address, SECONDS) as connection:
        connection.sendall(said)
        assert answer(connection) == b""


def test_a_second_request_must_come_to_the_point_too() -> None:
    with serving(IMPATIENT) as address, socket.create_connection(address, SECONDS) as connection:
        for _ in range(2):
            connection.sendall(REQUEST)
            assert answer(connection).startswith(b"HTTP/1.1 200")
        connection.sendall(REQUEST[:20])
        assert answer(connection) == b""


def test_a_connection_between_two_requests_may_rest() -> None:
    with serving(IMPATIENT) as address, socket.create_connection(address, SECONDS) as connection:
        connection.sendall(REQUEST)
        assert answer(connection).startswith(b"HTTP/1.1 200")
        threading.Event().wait(1.5 * IMPATIENT.head_seconds)
        connection.sendall(REQUEST)
        assert answer(connection).startswith(b"HTTP/1.1 200")


@pytest.mark.parametrize("size", [10_000, 50_000_000], ids=["small parts", "one part"])
def test_an_answer_that_is_not_read_is_given_up(size: int) -> None:
    ended = threading.Event()

    async def much(scope: Scope, receive: Receive, send: Send) -> None:
        async def parts() -> AsyncIterator[bytes]:
            try:
                for _ in range(50_000_000 // size):
                    yield b"x" * size
            finally:
                ended.set()

        await StreamingResponse(parts())(scope, receive, send)

    with served(much, replace(ALONE, send_seconds=0.2), lifespan="off") as address, socket.socket() as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.settimeout(SECONDS)
        connection.connect(address)
        connection.sendall(REQUEST)
        assert ended.wait(SECONDS)
        assert len(answer(connection)) < 50_000_000


def test_an_answer_that_is_read_arrives_whole() -> None:
    async def much(scope: Scope, receive: Receive, send: Send) -> None:
        await PlainTextResponse("x" * 5_000_000 + "hello")(scope, receive, send)

    with (
        served(much, ALONE, lifespan="off") as address,
        socket.create_connection(address, SECONDS) as connection,
    ):
        for _ in range(2):
            connection.sendall(REQUEST)
            assert len(answer(connection)) > 5_000_000


def test_one_client_has_so_many_connections() -> None:
    with serving(replace(ALONE, connections_per_client=2)) as address:
        first, second = (socket.create_connection(address, SECONDS) for _ in range(2))
        with second:
            with first:
                for connection in (first, second):
                    connection.sendall(REQUEST)
                    assert answer(connection).startswith(b"HTTP/1.1 200")
                with socket.create_connection(address, SECONDS) as third:
                    assert answer(third) == b""
            for _ in range(100):  # until the server has noticed that the first one is gone
                with socket.create_connection(address, SECONDS) as again:
                    try:
                        again.sendall(REQUEST)
                    except OSError:
                        continue
                    if answer(again).startswith(b"HTTP/1.1 200"):
                        return
    pytest.fail("a connection that was closed is still counted")


def test_a_websocket_is_neither_hurried_nor_counted_here() -> None:
    with (
        serving(replace(IMPATIENT, connections_per_client=1)) as address,
        connect(f"ws://127.0.0.1:{address[1]}", open_timeout=SECONDS) as page,
    ):
        threading.Event().wait(1.5 * IMPATIENT.head_seconds)
        with socket.create_connection(address, SECONDS) as connection:
            connection.sendall(REQUEST)
            assert answer(connection).startswith(b"HTTP/1.1 200")
        assert page.ping().wait(SECONDS)
