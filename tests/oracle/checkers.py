"""Checkers (English draughts), as slow and plain as possible.

A position is the side to move and a dictionary that says which piece stands on which cell: "b" a black man,
"B" a black king, "w" and "W" the same for White. Cells are (row, column), row 0 on top. Only the dark cells
are used, and text calls them squares 1 to 32, counted along the rows from the top:

         0  1  2  3  4  5  6  7
      0  .  1  .  2  .  3  .  4     Black's home row, where white men are crowned
      1  5  .  6  .  7  .  8  .
      2  .  9  . 10  . 11  . 12     Black begins on 1 to 12, moves first and goes down
      3 13  . 14  . 15  . 16  .
      4  . 17  . 18  . 19  . 20
      5 21  . 22  . 23  . 24  .     White begins on 21 to 32 and goes up
      6  . 25  . 26  . 27  . 28
      7 29  . 30  . 31  . 32  .     White's home row, where black men are crowned

A move is a whole turn: the squares it touches and the squares of the pieces it takes, both in order.
"""

from collections.abc import Iterator
from typing import NamedTuple

from tests.oracle import FIRST, SECOND, Cell, Outcome

Pieces = dict[Cell, str]
Direction = tuple[int, int]

DOWN: tuple[Direction, ...] = ((1, -1), (1, 1))
UP: tuple[Direction, ...] = ((-1, -1), (-1, 1))
OTHER_COLOUR = str.maketrans("bBwW", "wWbB")
START_FEN = "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12"


class Position(NamedTuple):
    """Who is to move, and which piece stands where. Nothing ever changes the dictionary."""

    side: int
    pieces: Pieces


class Move(NamedTuple):
    """A turn: the squares touched and the squares of the pieces taken, in order."""

    path: tuple[int, ...]
    captures: tuple[int, ...]

    @property
    def text(self) -> str:
        """The whole path: 11-15 for a plain move, 22x15x8 for a jump."""
        return ("x" if self.captures else "-").join(str(square) for square in self.path)


# Squares and pieces


def cell_of(square: int) -> Cell:
    """Where square 1 to 32 lies: four to a row, on the odd columns of even rows and the other way round."""
    row = (square - 1) // 4
    place_in_row = (square - 1) % 4
    return row, 2 * place_in_row + (1 if row % 2 == 0 else 0)


def square_of(cell: Cell) -> int:
    """The number of a dark cell."""
    row, column = cell
    return 4 * row + column // 2 + 1


def is_on_board(cell: Cell) -> bool:
    return 0 <= cell[0] < 8 and 0 <= cell[1] < 8


def owner(piece: str) -> int:
    return FIRST if piece in "bB" else SECOND


def is_king(piece: str) -> bool:
    return piece in "BW"


def is_crowning_row(piece: str, cell: Cell) -> bool:
    """Whether the row is the farthest one from the home of the piece's side."""
    return cell[0] == (7 if owner(piece) == FIRST else 0)


def directions(piece: str) -> tuple[Direction, ...]:
    """Men go and jump forward only: black ones down, white ones up. Kings go and jump both ways."""
    if is_king(piece):
        return DOWN + UP
    return DOWN if owner(piece) == FIRST else UP


# Moves


def legal_moves(position: Position) -> list[Move]:
    """Every legal turn, ordered by path; none once the game is over."""
    if sides_without_pieces(position):
        return []
    own = [cell for cell, piece in position.pieces.items() if owner(piece) == position.side]
    # Jumping is compulsory: plain moves are allowed only when no piece of the side can jump. Which piece
    # jumps, and which way, is free; it need not be the way that takes the most.
    jumps = [jump for cell in own for jump in jumps_from(position.pieces, cell)]
    if jumps:
        return sorted(jumps)
    return sorted(move for cell in own for move in plain_moves_from(position.pieces, cell))


def plain_moves_from(pieces: Pieces, start: Cell) -> Iterator[Move]:
    """A piece moves to a neighbouring empty cell on a diagonal; kings, too, move a single step."""
    for down, right in directions(pieces[start]):
        end = (start[0] + down, start[1] + right)
        if is_on_board(end) and end not in pieces:
            yield Move((square_of(start), square_of(end)), ())


def jumps_from(pieces: Pieces, start: Cell) -> Iterator[Move]:
    """Every complete jump of the piece on the cell."""
    piece = pieces[start]
    # While it jumps, the piece stands on none of the cells: its start is as empty as any other, and a king
    # may land there and go on, or end there.
    others = {cell: other for cell, other in pieces.items() if cell != start}

    def jump_on(path: tuple[Cell, ...], taken: tuple[Cell, ...]) -> Iterator[Move]:
        here = path[-1]
        so_far = Move(tuple(map(square_of, path)), tuple(map(square_of, taken)))
        # A man that jumps to its crowning row is crowned there, and that ends the turn, whatever the new king
        # could take.
        if taken and not is_king(piece) and is_crowning_row(piece, here):
            yield so_far
            return
        has_ended = True
        for down, right in directions(piece):
            over = (here[0] + down, here[1] + right)
            landing = (here[0] + 2 * down, here[1] + 2 * right)
            # A jump goes over one neighbouring piece of the other side to the empty cell right behind it.
            # Taken pieces are lifted only when the whole turn is over: until then they fill their cells, and
            # none can be taken again.
            if over not in others or owner(others[over]) == owner(piece) or over in taken:
                continue
            if not is_on_board(landing) or landing in others:
                continue
            has_ended = False
            yield from jump_on((*path, landing), (*taken, over))
        # A jump that was begun goes on for as long as the same piece can jump.
        if has_ended and taken:
            yield so_far

    return jump_on((start,), ())


def play(position: Position, move: Move | str) -> Position:
    """The position after one of the legal moves, given as itself or as its whole text."""
    text = move if isinstance(move, str) else move.text
    legal = {candidate.text: candidate for candidate in legal_moves(position)}
    if text not in legal:
        raise ValueError(f"{text} is not a move in {fen(position)}")
    return after(position, legal[text])


def after(position: Position, move: Move) -> Position:
    """The position after a move that is known to be legal."""
    start, end = cell_of(move.path[0]), cell_of(move.path[-1])
    piece = position.pieces[start]
    # A man that ends its turn on its crowning row becomes a king.
    if is_crowning_row(piece, end):
        piece = piece.upper()
    gone = {start, *map(cell_of, move.captures)}
    pieces = {cell: other for cell, other in position.pieces.items() if cell not in gone}
    pieces[end] = piece
    return Position(1 - position.side, pieces)


# The end of the game


def sides_without_pieces(position: Position) -> set[int]:
    return {FIRST, SECOND} - {owner(piece) for piece in position.pieces.values()}


def outcome(position: Position) -> Outcome | None:
    """A side with no piece left loses; a side that is to move and cannot loses too. There is no stalemate.

    Draws by repetition or for want of progress depend on the moves before and are no matter of one position.
    """
    lost = sides_without_pieces(position)
    if lost:
        return Outcome(1 - min(lost), "no pieces")
    if not legal_moves(position):
        return Outcome(1 - position.side, "no moves")
    return None


# Counting


def perft(position: Position, depth: int, *, merged: bool = False) -> int:
    """The number of ways to play exactly `depth` turns; games that end before are not counted.

    `merged` counts jumps from one square to another that take the same pieces once, whatever way they go.
    """
    if depth == 0:
        return 1
    moves = legal_moves(position)
    if merged:
        moves = list({(move.path[0], move.path[-1], frozenset(move.captures)): move for move in moves}.values())
    return sum(perft(after(position, move), depth - 1, merged=merged) for move in moves)


# Text


def start() -> Position:
    return from_fen(START_FEN)


def fen(position: Position) -> str:
    """The position in PDN's words: side to move, White's and Black's squares, men before kings, in order."""
    men: dict[int, list[str]] = {FIRST: [], SECOND: []}
    kings: dict[int, list[str]] = {FIRST: [], SECOND: []}
    for cell, piece in sorted(position.pieces.items()):
        square = str(square_of(cell))
        if is_king(piece):
            kings[owner(piece)].append("K" + square)
        else:
            men[owner(piece)].append(square)
    squares = {side: ",".join(men[side] + kings[side]) for side in (FIRST, SECOND)}
    return f"{'BW'[position.side]}:W{squares[SECOND]}:B{squares[FIRST]}"


def from_fen(text: str) -> Position:
    """The position that the text describes; ValueError if a square is no square or is filled twice."""
    side, *lists = text.split(":")
    pieces: Pieces = {}
    for colour_and_squares in lists:
        man = {"B": "b", "W": "w"}[colour_and_squares[0]]
        for item in filter(None, colour_and_squares[1:].split(",")):
            square = int(item.removeprefix("K"))
            if not 1 <= square <= 32 or cell_of(square) in pieces:
                raise ValueError(f"square {square} in {text}")
            pieces[cell_of(square)] = man.upper() if item.startswith("K") else man
    return Position("BW".index(side), pieces)


def problems(position: Position) -> list[str]:
    """Why this cannot be a set-up: "man on its crowning row", "more than twelve pieces", "no pieces"."""
    found = []
    if any(not is_king(piece) and is_crowning_row(piece, cell) for cell, piece in position.pieces.items()):
        found.append("man on its crowning row")
    owners = [owner(piece) for piece in position.pieces.values()]
    if max(owners.count(FIRST), owners.count(SECOND)) > 12:
        found.append("more than twelve pieces")
    if not position.pieces:
        found.append("no pieces")
    return found


def flip(position: Position) -> Position:
    """The same position from the other seat: the board turned round, the colours and the turn exchanged."""
    pieces = {(7 - row, 7 - column): piece.translate(OTHER_COLOUR) for (row, column), piece in position.pieces.items()}
    return Position(1 - position.side, pieces)
