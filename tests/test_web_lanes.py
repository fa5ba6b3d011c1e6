"""Costly requests: a few at a time, ended when their client has gone, and the same limits at every door."""

from __future__ import annotations

import asyncio
import contextlib
import json
import signal
import socket
import threading
import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, cast

import httpx2
import pytest

from outplay.notation.any import MOST_NODES, MOST_PLIES
from outplay.web.app import create_app
from outplay.web.http.errors import BusyError, TooManyRunsError
from outplay.web.http.lanes import Check, GoneError, Lane
from outplay.web.review import reviews
from outplay.web.runs import Runs
from outplay.web.settings import ALONE, Settings
from outplay.work import Ticket
from tests.support.games import long_game
from tests.support.processes import until as happens
from tests.support.web_server import SECONDS, ServerProcess, app_client, most_to_end, new_game, served

KINGS = '[FEN "B:WK32:BK1"]\n'
SHUFFLE = ("1-6", "32-27", "6-1", "27-32")


OPENING = "11-15 23-19 8-11 22-17 4-8 17-13 15-18 24-20 11-15 28-24"


def line(plies: int) -> str:
    """A game of so many plies in which two kings walk to and fro."""
    return KINGS + " ".join(SHUFFLE[ply % 4] for ply in range(plies)) + " *"


OTHERS = {"1-6": ("1-5",), "32-27": ("32-28",), "6-1": ("6-2", "6-9", "6-10"), "27-32": ("27-31", "27-23", "27-24")}


def tree(nodes: int) -> str:
    """A game of so many moves, most of them variations."""
    plies = nodes * 2 // 5
    left, moves = nodes - plies, list[str]()
    for ply in range(plies):
        others = OTHERS[SHUFFLE[ply % 4]][:left]
        left -= len(others)
        moves += [SHUFFLE[ply % 4], *(f"({other})" for other in others)]
    assert left == 0
    return KINGS + " ".join(moves) + " *"


@pytest.mark.parametrize(("text", "nodes"), [(line(MOST_PLIES), MOST_PLIES), (tree(MOST_NODES), MOST_NODES)])
def test_what_is_imported_can_be_opened_as_a_study(text: str, nodes: int) -> None:
    with app_client() as client:
        [game_id] = client.post("/api/library/import", json={"text": text}).json()["ids"]
        study = client.get(f"/api/games/{game_id}/study")
        assert study.status_code == 200
        assert [node["id"] for node in study.json()["nodes"]] == list(range(nodes + 1))
        path = [node["move"] for node in study.json()["nodes"] if node["is_played"]]
        body = {"version": 0, "path": path, "comment": "the end"}
        assert client.post(f"/api/games/{game_id}/study/comment", json=body).status_code == 200


@pytest.mark.parametrize("text", [line(MOST_PLIES + 1), tree(MOST_NODES + 1)])
def test_a_game_that_no_study_could_open_is_refused_at_the_door(text: str) -> None:
    with app_client() as client:
        answer = client.post("/api/library/import", json={"text": text}).json()
        assert answer["ids"] == []
        [problem] = answer["problems"]
        assert "a game has at most 2,000 moves in a line, and 4,000 with all variations" in problem["message"]


# Clients that go


def in_line(server: ServerProcess, kind: str) -> float:
    """How many requests of a kind are in line or in progress."""
    name = f'outplay_in_line{{kind="{kind}"}} '
    [found] = [row for row in server.client.get("/metrics").text.splitlines() if row.startswith(name)]
    return float(found.removeprefix(name))


def test_an_import_ends_when_its_client_has_gone(tmp_path: Path) -> None:
    game = " ".join(SHUFFLE * 100)
    body = json.dumps({"text": "\n\n".join(f"{KINGS}{game} *" for _ in range(1_500))}).encode()
    with ServerProcess(tmp_path) as server, socket.create_connection(("127.0.0.1", server.port)) as client:
        head = f"POST /api/library/import HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nContent-Length: {len(body)}\r\n"
        client.sendall(head.encode() + b"Content-Type: application/json\r\n\r\n" + body)
        happens(lambda: in_line(server, "import") == 1)
        client.close()
        gone = time.monotonic()
        happens(lambda: in_line(server, "import") == 0)
        assert time.monotonic() - gone < 5  # 0.1 s on a machine with nothing else to do; the import takes longer
        assert server.client.get("/api/games").json()["total"] == 0


class Client:
    """A client that may go; `receive` is what the server hears of it."""

    def __init__(self) -> None:
        self.gone = asyncio.Event()

    async def receive(self) -> Mapping[str, Any]:
        await self.gone.wait()
        return {"type": "http.disconnect"}


def test_work_ends_when_its_client_has_gone_and_what_waits_never_begins() -> None:
    async def scene() -> list[str]:
        lane, first, second, third = Lane("test"), Client(), Client(), Client()
        begun, done = threading.Event(), list[str]()

        def endless(check: Check) -> None:
            begun.set()
            while True:
                check()

        works = [
            asyncio.create_task(lane.run("a", first.receive, endless)),
            asyncio.create_task(lane.run("b", second.receive, lambda check: done.append("second"))),
            asyncio.create_task(lane.run("c", third.receive, lambda check: done.append("third"))),
        ]
        while not begun.is_set():
            await asyncio.sleep(0.01)
        assert lane.in_line == 3
        second.gone.set()
        await asyncio.sleep(0.01)
        first.gone.set()
        answers = await asyncio.gather(*works, return_exceptions=True)
        assert [type(answer) for answer in answers] == [GoneError, GoneError, type(None)]
        assert lane.in_line == 0
        return done

    assert asyncio.run(scene()) == ["third"]


def test_a_review_stops_when_no_page_asks_about_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reviews, "UNASKED_SECONDS", 60.0)
    monkeypatch.setattr("outplay.web.app.UNASKED_SECONDS", 0.2)
    with app_client() as client:
        [game_id] = client.post("/api/library/import", json={"text": OPENING}).json()["ids"]
        path = f"/api/games/{game_id}/review"
        client.post(path, json={"nodes": 5_000_000})
        for _ in range(10):  # asked about, it goes on
            assert client.get(path).json()["status"] in ("waiting", "running")
            time.sleep(0.1)
        monkeypatch.setattr(reviews, "UNASKED_SECONDS", 0.1)
        all_reviews = client.app.state.reviews  # type: ignore[attr-defined]
        happens(lambda: not all_reviews._runs.unfinished())
        assert client.get(path).json()["status"] == "stopped"


def test_a_review_stops_when_its_page_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reviews, "UNASKED_SECONDS", 600.0)
    app = create_app(Settings(db="sqlite://", slots=1, allowed_hosts=("127.0.0.1",)))
    with served(app, ALONE) as (host, port), httpx2.Client(base_url=f"http://{host}:{port}", timeout=SECONDS) as page:
        [game_id] = page.post("/api/library/import", json={"text": long_game(80)}).json()["ids"]
        path = f"/api/games/{game_id}/review"
        assert page.post(path, json={"nodes": 5_000_000}).status_code == 200
        with pytest.raises(httpx2.ReadTimeout):  # one that waits goes, but another asks again
            page.get(path, params={"wait_ms": 5_000}, timeout=0.3)
        assert page.get(path, params={"wait_ms": 1_500}).json()["status"] in ("waiting", "running")
        with pytest.raises(httpx2.ReadTimeout):
            page.get(path, params={"wait_ms": 5_000}, timeout=0.3)
        gone = time.monotonic()
        happens(lambda: not app.state.reviews._runs.unfinished())
        assert time.monotonic() - gone < 30  # 1.0 s on a machine with nothing else to do; the review takes longer
        assert page.get(path).json()["status"] == "stopped"


@pytest.mark.parametrize("wait", ["-1", "5001", "soon"])
def test_a_page_cannot_wait_longer(wait: str) -> None:
    with app_client() as client:
        game = new_game(client)
        assert client.get(f"{game.path}/review", params={"wait_ms": wait}).status_code == 422


def test_a_client_with_too_many_requests_is_told() -> None:
    async def scene() -> None:
        lane, one = Lane("export", most=3, most_of_one=2), Client()
        with lane.place("a"), lane.place("a"):
            with pytest.raises(TooManyRunsError, match="you have 2 exports in progress"):
                await lane.run("a", one.receive, lambda check: None)
            with lane.place("b"), pytest.raises(BusyError, match="busy with other exports"):
                await lane.run("c", one.receive, lambda check: None)

    asyncio.run(scene())


def test_a_quarter_of_a_lane_is_kept_for_other_addresses() -> None:
    async def scene() -> None:
        lane, one = Lane("export", most=8, most_of_one=2), Client()
        with contextlib.ExitStack() as stack:
            for number in range(6):  # with a new key for each
                lane.check(f"x|{number}")
                stack.enter_context(lane.place(f"x|{number}"))
            with pytest.raises(BusyError):
                lane.check("x|6")
            assert await lane.run("y|7", one.receive, lambda check: "done") == "done"

    asyncio.run(scene())


class Waiting:
    """A pool whose tasks wait for ever."""

    def submit(self, task: object, *, key: str) -> Ticket[Any]:
        return Ticket(cast(Any, task), key=key)


def test_a_quarter_of_the_runs_is_kept_for_other_addresses() -> None:
    runs = Runs[Any, Any]("review", cast(Any, Waiting()), kept=100, most=8, most_of_one=2)
    for number in range(6):
        runs.begin(None, f"x|{number}")
    with pytest.raises(BusyError):
        runs.begin(None, "x|6")
    runs.begin(None, "y|7")


def test_answers_that_must_be_proved_hold_up_no_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    begun, go_on = threading.Semaphore(0), threading.Event()

    def wait(*_: object) -> None:
        begun.release()
        go_on.wait(SECONDS)
        raise BusyError("the test is over")

    monkeypatch.setattr("outplay.web.puzzles.routes.try_moves", wait)
    monkeypatch.setattr("outplay.web.learn.routes.judge_step", wait)
    with app_client() as client, ThreadPoolExecutor(60) as pool:
        game = new_game(client)
        puzzle = client.get("/api/puzzles/next").json()["puzzle"]["id"]
        asked = [
            pool.submit(
                client.post,
                f"/api/puzzles/{puzzle}/try",
                json={"moves": ["4"]},
                headers={"authorization": f"Bearer {number:024}"},
            )
            for number in range(50)
        ]
        for _ in range(2):
            assert begun.acquire(timeout=SECONDS)
        try:
            assert len(game.play("4")["moves"]) == 1
            assert not begun.acquire(timeout=0.1)  # two at a time
        finally:
            go_on.set()
        assert {one.result().status_code for one in asked} == {503}


# The end


def test_it_ends_at_once_whatever_is_going_on(tmp_path: Path) -> None:
    text = "\n\n".join(f"{KINGS}{' '.join(SHUFFLE * 10)} *" for _ in range(2_000))
    with ServerProcess(tmp_path) as server:
        ids = server.client.post("/api/library/import", json={"text": text}).json()["ids"]
        [opening] = server.client.post("/api/library/import", json={"text": OPENING}).json()["ids"]
        threads = [
            threading.Thread(target=ask_until_it_ends, args=(server.url, method, path, body), daemon=True)
            for method, path, body in (
                ("GET", "/api/library/export", None),
                ("POST", "/api/library/import", {"text": text}),
                ("GET", f"/api/games/{ids[0]}/study", None),
                ("POST", "/api/analyses", {"game": "checkers", "time_ms": 60_000}),
                ("POST", f"/api/games/{opening}/review", {"nodes": 5_000_000}),
            )
            for _ in range(4)
        ]
        for _ in range(4):
            new_game(server.client, "checkers", ["level:8", "lab:five-phase"], time_ms=60_000)
        for thread in threads:
            thread.start()
        for kind in ("export", "import"):
            happens(lambda kind=kind: in_line(server, kind) > 1)  # type: ignore[misc]
        started = time.monotonic()
        assert server.end(signal.SIGTERM) == 0
        assert time.monotonic() - started < most_to_end()  # 1.1 s on a machine with nothing else to do
        for thread in threads:
            thread.join(60)
        assert server.said[server.started :] == []


def ask_until_it_ends(url: str, method: str, path: str, body: Any) -> None:
    with contextlib.suppress(httpx2.TransportError), httpx2.Client(base_url=url, timeout=60) as client:
        while client.request(method, path, json=body) is not None:
            pass
