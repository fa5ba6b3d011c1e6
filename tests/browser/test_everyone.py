"""The same page for everyone: no axe violation, nothing past the edge of a screen, never colour alone."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

import pytest
from playwright.sync_api import Browser

from tests.support.browser.pixels import contrast, luminances
from tests.support.browser.states import STATES
from tests.support.browser.visitor import DESKTOP, PHONE, NewVisitor, Tab
from tests.support.web_server import ServerProcess, new_game

AXE = Path(__file__).parents[2] / "frontend" / "node_modules" / "axe-core" / "axe.min.js"
WIDTHS = (1280, 768, 390, 360)
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")


def violations(tab: Tab) -> list[str]:
    """What axe finds, one line each."""
    if not tab.page.evaluate("'axe' in window"):
        tab.page.evaluate(AXE.read_text())
    found: list[dict[str, Any]] = tab.page.evaluate("axe.run(document).then((results) => results.violations)")
    return [
        f"{violation['id']}: {node['html'][:200]} {node['failureSummary']}"
        for violation in found
        for node in violation["nodes"]
    ]


@pytest.mark.parametrize("state", STATES)
def test_every_state_is_accessible_and_fits_every_screen(new_visitor: NewVisitor, state: str) -> None:
    tab = new_visitor(reduced_motion="reduce").tab
    STATES[state](tab)
    for width in WIDTHS:
        tab.page.set_viewport_size({"width": width, "height": (PHONE if width < 640 else DESKTOP)["height"]})
        assert tab.does_not_overflow(), f"{state} overflows at {width}"
        if width in (DESKTOP["width"], PHONE["width"]):
            for scheme in SCHEMES:
                tab.page.emulate_media(color_scheme=scheme)
                assert violations(tab) == [], f"{state}, {width}, {scheme}"
    if tab.status == "thinking":
        tab.press("p")  # others need the engines; on a slow machine it has answered by now
        tab.page.locator('main:not([data-status="thinking"])').wait_for(state="attached")


def test_axe_would_find_something(tab: Tab) -> None:
    tab.play()
    tab.page.evaluate("document.querySelector('h1').insertAdjacentHTML('afterend', '<img src=/favicon.svg>')")
    assert any(violation.startswith("image-alt") for violation in violations(tab))


def test_discs_are_told_apart_without_colour(tab: Tab, server: ServerProcess, browser: Browser, tmp_path: Path) -> None:
    game = new_game(server.client)
    game.play(*"4433")
    tab.open(game).sees(plies=4)
    session = tab.page.context.new_cdp_session(tab.page)
    session.send("Emulation.setEmulatedVisionDeficiency", {"type": "achromatopsia"})
    png = tab.page.screenshot(path=tmp_path / "grayscale.png")
    boxes = [tab.cell(cell).bounding_box() for cell in (38, 31)]
    rings = []
    for box in boxes:
        assert box is not None
        centre, unit = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2), box["width"] / 90
        rings += [(*centre, radius * unit) for radius in (4, 12.5, 24)]
    red_dot, red_between, red_face, yellow_centre, yellow_ring, yellow_face = luminances(browser, png, rings)
    assert contrast(red_face, yellow_face) > 3  # by lightness alone
    assert contrast(red_dot, red_face) > 3  # and by their marks alone: a dot ...
    assert contrast(yellow_ring, yellow_face) > 3  # ... and a ring
    assert contrast(red_between, red_face) < 1.1
    assert contrast(yellow_centre, yellow_face) < 1.1
