"""The report of a tournament: one file that opens without a server, for everyone, and replays every game."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from outplay.engine.types import Limit
from outplay.match import Tournament, TournamentState, play_tournament
from outplay.match.page import tournament_html

AXE = Path(__file__).parents[2] / "frontend" / "node_modules" / "axe-core" / "axe.min.js"
NASTY = "</script><img src=x onerror='window.hacked = 1'>"
LATE = """
def choose(position):
    if position.plies >= 10:
        raise ValueError("NASTY")
    return position.legal_moves()[0]
"""


@pytest.fixture(scope="module")
def state(tmp_path_factory: pytest.TempPathFactory) -> TournamentState:
    """A small tournament with a player that crashes, one that cannot start, and one with a strange name."""
    folder = tmp_path_factory.mktemp("bots")
    (folder / "late.py").write_text(LATE.replace("NASTY", NASTY), encoding="utf-8")
    (folder / "broken.py").write_text("import nowhere\n", encoding="utf-8")
    guests = [f"guest,sandbox=limits:{folder}/{name}.py" for name in ("late", "broken")]
    tournament = Tournament(
        ("level:1", "random", *guests, "level:2"),
        ("level:1", NASTY, "late", "broken", "level:2"),
        games=2,
        limit=Limit(depth=2),
    )
    return play_tournament(tournament, workers=0)


@pytest.fixture
def report(state: TournamentState, tmp_path: Path) -> str:
    path = tmp_path / "report.html"
    path.write_text(tournament_html(state), encoding="utf-8")
    return path.as_uri()


@pytest.fixture(params=["light", "dark", "phone"])
def page(request: pytest.FixtureRequest, browser: Browser, report: str) -> Iterator[Page]:
    """The report without any network, in both themes and on a phone."""
    is_phone = request.param == "phone"
    context = browser.new_context(
        offline=True,
        color_scheme="dark" if request.param == "dark" else "light",
        viewport={"width": 360, "height": 740} if is_phone else {"width": 1280, "height": 800},
        bypass_csp=True,  # for axe
    )
    page = context.new_page()
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    page.goto(report)
    yield page
    assert complaints == []
    assert page.evaluate("window.hacked") is None
    context.close()


def violations(page: Page) -> list[str]:
    page.add_script_tag(path=str(AXE))
    found: list[dict[str, Any]] = page.evaluate("axe.run(document).then((results) => results.violations)")
    return [f"{each['id']}: {[node['html'] for node in each['nodes']]}" for each in found]


def test_axe_finds_nothing_and_nothing_is_past_the_edge(page: Page) -> None:
    for details in page.locator("details").all():
        details.evaluate("(each) => { each.open = true }")
    assert violations(page) == []
    width, inner = page.evaluate("[document.documentElement.scrollWidth, window.innerWidth]")
    assert width <= inner


def test_the_tables_say_who_won_and_who_failed(page: Page, state: TournamentState) -> None:
    table = page.get_by_role("region", name="Table of the standings")
    rows = table.locator("tbody tr")
    expect(rows).to_have_count(4)
    expect(rows.first.get_by_role("rowheader")).to_have_text(state.standings[0].name)
    failures = page.get_by_role("region", name="Crashes and time losses")
    expect(failures).to_contain_text("broken could not start")
    expect(failures).to_contain_text("No module named 'nowhere'")
    expect(failures.locator("pre").last).to_contain_text("Traceback")
    expect(page.get_by_role("region", name="Standings", exact=True)).to_contain_text("Order: points")


def test_a_game_is_chosen_in_the_cross_table_and_replayed(page: Page, state: TournamentState) -> None:
    a, b = (state.names.index(name) for name in ("level:2", "level:1"))
    page.get_by_role("button", name="level:2 against level:1").click()
    games = page.get_by_role("list", name="Games").get_by_role("button")
    expect(games).to_have_count(2)
    bout = state.by_pair[a, b][0]
    replay = page.get_by_role("group", name="Replay")
    caption = replay.locator("[data-part=caption]")
    expect(caption).to_contain_text(f"Move {len(bout.moves)} of {len(bout.moves)}")
    discs = replay.locator("svg g[transform]")
    expect(discs).to_have_count(len(bout.moves))
    replay.get_by_role("button", name="First position").click()
    expect(caption).to_have_text("The start.")
    expect(discs).to_have_count(0)
    replay.get_by_role("button", name="Next move").click()
    expect(caption).to_have_text(f"Move 1 of {len(bout.moves)}, Red: {bout.moves[0]}.")
    expect(discs).to_have_count(1)
    page.keyboard.press("End")
    expect(discs).to_have_count(len(bout.moves))
    expect(replay.locator("[data-part=moves]")).to_have_text(" ".join(bout.moves))


def test_a_failed_game_is_opened_from_its_traceback(page: Page) -> None:
    failures = page.get_by_role("region", name="Crashes and time losses")
    failures.locator("summary").last.click()
    button = failures.locator("[data-game]").last
    key = button.inner_text()
    button.click()
    expect(page.locator("[data-part=title]")).to_contain_text(f"({key})")
    expect(page.locator("[data-part=failure]")).to_contain_text("late.py failed: ValueError")


def test_checkers_games_are_replayed_too(browser: Browser, tmp_path: Path) -> None:
    tournament = Tournament(("level:1", "random"), game="checkers", limit=Limit(depth=2), max_plies=80)
    state = play_tournament(tournament, workers=0)
    path = tmp_path / "report.html"
    path.write_text(tournament_html(state), encoding="utf-8")
    context = browser.new_context(offline=True)
    page = context.new_page()
    page.goto(path.as_uri())
    pieces = page.get_by_role("group", name="Replay").locator("svg g[transform]")
    bout = next(iter(state.by_pair.values()))[0]
    from outplay import Game, checkers

    game = Game(checkers.Position())
    for move in bout.moves:
        game.play(move)
    expect(pieces).to_have_count(len(game.position.pieces()))
    page.get_by_role("button", name="First position").click()
    expect(pieces).to_have_count(24)
    context.close()


def test_without_scripts_the_tables_stay(browser: Browser, report: str) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(report)
    expect(page.get_by_role("region", name="Table of the standings").locator("tbody tr")).to_have_count(4)
    expect(page.get_by_text("Turn on scripts to replay the games.")).to_be_visible()
    context.close()
