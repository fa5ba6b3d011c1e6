"""The lab page: a search is watched step by step, techniques are compared, and an address brings it all back."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, expect

from tests.support.browser.tasks import never_frozen
from tests.support.browser.visitor import Tab, Visitor

CHECKERS = "B:W18,19,21,22,25,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,12"
GAMES = {
    "connect4": "/lab?game=connect4&pos=44444226&depth=4",
    "checkers": f"/lab?game=checkers&pos={CHECKERS}&depth=4",
}


class Bench:
    """The lab page with its words."""

    def __init__(self, tab: Tab, path: str = GAMES["connect4"]) -> None:
        self.tab, self.page = tab, tab.page
        tab.visit(path)
        self.is_done()

    def is_done(self) -> Bench:
        self.page.locator('main[data-lab="done"]').wait_for()
        return self

    def run(self) -> Bench:
        self.page.get_by_role("button", name=re.compile("^Run")).click()
        return self.is_done()

    @property
    def search(self) -> Locator:
        return self.page.locator(".searchcard").first

    @property
    def at(self) -> int:
        return int(self.search.get_attribute("data-at") or 0)

    @property
    def steps(self) -> int:
        return int(self.search.get_attribute("data-steps") or 0)

    def is_at(self, step: int) -> Bench:
        expect(self.search).to_have_attribute("data-at", str(step))
        return self

    @property
    def nodes(self) -> Locator:
        return self.search.locator(".node")

    @property
    def selected(self) -> Locator:
        return self.search.locator(".node.sel")

    @property
    def words(self) -> Locator:
        return self.search.locator(".inspect .words")


@pytest.mark.parametrize("game", GAMES)
def test_the_ladder_has_a_rung_for_each_technique(tab: Tab, game: str) -> None:
    bench = Bench(tab, GAMES[game])
    ladder = bench.page.locator(".laddercard")
    names = ladder.locator(".name")
    expect(names.first).to_have_text("Minimax")
    expect(names.nth(1)).to_have_text("+ alpha-beta")
    expect(ladder).to_contain_text("All find")
    ladder.get_by_text("As a table").click()
    rows = ladder.locator("tbody tr")
    expect(rows).to_have_count(names.count())
    counts = [int(re.sub(r"\D", "", text)) for text in rows.locator("td:nth-child(2)").all_inner_texts()]
    assert counts[0] > counts[-1]
    dots = [float(dot.get_attribute("cx") or 0) for dot in ladder.locator("circle.dot").all()]
    assert dots[0] == max(dots)


@pytest.mark.parametrize("game", GAMES)
def test_a_search_is_stepped_through_forward_and_back(tab: Tab, game: str) -> None:
    bench = Bench(tab, GAMES[game])
    steps = bench.steps
    assert steps > 50
    bench.is_at(steps)
    tab.press("Home")
    bench.is_at(0)
    expect(bench.selected).to_have_attribute("aria-label", re.compile("^Start, being searched"))
    expect(bench.search.locator(".node.open")).to_have_count(1)
    tab.press(".", ".", "j")
    bench.is_at(3)
    third = bench.selected.get_attribute("data-visit")
    expect(bench.search.locator(".counter")).to_contain_text(f"4 of {steps}")
    tab.press("k")
    bench.is_at(2)
    assert bench.selected.get_attribute("data-visit") != third
    tab.press("ArrowRight")
    bench.is_at(3)
    assert bench.selected.get_attribute("data-visit") == third
    bench.search.get_by_role("button", name="Step back (K)").click()
    bench.is_at(2)
    bench.search.get_by_role("button", name="To the end (End)").click()
    bench.is_at(steps)
    expect(bench.search.locator(".node.ahead, .node.open")).to_have_count(0)


def test_a_search_is_played_and_paused(tab: Tab) -> None:
    bench = Bench(tab)
    tab.press("Home", "]", "]", "p")  # slowly enough not to be over before it is paused
    expect(bench.search).not_to_have_attribute("data-at", re.compile("^[0-3]$"))
    tab.press("p")
    expect(bench.search.get_by_role("button", name=re.compile("^Play"))).to_be_visible()
    at = bench.at
    assert 0 < at < bench.steps
    bench.is_at(at)


def test_a_position_of_the_search_is_told_in_words(tab: Tab) -> None:
    bench = Bench(tab)
    board = bench.page.locator(".labboard")
    before = bench.page.locator(".labboard [aria-label*='disc']").count()
    shown = bench.nodes.count()
    cut = bench.search.locator(".node.cut").nth(2)
    cut.click()
    expect(bench.selected).to_have_class(re.compile("cut"))
    expect(bench.words).to_contain_text("already has")
    expect(bench.words).to_contain_text("cannot be better")
    expect(bench.search.locator(".inspect dl")).to_contain_text("never looked at")
    assert bench.nodes.count() > shown  # what is below it is open
    expect(board.locator("[aria-label*='disc']")).to_have_count(before + 1)  # and on the board
    bench.selected.click()
    expect(bench.nodes).to_have_count(shown)


def test_the_tree_is_walked_by_keyboard(tab: Tab) -> None:
    bench = Bench(tab)
    for _ in range(80):
        tab.press("Tab")
        if bench.page.evaluate("document.activeElement?.dataset?.visit ?? null") is not None:
            break
    expect(bench.selected).to_be_focused()
    tab.press("ArrowDown")
    expect(bench.selected).to_be_focused()
    expect(bench.selected).to_have_attribute("aria-level", "2")
    first = bench.selected.get_attribute("aria-label") or ""
    tab.press("ArrowRight")
    expect(bench.selected).not_to_have_attribute("aria-label", first)
    expect(bench.selected).to_have_attribute("aria-expanded", "false")
    tab.press("Enter")
    expect(bench.selected).to_have_attribute("aria-expanded", "true")
    tab.press("ArrowDown")
    expect(bench.selected).to_have_attribute("aria-level", "3")
    tab.press("ArrowUp", "Enter")
    expect(bench.selected).to_have_attribute("aria-expanded", "false")
    expect(bench.selected).to_be_focused()


def test_an_address_brings_an_experiment_back(visitor: Visitor) -> None:
    bench = Bench(visitor.tab)
    page = bench.page
    page.get_by_role("switch", name=re.compile("^Table")).first.check()
    page.get_by_role("slider", name="Depth").fill("3")
    page.get_by_role("combobox", name="Evaluation").select_option("threats")
    page.get_by_text("Weights").click()
    page.get_by_label("each cell that wins, own minus other's").fill("77")
    page.get_by_label("each cell that wins, own minus other's").press("Enter")
    bench.is_done()
    expect(page).to_have_url(re.compile("weights=5000%2C-4000%2C77"))
    expect(bench.search).to_contain_text("depth 3")
    label = bench.selected.get_attribute("aria-label")
    again = visitor.new_tab()
    again.page.goto(page.url)
    again.page.locator('main[data-lab="done"]').wait_for()
    expect(again.page.locator(".searchcard .node.sel")).to_have_attribute("aria-label", label or "")
    expect(again.page.get_by_role("switch", name=re.compile("^Table")).first).to_be_checked()
    expect(again.page.get_by_role("combobox", name="Evaluation")).to_have_value("threats")
    expect(again.page).to_have_url(page.url)


def test_two_techniques_stand_side_by_side(tab: Tab) -> None:
    bench = Bench(tab)
    bench.page.get_by_role("switch", name=re.compile("^Two side by side")).check()
    bench.run()
    cards = bench.page.locator(".searchcard")
    expect(cards).to_have_count(2)
    expect(cards.nth(0)).to_contain_text("Alpha-beta")
    expect(cards.nth(1)).to_contain_text("Minimax")
    boxes = [card.bounding_box() for card in cards.all()]
    assert boxes[0] is not None
    assert boxes[1] is not None
    assert boxes[0]["y"] == boxes[1]["y"]
    assert boxes[0]["x"] + boxes[0]["width"] <= boxes[1]["x"]
    counts = [int(card.get_attribute("data-steps") or 0) for card in cards.all()]
    assert counts[0] < counts[1]
    cards.nth(1).get_by_role("button", name="Rewind (Home)").click()
    tab.press("j", "j")  # both step together
    for card in cards.all():
        expect(card).to_have_attribute("data-at", "2")
    cards.nth(0).get_by_role("button", name="To the end (End)").click()
    tab.press("k")  # the shorter one waits at its end while the longer one goes back
    expect(cards.nth(1)).to_have_attribute("data-at", str(counts[1] - 1))
    expect(cards.nth(0)).to_have_attribute("data-at", str(counts[0]))


def test_a_change_runs_by_itself_when_that_is_cheap_and_says_so_when_it_is_not(tab: Tab) -> None:
    bench = Bench(tab)
    depth = bench.page.get_by_role("slider", name="Depth")
    depth.fill("3")
    expect(bench.search).to_contain_text("depth 3")
    bench.is_done()
    depth.fill("7")
    expect(bench.page.locator(".progress")).to_have_text("Changed: run again")
    expect(bench.search).to_contain_text("depth 3")
    depth.fill("2")
    expect(bench.search).to_contain_text("depth 2")


def test_the_words_beside_the_plies_are_never_cut_off(tab: Tab) -> None:
    """At 1280 px, wherever the tree is scrolled to."""
    bench = Bench(tab, "/lab?game=checkers&depth=3&use=alphabeta,quiescence")
    for place in (0, 100_000):
        bench.search.locator(".treebox").evaluate("(box, x) => (box.scrollLeft = x)", place)
        card = bench.search.bounding_box()
        assert card is not None
        for text in bench.search.locator(".plies text").all():
            box = text.bounding_box()
            assert box is not None
            assert box["x"] >= card["x"]
            assert box["x"] + box["width"] <= card["x"] + 112  # the boxes of the tree begin after them


def test_the_main_line_is_not_given_away_while_stepping(tab: Tab) -> None:
    bench = Bench(tab)
    expect(bench.search.locator(".edge.pv").first).to_be_attached()
    tab.press("Home", ".", ".")
    expect(bench.search.locator(".pv")).to_have_count(0)
    expect(bench.search.locator(".inspect")).to_contain_text("known at the end")
    tab.press("End")
    expect(bench.search.locator(".edge.pv").first).to_be_attached()


def test_an_article_leads_back_to_the_same_experiment(tab: Tab) -> None:
    bench = Bench(tab, "/lab?game=connect4&pos=4453&depth=3&use=alphabeta")
    address = bench.page.url
    bench.page.get_by_role("link", name="Alpha-beta: read more").first.click()
    bench.page.get_by_role("link", name="Back to the lab").click()
    bench.is_done()
    assert bench.page.url == address


def test_a_position_is_chosen_in_many_ways(tab: Tab) -> None:
    bench = Bench(tab)
    field = bench.page.locator(".positiontext")
    said = bench.page.locator(".labsentence")
    tab.press("/")
    expect(field).to_be_focused()
    field.fill("445")
    expect(said).to_contain_text("Yellow to move, 3 discs.")
    field.fill("4444444")
    expect(said).to_contain_text("cannot be played")
    expect(bench.page.get_by_role("button", name=re.compile("^Run"))).to_be_disabled()
    bench.page.get_by_role("button", name="Start", exact=True).click()
    expect(said).to_contain_text("Red to move, 0 discs.")
    tab.cell(38).click()  # the bottom of the middle column
    expect(field).to_have_value("4")
    bench.page.get_by_role("button", name="Checkers", exact=True).click()
    expect(said).to_contain_text("Black to move, 20 pieces.")
    bench.is_done()
    expect(bench.search).to_contain_text("values as Black sees them")


def test_a_huge_experiment_does_not_freeze_the_page_and_is_stopped(tab: Tab) -> None:
    bench = Bench(tab)
    with never_frozen(bench.page):
        bench.page.get_by_role("button", name="Start", exact=True).click()
        expect(bench.page.locator(".labsentence")).to_contain_text("0 discs")
        bench.page.get_by_role("slider", name="Depth").fill("12")
        bench.page.get_by_role("button", name="Minimax", exact=True).click()
        tab.press("Escape")
        bench.page.get_by_role("button", name=re.compile("^Run")).click()
        expect(bench.page.locator(".progress")).to_contain_text("positions")
        tab.press("Home", "j", "t")  # all the while the page obeys
        bench.is_at(1)
        bench.page.get_by_role("button", name=re.compile("^Stop")).click()
        expect(bench.page.get_by_role("button", name=re.compile("^Run"))).to_be_visible()


def test_a_large_tree_is_drawn_and_walked_without_delay(tab: Tab) -> None:
    bench = Bench(tab, "/lab?game=connect4&pos=44&depth=4&use=none")
    with never_frozen(bench.page):
        for _ in range(60):
            shut = bench.search.locator('.node[aria-expanded="false"]')
            if bench.nodes.count() > 280 or shut.count() == 0:
                break
            shut.first.dispatch_event("click")
        assert 250 < bench.nodes.count() <= 300
        for _ in range(10):
            tab.press("k")
        tab.press("Home", "j", "j", "End")
        bench.is_at(bench.steps)


def test_a_frozen_page_would_be_noticed(tab: Tab) -> None:
    bench = Bench(tab)
    with pytest.raises(AssertionError), never_frozen(bench.page, most_ms=20):
        bench.page.evaluate("for (let i = 0; i < 5e8; i += 1);")


def test_every_word_leads_to_its_page(tab: Tab) -> None:
    bench = Bench(tab)
    links = bench.page.locator(".glossary a")
    addresses = sorted({link.get_attribute("href") or "" for link in links.all()})
    assert len(addresses) > 6
    for address in addresses:
        tab.visit(address)
        expect(tab.page.locator(".prose h1")).to_be_visible()
        assert tab.does_not_overflow()
    tab.page.get_by_role("link", name="Back to the lab").click()
    bench.is_done()


def test_monte_carlo_is_watched_from_the_position_and_leads_back(visitor: Visitor) -> None:
    bench = Bench(visitor.tab, "/lab?game=connect4&pos=4444&depth=3&use=alphabeta")
    page, lab = bench.page, bench.page.url
    page.get_by_role("link", name="Watch").click()
    main = page.locator("main.labc")
    expect(main).to_have_attribute("data-stage", "reading")
    expect(page).to_have_url(re.compile(r"/lab/monte-carlo\?game=connect4&pos=4444"))
    expect(page.get_by_label("On the board").get_by_role("img")).to_have_count(1)
    bench.tab.press(".")
    expect(main).to_have_attribute("data-moment", "1")
    bench.tab.press("ArrowRight")  # through the whole run: straight to its end
    expect(main).to_have_attribute("data-stage", "end")
    expect(page.locator(".task")).to_contain_text("was tried most often")
    expect(page.get_by_role("region", name="Search tree")).to_contain_text("60 games")
    page.get_by_role("button", name=re.compile("^Back to the lab")).click()
    bench.is_done()
    assert page.url == lab
