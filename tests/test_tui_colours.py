"""The boards in terminals of 16, 256 and all colours: what is different looks different, and letters can be read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from rich.color import Color, ColorSystem

from outplay.players import HUMAN
from outplay.tui.boards.palette import FEWER, LEAST_CONTRAST, contrast, readable, rgb
from outplay.tui.start import AppStart
from tests.support.tui import Player, drive

HUMANS = (HUMAN, HUMAN)
TERMINALS: dict[ColorSystem, Any] = {
    ColorSystem.STANDARD: {"TERM": "linux", "COLORTERM": ""},
    ColorSystem.EIGHT_BIT: {"TERM": "screen-256color", "COLORTERM": ""},
    ColorSystem.TRUECOLOR: {},
}


class Screen:
    """The board as a terminal shows it: the colours of its pixels, and its letters."""

    def __init__(self, board: Any, system: ColorSystem) -> None:
        self.pixels: list[list[Any]] = []
        self.letters: list[tuple[str, Color, Color]] = []
        for strip in board._strips:
            rows: tuple[list[Any], list[Any]] = ([], [])
            for segment in strip:
                ink, ground = (each and each.downgrade(system) for each in (segment.style.color, segment.style.bgcolor))
                is_text = segment.text.strip(" ▀") != ""
                for letter in segment.text:
                    rows[0].append(ink if letter == "▀" else ground)
                    rows[1].append(ground)
                if is_text:
                    self.letters.append((segment.text, ink, ground))
            self.pixels += rows

    def middle(self, column: int, row: int, cell: int) -> Any:
        """Return the colour in the middle of a cell."""
        return self.pixels[row * cell + cell // 2][column * cell + cell // 2]


def seen(system: ColorSystem, start: AppStart, look: Callable[[Screen, int], None], *keys: str) -> None:
    async def script(me: Player) -> None:
        await me.press(*keys)
        await me.until_ply(len([key for key in keys if key.isdigit()]))
        await me.until_shown()
        board = me.board
        board.render_line(0)
        look(Screen(board, system), board._cell)

    drive(script, start, **TERMINALS[system])


@pytest.mark.parametrize("system", TERMINALS)
def test_men_stand_out_from_their_squares_and_from_each_other(system: ColorSystem) -> None:
    def look(screen: Screen, cell: int) -> None:
        light, black = screen.middle(0, 0, cell), screen.middle(1, 0, cell)
        corner = screen.pixels[0][cell]  # of a dark square with a black man
        white, dark = screen.middle(0, 5, cell), screen.pixels[3 * cell + cell - 1][cell - 1]
        assert len({light, dark, black, white}) == 4
        assert corner == dark or system is ColorSystem.TRUECOLOR  # blended there

    seen(system, AppStart(game="checkers", seats=HUMANS), look)


@pytest.mark.parametrize("system", TERMINALS)
def test_discs_stand_out_from_the_board_and_from_each_other(system: ColorSystem) -> None:
    def look(screen: Screen, cell: int) -> None:
        board, hole = screen.pixels[0][0], screen.middle(0, 0, cell)
        red, yellow = ({screen.pixels[5 * cell + cell // 2][x * cell + 1 + y] for y in range(cell - 1)} for x in (3, 4))
        assert board != hole
        assert not red & yellow
        assert not (red | yellow) & {board, hole}

    seen(system, AppStart(seats=HUMANS), look, "4", "5")


@pytest.mark.parametrize("system", TERMINALS)
def test_every_letter_on_the_board_can_be_read(system: ColorSystem) -> None:
    def look(screen: Screen, cell: int) -> None:
        assert {letter for letter, *_ in screen.letters} >= {"'", "13", "18"}
        for _, ink, ground in screen.letters:
            assert contrast(ink.get_truecolor(), ground.get_truecolor()) >= LEAST_CONTRAST

    seen(system, AppStart(game="checkers", seats=HUMANS), look)


@pytest.mark.parametrize(("number", "system"), [(0, ColorSystem.EIGHT_BIT), (1, ColorSystem.STANDARD)])
def test_a_terminal_has_each_colour_that_is_chosen_for_it(number: int, system: ColorSystem) -> None:
    from rich._palettes import EIGHT_BIT_PALETTE, STANDARD_PALETTE

    palette = EIGHT_BIT_PALETTE if system is ColorSystem.EIGHT_BIT else STANDARD_PALETTE
    for name, fewer in FEWER.items():
        chosen = rgb(fewer[number])
        index = Color.from_rgb(*chosen).downgrade(system).number
        assert index is not None
        assert tuple(palette[index]) == chosen, name


def test_a_letter_that_could_not_be_read_becomes_black_or_white() -> None:
    assert readable((15, 29, 18), (107, 143, 113)) == (15, 29, 18)
    assert readable((15, 29, 18), (43, 43, 47)) == (255, 255, 255)
    assert readable((240, 240, 240), (255, 255, 255)) == (0, 0, 0)
