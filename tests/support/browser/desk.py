"""The analysis page with its words."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from playwright.sync_api import Locator, expect
from typer.testing import CliRunner

from outplay.cli.app import app
from tests.support.browser.visitor import WAIT_MS, Tab

CELLS = 42
PATIENCE_MS = 120_000
"""The patience with engines, which have low priority on a busy machine."""


class Desk:
    """A person at the analysis board."""

    def __init__(self, tab: Tab, path: str) -> None:
        self.tab, self.page = tab, tab.page
        tab.visit(path)
        self.is_open()

    @property
    def main(self) -> Locator:
        return self.page.locator("main.analyse")

    def is_open(self) -> Desk:
        self.page.locator("main.analyse[data-study]").wait_for()
        return self

    def press(self, *keys: str) -> Desk:
        self.tab.press(*keys)
        return self

    def is_at(self, ply: int) -> Desk:
        """Wait until the position after `ply` moves is on the board."""
        expect(self.main).to_have_attribute("data-ply", str(ply))
        return self

    @property
    def at(self) -> str:
        """The position on the board."""
        return self.main.get_attribute("data-at") or ""

    def is_scored(self) -> Desk:
        """Wait until the engine is done with the position on the board."""
        self.page.locator('.enginecard[data-judged="done"]').wait_for(timeout=PATIENCE_MS)
        return self

    def scores(self) -> list[str]:
        """Return the score below each column, in words."""
        self.is_scored()
        return self.page.locator(".score .sr").all_inner_texts()

    @property
    def current(self) -> Locator:
        return self.page.locator(".moves [aria-current]")

    @property
    def variations(self) -> list[str]:
        """The variations under the moves, numbers and all."""
        return [" ".join(text.split()) for text in self.page.locator(".moves .var:not(.better)").all_inner_texts()]

    def review(self) -> Desk:
        """Request a review, again if its worker could not start in time: reviews have the lowest priority."""
        self.press("v")
        for _ in range(2):
            ended = self.page.locator('main:is([data-review="done"], [data-review="failed"])')
            ended.wait_for(timeout=PATIENCE_MS)
            if self.main.get_attribute("data-review") == "done":
                break
            self.press("v")
            expect(self.main).not_to_have_attribute("data-review", "failed")  # it has been begun again
        return self.is_reviewed()

    def is_reviewed(self) -> Desk:
        expect(self.main).to_have_attribute("data-review", "done", timeout=PATIENCE_MS)
        return self

    @property
    def lesson(self) -> Locator:
        return self.page.locator(".lesson")

    def stage(self, stage: str, timeout: float = WAIT_MS) -> Desk:
        """Wait until the lesson has reached this stage."""
        expect(self.lesson).to_have_attribute("data-stage", stage, timeout=timeout)
        return self


def imported(tab: Tab, text: str) -> str:
    """The address at which a game is analysed."""
    answer = tab.server.client.post("/api/library/import", json={"text": text}).json()
    return f"/analyse?game={answer['ids'][0] if answer['ids'] else answer['found']}"


@cache
def solved(moves: str) -> dict[str, Any]:
    """What `outplay solve` says."""
    result = CliRunner().invoke(app, ["solve", moves, "--json"])
    assert result.exit_code == 0, result.output
    answer: dict[str, Any] = json.loads(result.output)
    return answer


def column_words(moves: str) -> list[str]:
    """The scores of `outplay solve`, as the page words them."""
    return [_words(name, score, len(moves)) for name, score in enumerate(solved(moves)["scores"], start=1)]


def _words(name: int, score: int | None, discs: int) -> str:
    """A win is counted in the winner's own moves: with score s his last disc is his (22 - s)th."""
    if score is None:
        return f"Column {name}: full"
    if score == 0:
        return f"Column {name}: draw, solved"
    placed = discs // 2 if score > 0 else (discs + 1) // 2
    word = "win" if score > 0 else "loss"
    return f"Column {name}: {word} in {CELLS // 2 + 1 - abs(score) - placed}, solved"


def sign(score: int) -> int:
    return (score > 0) - (score < 0)
