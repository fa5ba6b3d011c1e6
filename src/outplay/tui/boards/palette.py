"""The colours of the boards: those of the web app, and the nearest good ones where a terminal has 256 or 16.

A terminal library takes the nearest colour by itself, but not a good one: in 16 colours black men and dark squares
both became grey, in 256 light squares became pink.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

from outplay.draw.svg import COLOURS

Rgb = tuple[int, int, int]
Depth = Literal["smooth", "sharp", "coarse", "mono"]
"""smooth: true colour, edges are blended. sharp: 256 colours. coarse: 16 colours. mono: pixels are on or off."""
ACCENT = "#8FB3FF"
"""The colour of hints."""
LEAST_CONTRAST = 2.7
"""A letter with less contrast (as WCAG defines it) against what is behind it is drawn black or white."""
FEWER = {
    "board": ("#005F87", "#0000AA"),
    "hole": ("#121212", "#000000"),
    "red": ("#D70000", "#AA0000"),
    "red-rim": ("#FF8787", "#FF5555"),
    "red-mark": ("#FFFFFF", "#FFFFFF"),
    "yellow": ("#FFD700", "#FFFF55"),
    "yellow-rim": ("#FFFFAF", "#FFFF55"),
    "yellow-mark": ("#875F00", "#AA5500"),
    "square-dark": ("#5F875F", "#00AA00"),
    "square-lit": ("#87AF87", "#55FF55"),
    "square-light": ("#D7D7AF", "#AAAAAA"),
    "square-ink": ("#000000", "#000000"),
    "man-dark": ("#262626", "#000000"),
    "man-dark-groove": ("#808080", "#555555"),
    "man-dark-edge": ("#000000", "#000000"),
    "man-light": ("#FFFFFF", "#FFFFFF"),
    "man-light-groove": ("#AFAF87", "#AAAAAA"),
    "man-light-edge": ("#262626", "#000000"),
    "must": ("#00005F", "#0000AA"),
    ACCENT: ("#87AFFF", "#00AAAA"),
}
"""For each colour of the boards: one of the 256 colours, and one of the 16."""


@lru_cache(maxsize=512)
def rgb(colour: str) -> Rgb:
    """Return a colour such as "#1E3A6E" as three numbers."""
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def _all(number: int) -> dict[Rgb, Rgb]:
    return {rgb(COLOURS.get(name, name)): rgb(fewer[number]) for name, fewer in FEWER.items()}


PALETTES: dict[Depth, dict[Rgb, Rgb]] = {"smooth": {}, "sharp": _all(0), "coarse": _all(1), "mono": {}}


@lru_cache(maxsize=4096)
def readable(ink: Rgb, ground: Rgb) -> Rgb:
    """Return the ink, or black or white if it would be hard to read on this ground."""
    if contrast(ink, ground) >= LEAST_CONTRAST:
        return ink
    return max(((0, 0, 0), (255, 255, 255)), key=lambda other: contrast(other, ground))


def contrast(one: Rgb, other: Rgb) -> float:
    """Return the contrast of two colours: from 1 for equal ones to 21 for black and white."""
    low, high = sorted((_luminance(one), _luminance(other)))
    return (high + 0.05) / (low + 0.05)


def _luminance(colour: Rgb) -> float:
    red, green, blue = (
        part / 255 / 12.92 if part <= 10 else ((part / 255 + 0.055) / 1.055) ** 2.4  # sRGB
        for part in colour
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
