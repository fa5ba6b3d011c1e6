"""Behind a real nginx, with the files of `deploy/`: pages, moves, WebSockets, files, and who is told from whom."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest

from bench import standby
from tests.support.nginx import HOST, Nginx, nginx
from tests.support.web_server import ServerProcess, error_of, is_state, new_game, receive, slowness, until

pytestmark = pytest.mark.slow

BEHIND = ("--proxy", "127.0.0.1", "--allow-host", HOST)
"""What the service in `deploy/` says, too."""


@pytest.fixture(scope="module", params=["", "/outplay"], ids=["root", "sub-path"])
def front(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Nginx]:
    """An nginx in front of a server, at the root of its host or under a path."""
    root: str = request.param
    folder = tmp_path_factory.mktemp("nginx")
    arguments = ("--root-path", root) if root else ()
    file = "nginx-subpath.conf" if root else "nginx.conf"
    with (
        ServerProcess(folder, "--port", "0", *BEHIND, *arguments) as server,
        nginx(folder / "front", [server.port], file=file, root=root) as front,
    ):
        yield front
        assert server.end() == 0
        assert server.said[server.started :] == []


@pytest.fixture
def client(front: Nginx) -> Iterator[httpx2.Client]:
    with front.client() as client:
        yield client


def test_a_page_comes_with_its_files_and_a_key(front: Nginx, client: httpx2.Client) -> None:
    page = client.get("/")
    assert page.status_code == 200
    assert f'src="{front.root}/theme.js"' in page.text
    assert client.get("/theme.js").status_code == 200
    cookie = page.headers["set-cookie"].split("; ")
    assert {"HttpOnly", "Secure", f"Path={front.root or '/'}"} <= set(cookie)


def test_an_address_without_its_last_slash(front: Nginx) -> None:
    if front.root:
        with front.client() as client:
            answer = client.get(f"https://127.0.0.1:{front.port}{front.root}")
        assert (answer.status_code, answer.headers["location"]) == (307, f"{front.root}/")


def test_a_move_and_its_reply_come_through_the_socket(front: Nginx, client: httpx2.Client) -> None:
    game = new_game(client, seats=["human", "level:1"])
    with front.socket(game) as events:
        assert receive(events)["kind"] == "state"
        game.play("4")
        view = until(lambda: receive(events), is_state(version=2))["game"]
        assert len(view["moves"]) == 2
        events.send('{"kind": "ping"}')
        assert until(lambda: receive(events), lambda event: event["kind"] == "pong")


def test_a_page_of_another_site_gets_no_socket(front: Nginx, client: httpx2.Client) -> None:
    game = new_game(client)
    with front.socket(game, origin=f"https://{HOST}") as events:
        assert receive(events)["kind"] == "state"
    with pytest.raises(Exception, match="403"):
        front.socket(game, origin="https://elsewhere.example")


def test_an_analysis_is_asked_for_until_it_is_there(client: httpx2.Client) -> None:
    answer = client.post("/api/analyses", json={"game": "connect4", "position": "4453"})
    assert answer.status_code == 201, answer.text
    view = answer.json()
    while view["status"] == "running":
        threading.Event().wait(0.2)  # as a page does
        view = client.get(f"/api/analyses/{view['id']}").json()
    assert view["lines"]


def test_files_of_games_come_in_and_go_out_whole(client: httpx2.Client) -> None:
    games = "\n".join(f'[Event "E{number}"]\n[Result "*"]\n\n1. 11-15 22-18 *\n' for number in range(300))
    answer = client.post("/api/library/import", json={"text": games})
    assert answer.status_code == 200, answer.text
    with client.stream("GET", "/api/library/export") as response:
        text = "".join(response.iter_text())
    assert response.status_code == 200
    assert all(f'[Event \\"E{number}\\"]' in text for number in range(300))


def test_a_body_has_the_size_that_the_server_allows(client: httpx2.Client) -> None:
    def sent(path: str, size: int) -> Any:
        return client.post(path, json={"text": "x" * size})

    assert sent("/api/library/import", 3_000_000).status_code == 422  # it arrives, and is read
    assert error_of(sent("/api/positions", 100_000))["kind"] == "too-large"
    for _ in range(10):  # nginx has sent a part of it before the server answers
        assert error_of(sent("/api/positions", 5_000_000))["kind"] == "too-large"
    assert error_of(sent("/api/library/import", 8_500_000))["kind"] == "too-large"
    assert sent("/api/library/import", 10_000_000).status_code == 413  # nginx itself


def test_metrics_are_not_for_the_world_but_health_is(client: httpx2.Client) -> None:
    assert client.get("/metrics").status_code == 403
    assert client.get("/health").json() == {"status": "ok"}


def test_an_unknown_host_is_refused(front: Nginx) -> None:
    with front.client() as client:
        assert client.get("/api/about", headers={"host": "elsewhere.example"}).status_code == 403


# Who is who


@pytest.fixture
def strict(tmp_path: Path) -> Iterator[Nginx]:
    """An nginx in front of a server that allows five requests of one client."""
    (tmp_path / "limits.toml").write_text("[limits]\nrequests = [5, 0.001]\n")
    with (
        ServerProcess(tmp_path, "--port", "0", *BEHIND, "--limits", str(tmp_path / "limits.toml")) as server,
        nginx(tmp_path / "front", [server.port]) as front,
    ):
        yield front


def test_limits_are_for_each_address_and_each_key(strict: Nginx) -> None:
    enough = [200] * 5 + [429]
    with strict.client() as first, strict.client("127.0.0.2") as second:
        assert codes(first, [{}] * 6) == enough
        assert codes(second, [{}] * 6) == enough  # another address
        assert codes(first, [{"cookie": f"outplay_key={'a' * 24}"}] * 6) == enough  # a person at the first
        assert codes(first, [{"cookie": f"outplay_key={'b' * 24}"}] * 6) == enough


def test_nobody_can_pretend_to_call_from_elsewhere(strict: Nginx) -> None:
    with strict.client() as client:
        forged = [{"x-forwarded-for": f"203.0.113.{number}"} for number in range(6)]
        assert codes(client, forged) == [200] * 5 + [429]


def codes(client: httpx2.Client, requests: list[dict[str, str]]) -> list[int]:
    """Send requests with these headers, and drop the key that each answer brings."""
    found = []
    for headers in requests:
        found.append(client.get("/api/about", headers=headers).status_code)
        client.cookies.clear()
    return found


# A second server takes over


def test_fifty_games_go_on_at_the_standby_when_the_first_server_is_killed(tmp_path: Path) -> None:
    found = standby.measure(tmp_path, games=50, every=1.0)
    assert len(found.seconds) == 50
    assert found.lost == []
    most = 10 * slowness()
    assert max(found.seconds) < most, f"the last game stood still for {max(found.seconds):.1f} s, not {most:.0f}"
