"""Who may call the server, what its pages may load, and how much one client may ask for."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from outplay.store import open_store
from outplay.web import settings
from outplay.web.app import create_app
from outplay.web.http.limits import Bucket, client_of
from outplay.web.http.security import Hosts
from outplay.web.settings import ALONE, EXPOSED, Rate, Settings, is_loopback
from tests.support.web_server import app_client, error_of, new_game

MEMORY = Settings(db="sqlite://", slots=1)


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    with app_client() as client:
        yield client


# Names


@pytest.mark.parametrize("host", ["127.0.0.1:8642", "localhost:8642", "LOCALHOST:8642", "[::1]:8642"])
def test_the_server_is_called_by_its_own_names(client: TestClient, host: str) -> None:
    assert client.get("/api/about", headers={"host": host}).status_code == 200


@pytest.mark.parametrize(
    "host",
    [
        "evil.example:8642",
        "127.0.0.1",
        "127.0.0.1:8643",
        "localhost.evil.example:8642",
        "evil.example@127.0.0.1:8642",
        "127.0.0.1:8642/x",
        "127.0.0.1:port",
        "[::1:8642",
        "127.0.0.1:8642#x",
        "127.0.0.1:8642#",
        "127.0.0.1:8642?",
        "@127.0.0.1:8642",
        "192.168.0.7:8642",
        "",
    ],
)
def test_any_other_name_is_refused(client: TestClient, host: str) -> None:
    for path in ("/", "/api/about", "/assets/x.js"):
        response = client.get(path, headers={"host": host})
        assert (response.status_code, error_of(response)["kind"]) == (403, "forbidden")


def test_further_names_can_be_allowed() -> None:
    hosts = Hosts(Settings(allowed_hosts=("games.example.org", "localhost:5173")))
    assert hosts.allow("games.example.org")
    assert hosts.allow("Games.example.org:443")
    assert hosts.allow("localhost:5173")
    assert not hosts.allow("localhost:5174")
    assert not hosts.allow("example.org")


def test_a_server_on_all_addresses_is_called_by_any_address_but_not_by_any_name() -> None:
    hosts = Hosts(Settings(host="0.0.0.0"))
    assert hosts.allow("192.168.0.7:8642")
    assert hosts.allow("[2001:db8::1]:8642")
    assert not hosts.allow("evil.example:8642")
    assert not hosts.allow("192.168.0.7:80")


@pytest.mark.parametrize(
    ("options", "address"),
    [
        ({}, ""),
        ({"host": "localhost"}, ""),
        ({"host": "192.168.0.7", "port": 80}, "http://192.168.0.7:80"),
        ({"host": "2001:db8::7"}, "http://[2001:db8::7]:8642"),
        ({"host": "0.0.0.0"}, "http://10.1.2.3:8642"),
        ({"host": "0.0.0.0", "proxies": ("10.0.0.1",)}, ""),
    ],
)
def test_a_server_knows_where_other_machines_reach_it(
    options: dict[str, Any], address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(settings, "address_of_this_machine", lambda: "10.1.2.3")
    with TestClient(
        create_app(Settings(**options, slots=1), open_store("memory")), base_url="http://127.0.0.1:8642"
    ) as client:
        host = f"127.0.0.1:{options.get('port', 8642)}"
        assert client.get("/api/about", headers={"host": host}).json()["address"] == address


def test_the_address_of_this_machine_is_one_of_its_own() -> None:
    if found := settings.address_of_this_machine():
        with socket.create_server((found, 0), family=socket.AF_INET6 if ":" in found else socket.AF_INET):
            pass


# Pages of others


def test_what_a_browser_marks_as_from_another_site_is_refused(client: TestClient) -> None:
    foreign = {"sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors"}
    assert client.get("/api/games", headers=foreign).status_code == 403
    assert client.get("/assets/x.js", headers=foreign).status_code == 403
    assert client.post("/api/games", headers=foreign | {"sec-fetch-mode": "navigate"}, json={}).status_code == 403
    link = {"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate"}
    assert client.get("/library", headers=link).status_code == 200
    for site in ("same-origin", "none"):
        assert client.get("/api/games", headers={"sec-fetch-site": site}).status_code == 200


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", "http://127.0.0.1:9999", "https://evil.example:8642", "file://"]
)
def test_a_page_of_another_site_is_refused(client: TestClient, origin: str) -> None:
    game = new_game(client)
    response = client.post(f"{game.path}/moves", json={"version": 0, "move": "4"}, headers={"origin": origin})
    assert (response.status_code, error_of(response)["kind"]) == (403, "forbidden")
    assert game.look()["moves"] == []
    with (
        pytest.raises(WebSocketDisconnect),
        client.websocket_connect(f"ws://127.0.0.1:8642{game.path}/events", headers={"origin": origin}),
    ):
        pass


def test_our_own_page_is_let_in(client: TestClient) -> None:
    game = new_game(client)
    own = {"origin": "http://127.0.0.1:8642"}
    assert client.post(f"{game.path}/moves", json={"version": 0, "move": "4"}, headers=own).status_code == 200
    with client.websocket_connect(f"ws://127.0.0.1:8642{game.path}/events", headers=own) as socket:
        assert socket.receive_json()["kind"] == "state"


def test_a_socket_under_another_name_is_refused(client: TestClient) -> None:
    game = new_game(client)
    with pytest.raises(WebSocketDisconnect), client.websocket_connect(f"ws://evil.example:8642{game.path}/events"):
        pass


@pytest.mark.parametrize("path", ["/", "/api/about", "/api/nothing", "/assets/nothing.js"])
def test_every_answer_carries_the_security_headers(client: TestClient, path: str) -> None:
    headers = client.get(path).headers
    policy = dict(part.strip().partition(" ")[::2] for part in headers["content-security-policy"].split(";"))
    assert policy["default-src"] == "'none'"
    assert policy["script-src"] == policy["style-src"] == policy["connect-src"] == "'self'"
    assert policy["frame-ancestors"] == policy["base-uri"] == "'none'"
    assert "unsafe" not in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert "server" not in headers


def test_no_answer_invites_other_sites(client: TestClient) -> None:
    preflight = client.options(
        "/api/games", headers={"origin": "http://127.0.0.1:8642", "access-control-request-method": "POST"}
    )
    assert preflight.status_code == 405
    assert not [name for name in preflight.headers if name.startswith("access-control")]


# The pages


@pytest.fixture
def static(tmp_path: Path) -> Path:
    (tmp_path / "assets").mkdir()
    (tmp_path / "index.html").write_text("<title>the page</title>")
    (tmp_path / "theme.js").write_text("1")
    (tmp_path / "assets" / "index-abc.js").write_text("2" * 2000)
    (tmp_path / "secret.txt").write_text("3")
    return tmp_path


def test_every_page_is_the_one_page(static: Path) -> None:
    with app_client(replace(MEMORY, static=static)) as client:
        for path in ("/", "/play/connect4", "/game/abcdefgh", "/settings"):
            response = client.get(path)
            assert (response.status_code, response.text) == (200, "<title>the page</title>")
            assert response.headers["cache-control"] == "no-cache"
        assert client.head("/").status_code == 200


def test_files_with_a_hash_are_kept_for_ever(static: Path) -> None:
    with app_client(replace(MEMORY, static=static)) as client:
        response = client.get("/assets/index-abc.js")
        assert "immutable" in response.headers["cache-control"]
        assert response.headers["content-encoding"] == "gzip"
        assert client.get("/theme.js").headers["cache-control"] == "no-cache"


def test_nothing_else_of_the_folder_is_served(static: Path) -> None:
    with app_client(replace(MEMORY, static=static)) as client:
        for path in ("/secret.txt", "/assets/../secret.txt", "/assets/%2e%2e/secret.txt", "/index.html"):
            assert client.get(path).status_code == 404


def test_people_who_get_lost_see_the_page(static: Path) -> None:
    with app_client(replace(MEMORY, static=static)) as client:
        response = client.get("/nowhere", headers={"accept": "text/html"})
        assert (response.status_code, response.text) == (404, "<title>the page</title>")
        assert error_of(client.get("/api/nowhere", headers={"accept": "text/html"}))["kind"] == "not-found"


def test_without_built_pages_it_says_how_to_build_them(tmp_path: Path) -> None:
    with app_client(replace(MEMORY, static=tmp_path / "nothing")) as client:
        response = client.get("/")
        assert response.status_code == 200
        assert "make build" in response.text
        assert error_of(client.get("/theme.js"))["kind"] == "not-found"


# How much


def test_a_server_that_others_can_reach_has_limits() -> None:
    assert Settings().bounds is ALONE
    assert Settings(host="localhost").bounds is ALONE
    assert Settings(host="::1").bounds is ALONE
    for host in ("0.0.0.0", "::", "192.168.0.7", "games.example.org"):
        assert Settings(host=host).bounds is EXPOSED
        assert not is_loopback(host)


def test_a_server_behind_a_proxy_has_the_same_limits_but_for_connections() -> None:
    settings = Settings(proxies=("127.0.0.1",))
    assert settings.is_exposed
    assert settings.bounds == replace(EXPOSED, connections_per_client=None)


def test_too_many_requests_are_put_off() -> None:
    limits = replace(ALONE, requests=Rate(3, 0.001))
    with app_client(replace(MEMORY, limits=limits)) as client:
        assert [client.get("/api/about").status_code for _ in range(4)] == [200, 200, 200, 429]
        response = client.get("/api/about")
        assert error_of(response)["kind"] == "rate"
        assert response.headers["retry-after"]


def test_too_many_new_games_are_put_off() -> None:
    limits = replace(ALONE, new_games=Rate(2, 0.001))
    with app_client(replace(MEMORY, limits=limits)) as client:
        game = new_game(client)
        game.do("resign")
        assert game.post("rematch").status_code == 201
        assert game.post("rematch").status_code == 429
        assert client.get("/api/about").status_code == 200


def test_a_bucket_fills_again() -> None:
    bucket = Bucket(Rate(1, 1e9))
    assert all(bucket.take() for _ in range(10))


def test_games_that_nobody_looks_at_make_place_for_others() -> None:
    with app_client(replace(MEMORY, limits=replace(ALONE, live_games=2))) as client:
        games = [new_game(client) for _ in range(5)]
        for game in games:
            assert len(game.play("4")["moves"]) == 1


def test_a_server_with_too_many_open_games_says_so() -> None:
    with app_client(replace(MEMORY, limits=replace(ALONE, live_games=1))) as client:
        game = new_game(client)
        with game.watch() as socket:
            socket.receive_json()
            response = client.post("/api/games", json={"game": "connect4", "seats": ["human", "human"]})
            assert (response.status_code, error_of(response)["kind"]) == (503, "busy")


def test_a_server_keeps_so_many_games() -> None:
    with app_client(replace(MEMORY, limits=replace(ALONE, saved_games=1))) as client:
        game = new_game(client)
        response = client.post("/api/games", json={"game": "connect4", "seats": ["human", "human"]})
        assert (response.status_code, error_of(response)["kind"]) == (503, "busy")
        client.post("/api/library/delete", json={"ids": [game.view["id"]]})  # deleted games do not count
        new_game(client)


def test_one_client_has_so_many_sockets() -> None:
    with app_client(replace(MEMORY, limits=replace(ALONE, sockets_per_client=1))) as client:
        game = new_game(client)
        with game.watch() as socket:
            assert socket.receive_json()["kind"] == "state"
            with game.watch() as second:
                assert second.receive_json()["error"]["kind"] == "busy"
                assert second.receive()["code"] == 1013
        with game.watch() as socket:
            assert socket.receive_json()["kind"] == "state"


def test_the_thinking_time_is_bounded() -> None:
    with app_client(replace(MEMORY, limits=replace(ALONE, max_time_ms=1_000))) as client:
        game = new_game(client, time_ms=60_000)
        assert game.view["time_ms"] == 1_000
        assert game.do("pace", time_ms=30_000)["time_ms"] == 1_000


def test_clients_of_one_network_count_as_one() -> None:
    assert client_of({"client": ("2001:db8:1:2:3:4:5:6", 1)}) == client_of({"client": ("2001:db8:1:2::9", 1)})
    assert client_of({"client": ("2001:db8::5", 1)}) == client_of({"client": ("2001:db8::6:0:0:9", 1)})
    assert client_of({"client": ("2001:db8:0:1::5", 1)}) != client_of({"client": ("2001:db8::5", 1)})
    assert client_of({"client": ("fe80::1%eth0", 1)}) == client_of({"client": ("fe80::2%eth0", 1)})
    assert client_of({"client": ("::ffff:192.0.2.1", 1)}) == client_of({"client": ("192.0.2.1", 1)})
    assert client_of({"client": ("::nonsense", 1)}) == "::nonsense"
    assert client_of({"client": ("192.0.2.1", 1)}) != client_of({"client": ("192.0.2.2", 1)})
    assert client_of({}) == ""
