"""A game in progress in sentences: whose move it is, and how it ended."""

from __future__ import annotations

from outplay import explain
from outplay.live import LiveState
from outplay.outcome import Outcome, Reason
from outplay.rules import rules_of
from outplay.web.words import counted


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
