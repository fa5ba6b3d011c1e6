"""What an operator needs: is the server ready, how busy is it, and a log that programs read."""

from __future__ import annotations

import ast
import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from prometheus_client.parser import text_string_to_metric_families as families
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from outplay.store import Store, UnavailableError
from outplay.store.open import FILE
from outplay.web.http.metrics import may_look
from outplay.web.serve import both_forms
from outplay.web.settings import is_loopback
from tests.support.commands import command
from tests.support.web_server import ServerProcess, app_client, new_game


@pytest.fixture
def client() -> Iterator[TestClient]:
    with app_client() as client:
        yield client


def values(text: str) -> dict[str, float]:
    """Every number of the metrics, by its name without labels; of several the sum."""
    found: dict[str, float] = {}
    for family in families(text):
        for sample in family.samples:
            found[sample.name] = found.get(sample.name, 0) + sample.value
    return found


def test_a_server_is_ready_if_its_store_answers(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    response = client.get("/health")
    assert (response.status_code, response.json()) == (200, {"status": "ok"})

    def fail(_: Store) -> None:
        raise UnavailableError("the disk is gone")

    monkeypatch.setattr(Store, "ping", fail)
    response = client.get("/health")
    assert (response.status_code, response.json()) == (503, {"status": "unavailable", "reason": "the disk is gone"})


def test_metrics_count_what_happens(tmp_path: Path) -> None:
    with ServerProcess(tmp_path) as server:
        game = new_game(server.client)
        game.play("4", "4", "5")
        with server.socket(game) as events:
            events.recv(timeout=60)
            found = values(server.client.get("/metrics").text)
    assert found["outplay_moves_total"] == 3
    assert found["outplay_open_pages"] == 1
    assert found["outplay_games_in_memory"] == 1
    assert found["outplay_store_works"] == 1
    assert found["outplay_writes_total"] >= 4
    assert found["outplay_requests_total"] >= 4
    assert found["outplay_request_seconds_count"] >= 4
    assert found["outplay_thinking"] >= 0
    assert found["outplay_waiting"] >= 0


def test_metrics_are_for_this_machine(client: TestClient) -> None:
    assert client.get("/metrics").status_code == 403  # the test client has no address
    assert may_look("127.0.0.1", ())
    assert may_look("::1", ())
    assert not may_look("192.168.0.7", ())
    assert may_look("192.168.0.7", ("192.168.0.0/24",))
    assert not may_look("no address", ("0.0.0.0/0",))
    assert may_look("::ffff:127.0.0.1", ())  # IPv4 on a server that listens on ::
    assert may_look("::ffff:192.168.0.7", ("192.168.0.0/24",))
    assert not may_look("::ffff:192.168.0.7", ())
    assert is_loopback("::ffff:127.0.0.1")


def test_a_proxy_is_known_in_both_forms() -> None:
    app: Any = None
    trusted = ProxyHeadersMiddleware(app, list(both_forms(["127.0.0.1", "10.0.0.0/8", "fd00::1"]))).trusted_hosts
    for address in ("127.0.0.1", "::ffff:127.0.0.1", "10.1.2.3", "::ffff:10.1.2.3", "fd00::1"):
        assert address in trusted
    for address in ("127.0.0.2", "::ffff:127.0.0.2", "::ffff:11.0.0.1", "fd00::2"):
        assert address not in trusted


def test_the_log_can_be_json(tmp_path: Path) -> None:
    with ServerProcess(tmp_path, "--port", "0", "--db", "memory", "--log", "json") as server:
        assert server.end() == 0
        lines = [json.loads(line) for line in server.said if line.startswith("{")]
    (warning,) = [line for line in lines if "memory only" in line["message"]]
    assert warning["level"] == "warning"
    assert set(warning) == {"time", "level", "logger", "message"}


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["--db", "nonsense://"], "games are saved in SQLite"),
        (["--most-games", "0"], "--most-games"),
        (["--limits", "nothing.toml"], "nothing.toml"),
    ],
)
@pytest.mark.parametrize("form", [["--log", "json"], ["--log=json"]])
def test_an_error_at_the_start_is_json_too(arguments: list[str], why: str, form: list[str]) -> None:
    done = command("serve", "--port", "0", *form, *arguments)
    line = json.loads(done.stderr)
    assert (line["level"], set(line)) == ("critical", {"time", "level", "logger", "message"})
    assert why in line["message"]
    assert done.returncode != 0


def test_a_port_of_metrics_must_be_an_address(tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match="is not an IP address"):
        ServerProcess(tmp_path, "--metrics-host", "somewhere")


# The pages about operating a server

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs" / "operate.md").read_text(encoding="utf-8")
PROMISES = (ROOT / "docs" / "promises.md").read_text(encoding="utf-8")
NAMED = re.compile(r"`((?:browser/)?test_\w+\.py)::(test_\w+)`")


@pytest.mark.parametrize(("file", "test"), sorted(set(NAMED.findall(PAGE + PROMISES))))
def test_every_test_that_a_page_names_exists(file: str, test: str) -> None:
    tree = ast.parse((ROOT / "tests" / file).read_text(encoding="utf-8"))
    assert test in {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}


def test_every_promise_names_a_test() -> None:
    rows = re.findall(r"^\| .*", PROMISES, re.MULTILINE)
    assert len(rows) > 40
    assert [row for row in rows if not NAMED.search(row)] == ["| promise | tests |"] * PROMISES.count("\n## ")


def test_the_files_that_the_page_names_are_there() -> None:
    named = set(re.findall(r"`deploy/([\w.-]+)`", PAGE))
    assert named == {path.name for path in (ROOT / "deploy").iterdir()}


@pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed")
@pytest.mark.parametrize(("port", "passed"), [("", ""), ("9000", " --port 9000")])
def test_make_passes_a_port_only_if_one_was_named(port: str, passed: str) -> None:
    """A port that was named must be free; without one, the server takes the next free one."""
    ours = {name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MAKEOVERRIDES", "MFLAGS")}
    make = ["make", "--dry-run", "--no-print-directory", "--assume-old=build", "run", "HOST=127.0.0.1", f"PORT={port}"]
    said = subprocess.run(make, cwd=ROOT, env=ours, stdout=subprocess.PIPE, text=True, check=True).stdout
    assert said.splitlines()[-1].rstrip() == f".venv/bin/outplay serve --host 127.0.0.1{passed}"


def test_the_commands_of_the_page_are_about_the_database_of_the_unit() -> None:
    unit = (ROOT / "deploy" / "outplay.service").read_text(encoding="utf-8")
    folder = re.findall(r"^Environment=OUTPLAY_DATA=(.*)$", unit, re.MULTILINE)
    program = re.findall(r"^ExecStart=(\S+)", unit, re.MULTILINE)
    user = re.findall(r"^User=(.*)$", unit, re.MULTILINE)
    commands = re.findall(r"^(.*outplay) (?:backup|restore) .*--db (\S+)", PAGE, re.MULTILINE)
    assert commands == [(f"sudo -u {user[0]} {program[0]}", f"{folder[0]}/{FILE}")] * 2
