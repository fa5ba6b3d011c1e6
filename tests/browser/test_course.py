"""The lab as a course: every part is walked by mouse and by keys, and the lit line is that of the recorded search."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from outplay.lab.course import COURSE, CourseRung, GuidedRun, guided
from tests.support.browser.visitor import DESKTOP, PHONE, NewVisitor, Tab, Visitor

FASTEST = ("]",) * 6


def fresh(visitor: Visitor, rung: CourseRung) -> Tab:
    """A tab of a person who has not answered anything in this part."""
    tab = visitor.tab
    assert tab.server.client.post(f"/api/lab/course/{rung.name}/again", json={}).status_code == 200
    return tab


def waits(tab: Tab, run: GuidedRun, number: int) -> None:
    """Wait until the run has come to a step, and check what is on the page against the record."""
    step = run.steps[number - 1]
    stage = {"read": "reading", "question": "asking", "end": "end"}[step.kind]
    tab.page.locator(f'main.labc[data-stage="{stage}"][data-step="{number}"]').wait_for()
    shows(tab, run, step.moment)


def shows(tab: Tab, run: GuidedRun, number: int) -> None:
    moment = run.run.moments[number]
    expect(tab.page.locator("main.labc")).to_have_attribute("data-moment", str(number))
    lit = tab.page.locator(".codebox .lit")
    expect(lit).to_have_count(1)
    assert (lit.text_content() or "").strip() == run.run.program.lines[moment.line - 1][0].strip()
    expect(tab.page.locator(".runwords")).to_have_text(moment.words)


def wrong_of(run: GuidedRun, number: int) -> str:
    question = run.steps[number - 1].question
    assert question is not None
    return next(key for key, _ in question.options if key != question.answer)


@pytest.mark.parametrize("rung", COURSE, ids=lambda rung: rung.name)
def test_by_keys(new_visitor: NewVisitor, rung: CourseRung) -> None:
    """The whole part, one answer wrong: "4 of 5 right"."""
    run = guided(rung)
    tab = fresh(new_visitor(reduced_motion="reduce"), rung).visit(f"/lab/course/{rung.name}/1")
    waits(tab, run, 1)
    tab.press(*FASTEST)
    for number in range(2, len(run.steps)):
        tab.press("ArrowRight")  # it plays to the question by itself
        waits(tab, run, number)
        question = run.steps[number - 1].question
        assert question is not None
        tab.press(wrong_of(run, number) if number == 2 else question.answer)
        said = tab.page.locator(".said")
        expect(said).to_contain_text(question.why)
        expect(said).to_contain_text(question.wrong if number == 2 else question.right)
        expect(tab.page.get_by_role("button", name="Go on").first).to_be_focused()
    with tab.page.expect_response(re.compile(f"/{len(run.steps)}/read$")):  # the list counts this step too
        tab.press("ArrowRight")
    waits(tab, run, len(run.steps))
    expect(tab.page.locator("[data-score]")).to_have_text("4 of 5 right")
    expect(tab.page.locator(".task")).to_have_text(run.claim.headline)
    for row in run.claim.rows:
        count = rf"\b{row.nodes // 1000}\D{row.nodes % 1000:03}\b" if row.nodes >= 1000 else rf"\b{row.nodes}\b"
        expect(tab.page.locator(".figures")).to_contain_text(re.compile(f"{count} (positions|games)"))
    tab.press("Escape")
    expect(tab.page.locator(f'[data-rung="{rung.name}"]')).to_contain_text("4 of 5 right")


def test_lines_one_by_one_and_no_play_while_a_question_waits(new_visitor: NewVisitor) -> None:
    run = guided(COURSE[1])
    tab = new_visitor(reduced_motion="reduce").tab.visit("/lab/course/alpha-beta/1")
    waits(tab, run, 1)
    for number in range(1, 12):
        tab.press(".")
        shows(tab, run, number)
    tab.press(",", ",")
    shows(tab, run, 9)
    tab.press("ArrowRight")
    waits(tab, run, 2)
    play = tab.page.get_by_label("The run").get_by_role("button", name=re.compile("^Play"))
    expect(play).to_be_disabled()
    tab.press(".", "p")  # nothing goes past the question
    shows(tab, run, run.steps[1].moment)
    tab.press(",")
    shows(tab, run, run.steps[1].moment - 1)
    windows = [text for text in tab.page.locator(".tree .window").all_text_contents() if text]
    opened = run.run.moments[run.steps[1].moment - 1].open
    assert len(windows) == len(opened)


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["1280", "390"])
def test_by_mouse_from_the_list_to_the_next_part(new_visitor: NewVisitor, size: dict[str, int]) -> None:
    run = guided(COURSE[0])
    tab = fresh(new_visitor(viewport=size, reduced_motion="reduce"), run.rung).visit("/learn")
    tab.page.locator('[data-rung="minimax"]').click()
    waits(tab, run, 1)
    tab.page.get_by_role("slider", name=re.compile("Speed")).fill("6")
    for number in range(2, len(run.steps)):
        tab.page.locator(".question").get_by_role("button", name="Go on").click()
        waits(tab, run, number)  # it plays to the question by itself
        question = run.steps[number - 1].question
        assert question is not None
        now = tab.page.locator(".cbox.now rect").bounding_box()
        assert now is not None
        assert now["x"] >= 0
        assert now["x"] + now["width"] <= size["width"]  # the current position is in sight
        tree, words = (tab.page.locator(where).bounding_box() for where in (".coursetree", ".rowlabels text >> nth=0"))
        assert tree is not None
        assert words is not None
        assert tree["x"] <= words["x"] < words["x"] + words["width"] < now["x"]  # and so are the words beside its row
        tab.page.locator(f'[data-answer="{question.answer}"]').click()
        expect(tab.page.locator(".said.good")).to_contain_text(question.right)
        assert tab.does_not_overflow()
    tab.page.locator(".question").get_by_role("button", name="Go on").click()
    waits(tab, run, len(run.steps))
    expect(tab.page.locator("[data-score]")).to_have_text("5 of 5 right")
    tab.page.locator(".question").get_by_role("button", name="Next: Alpha-beta").click()
    waits(tab, guided(COURSE[1]), 1)


def test_one_comes_back_to_the_same_step_and_takes_a_part_again(new_visitor: NewVisitor) -> None:
    run = guided(COURSE[0])
    tab = fresh(new_visitor(reduced_motion="reduce"), run.rung).visit("/lab/course/minimax/1")
    waits(tab, run, 1)
    tab.press("[", "[", "[", "[", "ArrowRight", "ArrowRight")  # one line a second: straight to the question
    waits(tab, run, 2)
    tab.press(wrong_of(run, 2))
    expect(tab.page.locator("[data-score]")).to_have_text("0 of 1 right")
    tab.visit("/lab/course/minimax")
    waits(tab, run, 2)
    expect(tab.page.locator(".question")).to_contain_text("Your first answer counts")
    tab.visit("/lab/course/minimax/7")
    waits(tab, run, 7)
    tab.click("Take it again")
    waits(tab, run, 1)
    expect(tab.page.locator("[data-score]")).to_have_text("")


def test_the_value_of_the_start_is_on_the_tree_only_at_the_end(new_visitor: NewVisitor) -> None:
    """No spoiler: neither the expected line nor its value is drawn while the search runs."""
    tab = new_visitor(reduced_motion="reduce").tab.visit("/lab/course/alpha-beta/5")
    waits(tab, guided(COURSE[1]), 5)
    expect(tab.page.locator('.tree [data-node="0"]')).to_have_attribute("data-stage", "open")
    expect(tab.page.locator(".tree .pv")).to_have_count(0)
    tab.visit("/lab/course/alpha-beta/7")
    expect(tab.page.locator('.tree [data-node="0"]')).to_have_attribute("data-stage", "done")


@pytest.mark.parametrize("path", ["/lab/course/magic", "/lab/course/minimax/99", "/lab/course/minimax/2/3"])
def test_an_address_that_is_not_there_says_so(new_visitor: NewVisitor, path: str) -> None:
    visitor = new_visitor()
    visitor.tolerate("404")
    tab = visitor.tab.visit(path)
    expect(tab.page.get_by_role("heading", level=1)).to_be_visible()
    expect(tab.page.get_by_role("main")).to_contain_text(re.compile("no (part|step|page)"))


def test_the_help_lists_the_keys_of_the_page(new_visitor: NewVisitor) -> None:
    tab = new_visitor().tab.visit("/lab/course/minimax/1")
    tab.page.locator('main.labc[data-stage="reading"]').wait_for()
    tab.press("?")
    sheet = tab.page.get_by_role("dialog", name="How do I play?")
    expect(sheet).to_contain_text("answer yes or no")
    expect(sheet).to_contain_text("slower, faster")
