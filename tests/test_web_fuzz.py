"""Schemathesis makes up requests from the OpenAPI document: no 500, no hang, every answer as the document says."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from outplay.web.app import create_app
from outplay.web.settings import Settings
from tests.support.web_server import Game, ServerProcess, new_game

CHECKS = [not_a_server_error, content_type_conformance, response_schema_conformance, status_code_conformance]
SECONDS = 300
"""An answer that takes longer is a hang; on a machine with much else to do, an engine may wait for a minute."""
BUSY = (503, "busy")
"""What the server answers, as documented, when it has too much to do: it is no error of the server."""

document = create_app(Settings(db="sqlite://")).openapi()
schema = schemathesis.openapi.from_dict(document)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    folder: Path = tmp_path_factory.mktemp("fuzz")
    with ServerProcess(folder) as server:
        yield server
        assert server.client.get("/api/about").status_code == 200
        assert server.end() == 0
        assert server.said[server.started :] == []


@pytest.fixture(scope="module")
def session() -> Iterator[requests.Session]:
    """One connection for all requests: thousands of new ones would use up the ports of a busy machine."""
    with requests.Session() as session:
        yield session


@pytest.fixture(scope="module")
def games(server: ServerProcess) -> list[Game]:
    """Real games for the made-up requests to hit: of both kinds, going on, thinking, paused, over."""
    games = [
        new_game(server.client),
        new_game(server.client, "checkers"),
        new_game(server.client, "checkers", seats=["human", "level:1"], time_ms=0),
        new_game(server.client, seats=["lab:five-phase", "lab:five-phase"], time_ms=60_000),
        new_game(server.client, seats=["lab:five-phase", "random"], paused=True, clock={"base_ms": 10_000}),
        new_game(server.client, strict=True),
    ]
    games[0].play("4", "4")
    games[-1].do("resign")
    return games


@schema.parametrize()
@settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))
def test_no_request_hurts_the_server(
    case: schemathesis.Case[Any], server: ServerProcess, session: requests.Session, games: list[Game]
) -> None:
    ask(case, server, session, games)


@pytest.mark.slow
@schema.parametrize()
@settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))
def test_no_request_of_many_hurts_the_server(
    case: schemathesis.Case[Any], server: ServerProcess, session: requests.Session, games: list[Game]
) -> None:
    ask(case, server, session, games)


def ask(case: schemathesis.Case[Any], server: ServerProcess, session: requests.Session, games: list[Game]) -> None:
    """Send a request that was made up, mostly to a game that there is and for the version that it has."""
    chance = random.Random(repr(case.body))
    if "id" in case.path_parameters and chance.random() < 0.8:
        game = chance.choice(games)
        case.path_parameters["id"] = game.view["id"]
        if isinstance(case.body, dict) and "version" in case.body and chance.random() < 0.8:
            case.body["version"] = version_of(game)
    assert server.process.poll() is None, "the server has ended"
    response = case.call(base_url=server.url, session=session, timeout=SECONDS)
    is_busy = response.status_code == BUSY[0] and response.json()["error"]["kind"] == BUSY[1]
    checks = [check for check in CHECKS if not is_busy or check is not not_a_server_error]
    case.validate_response(response, checks=checks)


def version_of(game: Game) -> int:
    response = game.client.get(game.path)
    assert response.status_code == 200, response.text
    version: int = response.json()["version"]
    return version
