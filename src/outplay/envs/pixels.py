"""Boards as arrays of pixels, height x width x 3, in the colours of the drawings."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from outplay.draw.svg import COLOURS

Pixels = NDArray[np.uint8]
CELL = 40
"""The width and the height of a cell, in pixels."""


def connect4_pixels(rows: list[list[int]]) -> Pixels:
    """Return the picture of a board: 0 empty, 1 red, 2 yellow."""
    pixels = _ground([[COLOURS["board"]] * len(rows[0])] * len(rows))
    for row, cells in enumerate(rows):
        for column, disc in enumerate(cells):
            _disc(pixels, row, column, 0.42, COLOURS[("hole", "red", "yellow")[disc]])
    return pixels


def checkers_pixels(rows: list[list[str]]) -> Pixels:
    """Return the picture of a board: `b` and `w` men, `B` and `W` kings, `.` empty."""
    squares = ("square-light", "square-dark")
    pixels = _ground([[COLOURS[squares[(row + column) % 2]] for column in range(8)] for row in range(8)])
    for row, cells in enumerate(rows):
        for column, piece in enumerate(cells):
            if piece != ".":
                name = "man-dark" if piece in "bB" else "man-light"
                _disc(pixels, row, column, 0.42, COLOURS[f"{name}-edge"])
                _disc(pixels, row, column, 0.38, COLOURS[name])
                if piece.isupper():
                    _disc(pixels, row, column, 0.2, COLOURS["yellow"])
    return pixels


def _ground(colours: list[list[str]]) -> Pixels:
    small = np.array([[_rgb(colour) for colour in row] for row in colours], np.uint8)
    return small.repeat(CELL, 0).repeat(CELL, 1)


def _disc(pixels: Pixels, row: int, column: int, radius: float, colour: str) -> None:
    places = np.arange(CELL) + 0.5 - CELL / 2
    is_inside = places[:, None] ** 2 + places**2 <= (radius * CELL) ** 2
    pixels[row * CELL : (row + 1) * CELL, column * CELL : (column + 1) * CELL][is_inside] = _rgb(colour)


def _rgb(colour: str) -> tuple[int, ...]:
    return tuple(bytes.fromhex(colour.removeprefix("#")))
