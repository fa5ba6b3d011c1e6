"""The documents of the API say what the server does: the table in `wire`, the OpenAPI document, and docs/api.md."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, get_args

import pytest

from outplay.web import wire
from outplay.web.app import create_app
from tests.support.web_server import Game, app_client, error_of, new_game, until
from tools import api_docs

DOCUMENT = create_app().openapi()


def table() -> list[tuple[str, str, str | None, str, str]]:
    """The rows of the table at the top of `wire`: method, path, request, status, answer."""
    rows = []
    for line in (wire.__doc__ or "").splitlines():
        if match := re.match(r"(GET|POST) +(/\S*?)(?:\?\S*)? +(?:([A-Z]\w+) +)?(?:(201) )?([A-Z]\w+)(?: |$)", line):
            rows.append((match[1], f"/api{match[2]}", match[3], match[4] or "200", match[5]))
    return rows


def name_of(schema: dict[str, Any]) -> str:
    return str(schema["$ref"]).rpartition("/")[2]


def test_the_server_has_exactly_the_endpoints_of_the_table() -> None:
    found = []
    for path, method, what in api_docs.operations(DOCUMENT):
        body = what.get("requestBody")
        request = None if body is None else name_of(body["content"]["application/json"]["schema"])
        status = next(code for code in what["responses"] if code != "default")
        answer = name_of(what["responses"][status]["content"]["application/json"]["schema"])
        found.append((method, path, request, status, answer))
    assert sorted(found, key=str) == sorted(table(), key=str)
    assert len(found) >= 18


def test_every_request_may_fail_in_the_one_shape() -> None:
    for _, _, what in api_docs.operations(DOCUMENT):
        assert name_of(what["responses"]["default"]["content"]["application/json"]["schema"]) == "ErrorBody"
        assert "422" not in what["responses"]


def test_the_document_has_the_types_of_the_socket() -> None:
    schemas = DOCUMENT["components"]["schemas"]
    assert {"Event", "ClientMessage", "StateEvent", "ThinkingEvent", "PingMessage"} <= set(schemas)
    references = set(re.findall(r'"#/components/schemas/(\w+)"', json.dumps(DOCUMENT)))
    assert references <= set(schemas)


def test_the_page_about_the_api_is_fresh() -> None:
    assert api_docs.PAGE.read_text(encoding="utf-8") == api_docs.page(), "run python -m tools.api_docs"


def test_the_page_about_the_api_explains_every_error() -> None:
    page = api_docs.PAGE.read_text(encoding="utf-8")
    for kind in get_args(wire.ErrorView.model_fields["kind"].annotation):
        assert f"`{kind}`" in page.partition("## Events")[0], kind


def test_the_examples_of_the_page_work() -> None:
    with app_client() as client:
        assert client.post("/api/positions", json=api_docs.EXAMPLES["POST /api/positions"]).json()["position"]
        request = api_docs.EXAMPLES["POST /api/games"]
        game = new_game(client, request["game"], request["seats"])
        for name, body in api_docs.EXAMPLES.items():
            if "/games/{id}/" not in name:
                continue
            command = name.partition("{id}/")[2]
            response = game.client.post(f"{game.path}/{command}", json=body)
            if command in ("move-now", "stop", "retry", "draw", "study/promote"):  # not in this state of this game
                assert response.status_code == 200 or error_of(response)["kind"] in ("not-now", "game-over")
            else:
                assert response.status_code in (200, 201), f"{name}: {response.text}"
            if command in ("moves", "step"):
                wait_for(game, {"moves": 2, "step": 6}[command])


def test_the_other_examples_work() -> None:
    with app_client() as client:

        def posted(path: str, **filled: Any) -> Any:
            body = api_docs.EXAMPLES[f"POST {path}"] | filled
            response = client.post(path.replace("{id}", run), json=body)
            assert response.status_code in (200, 201), f"{path}: {response.text}"
            return response.json()

        run = ""
        ids = posted("/api/library/import")["ids"]
        assert posted("/api/library/delete", ids=ids)["ids"] == ids
        assert posted("/api/library/restore", ids=ids)["ids"] == ids
        run = posted("/api/lab/runs")["id"]
        assert posted("/api/lab/runs/{id}/stop")["id"] == run
        run = posted("/api/analyses")["id"]
        assert posted("/api/analyses/{id}/stop")["id"] == run
        assert posted("/api/studies")["is_study"]
        run = posted("/api/puzzles/own")["id"]
        assert posted("/api/puzzles/own/{id}/stop")["id"] == run
        assert posted("/api/me/visit")["name"] == ""
        assert posted("/api/me/name")["name"] == "Mia"
        code = posted("/api/me/copy")["code"]
        assert posted("/api/me/enter", code=code) == posted("/api/me/forget") == {}


def wait_for(game: Game, version: int) -> None:
    """Until the engine has moved."""
    with game.watch() as socket:
        until(socket.receive_json, lambda event: event["kind"] == "state" and event["game"]["version"] >= version)


def test_there_is_an_example_for_every_command() -> None:
    commands = {f"{method} {path}" for path, method, _ in api_docs.operations(DOCUMENT) if method == "POST"}
    assert set(api_docs.EXAMPLES) == commands


@pytest.mark.skipif(
    not (Path(__file__).parent.parent / "frontend" / "src" / "wire.d.ts").exists(), reason="there is no front end here"
)
def test_the_types_of_the_front_end_know_every_field() -> None:
    types = (Path(__file__).parent.parent / "frontend" / "src" / "wire.d.ts").read_text(encoding="utf-8")
    for name, schema in DOCUMENT["components"]["schemas"].items():
        assert re.search(rf"\b{name}\b", types), f"{name}: generate the front end's types again"
        for field in schema.get("properties", {}):
            assert re.search(rf"\b{field}\??:", types), f"{name}.{field}: generate the front end's types again"
