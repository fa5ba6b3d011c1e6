"""Games as trees over HTTP: variations come and go, and what was played stays as it was played."""

from __future__ import annotations

import contextlib
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from hypothesis import given, settings
from hypothesis import strategies as st

from outplay import record
from outplay.errors import GameOverError
from outplay.live import NotNowError
from outplay.notation import games, outcome_of, write
from outplay.outcome import Reason
from outplay.rules import RULES
from outplay.store import SavedGame
from outplay.store import tree as trees
from outplay.store.tree import Tree
from outplay.web.settings import Settings
from tests.support.web_server import Game, Json, app_client, error_of, is_state, new_game, until


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    with app_client() as client:
        yield client


class Study:
    """The tree of a game, as a page would use it."""

    def __init__(self, client: TestClient, game_id: str) -> None:
        self.client, self.path = client, f"/api/games/{game_id}/study"
        self.view: Json = client.get(self.path).json()

    def post(self, command: str, path: str | list[str], **body: Any) -> Any:
        body = {"version": self.view["version"], "path": list(path), **body}
        return self.client.post(f"{self.path}/{command}", json=body)

    def do(self, command: str, path: str | list[str], **body: Any) -> Json:
        response = self.post(command, path, **body)
        assert response.status_code == 200, response.text
        self.view = response.json()
        return self.view

    def error(self, command: str, path: str | list[str], **body: Any) -> Json:
        return error_of(self.post(command, path, **body))

    def look(self) -> Json:
        self.view = self.client.get(self.path).json()
        return self.view

    def lines(self) -> list[str]:
        """Every line from the start to its end."""
        texts = {0: ""}
        parents = set()
        for node in self.view["nodes"][1:]:
            texts[node["id"]] = f"{texts[node['parent']]} {node['move']}".strip()
            parents.add(node["parent"])
        return [text for number, text in texts.items() if number not in parents]


def played(client: TestClient, moves: str = "4453") -> tuple[Game, Study]:
    game = new_game(client)
    game.play(*moves)
    return game, Study(client, game.view["id"])


def exported(client: TestClient, game_id: str) -> str:
    text: str = client.get(f"/api/games/{game_id}/export").json()["text"]
    return text


def test_a_game_is_a_tree_with_one_line(client: TestClient) -> None:
    game, study = played(client)
    view = study.view
    assert (view["version"], view["played"], view["at"], view["is_study"]) == (0, 4, 4, False)
    assert study.lines() == ["4 4 5 3"]
    assert [node["is_played"] for node in view["nodes"]] == [False, True, True, True, True]
    assert [node["board"] for node in view["nodes"][1:]] == [move["board"] for move in game.view["moves"]]
    assert [node["path"] for node in view["nodes"][1:]] == [move["path"] for move in game.view["moves"]]
    assert view["nodes"][1]["opening"] == "Centre opening"


def test_lines_are_added_anywhere_and_twice_changes_nothing(client: TestClient) -> None:
    _, study = played(client)
    view = study.do("moves", "44", moves=["1", "2"])
    assert (view["version"], view["nodes"][view["at"]]["move"]) == (1, "2")
    assert study.lines() == ["4 4 5 3", "4 4 1 2"]
    assert study.do("moves", "44", moves=["1"])["version"] == 1
    assert study.do("moves", "4453", moves=["7"])["version"] == 2  # past what was played
    assert study.lines() == ["4 4 5 3 7", "4 4 1 2"]
    assert study.view["played"] == 4


def test_a_variation_is_promoted_but_never_before_what_was_played(client: TestClient) -> None:
    _, study = played(client)
    study.do("moves", "44", moves=["1"])
    study.do("moves", "44", moves=["2", "3"])
    view = study.do("promote", "4423")
    assert study.lines() == ["4 4 5 3", "4 4 2 3", "4 4 1"]
    assert view["nodes"][view["at"]]["move"] == "3"
    assert study.error("promote", "4423")["kind"] == "not-now"
    assert study.error("promote", "44")["kind"] == "not-now"
    study.do("moves", "442", moves=["7"])
    study.do("promote", "4427")
    assert study.lines() == ["4 4 5 3", "4 4 2 7", "4 4 2 3", "4 4 1"]


def test_a_variation_is_deleted_with_all_that_follows(client: TestClient) -> None:
    game, study = played(client)
    study.do("moves", "44", moves=["1", "2", "3"])
    view = study.do("delete", "441")
    assert (study.lines(), view["at"]) == (["4 4 5 3"], 2)
    for path in ("", "4", "4453"):
        assert study.error("delete", path)["kind"] == "not-now"
    assert game.look()["moves"][-1]["text"] == "3"


def test_two_pages_cannot_trample_each_other(client: TestClient) -> None:
    game, study = played(client)
    other = Study(client, game.view["id"])
    study.do("moves", "", moves=["1"])
    error = other.error("moves", "", moves=["2"])
    assert (error["kind"], error["version"]) == ("stale", 1)
    assert other.error("delete", "1")["kind"] == "stale"
    other.look()
    other.do("moves", "", moves=["2"])
    assert other.lines() == ["4 4 5 3", "1", "2"]
    assert other.error("moves", "777", moves=["2"])["kind"] == "stale"  # no such place any more


def test_play_goes_on_while_others_analyse(client: TestClient) -> None:
    game, study = played(client)
    version = game.view["version"]
    with game.watch() as socket:
        until(socket.receive_json, is_state(version=version))
        study.do("moves", "4453", moves=["1", "1"])
        study.do("moves", "4453", moves=["2"])
        game.play("2")  # with the version it had: the game has not changed
        event = until(socket.receive_json, lambda event: event["kind"] == "state")
        assert event["game"]["version"] == version + 1
    study.look()
    assert study.view["played"] == 5
    assert study.lines() == ["4 4 5 3 2", "4 4 5 3 1 1"]
    assert [node["move"] for node in study.view["nodes"] if node["is_played"]] == list("44532")
    game.do("takeback")
    study.look()
    assert study.view["played"] == 4
    assert "4 4 5 3 2" in study.lines()  # what was looked at is kept


def test_a_game_that_goes_on_is_exported_without_what_comes_after_it(client: TestClient) -> None:
    game, study = played(client)
    study.do("moves", "44", moves=["1"])
    study.do("moves", "4453", moves=["7"])
    (back,) = games(exported(client, game.view["id"]))
    assert [node.text for node in back.main_line()] == list("4453")
    assert [child.text for child in back.main_line()[1].children] == ["5", "1"]


def test_a_game_that_was_given_up_is_exported_with_all_of_it(client: TestClient) -> None:
    game, study = played(client)
    game.do("resign")
    study.look()
    assert study.view["nodes"][4]["outcome"]["reason"] == "resignation"
    study.do("moves", "4453", moves=["7", "7"])
    assert study.view["is_over"]
    (back,) = games(exported(client, game.view["id"]))
    outcome = outcome_of(back)
    assert outcome is not None
    assert outcome.reason is Reason.RESIGNATION
    assert [node.text for node in back.main_line()] == list("445377")
    assert game.look()["outcome"]["reason"] == "resignation"
    assert len(game.view["moves"]) == 4
    fen = client.get(f"{game.path}/export", params={"format": "fen"}).json()["text"]
    assert fen.strip() == game.view["position"]["text"]


def test_a_record_keeps_its_own_variations_and_comments(client: TestClient) -> None:
    text = '[GameType "21"]\n1. 11-15! {the best} 23-19 (23-18 8-11) 2. 8-11 22-17 1-0'
    (game_id,) = client.post("/api/library/import", json={"text": text}).json()["ids"]
    study = Study(client, game_id)
    assert study.lines() == ["11-15 23-19 8-11 22-17", "11-15 23-18 8-11"]
    assert (study.view["nodes"][1]["comment"], study.view["nodes"][1]["glyphs"]) == ("the best", [1])
    study.do("moves", ["11-15", "23-19"], moves=["9-14"])
    study.do("comment", ["11-15", "23-19", "9-14"], comment="Defiance is  near }")
    study.do("delete", ["11-15", "23-18"])
    study = Study(client, game_id)
    assert study.lines() == ["11-15 23-19 8-11 22-17", "11-15 23-19 9-14"]
    assert study.view["nodes"][-1]["comment"] == "Defiance is near }"
    assert study.view["nodes"][1]["comment"] == "the best"


def test_a_study_begins_with_its_first_move(client: TestClient) -> None:
    response = client.post("/api/studies", json={"game": "connect4", "position": "4453", "moves": ["1"]})
    assert response.status_code == 201
    study = Study(client, response.json()["id"])
    assert (study.view["is_study"], study.view["played"], study.view["sentence"]) == (True, 0, "A study.")
    assert study.lines() == ["4 4 5 3 1"]
    study.do("moves", "44", moves=["7"])
    study.do("promote", "447")
    assert study.lines() == ["4 4 7", "4 4 5 3 1"]
    study.do("delete", "445")
    assert study.lines() == ["4 4 7"]
    (listed,) = [one for one in client.get("/api/games").json()["games"] if one["id"] == study.view["id"]]
    assert (listed["is_study"], listed["plies"], listed["opening"]) == (True, 3, "4 4 7")
    assert client.get(f"/api/games/{study.view['id']}").json()["moves"][-1]["text"] == "7"
    (back,) = games(exported(client, study.view["id"]))
    assert [node.text for node in back.main_line()] == list("447")
    study.do("delete", "4")
    assert study.lines() == [""]


def test_a_study_of_a_position_without_moves(client: TestClient) -> None:
    fen = "B:W18,19,21:B1,2,K3"
    view = client.post("/api/studies", json={"game": "checkers", "position": fen, "moves": ["1-5"]}).json()
    assert view["start"]["text"] == "B:W18,19,21:B1,2,K3"
    assert [(node["ply"], node["side"], node["turn"]) for node in view["nodes"]] == [(0, None, 0), (1, 0, 1)]


def test_a_study_of_a_pasted_game_keeps_its_start_and_its_moves(client: TestClient) -> None:
    text = '[GameType "21"]\n[SetUp "1"]\n[FEN "B:W18,19,21:B1,2,K3"]\n1. 1-5 21-17 *'
    view = client.post("/api/studies", json={"game": "checkers", "position": text, "moves": ["2-6"]}).json()
    assert view["start"]["text"] == "B:W18,19,21:B1,2,K3"
    assert [node["move"] for node in view["nodes"]] == [None, "1-5", "21-17", "2-6"]
    sized = {"game": "connect4", "width": 8, "height": 8, "position": "88", "moves": ["8"]}
    view = client.post("/api/studies", json=sized).json()
    assert (view["start"]["width"], [node["move"] for node in view["nodes"]]) == (8, [None, "8", "8", "8"])


def test_what_cannot_be_is_refused_and_changes_nothing(client: TestClient) -> None:
    game = new_game(client, "checkers", position="B:W22:B11,18")
    study = Study(client, game.view["id"])
    error = study.error("moves", [], moves=["11-16"])
    assert (error["kind"], [move["text"] for move in error["moves"]]) == ("illegal-move", ["18x25"])
    over, ended = played(client, "1212121")
    assert ended.error("moves", "1212121", moves=["3"])["kind"] == "game-over"
    assert ended.view["nodes"][-1]["outcome"]["cells"]
    assert ended.error("moves", "12", moves=["8"])["kind"] == "illegal-move"
    assert ended.error("moves", "12", moves=[])["kind"] == "invalid"
    assert ended.error("comment", "12", comment="x" * 3000)["kind"] == "too-large"
    assert ended.look()["version"] == 0
    body = {"game": "connect4", "moves": []}
    assert error_of(client.post("/api/studies", json=body))["kind"] == "invalid"
    assert error_of(client.get("/api/games/nothere/study"))["kind"] == "unknown-game"
    assert over.look()["outcome"]["winner"] == 0


def test_a_tree_has_a_bound(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    _, study = played(client)
    monkeypatch.setattr(trees, "MOST_NODES", 5)
    study.do("moves", "4", moves=["7"])
    assert study.error("moves", "4", moves=["6"])["kind"] == "not-now"


def test_variations_survive_the_end_of_the_server(tmp_path: Path) -> None:
    settings = Settings(db=str(tmp_path / "games.sqlite3"), slots=1)
    with app_client(settings) as client:
        game, study = played(client)
        study.do("moves", "44", moves=["1", "2"])
        game_id = game.view["id"]
    with app_client(settings) as client:
        study = Study(client, game_id)
        assert study.view["version"] == 1
        assert study.lines() == ["4 4 5 3", "4 4 1 2"]


def test_a_link_to_the_analysis_of_a_game_is_understood(client: TestClient) -> None:
    game, _ = played(client)
    link = f"http://127.0.0.1:8642/analyse?game={game.view['id']}&ply=2"
    assert client.post("/api/library/import", json={"text": link}).json()["found"] == game.view["id"]


def tree_of(text: str, study: str) -> Tree:
    return Tree(SavedGame("game", next(games(text)), study=study))


def shape(tree: Tree) -> list[tuple[str, ...]]:
    """The path of every node, in order."""
    return [tuple(each.text for each in node.line() if each.parent) for node in tree.nodes()]


@settings(max_examples=40)
@given(st.randoms(use_true_random=False), st.sampled_from(["connect4", "checkers"]))
def test_whatever_is_tried_the_game_stays_as_it_was_played(chance: random.Random, name: str) -> None:
    game = record.Game(RULES[name].start())
    for _ in range(6):
        game.play(chance.choice(game.position.legal_moves()))
    game.resign()
    text, moves, study = write(game), [node.text for node in game.nodes], ""
    for _ in range(10):
        tree = tree_of(text, study)
        node = chance.choice(list(tree.nodes()))
        path = [each.text for each in reversed(list(node.line())) if each.parent]
        with contextlib.suppress(NotNowError, GameOverError):
            match chance.randrange(4):
                case 0:
                    tree.delete(path)
                case 1:
                    tree.promote(path)
                case _ if node.position.outcome() is None:
                    tree.add(path, [node.position.format(chance.choice(node.position.legal_moves()))])
        study = write(tree.game)
        again = tree_of(text, study)
        assert shape(again) == shape(tree)
        assert [node.text for node in again.played] == moves
        assert again.outcome == game.outcome()
        assert [node.text for node in again.game.main_line()][:6] == moves


def test_the_players_of_a_game_are_named_for_the_person_who_looks(client: TestClient) -> None:
    """The page asks "You played column 7. Find a better move.", and "Red played" where both seats are one person's."""
    seats = {("human", "level:3"): ["You", "Planner"], ("human", "human"): ["Red", "Yellow"]}
    for seated, told in seats.items():
        game = new_game(client, seats=list(seated))
        assert client.get(f"{game.path}/study").json()["seats"] == told
