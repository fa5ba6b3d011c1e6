"""The arena: tournaments begun by a page, watched, paused, killed and gone on with; and the bots of a server."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from outplay.engine.sandbox import Sandbox
from outplay.errors import EngineError, NotationError
from outplay.match import rate
from outplay.match.ratings import Meeting
from outplay.notation import games
from outplay.web.bots import find_bots
from outplay.web.http.people import COOKIE
from outplay.web.settings import ALONE, Settings
from tests.support.web_server import SECONDS, Json, ServerProcess, app_client, error_of, new_game

QUICK = {"game": "connect4", "players": ["level:1", "random"], "games": 2, "time_ms": 10, "seed": 5}
LONG = {**QUICK, "players": ["level:1", "level:2", "random"], "games": 40}
BOTS = {
    "first": "def choose(position):\n    return position.legal_moves()[0]\n",
    "column": "def choose(position):\n    return 3\n",
    "crash": "def choose(position):\n    return position.legal_moves()[0] if position.plies < 6 else 1 / 0\n",
}


@pytest.fixture
def client() -> Iterator[TestClient]:
    with app_client() as client:
        yield client


def begin(client: Any, **request: Any) -> Json:
    response = client.post("/api/arena", json={**QUICK, **request})
    assert response.status_code == 201, response.text
    view: Json = response.json()
    return view


def until(client: Any, view: Json, holds: Callable[[Json], bool]) -> Json:
    """The tournament as soon as this holds."""
    ends = time.monotonic() + SECONDS
    while not holds(view):
        assert time.monotonic() < ends, view
        time.sleep(0.05)
        view = client.get(f"/api/arena/{view['id']}").json()
    return view


def is_over(view: Json) -> bool:
    return view["status"] not in ("running", "paused")


def post(client: Any, view: Json, command: str, **body: Any) -> Json:
    response = client.post(f"/api/arena/{view['id']}/{command}", json=body)
    assert response.status_code == 200, response.text
    answer: Json = response.json()
    return answer


# A whole tournament


@pytest.mark.parametrize("game", ["connect4", "checkers"])
def test_a_tournament_is_played_and_its_games_can_be_analysed(client: TestClient, game: str) -> None:
    view = begin(client, game=game)
    assert (view["planned"], view["is_yours"], view["title"]) == (2, True, "Two players, everyone against everyone")
    view = until(client, view, is_over)
    assert (view["status"], view["played"], view["now"]) == ("done", 2, [])
    assert sum(row["points"] for row in view["rows"]) == 2
    listed = client.get(f"/api/arena/{view['id']}/games").json()
    assert listed["total"] == 2
    for one in listed["games"]:
        study = client.get(f"/api/games/{one['id']}/study").json()
        assert study["game"] == game
        assert len(study["nodes"]) > one["plies"] / 2
    assert client.get("/api/games").json()["games"] == []  # the library is not flooded


def test_the_ratings_are_those_of_the_games(client: TestClient) -> None:
    view = until(client, begin(client, players=["level:1", "random", "level:2"], games=4), is_over)
    order = [row["player"] for row in view["rows"]]
    meetings = []
    for i, a in enumerate(order):
        for j, b in enumerate(order):
            if i < j:
                found = client.get(f"/api/arena/{view['id']}/games?player={a}&other={b}").json()["games"]
                points = [one["result"] if one["players"][0] == a else one["result"][::-1] for one in found]
                cell = view["cross"][i][j]
                assert cell["games"] == len(found) == 4
                assert cell["points"] == points.count("1-0") + points.count("1/2-1/2") / 2 + points.count("2/1-2/1") / 2
                draws = sum("2" in one for one in points)
                meetings.append(Meeting(a, b, points.count("1-0"), draws, points.count("0-1")))
    expected = rate(3, meetings)
    for row in view["rows"]:
        assert row["elo"] == pytest.approx(expected.elo[row["player"]])
        assert row["error"] == pytest.approx(expected.error[row["player"]])
    assert [row["elo"] for row in view["rows"]] == sorted((row["elo"] for row in view["rows"]), reverse=True)


def test_what_is_played_now_is_shown_and_framed(client: TestClient) -> None:
    view = until(client, begin(client, players=["level:2", "random"], games=20, time_ms=100), lambda view: view["now"])
    tile = view["now"][0]
    assert set(tile["names"]) == {"Random", next(row["name"] for row in view["rows"] if row["what"] == "level 2")}
    assert view["cross"][0][1]["is_playing"]
    begun = tile["board"].count(".")
    moved = until(client, view, lambda view: any(one["board"].count(".") != begun for one in view["now"]))
    assert moved["status"] == "running"
    post(client, view, "stop")


def test_pause_go_on_and_stop(client: TestClient) -> None:
    view = begin(client, **LONG)
    view = until(client, view, lambda view: view["played"] > 1)
    assert post(client, view, "pause", paused=True)["status"] == "paused"
    rests = until(client, view, lambda view: view["status"] == "paused" and not view["now"])
    assert client.get(f"/api/arena/{view['id']}").json()["played"] == rests["played"] < rests["planned"]
    assert "Paused after" in rests["sentence"]
    again = client.post(f"/api/arena/{view['id']}/pause", json={"paused": True})
    assert (again.status_code, error_of(again)["kind"]) == (409, "not-now")
    assert post(client, view, "pause", paused=False)["status"] == "running"
    until(client, view, lambda view: view["played"] > rests["played"])
    stopped = post(client, view, "stop")
    assert stopped["status"] == "stopped"
    assert client.get(f"/api/arena/{view['id']}").json()["now"] == []
    assert post(client, view, "pause", paused=False)["status"] == "running"  # what was stopped can be gone on with
    until(client, view, lambda view: view["played"] > stopped["played"])
    assert post(client, view, "delete") == {}
    assert client.get(f"/api/arena/{view['id']}").status_code == 404
    assert client.get("/api/arena").json()["tournaments"] == []


def test_reports(client: TestClient) -> None:
    view = until(client, begin(client), is_over)
    files = {
        form: client.get(f"/api/arena/{view['id']}/report?format={form}").json()
        for form in ("html", "csv", "games", "pdn")
    }
    assert files["html"]["name"].endswith(".html")
    assert "<h2>Standings</h2>" in files["html"]["text"]
    assert files["csv"]["text"].splitlines()[0].startswith(",player,games,won")
    assert len(files["games"]["text"].splitlines()) == 3
    assert [game.headers["Round"] for game in games(files["pdn"]["text"])] == ["1.1.1.1", "1.1.1.2"]


@pytest.mark.parametrize(
    ("changes", "kind", "words"),
    [
        ({"players": ["level:1", "level:99"]}, "unknown-player", "no player level:99"),
        ({"players": ["level:1", "human"]}, "unknown-player", "no player human"),
        ({"players": ["level:1", "searcher"]}, "unknown-player", "no player searcher"),  # it plays the other game
        ({"players": ["level:1", "level:1"]}, "notation", "take part only once"),
        ({"players": ["level:1"]}, "invalid", "players"),
        ({"players": ["/etc/passwd", "level:1"]}, "invalid", "players"),
        ({"players": [f"level:{n}" for n in range(1, 9)], "games": 100}, "notation", "at most 2,000 games"),
        ({"games": 0}, "invalid", "games"),
    ],
)
def test_bad_requests_are_refused(client: TestClient, changes: Json, kind: str, words: str) -> None:
    response = client.post("/api/arena", json={**QUICK, **changes})
    assert response.status_code == 422
    assert error_of(response)["kind"] == kind
    assert words.lower() in error_of(response)["message"].lower()
    assert client.get("/api/arena").json()["tournaments"] == []


def test_one_person_has_a_few_at_a_time() -> None:
    with app_client(Settings(db="sqlite://", slots=1, limits=ALONE)) as client:
        views = [begin(client, **LONG) for _ in range(2)]
        third = client.post("/api/arena", json=LONG)
        assert (third.status_code, error_of(third)["kind"]) == (429, "rate")
        post(client, views[0], "stop")
        begin(client, **LONG)


# Rights


def test_others_watch_and_do_not_rule(client: TestClient) -> None:
    client.post("/api/me/name", json={"name": "Ada"})
    view = begin(client, **LONG)
    eve = TestClient(client.app, base_url=str(client.base_url), cookies={COOKIE: "e" * 24})
    (listed,) = eve.get("/api/arena").json()["tournaments"]
    assert (listed["id"], listed["is_yours"], listed["owner"]) == (view["id"], False, "Ada")
    assert not eve.get(f"/api/arena/{view['id']}").json()["is_yours"]
    for command, body in {"pause": {"paused": True}, "stop": {}, "delete": {}}.items():
        response = eve.post(f"/api/arena/{view['id']}/{command}", json=body)
        assert (response.status_code, error_of(response)["kind"]) == (403, "not-yours")
    post(client, view, "stop")
    assert eve.get("/api/arena").json()["tournaments"] == []  # it is over, and not theirs


def test_forget_me_ends_and_deletes_my_tournaments(client: TestClient) -> None:
    view = until(client, begin(client, **LONG), lambda view: view["played"] > 1)
    client.post("/api/me/forget", json={})
    client.cookies.clear()  # the key is forgotten, too
    assert client.get(f"/api/arena/{view['id']}").status_code == 404
    assert client.app.state.games.store.count() == 0  # type: ignore[attr-defined]


# A killed server


def test_a_killed_server_loses_no_finished_game(tmp_path: Path) -> None:
    with ServerProcess(tmp_path) as server:
        view = begin(server.client, **LONG)
        view = until(server.client, view, lambda view: view["played"] > 2)
        before = {one["key"]: one["id"] for one in finished(server, view)}
        server.kill()
    with ServerProcess(tmp_path) as server:
        later = until(server.client, view, lambda view: view["played"] > len(before))  # it goes on by itself
        after = {one["key"]: one["id"] for one in finished(server, later)}
        assert before.items() <= after.items()
        post(server.client, view, "pause", paused=True)
        rests = until(server.client, later, lambda view: view["status"] == "paused" and not view["now"])
        server.kill()
    with ServerProcess(tmp_path) as server:
        seen = server.client.get(f"/api/arena/{view['id']}").json()
        assert (seen["status"], seen["played"]) == ("paused", rests["played"])  # what rested still rests
        post(server.client, view, "pause", paused=False)
        until(server.client, view, lambda view: view["played"] > rests["played"])


def finished(server: ServerProcess, view: Json) -> list[Json]:
    found: list[Json] = server.client.get(f"/api/arena/{view['id']}/games?limit=500").json()["games"]
    return found


# Bots


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in BOTS.items():
        (tmp_path / f"{name}.py").write_text(text)
    return tmp_path


def seated(folder: Path, *names: str) -> Settings:
    bots = find_bots([str(folder / f"{name}.py:choose") for name in names], Sandbox("limits"))
    return Settings(db="sqlite://", slots=1, bots=bots)


def test_a_bot_is_offered_for_the_games_that_it_plays(folder: Path) -> None:
    with app_client(seated(folder, "first", "column")) as client:
        about = client.get("/api/about").json()
        offered = {
            info["game"]: [card["player"] for card in info["players"] if card["kind"] == "bot"]
            for info in about["games"]
        }
        assert offered == {"connect4": ["bot:first", "bot:column"], "checkers": ["bot:first"]}
        assert "with limits" in about["bots"]
        assert str(folder) not in str(about)
        arena = client.get("/api/arena").json()
        assert "bot:column" in [card["player"] for card in arena["games"][0]["players"]]
        game = new_game(client, seats=["human", "bot:column"])
        game.play("1")
        assert until_moves(client, game.path, 2)["moves"][1]["text"] == "4"
    with app_client() as client:  # another server has no bots
        assert client.get("/api/about").json()["bots"] == ""
        assert error_of(client.post("/api/games", json={"game": "connect4", "seats": ["human", "bot:first"]}))


def until_moves(client: TestClient, path: str, number: int) -> Json:
    ends = time.monotonic() + SECONDS
    while True:
        view: Json = client.get(path).json()
        if len(view["moves"]) >= number or view["status"] == "failed":
            return view
        assert time.monotonic() < ends
        time.sleep(0.05)


def test_a_bot_that_crashes_pauses_the_game_until_another_player_is_chosen(folder: Path) -> None:
    with app_client(seated(folder, "crash")) as client:
        game = new_game(client, seats=["human", "bot:crash"], position="112233")
        game.play("7")
        view = until_moves(client, game.path, 8)
        assert view["status"] == "failed"
        assert "ZeroDivisionError" in str(view["failure"])
        game.look()
        game.do("retry")
        assert until_moves(client, game.path, 8)["status"] == "failed"
        game.look()
        game.do("seats", second="level:1")
        assert len(until_moves(client, game.path, 2)["moves"]) >= 2


def test_a_seat_of_a_bot_survives_a_restart(folder: Path) -> None:
    arguments = ("--port", "0", "--bot", f"{folder}/first.py:choose")
    heard: list[str] = []
    with ServerProcess(folder, *arguments, heard=heard.append) as server:
        game = new_game(server.client, seats=["human", "bot:first"])
        server.kill()
    assert any("Bot first" in line and "plays Connect Four and Checkers" in line for line in heard)
    assert any("bubblewrap" in line or "limits" in line for line in heard)
    with ServerProcess(folder, *arguments) as server:
        view = server.client.get(game.path).json()
        assert view["seats"][1]["title"] == "first"
        body = {"version": view["version"], "move": "4"}
        assert server.client.post(f"{game.path}/moves", json=body).status_code == 200
        ends = time.monotonic() + SECONDS
        while len(server.client.get(game.path).json()["moves"]) < 2:
            assert time.monotonic() < ends
            time.sleep(0.05)


def test_a_bot_that_crashes_loses_its_games_of_a_tournament_and_says_why(folder: Path) -> None:
    with app_client(seated(folder, "crash")) as client:
        view = until(client, begin(client, players=["bot:crash", "random"]), is_over)
        row = next(row for row in view["rows"] if row["is_bot"])
        failure = row["failure"]
        assert failure["count"] == row["lost"] >= 1
        assert "ZeroDivisionError: division by zero" in failure["sentence"]
        assert any("1 / 0" in line for line in failure["trace"])
        assert str(folder) not in str(view)
        assert client.get(f"/api/games/{failure['game']}/study").status_code == 200
        assert "with limits" in view["notes"][-1]
        report = client.get(f"/api/arena/{view['id']}/report").json()["text"]
        assert "ZeroDivisionError" in report


@pytest.mark.slow
def test_a_tournament_whose_bot_is_gone_says_so_and_goes_on_when_it_is_back(folder: Path) -> None:
    bot = ("--port", "0", "--bot", f"{folder}/first.py:choose")
    with ServerProcess(folder, *bot) as server:
        view = begin(server.client, players=["bot:first", "level:1"], games=60)
        until(server.client, view, lambda view: view["played"] > 1)
        server.kill()
    with ServerProcess(folder) as server:
        gone = server.client.get(f"/api/arena/{view['id']}").json()
        assert (gone["status"], gone["message"]) == ("failed", "There is no player bot:first here.")
        assert gone["played"] > 1
    with ServerProcess(folder, *bot) as server:
        post(server.client, view, "pause", paused=False)
        until(server.client, view, lambda view: view["played"] > gone["played"])


@pytest.mark.parametrize(
    ("text", "name", "error", "words"),
    [
        (None, "gone.py:choose", NotationError, "there is no file"),
        ("def other(position): return 3", "bot.py:choose", EngineError, "has no function 'choose'; it has other"),
        ("import nowhere", "bot.py:choose", EngineError, "No module named 'nowhere'"),
        ("def choose(position): return 'x'", "bot.py:choose", EngineError, "plays no game: in Connect Four, "),
        ("", "level:3", NotationError, "name a bot as FILE.py:FUNCTION"),
    ],
)
def test_a_bad_bot_is_an_error_at_the_start(
    tmp_path: Path, text: str | None, name: str, error: type[Exception], words: str
) -> None:
    if text is not None:
        (tmp_path / "bot.py").write_text(text)
    source = name if ".py" not in name else str(tmp_path / name)
    with pytest.raises(error, match=words) as caught:
        find_bots([source], Sandbox("limits"))
    assert source[:30] in str(caught.value)


def test_two_bots_of_one_name_are_told_apart(folder: Path) -> None:
    other = folder / "other"
    other.mkdir()
    (other / "first.py").write_text(BOTS["first"])
    bots = find_bots([str(folder / "first.py"), str(other / "first.py")], Sandbox("limits"))
    assert len({bot.name for bot in bots}) == len({bot.title for bot in bots}) == 2
