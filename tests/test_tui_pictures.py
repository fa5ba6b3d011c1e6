"""The screens of the terminal app, picture by picture: sizes, light and dark, no colours. The documentation shows them.

`python -m tests.support.pictures` makes them again.
"""

from __future__ import annotations

import re

import pytest

from outplay.draw.svg import COLOURS
from outplay.tui.theme import DARK
from tests.support.pictures import FOLDER, PICTURES, Picture

QUICK = (
    "play-connect4",
    "play-checkers-120x40-light",
    "play-checkers-200x60",
    "play-connect4-no-colour",
    "play-checkers-16-colours",
    "play-checkers-no-colour-cursor",
    "library",
)
"""A picture of each size and of each kind of terminal: the slow suite compares all."""


@pytest.mark.parametrize(
    "picture",
    [pytest.param(each, marks=[] if each.name in QUICK else [pytest.mark.slow], id=each.name) for each in PICTURES],
)
def test_the_screen_is_as_in_its_picture(picture: Picture) -> None:
    assert picture.draw() == (FOLDER / f"{picture.name}.svg").read_text(encoding="utf-8")


def test_a_screen_without_colours_has_none() -> None:
    text = (FOLDER / "play-connect4-no-colour.svg").read_text(encoding="utf-8")
    colours = set(re.findall(r"fill: (#[0-9a-f]{6})", text))
    assert colours, "it has text in some colour"
    assert not colours & {colour.lower() for colour in (*COLOURS.values(), DARK.background, DARK.primary) if colour}


def test_without_colours_the_chosen_piece_and_the_cursor_have_signs() -> None:
    text = (FOLDER / "play-checkers-no-colour-cursor.svg").read_text(encoding="utf-8")
    assert "*</text>" in text
    assert "&lt;</text>" in text


@pytest.mark.parametrize("picture", PICTURES, ids=lambda picture: picture.name)
def test_no_picture_loads_anything_from_a_network(picture: Picture) -> None:
    text = (FOLDER / f"{picture.name}.svg").read_text(encoding="utf-8")
    assert not re.search(r"https?://(?!www\.w3\.org|www\.textualize\.io)", text)
