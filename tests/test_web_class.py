"""A class on a server: joined by a code, paired, paused and ended by its teacher; its tournament and its results."""

from __future__ import annotations

import csv
import hashlib
import io
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import pytest
from fastapi.testclient import TestClient
from starlette.testclient import WebSocketTestSession

from outplay.store import Summary, open_store
from outplay.web.app import create_app
from outplay.web.classroom import classes
from outplay.web.classroom.standings import circle_round, next_pairs, ranked, rounds_of, table
from outplay.web.http.people import COOKIE, id_of, public_id
from outplay.web.settings import Settings
from tests.support.web_server import Game, Json, error_of, until

ADDRESS = "http://127.0.0.1:8642"
TEACHER = "teacher" + "x" * 17


def key_of(name: str) -> str:
    return hashlib.sha256(name.encode()).hexdigest()


class Lesson:
    """A class with a teacher and pupils, each at an own page."""

    def __init__(self, stack: ExitStack) -> None:
        self._stack = stack
        self.store = open_store("memory")
        self.teacher = stack.enter_context(
            TestClient(create_app(Settings(slots=1), self.store), base_url=ADDRESS, cookies={COOKIE: TEACHER})
        )
        self.view: Json = self.teacher.post("/api/classes", json={"title": "7b"}).json()
        self.pupils: dict[str, TestClient] = {}

    @property
    def path(self) -> str:
        return f"/api/classes/{self.view['code']}"

    def client(self, name: str) -> TestClient:
        if name not in self.pupils:
            client = TestClient(self.teacher.app, base_url=ADDRESS, cookies={COOKIE: key_of(name)})
            assert client.post(f"{self.path}/join", json={"name": name}).status_code == 200
            self.pupils[name] = client
        return self.pupils[name]

    @contextmanager
    def page(self, client: TestClient) -> Iterator[WebSocketTestSession]:
        with client.websocket_connect(f"ws://127.0.0.1:8642{self.path}/events") as socket:
            until(socket.receive_json, lambda event: event["kind"] == "class")
            yield socket

    def come(self, *names: str) -> None:
        """These pupils open the page of the class."""
        for name in names:
            self._stack.enter_context(self.page(self.client(name)))

    def do(self, command: str, client: TestClient | None = None, **body: Any) -> Json:
        response = (client or self.teacher).post(f"{self.path}/{command}", json=body)
        assert response.status_code == 200, response.text
        self.view = self.look()
        found: Json = response.json()
        return found

    def error(self, command: str, client: TestClient | None = None, **body: Any) -> Json:
        return error_of((client or self.teacher).post(f"{self.path}/{command}", json=body))

    def look(self) -> Json:
        view: Json = self.teacher.get(self.path).json()
        return view

    def id(self, name: str) -> str:
        return public_id(id_of(key_of(name)))

    def games(self) -> list[Json]:
        """The running games, each as both players see it."""
        return [tile for tile in self.look()["tiles"] if not tile["is_over"]]

    def resign(self, tile: Json, name: str) -> None:
        game = Game(self.client(name), self.client(name).get(f"/api/games/{tile['id']}").json())
        game.do("resign")


@pytest.fixture
def lesson() -> Iterator[Lesson]:
    with ExitStack() as stack:
        yield Lesson(stack)


# Joining


def test_a_class_has_a_code_and_a_teacher(lesson: Lesson) -> None:
    assert len(lesson.view["code"]) == 4
    assert lesson.view["is_teacher"]
    assert lesson.view["sentence"] == "Waiting for the first pupil."
    (entry,) = lesson.teacher.get("/api/classes").json()["classes"]
    assert (entry["title"], entry["is_teacher"]) == ("7b", True)


def test_a_wrong_code_says_so(lesson: Lesson) -> None:
    error = error_of(lesson.teacher.get("/api/classes/zzzz"))
    assert (error["kind"], error["message"]) == (
        "unknown-class",
        "There is no class ZZZZ here; ask your teacher for the code.",
    )


def test_who_has_not_joined_sees_nobody(lesson: Lesson) -> None:
    lesson.come("Mia", "Tom")
    lesson.do("pair")
    stranger = TestClient(lesson.teacher.app, base_url=ADDRESS, cookies={COOKIE: "s" * 24})
    seen = stranger.get(lesson.path).json()
    assert (seen["people"], seen["tiles"], seen["title"]) == ([], [], "7b")


def test_a_name_is_taken_once(lesson: Lesson) -> None:
    lesson.client("Mia")
    other = TestClient(lesson.teacher.app, base_url=ADDRESS, cookies={COOKIE: "o" * 24})
    error = lesson.error("join", other, name=" mia ")
    assert (error["kind"], error["message"]) == ("name-taken", "Another pupil is called mia: try mia 2.")
    assert lesson.do("join", other, name="Mia 2")["name"] == "Mia 2"
    assert lesson.do("join", lesson.client("Mia"), name="MIA")["name"] == "MIA"  # the own name may change


def test_a_teacher_corrects_names_and_removes(lesson: Lesson) -> None:
    lesson.client("Rude")
    lesson.do("pupils", person=lesson.id("Rude"), name="Ruth")
    assert [pupil["name"] for pupil in lesson.view["people"]] == ["Ruth"]
    lesson.do("pupils", person=lesson.id("Rude"))
    assert lesson.view["people"] == []


# Pairing


def test_everyone_who_is_here_and_free_is_paired(lesson: Lesson) -> None:
    lesson.come("Mia", "Tom", "Ada", "Ben")
    lesson.client("Away")
    lesson.do("pair")
    tiles = lesson.games()
    assert sorted(name for tile in tiles for name in tile["names"]) == ["Ada", "Ben", "Mia", "Tom"]
    assert lesson.view["sentence"] == "4 here, 1 away. 2 games running, 0 free."
    lesson.do("pair")  # all have a game
    assert len(lesson.games()) == 2


def test_people_meet_somebody_new(lesson: Lesson) -> None:
    lesson.come("Mia", "Tom", "Ada", "Ben")
    met = set()
    for _ in range(3):
        lesson.do("pair")
        for tile in lesson.games():
            met.add(frozenset(tile["names"]))
            lesson.resign(tile, tile["names"][0])
    assert len(met) == 6


def test_a_teacher_pairs_two(lesson: Lesson) -> None:
    lesson.come("Mia", "Tom", "Ada")
    lesson.do("pair", pairs=[[lesson.id("Tom"), lesson.id("Mia")]], game="checkers")
    (tile,) = lesson.games()
    assert (tile["names"], tile["game"]) == (["Tom", "Mia"], "checkers")
    assert lesson.error("pair", pairs=[[lesson.id("Ada"), lesson.id("Mia")]])["message"] == (
        "Mia has a game already: wait until it ends, or end it."
    )
    assert len(lesson.games()) == 1


def test_pupils_play_each_other_and_the_wall_sees_it(lesson: Lesson) -> None:
    lesson.come("Mia", "Tom")
    with lesson.page(lesson.teacher) as wall:
        lesson.do("pair", pairs=[[lesson.id("Mia"), lesson.id("Tom")]])
        (tile,) = lesson.games()
        mia = lesson.client("Mia")
        game = Game(mia, mia.get(f"/api/games/{tile['id']}").json())
        assert [seat["title"] for seat in game.view["seats"]] == ["Mia", "Tom"]
        game.play("4")
        seen = until(wall.receive_json, lambda event: event["kind"] == "tiles" and "1" in event["tiles"][0]["board"])
        assert seen["tiles"][0]["sentence"] == "Tom to move"
        tom = Game(lesson.client("Tom"), game.view)
        tom.play("4")
        watching = Game(lesson.teacher, tom.view)
        assert watching.error("moves", move="4")["kind"] == "not-yours"  # a teacher watches


def test_who_plays_is_here(lesson: Lesson) -> None:
    lesson.come("Tom")
    mia = lesson.client("Mia")
    with lesson.page(mia):
        lesson.do("pair", pairs=[[lesson.id("Mia"), lesson.id("Tom")]])
    (tile,) = lesson.games()
    assert lesson.look()["people"][-1]["sentence"] == "away"  # the page of the class is closed
    game = Game(mia, mia.get(f"/api/games/{tile['id']}").json())
    with game.watch() as socket:
        until(socket.receive_json, lambda event: event["kind"] == "state")
        assert [pupil["sentence"] for pupil in lesson.look()["people"]] == ["plays Mia", "plays Tom"]


def test_pupils_ask_each_other(lesson: Lesson) -> None:
    lesson.come("Mia", "Tom")
    mia, tom = lesson.client("Mia"), lesson.client("Tom")
    assert lesson.do("ask", mia, person=lesson.id("Tom"))["asking"] == lesson.id("Tom")
    assert tom.get(lesson.path).json()["asked_by"] == [lesson.id("Mia")]
    lesson.do("ask", tom, person=lesson.id("Mia"))
    (tile,) = lesson.games()
    assert tile["names"] == ["Mia", "Tom"]
    assert tom.get(lesson.path).json()["asked_by"] == []


def test_a_pause_stops_every_board(lesson: Lesson) -> None:
    lesson.come("Mia", "Tom")
    lesson.do("pair", pairs=[[lesson.id("Mia"), lesson.id("Tom")]], clock={"base_ms": 60_000})
    lesson.do("pause", paused=True)
    (tile,) = lesson.games()
    mia = lesson.client("Mia")
    game = Game(mia, mia.get(f"/api/games/{tile['id']}").json())
    assert game.view["notice"] == "Paused by your teacher."
    assert game.error("moves", move="4")["message"] == "Paused by your teacher."
    assert tile["clock"]["running"] is None
    lesson.do("pause", paused=False)
    assert game.look()["notice"] == ""
    game.play("4")


def test_an_engine_sits_down_for_a_pupil_who_is_away(lesson: Lesson) -> None:
    lesson.come("Mia", "Tom")
    lesson.do("pair", pairs=[[lesson.id("Mia"), lesson.id("Tom")]])
    (tile,) = lesson.games()
    lesson.do("seat", game=tile["id"], side=1, player="level:1")
    mia = lesson.client("Mia")
    game = Game(mia, mia.get(f"/api/games/{tile['id']}").json())
    with game.watch() as socket:
        game.play("4")
        until(socket.receive_json, lambda event: event["kind"] == "state" and len(event["game"]["moves"]) == 2)


def test_a_pupil_whose_seat_an_engine_has_speaks_no_longer_for_it(lesson: Lesson) -> None:
    lesson.come("Mia", "Tom")
    lesson.do("pair", pairs=[[lesson.id("Mia"), lesson.id("Tom")]])
    (tile,) = lesson.games()
    lesson.do("seat", game=tile["id"], side=1, player="level:1")
    toms = Game(lesson.client("Tom"), lesson.client("Tom").get(f"/api/games/{tile['id']}").json())
    for command in ("resign", "draw", "takeback"):
        assert toms.error(command)["kind"] in ("not-yours", "not-now"), command
    assert toms.error("resign")["message"] == "An engine plays for you now."
    assert toms.look()["outcome"] is None


def test_the_clock_of_a_class_game_waits_for_both(lesson: Lesson) -> None:
    lesson.come("Mia", "Tom")
    lesson.do("pair", pairs=[[lesson.id("Mia"), lesson.id("Tom")]], clock={"base_ms": 60_000})
    (tile,) = lesson.games()
    games = [Game(lesson.client(name), {"id": tile["id"]}) for name in ("Mia", "Tom")]
    with games[0].watch() as socket:
        until(socket.receive_json, lambda event: event["kind"] == "state")
        assert games[0].look()["clock"]["running"] is None
        with games[1].watch() as other:
            until(other.receive_json, lambda event: event["kind"] == "state")
            assert games[0].look()["clock"]["running"] == 0


def test_the_next_game_of_a_class_is_told_at_the_last_board_and_is_no_rematch(lesson: Lesson) -> None:
    lesson.come("Mia", "Tom")
    lesson.do("pair", pairs=[[lesson.id("Mia"), lesson.id("Tom")]])
    (tile,) = lesson.games()
    lesson.resign(tile, "Mia")
    mias = Game(lesson.client("Mia"), lesson.client("Mia").get(f"/api/games/{tile['id']}").json())
    assert mias.view["in_class"]
    assert "page of the class" in mias.error("rematch")["message"]
    with mias.watch() as socket:
        until(socket.receive_json, lambda event: event["kind"] == "state")
        lesson.do("pair")
        told = until(socket.receive_json, lambda event: event["kind"] == "state" and event["game"]["notice"])
        assert "begins: go back to the class." in told["game"]["notice"]
    assert len(lesson.games()) == 1


def test_games_go_on_when_a_class_ends_while_it_is_paused(lesson: Lesson) -> None:
    lesson.come("Mia", "Tom")
    lesson.do("pair", pairs=[[lesson.id("Mia"), lesson.id("Tom")]])
    (tile,) = lesson.games()
    lesson.do("pause", paused=True)
    lesson.do("end")
    game = Game(lesson.client("Mia"), lesson.client("Mia").get(f"/api/games/{tile['id']}").json())
    assert (game.view["paused"], game.view["notice"]) == (False, "")
    game.play("4")


@pytest.mark.parametrize(("winner", "result"), [(0, "1-0"), (1, "0-1"), (None, "1/2-1/2")])
def test_a_teacher_ends_one_game(lesson: Lesson, winner: int | None, result: str) -> None:
    lesson.come("Mia", "Tom", "Ada", "Ben")
    lesson.do("pair")
    ended, other = lesson.games()
    lesson.do("games/end", game=ended["id"], winner=winner)
    tiles = {tile["id"]: tile["is_over"] for tile in lesson.look()["tiles"]}
    assert tiles == {ended["id"]: True, other["id"]: False}
    lines = lesson.teacher.get(f"{lesson.path}/results").json()["text"].splitlines()
    assert [line.split(",")[4:6] for line in lines if result in line] == [[result, "decision"]]
    outcome = lesson.teacher.get(f"/api/games/{ended['id']}").json()["outcome"]
    assert "the teacher decided so" in outcome["sentence"]
    assert lesson.error("games/end", game=ended["id"], winner=winner)["kind"] == "not-now"
    stranger = lesson.client("Mia")
    assert lesson.error("games/end", stranger, game=other["id"], winner=0)["kind"] == "not-yours"


def test_the_games_of_a_class_are_listed_to_its_people_only(lesson: Lesson) -> None:
    lesson.come("Mia", "Tom", "Ada")
    lesson.do("pair", pairs=[[lesson.id("Mia"), lesson.id("Tom")]])
    (tile,) = lesson.games()
    mine = Game(lesson.client("Mia"), lesson.client("Mia").get(f"/api/games/{tile['id']}").json())
    mine.play("4")
    listed = {
        name: [game["id"] for game in client.get("/api/games?whose=class").json()["games"]]
        for name, client in {"Ada": lesson.client("Ada"), "teacher": lesson.teacher}.items()
    }
    assert listed == {"Ada": [tile["id"]], "teacher": [tile["id"]]}
    assert lesson.client("Ada").get("/api/games").json()["games"] == []
    (seen,) = lesson.client("Ada").get("/api/games?whose=class").json()["games"]
    assert (seen["seats"], seen["is_yours"]) == (["Mia", "Tom"], False)
    assert lesson.client("Ada").get("/api/library/export?whose=class").json()["text"].count("[Event ") == 1
    eve = TestClient(lesson.teacher.app, base_url=ADDRESS, cookies={COOKIE: key_of("Eve")})
    assert eve.get("/api/games?whose=class").json()["games"] == []


def test_an_ended_class_takes_nobody(lesson: Lesson) -> None:
    lesson.do("end")
    late = TestClient(lesson.teacher.app, base_url=ADDRESS, cookies={COOKIE: "l" * 24})
    assert lesson.error("join", late, name="Late")["message"] == "This class is over."


@pytest.mark.parametrize(
    ("command", "body"),
    [
        ("pair", {}),
        ("pause", {"paused": True}),
        ("end", {}),
        ("pupils", {"person": "0" * 12}),
        ("seat", {"game": "x", "side": 0, "player": "level:1"}),
        ("tournament", {}),
        ("tournament/round", {}),
        ("tournament/end", {}),
    ],
)
def test_a_pupil_is_no_teacher(lesson: Lesson, command: str, body: Json) -> None:
    before = lesson.look()
    assert lesson.error(command, lesson.client("Mia"), **body)["kind"] == "not-yours"
    assert error_of(lesson.client("Mia").get(f"{lesson.path}/results"))["kind"] == "not-yours"
    assert lesson.look()["is_paused"] == before["is_paused"]


# Results


def test_results_are_a_table_and_games(lesson: Lesson) -> None:
    lesson.come("Mia", "=1+1")
    lesson.do("pair", pairs=[[lesson.id("Mia"), lesson.id("=1+1")]])
    lesson.resign(lesson.games()[0], "Mia")
    text = lesson.teacher.get(f"{lesson.path}/results").json()["text"]
    (row,) = csv.DictReader(io.StringIO(text))
    assert (row["first"], row["second"], row["result"]) == ("Mia", "'=1+1", "0-1")  # no formula for a spreadsheet
    games = lesson.teacher.get(f"{lesson.path}/results?format=pdn").json()["text"]
    assert '[Red "Mia"]\n[Yellow "=1+1"]' in games
    assert "0-1" in games


# The tournament


def test_a_tournament_runs_to_its_end(lesson: Lesson) -> None:
    names = ["Ada", "Ben", "Cem", "Dora", "Emil"]
    lesson.come(*names)
    lesson.do("tournament", format="swiss")
    assert lesson.error("tournament")["kind"] == "not-now"
    for number in (1, 2, 3):
        tournament = lesson.view["tournament"]
        assert (tournament["round"], tournament["rounds"], len(tournament["resting"])) == (number, 3, 1)
        assert lesson.error("tournament/round")["kind"] == "not-now"  # its games are not over
        for tile in lesson.games():
            lesson.resign(tile, max(tile["names"]))  # the first in the alphabet wins
        if number < 3:
            lesson.do("tournament/round")
            lesson.view = lesson.look()
    tournament = lesson.look()["tournament"]
    assert tournament["is_over"]
    first = tournament["standings"][0]
    assert (first["name"], first["points"]) == ("Ada", 3.0)
    assert sum(row["points"] for row in tournament["standings"]) == 9.0  # two games and a bye in each round
    assert sum(row["byes"] for row in tournament["standings"]) == 3


def test_a_tournament_begins_when_nobody_plays(lesson: Lesson) -> None:
    lesson.come("Ada", "Ben", "Cem")
    lesson.do("pair", pairs=[[lesson.id("Ada"), lesson.id("Ben")]])
    (tile,) = lesson.games()
    assert "has a game already" in lesson.error("tournament")["message"]
    assert len(lesson.games()) == 1
    assert lesson.look()["tournament"] is None
    lesson.resign(tile, "Ben")
    lesson.do("tournament", format="swiss")
    play_round(lesson)
    lesson.do("pair", pairs=[[lesson.id("Cem"), lesson.id("Ben")]])
    assert "has a game already" in lesson.error("tournament/round")["message"]


def test_a_pupil_who_is_forgotten_takes_no_points_away(lesson: Lesson) -> None:
    lesson.come("Ada", "Ben")
    lesson.do("tournament", format="swiss")
    (tile,) = lesson.games()
    lesson.resign(tile, "Ben")
    before = {row["name"]: (row["points"], row["won"]) for row in lesson.look()["tournament"]["standings"]}
    assert before["Ada"] == (1.0, 1)
    assert lesson.client("Ben").post("/api/me/forget", json={}).status_code == 200
    after = {row["name"]: (row["points"], row["won"]) for row in lesson.look()["tournament"]["standings"]}
    assert after["Ada"] == (1.0, 1)


def test_a_round_robin_meets_everyone_once(lesson: Lesson) -> None:
    lesson.come("Ada", "Ben", "Cem")
    lesson.do("tournament", format="round-robin", rounds=50)
    met = []
    for number in (1, 2, 3):
        assert lesson.view["tournament"]["rounds"] == 3
        for tile in lesson.games():
            met.append(frozenset(tile["names"]))
            lesson.resign(tile, tile["names"][0])
        if number < 3:
            lesson.do("tournament/round")
    assert len(met) == len(set(met)) == 3


def play_round(lesson: Lesson) -> list[frozenset[str]]:
    """Play all games of the round, the first in the alphabet wins; return who met whom."""
    tiles = lesson.games()
    for tile in tiles:
        lesson.resign(tile, max(tile["names"]))
    return [frozenset(tile["names"]) for tile in tiles]


def test_who_leaves_is_not_paired_and_who_comes_late_joins_in(lesson: Lesson) -> None:
    lesson.come("Ada", "Ben", "Cem", "Dora")
    lesson.do("tournament", format="swiss", rounds=3)
    play_round(lesson)
    lesson.do("pupils", person=lesson.id("Dora"), name=None)
    lesson.come("Emil", "Fay", "Gus")
    lesson.do("tournament/round")
    met = play_round(lesson)
    playing = {name for pair in met for name in pair}
    resting = set(lesson.look()["tournament"]["resting"])
    assert len(met) == 3
    assert playing | resting == {"Ada", "Ben", "Cem", "Emil", "Fay", "Gus"}
    assert "(removed)" in {row["name"] for row in lesson.look()["tournament"]["standings"]}


def test_in_a_round_robin_the_opponent_of_one_who_left_rests(lesson: Lesson) -> None:
    lesson.come("Ada", "Ben", "Cem", "Dora")
    lesson.do("tournament", format="round-robin")
    met = play_round(lesson)
    assert lesson.client("Dora").post("/api/me/forget", json={}).status_code == 200
    for _ in range(2):
        lesson.do("tournament/round")
        met += play_round(lesson)
        assert len(lesson.look()["tournament"]["resting"]) == 1
    assert len(met) == len(set(met)) == 4  # as planned, without the two games of Dora's that were left
    assert {row["byes"] for row in lesson.look()["tournament"]["standings"]} <= {0, 1}


def test_a_pupil_who_was_away_for_minutes_is_not_paired(lesson: Lesson, monkeypatch: pytest.MonkeyPatch) -> None:
    lesson.come("Ada", "Ben", "Cem")
    with lesson.page(lesson.client("Dora")):
        lesson.do("tournament", format="swiss", rounds=3)
    until(
        lambda: lesson.look(), lambda view: not next(one for one in view["people"] if one["name"] == "Dora")["is_here"]
    )
    play_round(lesson)
    monkeypatch.setattr(classes, "GONE_SECONDS", 0.0)
    lesson.do("tournament/round")
    assert "Dora" not in {name for tile in lesson.games() for name in tile["names"]}


@pytest.mark.parametrize("count", range(2, 12))
def test_in_a_circle_everyone_meets_everyone_once(count: int) -> None:
    people = [f"p{number}" for number in range(count)]
    met: list[frozenset[str]] = []
    first = dict.fromkeys(people, 0)
    for number in range(1, rounds_of("round-robin", count) + 1):
        pairs, resting = circle_round(people, number)
        busy = [person for pair in pairs for person in pair] + ([resting] if resting else [])
        assert sorted(busy) == sorted(people)
        met += [frozenset(pair) for pair in pairs]
        for one, _ in pairs:
            first[one] += 1
    assert len(met) == len(set(met)) == count * (count - 1) // 2
    assert max(first.values()) - min(first.values()) <= 2


def test_a_table_counts_and_breaks_ties() -> None:
    def game(one: str, other: str, winner: int | None) -> Summary:
        return Summary("id", "connect4", ("human", "human"), 9, winner, "four", None, people=(one, other))  # type: ignore[arg-type]

    rows = table("abcd", [game("a", "b", 0), game("c", "d", None), game("b", "d", 0)], byes=["c"])
    assert {person: row.points for person, row in rows.items()} == {"a": 1, "b": 1, "c": 1.5, "d": 0.5}
    assert [(place, row.person) for place, row in ranked(rows)] == [(1, "c"), (2, "b"), (3, "a"), (4, "d")]
    pairs, resting = next_pairs("abcd", rows)
    assert resting is None
    assert not {frozenset(pair) for pair in pairs} & {frozenset("ab"), frozenset("cd"), frozenset("bd")}
