"""The server goes and comes back under an open page; two tabs look at one game."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Route, expect

from tests.support.browser.visitor import NewVisitor, Visitor, moves_of
from tests.support.web_server import Game, ServerProcess, new_game

NO_SERVER = "net::ERR_|WebSocket connection to"


def test_a_killed_server_loses_no_move_and_the_page_resumes_by_itself(new_visitor: NewVisitor, tmp_path: Path) -> None:
    with ServerProcess(tmp_path) as first:
        visitor = new_visitor(first)
        tab = visitor.tab.play("/play/connect4?first=human&second=level:2")
        tab.press("4").sees(status="human", plies=2).press("4").sees(status="human", plies=4)
        before = tab.game().texts
        visitor.tolerate(NO_SERVER)
        first.kill()
        tab.sees(link="gone")
        expect(tab.page.get_by_role("alert")).to_contain_text("The server does not answer.")
        tab.press("k", "k")  # the game can still be looked at
        expect(tab.sentence).to_have_text("The server does not answer.")
        expect(tab.page.locator(".moves [aria-current]")).to_have_attribute("data-ply", "2")
        tab.press("End")
        with ServerProcess(tmp_path, "--port", str(first.port)):
            tab.sees(link="open", status="human", plies=4)
            expect(tab.page.get_by_role("alert")).to_have_count(0)
            assert tab.game().texts == before
            tab.press("5").sees(status="human", plies=6)


def test_a_server_killed_while_an_engine_thinks_goes_on_thinking(new_visitor: NewVisitor, tmp_path: Path) -> None:
    with ServerProcess(tmp_path) as first:
        visitor = new_visitor(first)
        game = new_game(first.client, seats=["human", "lab:five-phase"], time_ms=60_000)
        tab = visitor.tab.open(game)
        tab.press("4").sees(status="thinking", plies=1)
        visitor.tolerate(NO_SERVER)
        first.kill()
        tab.sees(link="gone", plies=1)
        with ServerProcess(tmp_path, "--port", str(first.port)):
            tab.sees(link="open", status="thinking", plies=1)
            tab.do("move-now").sees(status="human", plies=2)


def test_a_game_that_the_server_has_lost_is_told(new_visitor: NewVisitor, tmp_path: Path) -> None:
    with ServerProcess(tmp_path / "first") as first:
        visitor = new_visitor(first)
        game = new_game(first.client)
        tab = visitor.tab.open(game)
        tab.press("4").sees(plies=1)
        visitor.tolerate(NO_SERVER)
        first.kill()
        with ServerProcess(tmp_path / "second", "--port", str(first.port)):
            expect(tab.page.get_by_text(f"There is no game {game.view['id']}.")).to_be_visible()
            tab.click("Play Connect Four", "link").sees(status="human", plies=0)


def test_a_server_that_cannot_save_says_so(new_visitor: NewVisitor, tmp_path: Path) -> None:
    with ServerProcess(tmp_path, "--port", "0", "--db", "memory") as server:
        tab = new_visitor(server).tab.play()
        expect(tab.page.get_by_role("note")).to_contain_text("memory")
        tab.press("4").sees(status="human", plies=2)


# Games that are gone


def test_a_game_that_never_was_is_told_without_an_error(visitor: Visitor) -> None:
    tab = visitor.tab.visit("/game/nosuchgame")
    expect(tab.page.get_by_text("There is no game nosuchgame.")).to_be_visible()


def test_a_remembered_game_that_is_gone_gives_way_to_a_new_one(visitor: Visitor) -> None:
    visitor.context.add_init_script("localStorage.setItem('outplay.last.connect4', 'nosuchgame')")
    visitor.tab.play().sees(status="human", plies=0)


def test_a_visitor_comes_back_to_the_unfinished_game(visitor: Visitor) -> None:
    tab = visitor.tab.play()
    tab.press("4").sees(status="human", plies=2)
    first = tab.game_id
    tab.play().sees(status="human", plies=2)
    assert tab.game_id == first


def test_a_page_that_is_not_there_is_told(visitor: Visitor) -> None:
    visitor.tolerate("status of 404.*/nowhere")  # the address itself, as it should be
    tab = visitor.tab.visit("/nowhere")
    expect(tab.page.get_by_text("There is no page at /nowhere.")).to_be_visible()


# Two tabs


def test_two_tabs_follow_each_other(visitor: Visitor, server: ServerProcess) -> None:
    game = new_game(server.client)
    one, other = visitor.tab.open(game), visitor.new_tab().open(game)
    one.press("4").sees(plies=1)
    other.sees(plies=1)
    expect(other.cell(38)).to_have_attribute("aria-label", "Column 4, row 1, Red disc, last move")
    other.press("5").sees(plies=2)
    one.sees(plies=2)
    one.press("u").sees(plies=1)
    other.sees(plies=1)
    other.press("3").sees(plies=2)
    one.sees(plies=2)
    assert moves_of(game) == ["4", "3"]


def test_a_tab_that_writes_too_late_is_told(visitor: Visitor, server: ServerProcess) -> None:
    game = new_game(server.client)
    tab = visitor.tab.open(game)
    visitor.tolerate("status of 409.*/moves")

    def another_tab_is_quicker(route: Route) -> None:
        Game(server.client, dict(game.view)).play("1")
        route.continue_()

    tab.page.route("**/moves", another_tab_is_quicker, times=1)
    tab.press("4")
    expect(tab.page.get_by_role("alert")).to_contain_text("The game has moved on.")
    tab.sees(plies=1)
    assert moves_of(game) == ["1"]
    tab.press("4").sees(plies=2)
    expect(tab.page.get_by_role("alert")).to_have_count(0)


def test_every_page_says_that_the_database_is_read_only(new_visitor: NewVisitor, tmp_path: Path) -> None:
    with ServerProcess(tmp_path) as writing:
        game = new_game(writing.client)
    url = f"sqlite:///file:{tmp_path / 'games.sqlite3'}?mode=ro&uri=true"
    with ServerProcess(tmp_path, "--port", "0", "--db", url) as server:
        visitor = new_visitor(server)
        visitor.tolerate("status of 503")  # the first page would begin a game
        page = visitor.tab.page
        for path in ("/", "/library", f"/game/{game.view['id']}", "/puzzles"):
            page.goto(server.url + path)
            warning = page.get_by_role("complementary", name="Warning")
            expect(warning).to_contain_text(
                "The database is read-only: games can be looked at, but not played or saved."
            )
        visitor.tab.visit("/").click("Open the library", "link")
        expect(page.get_by_role("heading", name="Library")).to_be_visible()
