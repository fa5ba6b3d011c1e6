"""Games with engines in their seats, over HTTP: replies, pace, pause, retry."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from fastapi.testclient import TestClient

from tests.support.web_server import app_client, is_state, new_game, until


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    with app_client() as client:
        yield client


def test_an_engine_replies_on_the_socket(client: TestClient) -> None:
    game = new_game(client, seats=["human", "level:2"], seed=1)
    with game.watch() as socket:
        assert socket.receive_json()["game"] == game.view
        view = game.play("4")
        assert view["status"] == "thinking"
        assert view["sentence"] == "Red, column 4. Blocker is thinking."
        reply = until(socket.receive_json, is_state(status="human"))["game"]
    assert len(reply["moves"]) == 2
    assert reply["version"] == 2
    [opinion] = reply["opinions"]
    assert opinion["player"] == "level:2"
    assert opinion["played"] == reply["moves"][1]["text"]
    assert len(opinion["lines"]) == 7


def test_what_an_engine_thinks_is_told_at_most_four_times_a_second(client: TestClient) -> None:
    game = new_game(client, seats=["human", "lab:five-phase"], time_ms=1500)
    with game.watch() as socket:
        game.play("4")
        events = [socket.receive_json()]
        while not is_state(status="human", version=2)(events[-1]):
            events.append(socket.receive_json())
    thoughts = [event for event in events if event["kind"] == "thinking"]
    assert 1 <= len(thoughts) <= 9
    assert thoughts[-1]["opinion"]["nodes"] > 100
    assert thoughts[-1]["opinion"]["played"] is None


def test_move_now_ends_the_thinking(client: TestClient) -> None:
    game = new_game(client, seats=["human", "lab:five-phase"], time_ms=60_000)
    with game.watch() as socket:
        game.play("4")
        until(socket.receive_json, lambda event: event["kind"] == "thinking" and event["opinion"]["depth"] > 0)
        assert game.do("move-now")["version"] == 1
        reply = until(socket.receive_json, is_state(status="human"))["game"]
    assert len(reply["moves"]) == 2


def test_stop_ends_the_thinking_without_a_move_and_step_takes_it_up(client: TestClient) -> None:
    game = new_game(client, seats=["human", "lab:five-phase"], time_ms=60_000)
    game.play("4")
    view = game.do("stop")
    assert (view["status"], view["paused"], len(view["moves"])) == ("paused", True, 1)
    game.do("pace", time_ms=50)
    with game.watch() as socket:
        game.do("step")
        reply = until(socket.receive_json, is_state(status="human"))["game"]
    assert len(reply["moves"]) == 2
    assert reply["paused"]


def test_engines_play_each_other_and_the_slider_sets_their_pace(client: TestClient) -> None:
    game = new_game(client, seats=["random", "random"], time_ms=60_000)
    assert game.view["status"] == "thinking"
    with game.watch() as socket:
        assert socket.receive_json()["game"]["moves"] == []
        assert game.do("pace", time_ms=0)["time_ms"] == 0
        game.do("pace", paused=True)
        game.do("pace", paused=False)
        over = until(socket.receive_json, is_state(status="over"))["game"]
    assert len(over["moves"]) >= 7


def test_a_seat_changes_hands_at_any_time(client: TestClient) -> None:
    game = new_game(client, seats=["human", "lab:five-phase"], time_ms=60_000)
    game.play("4")
    view = game.do("seats", second="human")
    assert view["status"] == "human"
    assert [seat["title"] for seat in view["seats"]] == ["Red", "Yellow"]
    game.play("4")
    assert game.do("seats", first="lab:five-phase")["status"] == "thinking"
    game.do("stop")


def test_it_is_not_the_humans_turn_while_an_engine_thinks(client: TestClient) -> None:
    game = new_game(client, seats=["human", "lab:five-phase"], time_ms=60_000)
    game.play("4")
    error = game.error("moves", move="5")
    assert (error["kind"], error["message"]) == ("not-now", "It is Yellow's turn, and Five-phase plays that side.")
    assert game.do("takeback")["status"] == "human"


def test_a_game_with_a_seed_is_played_again_the_same(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("outplay.live.game.LEAST_TIME_MS", 10_000)  # a busy machine must not cut a search short
    games = []
    for _ in range(2):
        game = new_game(client, seats=["level:1", "random"], time_ms=0, seed=7)
        with game.watch() as socket:
            over = until(socket.receive_json, is_state(status="over"))["game"]
        games.append([move["text"] for move in over["moves"]])
    assert games[0] == games[1]


def test_a_clock_runs_for_the_side_to_move(client: TestClient) -> None:
    game = new_game(client, clock={"base_ms": 60_000, "increment_ms": 2_000})
    assert game.view["clock"]["running"] == 0
    clock = game.play("4")["clock"]
    assert clock["running"] == 1
    assert 60_000 < clock["left_ms"][0] <= 62_000
    assert game.do("pace", paused=True)["clock"]["running"] is None
