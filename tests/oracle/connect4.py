"""Connect Four on any board of at least 4 x 4, as slow and plain as possible.

A position is only its rows, from the top down, as they would be drawn:

    (0, 0, 0, 0, 0, 0, 0)
    (0, 0, 0, 0, 0, 0, 0)
    (0, 0, 0, 0, 0, 0, 0)      0 an empty cell
    (0, 0, 0, 0, 0, 0, 0)      1 a disc of the side that began
    (0, 0, 0, 2, 0, 0, 0)      2 a disc of the other side
    (0, 0, 1, 1, 2, 0, 0)

The number of discs tells who is to move. Columns are numbers from 0; in move text they are 1 to 9, then a, b
and so on.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import pairwise

from tests.oracle import FIRST, SECOND, Cell, Outcome

Rows = tuple[tuple[int, ...], ...]
Line = tuple[Cell, ...]

EMPTY = 0
DISC = {FIRST: 1, SECOND: 2}
COLUMN_LETTERS = "123456789abcdefghijklmnopqrstuvwxyz"
FEN_LETTERS = ".12"


# The board


def empty(width: int = 7, height: int = 6) -> Rows:
    """The board before the first disc."""
    if width < 4 or height < 4:
        raise ValueError(f"a board of {width} x {height} is too small for four in a row")
    return ((EMPTY,) * width,) * height


def width_of(rows: Rows) -> int:
    return len(rows[0])


def height_of(rows: Rows) -> int:
    return len(rows)


def cells_of(rows: Rows, side: int) -> set[Cell]:
    """Where the side has its discs."""
    return {(r, c) for r, row in enumerate(rows) for c, cell in enumerate(row) if cell == DISC[side]}


def discs_of(rows: Rows, side: int) -> int:
    """How many discs the side has on the board."""
    return sum(row.count(DISC[side]) for row in rows)


def side_to_move(rows: Rows) -> int:
    """The sides take turns: the first is to move when both have the same number of discs."""
    return FIRST if discs_of(rows, FIRST) == discs_of(rows, SECOND) else SECOND


def mirror(rows: Rows) -> Rows:
    """The board as seen from behind: left and right exchanged."""
    return tuple(tuple(reversed(row)) for row in rows)


# Four in a row


@cache
def all_fours(width: int, height: int) -> tuple[Line, ...]:
    """Every four neighbouring cells in a straight line: across, down, and along both diagonals."""
    fours = []
    for row in range(height):
        for column in range(width):
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                four = tuple((row + step * down, column + step * right) for step in range(4))
                if all(0 <= r < height and 0 <= c < width for r, c in four):
                    fours.append(tuple(sorted(four)))
    return tuple(sorted(fours))


def winning_lines(rows: Rows, side: int) -> tuple[Line, ...]:
    """Every four filled by the side; five in a row are two of them. Cells and lines come in sorted order."""
    filled = cells_of(rows, side)
    return tuple(four for four in all_fours(width_of(rows), height_of(rows)) if filled.issuperset(four))


def outcome(rows: Rows) -> Outcome | None:
    """Four in a row wins, also with the very last disc; a full board without it is a draw; else None."""
    for side in (FIRST, SECOND):
        lines = winning_lines(rows, side)
        if lines:
            return Outcome(side, "four in a row", lines)
    if all(cell != EMPTY for cell in rows[0]):
        return Outcome(None, "board full")
    return None


# Moves


def legal_moves(rows: Rows) -> list[int]:
    """The columns that are not full, from left to right; none once the game is over."""
    if outcome(rows) is not None:
        return []
    return [column for column in range(width_of(rows)) if rows[0][column] == EMPTY]


def play(rows: Rows, column: int) -> Rows:
    """The disc of the side to move falls to the lowest empty cell of the column."""
    if column not in legal_moves(rows):
        raise ValueError(f"column {column} cannot be played in {fen(rows)}")
    return _drop(rows, column)


def successors(rows: Rows) -> list[Rows]:
    """The positions after each legal move."""
    return [_drop(rows, column) for column in legal_moves(rows)]


def _drop(rows: Rows, column: int) -> Rows:
    row = max(row for row in range(height_of(rows)) if rows[row][column] == EMPTY)
    return _with_cell(rows, (row, column), DISC[side_to_move(rows)])


def _with_cell(rows: Rows, cell: Cell, content: int) -> Rows:
    board = [list(row) for row in rows]
    board[cell[0]][cell[1]] = content
    return tuple(tuple(row) for row in board)


# Text


def column_text(column: int) -> str:
    """Column 0 is written 1, column 8 is written 9, column 9 is written a."""
    return COLUMN_LETTERS[column]


def from_moves(text: str, width: int = 7, height: int = 6) -> Rows:
    """The position after the moves; ValueError if one of them cannot be played."""
    rows = empty(width, height)
    for letter in text:
        rows = play(rows, COLUMN_LETTERS.index(letter))
    return rows


def fen(rows: Rows) -> str:
    """The rows from the top, joined by slashes: "." empty, "1" the side that began, "2" the other."""
    return "/".join("".join(FEN_LETTERS[cell] for cell in row) for row in rows)


def from_fen(text: str) -> Rows:
    """The rows that `fen` wrote; ValueError at another letter. Whether they can be reached is not asked."""
    return tuple(tuple(FEN_LETTERS.index(letter) for letter in row) for row in text.split("/"))


def numbered_rows(rows: Rows, first: int = 1) -> list[list[int]]:
    """The rows with the side that began shown as the number `first`, which is 1 or 2."""
    number = {EMPTY: 0, DISC[FIRST]: first, DISC[SECOND]: 3 - first}
    return [[number[cell] for cell in row] for row in rows]


# Counting


def perft(rows: Rows, depth: int) -> int:
    """The number of ways to play exactly `depth` discs; games that end before are not counted."""
    if depth == 0:
        return 1
    return sum(perft(after, depth - 1) for after in successors(rows))


def positions_by_ply(width: int, height: int) -> Iterator[int]:
    """How many different positions have 0, 1, 2, ... discs. A won one counts and goes no further."""
    positions = {empty(width, height)}
    while positions:
        yield len(positions)
        positions = {after for rows in positions for after in successors(rows)}


# Set-ups


def problems(matrix: Sequence[Sequence[int]], first: int = 1) -> list[str]:
    """Why these rows cannot be a position of a game in which the number `first` began; [] if none is found.

    The reasons: "wrong shape", "unknown cell", "floating disc", "wrong counts", "two winners", "played on
    after a win", "no last disc". Each can be seen at a glance; whether moves lead to the board at all is a
    question for `move_order`.
    """
    width = len(matrix[0]) if matrix else 0
    if len(matrix) < 4 or width < 4 or any(len(row) != width for row in matrix):
        return ["wrong shape"]
    if any(cell not in (0, 1, 2) for row in matrix for cell in row):
        return ["unknown cell"]
    rows = rows_from_matrix(matrix, first)
    found = []
    if has_floating_disc(rows):
        found.append("floating disc")
    if discs_of(rows, FIRST) - discs_of(rows, SECOND) not in (0, 1):
        found.append("wrong counts")
    if winning_lines(rows, FIRST) and winning_lines(rows, SECOND):
        found.append("two winners")
    if not found and top_cells(rows) and not last_cells(rows):
        is_won = winning_lines(rows, FIRST) or winning_lines(rows, SECOND)
        found.append("played on after a win" if is_won else "no last disc")
    return found


def rows_from_matrix(matrix: Sequence[Sequence[int]], first: int = 1) -> Rows:
    """The position drawn with the numbers 0, 1 and 2, where `first` is the number of the side that began."""
    disc = {0: EMPTY, first: DISC[FIRST], 3 - first: DISC[SECOND]}
    return tuple(tuple(disc[cell] for cell in row) for row in matrix)


def has_floating_disc(rows: Rows) -> bool:
    """A disc falls as far as it can, so no empty cell lies below a disc."""
    return any(
        above != EMPTY and below == EMPTY
        for upper, lower in pairwise(rows)
        for above, below in zip(upper, lower, strict=True)
    )


def last_cells(rows: Rows) -> list[Cell]:
    """The cells where the last disc may lie, as far as one look tells.

    It is the top disc of its column, it belongs to the side that is not to move, and without it the game was
    still going on: so it lies in every winning four there is.
    """
    disc = DISC[1 - side_to_move(rows)]
    tops = [cell for cell in top_cells(rows) if rows[cell[0]][cell[1]] == disc]
    return [cell for cell in tops if outcome(_with_cell(rows, cell, EMPTY)) is None]


def top_cells(rows: Rows) -> list[Cell]:
    """The highest disc of each column that has one."""
    cells = []
    for column in range(width_of(rows)):
        filled = [row for row in range(height_of(rows)) if rows[row][column] != EMPTY]
        if filled:
            cells.append((min(filled), column))
    return cells


def move_order(rows: Rows) -> str | None:
    """Moves that lead to the board, as text, or None if there are none. Takes discs off again and searches.

    For small boards or few discs: the search may visit every way to cut the columns off at some height.
    """
    dead_ends: set[Rows] = set()

    def search(board: Rows) -> str | None:
        if all(cell == EMPTY for row in board for cell in row):
            return ""
        if board in dead_ends:
            return None
        for cell in last_cells(board):
            before = search(_with_cell(board, cell, EMPTY))
            if before is not None:
                return before + column_text(cell[1])
        dead_ends.add(board)
        return None

    return search(rows)
