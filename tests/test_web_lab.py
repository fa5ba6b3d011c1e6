"""The lab over HTTP: experiments are bounded, can be stopped, and tell what happened in words."""

from __future__ import annotations

import itertools
import time
from collections.abc import Iterator
from typing import Any

import pytest
from fastapi.testclient import TestClient

from outplay.lab import compare
from outplay.lab.compare import ladder, rungs
from outplay.lab.evaluate import EVALUATIONS, find_evaluation
from outplay.lab.task import TIME_MS
from outplay.rules import RULES
from outplay.web.lab.routes import KEPT_RUNS, MOST_OF_ONE
from outplay.web.lab.words import info
from tests.support.web_server import SECONDS, Json, app_client, error_of, new_game

POSITION = "44444226"


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    with app_client() as client:
        yield client


def begun(client: TestClient, kind: str = "trace", **request: Any) -> Json:
    body = {"kind": kind, "game": "connect4", "position": POSITION, "depth": 4, **request}
    response = client.post("/api/lab/runs", json=body)
    assert response.status_code == 201, response.text
    run: Json = response.json()
    return run


def over(client: TestClient, run: Json) -> Json:
    """The experiment when it has ended."""
    until = time.monotonic() + SECONDS + TIME_MS / 1000
    while run["status"] in ("waiting", "running"):
        assert time.monotonic() < until
        time.sleep(0.02)
        run = client.get(f"/api/lab/runs/{run['id']}").json()
    return run


def test_the_lab_says_what_can_be_tried(client: TestClient) -> None:
    info = client.get("/api/lab").json()
    for game in info["games"]:
        evaluations = EVALUATIONS[game["game"]]
        assert [one["name"] for one in game["evaluations"]] == list(evaluations)
        for one in game["evaluations"]:
            weights = evaluations[one["name"]].weights
            assert [(weight["what"], weight["value"]) for weight in one["weights"]] == list(weights)
        assert all(term["about"] and term["docs"].startswith("lab/") for term in game["techniques"])
    assert all(term["about"].endswith(".") for term in info["terms"])


@pytest.mark.parametrize(("game", "position"), [("connect4", POSITION), ("checkers", "")])
def test_a_search_is_recorded_whole(client: TestClient, game: str, position: str) -> None:
    run = over(client, begun(client, game=game, position=position, depth=3, techniques=["alphabeta", "ordering"]))
    assert (run["status"], run["message"]) == ("done", "")
    trace = run["trace"]
    visits = trace["visits"]
    assert [visit["id"] for visit in visits] == list(range(len(visits)))
    assert all(visit["parent"] < visit["id"] for visit in visits[1:])
    numbers = [visit["number"] for visit in visits if visit["number"] is not None]
    assert len(numbers) + trace["left_out"] == trace["visited"]
    main = [visit["move"] for visit in visits if visit["is_main"]]
    assert main == [None, *trace["line"]]
    assert visits[0]["board"] == trace["position"]["board"]
    assert trace["game"] == game
    assert all(len(visit["board"]) == len(visits[0]["board"]) for visit in visits)
    assert all(visit["sentences"].endswith(".") for visit in visits)


def test_a_cut_is_told_in_words(client: TestClient) -> None:
    trace = over(client, begun(client, techniques=["alphabeta", "ordering"]))["trace"]
    cut = next(visit for visit in trace["visits"] if visit["kind"] == "cut" and visit["ply"] == 1)
    assert cut["label"].startswith("≤")
    assert cut["reason"].startswith("cut: ")
    assert " ≤ alpha " in cut["reason"]
    assert "never looked at" in cut["reason"]
    assert cut["sentences"].startswith("Red already has column ")
    assert "cannot be better for Red" in cut["sentences"]


def test_the_ladder_is_that_of_the_lab(client: TestClient) -> None:
    run = over(client, begun(client, "ladder"))
    position = RULES["connect4"].read(POSITION)
    rows = list(ladder(position, 4, find_evaluation(None, "connect4").score))
    rungs = run["ladder"]["rungs"]
    assert [(rung["nodes"], rung["move"]) for rung in rungs] == [(row.nodes, row.move) for row in rows]
    assert rungs[0]["title"] == "Minimax"
    assert all(rung["is_finished"] for rung in rungs)
    assert run["ladder"]["agreement"].startswith("All find ")
    assert "times fewer" in rungs[-1]["fewer"]


def test_the_techniques_in_use_come_first_on_the_ladder(client: TestClient) -> None:
    rungs = over(client, begun(client, "ladder", techniques=["alphabeta", "ordering"], depth=3))["ladder"]["rungs"]
    assert rungs[2]["techniques"] == ["alphabeta", "ordering"]
    assert {name for rung in rungs for name in rung["techniques"]} == {
        "alphabeta",
        "ordering",
        "table",
        "deepening",
        "killers",
    }


def test_weights_change_what_is_found(client: TestClient) -> None:
    usual = over(client, begun(client, depth=1))["trace"]
    weights = [100, 5, 2, -4, 0, 1000]  # the centre above all
    other = over(client, begun(client, depth=1, evaluation="classic", weights=weights))["trace"]
    assert usual["label"] != other["label"]
    same = [int(value) for _, value in EVALUATIONS["connect4"]["classic"].weights]
    assert over(client, begun(client, depth=1, weights=same))["trace"]["label"] == usual["label"]


@pytest.mark.parametrize(
    ("request_", "kind"),
    [
        ({"depth": 0}, "invalid"),
        ({"depth": 13}, "invalid"),
        ({"techniques": ["magic"]}, "invalid"),
        ({"evaluation": "nothing"}, "notation"),
        ({"evaluation": "evil.py:run"}, "notation"),  # no file is loaded for a page
        ({"evaluation": "formation"}, "notation"),  # of the other game
        ({"weights": [1, 2]}, "notation"),
        ({"weights": [10**12] * 6}, "invalid"),
        ({"order": "captures"}, "notation"),
        ({"position": "8"}, "illegal-position"),
        ({"position": "1212121"}, "game-over"),
        ({"kind": "dream"}, "invalid"),
    ],
)
def test_what_cannot_be_tried_is_refused(client: TestClient, request_: Json, kind: str) -> None:
    body = {"kind": "trace", "game": "connect4", "position": POSITION, "depth": 4, **request_}
    assert error_of(client.post("/api/lab/runs", json=body))["kind"] == kind


def test_an_experiment_is_stopped_and_keeps_what_it_has(client: TestClient) -> None:
    run = begun(client, "ladder", position="", depth=12)
    while run["status"] == "waiting" or run["nodes"] == 0:
        time.sleep(0.02)
        run = client.get(f"/api/lab/runs/{run['id']}").json()
    client.post(f"/api/lab/runs/{run['id']}/stop", json={})
    run = over(client, run)
    assert (run["status"], run["message"]) == ("stopped", "Stopped.")
    assert run["ladder"]["rungs"] == []  # minimax had not come to an end


def test_a_search_that_takes_too_long_ends_by_itself(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("outplay.web.lab.routes.TIME_MS", 300)
    run = over(client, begun(client, position="", depth=12))
    assert run["status"] == "stopped"
    assert run["trace"]["label"] == ""
    assert any(visit["kind"] == "unfinished" for visit in run["trace"]["visits"])


def test_games_go_on_while_the_lab_is_busy(client: TestClient) -> None:
    run = begun(client, "ladder", position="", depth=12)
    game = new_game(client, seats=["human", "level:1"], time_ms=0)
    game.play("4")
    until = time.monotonic() + SECONDS
    while len(game.look()["moves"]) < 2:
        assert time.monotonic() < until
        time.sleep(0.02)
    assert client.get(f"/api/lab/runs/{run['id']}").json()["status"] in ("waiting", "running")
    client.post(f"/api/lab/runs/{run['id']}/stop", json={})
    over(client, run)


def test_one_visitor_cannot_fill_the_lab(client: TestClient) -> None:
    runs = [begun(client, "ladder", position="", depth=12) for _ in range(MOST_OF_ONE)]
    body = {"kind": "trace", "game": "connect4", "depth": 1}
    assert error_of(client.post("/api/lab/runs", json=body))["kind"] == "rate"
    for run in reversed(runs):  # those that wait first
        client.post(f"/api/lab/runs/{run['id']}/stop", json={})
    assert {over(client, run)["status"] for run in runs} == {"stopped"}
    assert over(client, begun(client, depth=1))["status"] == "done"


def test_an_experiment_of_long_ago_is_gone(client: TestClient) -> None:
    assert error_of(client.get("/api/lab/runs/abcdef"))["kind"] == "unknown-run"
    first = over(client, begun(client, depth=1))
    for _ in range(KEPT_RUNS):
        over(client, begun(client, depth=1))
    assert error_of(client.get(f"/api/lab/runs/{first['id']}"))["kind"] == "unknown-run"


@pytest.mark.parametrize("game", ["connect4", "checkers"])
def test_on_the_first_example_every_technique_of_the_ladder_saves_positions(game: str) -> None:
    """The example that the page opens with must not show a technique that makes things worse."""
    offer = next(one for one in info().games if one.game == game)
    position = RULES[game].read(offer.examples[0])
    used = offer.presets[1].techniques
    rest = [name for name in rungs(position) if name not in used]
    rows = list(ladder(position, 4, find_evaluation(None, game), techniques=[*used, *rest]))
    counts = [row.nodes for row in rows]
    assert len(counts) >= 4
    assert counts == sorted(counts, reverse=True)
    assert len(set(counts)) == len(counts)


def test_the_time_of_a_rung_is_processor_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """A rung that was kept waiting is not slower: only the processor's clock counts, and the best of several runs."""
    seconds = itertools.count()
    monkeypatch.setattr(time, "thread_time", lambda: next(seconds) * 0.01)
    rows = list(ladder(RULES["connect4"].start(), 2, find_evaluation(None, "connect4"), techniques=["alphabeta"]))
    assert [round(row.seconds, 6) for row in rows] == [0.01, 0.01]
    assert next(seconds) == 2 * 2 * compare.RUNS
