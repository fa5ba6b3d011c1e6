"""Reviews and puzzles over HTTP: begun, told as they go, stopped, kept while the moves are the same."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

import httpx2
import pytest
from fastapi.testclient import TestClient

from outplay.review.collect import Collected, CollectTask
from outplay.web.puzzles.view import CollectRun, puzzle_run_view
from tests.support.games import BLUNDERS, THREE_BLUNDERS
from tests.support.web_server import SECONDS, Json, ServerProcess, app_client, error_of, new_game

SHUFFLED = '[GameType "21"]\n[SetUp "1"]\n[FEN "B:W16,K30:BK23,17"]\n1. 17-21 *'
"""A win of the tables that is let go."""


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    with app_client() as client:
        yield client


def imported(client: TestClient, text: str) -> str:
    (game_id,) = client.post("/api/library/import", json={"text": text}).json()["ids"]
    return str(game_id)


def over(client: TestClient | httpx2.Client, path: str) -> Json:
    until = time.monotonic() + 4 * SECONDS
    view: Json = client.get(path).json()
    while view["status"] in ("waiting", "running"):
        assert time.monotonic() < until
        time.sleep(0.05)
        view = client.get(path).json()
    return view


def reviewed(client: TestClient | httpx2.Client, game_id: str, **request: int) -> Json:
    path = f"/api/games/{game_id}/review"
    response = client.post(path, json=request)
    assert response.status_code == 200, response.text
    return over(client, path)


def test_a_review_marks_exactly_the_three_blunders(client: TestClient) -> None:
    game_id = imported(client, THREE_BLUNDERS)
    assert client.get(f"/api/games/{game_id}/review").json()["status"] == "none"
    view = reviewed(client, game_id)
    assert (view["status"], view["done"], view["total"]) == ("done", 43, 43)
    assert [move["ply"] for move in view["moves"] if move["sign"]] == BLUNDERS
    assert [move["ply"] for move in view["moves"] if move["answers"]] == BLUNDERS
    assert [point["ply"] for point in view["graph"]] == list(range(43))
    assert view["graph"][-1] == {"ply": 42, "gauge": 0, "sentence": "A draw: the board is full."}
    assert view["turning_point"]["ply"] == 26
    assert view["sentence"] == view["turning_point"]["sentence"]
    words = {move["grade"]: move["grade_words"] for move in view["moves"]}
    assert (words["best"], words["forced"], words["blunder"]) == ("best move", "only move", "blunder")
    assert [side["blunders"] for side in view["sides"]] == [2, 1]
    assert [side["sentence"] for side in view["sides"]] == ["2 blunders", "1 blunder"]


def test_a_review_says_when_nobody_let_a_result_slip(client: TestClient) -> None:
    game = new_game(client)
    game.play("4", "4")
    path = f"{game.path}/review"
    assert client.get(path).json()["sentence"] == ""
    view = reviewed(client, game.view["id"])
    assert (view["turning_point"], view["sentence"]) == (None, "Neither side gave a result away.")


def test_a_review_is_there_until_the_game_goes_on(client: TestClient) -> None:
    game = new_game(client)
    game.play("4", "4")
    path = f"{game.path}/review"
    first = reviewed(client, game.view["id"])
    assert client.post(path, json={}).json() == first  # not again
    game.play("5")
    assert client.get(path).json()["status"] == "none"
    assert len(reviewed(client, game.view["id"])["moves"]) == 3


def test_a_review_survives_a_killed_server(tmp_path: Path) -> None:
    with ServerProcess(tmp_path) as server:
        game = new_game(server.client)
        game.play("4", "4")
        first = reviewed(server.client, game.view["id"])
        server.kill()
    with ServerProcess(tmp_path) as server:
        assert server.client.get(f"{game.path}/review").json() == first


def test_the_main_line_of_a_study_is_judged(client: TestClient) -> None:
    study = client.post("/api/studies", json={"game": "connect4", "position": "44", "moves": ["3"]}).json()
    assert [move["grade"] for move in reviewed(client, study["id"])["moves"]] == ["best", "best", "blunder"]
    body = {"version": study["version"], "path": ["4", "4", "3"], "moves": ["5"]}
    client.post(f"/api/games/{study['id']}/study/moves", json=body)
    assert client.get(f"/api/games/{study['id']}/review").json()["status"] == "none"


def test_a_checkers_review_says_how_it_knows(client: TestClient) -> None:
    view = reviewed(client, imported(client, SHUFFLED), nodes=20_000)
    (move,) = view["moves"]
    assert (move["grade"], move["before"]["known_by"]) == ("blunder", "table")
    assert move["sentence"].startswith("The tables: from a win in ")
    assert {answer["move"] for answer in move["answers"] if answer["is_good"]} == {"17-22", "23-19"}


def test_a_review_is_stopped(client: TestClient) -> None:
    moves = "11-15 23-19 8-11 22-17 4-8 17-13 15-18 24-20 11-15 28-24"
    game_id = imported(client, moves)
    path = f"/api/games/{game_id}/review"
    client.post(path, json={"nodes": 5_000_000})
    until = time.monotonic() + SECONDS
    while client.get(path).json()["done"] == 0:
        assert time.monotonic() < until
        time.sleep(0.02)
    client.post(f"{path}/stop", json={})
    view = over(client, path)
    assert (view["status"], view["message"]) == ("stopped", "Stopped.")
    assert view["turning_point"] or view["sentence"] == ""
    assert 0 < view["done"] < view["total"]
    again = client.post(path, json={"nodes": 1_000}).json()  # one that was stopped may be begun anew
    assert again["status"] in ("waiting", "running", "done")
    assert over(client, path)["status"] == "done"


def test_the_coach_speaks_to_the_person_who_lost(client: TestClient) -> None:
    game = new_game(client, seats=["human", "random"])
    assert client.post(f"{game.path}/coach", json={}).json()["status"] == "none"  # it goes on
    game.post("resign")
    path = f"{game.path}/coach"
    assert client.get(path).json()["status"] == "none"
    assert client.post(path, json={}).status_code == 200
    view = over(client, path)
    assert (view["status"], view["side"], view["is_mine"]) == ("done", 0, True)
    assert view["sentence"] == "You lost before the first move. You had a win at the end."


def test_the_coach_shows_the_board_before_the_move(client: TestClient) -> None:
    game = new_game(client)
    game.play(*"4435271")
    path = f"{game.path}/coach"
    client.post(path, json={})
    view = over(client, path)
    assert (view["kind"], view["ply"], view["side"], view["known"]) == ("miss", 6, 1, "solved")
    assert (view["title"], view["detail"]) == ("Yellow had a win on move 6", "A win in 18. Yellow played column 7.")
    assert view["position"]["board"].count("1") == 3
    assert view["last"]["text"] == "2"
    assert len(view["legal"]) == 7
    move = client.get(f"{game.path}/review").json()["moves"][5]
    assert move["refutation"]["line"] == ["7", "1"]
    assert move["refutation"]["kind"] == "missed-block"
    assert {"kind": "threat", "cells": [35], "side": 0, "number": None} in move["refutation"]["marks"]


def test_any_other_move_of_a_game_is_refuted_on_the_board(client: TestClient) -> None:
    game = new_game(client, position="414161")
    game.play("1")
    found = client.post(f"{game.path}/review/refute", json={"ply": 1, "move": "7"}).json()
    assert found["line"][0]["move"]["text"] == "7"
    assert "threat" in {mark["kind"] for mark in found["marks"]}
    assert "Yellow makes four" in found["sentence"]
    wrong = client.post(f"{game.path}/review/refute", json={"ply": 1, "move": "9"})
    assert error_of(wrong)["kind"] == "illegal-move"


def test_what_cannot_be_reviewed_is_refused(client: TestClient) -> None:
    assert error_of(client.post("/api/games/nothere/review", json={}))["kind"] == "unknown-game"
    game = new_game(client)
    assert error_of(client.post(f"{game.path}/review", json={"nodes": 0}))["kind"] == "invalid"
    assert client.post(f"{game.path}/review/stop", json={}).json()["status"] == "none"


def test_puzzles_are_made_of_saved_games(client: TestClient) -> None:
    ids = [imported(client, THREE_BLUNDERS), imported(client, SHUFFLED)]
    run = client.post("/api/puzzles/own", json={"ids": ids}).json()
    run = over(client, f"/api/puzzles/own/{run['id']}")
    assert (run["status"], run["done"], run["total"]) == ("done", 2, 2)
    by_source = {source: [puzzle for puzzle in run["puzzles"] if puzzle["source"] == source] for source in ids}
    assert [puzzle["ply"] for puzzle in by_source[ids[0]]] == [ply - 1 for ply in BLUNDERS]
    (ending,) = by_source[ids[1]]
    assert (ending["goal"], ending["known"], ending["played"]) == (
        "Black to move and win.",
        "from the endgame tables",
        "17-21",
    )
    assert {answer["move"] for answer in ending["answers"]} == {move["text"] for move in ending["legal"]}


def test_only_the_mistakes_of_people_make_puzzles(client: TestClient) -> None:
    game = new_game(client, seats=["human", "random"], paused=True)
    run = client.post("/api/puzzles/own", json={"ids": [game.view["id"]]}).json()
    run = over(client, f"/api/puzzles/own/{run['id']}")
    assert (run["status"], run["puzzles"]) == ("done", [])
    assert run["message"].startswith("No puzzles: ")
    assert error_of(client.get("/api/puzzles/own/abcdef"))["kind"] == "unknown-run"


@dataclass
class Search:
    """A search for puzzles that has found none."""

    status: str
    was_stopped_by_hand: bool = False
    found: Collected = field(default_factory=lambda: Collected(done=3))
    id: str = "abcd"
    place: int = 0
    task: CollectTask = field(default_factory=lambda: CollectTask((), 50))

    def message(self) -> str:
        return "Stopped." if self.was_stopped_by_hand else ""


@pytest.mark.parametrize(
    ("search", "message"),
    [
        (Search("running"), ""),
        (Search("done"), "No puzzles: no proved result was given away in these games."),
        (
            Search("stopped"),
            "No puzzles: no proved result was given away in the 3 games searched; there was no time for more.",
        ),
        (Search("stopped", was_stopped_by_hand=True), "Stopped."),
    ],
)
def test_a_search_that_has_found_no_puzzle_says_why(search: Search, message: str) -> None:
    assert puzzle_run_view(cast(CollectRun, search)).message == message
