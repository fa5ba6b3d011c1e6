"""A game reviewed on its page: what went wrong is marked, drawn, told, and can be learnt from."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.support.browser.desk import PATIENCE_MS, Desk, imported, sign, solved
from tests.support.browser.tasks import never_frozen
from tests.support.browser.visitor import NewVisitor, Tab
from tests.support.games import long_game
from tests.support.web_server import ServerProcess, new_game

BLUNDERS = [11, 18, 31]
GAME = "44444753335552521727733453766676"
"""Every move but those three has the best score there is."""
THROWN_AWAY = '[FEN "B:WK17:BK9,K5"]\n[Black "Ann"]\n[White "Bob"]\n\n1. 9-14 17x10 2. 5-1 1/2-1/2'
"""Two kings against one: the first move gives one of them away, and with it the win."""


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[ServerProcess]:
    """A library that nobody else fills."""
    with ServerProcess(tmp_path) as server:
        yield server


def results(moves: str) -> dict[str, int]:
    """Who wins after each column: 1 the side to move, 0 nobody, -1 the other, by `outplay solve`."""
    scores = solved(moves)["scores"]
    return {str(name): sign(score) for name, score in enumerate(scores, start=1) if score is not None}


@cache
def _address(server: ServerProcess) -> str:
    """Of the game of these tests, one for all of them: it is reviewed once."""
    answer = server.client.post("/api/library/import", json={"text": GAME}).json()
    return f"/analyse?game={answer['ids'][0]}"


def reviewed(tab: Tab) -> Desk:
    return Desk(tab, _address(tab.server)).review()


def test_the_game_of_these_tests_has_just_these_blunders() -> None:
    outcomes = [results(GAME[:ply]) for ply in range(len(GAME))]
    changes = [ply for ply, after in enumerate(outcomes, start=1) if after[GAME[ply - 1]] != max(after.values())]
    assert changes == BLUNDERS


def test_a_review_marks_exactly_the_blunders(tab: Tab) -> None:
    desk = Desk(tab, imported(tab, GAME))
    with never_frozen(desk.page):
        desk.review()
    marked = desk.page.locator(".moves li:not(.var) a:has(.glyph)")
    assert [int(move.get_attribute("data-ply") or 0) for move in marked.all()] == BLUNDERS
    expect(desk.page.locator(".moves .glyph.blunder")).to_have_count(3)
    expect(desk.page.locator(".graph .dot.grave")).to_have_count(3)
    expect(desk.page.locator(".moves .var.better")).to_have_count(3)
    expect(desk.page.locator(".reviewcard .acc")).to_have_count(2)
    expect(desk.page.locator(".reviewcard .acc").first).to_contain_text(re.compile(r"\d+%.*blunder", re.DOTALL))
    expect(desk.page.locator(".turning")).to_contain_text("Turning point")
    tab.page.reload()  # it is kept
    desk.is_reviewed()
    expect(desk.page.locator(".moves .glyph.blunder")).to_have_count(3)


def test_keys_lead_from_blunder_to_blunder_and_tell_what_was_thrown_away(tab: Tab) -> None:
    desk = reviewed(tab).press("Home")
    for ply, key in zip([*BLUNDERS, BLUNDERS[0]], "bmbm", strict=True):
        desk.press(key).is_at(ply)
        expect(desk.page.locator(".judgement")).to_contain_text(re.compile("blunder. From .* to .*"))
    better = desk.page.locator(".moves .var.better").first
    move = better.locator("b").inner_text()
    better.locator("button").click()
    desk.is_at(BLUNDERS[0])
    expect(desk.current).to_have_text(move)
    assert sign(solved(GAME[: BLUNDERS[0] - 1])["scores"][int(move) - 1]) == max(
        results(GAME[: BLUNDERS[0] - 1]).values()
    )


def test_reasons_are_drawn_on_the_board_and_wrong_tries_refuted_there(tab: Tab) -> None:
    desk = reviewed(tab).press("Home", "b", "b", "b").is_at(31)
    threats = tab.page.locator(".marks .threat")
    expect(threats).to_have_count(1)  # Yellow makes four there
    desk.press("b", "b").is_at(18)
    expect(threats).to_have_count(0)
    tab.action("why").click()
    desk.is_at(19)
    expect(threats).to_have_count(1)
    desk.press("e", "n", "n").stage("asking")
    expect(threats).to_have_count(0)
    desk.press("7").stage("wrong")
    expect(threats).to_have_count(1)
    expect(desk.lesson).to_contain_text("Yellow makes four in column 6")
    tab.cell(0).click()  # anywhere on the board: the position comes back
    expect(threats).to_have_count(0)
    tab.cell(40).click()
    desk.stage("right")


def test_a_click_on_the_graph_jumps(tab: Tab) -> None:
    desk = reviewed(tab)
    graph = desk.page.locator(".graph")
    box = graph.bounding_box()
    assert box is not None
    for ply in (18, 5, 31):
        x = (8 + 524 * ply / len(GAME)) * box["width"] / 540
        graph.click(position={"x": x, "y": box["height"] / 2})
        desk.is_at(ply)
    slider = desk.page.get_by_role("slider", name="The game, move by move")
    slider.press("ArrowLeft")
    desk.is_at(30)
    expect(slider).to_have_attribute("aria-valuetext", re.compile(r"^15… 6: .*(wins|draw)"))
    slider.press("Home")
    desk.is_at(0)
    rows = desk.page.get_by_role("table", name="Score after each move").get_by_role("row")
    expect(rows).to_have_count(len(GAME) + 2)  # the head, the start, and every move


def test_a_lesson_accepts_every_move_that_keeps_the_result(tab: Tab) -> None:
    desk = reviewed(tab)
    for number, ply in enumerate(BLUNDERS):
        outcomes = results(GAME[: ply - 1])
        for column, outcome in outcomes.items():
            desk.press("e", *["n"] * number).stage("asking")
            expect(desk.lesson).to_have_attribute("data-at", str(number))
            expect(desk.page.locator(".scores, .lines, .moves")).to_have_count(0)  # nothing gives it away
            desk.press(column).stage("right" if outcome == max(outcomes.values()) else "wrong")
            desk.press("Escape")
            expect(desk.lesson).to_have_count(0)


def test_a_lesson_shows_the_answer_and_sums_up(tab: Tab) -> None:
    desk = reviewed(tab)
    tab.page.locator(".reviewcard").get_by_role("button", name=re.compile(r"^Red \(\d\)")).click()
    tab.page.get_by_role("button", name=re.compile("^Learn from")).click()
    mine = sum(ply % 2 for ply in BLUNDERS)  # Red has the odd ones
    expect(desk.lesson.locator(".steps li")).to_have_count(mine)
    desk.press("h").stage("asking")  # the key of hints: it gives nothing away
    desk.press("a").stage("shown")
    expect(desk.lesson).to_contain_text("The right answer was")
    for _ in range(mine):
        desk.press("n")
    desk.stage("over")
    expect(desk.lesson.locator(".said")).to_contain_text(re.compile(r"None of \d found"))
    tab.click("Back to the game Esc")
    expect(desk.page.locator(".movescard")).to_be_visible()


def test_a_thrown_away_endgame_is_a_blunder_in_checkers_too(tab: Tab) -> None:
    desk = Desk(tab, imported(tab, THROWN_AWAY)).review()
    marked = desk.page.locator(".moves a:has(.glyph.blunder)")
    expect(marked).to_have_count(1)
    expect(marked).to_contain_text("9-14")
    desk.press("e").stage("asking")
    tab.cell(9).click()
    tab.cell(14).click()
    desk.stage("wrong")
    expect(tab.page.locator(".marks .arrow")).not_to_have_count(0)  # how the king is taken
    tab.cell(5).click()  # anywhere on the board: the position comes back
    tab.cell(5).click()
    tab.cell(1).click()
    desk.stage("right")


def test_a_review_is_stopped(tab: Tab) -> None:
    desk = Desk(tab, imported(tab, long_game(200))).press("v")  # long enough not to be over before
    expect(desk.page.get_by_role("progressbar", name="Review")).to_be_visible()
    tab.page.get_by_role("button", name=re.compile("^Stop")).click()
    expect(desk.main).to_have_attribute("data-review", "stopped", timeout=PATIENCE_MS)
    expect(desk.page.get_by_role("button", name=re.compile("^Review the game"))).to_be_visible()


def test_puzzles_are_made_of_the_games_one_has_played(new_visitor: NewVisitor, own_server: ServerProcess) -> None:
    tab = new_visitor(own_server).tab
    desk = Desk(tab, "/analyse")
    tab.click("Puzzles from your own games")
    expect(desk.lesson.locator(".said")).to_contain_text(re.compile("No |none", re.IGNORECASE), timeout=PATIENCE_MS)
    tab.press("Escape")
    imported(tab, GAME)  # is not a game of one's own
    played = new_game(own_server.client, seats=["human", "human"])
    played.play(*GAME)
    Desk(tab, "/analyse")
    tab.click("Puzzles from your own games")
    desk.stage("asking", timeout=PATIENCE_MS)
    expect(desk.lesson.locator(".said")).to_contain_text(re.compile("to move and (win|draw)"))
    expect(desk.lesson).to_contain_text("Red - Yellow, after")
    ply = int(re.search(r"after (\d+) moves", desk.lesson.inner_text())[1])  # type: ignore[index]
    outcomes = results(GAME[:ply])
    desk.press(next(name for name, outcome in outcomes.items() if outcome < max(outcomes.values()))).stage("wrong")
    desk.press(next(name for name, outcome in outcomes.items() if outcome == max(outcomes.values()))).stage("right")
    tab.click("In the game", role="link")
    expect(desk.page).to_have_url(re.compile("/analyse.game=.*ply="))
