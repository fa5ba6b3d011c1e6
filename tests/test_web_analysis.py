"""Positions judged over HTTP: proof and guess, bit by bit, bounded, and nobody else is kept waiting."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import pytest
from fastapi.testclient import TestClient

from outplay import connect4
from outplay.web.analyse import analyses
from tests.support.web_server import SECONDS, Json, app_client, error_of, new_game

POSITIONS = ("", "4", "4453", "44444226", "445312", "1212123434", "4444413555533341", "7717", "353535", "112233")


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    with app_client() as client:
        yield client


def begun(client: TestClient, game: str = "connect4", **request: Any) -> Json:
    response = client.post("/api/analyses", json={"game": game, **request})
    assert response.status_code == 201, response.text
    view: Json = response.json()
    return view


def over(client: TestClient, view: Json) -> Json:
    """The analysis when it has ended."""
    until = time.monotonic() + 4 * SECONDS
    while view["status"] in ("waiting", "running"):
        assert time.monotonic() < until
        time.sleep(0.02)
        view = client.get(f"/api/analyses/{view['id']}").json()
    return view


@pytest.mark.parametrize("position", POSITIONS)
def test_the_columns_have_the_scores_of_the_solver(client: TestClient, position: str) -> None:
    view = over(client, begun(client, position=position))
    assert (view["status"], view["message"]) == ("done", "")
    at = connect4.Position.from_moves(position)
    found = {line["move"]: line for line in view["lines"]}
    solver = connect4.Solver(table_mib=4)
    for column, score in enumerate(solver.scores(at)):
        if score is None:
            assert at.format(column) not in found
            continue
        line = found[at.format(column)]
        ends_in = (connect4.plies_to_end(at, score) + 1) // 2
        sign = "win" if score > 0 else "loss" if score < 0 else "draw"
        word = {"win": f"+ win in {ends_in}", "draw": "= draw", "loss": f"- loss in {ends_in}"}[sign]
        assert (line["label"], line["verdict"]) == (word, sign)
        assert line["known_by"] in ("solved", "book")
        assert line["moves"][0] == line["move"]
    assert view["label"] == view["lines"][0]["label"]
    assert view["known"] in ("solved", "from the opening book")


def test_the_headline_says_who_wins_and_which_columns_do(client: TestClient) -> None:
    view = over(client, begun(client, position="4453"))
    assert view["sentence"] == "Yellow wins in 18"
    assert view["detail"] == "Every column loses."
    assert view["gauge"] < 0
    assert view["opening"] == "Centre opening"
    assert [move["text"] for move in view["legal"]] == list("1234567")
    view = over(client, begun(client))
    assert view["detail"] == "Only column 4 wins. Columns 3 and 5 draw, the others lose."


def test_a_board_that_is_too_large_is_not_solved_and_says_so(client: TestClient) -> None:
    view = over(client, begun(client, width=10, height=10, time_ms=300))
    assert view["sentence"] == "Not solved in time"
    assert {line["label"] for line in view["lines"]} == {"not solved"}
    assert (view["verdict"], view["known_by"], view["known"]) == ("unclear", "search", "not solved")
    assert view["gauge"] == 0


def test_checkers_has_lines_a_depth_and_an_opening(client: TestClient) -> None:
    view = over(client, begun(client, "checkers", moves=["11-15", "23-19", "8-11"], lines=4, time_ms=400))
    assert len(view["lines"]) == 4
    assert (view["opening"], view["known_by"], view["table"]) == ("Old Faithful", "search", None)
    assert view["known"].startswith("depth ")
    assert view["sentence"] == f"Estimated {view['label']} for White"
    assert -1 < view["gauge"] < 1
    assert view["nodes"] > 0


def test_an_ending_is_known_from_the_tables(client: TestClient) -> None:
    view = over(client, begun(client, "checkers", position="B:WK18:BK4,K10", lines=5, time_ms=300))
    assert not view["must_capture"]
    assert view["table"] == {"verdict": "win", "ends_in": 13, "sentence": "Black wins in 13, from the endgame tables."}
    assert view["known_by"] == "table"
    assert {line["known_by"] for line in view["lines"]} == {"table"}


def test_a_draw_of_the_tables_is_no_estimate(client: TestClient) -> None:
    view = over(client, begun(client, "checkers", position="B:WK32:BK1", lines=2, time_ms=200))
    assert view["table"]["verdict"] == "draw"
    assert (view["label"], view["known_by"]) == ("= draw", "table")


def test_a_compulsory_capture_is_told(client: TestClient) -> None:
    view = over(client, begun(client, "checkers", position="B:W18,32:B14,5", time_ms=100))
    assert view["must_capture"]
    assert [move["text"] for move in view["legal"]] == ["14x23"]


def test_where_the_game_is_over_there_is_nothing_to_judge(client: TestClient) -> None:
    view = begun(client, position="1212121")
    assert (view["is_over"], view["status"], view["lines"], view["legal"]) == (True, "done", [], [])
    assert view["sentence"].startswith("Red wins: four in a row")
    assert view["gauge"] == 1


@pytest.mark.parametrize(
    ("request_", "kind"),
    [
        ({"game": "chess"}, "invalid"),
        ({"lines": 6}, "invalid"),
        ({"time_ms": 10}, "invalid"),
        ({"time_ms": 10**9}, "invalid"),
        ({"position": "8"}, "illegal-position"),
        ({"moves": ["9"]}, "illegal-move"),
        ({"game": "checkers", "position": "W:W1"}, "notation"),
        ({"game": "checkers", "moves": ["11-15", "11-16"]}, "illegal-move"),
    ],
)
def test_what_cannot_be_judged_is_refused(client: TestClient, request_: Json, kind: str) -> None:
    assert error_of(client.post("/api/analyses", json={"game": "connect4", **request_}))["kind"] == kind
    assert error_of(client.get("/api/analyses/abcdef"))["kind"] == "unknown-run"


def test_an_analysis_is_stopped_and_keeps_what_it_has(client: TestClient) -> None:
    view = begun(client, "checkers", time_ms=60_000)
    until = time.monotonic() + SECONDS
    while view["depth"] == 0:
        assert time.monotonic() < until
        time.sleep(0.02)
        view = client.get(f"/api/analyses/{view['id']}").json()
    client.post(f"/api/analyses/{view['id']}/stop", json={})
    view = over(client, view)
    assert (view["status"], view["message"]) == ("stopped", "Stopped.")
    assert view["lines"]


def test_the_oldest_analysis_of_a_visitor_gives_way_to_the_next(client: TestClient) -> None:
    views = [begun(client, "checkers", time_ms=60_000) for _ in range(analyses.MOST_OF_ONE + 2)]
    assert over(client, views[0])["status"] == "stopped"
    assert over(client, views[1])["status"] == "stopped"
    for view in reversed(views[2:]):
        client.post(f"/api/analyses/{view['id']}/stop", json={})
    assert {over(client, view)["status"] for view in views} == {"stopped"}


def test_what_nobody_asks_about_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analyses, "UNASKED_SECONDS", 0.2)
    monkeypatch.setattr("outplay.web.app.UNASKED_SECONDS", 0.2)
    with app_client() as client:
        view = begun(client, "checkers", time_ms=60_000)
        time.sleep(1)
        until = time.monotonic() + SECONDS
        while view["status"] in ("waiting", "running"):
            assert time.monotonic() < until
            time.sleep(0.5)  # longer than it may go unasked
            view = client.get(f"/api/analyses/{view['id']}").json()
        assert view["status"] == "stopped"


def test_games_and_columns_do_not_wait_for_an_analysis(client: TestClient) -> None:
    busy = begun(client, "checkers", time_ms=60_000)
    assert over(client, begun(client, position="4453"))["status"] == "done"
    game = new_game(client, seats=["human", "level:1"], time_ms=0)
    game.play("4")
    until = time.monotonic() + SECONDS
    while len(game.look()["moves"]) < 2:
        assert time.monotonic() < until
        time.sleep(0.02)
    assert client.get(f"/api/analyses/{busy['id']}").json()["status"] in ("waiting", "running")
    client.post(f"/api/analyses/{busy['id']}/stop", json={})
    over(client, busy)


def test_the_page_is_there(client: TestClient) -> None:
    assert client.get("/analyse").status_code == 200
