"""What an operator needs: is the server ready, how busy is it, and a log that programs read."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from prometheus_client.parser import text_string_to_metric_families as families

from outplay.store import Store, UnavailableError
from outplay.web.http.metrics import may_look
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


def test_the_log_can_be_json(tmp_path: Path) -> None:
    with ServerProcess(tmp_path, "--port", "0", "--db", "memory", "--log", "json") as server:
        assert server.end() == 0
        lines = [json.loads(line) for line in server.said if line.startswith("{")]
    (warning,) = [line for line in lines if "memory only" in line["message"]]
    assert warning["level"] == "warning"
    assert set(warning) == {"time", "level", "logger", "message"}


def test_a_port_of_metrics_must_be_an_address(tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match="is not an IP address"):
        ServerProcess(tmp_path, "--metrics-host", "somewhere")


# The page about operating a server

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs" / "operate.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(("file", "test"), re.findall(r"`(test_\w+\.py)::(test_\w+)`", PAGE))
def test_every_fault_of_the_page_names_a_test_that_exists(file: str, test: str) -> None:
    tree = ast.parse((ROOT / "tests" / file).read_text(encoding="utf-8"))
    assert test in {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}


def test_the_files_that_the_page_names_are_there() -> None:
    named = set(re.findall(r"`deploy/([\w.-]+)`", PAGE))
    assert named == {path.name for path in (ROOT / "deploy").iterdir()}
