"""The analysis board: exact scores, engine lines, variations that stay, and an address for every position."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.support.browser.desk import PATIENCE_MS, Desk, column_words, imported
from tests.support.browser.hands import Keyboard
from tests.support.browser.tasks import never_frozen
from tests.support.browser.visitor import NewVisitor, Tab, Visitor
from tests.support.games import long_game
from tests.support.web_server import new_game

POSITIONS = (
    "5523546515174352",
    "6457544672262754",
    "671275137",
    "526732326466115336",
    "371421347471",
    "745314556322",
    "521311155124353261",
    "16634363563641",
    "4772136625432711",
    "21475545621647",
)
GAME = "444442226577166"
CHECKERS = "1. 11-15 23-19 2. 8-11 22-17 3. 4-8 17-13 4. 15-18 24-20"
PLACES_OF_THE_MOVES = """
(() => {
  window.tops = [];
  const look = () => {
    const top = document.querySelector(".movescard")?.getBoundingClientRect().top;
    if (top !== undefined && top !== window.tops.at(-1)) window.tops.push(top);
    requestAnimationFrame(look);
  };
  look();
})()
"""


def test_column_scores_are_those_of_outplay_solve(tab: Tab) -> None:
    for moves in POSITIONS:
        desk = Desk(tab, f"/analyse?game=connect4&pos={moves}")
        assert desk.scores() == column_words(moves), moves
        expect(desk.page.locator(".enginecard .proof")).to_contain_text("solved")


def test_scores_stay_from_move_to_move_until_they_are_switched_off(tab: Tab) -> None:
    desk = Desk(tab, imported(tab, GAME)).is_at(len(GAME))
    assert desk.scores() == column_words(GAME)
    desk.press("k").is_at(len(GAME) - 1)
    assert desk.scores() == column_words(GAME[:-1])
    desk.press("l")
    expect(desk.page.locator(".scores, .gauge, .verdict")).to_have_count(0)
    desk.press("k", "5")  # moves can be made all the same
    expect(desk.current).to_have_text("5")
    desk.press("l")
    assert desk.scores() == column_words(GAME[:-2] + "5")
    desk.press("z")
    expect(desk.page.locator(".scores, .gauge, .verdict, .graphcard, .reviewcard")).to_have_count(0)
    desk.press("z")
    assert desk.scores() == column_words(GAME[:-2] + "5")


@pytest.mark.parametrize("moves", [POSITIONS[0], "4"])
def test_the_moves_keep_their_place_while_the_engine_answers(tab: Tab, moves: str) -> None:
    tab.page.add_init_script(PLACES_OF_THE_MOVES)
    Desk(tab, f"/analyse?game=connect4&pos={moves}").is_scored()
    assert len(tab.page.evaluate("window.tops")) == 1


def test_a_flipped_board_has_its_scores_the_other_way_round(tab: Tab) -> None:
    desk = Desk(tab, f"/analyse?game=connect4&pos={POSITIONS[0]}&flip=1")
    assert desk.scores() == column_words(POSITIONS[0])[::-1]


def test_proof_and_guess_never_look_alike(tab: Tab) -> None:
    desk = Desk(tab, imported(tab, CHECKERS))
    card = desk.page.locator(".enginecard")
    expect(card.locator(".guess")).to_have_text("estimate", timeout=PATIENCE_MS)
    expect(card.locator(".verdict b")).to_contain_text(re.compile("[Ee]stimated"))
    expect(card.locator(".chip.est")).to_have_count(3)
    expect(card.locator(".proof, .chip:not(.est)")).to_have_count(0)
    expect(desk.page.locator(".gauge.est")).to_be_visible()
    desk = Desk(tab, "/analyse?game=checkers&pos=B:WK17:BK9,K5")
    expect(card.locator(".proof").first).to_contain_text("endgame table", timeout=PATIENCE_MS)
    expect(card.locator(".guess, .chip.est")).to_have_count(0)
    expect(card.locator(".verdict b")).to_contain_text("Black wins")
    expect(desk.page.locator(".gauge:not(.est)")).to_be_visible()


def test_checkers_has_as_many_lines_as_one_wants(tab: Tab) -> None:
    desk = Desk(tab, imported(tab, CHECKERS))
    lines = desk.page.locator(".lines .pv")
    expect(lines).to_have_count(3, timeout=PATIENCE_MS)
    expect(desk.page.locator(".verdict .detail")).to_contain_text(re.compile(r"depth \d+, .* positions"))
    desk.press("]", "]")
    expect(lines).to_have_count(5, timeout=PATIENCE_MS)
    desk.press("[", "[", "[", "[")
    expect(lines).to_have_count(1, timeout=PATIENCE_MS)
    expect(desk.page.locator(".movescard .opening")).to_have_text("Old Fourteenth")
    # looked at and clicked at once: the engine may yet change its mind
    first: str = lines.evaluate("(line) => { const text = line.innerText; line.click(); return text; }").split()[0]
    desk.is_at(9)
    expect(desk.current).to_contain_text(first)


def test_variations_survive_a_reload(tab: Tab) -> None:
    desk = Desk(tab, imported(tab, GAME)).is_at(15)
    desk.press("k", "k", "k").is_at(12).press("3").is_at(13).press("5").is_at(14)
    tab.press("k")
    tab.cell(35).click()  # the mouse: column 1
    expect(desk.current).to_have_text("1")
    assert desk.variations == ["7. 3 5", "7… 1"]
    expect(desk.page).to_have_url(re.compile(r"ply=12&line=3%2C1$"))
    place = desk.at
    tab.page.reload()
    desk.is_open().is_at(14)
    assert desk.at == place
    assert desk.variations == ["7. 3 5", "7… 1"]
    expect(desk.current).to_have_text("1")


def test_variations_are_put_first_deleted_and_brought_back(tab: Tab) -> None:
    desk = Desk(tab, "/analyse?game=connect4&pos=44")
    desk.press("4").is_at(3).press("4").is_at(4).press("k", "3").is_at(4).press("3").is_at(5)  # the first move saves it
    expect(desk.page).to_have_url(re.compile("game=[a-z0-9]+&ply=3&line=3%2C3"))
    assert desk.variations == ["2… 3 3. 3"]
    desk.press("p")
    expect(desk.page).to_have_url(re.compile("ply=5$"))
    assert desk.variations == ["2… 4"]
    desk.press("k", "ArrowDown").is_at(4)
    expect(desk.current).to_have_text("4")
    desk.press("Delete").is_at(3)
    expect(desk.page.locator(".moves .var")).to_have_count(0)
    expect(desk.page.locator(".deed")).to_contain_text("4 deleted.")
    desk.press("u").is_at(4)
    assert desk.variations == ["2… 4"]


def test_the_moves_of_a_game_are_not_deleted(tab: Tab) -> None:
    desk = Desk(tab, imported(tab, GAME)).is_at(15).press("Delete")
    expect(desk.page.locator('[data-action="delete"]')).to_have_count(0)
    desk.press("k").is_at(14).press("End").is_at(15)


def test_moves_are_played_for_either_side_by_mouse_and_keyboard(tab: Tab) -> None:
    desk = Desk(tab, "/analyse?game=checkers")
    tab.cell(11).click()
    tab.cell(15).click()
    desk.is_at(1)
    desk.press("/")
    field = desk.page.get_by_label("A move, or a position")
    field.fill("22-18")
    field.press("Enter")
    desk.is_at(2)
    field.press("Escape")
    expect(field).to_have_count(0)
    expect(desk.page.locator(".board [aria-label*='must capture']").first).to_be_attached()
    tab.cell(10).click()
    tab.cell(14).click()
    expect(desk.page.get_by_role("alert")).to_contain_text("You must capture: 15x22")
    tab.cell(15).click()
    tab.cell(22).click()
    desk.is_at(3)


def test_the_board_is_played_on_with_nothing_but_the_keyboard(tab: Tab) -> None:
    desk = Desk(tab, "/analyse?game=connect4")
    Keyboard().reach_the_board(tab)
    desk.press("ArrowRight", "ArrowRight", "Enter").is_at(1)
    expect(desk.current).to_have_text("3")
    desk.press("ArrowRight", "Enter").is_at(2)
    expect(desk.current).to_have_text("4")


def test_a_position_is_set_up_or_pasted(tab: Tab) -> None:
    desk = Desk(tab, "/analyse").press("n")
    tab.click("Clear")
    tab.cell(38).click()
    tab.cell(38).click()
    expect(desk.page.locator(".verdictline")).to_contain_text("Red to move, 2 discs.")
    tab.click("Analyse it")
    expect(desk.page).to_have_url(re.compile(r"game=connect4&pos="))
    assert desk.is_open().scores() == column_words("44")
    field = desk.page.get_by_label("Paste a game, moves or a position")
    field.fill("4455")
    field.press("Enter")
    desk.is_at(4)
    field.fill(f'[Black "Ann"] [White "Bob"] {CHECKERS} *')
    field.press("Enter")
    desk.is_at(8)


def test_an_address_brings_a_position_back(visitor: Visitor) -> None:
    desk = Desk(visitor.tab, f"{imported(visitor.tab, CHECKERS)}&ply=3&flip=1").is_at(3)
    expect(desk.page.locator('.moves [data-ply="3"]')).to_have_attribute("aria-current", "true")
    desk.press("j", "f").is_at(4)
    expect(desk.page).to_have_url(re.compile("ply=4&flip=0$"))
    again = Desk(visitor.new_tab(), visitor.page.url.removeprefix(visitor.server.url)).is_at(4)
    assert again.at == desk.at


def test_a_place_is_shared(new_visitor: NewVisitor) -> None:
    visitor = new_visitor(permissions=["clipboard-read", "clipboard-write"])
    desk = Desk(visitor.tab, imported(visitor.tab, GAME)).press("k", "k", "3").is_at(14).press("s")
    visitor.tab.click("Copy link")
    expect(desk.page.get_by_text("Link copied.")).to_be_visible()
    expect(desk.page).to_have_url(clipboard(desk.page))
    visitor.tab.click("Copy position (FEN)")
    expect(desk.page.get_by_text("Position copied.")).to_be_visible()
    assert clipboard(desk.page) == desk.at
    visitor.tab.click("Copy game (PDN)")
    expect(desk.page.get_by_text("Game copied.")).to_be_visible()
    assert "(" in clipboard(desk.page)  # the variation is in it


def clipboard(page: Page) -> str:
    text: str = page.evaluate("navigator.clipboard.readText()")
    return text


def test_every_page_leads_to_the_analysis(tab: Tab) -> None:
    game = new_game(tab.server.client, position="112233")
    tab.open(game).press("4").sees(status="over").do("coach-review")
    desk = page_of(tab).is_at(1)
    expect(desk.page).to_have_url(re.compile(f"/analyse.game={game.view['id']}"))
    tab.visit("/library")
    tab.page.locator(f'[data-game="{game.view["id"]}"] [data-tool="analyse"]').click()
    page_of(tab).is_at(1)
    tab.visit("/lab?game=connect4&pos=44444226&depth=1")
    tab.page.get_by_role("link", name="Analyse it").click()
    page_of(tab)
    tab.page.get_by_role("navigation", name="Pages").get_by_role("link", name="Play").click()
    tab.sees(link="open")
    tab.page.get_by_role("navigation", name="Pages").get_by_role("link", name="Analyse").click()
    page_of(tab).is_at(0)


def page_of(tab: Tab) -> Desk:
    """The analysis page that the visitor has come to."""
    desk = Desk.__new__(Desk)
    desk.tab, desk.page = tab, tab.page
    return desk.is_open()


def test_two_tabs_change_one_study(visitor: Visitor) -> None:
    visitor.tolerate("409")
    desk = Desk(visitor.tab, imported(visitor.tab, GAME)).is_at(15)
    other = Desk(visitor.new_tab(), desk.page.url.removeprefix(visitor.server.url)).is_at(15)
    other.press("3").is_at(16)
    desk.press("5")
    expect(desk.page.get_by_role("alert")).to_contain_text("has changed elsewhere")
    desk.press("5").is_at(16)
    assert len(desk.variations) == 1


def test_a_game_of_two_hundred_moves_is_walked_without_delay(tab: Tab) -> None:
    desk = Desk(tab, imported(tab, long_game(200))).is_at(200)
    with never_frozen(desk.page):
        desk.press("Home", *["j"] * 30).is_at(30).press("End", *["k"] * 10).is_at(190)
        expect(desk.page.locator('.moves [data-ply="190"]')).to_have_attribute("aria-current", "true")


@pytest.mark.parametrize("width", [360, 390, 768])
def test_the_board_fits_and_its_cells_are_large_enough(tab: Tab, width: int) -> None:
    tab.page.set_viewport_size({"width": width, "height": 800})
    for path, cell in (("/analyse?game=checkers", 1), ("/analyse?game=connect4", 0)):
        Desk(tab, path)
        assert tab.does_not_overflow()
        box = tab.cell(cell).bounding_box()
        assert box is not None
        assert box["width"] >= 44
