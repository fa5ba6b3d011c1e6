"""A server whose engines think on a Dask cluster: games, analyses, reviews and the lab, and workers that are killed."""

from __future__ import annotations

import contextlib
import os
import signal
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from outplay.store import open_store
from tests.support.commands import command
from tests.support.processes import until as happens
from tests.support.web_server import Json, ServerProcess, is_state, most_to_end, new_game, receive, until
from tests.test_web_server import children, needs_proc

pytest.importorskip("distributed", reason="distributed is not installed: pip install 'outplay[cluster]'")

pytestmark = needs_proc


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    arguments = ("--port", "0", "--cluster", "local", "--workers", "2")
    with ServerProcess(tmp_path_factory.mktemp("games"), *arguments) as server:
        yield server


def dask_workers(server: ServerProcess) -> list[int]:
    """The processes that think are children of the workers, so only workers have children."""
    return [child for child in children(server.process.pid) if children(child)]


def finished(server: ServerProcess, path: str) -> Json:
    found: list[Json] = []

    def is_over() -> bool:
        found.append(server.client.get(path).json())
        return found[-1]["status"] in ("done", "stopped", "failed")

    happens(is_over)
    return found[-1]


def thinks(event: Json) -> bool:
    return bool(event["kind"] == "thinking" and event["opinion"]["depth"] > 0)


def has_answer_or_failure(event: Json) -> bool:
    return event["kind"] == "state" and (len(event["game"]["moves"]) == 2 or event["game"]["failure"] is not None)


def test_games_and_everything_else_think_on_the_cluster(server: ServerProcess) -> None:
    game = new_game(server.client, seats=["human", "level:3"], time_ms=200)
    with server.socket(game) as events:
        game.play("4")
        assert until(lambda: receive(events), has_answer_or_failure)["game"]["failure"] is None
    asked = {"game": "checkers", "time_ms": 500}
    analysis = server.client.post("/api/analyses", json=asked).json()
    assert finished(server, f"/api/analyses/{analysis['id']}")["status"] == "done"
    assert server.client.post(f"{game.path}/review", json={}).status_code == 200
    assert finished(server, f"{game.path}/review")["status"] == "done"
    run = server.client.post("/api/lab/runs", json={"game": "connect4", "kind": "trace", "depth": 3}).json()
    assert finished(server, f"/api/lab/runs/{run['id']}")["status"] == "done"


def test_a_search_on_the_cluster_is_stopped(server: ServerProcess) -> None:
    game = new_game(server.client, seats=["human", "lab:five-phase"], time_ms=60_000)
    with server.socket(game) as events:
        game.play("4")
        until(lambda: receive(events), thinks)
        game.do("move-now")
        assert len(until(lambda: receive(events), is_state(status="human"))["game"]["moves"]) == 2


def test_every_game_goes_on_when_a_worker_is_killed(server: ServerProcess) -> None:
    games = [new_game(server.client, seats=["human", "lab:five-phase"], time_ms=60_000) for _ in range(4)]
    with contextlib.ExitStack() as opened:
        sockets = [opened.enter_context(server.socket(game)) for game in games]
        for game in games:
            game.play("4")
        for events in sockets[:2]:  # two think, and the others wait for them
            until(partial(receive, events), thinks)
        workers = dask_workers(server)
        assert len(workers) == 2
        os.kill(workers[0], signal.SIGKILL)
        happens(lambda: len(set(dask_workers(server)) - {workers[0]}) == 2)  # there is a new one, and it thinks
        for game in games:
            game.do("pace", time_ms=50)
        for events in sockets:
            assert until(partial(receive, events), has_answer_or_failure)["game"]["failure"] is None


def test_it_ends_at_once_while_the_cluster_thinks(server: ServerProcess) -> None:
    for _ in range(3):
        new_game(server.client, seats=["lab:five-phase", "human"], time_ms=60_000)
    started = time.monotonic()
    assert server.end(signal.SIGTERM) == 0
    assert time.monotonic() - started < most_to_end()  # 1 s on a machine with nothing else to do
    assert server.said[server.started :] == []


def test_a_standby_misses_its_cluster_at_once_not_at_the_takeover(tmp_path: Path) -> None:
    db = str(tmp_path / "games.sqlite3")
    first = open_store(db, hold="now")
    done = command("serve", "--db", db, "--standby", "--cluster", "tcp://127.0.0.1:1")
    assert (done.returncode, done.stdout) == (10, "")
    assert "no scheduler answers there" in done.stderr
    first.close()


def test_a_cluster_that_is_not_there_is_one_line() -> None:
    done = command("serve", "--db", "memory", "--cluster", "tcp://127.0.0.1:1")
    assert (done.returncode, done.stdout) == (10, "")
    assert done.stderr.startswith("outplay: cluster tcp://127.0.0.1:1: no scheduler answers there")
    assert done.stderr.count("\n") == 1
