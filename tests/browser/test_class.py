"""A class at its pages: a teacher and two pupils, one of them on a phone."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import expect

from tests.browser.test_everyone import SCHEMES, violations
from tests.support.browser.visitor import DESKTOP, PHONE, NewVisitor, Tab
from tests.support.web_server import Json

AT_A_PHONE: Json = {"viewport": PHONE, "has_touch": True, "is_mobile": True}


def newcomer(new_visitor: NewVisitor, **options: Any) -> Tab:
    """A window without a key."""
    visitor = new_visitor(**options)
    visitor.context.clear_cookies()
    visitor.tolerate("409")  # a name that is taken
    return visitor.tab


def opened(new_visitor: NewVisitor) -> tuple[Tab, str]:
    """A teacher at the page of a new class, and its code."""
    teacher = newcomer(new_visitor).visit("/class/NEW")
    teacher.page.get_by_label("Name of the class").fill("7b")
    teacher.click("Open the class").sees(link="open", people=0)
    expect(teacher.page).to_have_url(re.compile("/class/[A-Z0-9]{4}$"))
    return teacher, teacher.address.rsplit("/", 1)[1]


def join(tab: Tab, code: str, name: str) -> None:
    if not tab.address.endswith(code):
        tab.visit(f"/class/{code}")
    tab.page.get_by_label("Your nickname").fill(name)
    tab.click("Join")


def resign(tab: Tab, game: str) -> None:
    """End a game from the page of one who plays it."""
    status = tab.page.evaluate(
        """async (id) => {
          const game = await (await fetch(`/api/games/${id}`)).json();
          const body = JSON.stringify({ version: game.version });
          const headers = { "content-type": "application/json" };
          return (await fetch(`/api/games/${id}/resign`, { method: "POST", headers, body })).status;
        }""",
        game,
    )
    assert status == 200


def is_clean(tab: Tab) -> None:
    """Nothing for axe to find, and nothing past the edge, at a desk and on a phone."""
    before = tab.page.viewport_size
    for size in (DESKTOP, PHONE):
        tab.page.set_viewport_size({"width": size["width"], "height": size["height"]})
        assert tab.does_not_overflow()
        for scheme in SCHEMES:
            tab.page.emulate_media(color_scheme=scheme)
            assert violations(tab) == [], f"{size['width']}, {scheme}"
    tab.page.emulate_media(color_scheme="light")
    assert before is not None
    tab.page.set_viewport_size(before)


def test_a_lesson_from_the_code_to_the_results(new_visitor: NewVisitor) -> None:
    teacher, code = opened(new_visitor)
    mia, tom = newcomer(new_visitor), newcomer(new_visitor, **AT_A_PHONE)
    head = teacher.page.locator(".classhead")
    expect(head).to_contain_text("Waiting for the first pupil.")
    expect(teacher.action("pair")).to_be_disabled()
    is_clean(teacher)

    mia.visit("/class").page.get_by_label("The code of your class").fill(code.lower())
    mia.click("Go to the class").sees(link="open")
    join(mia, code, "Mia")
    expect(mia.page.get_by_role("heading", name="Waiting for an opponent")).to_be_visible()
    expect(mia.page.get_by_text("No other pupil is free at the moment.")).to_be_visible()
    join(tom, code, "mia")
    expect(tom.page.get_by_role("alert")).to_have_text("Another pupil is called mia: try mia 2.")
    expect(tom.page.get_by_label("Your nickname")).to_have_value("mia")
    is_clean(tom)
    join(tom, code, "Tom")
    teacher.sees(people=2)
    expect(head).to_contain_text("2 here, 0 away. 0 games running, 2 free.")

    teacher.page.get_by_label("Choose Mia").check()
    teacher.page.get_by_label("Choose Tom").check()
    teacher.click("Pair Mia with Tom")
    tile = teacher.page.locator(".tile")
    expect(tile).to_have_attribute("data-tile", re.compile("."))
    first = tile.get_attribute("data-tile") or ""
    expect(tom.page.get_by_role("heading", name="Play Mia")).to_be_visible()
    expect(tom.page.get_by_text("Connect Four. You are Yellow, Mia begins.")).to_be_visible()
    is_clean(tom)
    mia.page.locator("main").get_by_role("link", name="Play", exact=True).click()
    mia.sees(link="open", plies=0)
    assert mia.game_id == first
    mia.press("4").sees(plies=1)
    expect(tile.locator(".moving b")).to_have_text("Tom")
    expect(head).to_contain_text("2 here, 0 away. 1 game running, 0 free.")
    expect(tile.locator("use[href='#red']")).to_have_count(2)  # the disc, and the one beside Mia's name

    teacher.do("pause")
    expect(tom.page.get_by_text("Paused by your teacher.")).to_be_visible()
    expect(teacher.action("pause")).to_have_text("Go on")
    is_clean(teacher)
    teacher.do("pause")
    expect(tom.page.get_by_text("Paused by your teacher.")).to_have_count(0)
    teacher.click("End the game of Mia and Tom")
    is_clean(teacher)
    teacher.click("Mia wins")
    expect(tile.locator(".chip")).to_have_text("won")
    expect(tom.page.get_by_text("Mia won.")).to_be_visible()

    mia.visit(f"/class/{code}").sees(link="open")
    expect(mia.page.get_by_text("You won against Tom.")).to_be_visible()
    expect(head).to_contain_text("2 here, 0 away.")
    teacher.do("tournament").click("Round robin")
    teacher.page.get_by_label("Rounds").fill("1")
    teacher.click("Start the first round")
    card = teacher.page.get_by_role("region", name="Tournament")
    expect(card).to_contain_text("Round 1 of 1")
    expect(teacher.page.locator(".tile")).to_have_count(2)
    second = teacher.page.locator(".tile:not(.over)").get_attribute("data-tile") or ""
    is_clean(teacher)
    teacher.page.get_by_role("link", name="Show the standings on the whole screen").click()
    playing = teacher.page.get_by_role("list", name="Playing now").get_by_role("listitem")
    expect(playing).to_have_text([re.compile("^(Mia . Tom|Tom . Mia)$")])
    is_clean(teacher)
    projector = newcomer(new_visitor).visit(f"/class/{code}/board")
    expect(projector.page.get_by_text("open this page in the teacher's browser")).to_be_visible()
    expect(projector.page.locator("main")).not_to_contain_text("Mia")
    is_clean(projector)
    resign(mia, second)
    expect(teacher.page.get_by_text("The tournament is over.")).to_be_visible()
    expect(playing).to_have_count(0)
    rows = teacher.page.get_by_role("table", name="Standings").get_by_role("row")
    expect(rows).to_have_count(3)
    expect(rows.nth(1)).to_contain_text("Tom")
    assert teacher.page.evaluate("parseFloat(getComputedStyle(document.querySelector('td')).fontSize)") >= 28
    is_clean(teacher)

    teacher.click("Back to the class", "link").do("export")
    with teacher.page.expect_download() as saved:
        teacher.click("A table of all games (CSV)")
    lines = saved.value.path().read_text().splitlines()
    assert len(lines) == 3
    assert ",Mia,Tom,1-0,decision," in lines[1]
    teacher.do("more").click("End the class").click("End the class")
    expect(tom.page.get_by_text("This class is over.").first).to_be_visible()
    expect(teacher.action("pair")).to_be_disabled()


def test_a_wrong_code_keeps_what_was_typed(new_visitor: NewVisitor) -> None:
    pupil = newcomer(new_visitor).visit("/class/ZZZZ")
    expect(pupil.page.get_by_role("alert")).to_have_text("No class ZZZZ here. Ask your teacher for the code.")
    expect(pupil.page.get_by_label("The code of your class")).to_have_value("ZZZZ")
    is_clean(pupil)


def test_names_are_corrected_and_pupils_ask_each_other(new_visitor: NewVisitor) -> None:
    teacher, code = opened(new_visitor)
    rude, tom = newcomer(new_visitor), newcomer(new_visitor, **AT_A_PHONE)
    join(rude, code, "Rude")
    join(tom, code, "Tom")
    teacher.sees(people=2).click("Correct or remove Rude")
    teacher.page.get_by_label("Name", exact=True).fill("Ruth")
    teacher.click("Save the name")
    expect(rude.page.get_by_text("you are Ruth")).to_be_visible()
    rude.click("Ask Tom")
    expect(rude.page.get_by_text("You asked Tom: wait for the answer.")).to_be_visible()
    tom.click("Play Checkers with Ruth")
    expect(tom.page.get_by_role("heading", name="Play Ruth")).to_be_visible()
    expect(teacher.page.locator(".tile .ckb")).to_be_visible()
    tom.page.reload()
    expect(tom.page.get_by_role("heading", name="Play Ruth")).to_be_visible()
    rude.page.close()
    expect(teacher.page.get_by_text("Ruth is away")).to_be_visible()
    teacher.click("Replace Ruth with a level")
    is_clean(teacher)
    teacher.click("Let it play")
    expect(tom.page.get_by_text("Tom to move").first).to_be_attached()
    teacher.click("Correct or remove Tom").click("Remove from the class")
    expect(tom.page.get_by_label("Your nickname")).to_be_visible()
    teacher.visit("/class")
    expect(teacher.page.get_by_role("link", name=re.compile(code))).to_contain_text("you teach it")
