"""Connect Four boards. `rows` is a nested sequence of 0 (empty), 1 (Red) and 2 (Yellow), row 0 on top."""

from collections.abc import Iterable, Mapping, Sequence

from outplay.draw.svg import COLOURS, MINUS, Style, chip, document, element, group, plain, spoken, words

Cell = tuple[int, int]
Board = tuple[tuple[int, ...], ...]

_LABELS = "123456789abcdefghijklmnop"  # one character a column, as moves are written
_NAMES = ("empty", "red", "yellow")

# The anatomy of the board; all else follows from these.
_CELL, _FRAME, _FOOT, _CHIP_ROW = 90, 16, 40, 60
_HOLE, _DISC, _RING = 39, 36, 41.25


def connect4_text(
    rows: Sequence[Sequence[int]],
    *,
    ascii: bool = False,  # noqa: A002
    marks: Mapping[int, str] | None = None,
) -> str:
    """Return the board as lines of equal width, with the column numbers under it.

    Discs are ○ (1) and ● (2), or x and o if `ascii`. `marks` are short texts above columns, counted from 0.
    """
    board = _checked(rows)
    marked = {column: _short(text, ascii) for column, text in _checked_marks(board, marks).items()}
    signs = ".xo" if ascii else "·○●"
    lines = [[signs[cell] for cell in row] for row in board]
    lines.append(list(_LABELS[: len(board[0])]))
    if marked:
        lines.insert(0, [marked.get(column, "") for column in range(len(board[0]))])
    width = max(1, *map(len, marked.values())) if marked else 1
    return "\n".join(" ".join(part.center(width) for part in line) for line in lines)


def connect4_svg(
    rows: Sequence[Sequence[int]],
    *,
    last: Cell | None = None,
    lines: Iterable[Sequence[Cell]] = (),
    marks: Mapping[int, str] | None = None,
    coordinates: bool = True,
    title: str | None = None,
) -> str:
    """Return the board as an SVG document.

    `last` (row, column) and every cell of the winning `lines` get a ring. `marks` are texts above columns, counted
    from 0: a leading +, = or - sets the colour, a leading ~ marks an estimate. `title` is for screen readers; default:
    the position in words.
    """
    board = _checked(rows)
    fours = [tuple(_checked_disc(board, cell, "lines") for cell in line) for line in lines]
    final = None if last is None else _checked_disc(board, last, "last")
    texts = _checked_marks(board, marks)
    width = 2 * _FRAME + _CELL * len(board[0])
    height = _FRAME + _CELL * len(board) + (_FOOT if coordinates else _FRAME)
    ringed = {cell for four in fours for cell in four} | ({final} if final else set())
    parts = [
        _frame(width, height),
        *_holes(board),
        *(_disc(cell, board[cell[0]][cell[1]]) for cell in _cells(board) if board[cell[0]][cell[1]]),
        _rings(ringed),
        _numbers(board, height) if coordinates else "",
        *(chip(_x(column), -34, _CELL - 8, 48, text) for column, text in texts.items()),
    ]
    title = _in_words(board, final, fours, texts) if title is None else title
    return document(width, height, title, parts, top=_CHIP_ROW if texts else 0)


def _checked(rows: Sequence[Sequence[int]]) -> Board:
    """Return the rows as plain tuples; ValueError if they are not a board."""
    if len(rows) == 0 or len(rows[0]) == 0:
        raise ValueError("rows: a board has at least one row and one column")
    width = len(rows[0])
    if width > len(_LABELS):
        raise ValueError(f"rows: {width} columns, at most {len(_LABELS)} can be drawn")
    for r, row in enumerate(rows):
        if len(row) != width:
            raise ValueError(f"rows: row {r} has {len(row)} columns, row 0 has {width}")
        for c, cell in enumerate(row):
            if cell not in (0, 1, 2):
                raise ValueError(f"rows: {cell!r} in row {r}, column {c} is not 0, 1 or 2")
    return tuple(tuple(int(cell) for cell in row) for row in rows)


def _checked_disc(board: Board, cell: Cell, what: str) -> Cell:
    row, column = cell
    if not (0 <= row < len(board) and 0 <= column < len(board[0])):
        raise ValueError(f"{what}: row {row}, column {column} is not on the board")
    if not board[row][column]:
        raise ValueError(f"{what}: row {row}, column {column} is empty (row 0 is on top)")
    return int(row), int(column)


def _checked_marks(board: Board, marks: Mapping[int, str] | None) -> dict[int, str]:
    marks = marks or {}
    for column in marks:
        if column not in range(len(board[0])):
            raise ValueError(f"marks: there is no column {column!r} (columns count from 0)")
    return {int(column): marks[column] for column in sorted(marks)}


def _short(text: str, ascii: bool) -> str:  # noqa: A002
    text = plain(text)
    return text.replace(MINUS, "-").encode("ascii", "replace").decode() if ascii else text


def _cells(board: Board) -> list[Cell]:
    return [(r, c) for r in range(len(board)) for c in range(len(board[0]))]


def _x(column: int) -> float:
    return _FRAME + _CELL * (column + 0.5)


def _y(row: int) -> float:
    return _FRAME + _CELL * (row + 0.5)


def _frame(width: float, height: float) -> str:
    edge: Style = {"stroke": COLOURS["board-edge"], "stroke_width": 1.5}
    box: Style = {"x": 0.75, "y": 0.75, "width": width - 1.5, "height": height - 1.5, "rx": 22}
    return element("rect", **box, fill=COLOURS["board"], **edge)


def _holes(board: Board) -> list[str]:
    """Draw the holes: the lower lip catches light, and the hole is dark so that yellow and red both stand out."""
    cells = _cells(board)
    lips = [element("circle", cx=_x(c), cy=_y(r) + 1.75, r=_HOLE) for r, c in cells]
    holes = [element("circle", cx=_x(c), cy=_y(r), r=_HOLE) for r, c in cells]
    return [group(lips, fill=COLOURS["board-lip"]), group(holes, fill=COLOURS["hole"])]


def _disc(cell: Cell, side: int) -> str:
    """Draw a disc with its mark: a dot on red, a ring on yellow, so that the sides differ in more than colour."""
    name = _NAMES[side]
    face: Style = {"fill": COLOURS[name], "stroke": COLOURS[f"{name}-rim"], "stroke_width": 3.5}
    ink = COLOURS[f"{name}-mark"]
    dot = element("circle", r=8.5, fill=ink)
    ring = element("circle", r=12.5, fill="none", stroke=ink, stroke_width=5)
    place = f"translate({_x(cell[1]):g} {_y(cell[0]):g})"
    return element("g", element("circle", r=_DISC - 1.75, **face) + (dot, ring)[side - 1], transform=place)


def _rings(cells: Iterable[Cell]) -> str:
    rings = [element("circle", cx=_x(c), cy=_y(r), r=_RING) for r, c in sorted(cells)]
    return group(rings, fill="none", stroke=COLOURS["mark"], stroke_width=3.5)


def _numbers(board: Board, height: float) -> str:
    labels = [words(_x(c), height - 12, _LABELS[c]) for c in range(len(board[0]))]
    style: Style = {"font_size": 16, "font_weight": 600}
    return group(labels, fill=COLOURS["board-ink"], text_anchor="middle", **style)


def _in_words(board: Board, last: Cell | None, fours: Sequence[Sequence[Cell]], marks: Mapping[int, str]) -> str:
    sentences = [f"Connect Four, {len(board[0])} by {len(board)}.", _columns_in_words(board)]
    if last:
        sentences.append(f"Last disc: {_NAMES[board[last[0]][last[1]]]} in column {_LABELS[last[1]]}.")
    sentences += [_line_in_words(board, four) for four in fours if four]
    sentences += [f"Column {_LABELS[column]}: {spoken(text)}." for column, text in marks.items()]
    return " ".join(sentences)


def _columns_in_words(board: Board) -> str:
    columns = []
    for label, column in zip(_LABELS, zip(*reversed(board), strict=True), strict=False):
        filled = max((height for height, cell in enumerate(column, 1) if cell), default=0)
        if filled:
            columns.append(f"column {label} " + ", ".join(_NAMES[cell] for cell in column[:filled]))
    return f"From the bottom: {'; '.join(columns)}." if columns else "No discs."


def _line_in_words(board: Board, line: Sequence[Cell]) -> str:
    (row, first), (_, final) = line[0], line[-1]
    where = f"in column {_LABELS[first]}"
    if first != final:
        where = f"from column {_LABELS[first]} to column {_LABELS[final]}"
    return f"{len(line)} {_NAMES[board[row][first]]} discs in a row {where}."
