"""A picture made of half blocks: two square pixels to a character, and text on top of them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from rich.color import Color
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from outplay.tui.boards.palette import PALETTES, Depth, Rgb, readable

SAMPLES = 4
"""A pixel on the edge of a disc is sampled this number of times in each direction."""


@lru_cache(maxsize=16384)
def blend(below: Rgb, above: Rgb, share: float) -> Rgb:
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(below, above, strict=True))
    return red, green, blue


@lru_cache(maxsize=256)
def disc_mask(size: int, radius: float) -> tuple[tuple[float, ...], ...]:
    """Return how much of each pixel of a square is covered by a disc around its centre."""
    centre = size / 2
    steps = [(step + 0.5) / SAMPLES for step in range(SAMPLES)]

    def share(x: int, y: int) -> float:
        inside = sum((x + i - centre) ** 2 + (y + j - centre) ** 2 <= radius**2 for i in steps for j in steps)
        return inside / SAMPLES**2

    return tuple(tuple(share(x, y) for x in range(size)) for y in range(size))


@lru_cache(maxsize=4096)
def _style(above: Rgb | None, below: Rgb | None, is_bold: bool = False) -> Style:
    return Style(
        color=None if above is None else Color.from_rgb(*above),
        bgcolor=None if below is None else Color.from_rgb(*below),
        bold=is_bold or None,
    )


class Canvas:
    """A picture `width` pixels wide and `lines` lines of text high; a line of text is two rows of pixels."""

    def __init__(self, width: int, lines: int, ground: Rgb, depth: Depth) -> None:
        self.width, self.lines, self.depth = width, lines, depth
        self._palette = PALETTES[depth]
        self._rows: list[list[Rgb | None]] = [
            [None if depth == "mono" else ground for _ in range(width)] for _ in range(2 * lines)
        ]
        self._texts: dict[tuple[int, int], tuple[str, Rgb | None, bool]] = {}

    @property
    def is_mono(self) -> bool:
        return self.depth == "mono"

    def fill(self, x: int, y: int, width: int, height: int, colour: Rgb, share: float = 1.0) -> None:
        """Fill a rectangle; a `share` below 1 tints what is there. In `mono` nothing happens."""
        if self.is_mono:
            return
        colour = self._palette.get(colour, colour)
        for row in self._rows[max(0, y) : y + height]:
            for column in range(max(0, x), min(x + width, self.width)):
                row[column] = blend(row[column] or colour, colour, share)

    def disc(
        self, x: int, y: int, size: int, colour: Rgb | None, radius: float | None = None, *, is_sharp: bool = False
    ) -> None:
        """Draw a disc in a square; the colour None clears its pixels. With `is_sharp` the edge is not blended."""
        mask = disc_mask(size, size / 2 if radius is None else radius)
        if colour is not None:
            colour = self._palette.get(colour, colour)
        for row, shares in zip(self._rows[y : y + size], mask, strict=False):
            for column, share in enumerate(shares, x):
                if not share or not 0 <= column < self.width:
                    continue
                if self.depth != "smooth" or colour is None or is_sharp:
                    row[column] = colour if share >= 0.5 else row[column]
                else:
                    row[column] = blend(row[column] or colour, colour, share)

    def text(self, x: int, line: int, text: str, colour: Rgb | None, *, is_bold: bool = False) -> None:
        """Write over the pixels; their colour stays behind the letters."""
        if colour is not None:
            colour = self._palette.get(colour, colour)
        for column, letter in enumerate(text, x):
            if 0 <= column < self.width and 0 <= line < self.lines:
                self._texts[line, column] = (letter, None if self.is_mono else colour, is_bold)

    def strips(self) -> list[Strip]:
        """Return the picture as one strip for each line."""
        return [Strip(self._joined(line), self.width) for line in range(self.lines)]

    def _joined(self, line: int) -> Iterator[Segment]:
        """Yield the text of a line; neighbours of the same style are one segment."""
        run, last = "", None
        for letter, style in self._cells(line):
            if style is not last and run:
                yield Segment(run, last)
                run = ""
            run, last = run + letter, style
        yield Segment(run, last)

    def _cells(self, line: int) -> Iterator[tuple[str, Style]]:
        for column, (above, below) in enumerate(zip(self._rows[2 * line], self._rows[2 * line + 1], strict=True)):
            text = self._texts.get((line, column))
            if self.is_mono:
                blocks = {(False, False): " ", (True, False): "▀", (False, True): "▄", (True, True): "█"}
                letter = text[0] if text else blocks[above is not None, below is not None]
                yield letter, _style(None, None, bool(text and text[2]))
            elif text is not None:
                share = 0.5 if self.depth == "smooth" else 0.0  # between two colours there may be none
                ground = blend(above or (0, 0, 0), below or (0, 0, 0), share)
                yield text[0], _style(readable(text[1] or ground, ground), ground, text[2])
            elif above == below:
                yield " ", _style(None, above)
            else:
                yield "▀", _style(above, below)
