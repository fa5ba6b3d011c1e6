"""What a server holds in memory: a game that is unloaded leaves nothing that waits for the garbage collector.

A full collection is rare on a busy server, because it stops everything meanwhile. Objects that refer to each other in a
circle would pile up until then: in ten minutes, tens of megabytes.
"""

from __future__ import annotations

import gc
import os
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path

import httpx2
import pytest
from fastapi import FastAPI
from websockets.sync.client import ClientConnection, connect

from outplay.web.app import create_app
from outplay.web.http.people import COOKIE
from outplay.web.memory import trim
from outplay.web.play.games import Games
from outplay.web.settings import ALONE, Settings
from tests.support.web_server import KEY, SECONDS, is_state, new_game, receive, served, until

FREED = (
    "LiveGame",
    "Room",
    "Node",
    "Thinker",
    "Thought",
    "Opinion",
    "GameClock",
    "GameSocket",
    "ClassSocket",
    "Page",
    "Mailbox",
    "WebSocket",
    "Socket",
    "ServerProtocol",
    "Limited",
)
"""What must be gone when nobody plays or watches."""
LIMITS = replace(ALONE, over_seconds=0, idle_seconds=0)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
def test_what_is_free_is_given_back() -> None:
    blocks = [bytearray(64 * 1024) for _ in range(1_000)]
    last = blocks[-1]  # what lies below the last block is not given back by itself
    blocks.clear()
    full = resident_mib()
    trim()
    assert full - resident_mib() > 40
    assert last


def resident_mib() -> float:
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20


@pytest.fixture
def app() -> FastAPI:
    return create_app(Settings(db="sqlite://", slots=1, limits=LIMITS, allowed_hosts=("127.0.0.1",)))


@pytest.fixture
def client(app: FastAPI) -> Iterator[httpx2.Client]:
    with served(app, LIMITS) as (host, port), no_collections():
        client = httpx2.Client(base_url=f"http://{host}:{port}", timeout=SECONDS, cookies={COOKIE: KEY})
        with client:
            yield client
        assert left(app) == Counter()


@contextmanager
def no_collections() -> Iterator[None]:
    """Let reference counting alone free memory."""
    gc.collect()
    gc.freeze()  # what other tests left is not looked at
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
        gc.unfreeze()


def left(app: FastAPI) -> Counter[str]:
    """What is still there after all games were unloaded, when the last thread has let go of it."""
    games: Games = app.state.games
    deadline = time.monotonic() + 10
    while True:
        games.sweep()
        found = Counter(name for each in gc.get_objects() if (name := type(each).__name__) in FREED)
        if not found or time.monotonic() > deadline:
            return found
        time.sleep(0.05)


def watch(client: httpx2.Client, path: str) -> ClientConnection:
    headers = {"cookie": f"{COOKIE}={KEY}"}
    socket: ClientConnection = connect(f"{client.base_url.copy_with(scheme='ws')}{path}", additional_headers=headers)
    return socket


def test_a_finished_game_is_freed(client: httpx2.Client) -> None:
    game = new_game(client, seats=["human", "level:1"], time_ms=50, clock={"base_ms": 600_000})
    with watch(client, f"{game.path}/events") as socket:
        for version in (2, 4, 6):
            game.play("4")
            game.view = until(partial(receive, socket), is_state(version=version, status="human"))["game"]
        assert game.post("hint", step=1).status_code == 200
        game.do("takeback")
        assert game.do("resign")["status"] == "over"


def test_a_game_that_is_left_while_an_engine_thinks_is_freed(client: httpx2.Client) -> None:
    game = new_game(client, "checkers", seats=["human", "level:8"], time_ms=60_000)
    with watch(client, f"{game.path}/events") as socket:
        game.play("11-15")
        until(partial(receive, socket), lambda event: event["kind"] == "thinking")


def test_a_game_that_was_deleted_is_freed(client: httpx2.Client) -> None:
    game = new_game(client)
    with watch(client, f"{game.path}/events") as socket:
        game.play("4")
        client.post("/api/library/delete", json={"ids": [game.view["id"]]})
        until(partial(receive, socket), lambda event: event["kind"] == "error")


def test_the_page_of_a_class_is_freed(client: httpx2.Client) -> None:
    code = client.post("/api/classes", json={"title": "4b"}).json()["code"]
    with watch(client, f"/api/classes/{code}/events") as socket:
        receive(socket)
