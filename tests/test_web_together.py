"""People on a server: whose a game is, a friend by link, another device, and being forgotten."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import httpx2
import pytest
from fastapi.routing import iter_route_contexts
from fastapi.testclient import TestClient
from sqlalchemy import MetaData, select, update
from starlette.routing import Mount, WebSocketRoute

from outplay import connect4
from outplay.outcome import Side
from outplay.record import Game as Record
from outplay.store import SavedGame, Store, open_store, people
from outplay.store.models import Base
from outplay.store.progress import person_here
from outplay.web.app import create_app
from outplay.web.http.people import COOKIE, id_of, public_id
from outplay.web.settings import Settings
from tests.support.processes import until as wait_for
from tests.support.web_server import HUMANS, KEY, Game, Json, ServerProcess, error_of, new_game, on, receive, until
from tools import api_docs

ADDRESS = "http://127.0.0.1:8642"
MIA, TOM, EVE = ("m" * 24, "t" * 24, "e" * 24)


class World:
    """A server in this process, and the people who visit it."""

    def __init__(self, stack: ExitStack) -> None:
        self.store: Store = open_store("memory")
        app = create_app(Settings(slots=1), self.store)
        self._first = stack.enter_context(TestClient(app, base_url=ADDRESS, cookies={COOKIE: MIA}))
        self._people = {MIA: self._first}

    def client(self, key: str) -> TestClient:
        if key not in self._people:
            self._people[key] = TestClient(self._first.app, base_url=ADDRESS, cookies={COOKIE: key})
        return self._people[key]

    def as_seen_by(self, key: str, game: Game) -> Game:
        seen = Game(self.client(key), game.view)
        seen.look()
        return seen

    def friends(self, **options: Any) -> tuple[Game, Game]:
        """A game of Mia, who begins, and Tom, who came by the link."""
        mias = new_game(self.client(MIA), friend=1, **options)
        secret = self.client(MIA).get(f"{mias.path}/invitation").json()["invitation"]
        toms = self.as_seen_by(TOM, mias)
        assert toms.client.post(f"{toms.path}/sit", json={"invitation": secret}).status_code == 200
        mias.look(), toms.look()
        return mias, toms

    def rows(self) -> list[Json]:
        """Every row of every table that the database has."""
        tables, found = MetaData(), []
        tables.reflect(self.store.engine)
        with self.store.engine.connect() as connection:
            for table in tables.sorted_tables:
                found += [{"table": table.name, **row._mapping} for row in connection.execute(select(table))]
        return found

    def rows_of(self, key: str) -> list[Json]:
        """Every row of the database that knows the person who has this key."""
        return [row for row in self.rows() if knows(row, key)]


def knows(row: Json, key: str) -> bool:
    return any(part in str(row) for part in (id_of(key), public_id(id_of(key)), key))


@pytest.fixture
def world() -> Iterator[World]:
    with ExitStack() as stack:
        yield World(stack)


# Whose game it is


def test_who_has_only_the_link_watches(world: World) -> None:
    game = new_game(world.client(MIA))
    game.play("4")
    seen = world.as_seen_by(EVE, game)
    assert seen.view["moves"][0]["text"] == "4"
    for command in ("moves", "resign", "takeback", "redo", "draw", "hint", "step", "stop", "rematch"):
        bodies: dict[str, Json] = {"moves": {"move": "4"}, "hint": {"step": 1}}
        assert seen.error(command, **bodies.get(command, {}))["kind"] == "not-yours", command
    assert game.look()["version"] == seen.view["version"]


def test_a_list_has_mine_and_not_yours(world: World) -> None:
    for key in (MIA, EVE):
        new_game(world.client(key)).play("4")
    (mine,) = world.client(MIA).get("/api/games").json()["games"]
    (hers,) = world.client(EVE).get("/api/games").json()["games"]
    assert mine["id"] != hers["id"]
    exported = world.client(MIA).get("/api/library/export").json()["text"]
    assert exported.count("[Event ") == 1
    response = world.client(EVE).post("/api/library/delete", json={"ids": [hers["id"], mine["id"]]})
    assert (response.status_code, error_of(response)["kind"]) == (403, "not-yours")
    assert len(world.client(EVE).get("/api/games").json()["games"]) == 1  # all or nothing


def test_two_people_at_one_screen_share_a_key(world: World) -> None:
    game = new_game(world.client(MIA), seats=HUMANS)
    assert not game.view["is_shared"]
    game.play("4", "4", "3")
    assert len(game.do("takeback")["moves"]) == 2


def test_a_program_sends_its_key_as_a_token(world: World) -> None:
    bare = TestClient(world.client(MIA).app, base_url=ADDRESS, headers={"authorization": f"Bearer {MIA}"})
    game = new_game(world.client(MIA))
    assert Game(bare, game.view).play("4")["moves"]
    assert bare.get("/api/me").json()["id"] == public_id(id_of(MIA))


def test_who_sends_no_key_is_given_one(world: World) -> None:
    bare = TestClient(world.client(MIA).app, base_url=ADDRESS)
    game = new_game(bare)
    assert bare.cookies[COOKIE]
    assert game.play("4")["moves"]


def test_games_without_an_owner_are_watched_until_the_own_machine_claims_them(tmp_path: Path) -> None:
    with ServerProcess(tmp_path) as server:
        store = open_store(str(tmp_path / "games.sqlite3"), hold="no")
        game = Record(connect4.Position())
        game.play("4")
        store.add([SavedGame("old2345678", game)])
        store.close()
        seen = server.client.get("/api/games/old2345678").json()
        assert seen["owner"] == ""
        (listed,) = server.client.get("/api/games").json()["games"]
        assert listed["id"] == "old2345678"
        assert Game(server.client, seen).error("moves", move="4")["kind"] == "not-yours"
        me = server.client.post("/api/me/visit", json={}).json()
        claimed = Game(server.client, server.client.get("/api/games/old2345678").json())
        assert claimed.view["owner"] == me["id"]
        assert claimed.play("4")["moves"][1]["text"] == "4"
        store = open_store(str(tmp_path / "games.sqlite3"))
        assert person_here(store) == id_of(server.client.cookies[COOKIE])  # who sits at the terminal of this machine
        store.close()
        server.client.cookies.clear()
        server.client.cookies.set(COOKIE, EVE)
        server.client.post("/api/me/visit", json={})
        assert server.client.get("/api/games").json()["games"] == []


def test_another_machine_claims_nothing(world: World) -> None:
    world.store.add([SavedGame("old2345678", Record(connect4.Position()))])
    world.client(MIA).post("/api/me/visit", json={})  # its address is not that of this machine
    assert world.store.owners(["old2345678"]) == {"old2345678": ""}


def test_damaged_games_are_listed_to_those_whose_they_are(world: World) -> None:
    game = new_game(world.client(MIA))
    game.play("4")
    world.client(MIA).app.state.games.put_away(game.view["id"])  # type: ignore[attr-defined]
    with world.store.engine.begin() as connection:
        connection.execute(update(Base.metadata.tables["games"]).values(pdn="nonsense"))
    listed = {key: world.client(key).get("/api/games").json()["damaged"] for key in (MIA, EVE)}
    assert [one["id"] for one in listed[MIA]] == [game.view["id"]]
    assert listed[EVE] == []


# A friend by link


def test_a_friend_sits_down_by_the_link_and_plays(world: World) -> None:
    mias = new_game(world.client(MIA), friend=1)
    assert mias.view["is_shared"]
    assert mias.view["seats"][1]["is_free"]
    assert mias.error("moves", move="4")["kind"] == "not-now"  # it has not begun
    secret = world.client(MIA).get(f"{mias.path}/invitation").json()["invitation"]
    toms = world.as_seen_by(TOM, mias)
    assert error_of(toms.client.get(f"{toms.path}/invitation"))["kind"] == "not-yours"
    assert secret not in str(toms.view)
    assert error_of(toms.client.post(f"{toms.path}/sit", json={"invitation": "wrong"}))["kind"] == "not-yours"
    toms.view = toms.client.post(f"{toms.path}/sit", json={"invitation": secret}).json()
    assert toms.view["seats"][1]["person"] == toms.client.get("/api/me").json()["id"]
    mias.look()
    assert toms.error("moves", move="4")["kind"] == "not-yours"  # it is Mia's turn
    mias.play("4")
    toms.look()
    toms.play("4")
    late = world.client(EVE).post(f"{toms.path}/sit", json={"invitation": secret})
    assert error_of(late)["kind"] == "not-yours"


def test_the_clock_waits_for_the_friend(world: World) -> None:
    mias = new_game(world.client(MIA), friend=1, clock={"base_ms": 60_000})
    with mias.watch() as socket:
        assert socket.receive_json()["game"]["clock"]["running"] is None
    secret = world.client(MIA).get(f"{mias.path}/invitation").json()["invitation"]
    begun = world.client(TOM).post(f"{mias.path}/sit", json={"invitation": secret}).json()
    assert begun["clock"]["running"] == 0


@pytest.mark.parametrize(
    ("command", "body"),
    [("hint", {"step": 1}), ("redo", {}), ("seats", {"second": "level:1"}), ("pace", {"paused": True})],
)
def test_neither_friend_does_alone_what_concerns_both(world: World, command: str, body: Json) -> None:
    mias, _ = world.friends()
    mias.play("4")
    assert mias.error(command, **body)["kind"] == "not-now"


def test_a_move_is_taken_back_when_the_other_agrees(world: World) -> None:
    mias, toms = world.friends()
    mias.play("4")
    toms.look()
    toms.play("5")
    mias.look()
    assert mias.do("takeback")["takeback_offer"] == 0
    assert mias.error("takeback", action="agree")["kind"] == "not-yours"
    toms.look()
    assert toms.do("takeback", action="refuse")["takeback_offer"] is None
    assert len(toms.view["moves"]) == 2
    mias.look()
    mias.do("takeback")
    toms.look()
    after = toms.do("takeback", action="agree")
    assert (after["moves"], after["takeback_offer"]) == ([], None)


def test_a_draw_is_agreed_by_both(world: World) -> None:
    mias, toms = world.friends(game="checkers")
    assert mias.do("draw")["draw_offer"] == 0
    assert mias.error("draw", action="accept")["kind"] == "not-yours"
    toms.look()
    assert toms.do("draw", action="accept")["outcome"]["reason"] == "agreement"


def test_each_resigns_for_the_own_side_only(world: World) -> None:
    mias, toms = world.friends()
    assert mias.error("resign", side=1)["kind"] == "not-yours"
    assert toms.do("resign")["outcome"]["winner"] == 0


def test_a_rematch_swaps_the_friends(world: World) -> None:
    mias, toms = world.friends()
    mias.do("resign")
    again = mias.post("rematch").json()
    assert (toms.look()["rematch"], toms.view["rematch_by"]) == (again["id"], 0)  # Mia, who was Red
    assert toms.post("rematch").json()["id"] == again["id"]
    assert [seat["person"] for seat in again["seats"]] == [seat["person"] for seat in reversed(mias.view["seats"])]


def test_the_clock_of_a_rematch_waits_for_both(world: World) -> None:
    mias, toms = world.friends(clock={"base_ms": 60_000})
    mias.do("resign")
    again = Game(mias.client, mias.post("rematch").json())
    with again.watch() as socket:
        assert socket.receive_json()["game"]["clock"]["running"] is None
        toms = world.as_seen_by(TOM, again)
        assert toms.view["clock"]["running"] is None
        with toms.watch() as other:
            assert other.receive_json()["game"]["clock"]["running"] == 0


def test_there_is_no_rematch_before_the_end(world: World) -> None:
    mias, _ = world.friends()
    assert "is not over" in mias.error("rematch")["message"]
    waiting = new_game(world.client(MIA), friend=1)
    assert "is not over" in waiting.error("rematch")["message"]


def test_the_clock_of_a_rematch_waits_for_both_after_a_restart_too(tmp_path: Path) -> None:
    other = {"cookie": f"{COOKIE}={TOM}"}
    with ServerProcess(tmp_path) as server:
        mias = new_game(server.client, friend=1, clock={"base_ms": 60_000})
        secret = server.client.get(f"{mias.path}/invitation").json()["invitation"]
        server.client.cookies.clear()
        assert server.client.post(f"{mias.path}/sit", json={"invitation": secret}, headers=other).status_code == 200
        body = {"version": mias.look()["version"]}
        ended = server.client.post(f"{mias.path}/resign", json=body, headers=other)
        assert ended.status_code == 200, ended.text
        body = {"version": ended.json()["version"]}
        again = server.client.post(f"{mias.path}/rematch", json=body, headers=other).json()
        server.kill()
    with ServerProcess(tmp_path) as server:
        mine = on(server, Game(server.client, again))
        with server.socket(mine) as socket:
            assert receive(socket)["game"]["clock"]["running"] is None


@pytest.mark.parametrize("invitation", ["\u00e9" * 5, "x", "\U0001f600"])
def test_a_wrong_invitation_is_refused_in_any_letters(world: World, invitation: str) -> None:
    mias = new_game(world.client(MIA), friend=1)
    toms = world.as_seen_by(TOM, mias)
    assert toms.client.post(f"{toms.path}/sit", json={"invitation": invitation}).status_code == 403


def test_at_one_screen_the_sides_are_the_names(world: World) -> None:
    world.client(MIA).post("/api/me/name", json={"name": "Mia"})
    game = new_game(world.client(MIA), seats=HUMANS)
    game.play("4")
    assert [seat["title"] for seat in game.view["seats"]] == ["Red", "Yellow"]
    (listed,) = world.client(MIA).get("/api/games").json()["games"]
    assert listed["seats"] == ["Red", "Yellow"]


def test_lists_and_studies_say_what_is_mine(world: World) -> None:
    mias, toms = world.friends()
    mias.play("4")
    for game, is_mine in ((mias, True), (toms, False)):
        (listed,) = game.client.get("/api/games").json()["games"]
        assert listed["is_yours"] is is_mine  # who made it can delete it
        assert game.client.get(f"{game.path}/study").json()["is_yours"]  # who plays in it can change its tree
    assert not world.client(EVE).get(f"{mias.path}/study").json()["is_yours"]


def test_the_links_to_a_seat_and_to_a_device_are_pages(world: World) -> None:
    for path in ("/play/abcdefgh23/sit/k4V-TQXaLCnzpYjB", "/me/k7wq-3mfd"):
        assert world.client(EVE).get(path, headers={"accept": "text/html"}).status_code == 200


def test_names_are_those_that_people_choose(world: World) -> None:
    mias, toms = world.friends()
    assert [seat["title"] for seat in mias.view["seats"]] == ["Red", "Yellow"]
    assert world.client(TOM).post("/api/me/name", json={"name": "  Tom \u202e Sawyer\n"}).json()["name"] == "Tom Sawyer"
    assert mias.look()["seats"][1]["title"] == "Tom Sawyer"
    mias.play("4")
    assert world.client(MIA).get("/api/games").json()["games"][0]["seats"] == ["Red", "Tom Sawyer"]
    assert toms.client.post("/api/me/name", json={"name": "x" * 41}).status_code == 413


def test_pages_hear_who_is_here_and_what_is_said(world: World) -> None:
    mias, toms = world.friends()
    with mias.watch() as socket:
        here = until(socket.receive_json, lambda event: event["kind"] == "people")
        assert (here["here"], here["watchers"]) == ([True, False], 0)
        with toms.watch():
            assert until(socket.receive_json, lambda event: event["kind"] == "people")["here"] == [True, True]
            said = toms.client.post(f"{toms.path}/say", json={"message": 0}).json()
            assert until(socket.receive_json, lambda event: event["kind"] == "said")["said"] == said
        assert until(socket.receive_json, lambda event: event["kind"] == "people")["here"] == [True, False]
        eves = world.as_seen_by(EVE, mias)
        with eves.watch():
            assert until(socket.receive_json, lambda event: event["kind"] == "people")["watchers"] == 1
        assert error_of(eves.client.post(f"{eves.path}/say", json={"message": 0}))["kind"] == "not-yours"


def test_seats_survive_a_killed_server(tmp_path: Path) -> None:
    with ServerProcess(tmp_path) as server:
        game = new_game(server.client, friend=1)
        secret = server.client.get(f"{game.path}/invitation").json()["invitation"]
        server.kill()
    with ServerProcess(tmp_path) as server:
        mine = on(server, game)
        assert mine.view["seats"][1]["is_free"]
        other = {"cookie": f"{COOKIE}={TOM}"}
        server.client.cookies.clear()
        assert server.client.post(f"{game.path}/sit", json={"invitation": secret}, headers=other).status_code == 200
        server.kill()
    with ServerProcess(tmp_path) as server:
        mine = on(server, game)
        mine.play("4")
        with server.socket(mine) as socket:
            assert receive(socket)["game"]["version"] == mine.view["version"]
        server.client.cookies.clear()
        body = {"version": mine.view["version"], "move": "4"}
        assert server.client.post(f"{game.path}/moves", json=body, headers=other).status_code == 200


# Another device


def test_a_code_brings_the_key_to_another_device_once(world: World) -> None:
    game = new_game(world.client(MIA))
    code = world.client(MIA).post("/api/me/copy", json={}).json()["code"]
    phone = TestClient(world.client(MIA).app, base_url=ADDRESS)
    assert phone.post("/api/me/enter", json={"code": code.upper().replace("-", " ")}).status_code == 200
    assert phone.cookies[COOKIE] == MIA
    assert Game(phone, game.view).play("4")["moves"]
    again = phone.post("/api/me/enter", json={"code": code})
    assert (again.status_code, error_of(again)["kind"]) == (404, "unknown-code")


def test_a_new_code_replaces_the_last_one(world: World) -> None:
    first, second = (world.client(MIA).post("/api/me/copy", json={}).json()["code"] for _ in range(2))
    assert world.client(EVE).post("/api/me/enter", json={"code": first}).status_code == 404
    assert world.client(EVE).post("/api/me/enter", json={"code": second}).status_code == 200


# Forget me


def test_forget_me_leaves_no_row_of_mine(world: World) -> None:
    new_game(world.client(MIA)).play("4")
    mias, toms = world.friends()
    mias.play("4")
    world.client(MIA).post("/api/me/name", json={"name": "Mia"})
    world.client(MIA).post("/api/library/import", json={"text": "1. 11-15 23-19 *"})
    assert len(world.rows_of(MIA)) == 4
    response = world.client(MIA).post("/api/me/forget", json={})
    assert "Max-Age=0" in response.headers["set-cookie"]
    assert world.rows_of(MIA) == []
    toms.look()
    assert toms.view["owner"] == toms.client.get("/api/me").json()["id"]
    toms.play("4")  # the game is still there, and saving it brings nothing back
    assert world.rows_of(MIA) == []
    (left,) = world.rows_of(TOM)
    assert [row["id"] for row in world.rows() if row["table"] == "games"] == [left["id"]] == [toms.view["id"]]


def test_a_forgotten_key_is_dead_on_every_device(world: World) -> None:
    code = world.client(MIA).post("/api/me/copy", json={}).json()["code"]
    phone = TestClient(world.client(MIA).app, base_url=ADDRESS)
    assert phone.post("/api/me/enter", json={"code": code}).status_code == 200
    late = world.client(MIA).post("/api/me/copy", json={}).json()["code"]
    world.client(MIA).post("/api/me/forget", json={})
    for headers in ({}, {"authorization": f"Bearer {MIA}"}):
        refused = phone.post("/api/games", json={"game": "connect4", "seats": HUMANS}, headers=headers)
        assert (refused.status_code, error_of(refused)["kind"]) == (401, "forgotten")
    assert world.client(EVE).post("/api/me/enter", json={"code": late}).status_code == 404
    page = phone.get("/", headers={"accept": "text/html"})  # the next page brings a new key
    assert page.status_code == 200
    assert phone.cookies[COOKIE] != MIA
    assert [phone.post("/api/me/visit", json={}).json()["was_forgotten"] for _ in range(2)] == [True, False]
    assert new_game(phone).play("4")["owner"] == phone.get("/api/me").json()["id"]
    assert world.rows_of(MIA) == []


def test_a_forgotten_key_stays_dead_after_a_restart(tmp_path: Path) -> None:
    with ServerProcess(tmp_path) as server:
        new_game(server.client).play("4")
        assert server.client.post("/api/me/forget", json={}).status_code == 200
        server.kill()
    with ServerProcess(tmp_path) as server:
        assert error_of(server.client.get("/api/me"))["kind"] == "forgotten"
        with server.socket(Game(server.client, {"id": "game234567"})) as socket:
            assert (
                receive(socket)["error"]["kind"] == "unknown-game"
            )  # a page that is still open hears no more than that


def test_a_key_is_refused_for_a_year(world: World) -> None:
    people.forget(world.store, id_of(MIA))
    with world.store.engine.begin() as connection:
        connection.execute(update(Base.metadata.tables["forgotten"]).values(at=datetime.now(UTC) - timedelta(days=400)))
    people.forget(world.store, id_of(EVE))
    people.forget(world.store, id_of(EVE))
    assert people.forgotten(world.store) == {people.mark_of(id_of(EVE))}


def test_forgetting_spares_others(world: World) -> None:
    person = id_of(EVE)
    world.store.add([SavedGame("game234567", Record(connect4.Position()), owner=person, people=(person, person))])
    assert people.forget(world.store, id_of(MIA)) == []
    saved = world.store.load("game234567")
    assert saved is not None
    assert saved.sides_of(person) == (Side.FIRST, Side.SECOND)
    assert world.rows_of(EVE)


# Every route

DOCUMENT = create_app().openapi()
FREE = {
    "POST /api/positions",  # reads a text
    "POST /api/games",  # these begin something of one's own
    "POST /api/classes",
    "POST /api/classes/{code}/join",  # the code is the right to join
    "POST /api/library/import",
    "POST /api/lab/runs",
    "POST /api/lab/monte-carlo",
    "POST /api/analyses",
    "POST /api/studies",
    "POST /api/puzzles/own",
    "POST /api/puzzles/{puzzle}/try",  # these change what the one who asks has learned
    "POST /api/puzzles/{puzzle}/hint",
    "POST /api/puzzles/{puzzle}/solution",
    "POST /api/learn/lessons/{game}/{name}/{step}/read",
    "POST /api/learn/lessons/{game}/{name}/{step}/answer",
    "POST /api/learn/lessons/{game}/{name}/{step}/hint",
    "POST /api/learn/lessons/{game}/{name}/{step}/solution",
    "POST /api/lab/course/{part}/again",
    "POST /api/lab/course/{part}/{step}/read",
    "POST /api/lab/course/{part}/{step}/answer",
    "POST /api/learn/record/told",
    "POST /api/arena",
    "POST /api/me/visit",
    "POST /api/me/name",
    "POST /api/me/copy",
    "POST /api/me/enter",
    "POST /api/me/forget",
}
"""The commands that change nothing of anybody else. Each other one must be refused to a stranger."""
REFUSED_ANYWAY = {"POST /api/me/enter", "POST /api/lab/course/{part}/{step}/answer"}
"""Free commands whose example is refused to everyone: an unknown code, a step without a question."""
ROUTES = [f"{method.upper()} {path}" for path, methods in DOCUMENT["paths"].items() for method in methods]
GUARDED = [route for route in ROUTES if not route.startswith("GET ") and route not in FREE]
PRIVATE = {
    "GET /api/games/{id}/raw",
    "GET /api/games/{id}/invitation",
    "GET /api/classes/{code}/results",
}
"""What only the one who made a game or opened a class may look at."""
FOR_BOTH = {
    route
    for route in GUARDED
    if re.match(r"POST /api/games/\{id\}/(?!resign)", route) or route == "POST /api/classes/{code}/ask"
}
"""The commands that Tom may use as well, who plays in Mia's game and is a pupil of her class."""
ALL = list(iter_route_contexts(create_app().routes))
SOCKETS = [str(one.path) for one in ALL if isinstance(one.route, WebSocketRoute)]
LOOKS = [f"GET {one.path}" for one in ALL if "GET" in (getattr(one.route, "methods", None) or ())]
"""All pages too, and what the document does not name."""
LESSON = {"game": "connect4", "name": "double-threats", "step": "1", "part": "minimax", "puzzle": "c4-0001"}
"""What the free commands are tried with."""


class School(World):
    """Mia and Tom play as friends and in a class, Mia has a study, a tournament and a lesson; Eve is a stranger."""

    def __init__(self, stack: ExitStack) -> None:
        super().__init__(stack)
        mia = self.client(MIA)
        self.game, _ = self.friends()
        self.game.play("4")
        mia.post("/api/me/name", json={"name": "Mia"})
        mia.post("/api/learn/lessons/connect4/double-threats/1/read", json={})
        mia.post("/api/studies", json={"game": "connect4", "position": "4453"})
        self.code = mia.post("/api/classes", json={"title": "7b"}).json()["code"]
        assert self.client(TOM).post(f"/api/classes/{self.code}/join", json={"name": "Tom"}).status_code == 200

    def _run(self, kind: str) -> str:
        """A run of Mia's that has ended."""
        mia = self.client(MIA)
        run: str = mia.post(f"/api/{kind}", json=api_docs.EXAMPLES[f"POST /api/{kind}"]).json()["id"]
        assert mia.post(f"/api/{kind}/{run}/stop", json={}).status_code == 200
        wait_for(lambda: mia.get(f"/api/{kind}/{run}").json()["status"] not in ("waiting", "running"))
        return run

    def request(self, key: str, route: str) -> Callable[[], httpx2.Response]:
        """Prepare a command about something of Mia's, as complete as it could be; the call sends it."""
        method, path = route.split(" ")
        match = re.match(r"/api/(lab/runs|analyses|puzzles/own|arena)/\{", path)
        known = {"id": self._run(match[1]) if match else self.game.view["id"], "code": self.code, **LESSON}
        address = re.sub(r"\{(\w+)(:\w+)?\}", lambda field: known.get(field[1], "x"), path)
        body = dict(api_docs.EXAMPLES.get(route, {}))
        mine = {"version": self.game.look()["version"], "ids": [self.game.view["id"]], "person": public_id(id_of(TOM))}
        body |= {field: value for field, value in mine.items() if field in body}
        if "/study/" in path:
            body["version"] = 0
        return partial(self.client(key).request, method, address, json=body if method == "POST" else None)


@pytest.fixture
def school() -> Iterator[School]:
    with ExitStack() as stack:
        yield School(stack)


@pytest.fixture(scope="module")
def closed_school() -> Iterator[School]:
    """One school for all who are refused: each leaves it as it was."""
    with ExitStack() as stack:
        yield School(stack)


def test_every_route_that_can_change_something_is_in_the_table() -> None:
    assert set(ROUTES) >= FREE | PRIVATE
    for one in ALL:
        if isinstance(one.route, Mount):
            assert one.path == "/assets"  # files
        elif not isinstance(one.route, WebSocketRoute):
            methods = set(getattr(one.route, "methods", None) or ()) - {"GET", "HEAD"}
            assert {f"{method} {one.path}" for method in methods} <= set(ROUTES), one


@pytest.mark.parametrize(
    ("key", "route"),
    [
        *((EVE, route) for route in [*GUARDED, *sorted(PRIVATE)]),
        *((TOM, route) for route in [*GUARDED, *sorted(PRIVATE)] if route not in FOR_BOTH),
    ],
)
def test_who_does_not_own_it_is_refused_and_changes_nothing(closed_school: School, key: str, route: str) -> None:
    send = closed_school.request(key, route)
    before = closed_school.rows()
    response = send()
    assert response.status_code == 403, response.text
    assert error_of(response)["kind"] == "not-yours"
    assert closed_school.rows() == before
    assert KEY not in response.text


def test_after_all_refusals_everything_looks_as_before(school: School) -> None:
    """What lies in memory, too: games, classes, tournaments and runs as their owners see them."""
    looks = {
        (key, route): school.request(key, route)
        for key in (MIA, TOM)
        for route in ROUTES
        if re.match(r"GET /api/.*\{(id|code)\}", route)
    }
    commands = [
        school.request(key, route) for route in GUARDED for key in (EVE, TOM) if key == EVE or route not in FOR_BOTH
    ]
    before = {look: send().json() for look, send in looks.items()}
    assert {command().status_code for command in commands} == {403}
    for look, send in looks.items():
        assert send().json() == before[look], look


def test_the_same_commands_are_carried_out_for_the_owner(school: School) -> None:
    """So it is the person that was refused, and not the example."""
    last = "POST /api/library/delete"
    for route in [*sorted(PRIVATE), *(route for route in GUARDED if route != last), last]:
        key = TOM if route in ("POST /api/games/{id}/moves", "POST /api/classes/{code}/ask") else MIA
        response = school.request(key, route)()
        assert response.status_code in (200, 201, 409), (route, response.text)


def test_a_forgotten_key_can_use_no_route(school: School) -> None:
    sends = {route: school.request(EVE, route) for route in ROUTES}
    school.client(EVE).post("/api/me/forget", json={})
    school.client(EVE).cookies.set(COOKIE, EVE)
    before = school.rows()
    for route, send in sends.items():
        response = send()
        assert (response.status_code, error_of(response)["kind"]) == (401, "forgotten"), route
    assert school.rows() == before


@pytest.mark.parametrize("route", sorted(FREE))
def test_a_free_command_changes_only_what_belongs_to_the_one_who_sends_it(school: School, route: str) -> None:
    send = school.request(EVE, route)
    before = school.rows()
    response = send()
    assert response.status_code < 400 or route in REFUSED_ANYWAY, response.text
    after = school.rows()
    assert [row for row in before if row not in after] == []
    added = [row for row in after if row not in before]
    assert all(knows(row, EVE) for row in added if row["table"] != "forgotten"), added


def test_to_look_changes_nothing_and_shows_no_secret(school: School) -> None:
    school.game = new_game(school.client(MIA), friend=1)
    looks = {route: school.request(EVE, route) for route in LOOKS}
    secrets = [school.client(MIA).get(f"{school.game.path}/invitation").json()["invitation"]]
    secrets += [secret for key in (MIA, TOM) for secret in (key, id_of(key))]
    before = school.rows()
    for route, look in looks.items():
        response = look()
        assert response.status_code < 500, route
        assert not [secret for secret in secrets if secret in response.text], route
    assert school.rows() == before


@pytest.mark.parametrize("path", SOCKETS)
def test_a_stranger_at_a_socket_changes_nothing(school: School, path: str) -> None:
    before = school.rows()
    known = {"game_id": school.game.view["id"], "code": school.code}
    address = path.format_map(known)
    with school.client(EVE).websocket_connect(f"ws://{ADDRESS.removeprefix('http://')}{address}") as socket:
        for kind in ("ping", "resume", *(route.rpartition("/")[2] for route in ROUTES)):
            socket.send_json({"kind": kind, "revision": 0, "version": school.game.view["version"], "move": "4"})
        socket.send_json({"kind": "ping"})
        kinds = set()
        for _ in ROUTES:
            kinds.add(socket.receive_json()["kind"])
    assert kinds <= {"state", "class", "tiles", "people", "clock", "error", "pong"}
    assert school.rows() == before
