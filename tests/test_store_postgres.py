"""PostgreSQL, a real one: servers that start at once, one that holds the database, and a database that goes away."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text

from outplay.store import HeldByOtherError, StoreError, open_store
from tests.support.postgres import Postgres, postgres
from tests.support.processes import until as happens
from tests.support.web_server import ServerProcess, most_to_end, new_game, on
from tests.test_web_server import Asking, children, needs_proc

pytestmark = pytest.mark.slow


@pytest.fixture
def url(postgres_server: Postgres) -> str:
    return postgres_server.new_database()


@pytest.fixture
def own_server() -> Iterator[Postgres]:
    """A server that a test may stop."""
    with postgres() as server:
        yield server


def test_four_servers_that_start_at_once_find_the_tables_made(postgres_server: Postgres) -> None:
    for _ in range(4):
        url = postgres_server.new_database()
        with ThreadPoolExecutor(4) as starts:
            stores = list(starts.map(open_store, [url] * 4))
        for store in stores:
            assert store.games(limit=1) == []
            store.close()


def test_one_server_holds_the_database_and_is_named(url: str) -> None:
    first = open_store(url, hold="now")
    with pytest.raises(HeldByOtherError, match=r"outplay serve, process \d+ on .*, since 20"):
        open_store(url, hold="now")
    open_store(url).close()  # other programs write beside it
    first.close()
    open_store(url, hold="now").close()


def test_a_standby_takes_over_from_a_killed_server_and_nothing_is_lost(tmp_path: Path, url: str) -> None:
    with ServerProcess(tmp_path, "--port", "0", "--db", url) as first:
        games = [new_game(first.client) for _ in range(5)]
        for game in games:
            game.play("4", "4", "5")

        def heard(line: str) -> None:
            if line.startswith("Waiting: outplay serve, process"):
                first.kill()

        with ServerProcess(tmp_path, "--port", "0", "--db", url, "--standby", heard=heard) as second:
            for game in games:
                assert on(second, game).play("5")["version"] == 4


@pytest.fixture
def two_networks() -> Iterator[tuple[str, str]]:
    """The names of two networks, joined by a cable: 10.77.0.1 in the first, 10.77.0.2 in the second."""
    names = f"outplay-{os.getpid()}-a", f"outplay-{os.getpid()}-b"
    if os.geteuid() != 0 or shutil.which("ip") is None or any(_ip("netns", "add", name) for name in names):
        pytest.skip("only root can make networks, with the command ip")
    try:
        assert not _ip("link", "add", "cable", "netns", names[0], "type", "veth", "peer", "cable", "netns", names[1])
        for number, name in enumerate(names, 1):
            assert not _ip("-n", name, "address", "add", f"10.77.0.{number}/24", "dev", "cable")
            assert not _ip("-n", name, "link", "set", "cable", "up")
        yield names
    finally:
        for name in names:
            _ip("netns", "delete", name)


def _ip(*arguments: str) -> int:
    return subprocess.run(["ip", *arguments], stderr=subprocess.DEVNULL).returncode


HOLD = """
import sys
from outplay.store import open_store
store = open_store(sys.argv[1], hold="now")
print("held", flush=True)
sys.stdin.read()
"""


def test_a_standby_takes_over_from_a_machine_that_lost_its_power(two_networks: tuple[str, str]) -> None:
    """Such a machine ends no connection; here its cable is pulled."""
    here, there = two_networks
    with postgres(["ip", "netns", "exec", here]) as database:
        url = database.new_database()
        database.stop()
        with (database.data / "pg_hba.conf").open("a") as file:
            file.write("host all all 10.77.0.0/24 trust\n")
        database.address = "10.77.0.1"
        database.start()
        far = url.replace("@/", "@10.77.0.1/").partition("?")[0]
        command = ["ip", "netns", "exec", there, sys.executable, "-c", HOLD, far]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as first:
            assert first.stdout is not None
            assert first.stdout.readline() == "held\n"
            with pytest.raises(HeldByOtherError):
                open_store(url, hold="now")
            assert not _ip("-n", there, "link", "set", "cable", "down")
            happens(lambda: _is_free(url))
            first.kill()


def _is_free(url: str) -> bool:
    try:
        open_store(url, hold="now").close()
    except HeldByOtherError:
        return False
    return True


def test_a_standby_waits_on_while_the_database_starts_again(own_server: Postgres) -> None:
    url = own_server.new_database()
    first = open_store(url, hold="now")
    said = list[str]()

    def say(words: str) -> None:
        said.append(words)
        own_server.stop()
        first.close()
        threading.Thread(target=own_server.start).start()

    open_store(url, hold="standby", say=say).close()
    assert len(said) == 1


def test_a_newer_database_is_not_replaced_and_the_advice_says_so(url: str) -> None:
    store = open_store(url)
    with store.engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    store.close()
    with pytest.raises(StoreError, match="restore a backup of this one into a new, empty database"):
        open_store(url)


def test_a_database_that_goes_away_and_comes_back(tmp_path: Path, own_server: Postgres) -> None:
    url = own_server.new_database()
    with ServerProcess(tmp_path, "--port", "0", "--db", url) as server:
        game = new_game(server.client)
        game.play("4")
        own_server.stop()
        for _ in range(5):
            response = game.post("moves", move="5")
            assert response.status_code == 503
            assert response.json()["error"]["kind"] == "storage"
            assert str(own_server.folder) not in response.text
        own_server.start()
        happens(lambda: server.client.get(game.path).status_code == 200)
        assert game.look()["version"] == 1  # what was not acknowledged was not played
        game.play("5")
        with pytest.raises(HeldByOtherError):  # the server has taken its lock again
            _take_soon(url)
        assert server.end() == 0
        begins, ends = server.said[server.started :]  # however many requests failed
        assert begins.startswith("the database fails: ")
        assert ends.startswith("the database works again after ")


@needs_proc
def test_a_database_that_hangs_delays_neither_health_nor_the_end(tmp_path: Path, own_server: Postgres) -> None:
    url = own_server.new_database()
    with ServerProcess(tmp_path, "--port", "0", "--db", url) as server:
        game, asking = new_game(server.client), Asking(server)
        parent = int((own_server.data / "postmaster.pid").read_text().split()[0])
        processes = [parent, *children(parent)]
        for process in processes:
            os.kill(process, signal.SIGSTOP)
        try:
            health = server.client.get("/health")
            assert health.status_code == 503
            assert health.json()["reason"] == "the database does not answer"
            asking.move(game)
            started = time.monotonic()
            assert server.end() == 0
            assert time.monotonic() - started < most_to_end()
        finally:
            for process in processes:
                os.kill(process, signal.SIGCONT)
        asking.join()


def test_a_lock_of_another_program_is_waited_for_a_while(tmp_path: Path, url: str) -> None:
    with ServerProcess(tmp_path, "--port", "0", "--db", url) as server:
        game = new_game(server.client)
        other = create_engine(url.replace("postgresql:", "postgresql+psycopg:"))
        with other.connect() as connection:
            connection.execute(text("LOCK TABLE games IN EXCLUSIVE MODE"))
            refused = game.error("moves", move="4")
            assert refused["kind"] == "storage"
            assert refused["message"].endswith(": another program has locked it.")
            assert server.client.get("/api/games").status_code == 200
        other.dispose()
        game.look()
        game.play("4")


def _take_soon(url: str) -> None:
    """Try to take the database for as long as the server may need to notice that it lost its lock."""
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        open_store(url, hold="now").close()
        time.sleep(0.5)


def test_names_of_any_length_and_any_character_are_saved(tmp_path: Path, url: str) -> None:
    games = (
        '[Event "'
        + "E" * 500
        + '"]\n[Black "'
        + "é\u0000" * 300
        + '"]\n[White "W"]\n[Result "*"]\n1. 11-15 {a\u0000b} *\n'
    )
    with ServerProcess(tmp_path, "--port", "0", "--db", url) as server:
        answer = server.client.post("/api/library/import", json={"text": games})
        assert answer.status_code == 200, answer.text
        (game_id,) = answer.json()["ids"]
        assert server.client.get(f"/api/games/{game_id}").status_code == 200
