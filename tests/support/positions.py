"""Positions of both games for tests, as text, made with the oracle alone.

Each kind of position is made by a function of a `random.Random`. The `random_...` lists feed it from a seed,
so they are the same on every run; the strategies feed it from hypothesis, which then makes failures small.
"""

from collections.abc import Sequence
from random import Random
from typing import NamedTuple

from hypothesis import strategies as st

from tests.oracle import FIRST, SECOND, checkers, connect4

CONNECT4_SIZES = (
    (4, 4), (5, 4), (4, 5), (5, 5), (6, 5), (7, 5), (7, 6), (6, 7),
    (9, 6), (8, 7), (8, 8), (9, 7), (10, 10), (16, 7), (25, 4), (4, 31),
)  # fmt: skip
"""Widths and heights: odd and even numbers of cells, and both edges of one and of two 64-bit words."""


class Connect4Game(NamedTuple):
    """Moves as text, and the board they are played on."""

    moves: str
    width: int
    height: int


# Connect Four


def connect4_moves(width: int = 7, height: int = 6) -> st.SearchStrategy[str]:
    """Legal move texts of any length, finished games of both kinds among them."""
    return st.randoms(use_true_random=False).map(lambda random: _play_connect4(random, width, height))


@st.composite
def connect4_games(draw: st.DrawFn, sizes: Sequence[tuple[int, int]] = CONNECT4_SIZES) -> Connect4Game:
    """Legal move texts on boards of several sizes."""
    width, height = draw(st.sampled_from(sizes))
    return Connect4Game(draw(connect4_moves(width, height)), width, height)


@st.composite
def connect4_matrices(draw: st.DrawFn, sizes: Sequence[tuple[int, int]] = CONNECT4_SIZES) -> list[list[int]]:
    """Rows of 0, 1 and 2 that look like a board: many are legal, many have something wrong with them."""
    width, height = draw(st.sampled_from(sizes))
    return _fill_connect4(draw(st.randoms(use_true_random=False)), width, height)


def random_connect4_moves(seed: int, count: int, width: int = 7, height: int = 6) -> list[str]:
    """The same legal move texts for the same arguments."""
    random = Random(seed)
    return [_play_connect4(random, width, height) for _ in range(count)]


def random_connect4_matrices(seed: int, count: int, width: int = 7, height: int = 6) -> list[list[list[int]]]:
    """The same rows of 0, 1 and 2 for the same arguments, legal and illegal ones."""
    random = Random(seed)
    return [_fill_connect4(random, width, height) for _ in range(count)]


def _play_connect4(random: Random, width: int, height: int) -> str:
    """Play to a random length or to the end; half of the players avoid the end, so that boards fill up."""
    length = random.choice((random.randint(0, width * height), width * height))
    is_shy = random.choice((False, True))
    rows = connect4.empty(width, height)
    moves = ""
    while len(moves) < length and connect4.outcome(rows) is None:
        columns = connect4.legal_moves(rows)
        random.shuffle(columns)
        for column in columns:
            after = connect4.play(rows, column)
            if not is_shy or connect4.outcome(after) is None:
                break
        rows = after
        moves += connect4.column_text(column)
    return moves


def _fill_connect4(random: Random, width: int, height: int) -> list[list[int]]:
    """Take the board of a game, or drop discs of both colours in any order; then perhaps spoil one cell."""
    if random.choice((False, True)):
        moves = _play_connect4(random, width, height)
        rows = [list(row) for row in connect4.from_moves(moves, width, height)]
    else:
        rows = _drop_any_discs(random, width, height)
    if random.choice((False, True)):
        rows[random.randrange(height)][random.randrange(width)] = random.randint(0, 2)
    return rows


def _drop_any_discs(random: Random, width: int, height: int) -> list[list[int]]:
    discs = [1 + number % 2 for number in range(random.randint(0, width * height))]
    random.shuffle(discs)
    rows = [[0] * width for _ in range(height)]
    for disc in discs:
        column = random.choice([column for column in range(width) if rows[0][column] == 0])
        row = max(row for row in range(height) if rows[row][column] == 0)
        rows[row][column] = disc
    return rows


# Checkers


def checkers_fens() -> st.SearchStrategy[str]:
    """Legal positions: from play, set up at will, for long jumps, with little room. Some are finished."""
    return st.one_of(reachable_checkers_fens(), set_up_checkers_fens(), jumpy_checkers_fens(), cramped_checkers_fens())


def reachable_checkers_fens() -> st.SearchStrategy[str]:
    """Positions that random play from the start leads to."""
    return st.randoms(use_true_random=False).map(_play_checkers)


def set_up_checkers_fens() -> st.SearchStrategy[str]:
    """Positions with any pieces anywhere that the rules allow, at least one a side."""
    return st.randoms(use_true_random=False).map(_set_up_checkers)


def jumpy_checkers_fens() -> st.SearchStrategy[str]:
    """Positions in which the side to move has long jumps, often round in a circle."""
    return st.randoms(use_true_random=False).map(_set_up_jumps)


def cramped_checkers_fens() -> st.SearchStrategy[str]:
    """Positions in which the side to move has few moves or none."""
    return st.randoms(use_true_random=False).map(_set_up_cramped)


def random_checkers_fens(seed: int, count: int) -> list[str]:
    """The same positions of all four kinds, in turn, for the same arguments."""
    random = Random(seed)
    kinds = (_play_checkers, _set_up_checkers, _set_up_jumps, _set_up_cramped)
    return [kinds[number % len(kinds)](random) for number in range(count)]


def _play_checkers(random: Random) -> str:
    position = checkers.start()
    for _ in range(random.randint(0, 70)):
        moves = checkers.legal_moves(position)
        if not moves:
            break
        position = checkers.after(position, random.choice(moves))
    return checkers.fen(position)


def _set_up_checkers(random: Random) -> str:
    blacks, whites = random.randint(1, 12), random.randint(1, 12)
    kings_of_four = random.randint(0, 4)
    squares = random.sample(range(1, 33), blacks + whites)
    pieces: checkers.Pieces = {}
    for number, square in enumerate(squares):
        man = "b" if number < blacks else "w"
        _place(pieces, square, man.upper() if random.randrange(4) < kings_of_four else man)
    return checkers.fen(checkers.Position(random.choice((FIRST, SECOND)), pieces))


def _set_up_jumps(random: Random) -> str:
    """Put the pieces to be taken on the inner cells of every other row, and the takers on the rows between.

    A jump crosses two rows, so a taker stays on its rows and finds others to take wherever it lands.
    """
    side = random.choice((FIRST, SECOND))
    taker, victim = ("b", "w") if side == FIRST else ("w", "b")
    victim_rows = random.choice((0, 1))
    pieces: checkers.Pieces = {}
    for square in range(1, 33):
        row, column = checkers.cell_of(square)
        if row % 2 == victim_rows and 0 < row < 7 and 0 < column < 7 and random.randrange(3):
            _place(pieces, square, victim.upper() if random.randrange(2) else victim)
    free = [s for s in range(1, 33) if checkers.cell_of(s)[0] % 2 != victim_rows]
    for square in random.sample(free, random.randint(1, 4)):
        _place(pieces, square, taker.upper() if random.randrange(3) else taker)
    if victim not in "".join(pieces.values()).lower():
        _place(pieces, random.choice([s for s in range(1, 33) if checkers.cell_of(s) not in pieces]), victim)
    return checkers.fen(checkers.Position(side, pieces))


def _set_up_cramped(random: Random) -> str:
    """Stop white men in front of Black's home row, which has a gap at most; then perhaps turn the board."""
    pieces: checkers.Pieces = {}
    for square in random.sample(range(5, 9), random.randint(1, 3)):
        _place(pieces, square, "w")
    for square in random.sample(range(1, 5), random.randint(3, 4)):
        _place(pieces, square, random.choice("bbB"))
    for square in random.sample(range(9, 33), random.randint(0, 3)):
        _place(pieces, square, random.choice("bBw"))
    position = checkers.Position(SECOND, pieces)
    return checkers.fen(random.choice((position, checkers.flip(position))))


def _place(pieces: checkers.Pieces, square: int, piece: str) -> None:
    """Put the piece on the square; a man on its crowning row is a king."""
    cell = checkers.cell_of(square)
    pieces[cell] = piece.upper() if checkers.is_crowning_row(piece, cell) else piece
