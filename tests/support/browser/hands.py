"""Three ways to make a move on the page: with a mouse, on a touch screen, with nothing but the keyboard."""

from __future__ import annotations

from typing import Protocol

from tests.support.browser.visitor import Tab, taps_of
from tests.support.web_server import Json


class Hand(Protocol):
    def play(self, tab: Tab, view: Json, move: Json) -> None:
        """Make a legal move of the game in `view`, whose board the tab shows."""


class Mouse:
    """Clicks on a column, or on a piece and where it goes."""

    def play(self, tab: Tab, view: Json, move: Json) -> None:
        for cell in _cells(view, move):
            tab.cell(cell).click()


class Finger:
    """Taps, on a touch screen."""

    def play(self, tab: Tab, view: Json, move: Json) -> None:
        for cell in _cells(view, move):
            tab.cell(cell).tap()


class Keyboard:
    """Tab to the board, arrows to the square, Enter."""

    def play(self, tab: Tab, view: Json, move: Json) -> None:
        self.reach_the_board(tab)
        for cell in _cells(view, move):
            self.walk(tab, view, cell)
            tab.press("Enter")

    def reach_the_board(self, tab: Tab) -> None:
        for _ in range(40):
            if self._cell(tab) is not None:
                return
            tab.press("Tab")
        raise AssertionError("Tab does not lead to the board")

    def walk(self, tab: Tab, view: Json, target: int) -> None:
        """Sideways along the row, then up or down; a column is the same on every row."""
        cell = self._cell(tab)
        assert cell is not None
        per_row, first = (4, 1) if view["game"] == "checkers" else (view["position"]["width"], 0)
        row, column = divmod(cell - first, per_row)
        to_row, to_column = divmod(target - first, per_row)
        is_flipped = _is_flipped(view)
        right, down = ("ArrowLeft", "ArrowUp") if is_flipped else ("ArrowRight", "ArrowDown")
        left, up = ("ArrowRight", "ArrowDown") if is_flipped else ("ArrowLeft", "ArrowUp")
        tab.press(*[right if to_column > column else left] * abs(to_column - column))
        tab.press(*[down if to_row > row else up] * abs(to_row - row))
        assert self._cell(tab) == target

    def _cell(self, tab: Tab) -> int | None:
        cell: str | None = tab.page.evaluate("document.activeElement?.dataset?.cell ?? null")
        return None if cell is None else int(cell)


def _cells(view: Json, move: Json) -> list[int]:
    return list(move["path"]) if view["game"] == "connect4" else taps_of(move, view["legal"])


def _is_flipped(view: Json) -> bool:
    """A lone human in checkers sees the own men at the bottom; Black's home is at the top of the drawing."""
    humans = [seat["side"] for seat in view["seats"] if seat["kind"] == "human"]
    return view["game"] == "checkers" and humans == [0]
