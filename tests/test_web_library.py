"""The library over HTTP: games are found, taken in from any text, taken out again, thrown away and brought back."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx2
import pytest
from fastapi.testclient import TestClient

from outplay.notation import games as read_games
from outplay.web.settings import Settings
from tests.support.web_server import Json, ServerProcess, app_client, error_of, new_game

SHORT = (
    '[Event "Cup"]\n[Date "1958.09.14"]\n[Black "Ann Lee"]\n[White "Bob"]\n[Result "1-0"]\n1. 11-15 23-19 2. 8-11 1-0\n'
)
DRAWN = (
    '[Event "Cup"]\n[Date "1961.??.??"]\n[Black "Cid"]\n[White "Ann Lee"]\n[Result "1/2-1/2"]\n1. 9-13 22-18 1/2-1/2\n'
)
BROKEN = '[Event "Cup"]\n[Black "Dot"]\n[White "Eve"]\n[Result "0-1"]\n1. 11-15 11-16 0-1\n'
DISCS = '[GameType "connect4"]\n[Red "Ann Lee"]\n[Yellow "Fay"]\n[Result "1-0"]\n1. 4 1 2. 4 1 3. 4 1 4. 4 1-0\n'
ANNOTATED = (
    '[Event "Cup"]\n[Black "Ann"]\n[White "Bob"]\n[Result "*"]\n[GameType "21"]\n\n'
    "1. 11-15 {the usual} 1... 23-19 (1... 22-18 2. 15x22) 2. 8-11! *\n"
)


@pytest.fixture
def client() -> Iterator[TestClient]:
    with app_client() as client:
        yield client


def taken_in(client: TestClient, text: str, **more: Any) -> Json:
    response = client.post("/api/library/import", json={"text": text, **more})
    assert response.status_code == 200, response.text
    answer: Json = response.json()
    return answer


def listed(client: TestClient, **filters: Any) -> list[Json]:
    response = client.get("/api/games", params=filters)
    assert response.status_code == 200, response.text
    answer = response.json()
    assert answer["total"] >= len(answer["games"])
    games: list[Json] = answer["games"]
    return games


def taken_out(client: TestClient, game_id: str, **options: Any) -> str:
    response = client.get(f"/api/games/{game_id}/export", params=options)
    assert response.status_code == 200, response.text
    text: str = response.json()["text"]
    return text


# Taking in


def test_a_broken_game_is_told_and_harms_no_other(client: TestClient) -> None:
    answer = taken_in(client, "\n".join((SHORT, BROKEN, DRAWN)))
    assert answer["sentence"] == "2 games imported, 1 cannot be read."
    assert [(problem["number"], problem["line"]) for problem in answer["problems"]] == [(2, 12)]
    assert "11-16" in answer["problems"][0]["message"]
    assert answer["problem_count"] == 1
    assert [game["seats"] for game in answer["games"]] == [["Ann Lee", "Bob"], ["Cid", "Ann Lee"]]
    assert [game["id"] for game in listed(client)] == answer["ids"]  # in the order of the text


def test_a_text_without_a_game_changes_nothing(client: TestClient) -> None:
    for text in ("garbage", "hello there", '[Event "x"', "http://127.0.0.1/elsewhere", "{}", "1234567890" * 9):
        response = client.post("/api/library/import", json={"text": text})
        if response.status_code == 200:  # something like a game that cannot be read
            assert response.json()["ids"] == []
            assert response.json()["problems"]
        else:
            assert response.status_code in (404, 422)
            assert error_of(response)["message"]
    assert listed(client) == []


@pytest.mark.parametrize(
    ("text", "game", "plies"),
    [
        ("4453", "connect4", 4),
        ("11-15 23-19 8-11", "checkers", 3),
        ("1. 11-15 23-19 2. 8-11 *", "checkers", 3),
        ("B:W18,24,27,K10:B12,16", "checkers", 0),
        ("......./......./......./......./...2.../...1...", "connect4", 0),
        (".......\n.......\n.......\n.......\n...o...\n...x...", "connect4", 0),
        ("http://127.0.0.1:8642/play/checkers?pos=B:W18:B12", "checkers", 0),
        ("/lab?game=connect4&pos=4453&depth=4", "connect4", 4),
    ],
)
def test_anything_can_be_pasted(client: TestClient, text: str, game: str, plies: int) -> None:
    answer = taken_in(client, text)
    assert (answer["games"][0]["game"], answer["games"][0]["plies"]) == (game, plies)
    assert (answer["position"] is None) == (plies > 0)


def test_what_is_meant_can_be_said(client: TestClient) -> None:
    headless = '[Event "Cup"]\n1. 4 4 2. 5 *'
    assert taken_in(client, headless, game="connect4")["games"][0]["game"] == "connect4"


def test_a_link_to_a_game_of_ours_leads_to_it(client: TestClient) -> None:
    game = new_game(client)
    answer = taken_in(client, f"http://127.0.0.1:8642/game/{game.view['id']}?ply=3")
    assert (answer["found"], answer["ids"]) == (game.view["id"], [])
    response = client.post("/api/library/import", json={"text": "/game/nosuchgame"})
    assert error_of(response)["kind"] == "unknown-game"


def test_a_long_text_is_taken_and_a_longer_one_refused(client: TestClient) -> None:
    answer = taken_in(client, SHORT * 800)  # more than any other request may have
    assert len(answer["ids"]) == 800
    response = client.post("/api/library/import", json={"text": "1" * (9 * 1024 * 1024)})
    assert error_of(response)["kind"] == "too-large"
    response = client.post("/api/positions", json={"game": "checkers", "text": SHORT * 800})
    assert error_of(response)["kind"] == "too-large"


@pytest.mark.skipif("OUTPLAY_CORPORA" not in os.environ, reason="OUTPLAY_CORPORA names no folder")
def test_a_collection_of_seven_hundred_games(client: TestClient) -> None:
    text = (Path(os.environ["OUTPLAY_CORPORA"]) / "checkers" / "tinsley.pdn").read_text(encoding="latin-1")
    answer = taken_in(client, text)
    assert (len(answer["ids"]), answer["problem_count"]) == (723, 1)
    assert client.get("/api/games", params={"player": "tinsley"}).json()["total"] > 700


# Looking for


def test_games_are_found_by_what_is_known_of_them(client: TestClient) -> None:
    taken_in(client, "\n".join((SHORT, DRAWN, DISCS)))
    played = new_game(client, seats=["human", "level:3"], position="44")
    played.play("4")

    def found(**filters: Any) -> set[str]:
        return {" - ".join(game["seats"]) for game in listed(client, **filters)}

    short, drawn, discs, ours = "Ann Lee - Bob", "Cid - Ann Lee", "Ann Lee - Fay", "Human - Planner"
    assert found() == {short, drawn, discs, ours}
    assert found(game="checkers") == {short, drawn}
    assert found(player="ann") == {short, drawn, discs}
    assert found(player="planner") == {ours}
    assert found(player="plann") == {ours}  # a part of a title is enough
    assert found(mine=True) == {ours}  # not what was only imported
    assert found(player="level:3") == {ours}
    assert found(outcome="first") == {short, discs}
    assert found(outcome="second") == set()
    assert found(outcome="draw") == {drawn}
    assert found(outcome="over") == {short, drawn, discs}
    assert found(outcome="unfinished") == {ours}
    assert found(since="1960", until="1961") == {drawn}
    assert found(until="1958-09") == {short}
    assert found(since="2000") == {ours}
    assert found(opening="11-15 23-19") == {short}
    assert found(opening="1. 9-13") == {drawn}
    assert found(opening="41") == {discs}
    assert found(opening="9-1") == set()  # a whole move, not a part of one
    assert found(player="%") == set()


def test_games_are_found_by_the_name_that_a_person_chose(client: TestClient) -> None:
    game = new_game(client, seats=["human", "level:3"])
    game.play("4")
    assert listed(client, player="mia") == []
    client.post("/api/me/name", json={"name": "Mia Wong"})
    assert [one["id"] for one in listed(client, player="mia")] == [game.view["id"]]
    watched = new_game(client, seats=["level:1", "level:2"], time_ms=0)
    assert watched.view["id"] not in {one["id"] for one in listed(client, mine=True)}  # no seat of mine


def test_a_picture_of_a_position_is_an_image(client: TestClient) -> None:
    game = new_game(client)
    game.play("4", "4")
    path = f"/api/games/{game.view['id']}"
    for ply in (None, 1):
        options = {} if ply is None else {"ply": ply}
        answer = client.get(f"{path}/picture", params=options)
        assert answer.headers["content-type"] == "image/svg+xml"
        assert answer.text == taken_out(client, game.view["id"], format="svg", **options)
    assert error_of(client.get("/api/games/nosuchgame/picture"))["kind"] == "unknown-game"


def test_a_filter_that_makes_no_sense_is_refused(client: TestClient) -> None:
    for filters in ({"game": "chess"}, {"outcome": "won"}, {"since": "soon"}, {"player": "x" * 200}, {"limit": 1000}):
        assert error_of(client.get("/api/games", params=filters))["kind"] == "invalid"


def test_a_list_says_how_a_game_began_and_ended(client: TestClient) -> None:
    (game,) = taken_in(client, SHORT)["games"]
    assert game | {"id": "", "changed": ""} == {
        "id": "",
        "game": "checkers",
        "title": "Checkers",
        "seats": ["Ann Lee", "Bob"],
        "plies": 3,
        "result": "1-0",
        "winner": 0,
        "sentence": "Black wins: White resigned.",
        "is_over": True,
        "opening": "11-15 23-19 8-11",
        "event": "Cup",
        "date": "1958-09-14",
        "is_imported": True,
        "is_study": False,
        "is_yours": True,
        "changed": "",
    }


# A record


def test_a_record_can_be_looked_at_but_not_changed(client: TestClient) -> None:
    (game_id,) = taken_in(client, ANNOTATED)["ids"]
    view = client.get(f"/api/games/{game_id}").json()
    assert view["is_record"]
    assert [seat["title"] for seat in view["seats"]] == ["Ann", "Bob"]
    assert view["legal"] == []
    assert not any(view["allowed"].values())
    before = taken_out(client, game_id)
    for command, body in {
        "moves": {"move": "22-18"},
        "takeback": {},
        "resign": {},
        "seats": {"first": "level:1"},
    }.items():
        response = client.post(f"/api/games/{game_id}/{command}", json={"version": view["version"], **body})
        assert error_of(response)["kind"] == "not-now"
    assert taken_out(client, game_id) == before == ANNOTATED


# Taking out


@pytest.mark.parametrize("text", [SHORT, DRAWN, DISCS, ANNOTATED], ids=["short", "drawn", "discs", "annotated"])
def test_what_is_taken_out_comes_back_the_same(client: TestClient, text: str) -> None:
    (first,) = taken_in(client, text)["ids"]
    pdn = taken_out(client, first)
    (again,) = taken_in(client, pdn)["ids"]
    assert taken_out(client, again) == pdn
    (from_json,) = taken_in(client, taken_out(client, first, format="json"))["ids"]
    assert json.loads(taken_out(client, from_json, format="json")) == json.loads(
        taken_out(client, first, format="json")
    )


def test_a_game_played_here_is_taken_out_with_its_players(client: TestClient) -> None:
    game = new_game(client, "checkers", seats=["human", "level:2"], paused=True)
    game.play("11-15")
    game.do("resign")
    pdn = taken_out(client, game.view["id"])
    (back,) = read_games(pdn)
    assert (back.headers["Black"], back.headers["White"]) == ("Human", "Trader")
    assert back.headers["Date"].count(".") == 2
    (again,) = taken_in(client, pdn)["games"]
    assert (again["seats"], again["result"], again["plies"]) == (["Human", "Trader"], "0-1", 1)


def test_any_position_of_a_game_is_taken_out(client: TestClient) -> None:
    (game_id,) = taken_in(client, DISCS)["ids"]
    assert taken_out(client, game_id, format="fen", ply=1) == "......./......./......./......./......./...1...\n"
    assert taken_out(client, game_id, format="fen", ply=0).count(".") == 42
    assert taken_out(client, game_id, format="fen", ply=99) == taken_out(client, game_id, format="fen")
    start, end = (taken_out(client, game_id, format="svg", ply=ply) for ply in (0, 7))
    assert start.startswith("<svg")
    assert end.count("<") > start.count("<")


def test_all_games_that_fit_are_taken_out_together(client: TestClient) -> None:
    taken_in(client, "\n".join((SHORT, DRAWN, DISCS)))
    text = client.get("/api/library/export", params={"player": "Ann", "game": "checkers"}).json()["text"]
    assert [game.headers["Black"] for game in read_games(text)] == ["Ann Lee", "Cid"]
    assert client.get("/api/library/export", params={"player": "nobody"}).json()["text"] == ""


# Throwing away


def test_games_are_thrown_away_and_brought_back(client: TestClient) -> None:
    ids = taken_in(client, "\n".join((SHORT, DRAWN)))["ids"]
    answer = client.post("/api/library/delete", json={"ids": [ids[0], "nosuchgame"]}).json()
    assert answer == {"ids": [ids[0]], "sentence": "1 game deleted."}
    assert [game["id"] for game in listed(client)] == [ids[1]]
    assert error_of(client.get(f"/api/games/{ids[0]}"))["kind"] == "unknown-game"
    assert error_of(client.get(f"/api/games/{ids[0]}/export"))["kind"] == "unknown-game"
    assert client.post("/api/library/delete", json={"ids": [ids[0]]}).json()["ids"] == []
    assert client.post("/api/library/restore", json={"ids": ids}).json()["ids"] == [ids[0]]
    assert [game["id"] for game in listed(client)] == ids


def test_a_game_that_is_being_watched_is_thrown_away(client: TestClient) -> None:
    game = new_game(client)
    game.play("4")
    with game.watch() as socket:
        assert socket.receive_json()["kind"] == "state"
        client.post("/api/library/delete", json={"ids": [game.view["id"]]})
        event = socket.receive_json()
        assert (event["kind"], event["error"]["kind"]) == ("error", "unknown-game")
    assert error_of(game.post("moves", move="4"))["kind"] == "unknown-game"
    client.post("/api/library/restore", json={"ids": [game.view["id"]]})
    assert game.look()["moves"][0]["text"] == "4"
    assert game.play("3")["moves"][1]["text"] == "3"


def test_the_library_is_on_disk(tmp_path: Path) -> None:
    settings = Settings(db=str(tmp_path / "games.sqlite3"), slots=1)
    with app_client(settings) as client:
        ids = taken_in(client, "\n".join((SHORT, DRAWN)))["ids"]
        client.post("/api/library/delete", json={"ids": ids[:1]})
    with app_client(settings) as client:
        assert [game["id"] for game in listed(client)] == ids[1:]
        client.post("/api/library/restore", json={"ids": ids[:1]})
        assert taken_out(client, ids[0]).startswith('[Event "Cup"]')


def test_many_exports_at_once_stop_neither_moves_nor_the_end(tmp_path: Path) -> None:
    text = "\n\n".join('[Event "x"]\n\n' + "1. 11-15 22-18 2. 15x22 25x18 *" for _ in range(2_000))
    with ServerProcess(tmp_path) as server:
        answer = server.client.post("/api/library/import", json={"text": text})
        assert len(answer.json()["ids"]) == 2_000
        game = new_game(server.client)
        begun, stop = threading.Semaphore(0), threading.Event()

        def export() -> None:
            with contextlib.suppress(httpx2.TransportError), httpx2.Client(base_url=server.url, timeout=60) as client:
                while not stop.is_set():
                    with client.stream("GET", "/api/library/export") as response:
                        begun.release()
                        assert response.status_code in (200, 429, 503)
                        for _ in response.iter_raw():
                            pass

        threads = [threading.Thread(target=export, daemon=True) for _ in range(45)]
        for thread in threads:
            thread.start()
        for _ in threads:
            assert begun.acquire(timeout=60)
        for column in "4455667":
            game.play(column)  # within its timeout: all threads of the server used to be taken
        started = time.monotonic()
        stop.set()
        assert server.end(signal.SIGTERM) == 0
        assert time.monotonic() - started < 20  # under 2 s on a machine with nothing else to do; minutes before
        for thread in threads:
            thread.join(60)


@pytest.mark.slow
def test_an_export_has_all_games_however_many(client: TestClient) -> None:
    (made,) = taken_in(client, SHORT)["ids"]
    store = client.app.state.games.store  # type: ignore[attr-defined]
    game = store.load(made)
    store.add([replace(game, id=f"game{number:04}") for number in range(5_400)])
    text = client.get("/api/library/export").json()["text"]
    assert text.count('[Event "Cup"]') == listed_total(client) == 5_401


def listed_total(client: TestClient) -> int:
    total: int = client.get("/api/games").json()["total"]
    return total


def test_a_damaged_game_does_not_count_as_one_that_is_there(client: TestClient) -> None:
    ids = [taken_in(client, SHORT)["ids"][0] for _ in range(3)]
    store = client.app.state.games.store  # type: ignore[attr-defined]
    store.change(lambda connection: connection.exec_driver_sql(f"UPDATE games SET plies = 77 WHERE id = '{ids[0]}'"))
    answer = client.get("/api/games").json()
    assert [game["id"] for game in answer["games"]] == [ids[2], ids[1]]
    assert answer["total"] == 2
    assert [game["id"] for game in answer["damaged"]] == [ids[0]]


def test_an_export_of_several_games_is_one_file_in_order(client: TestClient) -> None:
    moves = ["4", "5", "6"] * 40
    for move in moves:
        new_game(client).play(move)
    exported = client.get("/api/library/export").json()
    assert (exported["name"], exported["media"]) == ("outplay-games.pdn", "text/plain")
    assert [game.main_line()[0].text for game in read_games(exported["text"])] == moves[::-1]
