"""Lines of moves and the ends of games in words."""

from __future__ import annotations

from collections.abc import Sequence

from outplay import connect4
from outplay.explain.voice import Voice, does, first_who, who
from outplay.outcome import Outcome, Reason
from outplay.rules import Move, NoProgress, Position


def line_text(position: Position, moves: Sequence[Move], *, most: int = 8) -> str:
    """Return the text of a line of moves that begins at the position."""
    texts = []
    for move in moves[:most]:
        if move not in position.legal_moves():
            break  # the engine's line is not legal from here on
        texts.append(position.format(move))
        position = position.play(move)
    return " ".join(texts) + (" ..." if len(moves) > most else "")


def listed(words: Sequence[str], last: str = "and") -> str:
    """Return a list in words: "1, 2 and 3"."""
    return f" {last} ".join(filter(None, (", ".join(words[:-1]), words[-1])))


STRICT = "no takeback, no hints"
"""The words for what a strict game forbids."""


def no_progress_words(limit: NoProgress | None) -> str:
    """Say when a game is drawn for lack of progress: "after 40 moves each without progress"."""
    if limit is None:
        return "never for lack of progress"
    if limit.man_moves_count:
        return f"after {limit.plies // 2} moves each without progress"
    return f"after {limit.plies} moves without a capture"


def outcome_sentence(outcome: Outcome, sides: tuple[str, str] | Voice) -> str:
    """Describe how a game ended: "Red wins: four in a row, columns 2 to 5.", "A draw: ..." """
    voice = sides if isinstance(sides, Voice) else Voice(sides)
    if outcome.winner is None:
        return f"A draw: {outcome_reason(outcome, voice)}."
    winner = outcome.winner
    told = f"{first_who(winner)} {does(winner, 'wins', 'win')}: "
    return f"{voice.tell(told)}{outcome_reason(outcome, voice)}{''.join(map(_four, outcome.lines[:1]))}."


def outcome_reason(outcome: Outcome, voice: Voice) -> str:
    """Return why a game ended: "four in a row", "the board is full", "you resigned"."""
    if outcome.winner is None or outcome.reason not in _WON:
        return _DRAWN.get(outcome.reason, outcome.reason.value)
    loser = outcome.winner.other
    return voice.tell(f"{who(loser)} {does(loser, *_WON[outcome.reason])}")


_DRAWN = {
    Reason.BOARD_FULL: "the board is full",
    Reason.REPETITION: "the same position for the third time",
    Reason.NO_PROGRESS: "too many moves without progress",
    Reason.AGREEMENT: "agreed",
    Reason.DECISION: "the teacher decided so",
}
_WON = {
    Reason.NO_MOVES: ("has no move", "have no move"),
    Reason.NO_PIECES: ("has no piece left", "have no piece left"),
    Reason.RESIGNATION: ("resigned", "resigned"),
    Reason.TIME: ("ran out of time", "ran out of time"),
    Reason.FORFEIT: ("failed to answer with a move", "failed to answer with a move"),
}
"""What the loser did: the words after a name, and the words after "you"."""


def _four(cells: Sequence[tuple[int, int]]) -> str:
    """Name the winning four by its columns."""
    columns = sorted({column for _, column in cells})
    first, last = (connect4.Position(max(4, column + 1), 4).format(column) for column in (columns[0], columns[-1]))
    if first == last:
        return f" in column {first}"
    is_level = len({row for row, _ in cells}) == 1
    return f", columns {first} to {last}" if is_level else f" on a diagonal, columns {first} to {last}"
