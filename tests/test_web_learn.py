"""Lessons, puzzles and a person's record over HTTP."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from fastapi.testclient import TestClient

from outplay.learn import shipped_puzzles
from outplay.store import Store, open_store
from outplay.store.progress import attempts_of
from outplay.web.app import create_app
from outplay.web.http.people import COOKIE, id_of
from outplay.web.settings import Settings
from tests.support.web_server import error_of

ADDRESS = "http://127.0.0.1:8642"
MIA, EVE = "m" * 24, "e" * 24
RULES = "/api/learn/lessons/connect4/rules"
Json = dict[str, Any]


class School:
    """A server in this process, with two people."""

    def __init__(self, stack: ExitStack) -> None:
        self.store: Store = open_store("memory")
        app = create_app(Settings(slots=1), self.store)
        self.mia = stack.enter_context(TestClient(app, base_url=ADDRESS, cookies={COOKIE: MIA}))
        self.eve = TestClient(app, base_url=ADDRESS, cookies={COOKIE: EVE})

    def get(self, path: str) -> Json:
        response = self.mia.get(path)
        assert response.status_code == 200, response.text
        found: Json = response.json()
        return found

    def post(self, path: str, **body: Any) -> Json:
        response = self.mia.post(path, json=body)
        assert response.status_code == 200, response.text
        found: Json = response.json()
        return found


@pytest.fixture(scope="module")
def school() -> Iterator[School]:
    with ExitStack() as stack:
        yield School(stack)


@pytest.fixture
def fresh() -> Iterator[School]:
    with ExitStack() as stack:
        yield School(stack)


# Lessons


def test_a_first_visit_starts_with_the_rules(fresh: School) -> None:
    seen = fresh.get("/api/learn")
    assert seen["is_first_visit"]
    assert seen["go_on"]["sentence"] == "Start: the rules in 60 seconds."
    assert seen["go_on"]["lesson"]["name"] == "rules"
    assert {course["game"] for course in seen["courses"]} == {"connect4", "checkers"}
    assert all(lesson["state"] == "new" for course in seen["courses"] for lesson in course["lessons"])


def test_a_step_has_its_legal_moves_and_not_its_answer(school: School) -> None:
    step = school.get(f"{RULES}/1")
    assert [move["text"] for move in step["legal"]] == list("1234567")
    assert step["task"]
    assert "accept" not in step
    assert "right" not in step


def test_a_right_answer_is_kept_and_a_wrong_one_is_shown(fresh: School) -> None:
    wrong = fresh.post(f"{RULES}/4/answer", move="4")
    assert (wrong["is_right"], wrong["tries"], wrong["headline"]) == (False, 1, "Not column 4")
    assert wrong["line"][0]["move"]["text"] == "4"
    assert fresh.post(f"{RULES}/4/answer", move="2")["tries"] == 2
    right = fresh.post(f"{RULES}/4/answer", move="1")
    assert (right["is_right"], right["headline"], right["is_proof"]) == (True, "Yes, column 1", True)
    assert right["label"] == "+ win in 1"
    assert fresh.get(f"{RULES}/4")["is_done"]
    assert right["lesson"]["state"] == "begun"
    assert fresh.get("/api/learn")["go_on"]["lesson"]["name"] == "rules"
    assert not fresh.eve.get(f"{RULES}/4").json()["is_done"]


def test_a_wrong_answer_is_refuted_with_positions(fresh: School) -> None:
    wrong = fresh.post(f"{RULES}/5/answer", move="1")
    assert len(wrong["line"]) > 1
    assert wrong["line"][0]["side"] != wrong["line"][1]["side"]
    assert wrong["sentence"]


def test_reading_all_steps_ends_a_lesson(fresh: School) -> None:
    answers = {1: "4", 2: "4", 3: "3", 4: "1", 5: "4"}
    for step, move in answers.items():
        assert fresh.post(f"{RULES}/{step}/answer", move=move)["is_right"], step
        fresh.post(f"{RULES}/{step}/read")
    seen = fresh.post(f"{RULES}/6/read")
    assert seen["lesson"]["state"] == "done"
    assert fresh.get("/api/learn")["courses"][0]["done"] == 1
    following = fresh.get("/api/learn")["go_on"]["lesson"]
    assert (following["game"], following["name"]) != ("connect4", "rules")


def test_passing_over_a_task_does_not_solve_it(fresh: School) -> None:
    seen = fresh.post(f"{RULES}/1/read")
    assert seen["lesson"]["done"] == 0
    assert seen["lesson"]["at"] == 2


def test_hints_come_in_three_steps(school: School) -> None:
    hints = [school.post(f"{RULES}/4/hint", step=step) for step in (1, 2, 3)]
    assert hints[0]["move"] is None
    assert hints[2]["move"]["text"] == "1"
    assert school.post(f"{RULES}/4/solution")["line"][0]["move"]["text"] == "1"
    assert not school.get(f"{RULES}/4")["is_done"]


@pytest.mark.parametrize(
    ("path", "status", "kind"),
    [
        ("lessons/connect4/none", 404, "unknown-lesson"),
        ("lessons/chess/rules", 422, "invalid"),
        (f"{RULES.removeprefix('/api/learn/')}/99", 404, "unknown-lesson"),
        (f"{RULES.removeprefix('/api/learn/')}/0", 422, "invalid"),
    ],
)
def test_what_is_not_there_is_said(school: School, path: str, status: int, kind: str) -> None:
    response = school.mia.get(f"/api/learn/{path}")
    assert (response.status_code, error_of(response)["kind"]) == (status, kind)


def test_bad_answers_change_nothing(fresh: School) -> None:
    for path, body, kind in (
        ("4/answer", {"move": "9"}, "illegal-move"),
        ("4/answer", {"move": ""}, "invalid"),
        ("6/answer", {"move": "4"}, "unknown-lesson"),
        ("4/hint", {"step": 4}, "invalid"),
    ):
        assert error_of(fresh.mia.post(f"{RULES}/{path}", json=body))["kind"] == kind, path
    assert fresh.get("/api/learn")["is_first_visit"]


# Puzzles


def solve(school: School, puzzle_id: str) -> Json:
    """Play the right moves of a puzzle to its end."""
    puzzle = next(each for game in ("connect4", "checkers") for each in shipped_puzzles(game) if each.id == puzzle_id)
    seen: Json = {"moves": [], "status": "going"}
    while seen["status"] == "going":
        seen = school.post(f"/api/puzzles/{puzzle_id}/try", moves=[*seen["moves"], puzzle.asked[len(seen["moves"])]])
    return seen


def wrong_move(puzzle_id: str) -> str:
    puzzle = next(each for game in ("connect4", "checkers") for each in shipped_puzzles(game) if each.id == puzzle_id)
    texts = [puzzle.position.format(move) for move in puzzle.position.legal_moves()]
    return next(text for text in texts if text not in puzzle.accepted(0))


@pytest.mark.parametrize("game", ["connect4", "checkers"])
def test_a_puzzle_is_played_against_the_best_defence(fresh: School, game: str) -> None:
    puzzle = next(each for each in shipped_puzzles(game) if each.own_moves > 1)
    seen = fresh.get(f"/api/puzzles/{puzzle.id}")
    assert (seen["moves"], seen["state"], seen["sentence"]) == (puzzle.own_moves, "new", puzzle.sentence)
    assert "themes" not in seen
    first = fresh.post(f"/api/puzzles/{puzzle.id}/try", moves=[puzzle.asked[0]])
    assert (first["status"], first["themes"]) == ("going", [])
    assert first["moves"] == list(puzzle.asked[:2])
    assert first["legal"]
    done = solve(fresh, puzzle.id)
    assert (done["status"], done["is_first_try"]) == ("solved", True)
    assert done["themes"]
    assert done["run"]["today"] == ["solved"]
    assert fresh.get(f"/api/puzzles/{puzzle.id}")["state"] == "solved"
    assert fresh.get(f"/api/puzzles?game={game}")["run"]["solved"] == 1
    assert fresh.eve.get(f"/api/puzzles?game={game}").json()["run"]["solved"] == 0


def test_a_miss_is_counted_once_and_comes_back(fresh: School) -> None:
    puzzle = shipped_puzzles("connect4")[0]
    missed = fresh.post(f"/api/puzzles/{puzzle.id}/try", moves=[wrong_move(puzzle.id)])
    assert (missed["status"], missed["comes_back"]) == ("missed", "It comes back tomorrow.")
    assert len(missed["line"]) > 1
    fresh.post(f"/api/puzzles/{puzzle.id}/try", moves=[wrong_move(puzzle.id)])
    assert not solve(fresh, puzzle.id)["is_first_try"]
    assert [attempt.kind for attempt in attempts_of(fresh.store, id_of(MIA))] == ["missed", "again"]
    assert fresh.get(f"/api/puzzles/{puzzle.id}")["state"] == "missed"


def test_to_play_a_solved_puzzle_again_changes_nothing(fresh: School) -> None:
    puzzle = shipped_puzzles("connect4")[0]
    run = solve(fresh, puzzle.id)["run"]
    again = solve(fresh, puzzle.id)
    missed = fresh.post(f"/api/puzzles/{puzzle.id}/try", moves=[wrong_move(puzzle.id)])
    shown = fresh.post(f"/api/puzzles/{puzzle.id}/solution")
    assert (again["is_first_try"], again["headline"], missed["comes_back"], shown["comes_back"]) == (
        False,
        "Right",
        "",
        "",
    )
    assert run == again["run"] == missed["run"] == shown["run"]
    assert fresh.get(f"/api/puzzles/{puzzle.id}")["state"] == "solved"


def test_showing_the_answer_is_a_miss_and_a_hint_is_help(fresh: School) -> None:
    first, second = (shipped_puzzles(game)[0].id for game in ("connect4", "checkers"))
    shown = fresh.post(f"/api/puzzles/{first}/solution")
    assert shown["status"] == "missed"
    assert fresh.post(f"/api/puzzles/{second}/hint", step=1)["move"] is None
    assert solve(fresh, second)["run"]["today"] == ["solved"]
    assert [attempt.kind for attempt in attempts_of(fresh.store, id_of(MIA))] == ["missed", "hint", "helped"]


@pytest.mark.parametrize("game", ["connect4", "checkers"])
def test_every_move_of_a_puzzle_has_its_hints(fresh: School, game: str) -> None:
    puzzle = next(each for each in shipped_puzzles(game) if each.own_moves > 2)
    for ply in range(0, len(puzzle.asked), 2):
        moves = list(puzzle.asked[:ply])
        hints = [fresh.post(f"/api/puzzles/{puzzle.id}/hint", step=step, moves=moves) for step in (1, 2, 3)]
        assert [hint["step"] for hint in hints] == [1, 2, 3]
        assert all(hint["cells"] for hint in hints)
        assert hints[2]["move"]["text"] == puzzle.asked[ply]
    off = fresh.mia.post(f"/api/puzzles/{puzzle.id}/hint", json={"step": 1, "moves": list(puzzle.asked[:1])})
    assert "begin again" in error_of(off)["message"]


def test_the_next_puzzle_is_one_that_was_not_seen(school: School) -> None:
    seen: list[str] = []
    for _ in range(4):
        asked = "".join(f"&after={name}" for name in seen)
        seen.append(school.get(f"/api/puzzles/next?game=checkers{asked}")["puzzle"]["id"])
    assert len(set(seen)) == 4


@pytest.mark.parametrize("theme", ["nothing", "shot"])
def test_a_theme_that_the_game_does_not_have_is_said(school: School, theme: str) -> None:
    answer = school.get(f"/api/puzzles/next?theme={theme}")
    assert answer["sentence"] == f'There is no theme "{theme}" in the puzzles of Connect Four. Choose another one.'
    assert (answer["puzzle"], answer["theme"]) == (None, "")


def test_today_is_the_same_for_everybody(school: School) -> None:
    mine, hers = school.get("/api/puzzles/today"), school.eve.get("/api/puzzles/today").json()
    assert mine["id"] == hers["id"]
    assert mine["day"]


def test_a_line_that_is_not_the_puzzles_is_refused(school: School) -> None:
    puzzle = next(each for each in shipped_puzzles("connect4") if each.own_moves > 1)
    for moves in (["1", "1", "1"], [puzzle.asked[0], "7" if puzzle.asked[1] != "7" else "1", "4"], ["4"] * 40):
        response = school.mia.post(f"/api/puzzles/{puzzle.id}/try", json={"moves": moves})
        assert (response.status_code, error_of(response)["kind"]) == (409, "not-now"), moves


@pytest.mark.parametrize("path", ["puzzles/c4-9999", "puzzles/ck-9999"])
def test_an_unknown_puzzle_is_said(school: School, path: str) -> None:
    response = school.mia.get(f"/api/{path}")
    assert (response.status_code, error_of(response)["kind"]) == (404, "unknown-puzzle")


# The record


def test_an_empty_record_says_how_it_starts(fresh: School) -> None:
    assert fresh.get("/api/learn/record")["sentence"] == "Play a game and your record starts here."


def test_looking_changes_nothing(fresh: School) -> None:
    for path in ("learn", "learn/record", "learn/export", "puzzles", "puzzles/next", "puzzles/today"):
        fresh.get(f"/api/{path}")
    fresh.get(f"{RULES}/1")
    assert fresh.get("/api/learn")["is_first_visit"]
    assert attempts_of(fresh.store, id_of(MIA)) == []


def test_the_export_has_what_was_learned(fresh: School) -> None:
    fresh.post(f"{RULES}/1/answer", move="4")
    solve(fresh, shipped_puzzles("connect4")[0].id)
    export = fresh.get("/api/learn/export")
    found = json.loads(export["text"])
    assert export["media"] == "application/json"
    assert found["lessons"]["connect4/rules"]["done"] == [1]
    assert [each["result"] for each in found["puzzles"]] == ["right"]
    assert json.loads(fresh.eve.get("/api/learn/export").json()["text"])["lessons"] == {}


def test_forget_me_forgets_what_i_learned(fresh: School) -> None:
    fresh.post(f"{RULES}/1/answer", move="4")
    solve(fresh, shipped_puzzles("connect4")[0].id)
    fresh.post("/api/learn/record/told", game="connect4", level=4)
    fresh.eve.post(f"{RULES}/1/answer", json={"move": "4"})
    assert fresh.mia.post("/api/me/forget", json={}).status_code == 200
    fresh.mia.cookies.set(COOKIE, MIA)
    assert attempts_of(fresh.store, id_of(MIA)) == []
    assert fresh.mia.get("/api/learn").status_code == 401  # the key itself is forgotten
    assert not fresh.eve.get("/api/learn").json()["is_first_visit"]
