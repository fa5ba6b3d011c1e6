"""Every page and every state of it, by name: how to get there."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import expect

from tests.support.browser.desk import PATIENCE_MS, Desk, imported
from tests.support.browser.visitor import Tab
from tests.support.browser.workers import fail_engine
from tests.support.web_server import Game, new_game

SLOW_MS = 60_000


def _fresh(tab: Tab) -> None:
    tab.play()


def _answered(tab: Tab) -> None:
    tab.open(_new(tab, seats=["human", "level:3"], position="4455", seed=1)).press("3").sees(status="human", plies=2)


def _wide_board(tab: Tab) -> None:
    game = _new(tab, seats=["human", "level:2"], width=10, height=10, seed=1)
    tab.open(game).press("5").sees(status="human", plies=2)


def _tall_board(tab: Tab) -> None:
    tab.open(_new(tab, width=4, height=25))


def _over(tab: Tab) -> None:
    tab.open(_new(tab, position="112233", seats=["human", "level:1"])).press("4").sees(status="over")


def _thinking(tab: Tab) -> None:
    tab.open(_new(tab, seats=["human", "lab:five-phase"], time_ms=SLOW_MS)).press("4").sees(status="thinking")
    expect(tab.action("stop")).to_be_attached()
    expect(tab.head).to_contain_text("positions")


def _failed(tab: Tab) -> None:
    _thinking(tab)
    fail_engine(tab)
    tab.sees(status="failed")


def _paused_match(tab: Tab) -> None:
    game = _new(tab, seats=["level:3", "lab:five-phase"], time_ms=100, paused=True, seed=1)
    tab.open(game).do("step").sees(status="paused", plies=1).do("step").sees(status="paused", plies=2)


def _hint(step: int) -> Callable[[Tab], None]:
    def get_there(tab: Tab) -> None:
        tab.open(_new(tab, "checkers", position="B:W22,28:B11,18,K1"))
        for number in range(1, step + 1):
            tab.press("h")
            expect(tab.head).to_contain_text(f"Hint {number} of 3")

    return get_there


def _refused(tab: Tab) -> None:
    tab.open(_new(tab, "checkers", position="B:W22,28:B11,18"))
    tab.cell(11).click()
    tab.cell(16).click()
    expect(tab.page.get_by_role("alert")).to_be_visible()


def _picked(tab: Tab) -> None:
    tab.open(_new(tab, "checkers", ["human", "level:2"], position="B:W23,22,15,14:B11,10"))
    tab.cell(10).click()
    tab.cell(26).click()
    expect(tab.head).to_contain_text("Which way?")


def _checkers(tab: Tab) -> None:
    game = _new(tab, "checkers", ["human", "level:2"], seed=1)
    tab.open(game)
    tab.cell(11).click()
    tab.cell(15).click()
    tab.sees(status="human", plies=2)


def _draw_offer(tab: Tab) -> None:
    tab.open(_new(tab, "checkers")).press("Shift+D")
    expect(tab.head).to_contain_text("offers a draw")


def _browsing(tab: Tab) -> None:
    game = _new(tab)
    game.play("4", "4", "3")
    tab.open(game).press("k")
    expect(tab.head).to_contain_text("Back to the game")


def _clock(tab: Tab) -> None:
    tab.open(_new(tab, clock={"base_ms": 300_000, "increment_ms": 3000})).press("4").sees(plies=1)


def _server_gone(tab: Tab) -> None:
    tab.open(_new(tab))
    tab.page.route_web_socket("**/events", lambda socket: socket.close())
    tab.page.reload()
    tab.sees(link="gone")


def _memory_only(tab: Tab) -> None:
    reason = "unable to open database file /somewhere/far/away/in/a/folder/that/cannot/be/written/games.sqlite3"
    warning = f"Games are kept in memory only and are lost when the server stops: {reason}."
    about = {**tab.server.client.get("/api/about").json(), "warning": warning}
    tab.page.route("**/api/about", lambda route: route.fulfill(json=about))
    tab.play()
    expect(tab.page.get_by_role("note")).to_have_text(warning)


def _new_game_panel(tab: Tab) -> None:
    tab.play("/play/checkers").press("n")
    expect(tab.page.locator(".newgame")).to_be_visible()


def _editor(path: str) -> Callable[[Tab], None]:
    def get_there(tab: Tab) -> None:
        tab.play(path).press("n").click("Set up")
        expect(tab.page.locator(".editortools")).to_be_visible()
        expect(tab.page.locator(".verdictline")).not_to_be_empty()

    return get_there


def _pasted(tab: Tab) -> None:
    tab.play().press("n").click("Paste")
    tab.page.get_by_label("Moves, a FEN or rows").fill("4444444")
    expect(tab.page.locator(".problem")).to_be_visible()


def _typing(tab: Tab) -> None:
    tab.play().press("/")
    expect(tab.page.locator(".typebar")).to_be_visible()


def _seat_list(tab: Tab) -> None:
    tab.open(_new(tab, seats=["human", "level:2"])).click("Change player: Blocker, Yellow")
    expect(tab.page.locator(".players")).to_be_visible()


def _phone_menu(tab: Tab) -> None:
    tab.page.set_viewport_size({"width": 390, "height": 844})
    tab.open(_new(tab, seats=["level:2", "level:3"], paused=True)).click("Menu")
    expect(tab.page.get_by_role("dialog", name="Game")).to_be_visible()


def _menu(tab: Tab) -> None:
    tab.open(_new(tab)).click("More")
    expect(tab.page.locator(".menu")).to_be_visible()


def _hidden(tab: Tab) -> None:
    tab.play().press("z")
    expect(tab.page.locator(".glass.hidden")).to_be_visible()


def _keys(tab: Tab) -> None:
    tab.play().press("?")
    expect(tab.page.get_by_role("dialog")).to_be_visible()


def _settings(tab: Tab) -> None:
    tab.visit("/settings")
    expect(tab.page.get_by_text("outplay 0.")).to_be_visible()


def _lab(path: str) -> Callable[[Tab], None]:
    def get_there(tab: Tab) -> None:
        tab.visit(path)
        tab.page.locator('main[data-lab="done"]').wait_for()
        for closed in tab.page.locator("main details").all():
            closed.evaluate("(element) => (element.open = true)")

    return get_there


def _course(tab: Tab) -> None:
    tab.visit("/lab/course")
    tab.page.locator('main[data-loaded="true"]').wait_for()


def _course_step(path: str, stage: str) -> Callable[[Tab], None]:
    def get_there(tab: Tab) -> None:
        tab.visit(f"/lab/course/{path}")
        tab.page.locator(f'main.labc[data-stage="{stage}"]').wait_for()

    return get_there


def _course_answered(tab: Tab) -> None:
    _course_step("alpha-beta/4", "asking")(tab)
    tab.press("y")
    expect(tab.page.locator(".said")).to_be_visible()


def _lab_half_way(tab: Tab) -> None:
    _lab("/lab?game=connect4&pos=44444226&depth=4&use=alphabeta,table")(tab)
    tab.press("Home", *["j"] * 40)


def _analysed(tab: Tab) -> None:
    desk = Desk(tab, imported(tab, "44444753335552521727733453766676")).review()
    desk.press("Home", "b", "3").is_at(12).press("k").is_scored()


def _analysed_checkers(tab: Tab) -> None:
    desk = Desk(tab, "/analyse?game=checkers&pos=B:WK17:BK9,K5")
    expect(desk.page.locator(".enginecard .proof").first).to_be_visible(timeout=PATIENCE_MS)


def _lesson(tab: Tab) -> None:
    desk = Desk(tab, imported(tab, "44444753335552521727733453766676")).review()
    desk.press("e", "n", "a").stage("shown")


def _another_position(tab: Tab) -> None:
    desk = Desk(tab, "/analyse").press("n")
    expect(desk.page.locator(".verdictline")).not_to_be_empty()


def _analysis_menu(tab: Tab) -> None:
    tab.page.set_viewport_size({"width": 390, "height": 844})
    desk = Desk(tab, "/analyse?game=checkers")
    expect(desk.page.locator(".enginecard .verdict:not(.stale)")).to_be_visible(timeout=PATIENCE_MS)
    tab.click("Menu")
    expect(tab.page.get_by_role("dialog", name="Analysis")).to_be_visible()


def _library(tab: Tab) -> None:
    game = _new(tab)
    game.play("4", "3")
    good = '[Black "A very long name of somebody who plays"]\n[White "B"]\n[Event "Cup"]\n1. 11-15 23-19 0-1\n'
    text = good + '[Black "C"]\n9-9'
    tab.visit("/library")
    tab.page.locator(".importtext").fill(text)
    tab.click("Import")
    expect(tab.page.locator(".importanswer .problem")).to_be_visible()
    tab.page.locator('[data-tool="delete"]').first.click()
    expect(tab.page.locator(".deed")).to_contain_text("deleted")


def _record(tab: Tab) -> None:
    answer = tab.server.client.post("/api/library/import", json={"text": "11-15 23-19 8-11 22-17"}).json()
    tab.play(f"/game/{answer['ids'][0]}")


def _share(tab: Tab) -> None:
    tab.open(_new(tab)).click("More").do("share")
    expect(tab.page.get_by_role("dialog", name="Share")).to_be_visible()


def _docs(tab: Tab) -> None:
    tab.visit("/docs/lab/alphabeta")
    expect(tab.page.locator(".prose h1")).to_be_visible()


def _pages_on_a_phone(tab: Tab) -> None:
    tab.page.set_viewport_size({"width": 390, "height": 844})
    tab.visit("/library")
    tab.click("Pages")
    expect(tab.page.get_by_role("dialog", name="Pages")).to_be_visible()


def _missing_game(tab: Tab) -> None:
    tab.visit("/game/nosuchgame")
    expect(tab.page.get_by_text("Nothing here")).to_be_visible()


def _new(tab: Tab, game: str = "connect4", seats: list[str] | None = None, **options: object) -> Game:
    return new_game(tab.server.client, game, seats, **options)


STATES: dict[str, Callable[[Tab], None]] = {
    "first visit": _fresh,
    "engine has answered": _answered,
    "10x10 board": _wide_board,
    "4x25 board": _tall_board,
    "game over": _over,
    "thinking": _thinking,
    "engine failed": _failed,
    "paused match": _paused_match,
    "checkers": _checkers,
    "hint 1": _hint(1),
    "hint 2": _hint(2),
    "hint 3": _hint(3),
    "refused move": _refused,
    "which way": _picked,
    "draw offer": _draw_offer,
    "earlier position": _browsing,
    "clock": _clock,
    "server gone": _server_gone,
    "memory only": _memory_only,
    "new game": _new_game_panel,
    "connect four editor": _editor("/play/connect4"),
    "checkers editor": _editor("/play/checkers"),
    "paste": _pasted,
    "typing a move": _typing,
    "players of a seat": _seat_list,
    "more": _menu,
    "menu on a phone": _phone_menu,
    "computer output hidden": _hidden,
    "keys": _keys,
    "settings": _settings,
    "analysed game": _analysed,
    "analysed endgame": _analysed_checkers,
    "lesson": _lesson,
    "another position": _another_position,
    "analysis menu": _analysis_menu,
    "lab, connect four": _lab("/lab?game=connect4&pos=44444226&depth=4"),
    "lab, checkers": _lab("/lab?game=checkers&depth=3&against=none"),
    "lab, half way": _lab_half_way,
    "course": _course,
    "course, question": _course_step("quiescence/3", "asking"),
    "course, answered": _course_answered,
    "course, the figures": _course_step("monte-carlo/7", "end"),
    "library": _library,
    "record": _record,
    "share": _share,
    "docs": _docs,
    "pages on a phone": _pages_on_a_phone,
    "no such game": _missing_game,
}
