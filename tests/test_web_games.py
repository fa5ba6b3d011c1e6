"""Whole games over the programming interface of the web app."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from outplay.web.library.wire import GameList
from outplay.web.play import room, wire
from outplay.web.play.games import Games
from outplay.web.settings import ALONE, Settings
from tests.support.web_server import Game, Json, app_client, error_of, is_state, new_game, until

START = "......./......./......./......./......./......."
WON = ["4", "1", "4", "1", "4", "1", "4"]


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    with app_client() as client:
        yield client


# New games


def test_a_new_game_is_ready_to_be_played(client: TestClient) -> None:
    view = new_game(client, seats=["human", "level:2"]).view
    assert view["status"] == "human"
    assert view["sentence"] == "Your move."
    assert [seat["title"] for seat in view["seats"]] == ["You", "Blocker"]
    assert view["position"] == {"text": START, "board": "." * 42, "side": 0, "width": 7, "height": 6}
    assert [move["path"] for move in view["legal"]] == [[cell] for cell in range(35, 42)]
    assert view["moves"] == []
    assert not view["allowed"]["takeback"]


@pytest.mark.parametrize(("width", "height"), [(4, 4), (8, 8), (10, 10), (25, 4)])
def test_connect_four_is_played_on_other_boards(client: TestClient, width: int, height: int) -> None:
    game = new_game(client, width=width, height=height)
    view = game.play("1")
    assert (view["position"]["width"], view["position"]["height"]) == (width, height)
    assert view["moves"][0]["path"] == [(height - 1) * width]


def test_a_board_that_cannot_be_is_refused_with_its_reason(client: TestClient) -> None:
    response = client.post(
        "/api/games", json={"game": "connect4", "seats": ["human", "human"], "width": 25, "height": 31}
    )
    assert response.status_code == 422
    assert "128" in error_of(response)["message"]


def test_a_game_begins_at_any_position(client: TestClient) -> None:
    game = new_game(client, "checkers", position="W:W21,22,K5:B2,7,K30")
    assert game.view["position"]["side"] == 1
    assert game.view["start"]["text"] == "W:W21,22,K5:B2,7,K30"


@pytest.mark.parametrize("text", ["1212121", "1212/1212/2121/2121", "B:WK1:B"], ids=["won", "full", "no pieces"])
def test_a_finished_position_is_a_finished_game(client: TestClient, text: str) -> None:
    game = "checkers" if ":" in text else "connect4"
    size = {"width": 4, "height": 4} if "/" in text else {}
    view = new_game(client, game, seats=["level:1", "level:1"], position=text, **size).view
    assert view["status"] == "over"
    assert view["outcome"]["detail"] == "The game was over before it began."


def test_a_board_on_which_the_second_number_began_can_be_pasted(client: TestClient) -> None:
    rows = [[0] * 7 for _ in range(5)] + [[0, 0, 0, 2, 0, 0, 0]]
    answer = client.post("/api/positions", json={"game": "connect4", "text": str(rows)}).json()
    assert answer["position"]["board"].count("1") == 1
    assert answer["position"]["side"] == 1


@pytest.mark.parametrize("name", ["solver.py:play", "hub:engine", "lab:minimax,depth=3", "level:99", "nobody"])
def test_only_players_of_the_list_are_given_a_seat(client: TestClient, name: str) -> None:
    response = client.post("/api/games", json={"game": "connect4", "seats": ["human", name]})
    assert response.status_code == 422
    assert error_of(response)["kind"] in ("invalid", "unknown-player")


# Playing


def engine_to_jump(client: TestClient) -> Json:
    """A game in which an engine must capture, and waits."""
    return new_game(client, "checkers", seats=["level:1", "human"], position="B:W18,32:B14,5", paused=True).view


def test_a_whole_game_of_connect_four_by_two_people(client: TestClient) -> None:
    game = new_game(client)
    view = game.play(*WON)
    assert view["status"] == "over"
    assert view["outcome"]["winner"] == 0
    assert view["outcome"]["sentence"] == "Red wins with column 4: four in a column."
    assert view["outcome"]["cells"] == [17, 24, 31, 38]
    assert view["legal"] == []
    assert game.error("moves", move="1")["kind"] == "game-over"


def test_the_views_of_all_moves_are_those_of_the_rules(client: TestClient) -> None:
    game = new_game(client, "checkers")
    view = game.play("11-15", "22-18", "15x22", "25x18")
    assert [move["captures"] for move in view["moves"]] == [[], [], [18], [22]]
    assert [move["path"] for move in view["moves"]] == [[11, 15], [22, 18], [15, 22], [25, 18]]
    assert view["moves"][-1]["board"] == view["position"]["board"]
    assert view["sentence"] == "White, 25x18. Black to move."


def test_a_coronation_is_told(client: TestClient) -> None:
    game = new_game(client, "checkers", position="B:W5,21:B27,1")
    assert game.play("27-31")["sentence"] == "Black, 27-31, crowned. White to move."
    game.play("21-17")
    assert game.play("31-27")["sentence"] == "Black, 31-27. White to move."  # a king is not crowned again


def test_an_illegal_move_is_refused_with_the_rule_and_what_must_be_played(client: TestClient) -> None:
    game = new_game(client, "checkers")
    game.play("11-15", "22-18")
    response = game.post("moves", move="12-16")
    assert response.status_code == 409
    error = error_of(response)
    assert error["kind"] == "illegal-move"
    assert error["message"] == "You must capture: 15x22"
    assert error["detail"] == "12-16 is refused: a capture is never optional."
    assert [move["text"] for move in error["moves"]] == ["15x22"]
    assert game.look()["version"] == 2


def test_a_compulsory_capture_is_told_to_the_human_whose_turn_it_is(client: TestClient) -> None:
    game = new_game(client, "checkers")
    assert not game.play("11-15")["must_capture"]
    assert game.play("22-18")["must_capture"]
    assert not engine_to_jump(client)["must_capture"]
    jump, quiet = (
        client.post("/api/positions", json={"game": "checkers", "text": text}).json()
        for text in ("B:W18,32:B14,5", "start")
    )
    assert (jump["must_capture"], quiet["must_capture"]) == (True, False)


def test_a_full_column_is_refused(client: TestClient) -> None:
    game = new_game(client)
    game.play(*"444444")
    error = game.error("moves", move="4")
    assert error["kind"] == "illegal-move"
    assert "full" in error["message"]


def test_why_not_gives_the_same_reason_without_trying(client: TestClient) -> None:
    game = new_game(client, "checkers")
    game.play("11-15", "22-18")
    answer = game.post("why-not", move="12-16").json()
    refused = game.error("moves", move="12-16")
    assert {name: answer[name] for name in ("message", "detail", "moves")} == {
        name: refused[name] for name in ("message", "detail", "moves")
    }
    assert answer["move"] is None
    assert game.post("why-not", move="15x22").json()["move"]["path"] == [15, 22]
    assert game.look()["version"] == 2


def test_why_not_says_why_a_piece_cannot_be_moved(client: TestClient) -> None:
    game = new_game(client, "checkers")
    answer = game.post("why-not", move="8").json()
    assert (answer["move"], answer["message"]) == (None, "Man on 8 cannot move.")
    game.play("11-15", "22-18")
    answer = game.post("why-not", move="12").json()
    assert answer["message"] == "Man on 12 cannot capture."
    assert answer["detail"] == "Ringed pieces can, and one of them must."
    assert error_of(game.post("why-not", move="15"))["kind"] == "notation"  # it can be moved: where to?


def test_advice_is_for_a_human_to_move(client: TestClient) -> None:
    game = new_game(client, "checkers")
    assert game.view["advice"] == "Dotted rings: can move"
    assert game.play("11-15", "22-18")["advice"] == "Ringed pieces can capture, and one of them must."
    assert engine_to_jump(client)["advice"] == ""
    assert new_game(client).view["advice"] == ""


@pytest.mark.parametrize(
    ("game", "text", "move", "message"),
    [
        ("connect4", "444444", "4", "Column 4 is full."),
        ("checkers", "11-15 22-18", "12-16", "You must capture: 15x22"),
        ("checkers", "", "11-17", "17 is not a diagonal step away from 11."),
        ("checkers", "", "8", "Man on 8 cannot move."),
        ("connect4", "44", "hello", "Cannot read 'hello': a move is one column, 1 to 7."),
        ("connect4", "1212121", "4", "The game is over: four in a row."),
    ],
)
def test_a_move_at_a_position_is_refused_with_its_reason(
    client: TestClient, game: str, text: str, move: str, message: str
) -> None:
    response = client.post("/api/positions", json={"game": game, "text": text, "move": move})
    assert response.status_code == 200
    refusal = response.json()["refusal"]
    assert (refusal["move"], refusal["message"]) == (None, message)


def test_a_move_at_a_position_is_named_if_it_may_be_played(client: TestClient) -> None:
    request = {"game": "checkers", "text": "11-15 22-18", "move": "15-22"}
    assert client.post("/api/positions", json=request).json()["refusal"]["move"]["text"] == "15x22"
    assert client.post("/api/positions", json={**request, "move": None}).json()["refusal"] is None
    assert client.post("/api/positions", json={**request, "text": "nonsense"}).json()["refusal"] is None


def test_a_text_that_is_no_move_is_refused(client: TestClient) -> None:
    assert new_game(client).error("moves", move="hello")["kind"] == "notation"


def test_a_move_meant_for_an_older_state_is_refused(client: TestClient) -> None:
    game = new_game(client)
    other = Game(client, game.view)
    game.play("4")
    response = other.post("moves", move="5")
    assert response.status_code == 409
    error = error_of(response)
    assert (error["kind"], error["version"]) == ("stale", 1)
    assert game.look()["version"] == 1


def test_takeback_and_redo(client: TestClient) -> None:
    game = new_game(client)
    game.play("4", "5", "6")
    view = game.do("takeback", plies=2)
    assert (game.texts, view["undone"]) == (["4"], 2)
    view = game.do("redo")
    assert (game.texts, view["undone"]) == (["4", "5", "6"], 0)
    assert game.error("redo")["kind"] == "not-now"


def test_a_strict_game_has_no_takeback_and_no_hint(client: TestClient) -> None:
    game = new_game(client, strict=True)
    game.play("4")
    assert game.error("takeback")["kind"] == "not-now"
    assert game.error("hint", step=1)["kind"] == "not-now"
    assert not any(game.view["allowed"][name] for name in ("takeback", "redo", "hint"))


def test_resigning(client: TestClient) -> None:
    view = new_game(client, "checkers").do("resign", side=1)
    assert view["outcome"]["winner"] == 0
    assert view["outcome"]["sentence"] == "Black wins: White resigned."
    assert view["outcome"]["told"] == [
        "You won: White resigned.",
        "You lost: you resigned.",
    ]


def test_two_people_agree_on_a_draw(client: TestClient) -> None:
    game = new_game(client)
    assert game.do("draw", action="offer")["draw_offer"] == 0
    assert game.do("draw", action="decline")["draw_offer"] is None
    game.do("draw", action="offer")
    assert game.do("draw", action="accept")["outcome"]["reason"] == "agreement"


def test_hints_come_in_three_steps(client: TestClient) -> None:
    game = new_game(client, position="112233")
    hints = [game.post("hint", step=step).json() for step in (1, 2, 3)]
    assert [hint["step"] for hint in hints] == [1, 2, 3]
    assert hints[2]["move"]["text"] == "4"
    assert hints[2]["sentence"] == "Column 4: it makes four in column 4."
    assert [mark["kind"] for mark in hints[2]["marks"]] == ["threat", "line"]
    assert [hint["reason"] for hint in hints] == [hint["sentence"] for hint in hints]  # nothing follows a win
    assert [hint["line"] for hint in hints] == ["", "", ""]
    assert hints[1]["cells"] == [3, 10, 17, 24, 31, 38]
    assert hints[2]["cells"] == [38]
    assert set(hints[2]["cells"]) < set(hints[1]["cells"]) < set(hints[0]["cells"])


def test_the_last_step_of_a_hint_tells_the_reason_and_the_line_apart(client: TestClient) -> None:
    hint = new_game(client, position="44").post("hint", step=3).json()
    assert hint["line"].startswith("The engine expects ")
    assert hint["sentence"] == f"{hint['reason'][:-1]}; {hint['line'].replace('The', 'the')}"


def test_a_rematch_swaps_the_seats_and_is_the_same_for_everybody(client: TestClient) -> None:
    game = new_game(client, seats=["human", "random"], width=8, height=8)
    game.do("resign")
    first = game.post("rematch")
    assert first.status_code == 201
    assert [seat["player"] for seat in first.json()["seats"]] == ["random", "human"]
    assert first.json()["start"]["width"] == 8
    assert game.look()["rematch"] == first.json()["id"]
    assert game.post("rematch").json()["id"] == first.json()["id"]


# Lists and the rest


def test_games_with_moves_are_listed_newest_first() -> None:
    with app_client() as client:
        new_game(client)
        first, second = new_game(client), new_game(client, "checkers")
        first.play("4")
        second.play("11-15")
        second.do("resign")
        answer = client.get("/api/games").json()
        following = client.get("/api/games?limit=1&offset=1").json()
    assert [game["id"] for game in answer["games"]] == [second.view["id"], first.view["id"]]
    assert [game["sentence"] for game in answer["games"]] == ["Black wins: White resigned.", "After 1 move."]
    assert answer["total"] == 2
    assert [game["id"] for game in following["games"]] == [first.view["id"]]


def test_about_says_what_is_on_offer(client: TestClient) -> None:
    about = client.get("/api/about").json()
    assert [game["game"] for game in about["games"]] == ["connect4", "checkers"]
    for game in about["games"]:
        names = [player["player"] for player in game["players"]]
        assert names[0] == "human"
        assert [name for name in names if name.startswith("level:")] == [f"level:{number}" for number in range(1, 9)]
        assert game["opponent"] in names
    assert about["warning"] == "Games are kept in memory only and are lost when the server stops."
    assert about["time_ms"] == 2500
    assert about["strict"] == "no takeback, no hints"
    assert [game["no_progress"] for game in about["games"]] == [
        [],
        [
            {"name": "official", "words": "after 40 moves each without progress"},
            {"name": "classroom", "words": "after 100 moves without a capture"},
            {"name": "none", "words": "never for lack of progress"},
        ],
    ]


@pytest.mark.parametrize("game", ["connect4", "checkers"])
def test_everybody_on_offer_plays(client: TestClient, game: str) -> None:
    about = client.get("/api/about").json()
    info = next(info for info in about["games"] if info["game"] == game)
    for player in info["players"][1:]:
        started = new_game(client, game, seats=[player["player"], "human"], time_ms=30)
        with started.watch() as socket:
            view = until(socket.receive_json, lambda event: is_state(status="human")(event))["game"]
        assert len(view["moves"]) == 1, player


def test_the_answers_are_those_that_wire_describes(client: TestClient) -> None:
    game = new_game(client, "checkers", seats=["human", "level:1"], clock={"base_ms": 60_000})
    game.play("11-15")
    wire.GameView.model_validate(game.look())
    wire.About.model_validate(client.get("/api/about").json())
    GameList.model_validate(client.get("/api/games").json())


# Memory and length


def games_of(client: TestClient) -> Games:
    app = client.app
    assert isinstance(app, FastAPI)
    games: Games = app.state.games
    return games


def test_a_game_that_nobody_looks_at_is_put_away_and_comes_back() -> None:
    settings = Settings(db="sqlite://", slots=1, limits=replace(ALONE, idle_seconds=0))
    with app_client(settings) as client:
        game, watched = new_game(client), new_game(client)
        game.play("4")
        with watched.watch() as socket:
            socket.receive_json()
            games_of(client).sweep()
            assert [room.id for room in games_of(client).rooms()] == [watched.view["id"]]
        assert game.play("5")["version"] == 2
        games_of(client).sweep()
        revision = game.view["revision"]
        assert game.look()["revision"] == revision
        assert game.texts == ["4", "5"]


def test_a_finished_game_is_put_away_sooner() -> None:
    settings = Settings(db="sqlite://", slots=1, limits=replace(ALONE, over_seconds=0))
    with app_client(settings) as client:
        going_on, finished = new_game(client), new_game(client)
        finished.do("resign")
        games_of(client).sweep()
        assert [room.id for room in games_of(client).rooms()] == [going_on.view["id"]]
        assert finished.look()["status"] == "over"


def test_an_engine_goes_on_when_its_game_comes_back() -> None:
    settings = Settings(db="sqlite://", slots=1, limits=replace(ALONE, idle_seconds=0))
    with app_client(settings) as client:
        game = new_game(client, seats=["human", "lab:five-phase"], time_ms=60_000)
        game.play("4")
        games_of(client).sweep()
        assert games_of(client).rooms() == []
        with game.watch() as socket:
            assert socket.receive_json()["game"]["status"] == "thinking"
            game.do("pace", time_ms=0)
            assert until(socket.receive_json, is_state(status="human"))["game"]["version"] == 2


def test_those_who_watch_a_running_clock_are_told_the_time(client: TestClient) -> None:
    game = new_game(client, clock={"base_ms": 60_000})
    with game.watch() as socket:
        socket.receive_json()
        games_of(client).tell_clocks()
        event = until(socket.receive_json, lambda event: event["kind"] == "clock")
    assert event["clock"]["running"] == 0
    assert event["clock"]["left_ms"][1] == 60_000


def test_a_game_does_not_go_on_for_ever(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "MOST_PLIES", 4)
    game = new_game(client)
    game.play("1", "2", "3", "4")
    assert game.error("moves", move="5")["kind"] == "not-now"
    engines = new_game(client, seats=["random", "random"], time_ms=0)
    with engines.watch() as socket:
        until(socket.receive_json, is_state(status="paused"))
    assert engines.error("pace", paused=False)["kind"] == "not-now"
    engines.look()
    assert engines.error("step")["kind"] == "not-now"


def test_the_levels_of_checkers_count_in_men(client: TestClient) -> None:
    game = new_game(client, "checkers", seats=["level:2", "human"], seed=1)
    with game.watch() as socket:
        view = until(socket.receive_json, is_state(status="human"))["game"]
    labels = [line["label"] for line in view["opinions"][0]["lines"]]
    assert labels
    assert all(abs(float(label)) < 12 for label in labels)
