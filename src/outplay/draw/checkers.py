"""Checkers boards. `pieces` maps squares (1-32) to pieces: b and w are men, B and W are kings."""

from collections.abc import Iterable, Mapping, Sequence

from outplay.draw.svg import COLOURS, Style, chip, document, element, group, spoken, words

_CELL, _CORNER = 74, 12
_CROWN = "M-12 8.5H12V11.5H-12ZM-12 5.5L-13.5 -7L-6.5 -1.5L0 -11L6.5 -1.5L13.5 -7L12 5.5Z"

# The kinds of marks, and how the title speaks of them. Any other mark is a text.
_KINDS = {
    "may": "May move",
    "must": "Must move",
    "picked": "Picked",
    "target": "Can go to",
    "captured": "Captured",
    "tried": "Refused",
}
_RINGS = ("may", "must", "picked")


def checkers_text(
    pieces: Mapping[int, str],
    *,
    ascii: bool = False,  # noqa: A002
    numbers: bool = False,
    letters: tuple[str, str] = ("b", "r"),
) -> str:
    """Return the board as lines of equal width, rows and columns numbered from 0, row 0 on top.

    `letters` are the signs of a black man and of a man of the other side; capitals stand for kings. Unlike ⛀ and ⛃,
    letters are equally wide in every font. Empty dark squares are dots. `numbers` adds a map of squares 1-32.
    """
    signs = _signs(letters, ascii)
    grid = [[" "] * 8 for _ in range(8)]
    map_of_squares = [["  "] * 8 for _ in range(8)]
    held = _checked(pieces)
    for square in range(1, 33):
        row, column = _place(square)
        grid[row][column] = signs[held[square]] if square in held else "." if ascii else "·"
        map_of_squares[row][column] = f"{square:2}"
    lines = ["  0 1 2 3 4 5 6 7", *(f"{number} {' '.join(row)}" for number, row in enumerate(grid))]
    if numbers:
        beside = [" " * 16, *("".join(row) for row in map_of_squares)]
        lines = [f"{line}    {squares}" for line, squares in zip(lines, beside, strict=True)]
    return "\n".join(lines)


def checkers_svg(
    pieces: Mapping[int, str],
    *,
    last: Sequence[int] = (),
    marks: Mapping[int, str] | None = None,
    black_below: bool = False,
    coordinates: bool = True,
    title: str | None = None,
) -> str:
    """Return the board as an SVG document.

    `last` is the path of the last move. `marks` puts a ring ("may", "must", "picked"), a sign ("target",
    "captured", "tried") or a short text on a square. `title` is for screen readers; default: the position in words.
    """
    held = _checked(pieces)
    path = [_checked_square(square, "last") for square in last]
    marked = {_checked_square(square, "marks"): mark for square, mark in sorted((marks or {}).items())}
    rings = {square: mark for square, mark in marked.items() if mark in _RINGS}
    signs = {square: mark for square, mark in marked.items() if mark not in _RINGS}
    view = _View(black_below)
    parts = [
        *view.squares(),
        *view.last_move(path),
        *(view.ring(square, mark) for square, mark in rings.items()),
        view.numbers(rings) if coordinates else "",
        *(view.piece(square, piece) for square, piece in held.items()),
        *(view.sign(square, mark, held.get(square, "")) for square, mark in signs.items()),
    ]
    return document(8 * _CELL, 8 * _CELL, _in_words(held, path, marked) if title is None else title, parts)


class _View:
    """Where the squares lie, seen from White's side or from Black's, and what is drawn on them."""

    def __init__(self, black_below: bool) -> None:
        self.black_below = black_below

    def cell(self, square: int) -> tuple[int, int]:
        row, column = _place(square)
        return (7 - row, 7 - column) if self.black_below else (row, column)

    def centre(self, square: int) -> tuple[float, float]:
        row, column = self.cell(square)
        return (column + 0.5) * _CELL, (row + 0.5) * _CELL

    def at(self, square: int, parts: Iterable[str], scale: float = 1) -> str:
        x, y = self.centre(square)
        grown = f" scale({scale:g})" if scale != 1 else ""
        return element("g", "".join(parts), transform=f"translate({x:g} {y:g}){grown}")

    def outline(self, square: int, inset: float = 0) -> str:
        """Return the path of a square. In two corners of the board a dark square has the board's rounded corner."""
        row, column = self.cell(square)
        side = _CELL - 2 * inset
        x, y, turn = column * _CELL + inset, row * _CELL + inset, _CORNER - inset
        arc, straight = f"a{turn:g} {turn:g} 0 0 1", side - turn
        if (row, column) == (0, 7):
            return f"M{x:g} {y:g}h{straight:g}{arc} {turn:g} {turn:g}v{straight:g}h{-side:g}z"
        if (row, column) == (7, 0):
            return f"M{x:g} {y:g}h{side:g}v{side:g}h{-straight:g}{arc} {-turn:g} {-turn:g}z"
        return f"M{x:g} {y:g}h{side:g}v{side:g}h{-side:g}z"

    def squares(self) -> list[str]:
        size = 8 * _CELL
        light = element("rect", width=size, height=size, rx=_CORNER, fill=COLOURS["square-light"])
        dark = "\n".join(self.outline(square) for square in range(1, 33))
        return [light, element("path", fill=COLOURS["square-dark"], d=dark)]

    def last_move(self, path: Sequence[int]) -> list[str]:
        """Draw the last move: a dashed outline at its start, a solid one at its end, dots along several steps."""
        if not path:
            return []
        line: Style = {"fill": "none", "stroke": COLOURS["mark"]}
        parts = [element("path", d=self.outline(path[-1], 1.5), stroke_width=3, **line)]
        if path[0] != path[-1]:
            dashes: Style = {"stroke_dasharray": "4 4", "stroke_width": 1.5}
            parts.insert(0, element("path", d=self.outline(path[0], 1.5), **line, **dashes))
        if len(path) > 2:
            points = " ".join(f"{x:g},{y:g}" for x, y in map(self.centre, path))
            dots: Style = {"stroke_dasharray": ".1 8", "stroke_width": 3.5, "stroke_linecap": "round"}
            parts.append(element("polyline", points=points, **line, **dots))
        return parts

    def ring(self, square: int, mark: str) -> str:
        """Draw a mark beneath the piece, one of _RINGS."""
        line: Style = {"r": 31, "fill": "none"}
        white, navy = COLOURS["mark"], COLOURS["must"]
        if mark == "may":
            dots: Style = {"stroke_width": 3, "stroke_dasharray": "3.85 4"}
            return self.at(square, [element("circle", **line, stroke=white, **dots)])
        cased = [element("circle", **line, stroke=white, stroke_width=7)]
        cased.append(element("circle", **line, stroke=navy, stroke_width=3))
        lit = element("path", d=self.outline(square), fill=COLOURS["square-lit"])
        return (lit if mark == "picked" else "") + self.at(square, cased)

    def numbers(self, ringed: Mapping[int, str]) -> str:
        """Draw the square numbers; where a ring crosses one, an edge of the square's own colour keeps it readable."""
        edge: Style = {"stroke_width": 3, "stroke_linejoin": "round"}
        ground = {"picked": COLOURS["square-lit"]}
        edges = [
            self.number(square, stroke=ground.get(mark, COLOURS["square-dark"]), **edge)
            for square, mark in ringed.items()
        ]
        texts = [self.number(square) for square in range(1, 33)]
        return group(edges + texts, fill=COLOURS["square-ink"], font_size=11)

    def number(self, square: int, **attributes: str | float) -> str:
        row, column = self.cell(square)
        return words(column * _CELL + 4, row * _CELL + 12.5, str(square), **attributes)

    def piece(self, square: int, piece: str) -> str:
        """Draw a man with one groove, or a king with two bold rings and a crown in the opposite tone."""
        tone, other = ("dark", "light") if piece in "bB" else ("light", "dark")
        face, ink = COLOURS[f"man-{tone}"], COLOURS[f"man-{other}"]
        disc = element("circle", r=30, fill=face, stroke=COLOURS[f"man-{tone}-edge"], stroke_width=2.5)
        line: Style = {"fill": "none", "stroke": COLOURS[f"man-{tone}-groove"], "stroke_width": 1.75}
        if piece in "bw":
            return self.at(square, [disc, element("circle", r=22, **line)], 0.9)
        line |= {"stroke": ink, "stroke_width": 2}
        rings = [element("circle", r=r, **line) for r in (25.5, 20.5)]
        return self.at(square, [disc, *rings, element("path", d=_CROWN, fill=ink)], 0.9)

    def sign(self, square: int, mark: str, piece: str) -> str:
        """Draw a mark on top of the piece: one that is not in _RINGS."""
        if mark == "target":
            dot: Style = {"r": 9, "fill": COLOURS["must"], "stroke": COLOURS["mark"], "stroke_width": 2}
            return self.at(square, [element("circle", **dot)])
        if mark == "tried":
            dashes: Style = {"stroke": COLOURS["square-ink"], "stroke_width": 2, "stroke_dasharray": "6 5"}
            return self.at(square, [element("circle", r=27, fill="none", **dashes)])
        if mark == "captured":
            return self.at(square, _cross(piece))
        x, y = self.centre(square)
        return chip(x, y + _CELL / 2 - 12, min(_CELL - 6, 12 + 8 * len(mark)), 18, mark)


def _cross(piece: str) -> list[str]:
    """Draw a cross in the tone opposite to the piece. It replaces a king's crown; the rings stay."""
    ink = COLOURS["man-dark" if piece in ("w", "W") else "mark"]
    shape: Style = {
        "d": "M-8 -8L8 8M8 -8L-8 8",
        "stroke": ink,
        "stroke_width": 3.5,
        "stroke_linecap": "round",
    }
    ground = {"B": "man-dark", "W": "man-light"}.get(piece)
    cover = [element("circle", r=15.5, fill=COLOURS[ground])] if ground else []
    return [*cover, element("path", fill="none", **shape)]


def _place(square: int) -> tuple[int, int]:
    """Return row and column, both from 0. Square 1 is in row 0, column 1."""
    row, nth = divmod(square - 1, 4)
    return row, 2 * nth + (row + 1) % 2


def _checked_square(square: int, what: str) -> int:
    if square not in range(1, 33):
        raise ValueError(f"{what}: {square!r} is not a square (1-32)")
    return int(square)


def _checked(pieces: Mapping[int, str]) -> dict[int, str]:
    """Return the pieces ordered by square; ValueError if one cannot be drawn."""
    for square, piece in pieces.items():
        _checked_square(square, "pieces")
        if piece not in ("b", "B", "w", "W"):
            raise ValueError(f"pieces: {piece!r} on square {square} is none of b, B, w, W")
    return {int(square): piece for square, piece in sorted(pieces.items())}


def _signs(letters: tuple[str, str], ascii: bool) -> dict[str, str]:  # noqa: A002
    black, white = letters
    signs = {"b": black.lower(), "B": black.upper(), "w": white.lower(), "W": white.upper()}
    single = all(len(sign) == 1 and (sign.isascii() or not ascii) for sign in signs.values())
    if not single or len(set(signs.values())) < 4:
        kind = "ASCII letters" if ascii else "letters"
        raise ValueError(f"letters must be two different {kind} that have capitals, not {letters!r}")
    return signs


def _in_words(pieces: Mapping[int, str], last: Sequence[int], marks: Mapping[int, str]) -> str:
    sides = [f"{side}: {side_in_words(pieces, letter)}." for side, letter in (("Black", "b"), ("White", "w"))]
    sentences = ["Checkers.", *sides]
    if last:
        sentences.append(f"Last move: {' to '.join(map(str, last))}.")
    for kind, meaning in _KINDS.items():
        squares = [str(square) for square, mark in marks.items() if mark == kind]
        sentences += [f"{meaning}: {', '.join(squares)}."] if squares else []
    sentences += [f"Square {square}: {spoken(mark)}." for square, mark in marks.items() if mark not in _KINDS]
    return " ".join(sentences)


def side_in_words(pieces: Mapping[int, str], letter: str) -> str:
    """Return where a side's pieces stand: "men on 1, 2; king on 30". `letter` is that of its men."""
    groups = []
    for sign, one, many in ((letter, "man", "men"), (letter.upper(), "king", "kings")):
        squares = [str(square) for square, piece in pieces.items() if piece == sign]
        if squares:
            groups.append(f"{one if len(squares) == 1 else many} on {', '.join(squares)}")
    return "; ".join(groups) or "no pieces"
