"""The WebSocket of a game: what it says, what it makes of nonsense, and what becomes of a page that does not listen."""

from __future__ import annotations

import asyncio
import json
import random
import socket as sockets
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import Any, cast

import anyio
import pytest
from fastapi import WebSocket
from fastapi.testclient import TestClient
from websockets.exceptions import ConnectionClosed

from outplay.web.dependencies import all_games
from outplay.web.play import wire
from outplay.web.play.mailbox import Mailbox
from outplay.web.play.socket import GameSocket, OpenSocket
from outplay.web.settings import ALONE, Rate, Settings
from tests.support.web_server import SECONDS, Game, Json, ServerProcess, app_client, is_state, new_game, receive, until

BAD = 10_000


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    with app_client() as client:
        yield client


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A real one; what it lived through must not have made it say anything."""
    with ServerProcess(tmp_path_factory.mktemp("server")) as server:
        yield server
        assert server.end() == 0
        assert server.said[server.started :] == []


def test_the_state_comes_first(client: TestClient) -> None:
    game = new_game(client)
    with game.watch() as socket:
        assert socket.receive_json() == {"kind": "state", "game": game.view}


def test_every_event_is_of_a_kind_that_wire_knows(client: TestClient) -> None:
    game = new_game(client, seats=["human", "lab:five-phase"], time_ms=300, clock={"base_ms": 60_000})
    with game.watch() as socket:
        game.play("4")
        kinds = set()
        event = socket.receive_json()
        while not is_state(version=2)(event):
            kinds.add(wire.EVENT.validate_python(event).kind)
            event = socket.receive_json()
    assert {"state", "thinking"} <= kinds


def test_a_ping_is_answered(client: TestClient) -> None:
    with new_game(client).watch() as socket:
        socket.receive_json()
        socket.send_json({"kind": "ping"})
        assert socket.receive_json() == {"kind": "pong"}


def test_resume_brings_the_state_only_if_there_is_a_newer_one(client: TestClient) -> None:
    game = new_game(client)
    game.play("4")
    with game.watch() as socket:
        revision = socket.receive_json()["game"]["revision"]
        socket.send_json({"kind": "resume", "revision": revision})
        socket.send_json({"kind": "ping"})
        assert socket.receive_json() == {"kind": "pong"}
        socket.send_json({"kind": "resume", "revision": 0})
        assert socket.receive_json()["game"]["revision"] == revision


def test_two_pages_see_the_same_game(client: TestClient) -> None:
    game = new_game(client)
    with game.watch() as first, game.watch() as second:
        first.receive_json()
        second.receive_json()
        view = game.play("4")
        assert first.receive_json()["game"] == second.receive_json()["game"] == view


def test_an_unknown_game_is_told_before_the_socket_closes(client: TestClient) -> None:
    for name in ("nobody", "a", "x" * 50):
        with client.websocket_connect(f"ws://127.0.0.1:8642/api/games/{name}/events") as socket:
            assert socket.receive_json()["error"]["kind"] in ("unknown-game", "invalid")
            assert socket.receive()["code"] == 4404


def test_a_page_that_talks_too_much_is_closed() -> None:
    limits = replace(ALONE, messages=Rate(2, 0.001))
    with app_client(Settings(db="sqlite://", slots=1, limits=limits)) as client, new_game(client).watch() as socket:
        socket.receive_json()
        for _ in range(3):
            socket.send_json({"kind": "ping"})
        kinds = [socket.receive_json() for _ in range(3)]
        assert [kind["kind"] for kind in kinds] == ["pong", "pong", "error"]
        assert kinds[2]["error"]["kind"] == "rate"
        assert socket.receive()["type"] == "websocket.close"


@contextmanager
def raw_socket(server: ServerProcess, game: Game) -> Iterator[sockets.socket]:
    """The bare connection of a WebSocket, with a small buffer, from which nobody reads."""
    with sockets.socket() as raw:
        raw.settimeout(SECONDS)
        raw.setsockopt(sockets.SOL_SOCKET, sockets.SO_RCVBUF, 4096)
        raw.connect(("127.0.0.1", server.port))
        raw.sendall(
            f"GET {game.path}/events HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nUpgrade: websocket\r\n"
            "Connection: Upgrade\r\nSec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\n"
            "Sec-WebSocket-Version: 13\r\n\r\n".encode()
        )
        assert b"101" in raw.recv(100)
        yield raw


# Nonsense


def nonsense(chance: random.Random) -> str | bytes:
    """Something that is no message: broken JSON, wrong types, unknown kinds, bytes, long texts, odd characters."""
    value: object = chance.choice(
        [None, True, -1, 1e308, "x" * chance.randrange(3000), [], {}, "\x00", "\U0001f600", [[[[]]]]]
    )
    messages: list[str | bytes] = [
        "",
        "{",
        json.dumps(value),
        json.dumps({"kind": value}),
        json.dumps({"kind": "ping", "more": value}),
        json.dumps({"kind": "resume", "revision": chance.choice([-1, 1.5, "1", None, 10**40, value])}),
        json.dumps({"kind": "move", "move": "4"}),
        "[" * chance.randrange(5000),
        bytes(chance.randrange(256) for _ in range(chance.randrange(50))),
        "".join(chr(chance.randrange(32, 0xD7FF)) for _ in range(chance.randrange(50))),
        '{"kind": "ping", "kind": NaN}',
    ]
    return chance.choice(messages)


def test_ten_thousand_bad_messages_are_answered_one_by_one(server: ServerProcess) -> None:
    chance = random.Random(1)
    game = new_game(server.client)
    with server.socket(game, max_queue=None) as socket:
        assert receive(socket)["kind"] == "state"

        def send_all() -> None:
            for _ in range(BAD):
                socket.send(nonsense(chance))

        sender = threading.Thread(target=send_all)
        sender.start()
        for _ in range(BAD):
            event = receive(socket)
            assert event["kind"] == "error", event
            assert event["error"]["kind"] == "invalid"
            assert event["error"]["message"]
        sender.join()
        socket.send('{"kind": "ping"}')
        assert receive(socket) == {"kind": "pong"}
    assert len(game.play("4")["moves"]) == 1


@pytest.mark.parametrize(
    "frame",
    [
        b"\x81\xfe\xff\xff\x00\x00\x00\x00",
        b"\xff" * 100,
        b"\x81\x05hello",
        b"\x83\x80\x00\x00\x00\x00",
        b"GET / HTTP/1.1",
    ],
    ids=["cut off", "reserved bits", "not masked", "unknown kind", "not a frame"],
)
def test_bytes_that_are_no_frames_hurt_nobody(server: ServerProcess, frame: bytes) -> None:
    game = new_game(server.client)
    with raw_socket(server, game) as raw:
        raw.sendall(frame)
    assert len(game.play("4")["moves"]) == 1


def test_a_message_that_is_too_long_closes_the_socket_only(server: ServerProcess) -> None:
    game = new_game(server.client)
    with server.socket(game) as socket:
        receive(socket)
        socket.send("x" * 1_000_000)
        with pytest.raises(ConnectionClosed) as closed:
            receive(socket)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1009
    assert len(game.play("4")["moves"]) == 1


# Those who do not listen


def test_a_page_that_does_not_read_holds_up_nobody(server: ServerProcess) -> None:
    game = new_game(server.client, width=10, height=10)
    with raw_socket(server, game), server.socket(game) as hearing:
        receive(hearing)
        other = Game(server.client, game.view)
        for _ in range(60):
            other.play(other.view["legal"][0]["text"])
            if other.view["status"] == "over":
                other.do("takeback", plies=len(other.view["moves"]))
        last = until(lambda: receive(hearing), is_state(revision=other.view["revision"]))
    assert last["game"]["moves"] == other.view["moves"]


class Deaf:
    """A socket that accepts nothing, and says nothing."""

    def __init__(self) -> None:
        self.codes: list[int] = []

    async def receive(self) -> Json:
        await anyio.sleep_forever()
        raise AssertionError

    async def send_text(self, text: str) -> None:
        await anyio.sleep_forever()

    async def close(self, code: int) -> None:
        self.codes.append(code)


def test_a_page_that_accepts_nothing_is_dropped(client: TestClient) -> None:
    game = new_game(client)
    limits, deaf = replace(ALONE, send_seconds=0.01), Deaf()

    async def watch() -> None:
        mailbox = Mailbox(asyncio.get_running_loop())
        with all_games(cast(Any, client)).room(game.view["id"], "somebody") as room:
            room.watch(mailbox)
            await GameSocket(cast(WebSocket, deaf), room, mailbox, limits).run()

    anyio.run(watch)
    assert deaf.codes == [1000]


def test_a_mailbox_keeps_the_newest_of_each_kind() -> None:
    async def fill_and_empty() -> list[str]:
        mailbox = Mailbox(asyncio.get_running_loop())
        for number in range(1000):
            mailbox.put("thinking", partial("thinking {}".format, number))
        for number in range(1000):
            mailbox.put("state", partial("state {}".format, number))
        mailbox.put("thinking", lambda: "thinking again")
        return [(await mailbox.get())(), (await mailbox.get())()]

    assert anyio.run(fill_and_empty) == ["state 999", "thinking again"]


def test_a_state_that_comes_late_does_not_replace_a_newer_one() -> None:
    async def overtake() -> str:
        mailbox = Mailbox(asyncio.get_running_loop())
        mailbox.put("state", lambda: "the newer one", revision=2)
        mailbox.put("state", lambda: "the older one", revision=1)
        mailbox.put("thinking", lambda: "of the older one", revision=1)
        return (await mailbox.get())()

    assert anyio.run(overtake) == "the newer one"


def test_the_reason_is_told_before_the_socket_closes() -> None:
    """A game may be deleted while its socket is busy with another event."""

    class Busy:
        """The side of the server; the game is deleted while the first event is on its way."""

        def __init__(self, mailbox: Mailbox) -> None:
            self.mailbox, self.sent, self.code = mailbox, list[str](), 0

        async def send_text(self, text: str) -> None:
            if not self.sent:
                self.mailbox.put("error", lambda: "the game was deleted")
            self.sent.append(text)

        async def receive(self) -> Json:
            await asyncio.sleep(SECONDS)
            return {"type": "websocket.disconnect"}

        async def close(self, code: int) -> None:
            self.code = code

    async def run() -> tuple[list[str], int]:
        mailbox = Mailbox(asyncio.get_running_loop())
        mailbox.put("state", lambda: "the state")
        busy = Busy(mailbox)
        await OpenSocket(cast("WebSocket", busy), mailbox, ALONE).run()
        return busy.sent, busy.code

    assert anyio.run(run) == (["the state", "the game was deleted"], 1011)
