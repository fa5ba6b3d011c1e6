"""What the page says in sentences: whose move it is, how the game ended, why a move was refused."""

from __future__ import annotations

from outplay import explain
from outplay.errors import IllegalMoveError
from outplay.live import LiveState
from outplay.outcome import Outcome, Reason
from outplay.rules import Move, Position, rules_of
from outplay.web.boards import board_text

SENTENCE = 300
TITLE = 60
WORD = 40
LABEL = 24


def clipped(text: str, length: int = SENTENCE) -> str:
    return text if len(text) <= length else text[: length - 1] + "\N{HORIZONTAL ELLIPSIS}"


def sentence(text: str) -> str:
    """A message as a sentence: a capital letter and a full stop."""
    text = text.strip()
    return clipped(text[:1].upper() + text[1:] + ("" if text.endswith((".", "!", "?")) else "."))


def state_sentence(state: LiveState, titles: tuple[str, str]) -> str:
    """The last move and whose turn it is: "Yellow, column 2. Your move." """
    if state.outcome is not None:
        return outcome_sentence(state)
    side = rules_of(state.position).sides[state.side]
    last = _last_move(state)
    title = titles[state.side]
    match state.status:
        case "thinking":
            return f"{last}{title} is thinking."
        case "paused":
            return f"{last}Paused before {side}'s move."
        case "failed":
            return f"{last}{title} failed: the game waits."
    return f"{last}Your move." if title == "You" else f"{last}{side} to move."


def _last_move(state: LiveState) -> str:
    if not state.moves:
        return ""
    before = state.positions[-2]
    side = rules_of(before).sides[before.side]
    return f"{side}, {explain.name_of(before, state.moves[-1]).replace('Column', 'column')}. "


def outcome_sentence(state: LiveState) -> str:
    """ "Red wins with column 3: four on a diagonal." """
    outcome = state.outcome
    assert outcome is not None
    sides = rules_of(state.position).sides
    if outcome.reason is not Reason.FOUR_IN_A_ROW or outcome.winner is None:
        return explain.outcome_sentence(outcome, sides)
    move = f" with column {state.texts[-1]}" if state.moves else ""
    return f"{sides[outcome.winner]} wins{move}: {_fours(outcome)}."


def _fours(outcome: Outcome) -> str:
    if len(outcome.lines) != 1:
        return "more than one four at once"
    (row, column), (next_row, next_column) = outcome.lines[0][:2]
    if row == next_row:
        return "four in a row"
    return "four in a column" if column == next_column else "four on a diagonal"


def outcome_detail(state: LiveState) -> str:
    plies = len(state.moves)
    if plies == 0:
        return "The game was over before it began."
    return f"{counted(plies, 'move')}."


def position_sentence(position: Position) -> str:
    """ "Red to move, 14 discs." or how the game has ended."""
    sides = rules_of(position).sides
    outcome = position.outcome()
    if outcome is not None:
        return explain.outcome_sentence(outcome, sides)
    pieces = len(board_text(position).replace(".", ""))
    word = "disc" if rules_of(position).name == "connect4" else "piece"
    return f"{sides[position.side]} to move, {counted(pieces, word)}."


def counted(number: int, word: str) -> str:
    return f"{number} {word}{'' if number == 1 else 's'}"


def refusal(error: IllegalMoveError) -> tuple[str, str, list[Move]]:
    """Why a move was refused, the rule behind it, and the captures that must be played instead, if there are any."""
    position: Position = error.position
    jumps = [move for move in position.legal_moves() if rules_of(position).is_capture(move)]
    if not jumps:
        return sentence(error.reason), clipped(f"{error.move} is refused."), []
    texts = [position.format(move) for move in jumps]
    shown = " or ".join(texts) if len(texts) <= 4 else f"{', '.join(texts[:4])} or others"
    detail = f"{error.move} is refused: a capture is never optional."
    return clipped(f"You must capture: {shown}"), clipped(detail), jumps
