"""Connect Four: why a column is good, and how a wrong one is refuted. The solver confirms every sentence.

A sentence names cells by column and row; the bottom row is row 1. "Best play" is the solver's line: the fastest win
against the longest defence.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from outplay.connect4 import Position, plies_to_end
from outplay.explain.connect4 import first_rows, sign_of
from outplay.explain.forcing import forced_win, fours_through, open_fours
from outplay.explain.proofs import Proofs
from outplay.explain.reason import BoardMark, MoveReason, ReasonKind, end_of, line_texts
from outplay.explain.scores import own_moves
from outplay.explain.voice import does, first_who, first_whose, who, whose
from outplay.explain.words import listed
from outplay.outcome import Cell, Side

SHOWN = 12
"""A line without a reason is shown up to this number of moves."""

MOST_NUMBERS = 15
"""Discs get numbers only if there are at most this many to number."""
EARLY = 8
"""The centre is a reason only while there are at most this number of discs on the board."""


def reason(position: Position, column: int, proofs: Proofs) -> MoveReason:
    """Return why a move is good, or only its line if it does not keep the result or if nothing is confirmed."""
    if position.play(column).outcome() is not None:
        return _ending(position, column)
    scores = proofs.move_scores(position)
    is_sound = scores is not None and sign_of(scores[column]) == max(map(sign_of, scores.values()))
    if not is_sound or scores is None:
        return _bare(position, (column, *proofs.line(position.play(column))))
    return (
        _block(position, column)
        or _forced(position, (), forced_win(position, first=column))
        or _zugzwang(position, column, position.side, proofs)
        or _stops(position, column)
        or _threat(position, column)
        or _finish(position, column, position.side, proofs)
        or _only(position, column, scores)
        or _bare(position, (column, *proofs.line(position.play(column))))
    )


def refutation(position: Position, column: int, proofs: Proofs) -> MoveReason:
    """Return what the other side does after a wrong move, or only the line if nothing is confirmed."""
    after = position.play(column)
    if after.outcome() is not None:
        return _bare(position, (column,))
    return (
        _allows_four(position, column)
        or _forced(position, (column,), forced_win(after))
        or _zugzwang(position, column, after.side, proofs)
        or _loses_threat(position, column, proofs)
        or _centre(position, column, proofs)
        or _answered(position, column, proofs)
        or _finish(position, column, after.side, proofs)
        or _bare(position, (column, *proofs.line(after)))
    )


def _bare(position: Position, moves: Sequence[int]) -> MoveReason:
    return MoveReason("line", "", line_texts(position, moves[:SHOWN]), known_by="solved")


@dataclass(frozen=True, slots=True)
class _Shown:
    """A line from a position, and the place in it where the marks are drawn."""

    start: Position
    moves: tuple[int, ...]
    at: int

    @property
    def position(self) -> Position:
        return end_of(self.start, self.moves[: self.at])

    def reason(self, kind: ReasonKind, text: str, marks: Sequence[BoardMark]) -> MoveReason:
        texts = line_texts(self.start, self.moves)
        return MoveReason(kind, text, texts, self.at, (*marks, *self._order()), "solved")

    def _order(self) -> list[BoardMark]:
        """Return the marks that number the discs played so far; none if there would be too many to read."""
        if self.at > MOST_NUMBERS:
            return []
        position, found = self.start, []
        for number, column in enumerate(self.moves[: self.at], 1):
            found.append(BoardMark("order", (_landing(position, column),), position.side, number))
            position = position.play(column)
        return found


def _landing(position: Position, column: int) -> int:
    return position.landing_row(column) * position.width + column


def _threat_marks(position: Position, side: Side, cells: Sequence[Cell]) -> list[BoardMark]:
    """Return the marks of threats: one on each cell, and one for each four that the cell would complete."""
    found = []
    for row, column in cells:
        found.append(BoardMark("threat", (row * position.width + column,), side))
        found += [BoardMark("line", cells, side) for cells in fours_through(position, side, row, column)]
    return found


def _open_cells(position: Position, columns: Sequence[int]) -> list[Cell]:
    return [(position.landing_row(column), column) for column in columns]


def _columns(position: Position, columns: Sequence[int], last: str = "and") -> str:
    """Return columns in words: "column 4", "columns 2 and 4"."""
    names = [position.format(column) for column in columns]
    return f"column{'s' * (len(names) > 1)} {listed(names, last)}"


def _cell(position: Position, cell: Cell) -> str:
    """Return a cell in words: "column 4, row 3"."""
    row, column = cell
    return f"column {position.format(column)}, row {position.height - row}"


# The end is near: four, a block, forced wins


def _ending(position: Position, column: int) -> MoveReason:
    shown = _Shown(position, (column,), 0)
    if column not in open_fours(position, position.side):
        return _bare(position, (column,))
    text = f"It makes four in {_columns(position, [column])}."
    return shown.reason("four", text, _threat_marks(position, position.side, _open_cells(position, [column])))


def _block(position: Position, column: int) -> MoveReason | None:
    """Return the reason for a move that blocks the only open four of the other side."""
    other = position.side.other
    if open_fours(position, other) != [column]:
        return None
    text = f"It blocks: {who(other)} {does(other, 'threatens', 'threaten')} four in {_columns(position, [column])}."
    forced = _forced(position, (), forced_win(position, first=column))
    if forced is not None:
        kept = forced.text[:1].lower() + forced.text[1:] if forced.text.startswith("It ") else forced.text
        return MoveReason(forced.kind, f"{text} And {kept}", forced.line, forced.at, forced.marks, "solved")
    shown = _Shown(position, (column,), 0)
    return shown.reason("block", text, _threat_marks(position, other, _open_cells(position, [column])))


def _allows_four(position: Position, column: int) -> MoveReason | None:
    """Return the reason against a move after which the other side makes four at once."""
    after = position.play(column)
    winner = after.side
    fours = open_fours(after, winner)
    if not fours:
        return None
    before = open_fours(position, winner)
    four = column if column in fours else fours[0]
    shown = _Shown(position, (column, four), 1)
    marks = _threat_marks(after, winner, _open_cells(after, [four]))
    makes = f"{does(winner, 'makes', 'make')} four in {_columns(position, [four])}"
    if len(before) > 1:
        text = f"{first_who(winner)} had {_many(before)}, in {_columns(position, before)}: only one can be blocked."
        return shown.reason("double-threat", text, marks)
    if four == column:
        marks.append(BoardMark("avoid", (_landing(position, column),), position.side))
        text = f"It gives {who(winner)} the cell on top: {who(winner)} {makes}."
        return shown.reason("gives-cell", text, marks)
    return shown.reason("missed-block", f"It does not block: {who(winner)} {makes}.", marks)


def _forced(position: Position, before: tuple[int, ...], win: tuple[int, ...] | None) -> MoveReason | None:
    """Return a reason: the forced win `win`, which begins after the moves `before`.

    None if there is no such win, or if it is only an immediate four.
    """
    if win is None or len(win) < 3:
        return None
    start = end_of(position, before)
    winner, loser = start.side, start.side.other
    shown = _Shown(position, before + win, len(before) + len(win) - 2)
    last = shown.position
    fours = open_fours(last, winner)
    end = _double(last, loser, fours) if len(fours) > 1 else _stacked(last, winner, fours[0])
    kind = "forced-sequence" if len(win) > 3 else _two_threats(fours)
    text = _forced_text(position, before, win, end)
    return shown.reason(kind, text, _threat_marks(last, winner, _winning_cells(last, fours)))


def _two_threats(fours: Sequence[int]) -> ReasonKind:
    """Return the kind of two threats: both open at once, or one on top of the other."""
    return "double-threat" if len(fours) > 1 else "stacked-threats"


def _winning_cells(position: Position, fours: Sequence[int]) -> list[Cell]:
    """Return the cells that win: the open ones, or the only open one and the one on top of it."""
    cells = _open_cells(position, fours)
    return cells if len(cells) > 1 else [*cells, (cells[0][0] - 1, cells[0][1])]


def _double(position: Position, loser: Side, fours: Sequence[int]) -> str:
    return f"{_many(fours)} at once, in {_columns(position, fours)}: {who(loser)} can block only one"


def _many(fours: Sequence[int]) -> str:
    return "two threats" if len(fours) == 2 else f"{len(fours)} threats"


def _stacked(position: Position, winner: Side, column: int) -> str:
    loser = winner.other
    return (
        f"a threat in {_columns(position, [column])}: {who(loser)} must block there, "
        f"and {who(winner)} {does(winner, 'makes', 'make')} four on top"
    )


def _forced_text(position: Position, before: tuple[int, ...], win: tuple[int, ...], end: str) -> str:
    start = end_of(position, before)
    winner = start.side
    if len(win) == 3:
        if not before:
            return f"It makes {end}."
        answer = f"{first_who(winner)} {does(winner, 'answers', 'answer')} in {_columns(start, win[:1])}"
        return f"{answer} and {does(winner, 'makes', 'make')} {end}."
    line = " ".join(line_texts(start, win)[:-2])
    forces = f"{first_who(winner)} {does(winner, 'forces', 'force')} the win: {line}."
    return f"{forces} Every threat must be blocked, and the last move makes {end}."


# What decides later: zugzwang, threats


def _zugzwang(position: Position, column: int, winner: Side, proofs: Proofs) -> MoveReason | None:
    """Return a reason: best play after the move ends in zugzwang, below a threat that the winner already has.

    Zugzwang: no four is open, and every move of the losing side makes one possible.
    """
    now = position.play(column)
    line = proofs.line(now)
    end = end_of(now, line).outcome() if line else None
    if end is None or end.winner is not winner or len(line) < 2:
        return None
    last = end_of(now, line[:-2])
    loser = winner.other
    if last.side is not loser or open_fours(last, winner) or not _all_give_four(last):
        return None
    cell = (last.play(line[-2]).landing_row(line[-1]), line[-1])
    if line[-1] != line[-2] or cell not in now.threats(winner):
        return None
    shown = _Shown(position, (column, *line), 1)
    text = _zugzwang_text(now, winner, cell, last)
    marks = [
        *_threat_marks(now, winner, [cell]),
        BoardMark("avoid", ((cell[0] + 1) * now.width + cell[1],), loser),
    ]
    return shown.reason("zugzwang", text, marks)


def _finish(position: Position, column: int, winner: Side, proofs: Proofs) -> MoveReason | None:
    """Return a reason: best play after a move ends with a win of `winner`, by zugzwang or by two threats."""
    now = position.play(column)
    line = proofs.line(now)
    if len(line) < 2 or not end_of(now, line).is_win(winner):
        return None
    last, loser = end_of(now, line[:-2]), winner.other
    shown = _Shown(position, (column, *line), len(line) - 1)
    fours = open_fours(last, winner)
    if not fours:
        cells = [cell for cell in last.threats(winner) if _is_next_open(last, cell)]
        text = (
            f"With best play {who(loser)} {does(loser, 'runs', 'run')} out of safe columns on move {last.plies + 1}: "
            f"every column that is left lets {who(winner)} make four."
        )
        return shown.reason("zugzwang", text, _threat_marks(last, winner, cells))
    told = f"{_many(fours)} at once" if len(fours) > 1 else "two threats on top of one another"
    text = (
        f"With best play {who(winner)} {does(winner, 'gets', 'get')} {told}, in {_columns(last, fours)}, "
        f"on move {last.plies}."
    )
    return shown.reason(_two_threats(fours), text, _threat_marks(last, winner, _winning_cells(last, fours)))


def _is_next_open(position: Position, cell: Cell) -> bool:
    """Return True if a cell becomes playable after one more disc in its column."""
    row, column = cell
    return column in position.legal_moves() and position.landing_row(column) == row + 1


def _centre(position: Position, column: int, proofs: Proofs) -> MoveReason | None:
    """Return the reason against an early move that leaves the centre column to the other side.

    On boards up to seven columns wide every level or diagonal four has a cell in the centre column.
    """
    middle, after = position.width // 2, position.play(column)
    if position.width % 2 == 0 or position.width > 7 or column == middle or position.plies > EARLY:
        return None
    scores, line = proofs.move_scores(position), proofs.line(after)
    if scores is None or line[:1] != (middle,) or middle not in scores:
        return None
    if any(sign_of(score) >= sign_of(scores[middle]) for other, score in scores.items() if other != middle):
        return None  # another column leaves the centre too, and keeps the result
    other = after.side
    shown = _Shown(position, (column, *line[: SHOWN - 1]), 2)
    text = (
        f"It leaves the centre to {who(other)}, {does(other, 'who answers', 'and you answer')} in "
        f"{_columns(position, [middle])}: every level or diagonal four has a disc in that column."
    )
    return shown.reason("centre", text, [])


def _all_give_four(position: Position) -> bool:
    """Return True if every move lets the other side make four at once."""
    return all(open_fours(position.play(column), position.side.other) for column in position.legal_moves())


def _zugzwang_text(now: Position, winner: Side, cell: Cell, last: Position) -> str:
    loser, row = winner.other, now.height - cell[0]
    below = " and must play below it" if len(last.legal_moves()) == 1 else ""
    told = (
        f"{first_whose(winner)} threat in {_cell(now, cell)} wins in the end: with best play "
        f"{who(loser)} {does(loser, 'runs', 'run')} out of safe columns on move {last.plies + 1}{below}."
    )
    rows = first_rows(now.width, now.height)
    parity = "odd" if row % 2 else "even"
    if (parity == rows) != (winner is Side.FIRST):
        return told
    started = "moved first" if winner is Side.FIRST else "moved second"
    return f"{told} Row {row} is {parity}: such threats usually help the side that {started}."


def _loses_threat(position: Position, column: int, proofs: Proofs) -> MoveReason | None:
    """Return the reason against a move below the mover's own threat: the other side then fills the threat's cell."""
    side, after = position.side, position.play(column)
    row = position.landing_row(column) - 1
    if (row, column) not in position.threats(side):
        return None
    scores, replies = proofs.move_scores(position), proofs.move_scores(after)
    if scores is None or replies is None or sign_of(scores[column]) == max(map(sign_of, scores.values())):
        return None
    if sign_of(replies[column]) < max(map(sign_of, replies.values())):
        return None
    shown = _Shown(position, (column, column), 1)
    other = side.other
    text = (
        f"It is directly below {whose(side)} own threat: {who(other)} {does(other, 'drops', 'drop')} on top, "
        f"and the threat in {_cell(position, (row, column))} is gone."
    )
    return shown.reason("loses-threat", text, _threat_marks(after, side, [(row, column)]))


def _answered(position: Position, column: int, proofs: Proofs) -> MoveReason | None:
    """Return a reason: the best answer to a wrong move makes a threat and wins."""
    after = position.play(column)
    line, score = proofs.line(after), proofs.solve(after)
    if not line or score is None or score <= 0:
        return None
    winner = after.side
    new = _new_threats(after, line[0])
    if not new:
        return None
    shown = _Shown(position, (column, *line), 2)
    length = own_moves(plies_to_end(after, score))
    text = (
        f"{first_who(winner)} {does(winner, 'answers', 'answer')} in {_columns(after, line[:1])}, "
        f"{does(winner, 'makes', 'make')} a threat in {_cell(after, new[0])}, "
        f"and {does(winner, 'wins', 'win')} in {length}."
    )
    return shown.reason("threat", text, _threat_marks(shown.position, winner, new[:1]))


def _new_threats(position: Position, column: int) -> list[Cell]:
    """Return the cells that make four for the side to move only after this move."""
    side, landing = position.side, (position.landing_row(column), column)
    before = set(position.threats(side)) | {landing}
    return [cell for cell in position.play(column).threats(side) if cell not in before]


def _threat(position: Position, column: int) -> MoveReason | None:
    """Return the reason for a move that makes a threat."""
    new, side = _new_threats(position, column), position.side
    if not new:
        return None
    shown = _Shown(position, (column,), 1)
    after = shown.position
    is_open = [cell for cell in new if after.landing_row(cell[1]) == cell[0]]
    cell = (is_open or new)[0]
    other = side.other
    text = f"It makes a threat in {_cell(position, cell)}."
    if is_open:
        text = f"It threatens four in {_columns(position, [cell[1]])}: {who(other)} must block."
    return shown.reason("threat", text, _threat_marks(after, side, [cell]))


def _stops(position: Position, column: int) -> MoveReason | None:
    """Return the reason for a move to the cell with which the other side would begin a forced win.

    After every other move, the other side can win by forcing moves that begin in that cell.
    """
    others = [other for other in position.legal_moves() if other != column]
    if not others or any(position.play(other).outcome() is not None for other in others):
        return None
    wins = [forced_win(position.play(other), first=column) for other in others]
    found = [win for win in wins if win is not None]
    if len(found) < len(others):
        return None
    other = position.side.other
    shown = _Shown(position, (column,), 0)
    how = "makes two threats there" if all(len(win) == 3 for win in found) else "forces a win from there"
    second = how.replace("makes", "make").replace("forces", "force")
    text = (
        f"It takes the cell that {who(other)} {does(other, 'needs', 'need')}: "
        f"otherwise {who(other)} {does(other, how, second)}."
    )
    return shown.reason("stops", text, [BoardMark("target", (_landing(position, column),), position.side)])


def _only(position: Position, column: int, scores: dict[int, int]) -> MoveReason | None:
    """Return a reason: no other column keeps the result."""
    rest = [score for other, score in scores.items() if other != column]
    sign = sign_of(scores[column])
    if not rest or sign < 0 or any(sign_of(score) >= sign for score in rest):
        return None
    text = "No other column wins." if sign > 0 else "Every other column loses."
    return _Shown(position, (column,), 1).reason("only-move", text, [])
