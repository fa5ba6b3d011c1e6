"""Every failed request answers in one shape, whatever went wrong."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlalchemy.exc import OperationalError

from outplay import errors
from outplay.store import Store
from outplay.web import wire
from outplay.web.http.errors import error_of as answer_of
from outplay.web.library.wire import MAX_IMPORT
from outplay.web.settings import MAX_BODY
from outplay.web.wire import MAX_TEXT
from tests.support.web_server import app_client, error_of, new_game

JSON = {"content-type": "application/json"}


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    with app_client() as client:
        yield client


@pytest.mark.parametrize(
    ("method", "path", "status", "kind"),
    [
        ("GET", "/api/nothing", 404, "not-found"),
        ("GET", "/nothing", 404, "not-found"),
        ("GET", "/api/games/nobody", 404, "unknown-game"),
        ("GET", "/api/games/a", 422, "invalid"),
        ("GET", "/api/games?limit=1000", 422, "invalid"),
        ("PUT", "/api/games", 405, "method"),
        ("GET", "/api/positions", 405, "method"),
        ("POST", "/api/about", 405, "method"),
        ("GET", "/assets/nothing.js", 404, "not-found"),
        ("GET", "/assets/../index.html", 404, "not-found"),
        ("GET", "/assets/%2e%2e/%2e%2e/app.py", 404, "not-found"),
        ("GET", "/assets//etc/passwd", 404, "not-found"),
    ],
)
def test_what_is_not_there_is_told(client: TestClient, method: str, path: str, status: int, kind: str) -> None:
    response = client.request(method, path)
    assert response.status_code == status
    assert error_of(response)["kind"] == kind


def test_an_address_says_which_methods_it_takes(client: TestClient) -> None:
    assert client.put("/api/games").headers["allow"] == "GET, POST"


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"nonsense",
        b"[]",
        b"null",
        b'{"game": "connect4"}',
        b'{"game": "go", "seats": ["human", "human"]}',
        b'{"game": "connect4", "seats": ["human"]}',
        b'{"game": "connect4", "seats": ["human", "human"], "more": 1}',
        b'{"game": "connect4", "seats": ["human", "human"], "width": "7"}',
        b'{"game": "connect4", "seats": ["human", "human"], "width": -7}',
        b'{"game": "connect4", "seats": ["human", "human"], "time_ms": 1e308}',
        b'{"game": "connect4", "seats": ["human", "human"], "time_ms": NaN}',
        b'{"game": "connect4", "seats": ["human", "human"], "seed": ' + b"9" * 5000 + b"}",
        b'{"game": "connect4", "seats": ["human", "\\ud800"]}',
        b'{"game": "connect4", "seats": ["human", "human"], "position": "\\ud800"}',
        b'{"game": "connect4", "seats": ["human", "human"], "position": "\xff"}',
        b"[" * 20_000,
    ],
)
def test_a_body_that_makes_no_sense_is_refused(client: TestClient, body: bytes) -> None:
    response = client.post("/api/games", content=body, headers=JSON)
    assert response.status_code in (400, 422)
    assert error_of(response)["kind"] == "invalid"


def test_a_wrong_field_is_named(client: TestClient) -> None:
    response = client.post("/api/games", json={"game": "connect4", "seats": ["human", "human"], "width": 99})
    assert error_of(response)["reasons"] == ["width: Input should be less than or equal to 25"]


def test_a_body_that_is_not_json_is_refused(client: TestClient) -> None:
    response = client.post("/api/games", content=b"game=connect4", headers={"content-type": "text/plain"})
    assert response.status_code == 422
    error_of(response)


def test_a_body_that_is_too_large_is_refused(client: TestClient) -> None:
    said = client.post("/api/games", content=b" " * (MAX_BODY + 1), headers=JSON)
    assert (said.status_code, error_of(said)["kind"]) == (413, "too-large")
    streamed = client.post("/api/games", content=(b" " * 1000 for _ in range(MAX_BODY // 1000 + 1)), headers=JSON)
    assert (streamed.status_code, error_of(streamed)["kind"]) == (413, "too-large")


def test_a_text_that_is_too_large_is_refused_like_a_body(client: TestClient) -> None:
    body = {"game": "checkers", "text": "1" * (MAX_TEXT + 1)}
    response = client.post("/api/positions", json=body)
    error = error_of(response)
    assert (response.status_code, error["kind"]) == (413, "too-large")
    assert error["message"] == "Text: at most 4,000 characters are allowed, and this has 4,001."
    response = client.post("/api/library/import", json={"text": "1" * (MAX_IMPORT + 1)})
    assert (response.status_code, error_of(response)["kind"]) == (413, "too-large")
    assert client.get("/api/games", params={"player": "x" * 101}).status_code == 422  # not a body


@pytest.mark.parametrize("length", [b"-1", b"1e9", b"\xb2", b"9" * 5000, b"64 000", b""])
def test_a_length_that_is_none_is_refused(client: TestClient, length: bytes) -> None:
    headers = {b"content-type": b"application/json", b"content-length": length}
    response = client.post("/api/games", content=b"{}", headers=headers)
    assert response.status_code in (413, 422)
    assert error_of(response)["kind"] in ("too-large", "invalid")


def test_a_position_that_cannot_be_gives_every_reason(client: TestClient) -> None:
    seats = ["human", "human"]
    request = {"game": "checkers", "position": "B:W1,40:B2", "seats": seats}
    assert error_of(client.post("/api/games", json=request))["kind"] in ("notation", "illegal-position")
    request = {"game": "checkers", "position": "B:W1,2:B31,32", "seats": seats}
    error = error_of(client.post("/api/games", json=request))
    assert error["kind"] == "illegal-position"
    assert len(error["reasons"]) >= 2


@pytest.mark.parametrize("kind", errors.HTTP_STATUSES, ids=lambda kind: kind.__name__)
def test_every_error_of_ours_has_its_status(kind: type[errors.OutplayError]) -> None:
    from outplay import connect4

    position = connect4.Position()
    arguments: dict[type, tuple[Any, ...]] = {
        errors.NotationError: ("x", "no"),
        errors.IllegalPositionError: (["no"],),
        errors.IllegalMoveError: ("4", position, "no"),
        errors.GameOverError: (position, "over"),
        errors.CorruptTableError: ("file", "no"),
        errors.MissingExtraError: ("textual", "tui"),
        errors.JobError: ("job", "no"),
    }
    status, view = answer_of(kind(*arguments.get(kind, ("message",))))
    assert status == errors.HTTP_STATUSES[kind]
    wire.ErrorBody(error=view)


def test_a_fault_of_the_server_is_logged_and_keeps_its_words_to_itself(
    client: TestClient, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*arguments: object, **options: object) -> None:
        raise RuntimeError("a secret")

    monkeypatch.setattr(Store, "games", fail)
    with caplog.at_level(logging.ERROR):
        response = client.get("/api/games")
    assert response.status_code == 500
    assert error_of(response)["kind"] == "internal"
    assert "secret" not in response.text
    assert "a secret" in caplog.text


def test_a_move_that_cannot_be_saved_is_not_acknowledged_and_not_played(
    client: TestClient, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    game = new_game(client)
    game.play("4")

    def fail(*arguments: object, **options: object) -> None:
        raise OperationalError("UPDATE", {}, Exception("database or disk is full"))

    with monkeypatch.context() as broken:
        broken.setattr(Store, "write", fail)
        response = game.post("moves", move="5")
    assert response.status_code == 500
    assert error_of(response)["message"] == "The game could not be saved: database or disk is full."
    assert [move["text"] for move in game.look()["moves"]] == ["4"]
    assert len(game.play("6")["moves"]) == 2


def test_an_engines_move_that_cannot_be_saved_closes_the_socket_and_is_not_played(
    client: TestClient, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    game = new_game(client, seats=["human", "random"], paused=True)
    game.play("4")

    def fail(*arguments: object, **options: object) -> None:
        raise OSError("gone")

    with game.watch() as socket:
        assert socket.receive_json()["game"]["status"] == "paused"
        with monkeypatch.context() as broken:
            broken.setattr(Store, "write", fail)
            game.post("step")
            event = socket.receive_json()
            while event["kind"] != "error":
                event = socket.receive_json()
            assert event["error"]["message"] == "The game could not be saved: gone."
            assert socket.receive()["type"] == "websocket.close"
    assert len(game.look()["moves"]) == 1
