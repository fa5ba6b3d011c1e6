"""The course of the lab over HTTP."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from fastapi.testclient import TestClient

from outplay.lab.course import COURSE, CourseRung, guided
from outplay.rules import RULES
from outplay.store import open_store
from outplay.web.app import create_app
from outplay.web.http.people import COOKIE
from outplay.web.settings import Settings
from tests.support.web_server import error_of

MIA, EVE = "m" * 24, "e" * 24
Json = dict[str, Any]


@pytest.fixture(scope="module")
def mia() -> Iterator[TestClient]:
    app = create_app(Settings(slots=1), open_store("memory"))
    with TestClient(app, base_url="http://127.0.0.1:8642", cookies={COOKIE: MIA}) as client:
        yield client


def ask(client: TestClient, path: str, **body: Any) -> Json:
    address = f"/api/lab/course{path}"
    response = client.post(address, json=body) if path.count("/") > 1 else client.get(address)
    assert response.status_code == 200, response.text
    found: Json = response.json()
    return found


def test_the_course_lists_its_rungs_in_order(mia: TestClient) -> None:
    course = ask(mia, "")
    assert course["title"] == "How machines play"
    assert [rung["name"] for rung in course["rungs"]] == [
        "minimax",
        "alpha-beta",
        "ordering",
        "table",
        "deepening",
        "quiescence",
        "monte-carlo",
    ]
    assert [rung["number"] for rung in course["rungs"]] == list(range(1, 8))


@pytest.mark.parametrize("rung", COURSE, ids=lambda rung: rung.name)
def test_a_rung_is_walked_with_one_wrong_answer_and_taken_again(mia: TestClient, rung: CourseRung) -> None:
    found, path = guided(rung), f"/{rung.name}"
    view = ask(mia, path)
    assert view["program"] == [text for text, _ in found.run.program.lines]
    assert [moment["line"] for moment in view["moments"]] == [moment.line for moment in found.run.moments]
    assert not any("answer" in step for step in view["steps"])
    is_first = True
    for number, step in enumerate(found.steps, 1):
        if step.question is None:
            ask(mia, f"{path}/{number}/read")
            continue
        other = next(key for key, _ in step.question.options if key != step.question.answer)
        verdict = ask(mia, f"{path}/{number}/answer", answer=other if is_first else step.question.answer)
        assert verdict["is_right"] is not is_first
        assert verdict["sentence"] == step.question.why
        ask(mia, f"{path}/{number}/answer", answer=step.question.answer)  # too late: the first answer counts
        is_first = False
    entry = ask(mia, path)["rung"]
    assert (entry["state"], entry["asked"], entry["right"]) == ("done", 5, 4)
    assert [step["is_right"] for step in ask(mia, path)["steps"]] == [None, False, True, True, True, True, None]
    again = ask(mia, f"{path}/again")
    assert (again["state"], again["done"], again["at"], again["right"]) == ("new", 0, 1, 0)


def test_progress_belongs_to_a_key(mia: TestClient) -> None:
    ask(mia, "/minimax/1/read")
    eve = TestClient(mia.app, base_url="http://127.0.0.1:8642", cookies={COOKIE: EVE})
    assert ask(mia, "")["rungs"][0]["done"] == 1
    assert ask(eve, "")["rungs"][0]["done"] == 0


@pytest.mark.parametrize("game", list(RULES))
def test_monte_carlo_is_watched_from_a_position_of_the_lab(mia: TestClient, game: str) -> None:
    before = ask(mia, "")
    response = mia.post("/api/lab/monte-carlo", json={"game": game, "position": "4 4" if game == "connect4" else ""})
    assert response.status_code == 200, response.text
    view = response.json()
    assert (view["rung"]["name"], view["rung"]["asked"], view["following"]) == ("monte-carlo", 0, None)
    assert [step["kind"] for step in view["steps"]] == ["read", "end"]
    assert view["moments"][-1]["words"] == "The start is counted too: the round is over."
    assert ask(mia, "") == before  # nothing of it counts for the course
    over = "1212121" if game == "connect4" else "B:WK1:B"
    assert mia.post("/api/lab/monte-carlo", json={"game": game, "position": over}).status_code == 409


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("get", "/magic", 404),
        ("get", "/NO", 422),
        ("post", "/minimax/99/read", 404),
        ("post", "/minimax/0/read", 422),
        ("post", "/minimax/1/answer", 404),
        ("post", "/minimax/2/answer", 422),
    ],
)
def test_what_is_not_there_is_refused_and_changes_nothing(mia: TestClient, method: str, path: str, status: int) -> None:
    before = ask(mia, "")
    body = {"json": {"answer": "x"} if path.endswith("answer") else {}} if method == "post" else {}
    response = mia.request(method, f"/api/lab/course{path}", **body)  # type: ignore[arg-type]
    assert response.status_code == status, response.text
    assert error_of(response)
    assert ask(mia, "") == before
