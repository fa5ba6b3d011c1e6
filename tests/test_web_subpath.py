"""A server under a sub-path: `outplay serve --root-path /outplay`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from outplay.notation.any import read_anything
from outplay.web.app import create_app
from outplay.web.http.subpath import checked_root_path
from outplay.web.settings import Settings
from tests.support.web_server import Game, ServerProcess, new_game, receive

ROOT = "/outplay"
PAGE = """<html><script src="./theme.js"></script><script type="module" src="./assets/index.js"></script></html>"""


@pytest.fixture
def static(tmp_path: Path) -> Path:
    (tmp_path / "assets").mkdir()
    (tmp_path / "index.html").write_text(PAGE)
    (tmp_path / "theme.js").write_text("// theme")
    (tmp_path / "assets" / "index.js").write_text("// index")
    return tmp_path


@pytest.fixture(params=[ROOT, ""], ids=["the proxy keeps the path", "the proxy removes the path"])
def client(request: pytest.FixtureRequest, static: Path) -> Iterator[TestClient]:
    """A client as the server sees it behind either kind of proxy."""
    settings = Settings(db="memory", slots=1, static=static, root_path=ROOT)
    with TestClient(create_app(settings), base_url=f"http://127.0.0.1:8642{request.param}") as client:
        yield client


@pytest.mark.parametrize("page", ["/", "/game/abcd1234", "/docs/lab/choosing"])
def test_a_page_names_its_files_under_the_path(client: TestClient, page: str) -> None:
    response = client.get(page, headers={"accept": "text/html"})
    assert response.status_code == 200
    assert re.findall(r'src="([^"]*)"', response.text) == [f"{ROOT}/theme.js", f"{ROOT}/assets/index.js"]
    for file in ("/theme.js", "/assets/index.js"):
        assert client.get(file).text.startswith("//")


def test_a_key_is_for_the_path_only(client: TestClient) -> None:
    assert f"; Path={ROOT};" in client.get("/").headers["set-cookie"]


def test_a_page_that_has_not_changed_is_not_sent_again(client: TestClient) -> None:
    mark = client.get("/").headers["etag"]
    again = client.get("/library", headers={"if-none-match": mark})
    assert (again.status_code, again.text, again.headers["etag"]) == (304, "", mark)
    assert client.get("/", headers={"if-none-match": '"other"'}).status_code == 200


def test_a_game_is_played_under_the_path(client: TestClient) -> None:
    game = new_game(client)
    site = str(client.base_url).replace("http", "ws", 1).rstrip("/")
    with client.websocket_connect(f"{site}{game.path}/events") as events:
        assert events.receive_json()["game"]["version"] == 0
        game.play("4")
        assert events.receive_json()["game"]["version"] == 1


def test_the_document_names_the_path(client: TestClient) -> None:
    document = client.get("/api/openapi.json").json()
    assert document["servers"] == [{"url": ROOT}]
    assert "/api/games" in document["paths"]


def test_health_answers_under_the_path(client: TestClient) -> None:
    assert client.get("/health").json() == {"status": "ok"}


def test_the_limits_of_a_request_are_the_same_under_the_path(client: TestClient) -> None:
    large = {"text": "x" * 100_000}
    assert client.post("/api/library/import", json=large).status_code != 413
    assert client.post("/api/positions", json=large).status_code == 413


def test_an_address_without_its_last_slash_leads_to_the_page(static: Path) -> None:
    settings = Settings(db="memory", slots=1, static=static, root_path=ROOT)
    with TestClient(create_app(settings), base_url="http://127.0.0.1:8642", follow_redirects=False) as client:
        response = client.get(f"{ROOT}?pos=44")
        assert (response.status_code, response.headers["location"]) == (307, f"{ROOT}/?pos=44")
        assert response.headers["x-frame-options"] == "DENY"
        assert client.get(f"{ROOT}er/lab").status_code == 404


@pytest.mark.parametrize(("text", "path"), [("", ""), ("/", ""), ("outplay", ROOT), ("/a/b-c/", "/a/b-c")])
def test_a_path_is_read_with_or_without_its_slashes(text: str, path: str) -> None:
    assert checked_root_path(text) == path


@pytest.mark.parametrize("text", ["a b", "/a//b", "../x", 'a"b', "a?b", "http://school.example/outplay", "é"])
def test_what_is_no_path_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is not a path"):
        checked_root_path(text)


@pytest.mark.parametrize("root", ["", "/outplay", "/games/outplay"])
def test_a_link_is_read_whatever_path_its_server_has(root: str) -> None:
    site = f"https://school.example{root}"
    assert read_anything(f"{site}/game/abcd1234?ply=3").link == "abcd1234"
    assert read_anything(f"{site}/analyse?game=abcd1234").link == "abcd1234"
    assert str(read_anything(f"{site}/play/connect4?pos=4453").form) == "link"
    assert read_anything(f"{site}/lab?game=checkers&pos=11-15").form == "link"


def test_a_real_server_under_a_path(tmp_path: Path) -> None:
    with ServerProcess(tmp_path, "--port", "0", "--root-path", "outplay/") as server:
        assert server.url.endswith(ROOT)
        game: Game = new_game(server.client, seats=["human", "level:1"])
        with server.socket(game) as events:
            game.play("4")
            while (event := receive(events))["kind"] != "state" or event["game"]["version"] < 2:
                pass
        assert server.end() == 0
        assert server.said[server.started :] == []
