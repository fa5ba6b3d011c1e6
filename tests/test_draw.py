"""Boards as text and as SVG: everything given is drawn in its place, and nothing given breaks the picture."""

import json
import re
import unicodedata
import xml.etree.ElementTree as ET
from collections.abc import Iterator, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from outplay import Game, checkers, connect4
from outplay.draw import checkers_svg, checkers_text, connect4_svg, connect4_text
from outplay.draw.replay import replay_html
from outplay.draw.svg import COLOURS

MIDGAME = [
    [0, 0, 0, 0, 0, 0, 0],
    [0, 0, 0, 0, 0, 0, 0],
    [0, 0, 0, 2, 0, 0, 0],
    [0, 0, 0, 1, 0, 0, 0],
    [0, 0, 0, 2, 1, 0, 0],
    [0, 2, 1, 1, 2, 0, 1],
]
WON = [[0, 0, 0, 0], [1, 0, 0, 0], [2, 1, 0, 0], [2, 2, 1, 0], [1, 2, 2, 1]]
DIAGONAL = [(1, 0), (2, 1), (3, 2), (4, 3)]
SIZES = [(4, 4), (7, 6), (8, 8), (10, 10), (4, 31), (25, 4)]

START = dict.fromkeys(range(1, 13), "b") | dict.fromkeys(range(21, 33), "w")
ENDING = {1: "b", 12: "B", 18: "w", 32: "W"}

texts = st.text(st.characters(exclude_categories=()), max_size=30)
boards = st.tuples(st.integers(1, 25), st.integers(1, 12)).flatmap(
    lambda size: st.lists(
        st.lists(st.integers(0, 2), min_size=size[0], max_size=size[0]), min_size=size[1], max_size=size[1]
    )
)
squares = st.integers(1, 32)
men_and_kings = st.dictionaries(squares, st.sampled_from("bBwW"))


def parsed(svg: str) -> ET.Element:
    return ET.fromstring(svg)


def elements(svg: str, name: str) -> Iterator[ET.Element]:
    return parsed(svg).iter(f"{{http://www.w3.org/2000/svg}}{name}")


def words(svg: str) -> list[str]:
    return [text.text or "" for text in elements(svg, "text")]


def title(svg: str) -> str:
    return next(elements(svg, "title")).text or ""


def drawn(svg: str, colour: str) -> list[tuple[float, float]]:
    """The centres of the groups whose first circle has this fill: discs and pieces."""
    places = []
    for group in elements(svg, "g"):
        place = re.match(r"translate\(([\d.]+) ([\d.]+)\)", group.get("transform", ""))
        if place and len(group) > 1 and group[0].get("fill") == COLOURS[colour]:
            places.append((float(place[1]), float(place[2])))
    return places


def ringed(svg: str) -> int:
    rings = [group for group in elements(svg, "g") if group.get("stroke") == COLOURS["mark"]]
    return sum(len(group) for group in rings)


def number_at(svg: str, square: int) -> tuple[float, float]:
    found = next(text for text in elements(svg, "text") if text.text == str(square))
    return float(found.get("x", "")) // 74, float(found.get("y", "")) // 74


def empty(width: int, height: int) -> list[list[int]]:
    return [[0] * width for _ in range(height)]


# Connect Four as text


def test_the_first_side_is_a_hollow_disc_and_the_second_a_full_one_over_the_column_numbers() -> None:
    assert connect4_text(MIDGAME).splitlines() == [
        "· · · · · · ·",
        "· · · · · · ·",
        "· · · ● · · ·",
        "· · · ○ · · ·",
        "· · · ● ○ · ·",
        "· ● ○ ○ ● · ○",
        "1 2 3 4 5 6 7",
    ]


def test_a_plain_terminal_gets_x_and_o() -> None:
    text = connect4_text(MIDGAME, ascii=True, marks={0: "\N{MINUS SIGN}5", 1: "é"})
    assert text.isascii()
    assert text.splitlines()[0].split() == ["-5", "?"]
    assert text.splitlines()[-2].split() == [".", "o", "x", "x", "o", ".", "x"]


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_every_column_stands_over_its_number(width: int, height: int) -> None:
    *rows, numbers = connect4_text(empty(width, height)).splitlines()
    assert len(rows) == height
    assert numbers.split() == list("123456789abcdefghijklmnop"[:width])
    assert all([i for i, c in enumerate(row) if c == "·"] == list(range(0, 2 * width, 2)) for row in rows)


def test_marks_stand_above_their_columns_and_keep_the_board_straight() -> None:
    marks, *rows, numbers = connect4_text(MIDGAME, marks={1: "+12", 6: "="}).splitlines()
    assert marks.index("+12") + 1 == numbers.index("2") == rows[-1].index("●")
    assert marks.index("=") == numbers.index("7")


@given(boards, texts, st.booleans())
def test_connect_four_lines_are_equally_wide_whatever_is_marked(
    rows: list[list[int]], text: str, ascii_only: bool
) -> None:
    lines = connect4_text(rows, ascii=ascii_only, marks={0: text}).split("\n")
    assert len({len(line) for line in lines}) == 1
    assert len(lines) == len(rows) + 2
    assert not any(unicodedata.category(c) == "Cc" for line in lines for c in line)


# Connect Four as SVG


@given(boards)
def test_every_disc_is_drawn_once_in_its_own_hole(rows: list[list[int]]) -> None:
    svg = connect4_svg(rows)
    for side, colour in ((1, "red"), (2, "yellow")):
        cells = [(c, r) for r, row in enumerate(rows) for c, cell in enumerate(row) if cell == side]
        assert drawn(svg, colour) == [(61 + 90 * c, 61 + 90 * r) for c, r in cells]


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_the_picture_is_as_large_as_the_board(width: int, height: int) -> None:
    svg = connect4_svg(empty(width, height))
    assert parsed(svg).get("viewBox") == f"0 0 {32 + 90 * width} {56 + 90 * height}"
    assert words(svg) == list("123456789abcdefghijklmnop"[:width])
    holes = next(group for group in elements(svg, "g") if group.get("fill") == COLOURS["hole"])
    assert len(holes) == width * height


def test_discs_differ_by_more_than_their_colour() -> None:
    red, yellow = connect4_svg([[1]]), connect4_svg([[2]])
    assert [c.get("fill") for c in elements(red, "circle")][-1] == COLOURS["red-mark"]
    assert [c.get("fill") for c in elements(yellow, "circle")][-1] == "none"


def test_the_last_disc_and_the_winning_four_are_ringed_once_each() -> None:
    assert ringed(connect4_svg(WON)) == 0
    assert ringed(connect4_svg(WON, last=(2, 1))) == 1
    assert ringed(connect4_svg(WON, last=(2, 1), lines=[DIAGONAL])) == 4
    assert ringed(connect4_svg(WON, last=(2, 0), lines=[DIAGONAL, DIAGONAL])) == 5


def test_column_numbers_can_be_left_out() -> None:
    svg = connect4_svg(MIDGAME, coordinates=False)
    assert words(svg) == []
    assert parsed(svg).get("viewBox") == "0 0 662 572"


def test_a_long_mark_is_broken_and_an_estimate_says_so() -> None:
    svg = connect4_svg(MIDGAME, marks={0: "- loss in 11", 1: "~+0.4", 2: "full"}, coordinates=False)
    assert words(svg) == ["\N{MINUS SIGN} loss", "in 11", "+0.4", "estimated", "full"]
    dashed = [rect for rect in elements(svg, "rect") if rect.get("stroke-dasharray")]
    assert len(dashed) == 1


def test_the_title_tells_the_connect_four_position_in_words() -> None:
    assert title(connect4_svg(empty(7, 6))) == "Connect Four, 7 by 6. No discs."
    assert title(connect4_svg(WON, last=(2, 1), lines=[DIAGONAL], marks={3: "~-2"})) == (
        "Connect Four, 4 by 5. From the bottom: column 1 red, yellow, yellow, red; "
        "column 2 yellow, yellow, red; column 3 yellow, red; column 4 red. Last disc: red in column 2. "
        "4 red discs in a row from column 1 to column 4. Column 4: estimated \N{MINUS SIGN}2."
    )
    column = [(row, 0) for row in range(4)]
    assert "4 red discs in a row in column 1." in title(connect4_svg([[1]] * 4, lines=[column]))


@given(boards, texts, texts)
def test_no_text_can_break_a_connect_four_picture(rows: list[list[int]], mark: str, name: str) -> None:
    svg = connect4_svg(rows, marks={0: mark}, title=name)
    assert parsed(svg).get("role") == "img"
    assert svg.encode()


def test_marks_are_escaped() -> None:
    svg = connect4_svg(MIDGAME, marks={0: "<b>&"}, title="\"1\" < '2' & 3")
    assert words(svg)[-1] == "<b>&"
    assert title(svg) == "\"1\" < '2' & 3"
    assert "<b>" not in svg


@pytest.mark.parametrize(
    ("rows", "complaint"),
    [
        ([], "at least one row"),
        ([[]], "at least one row"),
        ([[0] * 7, [0] * 6], "row 1 has 6 columns, row 0 has 7"),
        ([[0, 0], [0, 3]], "3 in row 1, column 1"),
        ([[0, -1]], "-1 in row 0, column 1"),
        (["01"], "'0' in row 0, column 0"),
        ([[0] * 26], "26 columns, at most 25"),
    ],
)
def test_what_is_not_a_board_is_refused_with_the_place(rows: Sequence[Sequence[int]], complaint: str) -> None:
    for draw in (connect4_text, connect4_svg):
        with pytest.raises(ValueError, match=re.escape(complaint)):
            draw(rows)


def test_rings_need_a_disc_and_marks_a_column() -> None:
    with pytest.raises(ValueError, match="last: row 0, column 0 is empty"):
        connect4_svg(MIDGAME, last=(0, 0))
    with pytest.raises(ValueError, match="lines: row 6, column 0 is not on the board"):
        connect4_svg(MIDGAME, lines=[[(6, 0)]])
    with pytest.raises(ValueError, match="marks: there is no column 7"):
        connect4_svg(MIDGAME, marks={7: "+"})
    with pytest.raises(ValueError, match="marks: there is no column -1"):
        connect4_text(MIDGAME, marks={-1: "+"})


def test_an_array_is_drawn_like_a_list() -> None:
    numpy = pytest.importorskip("numpy")
    array = numpy.array(WON, dtype=numpy.int8)
    last = tuple(numpy.argwhere(array == 1)[0])
    assert connect4_text(array) == connect4_text(WON)
    assert connect4_svg(array, last=last) == connect4_svg(WON, last=(1, 0))


# Checkers as text


def test_black_is_on_top_and_square_1_is_in_row_0_at_column_1() -> None:
    assert [line.rstrip() for line in checkers_text(START).splitlines()] == [
        "  0 1 2 3 4 5 6 7",
        "0   b   b   b   b",
        "1 b   b   b   b",
        "2   b   b   b   b",
        "3 ·   ·   ·   ·",
        "4   ·   ·   ·   ·",
        "5 r   r   r   r",
        "6   r   r   r   r",
        "7 r   r   r   r",
    ]


def test_kings_are_capitals_and_the_second_side_is_red_or_white() -> None:
    red, white = checkers_text(ENDING), checkers_text(ENDING, ascii=True, letters=("b", "w"))
    assert [c for c in red if c.isalpha()] == ["b", "B", "r", "R"]
    assert [c for c in white if c.isalpha()] == ["b", "B", "w", "W"]
    assert white.isascii()


def test_the_numbers_of_the_squares_stand_beside_the_board() -> None:
    lines = checkers_text(ENDING, numbers=True).splitlines()
    shown = [int(number) for line in lines[1:] for number in line[17:].split()]
    assert shown == list(range(1, 33))
    assert [line[:17] for line in lines] == checkers_text(ENDING).splitlines()


@given(men_and_kings, st.booleans(), st.booleans())
def test_checkers_lines_are_equally_wide(pieces: dict[int, str], ascii_only: bool, numbers: bool) -> None:
    lines = checkers_text(pieces, ascii=ascii_only, numbers=numbers).split("\n")
    assert len({len(line) for line in lines}) == 1
    assert sum(c.isalpha() for line in lines for c in line) == len(pieces)


@pytest.mark.parametrize("letters", [("b", "b"), ("b", "B"), ("b", "1"), ("bb", "r"), ("", "r"), ("ß", "r")])
def test_letters_must_tell_both_sides_and_their_kings_apart(letters: tuple[str, str]) -> None:
    with pytest.raises(ValueError, match="letters"):
        checkers_text(START, letters=letters)


# Checkers as SVG


@given(men_and_kings, st.booleans())
def test_every_piece_is_drawn_once_on_its_square(pieces: dict[int, str], black_below: bool) -> None:
    svg = checkers_svg(pieces, black_below=black_below)
    for colour, letters in (("man-dark", "bB"), ("man-light", "wW")):
        cells = [number_at(svg, square) for square in sorted(pieces) if pieces[square] in letters]
        assert drawn(svg, colour) == [(74 * x + 37, 74 * y + 37) for x, y in cells]


def test_a_king_has_a_crown_and_a_double_ring() -> None:
    man, king = checkers_svg({1: "b"}), checkers_svg({1: "B"})
    assert len(list(elements(king, "circle"))) == len(list(elements(man, "circle"))) + 1
    assert [path.get("fill") for path in elements(king, "path")][-1] == COLOURS["man-light"]


def test_square_1_is_at_the_top_and_at_the_bottom_when_black_sits_below() -> None:
    assert number_at(checkers_svg(START), 1) == (1, 0)
    assert number_at(checkers_svg(START), 32) == (6, 7)
    assert number_at(checkers_svg(START, black_below=True), 1) == (6, 7)
    assert number_at(checkers_svg(START, black_below=True), 32) == (1, 0)


def test_square_numbers_can_be_left_out() -> None:
    assert words(checkers_svg(START)) == [str(square) for square in range(1, 33)]
    assert words(checkers_svg(START, coordinates=False)) == []


def test_the_last_move_is_dashed_where_it_began_and_solid_where_it_ended() -> None:
    def outlines(last: Sequence[int]) -> list[tuple[str, str | None]]:
        white = [p for p in elements(checkers_svg(START, last=last), "path") if p.get("stroke") == "#FFFFFF"]
        return [((p.get("d") or "").split("h")[0], p.get("stroke-dasharray")) for p in white]

    assert outlines(()) == []
    assert outlines((11, 15)) == [("M371.5 149.5", "4 4"), ("M297.5 223.5", None)]
    assert outlines((4, 11, 4)) == [("M519.5 1.5", None)]


def test_the_path_of_a_long_jump_is_dotted_from_square_to_square() -> None:
    path = next(elements(checkers_svg({8: "W"}, last=(22, 15, 8)), "polyline"))
    assert path.get("points") == "185,407 333,259 481,111"
    assert not list(elements(checkers_svg({15: "w"}, last=(22, 15)), "polyline"))


@pytest.mark.parametrize("mark", ["may", "must", "picked", "target", "captured", "tried", "+ 0.4", "~-1"])
def test_each_mark_looks_different_from_the_others_and_from_none(mark: str) -> None:
    others = {"may", "must", "picked", "target", "captured", "tried", "+ 0.4", "~-1"} - {mark}
    svg = checkers_svg(ENDING, marks={18: mark}, title="")
    assert svg not in {checkers_svg(ENDING, marks={18: other}, title="") for other in others}
    assert svg != checkers_svg(ENDING, title="")


def test_the_cross_on_a_captured_piece_never_has_the_colour_of_the_piece() -> None:
    for piece, ink in (("b", "mark"), ("B", "mark"), ("w", "man-dark"), ("W", "man-dark")):
        cross = list(elements(checkers_svg({18: piece}, marks={18: "captured"}), "path"))[-1]
        assert cross.get("stroke") == COLOURS[ink]


def test_the_title_tells_the_checkers_position_in_words() -> None:
    assert title(checkers_svg({})) == "Checkers. Black: no pieces. White: no pieces."
    marks = {22: "must", 23: "must", 18: "captured", 1: "-3"}
    svg = checkers_svg({1: "b", 3: "b", 18: "B", 22: "w", 23: "W"}, last=(14, 18), marks=marks)
    assert title(svg) == (
        "Checkers. Black: men on 1, 3; king on 18. White: man on 22; king on 23. Last move: 14 to 18. "
        "Must move: 22, 23. Captured: 18. Square 1: \N{MINUS SIGN}3."
    )


@given(men_and_kings, st.lists(squares, max_size=6), st.dictionaries(squares, texts), texts)
def test_no_text_can_break_a_checkers_picture(
    pieces: dict[int, str], last: list[int], marks: dict[int, str], name: str
) -> None:
    svg = checkers_svg(pieces, last=last, marks=marks, title=name)
    assert parsed(svg).get("viewBox") == "0 0 592 592"
    assert parsed(checkers_svg(pieces, last=last, marks=marks)).get("role") == "img"


def test_what_cannot_stand_on_the_board_is_refused_with_the_place() -> None:
    for draw in (checkers_text, checkers_svg):
        for square in (0, 33, -1):
            with pytest.raises(ValueError, match=f"pieces: {square} is not a square"):
                draw({square: "b"})
        for piece in ("x", "", "bB", "r"):
            with pytest.raises(ValueError, match=f"pieces: '{piece}' on square 5"):
                draw({5: piece})
    with pytest.raises(ValueError, match="last: 33 is not a square"):
        checkers_svg(START, last=(28, 33))
    with pytest.raises(ValueError, match="marks: 0 is not a square"):
        checkers_svg(START, marks={0: "may"})


# Both


def test_the_same_position_gives_the_same_picture_in_whatever_order_it_is_given() -> None:
    backwards = dict(reversed(START.items()))
    assert checkers_svg(START, marks={9: "may", 1: "+"}) == checkers_svg(backwards, marks={1: "+", 9: "may"})
    assert connect4_svg(WON, marks={0: "+", 3: "="}) == connect4_svg(WON, marks={3: "=", 0: "+"})


def test_a_picture_needs_nothing_from_outside_and_shares_no_names_with_the_page() -> None:
    for svg in (connect4_svg(WON, last=(2, 1), marks={0: "+"}), checkers_svg(START, last=(9, 13))):
        names = {name for element in parsed(svg).iter() for name in element.attrib}
        assert not names & {"id", "class", "style", "href"}
        assert "url(" not in svg


# A game to step through


def test_a_replay_holds_every_board_once_and_no_text_as_markup() -> None:
    moves = "444444333333222222"
    boards = [connect4_svg(connect4.Position.from_moves(moves[:plies]).rows()) for plies in range(len(moves) + 1)]
    html = replay_html(
        boards, [f"</script><b>{number}" for number in range(len(boards))], title='"><script>alert(1)</script>'
    )
    assert html.count("<script") == 2
    assert "<b>0" not in html
    assert "alert(1)</script>" not in html
    assert "http" not in html.replace("http://www.w3.org/2000/svg", "")
    assert 3 * len(html) < sum(map(len, boards))
    found = json.loads(html.partition('application/json">')[2].partition("</script>")[0])
    first = "\n".join(found["lines"][line] for line in found["frames"][0])
    assert first.partition(">")[2] == boards[0].partition(">")[2]


def test_a_replay_needs_a_caption_for_each_board() -> None:
    for boards in ([], ["<svg></svg>"]):
        with pytest.raises(ValueError, match="at least 1"):
            replay_html(boards, [])


def test_a_game_shows_the_line_through_its_cursor() -> None:
    game = Game(checkers.Position(), headers={"Black": "Ann"})
    game.root.add_line(["11-15", "22-18", "15x22"])
    game.go_to(game.root.children[0])
    html = game._repr_html_()
    assert "Ann - ?" in html
    assert "Move 3, Black: 15x22." in html
    assert "The start." in Game(connect4.Position())._repr_html_()
