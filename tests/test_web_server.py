"""A real server in a process of its own: what survives when it is killed, and how it ends."""

from __future__ import annotations

import contextlib
import os
import random
import resource
import signal
import sqlite3
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import httpx2
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection

from outplay.store import open_store
from outplay.web.serve import listen
from tests.support.processes import is_alive
from tests.support.processes import until as happens
from tests.support.web_server import SECONDS, Game, ServerProcess, is_state, most_to_end, new_game, on, receive, until


@pytest.fixture(scope="module")
def lasting_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """One for tests that leave it running."""
    with ServerProcess(tmp_path_factory.mktemp("games")) as server:
        yield server


@pytest.fixture
def server(tmp_path: Path) -> Iterator[ServerProcess]:
    with ServerProcess(tmp_path) as server:
        yield server


# Nothing that was acknowledged is lost


def test_a_killed_server_has_every_acknowledged_move(tmp_path: Path) -> None:
    with ServerProcess(tmp_path) as server:
        game = new_game(server.client, "checkers")
        before = game.play("11-15", "22-18", "15x22", "25x18")
        server.kill()
    with ServerProcess(tmp_path) as server:
        again = on(server, game)
        assert again.view["moves"] == before["moves"]
        assert again.view["version"] == before["version"]
        assert again.view["revision"] >= before["revision"]
        assert len(again.play("12-16")["moves"]) == 5


@pytest.mark.parametrize("seed", range(3))
def test_kill_at_any_moment_loses_no_acknowledged_move(tmp_path: Path, seed: int) -> None:
    """Several people play as fast as they can; the server is killed in the middle of it."""
    chance = random.Random(seed)
    acknowledged: dict[str, list[str]] = {}
    answered = threading.Semaphore(0)
    with ServerProcess(tmp_path) as server:

        def play(game: Game) -> None:
            try:
                while True:
                    if game.view["status"] == "over":
                        game.do("takeback", plies=len(game.view["moves"]))
                    else:
                        game.play(random.choice(game.view["legal"])["text"])
                    acknowledged[game.view["id"]] = game.texts
                    answered.release()
            except httpx2.TransportError:
                pass

        games = [new_game(server.client) for _ in range(4)]
        threads = [threading.Thread(target=play, args=(game,)) for game in games]
        for thread in threads:
            thread.start()
        for _ in range(chance.randrange(20, 60)):
            answered.acquire(timeout=SECONDS)
        server.kill()
        for thread in threads:
            thread.join()
    with ServerProcess(tmp_path) as server:
        for game in games:
            # one command may have been carried out whose answer never left
            again = on(server, game)
            moves, known = again.texts, acknowledged.get(game.view["id"], [])
            assert moves in ([], known) or (moves[:-1] == known), "an acknowledged move is lost"
            assert again.view["version"] - game.view["version"] in (0, 1)


def test_everything_around_the_board_survives_too(tmp_path: Path) -> None:
    with ServerProcess(tmp_path) as server:
        game = new_game(
            server.client,
            seats=["human", "level:1"],
            strict=False,
            time_ms=0,
            clock={"base_ms": 60_000},
            width=8,
            height=8,
        )
        with server.socket(game) as events:
            game.play("4")
            game.view = until(lambda: receive(events), is_state(status="human", version=2))["game"]
        before = game.do("takeback")
        server.kill()
    with ServerProcess(tmp_path) as server:
        view = on(server, game).view
        for name in ("version", "seats", "start", "position", "undone", "strict", "time_ms", "legal", "outcome"):
            assert view[name] == before[name], name
        assert view["clock"]["base_ms"] == 60_000
        assert abs(view["clock"]["left_ms"][0] - before["clock"]["left_ms"][0]) < 20_000  # it ran on until it was saved
        assert len(Game(server.client, view).do("redo")["moves"]) == 2


def test_an_open_page_resumes_and_the_engine_goes_on(tmp_path: Path) -> None:
    with ServerProcess(tmp_path) as server:
        game = new_game(server.client, seats=["human", "lab:five-phase"], time_ms=60_000)
        with server.socket(game) as events:
            view = game.play("4")
            until(lambda: receive(events), lambda event: event["kind"] == "thinking" and event["opinion"]["depth"] > 0)
            port = server.port
            server.kill()
            with pytest.raises(ConnectionClosed):
                until(lambda: receive(events), lambda event: False)
    with ServerProcess(tmp_path, "--port", str(port)) as server:
        assert server.port == port
        again = Game(server.client, view)
        with server.socket(again) as events:
            assert receive(events)["game"]["status"] == "thinking"
            again.do("pace", time_ms=0)
            reply = until(lambda: receive(events), is_state(status="human"))["game"]
        assert len(reply["moves"]) == 2
        assert reply["revision"] > view["revision"]


@pytest.mark.skipif(not Path("/proc/self").is_dir(), reason="needs a folder that is read-only even for root")
def test_a_folder_that_cannot_be_written_is_an_error_at_the_start(tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match=r"cannot be opened.*or keep games in memory only with --db memory"):
        ServerProcess(tmp_path, OUTPLAY_DATA="/proc/self")


def test_games_in_memory_are_told_before_they_are_played(tmp_path: Path) -> None:
    with ServerProcess(tmp_path, "--port", "0", "--db", "memory") as server:
        about = server.client.get("/api/about").json()
        assert about["warning"] == "Games are kept in memory only and are lost when the server stops."
        assert about["data"] == ""
        assert len(new_game(server.client).play("4")["moves"]) == 1


def test_a_read_only_database_is_served_for_reading(tmp_path: Path) -> None:
    with ServerProcess(tmp_path) as server:
        game = new_game(server.client, seats=["human", "random"])
        played = game.play("4")
        assert server.client.get("/api/about").json()["data"] == "Games are saved on this server."
    url = f"sqlite:///file:{tmp_path / 'games.sqlite3'}?mode=ro&uri=true"
    with ServerProcess(tmp_path, "--port", "0", "--db", url) as server:
        assert server.client.get("/api/about").json()["warning"].startswith("The database is read-only")
        elsewhere = on(server, game)
        assert [move["text"] for move in elsewhere.look()["moves"]][:1] == ["4"]
        assert elsewhere.view["version"] >= played["version"]
        assert elsewhere.error("moves", move="5")["kind"] == "read-only"
        with server.socket(elsewhere) as events:
            assert receive(events)["game"]["version"] == elsewhere.view["version"]
        refused = server.client.post("/api/games", json={"game": "checkers", "seats": ["human", "human"]})
        assert (refused.status_code, refused.json()["error"]["kind"]) == (503, "read-only")
        deleted = server.client.post("/api/library/delete", json={"ids": [game.view["id"]]})
        assert deleted.status_code == 503
        assert server.client.get("/api/games").json()["total"] == 1
        assert server.end() == 0
        assert server.said[server.started :] == []


@pytest.mark.skipif(sys.platform != "linux", reason="needs prlimit")
def test_a_full_disk_refuses_moves_until_there_is_space_again(tmp_path: Path) -> None:
    with ServerProcess(tmp_path) as server:
        game = new_game(server.client)
        game.play("4")
        size = max(file.stat().st_size for file in tmp_path.iterdir())
        limit = resource.RLIMIT_FSIZE
        before = resource.prlimit(server.process.pid, limit, (size, resource.RLIM_INFINITY))
        while (response := game.post("moves", move=game.view["legal"][0]["text"])).status_code == 200:
            game.view = response.json()  # until the file would have to grow
            if game.view["status"] == "over":
                game = new_game(server.client)
        assert (response.status_code, response.json()["error"]["kind"]) == (503, "storage")
        resource.prlimit(server.process.pid, limit, before)
        acknowledged = game.view["version"]
        assert game.look()["version"] == acknowledged
        game.play(game.view["legal"][0]["text"])
        assert server.end() == 0
        begins, ends = server.said[server.started :]
        assert begins.startswith("the database fails: ")
        assert ends.startswith("the database works again")


@contextlib.contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Lock a server's database as another program might."""
    with contextlib.closing(sqlite3.connect(folder / "games.sqlite3", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield
        other.execute("ROLLBACK")


class Asking:
    """Requests on threads of their own."""

    def __init__(self, server: ServerProcess) -> None:
        self._server = server
        self._threads: list[threading.Thread] = []
        self.answers: list[httpx2.Response] = []

    def move(self, game: Game) -> None:
        def ask() -> None:
            with (
                contextlib.suppress(httpx2.TransportError),
                httpx2.Client(
                    base_url=self._server.url, cookies=self._server.client.cookies, timeout=SECONDS
                ) as client,
            ):
                self.answers.append(Game(client, game.view).post("moves", move="4"))

        self._threads.append(threading.Thread(target=ask))
        self._threads[-1].start()

    def join(self) -> None:
        for thread in self._threads:
            thread.join(SECONDS)


def test_a_locked_database_refuses_moves_and_everything_else_goes_on(tmp_path: Path) -> None:
    with ServerProcess(tmp_path) as server:
        games, asking = [new_game(server.client) for _ in range(45)], Asking(server)
        with locked(tmp_path):
            for game in games[1:]:  # more than the server has threads
                asking.move(game)
            asking.join()
            assert {answer.status_code for answer in asking.answers} == {503}
            assert {answer.json()["error"]["kind"] for answer in asking.answers} == {"storage"}
            for game in games[1:]:
                asking.move(game)
            for path in ("/health", "/api/games", games[0].path):
                assert server.client.get(path).status_code == 200
        games[1].look()
        assert games[1].texts in ([], ["4"])  # the last of them may have come after the lock
        games[0].play("4")
        asking.join()
        assert server.end() == 0
        begins, ends = server.said[server.started :]
        assert begins == "the database fails: database is locked"
        assert ends.startswith("the database works again")


def test_it_ends_at_once_while_moves_wait_for_a_lock(tmp_path: Path) -> None:
    with ServerProcess(tmp_path) as server:
        games, asking = [new_game(server.client) for _ in range(5)], Asking(server)
        writes = 'outplay_requests_total{method="GET",status="200"} '
        with locked(tmp_path):
            for game in games:
                asking.move(game)
            happens(lambda: writes in server.client.get("/metrics").text)
            threading.Event().wait(0.5)  # the moves have arrived, and wait
            started = time.monotonic()
            assert server.end() == 0
            assert time.monotonic() - started < most_to_end()
        asking.join()
        assert {answer.status_code for answer in asking.answers} <= {503}


def test_a_file_that_is_moved_away_ends_the_saving_and_is_told(tmp_path: Path) -> None:
    with ServerProcess(tmp_path) as server:
        game = new_game(server.client)
        game.play("4")
        (tmp_path / "games.sqlite3").rename(tmp_path / "elsewhere")
        happens(lambda: server.client.get("/health").status_code == 503)
        refused = game.error("moves", move="5")
        assert refused["kind"] == "storage"
        assert "was moved or deleted" in refused["message"]
        assert server.end() == 0
        [told] = server.said[server.started :]
        assert told.startswith("nothing more can be saved: the file")


def test_looking_at_a_game_changes_nothing(tmp_path: Path) -> None:
    with ServerProcess(tmp_path) as server:
        game, later = new_game(server.client), new_game(server.client)
        game.play("4")
        later.play("4")
        server.kill()
    with ServerProcess(tmp_path) as server:
        before = server.client.get("/api/games").json()
        again = on(server, game)
        assert again.look()["revision"] == game.view["revision"]
        with server.socket(again) as events:
            assert receive(events)["game"]["revision"] == game.view["revision"]
        assert server.client.get("/api/games").json() == before
        assert again.play("5")["version"] == 2


# Engines


def children(pid: int) -> list[int]:
    own: list[str] = []
    with contextlib.suppress(FileNotFoundError, ProcessLookupError):  # it, or a thread of it, has ended
        for thread in Path(f"/proc/{pid}/task").iterdir():
            own += (thread / "children").read_text().split()
    return sorted({int(child) for child in own})


needs_proc = pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="needs /proc to find the workers")


def kill_thinking(server: ServerProcess, events: ClientConnection) -> None:
    """Kill all workers as soon as a search has come somewhere."""
    until(lambda: receive(events), lambda event: event["kind"] == "thinking" and event["opinion"]["depth"] > 0)
    for child in children(server.process.pid):
        os.kill(child, signal.SIGKILL)


@needs_proc
def test_a_worker_killed_while_it_thinks_is_replaced_and_its_game_goes_on(lasting_server: ServerProcess) -> None:
    game = new_game(lasting_server.client, seats=["human", "lab:five-phase"], time_ms=60_000)
    with lasting_server.socket(game) as events:
        game.play("4")
        kill_thinking(lasting_server, events)
        again = until(lambda: receive(events), lambda event: event["kind"] == "state")["game"]
        assert (again["status"], again["notice"]) == (
            "thinking",
            "Five-phase's process was killed; it thinks again.",
        )
        game.do("pace", time_ms=50)
        assert len(until(lambda: receive(events), is_state(status="human"))["game"]["moves"]) == 2


@needs_proc
def test_a_worker_killed_twice_pauses_its_game_and_retry_works(lasting_server: ServerProcess) -> None:
    server = lasting_server
    game = new_game(server.client, seats=["human", "lab:five-phase"], time_ms=60_000)
    other = new_game(server.client)
    with server.socket(game) as events:
        game.play("4")
        kill_thinking(server, events)
        until(lambda: receive(events), is_state(status="thinking"))
        kill_thinking(server, events)
        failed = until(lambda: receive(events), is_state(status="failed"))["game"]
        assert failed["failure"]["title"] == "Five-phase"
        assert failed["failure"]["message"].startswith("Five-phase ")
        assert len(other.play("4")["moves"]) == 1
        game.do("pace", time_ms=50)
        assert game.do("retry")["status"] == "thinking"
        assert len(until(lambda: receive(events), is_state(status="human"))["game"]["moves"]) == 2


@needs_proc
def test_another_player_takes_the_seat_of_one_that_failed(lasting_server: ServerProcess) -> None:
    server = lasting_server
    game = new_game(server.client, seats=["human", "lab:five-phase"], time_ms=60_000)
    with server.socket(game) as events:
        game.play("4")
        kill_thinking(server, events)
        until(lambda: receive(events), is_state(status="thinking"))
        kill_thinking(server, events)
        until(lambda: receive(events), is_state(status="failed"))
        assert game.do("seats", second="random")["failure"] is None
        assert len(until(lambda: receive(events), is_state(status="human"))["game"]["moves"]) == 2


def test_the_server_answers_while_every_engine_thinks(tmp_path: Path) -> None:
    with ServerProcess(tmp_path, "--port", "0", "--workers", "1") as server:
        games = [new_game(server.client, seats=["lab:five-phase", "human"], time_ms=60_000) for _ in range(5)]
        with server.socket(games[-1]) as events:
            queued = until(lambda: receive(events), lambda event: event["kind"] == "thinking")
            assert queued["is_queued"]
        assert len(new_game(server.client).play("4", "5", "6")["moves"]) == 3
        assert games[-1].do("stop")["status"] == "paused"


# Starting and ending


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_it_ends_at_once_and_quietly(server: ServerProcess, number: int) -> None:
    game = new_game(server.client, seats=["human", "lab:five-phase"], time_ms=60_000)
    with server.socket(game) as events:
        game.play("4")
        until(lambda: receive(events), lambda event: event["kind"] == "thinking" and event["opinion"]["depth"] > 0)
        workers = children(server.process.pid) if Path("/proc/self/task").exists() else []
        started = time.monotonic()
        assert server.end(number) == 0
        assert time.monotonic() - started < most_to_end()
        with pytest.raises(ConnectionClosed) as closed:
            until(lambda: receive(events), lambda event: False)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1012
    assert server.said[server.started :] == []
    happens(lambda: not any(map(is_alive, workers)))


def test_it_ends_while_somebody_waits_for_a_hint(tmp_path: Path) -> None:
    with ServerProcess(tmp_path, "--port", "0", "--workers", "1") as server:
        busy = new_game(server.client, seats=["lab:five-phase", "human"], time_ms=60_000)
        game = new_game(server.client)
        answers: list[int] = []

        def ask() -> None:
            try:
                answers.append(game.post("hint", step=3).status_code)
            except httpx2.TransportError:
                answers.append(0)

        waiting = threading.Thread(target=ask)
        waiting.start()
        with server.socket(busy) as events:
            until(lambda: receive(events), lambda event: event["kind"] == "thinking" and event["opinion"]["depth"] > 2)
        assert server.end() == 0
        waiting.join()
        assert answers[0] in (0, 409, 502, 503)
        assert server.said[server.started :] == []


def test_ctrl_c_twice_ends_it_too(server: ServerProcess) -> None:
    server.process.send_signal(signal.SIGINT)
    assert server.end() == 0


def test_the_next_port_is_taken_when_one_is_in_use() -> None:
    with listen("127.0.0.1", 0) as taken:
        port = taken.getsockname()[1]
        with listen("127.0.0.1", port) as next_one:
            assert next_one.getsockname()[1] > port


def test_a_port_that_was_asked_for_and_is_taken_is_an_error(tmp_path: Path) -> None:
    with listen("127.0.0.1", 0) as taken:
        port = str(taken.getsockname()[1])
        with pytest.raises(AssertionError, match=f"port {port}.*in use"):
            ServerProcess(tmp_path, "--port", port)


def test_a_standby_is_told_at_once_that_its_port_is_taken(tmp_path: Path) -> None:
    first = open_store(str(tmp_path / "games.sqlite3"), hold="now")
    with listen("127.0.0.1", 0) as taken:
        port = str(taken.getsockname()[1])
        with pytest.raises(AssertionError, match=f"port {port}.*in use"):
            ServerProcess(tmp_path, "--port", port, "--standby")
    first.close()


def test_an_address_of_others_brings_a_warning_and_limits(tmp_path: Path) -> None:
    with ServerProcess(tmp_path, "--host", "0.0.0.0", "--port", "0") as server:
        assert any(line.startswith("Warning:") for line in server.said)
        assert server.client.get("/api/about").json()["max_time_ms"] == 10_000
        statuses = {server.client.get("/api/about").status_code for _ in range(200)}
        assert statuses == {200, 429}


def test_those_behind_a_proxy_are_told_apart(tmp_path: Path) -> None:
    with ServerProcess(tmp_path, "--port", "0", "--proxy", "127.0.0.1", "--allow-host", "games.example.org") as server:
        assert any(line.startswith("Warning: the proxy 127.0.0.1") for line in server.said)

        def ask(client: str) -> int:
            headers = {"host": "games.example.org", "x-forwarded-for": client, "x-forwarded-proto": "https"}
            server.client.cookies.clear()  # without a key, the address counts
            return server.client.get("/api/about", headers=headers).status_code

        assert {ask("192.0.2.1") for _ in range(200)} == {200, 429}
        assert ask("192.0.2.2") == 200


def test_nobody_but_a_proxy_is_believed_for_whom_it_asks(tmp_path: Path) -> None:
    with ServerProcess(tmp_path, "--host", "0.0.0.0", "--port", "0", "--proxy", "192.0.2.7") as server:
        statuses = {
            server.client.get("/api/about", headers={"x-forwarded-for": f"192.0.2.{number}"}).status_code
            for number in range(200)
        }
        assert statuses == {200, 429}


@pytest.mark.parametrize("proxy", ["*", "games.example.org", "127.0.0.1:80", ""])
def test_a_proxy_has_an_address(tmp_path: Path, proxy: str) -> None:
    with pytest.raises(AssertionError, match="is not an IP address"):
        ServerProcess(tmp_path, "--port", "0", "--proxy", proxy)


def test_without_a_port_there_is_one_line_and_an_exit_code(tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match="the server did not start"):
        ServerProcess(tmp_path, "--host", "203.0.113.1", "--port", "9000")


def test_a_second_server_on_the_same_games_says_who_holds_them(tmp_path: Path) -> None:
    with (
        ServerProcess(tmp_path) as first,
        pytest.raises(AssertionError, match=f"another server holds this database: process {first.process.pid} on"),
    ):
        ServerProcess(tmp_path)


def test_a_standby_takes_over_and_every_game_goes_on(tmp_path: Path) -> None:
    with ServerProcess(tmp_path) as first:
        game = new_game(first.client)
        game.play("4")

        def heard(line: str) -> None:
            if line.startswith(f"Waiting: process {first.process.pid} on "):
                first.kill()

        with ServerProcess(tmp_path, "--port", "0", "--standby", heard=heard) as second:
            elsewhere = on(second, game)
            elsewhere.play("5")
            assert elsewhere.texts == ["4", "5"]


def test_what_another_program_saves_meanwhile_is_not_overwritten(tmp_path: Path) -> None:
    with ServerProcess(tmp_path) as server:
        game = new_game(server.client)
        game.play("4")
        store = open_store(str(tmp_path / "games.sqlite3"))
        saved = store.load(game.view["id"])
        assert saved is not None
        saved.game.play("5")
        terms = replace(saved.terms, version=saved.terms.version + 1, revision=saved.terms.revision + 1)
        store.save(replace(saved, terms=terms), after=saved.terms.revision)
        store.close()
        # the server's picture is old: its move is refused, and nothing is lost
        assert game.post("moves", move="6").status_code == 409
        assert [move["text"] for move in game.look()["moves"]] == ["4", "5"]
        game.play("6")
        assert game.texts == ["4", "5", "6"]
