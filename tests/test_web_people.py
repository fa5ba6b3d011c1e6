"""People behind one address: each has a share of their own, and nobody gets more by inventing keys."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from outplay.web.http.errors import BusyError
from outplay.web.http.limits import Sockets, network_of
from outplay.web.http.people import COOKIE, People, id_of
from outplay.web.settings import ALONE, EXPOSED, Limits, Rate, Settings, limits_from
from tests.support.web_server import KEY, ServerProcess, app_client, new_game


def settings(limits: Limits) -> Settings:
    return Settings(db="sqlite://", slots=1, limits=limits)


def key(letter: str) -> str:
    return letter * 24


def asked(client: TestClient, who: str | None) -> int:
    """The status of a request with this key; without one, the answer's new key is not kept."""
    client.cookies.clear()
    headers = {} if who is None else {"cookie": f"{COOKIE}={who}"}
    return client.get("/api/about", headers=headers).status_code


def test_a_page_gives_a_key_that_no_script_can_read() -> None:
    with app_client(key=None) as client:
        cookie = client.get("/").headers["set-cookie"]
        assert cookie.startswith(f"{COOKIE}=")
        assert {"HttpOnly", "SameSite=Lax", "Path=/"} <= set(cookie.split("; "))
        assert "Secure" not in cookie
        assert "set-cookie" not in client.get("/").headers  # it has one now


@pytest.mark.parametrize("path", ["/health", "/metrics", "/favicon.svg", "/assets/nothing.js", "/api/openapi.json"])
def test_what_programs_and_caches_ask_for_gives_no_key(path: str) -> None:
    with app_client(key=None) as client:
        assert "set-cookie" not in client.get(path).headers


def test_two_people_behind_one_address_have_a_share_each() -> None:
    with app_client(settings(replace(ALONE, requests=Rate(3, 0.001))), key=None) as client:
        assert [asked(client, key("a")) for _ in range(4)] == [200, 200, 200, 429]
        assert [asked(client, key("b")) for _ in range(4)] == [200, 200, 200, 429]
        assert [asked(client, None) for _ in range(4)] == [200, 200, 200, 429]


def test_a_new_key_for_every_request_uses_the_share_of_the_address() -> None:
    limits = replace(ALONE, requests=Rate(3, 0.001), new_people=Rate(5, 0.001))
    with app_client(settings(limits), key=None) as client:
        codes = [asked(client, f"{number:024}") for number in range(12)]
        assert codes == [200] * 8 + [429] * 4  # five people, and then the three of the address
        assert asked(client, f"{0:024}") == 200  # who was there before keeps the share


def test_pages_count_by_person() -> None:
    with app_client(settings(replace(ALONE, sockets_per_client=1))) as client:
        game = new_game(client)
        path = f"ws://{client.base_url.netloc.decode()}{game.path}/events"
        with (
            client.websocket_connect(path, headers={"cookie": f"{COOKIE}={key('a')}"}) as first,
            client.websocket_connect(path, headers={"cookie": f"{COOKIE}={key('b')}"}) as second,
            client.websocket_connect(path, headers={"cookie": f"{COOKIE}={key('a')}"}) as third,
        ):
            assert first.receive_json()["kind"] == second.receive_json()["kind"] == "state"
            assert third.receive_json()["error"]["kind"] == "busy"


def test_a_quarter_of_the_pages_is_kept_for_other_addresses() -> None:
    sockets = Sockets(replace(EXPOSED, sockets=8, sockets_per_client=2))
    with ExitStack() as stack:
        for number in range(6):  # with a new key for every page
            stack.enter_context(sockets.one(f"192.0.2.1|{number}"))
        with pytest.raises(BusyError), sockets.one("192.0.2.1|6"):
            pass
        for _ in range(2):
            stack.enter_context(sockets.one("192.0.2.2|7"))
        assert sockets.count == 8
    assert sockets.count == 0


def test_people_of_one_address_share_its_turns_at_the_engines(monkeypatch: pytest.MonkeyPatch) -> None:
    with app_client() as client:
        pool, keys = client.app.state.games.pool, list[str]()  # type: ignore[attr-defined]
        submit = pool.submit

        def noted(task: object, **how: Any) -> object:
            keys.append(how["key"])
            return submit(task, **how)

        monkeypatch.setattr(pool, "submit", noted)
        new_game(client, seats=["level:1", "human"])
        assert keys[0] == f"testclient|{id_of(KEY)}"


def imported(client: TestClient, count: int, who: str) -> int:
    """The status of an import of a file with some games."""
    text = '[GameType "connect4"]\n\n1. 4 *\n\n' * count
    client.cookies.clear()
    headers = {"cookie": f"{COOKIE}={who}"}
    return client.post("/api/library/import", json={"text": text}, headers=headers).status_code


def test_one_person_has_a_share_of_the_saved_games() -> None:
    with app_client(settings(replace(ALONE, saved_games=20, saved_games_each=5)), key=None) as client:
        assert [imported(client, count, key("a")) for count in (6, 5, 1)] == [503, 200, 503]
        assert imported(client, 5, key("b")) == 200
        client.cookies.set(COOKIE, key("a"))
        ids = [game["id"] for game in client.get("/api/games").json()["games"]]
        assert client.post("/api/library/delete", json={"ids": ids[:1]}).status_code == 200
        assert [imported(client, 1, key("a")) for _ in range(2)] == [200, 503]


def test_an_address_adds_no_more_games_by_more_keys() -> None:
    with app_client(settings(replace(ALONE, added_games=Rate(8, 0.001))), key=None) as client:
        assert [imported(client, 3, key(letter)) for letter in "abcd"] == [200, 200, 503, 503]
        assert [imported(client, 1, key(letter)) for letter in "cde"] == [200, 200, 503]


@pytest.mark.parametrize("text", ["", "short", "x" * 65, "é" * 24, "a b" * 9, "../" * 9])
def test_what_is_no_key_is_nobody(text: str) -> None:
    assert People(EXPOSED).person(text, "address") is None


def test_only_the_hash_of_a_key_is_remembered() -> None:
    people = People(EXPOSED)
    assert people.person(key("k"), "address") is not None
    assert key("k") not in repr(vars(people))


def test_five_hundred_people_come_from_one_address_at_once() -> None:
    people = People(EXPOSED)
    found = {people.person(f"{number:024}", network_of("192.0.2.1")) for number in range(500)}
    assert len(found) == 500
    assert None not in found


# Limits by name


def test_limits_are_changed_by_name() -> None:
    limits = limits_from({"sockets": 7, "new_people": [5, 0.5], "body_seconds": 1.5}, EXPOSED)
    assert limits == replace(EXPOSED, sockets=7, new_people=Rate(5, 0.5), body_seconds=1.5)


@pytest.mark.parametrize(
    ("values", "why"),
    [
        ({"pages": 3}, "no limit is called 'pages'; the limits are live_games"),
        ({"sockets": "many"}, "sockets must be a whole number"),
        ({"sockets": -1}, "sockets must be a whole number of at least 0"),
        ({"sockets": True}, "sockets must be a whole number"),
        ({"sockets": 1.5}, "sockets must be a whole number"),
        ({"sockets": float("nan")}, "sockets must be a whole number"),
        ({"live_games": 0}, "live_games must be a whole number of at least 1"),
        ({"tournament_slots": 2.5}, "tournament_slots must be a whole number of at least 1"),
        ({"body_seconds": float("inf")}, "body_seconds must be a number of seconds above 0"),
        ({"head_seconds": 0}, "head_seconds must be a number of seconds above 0"),
        ({"requests": 3}, "requests must be two numbers"),
        ({"requests": [1, "x"]}, "requests must be two numbers"),
        ({"requests": [float("nan"), 1]}, "requests must be two numbers"),
        ({"requests": [1, float("inf")]}, "requests must be two numbers"),
        ({"requests": [True, 1]}, "requests must be two numbers"),
    ],
)
def test_a_limit_that_cannot_be_is_told(values: dict[str, object], why: str) -> None:
    with pytest.raises(ValueError, match=why):
        limits_from(values, ALONE)


@pytest.mark.parametrize(
    ("text", "why"),
    [("[limits", "is not TOML"), ("[other]\nx = 1", "only a table"), ("[limits]\nx = 1", "no limit is called 'x'")],
)
def test_a_file_of_limits_that_cannot_be_read_is_an_error_at_the_start(tmp_path: Path, text: str, why: str) -> None:
    file = tmp_path / "limits.toml"
    file.write_text(text)
    with pytest.raises(AssertionError, match=why):
        ServerProcess(tmp_path, "--limits", str(file))


def test_options_come_before_the_file(tmp_path: Path) -> None:
    file = tmp_path / "limits.toml"
    file.write_text("[limits]\nsockets = 0\nsaved_games = 1\n")
    with ServerProcess(tmp_path, "--port", "0", "--limits", str(file), "--most-games", "2") as server:
        for status in (201, 201, 503):
            answer = server.client.post("/api/games", json={"game": "connect4", "seats": ["human", "human"]})
            assert answer.status_code == status
