"""A move, a score and the end of a game in words, and hints in three steps.

Everything said here is either a plain fact, asked of `Position` (it wins, it blocks, it takes a king), or what an
engine itself has found (its expected line, its score and how it is known). Proof and guess never sound alike.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from outplay import checkers, connect4
from outplay.engine.types import Analysis, Line, Score
from outplay.outcome import Outcome, Reason
from outplay.rules import Move, Position, rules_of

STEPS = 3
FORESEEN = 3
"""So many moves of the expected line are told with a reason: more are hard to follow in the head."""


@dataclass(frozen=True, slots=True)
class Hint:
    """One step of a hint: 1 says where to look, 2 which column or piece, 3 the move and why."""

    step: int
    sentence: str
    places: tuple[int, ...]
    """To be lit: columns from 0 in Connect Four, squares 1-32 in checkers; on step 3 the path of the move."""
    move: Move | None = None
    """On step 3."""


def hint(position: Position, analysis: Analysis, step: int) -> Hint:
    """The step (1 to 3) of a hint for the side to move."""
    if not 1 <= step <= STEPS:
        raise ValueError(f"a hint has steps 1 to {STEPS}, not {step}")
    move = analysis.move
    if step == 1:
        sentence, places = _area(position, move)
        return Hint(1, f"{_urgency(position, move)}Look {sentence}.", places)
    if step == 2:
        sentence, places = _subject(position, move)
        return Hint(2, f"{sentence}.", places)
    places = (move,) if isinstance(position, connect4.Position) else move.path
    return Hint(3, why(position, move, analysis), places, move)


def why(position: Position, move: Move, analysis: Analysis | None = None) -> str:
    """A move with its reasons: "Column 4: it blocks four in a row; expects 4 3 5." """
    found = list(reasons(position, move))
    line = _line_of(analysis, move)
    if line is not None:
        if line.score.plies is not None and not _ends_the_game(position, move):
            found.append(score_sentence(position, line.score))
        if len(line.moves) > 1:
            found.append(f"expects {line_text(position.play(move), line.moves[1 : 1 + FORESEEN])}")
        elif not found:
            found.append(score_sentence(position, line.score))
    named = name_of(position, move)
    return f"{named}: {'; '.join(found)}." if found else f"{named}."


def reasons(position: Position, move: Move) -> Iterator[str]:
    """The plain facts about a move, the weightiest first."""
    if len(position.legal_moves()) == 1:
        yield "it is the only move"
    if isinstance(position, connect4.Position):
        yield from _connect4_reasons(position, move)
    elif isinstance(position, checkers.Position):
        yield from _checkers_reasons(position, move)


def name_of(position: Position, move: Move) -> str:
    """ "Column 4", "11-15"."""
    text = position.format(move)
    return f"Column {text}" if isinstance(position, connect4.Position) else text


def expected(position: Position, line: Line) -> str:
    """What is expected to follow the move of a line, as text."""
    return line_text(position.play(line.move), line.moves[1:])


def line_text(position: Position, moves: Sequence[Move], *, most: int = 8) -> str:
    """A line of moves that begins here, as text."""
    texts = []
    for move in moves[:most]:
        if move not in position.legal_moves():
            break  # an engine's word is not to be trusted that far
        texts.append(position.format(move))
        position = position.play(move)
    return " ".join(texts) + (" ..." if len(moves) > most else "")


def listed(words: Sequence[str], last: str = "and") -> str:
    """ "1, 2 and 3"."""
    return f" {last} ".join(filter(None, (", ".join(words[:-1]), words[-1])))


# Scores


def score_label(score: Score) -> str:
    """A score in a few characters, from the side to move: "+ win in 5", "= draw", "-3"."""
    if score.plies is not None and score.value != 0:
        return f"{'+ win' if score.value > 0 else '- loss'} in {own_moves(score.plies)}"
    if score.is_proof:
        return "+ win" if score.value > 0 else "- loss" if score.value < 0 else "= draw"
    if abs(score.value) >= 100:
        return f"{score.value:+.0f}"
    return f"{score.value:+.3g}" if score.value else "0"


def score_sentence(position: Position, score: Score, sides: tuple[str, str] | None = None) -> str:
    """A score with what it is worth: "Red wins in 9, solved" or "estimated +0.4, depth 13"."""
    names = sides or rules_of(position).sides
    known = "" if score.known_by == "search" else f", {KNOWN[score.known_by]}"
    if score.value and (score.plies is not None or score.is_proof):
        winner = names[position.side if score.value > 0 else position.side.other]
        return f"{winner} wins{'' if score.plies is None else f' in {own_moves(score.plies)}'}{known}"
    if score.is_proof:
        return f"a draw{known}"
    depth = "" if not score.depth else f", depth {score.depth}"
    return f"estimated {score_label(score)}{depth}"


KNOWN = {"solved": "solved", "table": "from the endgame tables", "book": "from the opening book"}


def own_moves(plies: int) -> int:
    """The winner's own moves up to an end that many plies away: the last one is his."""
    return (plies + 1) // 2


# How games end


def outcome_sentence(outcome: Outcome, sides: tuple[str, str]) -> str:
    """ "Red wins: four in a row, columns 2 to 5." , "A draw: the same position for the third time." """
    if outcome.winner is None:
        return f"A draw: {_DRAWN.get(outcome.reason, outcome.reason.value)}."
    winner, loser = sides[outcome.winner], sides[outcome.winner.other]
    return f"{winner} wins: {_WON[outcome.reason].format(loser=loser)}{''.join(map(_four, outcome.lines[:1]))}."


_DRAWN = {
    Reason.BOARD_FULL: "the board is full",
    Reason.REPETITION: "the same position for the third time",
    Reason.NO_PROGRESS: "too many moves without progress",
    Reason.AGREEMENT: "agreed",
}
_WON = {
    Reason.FOUR_IN_A_ROW: "four in a row",
    Reason.NO_MOVES: "{loser} has no move",
    Reason.NO_PIECES: "{loser} has no piece left",
    Reason.RESIGNATION: "{loser} resigned",
    Reason.TIME: "{loser} ran out of time",
    Reason.FORFEIT: "{loser} failed to answer with a move",
}


def _four(cells: Sequence[tuple[int, int]]) -> str:
    """Which four won, by its columns."""
    columns = sorted({column for _, column in cells})
    first, last = (connect4.Position(max(4, column + 1), 4).format(column) for column in (columns[0], columns[-1]))
    if first == last:
        return f" in column {first}"
    is_level = len({row for row, _ in cells}) == 1
    return f", columns {first} to {last}" if is_level else f" on a diagonal, columns {first} to {last}"


# Connect Four


def threats(position: connect4.Position) -> list[int]:
    """The columns in which the side that is not to move would win if it were its turn."""
    found = []
    moves = position.legal_moves()
    for column in moves:
        for other in moves:
            if other == column:
                continue
            after = position.play(other)
            if after.outcome() is None and _wins(after, column):
                found.append(column)
                break
    return found


def _wins(position: Position, move: Move) -> bool:
    outcome = position.play(move).outcome()
    return outcome is not None and outcome.winner is position.side


def _connect4_reasons(position: connect4.Position, column: int) -> Iterator[str]:
    if _wins(position, column):
        yield "it makes four in a row"
        return
    is_block = column in threats(position)
    if is_block:
        yield "it blocks four in a row"
    after = position.play(column)
    if after.outcome() is not None:
        yield "it fills the board"
        return
    answers = [reply for reply in after.legal_moves() if _wins(after, reply)]
    if answers:
        yield f"{rules_of(position).sides[after.side]} can then win in column {_columns(position, answers)}"
        return
    made = threats(after)
    if len(made) > 1:
        yield f"it threatens two fours at once, in columns {_columns(position, made)}"
    elif made:
        yield f"it threatens four in a row in column {_columns(position, made)}"
    elif not is_block and position.plies < position.width and column in _centre(position.width):
        yield "most lines of four run through the centre"


def _columns(position: connect4.Position, columns: Sequence[int]) -> str:
    return " and ".join(position.format(column) for column in columns)


def _centre(width: int) -> set[int]:
    return {(width - 1) // 2, width // 2}


# Checkers


def _checkers_reasons(position: checkers.Position, move: checkers.Move) -> Iterator[str]:
    pieces = position.pieces()
    if move.is_capture:
        yield f"it takes {_counted(pieces[square] for square in move.captures)}"
    after = position.play(move)
    if pieces[move.path[0]].islower() and after.pieces()[move.path[-1]].isupper():
        yield "it makes a king"
    if after.outcome() is not None:
        yield "it ends the game"
        return
    replies = [reply for reply in after.legal_moves() if reply.is_capture]
    if replies:
        most = max(replies, key=lambda reply: len(reply.captures))
        taken = after.pieces()
        loss = _counted(taken[square] for square in most.captures)
        yield f"{rules_of(position).sides[after.side]} must then take {loss} with {after.format(most)}"
    elif move.path[0] in _attacked(position):
        yield "it saves a piece that could be taken"


def _attacked(position: checkers.Position) -> set[int]:
    """Squares of the side to move from which the other side could take, after some quiet move elsewhere."""
    found: set[int] = set()
    for move in position.legal_moves():
        after = position.play(move)
        for reply in after.legal_moves():
            if reply.is_capture:
                found |= set(reply.captures) - {move.path[-1]}
    return found


def _counted(pieces: Iterator[str]) -> str:
    letters = list(pieces)
    kings = sum(letter.isupper() for letter in letters)
    return counted_pieces(len(letters) - kings, kings)


def counted_pieces(men: int, kings: int) -> str:
    """ "a man", "two men and a king"."""
    parts = [
        f"{_NUMBERS.get(count, str(count))} {one if count == 1 else many}"
        for count, one, many in ((men, "man", "men"), (kings, "king", "kings"))
        if count
    ]
    return " and ".join(parts)


_NUMBERS = {1: "a", 2: "two", 3: "three", 4: "four", 5: "five"}


# Hints


def _urgency(position: Position, move: Move) -> str:
    if not isinstance(position, connect4.Position):
        return "You must capture. " if move.is_capture else ""
    if _wins(position, move):
        return "You can win at once. "
    return f"{rules_of(position).sides[position.side.other]} threatens to win. " if move in threats(position) else ""


def _area(position: Any, move: Move) -> tuple[str, tuple[int, ...]]:
    """A third of a Connect Four board, a quarter of a checkers board."""
    if isinstance(position, connect4.Position):
        name = _third(move, position.width)
        columns = [column for column in range(position.width) if _third(column, position.width) == name]
        ends = [position.format(column) for column in (columns[0], columns[-1])]
        span = f"columns {ends[0]} to {ends[1]}" if len(columns) > 1 else f"column {ends[0]}"
        return f"at the {name}, {span}", tuple(columns)
    row, column = cell_of(move.path[0])
    squares = tuple(
        square
        for square in range(1, 33)
        if all(a // 4 == b // 4 for a, b in zip(cell_of(square), (row, column), strict=True))
    )
    # "top left" would be wrong on a board that is turned round: a number is right on any
    return f"around square {squares[3]}", squares


def _third(column: int, width: int) -> str:
    from_centre = column - (width - 1) / 2
    return "middle" if abs(from_centre) <= width / 6 else "left" if from_centre < 0 else "right"


def cell_of(square: int) -> tuple[int, int]:
    """Row and column of a checkers square, both from 0, row 0 on top."""
    row, place = divmod(square - 1, 4)
    return row, 2 * place + (row + 1) % 2


def _subject(position: Any, move: Move) -> tuple[str, tuple[int, ...]]:
    if isinstance(position, connect4.Position):
        return name_of(position, move), (move,)
    square = move.path[0]
    piece = "king" if position.pieces()[square].isupper() else "man"
    return f"The {piece} on {square}", (square,)


def _line_of(analysis: Analysis | None, move: Move) -> Line | None:
    lines = analysis.lines if analysis is not None else ()
    return next((line for line in lines if line.move == move), None)


def _ends_the_game(position: Position, move: Move) -> bool:
    return position.play(move).outcome() is not None
