"""Explain solved Connect Four positions in words and marks.

What the solver has proved and what the board shows is stated as fact. A sentence about what usually decides is called
a rule of thumb, and a sentence that counts discs states its condition. Neither is given as the reason for a result.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from outplay import connect4
from outplay.draw import connect4_text
from outplay.explain.connect4 import first_rows, sign_of
from outplay.explain.proofs import Proofs
from outplay.explain.reasoning import reason_for_move, refutation
from outplay.explain.scores import KNOWN, own_moves
from outplay.explain.words import listed
from outplay.outcome import Side
from outplay.rules import rules_of


@dataclass(frozen=True, slots=True)
class Mark:
    """An empty cell where a disc of `side` makes four: row from the top and column from the left, both from 0."""

    row: int
    column: int
    side: Side
    kind: Literal["win", "block", "threat"]
    """`win`: the side to move can play there; `block`: the other side could, if that side were to move; `threat`:
    the cell below is still empty."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """A solved position in words and marks; `str()` is all of it as lines of plain text."""

    verdict: str
    sentences: tuple[str, ...]
    marks: tuple[Mark, ...]
    board: str
    """The board as `marked_board` draws it."""
    reasons: tuple[str, ...]
    """Why a best move is good, and how each move that gives the result away is answered, where this is known."""

    def __str__(self) -> str:
        return "\n".join((self.verdict, "", self.board, "", *self.sentences, *self.reasons))


def explain_solved(position: connect4.Position, solver: connect4.Solver) -> Explanation:
    """Explain who wins and when, the cells that make four, zugzwang, the worth of every move, and the reasons.

    GameOverError if the game is over.
    """
    verdict = _verdict(position, solver.solve(position))
    marks, scores = _marks(position), solver.scores(position)
    sentences = (
        *_at_once(position, marks),
        *_waiting(position, marks),
        *_stacked_sentences(position, marks),
        *_zugzwang(position, marks),
        *_worths(position, scores),
    )
    reasons = tuple(_reasons(position, scores, Proofs(solver=solver)))
    return Explanation(verdict, sentences, marks, marked_board(position, marks), reasons)


def marked_board(position: connect4.Position, marks: Sequence[Mark], *, ascii: bool = False) -> str:  # noqa: A002
    """Return the board as text: row and column names, marked cells as letters, and a legend."""
    drawn = [line.split() for line in connect4_text(position.rows(first=1), ascii=ascii).splitlines()]
    for mark in marks:
        sides = {other.side for other in marks if (other.row, other.column) == (mark.row, mark.column)}
        letter = "B" if len(sides) > 1 else _side_name(position, mark.side)[0]
        drawn[mark.row][mark.column] = letter.lower() if mark.kind == "threat" else letter
    drawn.append([_letter(column) for column in range(position.width)])
    names = [*(str(position.height - row) for row in range(position.height)), "", ""]
    width = len(str(position.height))
    lines = [" ".join((name.rjust(width), *cells)) for name, cells in zip(names, drawn, strict=True)]
    return "\n".join([*lines, *([_legend(position)] if marks else [])])


def _legend(position: connect4.Position) -> str:
    names = (*rules_of(position).sides, "both")
    letters = ", ".join(name[0].upper() for name in names)
    return f"{letters}: a disc there makes four for {', '.join(names)}; small letter: not playable yet."


def _marks(position: connect4.Position) -> tuple[Mark, ...]:
    """Return every cell that makes four, column by column from the left, from the bottom up."""
    found = []
    for column, filled in enumerate(_filled(position)):
        for level in range(filled, position.height):
            bit = 1 << column * (position.height + 1) + level
            for side, discs in ((Side.FIRST, position.first), (Side.SECOND, position.second)):
                if _has_four(discs | bit, position.height):
                    playable: Literal["win", "block"] = "win" if side is position.side else "block"
                    kind = playable if level == filled else "threat"
                    found.append(Mark(position.height - 1 - level, column, side, kind))
    return tuple(found)


def _has_four(discs: int, height: int) -> bool:
    """Return True if four of these bits are in line: a pair of neighbours, and the same pair two cells further on.

    The steps are 1 (up), height + 1 (level), height and height + 2 (the diagonals). A column has height + 1 bits, and
    the top one is never set: so no step runs from one column into the next.
    """
    pairs = ((discs & discs >> step, step) for step in (1, height, height + 1, height + 2))
    return any(pair & pair >> 2 * step for pair, step in pairs)


def _filled(position: connect4.Position) -> list[int]:
    """Return the number of discs in each column."""
    return [sum(cell != 0 for cell in column) for column in zip(*position.rows(), strict=True)]


def _verdict(position: connect4.Position, solution: connect4.Solution) -> str:
    known = KNOWN[solution.known_by]
    if solution.score == 0:
        return f"A draw, if both sides play their best: {known}."
    plies = connect4.plies_to_end(position, solution.score)
    winner = _side_name(position, position.side if solution.score > 0 else position.side.other)
    cells, disc = position.width * position.height, position.plies + plies
    place = {cells: ", the last", cells - 1: ", the last but one"}.get(disc, "")
    return f"{winner} wins in {own_moves(plies)}, with disc {disc} of {cells}{place}: {known}."


def _at_once(position: connect4.Position, marks: Sequence[Mark]) -> Iterator[str]:
    own, other = _side_name(position, position.side), _side_name(position, position.side.other)
    wins = [mark for mark in marks if mark.kind == "win"]
    blocks = [mark for mark in marks if mark.kind == "block"]
    if wins:
        yield f"{own} is to move and can make four at once: {_cells(position, wins)}."
    if blocks:
        yield f"If it were {other}'s turn, {other} could make four at once: {_cells(position, blocks)}."
    if blocks and not wins:
        yield f"{own} must block it." if len(blocks) == 1 else f"{own} can block only one of these."


def _waiting(position: connect4.Position, marks: Sequence[Mark]) -> Iterator[str]:
    if not marks:
        yield "No empty cell makes four for either side."
    for side in Side:
        for parity, name in ((1, "odd"), (0, "even")):
            found = [
                mark
                for mark in marks
                if mark.kind == "threat" and mark.side is side and _row(position, mark) % 2 == parity
            ]
            if found:
                rows = f"on an {name} row" if len(found) == 1 else f"on {name} rows"
                threat = "a threat" if len(found) == 1 else "threats"
                yield f"{_side_name(position, side)} has {threat} {rows}, not playable yet: {_cells(position, found)}."


def _stacks(marks: Sequence[Mark]) -> list[tuple[Mark, Mark]]:
    """Return pairs of threats of one side, one above the other, if the other side does not threaten the lower cell."""
    by_cell = {(mark.row, mark.column, mark.side): mark for mark in marks}
    return [
        (mark, by_cell[mark.row - 1, mark.column, mark.side])
        for mark in marks
        if (mark.row - 1, mark.column, mark.side) in by_cell and (mark.row, mark.column, mark.side.other) not in by_cell
    ]


def _stacked_sentences(position: connect4.Position, marks: Sequence[Mark]) -> Iterator[str]:
    for lower, upper in _stacks(marks):
        owner, other = _side_name(position, lower.side), _side_name(position, lower.side.other)
        low, high = _cell(position, lower), _cell(position, upper)
        yield f"{low} and {high} of {owner} lie on top of one another: if {other} blocks {low}, {owner} has {high}."


def _zugzwang(position: connect4.Position, marks: Sequence[Mark]) -> Iterator[str]:
    """Yield the zugzwang rule, only if nothing is more urgent: no immediate four, no stacked threats."""
    if not marks or _stacks(marks) or any(mark.kind != "threat" for mark in marks):
        return
    first = first_rows(position.width, position.height)
    second = "even" if first == "odd" else "odd"
    red, yellow = (_side_name(position, side) for side in Side)
    size = f"{position.width} x {position.height}"
    yield f"Rule of thumb: on {size}, zugzwang usually gives {red} the {first} rows and {yellow} the {second} ones."
    yield _count(position, marks)


def _count(position: connect4.Position, marks: Sequence[Mark]) -> str:
    """Say which side must play below a threat when everything else is full."""
    lowest: dict[int, list[Mark]] = {}  # by column: the lowest marked cell, which may be a threat of both sides
    for mark in marks:
        found = lowest.setdefault(mark.column, [])
        if not found or found[0].row == mark.row:
            found.append(mark)
    tops = {column: _row(position, found[0]) - 2 for column, found in lowest.items()}
    room = sum(tops.get(column, position.height) - filled for column, filled in enumerate(_filled(position)))
    mover = position.side if room % 2 == 0 else position.side.other
    theirs = [mark for found in lowest.values() for mark in found if mark.side is mover.other]
    own = [found[0] for found in lowest.values() if all(mark.side is mover for mark in found)]
    filling = f"{room} more disc{'s' if room > 1 else ''} can be played" if room else "no disc is left to play"
    condition = f"Count: if neither side plays below a threat and no new one appears, {filling}"
    return f"{condition}; then {_forced(position, mover, theirs, own)}."


def _forced(position: connect4.Position, mover: Side, theirs: Sequence[Mark], own: Sequence[Mark]) -> str:
    """Describe the choice of `mover`, which must play below one of the other side's threats or one of its own."""
    loser, winner = _side_name(position, mover), _side_name(position, mover.other)
    below = f"{loser} must play below {_cells(position, theirs or own, 'or')}"
    if not own:
        return f"{below}, and {winner} makes four: zugzwang helps {winner}"
    if theirs:
        return f"{below} of {winner}, or give up its own {_cells(position, own, 'or')}"
    if len(own) > 1:
        return f"{below}, its own threats, and {winner} can block that threat"
    threat = f"its own threat {_cells(position, own)}"
    return f"{loser} must play below {threat}, and {winner} can block that threat: zugzwang does not help {loser}"


def _worths(position: connect4.Position, scores: Sequence[int | None]) -> Iterator[str]:
    """Yield sentences on the moves, grouped by score, best first."""
    found: dict[int, list[int]] = {}
    for column, score in enumerate(scores):
        if score is not None:
            found.setdefault(score, []).append(column)
    best, columns = max(found), {score: listed(list(map(position.format, found[score]))) for score in found}
    if len(found) == 1:
        named = f"The only move, column {columns[best]}," if len(found[best]) == 1 else "Every move"
        yield f"{named} {_worth(position, best, max(best, 0), 's')}."
        return
    if best < 0:
        yield "Every move loses."
    for score in sorted(found, reverse=True):
        is_one = len(found[score]) == 1
        named = f"Column{'' if is_one else 's'} {columns[score]}"
        yield f"{named} {_worth(position, score, best, 's' if is_one else '')}."


def _worth(position: connect4.Position, score: int, best: int, s: str) -> str:
    """Return the rest of a sentence on one column (`s` is "s") or several (`s` is empty); `best` is the best score."""
    length = own_moves(connect4.plies_to_end(position, score))
    other_wins = f"{_side_name(position, position.side.other)} wins in {length}"
    if score > 0:
        return f"win{s} in {length}" if score == best else f"win{s} too, but in {length}"
    if best > 0:
        before = own_moves(connect4.plies_to_end(position, best))
        return f"throw{s} away the win in {before}: {'a draw' if score == 0 else other_wins}"
    if score == 0:
        return f"keep{s} the draw"
    if best == 0:
        return f"lose{s}: {other_wins}"
    return f"hold{s} out longest: {other_wins}" if score == best else f"lose{s} sooner: {other_wins}"


def _reasons(position: connect4.Position, scores: Sequence[int | None], proofs: Proofs) -> Iterator[str]:
    """Yield why a best move is good, and how each move that gives the result away is answered, where this is known."""
    known = {column: score for column, score in enumerate(scores) if score is not None}
    best = max(known.values())
    if best < 0:
        return
    good = (reason_for_move(position, column, proofs=proofs) for column, score in known.items() if score == best)
    found = next((reason for reason in good if reason.is_reason), None)
    if found is not None:
        yield f"Why column {found.line[0]}? {found.text}"
    against: dict[str, list[str]] = {}
    for column, score in known.items():
        if sign_of(score) < sign_of(best):
            wrong = refutation(position, column, proofs=proofs)
            against.setdefault(wrong.text, []).append(position.format(column))
    for text, columns in against.items():
        if text:
            yield f"Why not column {listed(columns, 'or')}? {text}"


def _row(position: connect4.Position, mark: Mark) -> int:
    """Return the row of a mark, from 1 at the bottom."""
    return position.height - mark.row


def _cell(position: connect4.Position, mark: Mark) -> str:
    """Return the name of a cell: "c3" is the third column, the third row from the bottom."""
    return f"{_letter(mark.column)}{_row(position, mark)}"


def _letter(column: int) -> str:
    return chr(ord("a") + column)


def _cells(position: connect4.Position, marks: Sequence[Mark], last: str = "and") -> str:
    return listed([_cell(position, mark) for mark in marks], last)


def _side_name(position: connect4.Position, side: Side) -> str:
    return rules_of(position).sides[side]


__all__ = [
    "Explanation",
    "Mark",
    "explain_solved",
    "marked_board",
]
