"""Sentences about a game in progress: the last move, whose turn it is, the outcome, an engine's remark."""

from __future__ import annotations

from outplay import explain
from outplay.live.catalogue import seatable
from outplay.live.state import LiveState, Opinion
from outplay.outcome import Outcome, Reason, Side
from outplay.rules import is_crowned, rules_of


def seat_title(state: LiveState, side: Side, name: str = "") -> str:
    """Return the title of a seat: "You" for the only human, otherwise a human's name or side, or the engine's title."""
    player = state.seats[side]
    rules = rules_of(state.position)
    if not player.is_human:
        card = seatable(rules.name).get(player.name)
        return player.label if card is None else card.title
    humans = sum(seat.is_human for seat in state.seats)
    return "You" if humans == 1 else name or rules.sides[side]


def state_sentence(state: LiveState, titles: tuple[str, str]) -> str:
    """Return the last move and whose turn it is: "Yellow, column 2. Your move." """
    if state.outcome is not None:
        return told_outcome(state, titles, Side(titles.index("You"))) if "You" in titles else outcome_sentence(state)
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
    crowned = ", crowned" if is_crowned(before, state.moves[-1], state.position) else ""
    return f"{side}, {rules_of(before).move_name(before, state.moves[-1])}{crowned}. "


def outcome_sentence(state: LiveState) -> str:
    """Describe the outcome: "Red wins with column 3: four on a diagonal." """
    outcome = state.outcome
    assert outcome is not None
    sides = rules_of(state.position).sides
    if outcome.reason is not Reason.FOUR_IN_A_ROW or outcome.winner is None:
        return explain.outcome_sentence(outcome, sides)
    move = f" with column {state.texts[-1]}" if state.moves else ""
    return f"{sides[outcome.winner]} wins{move}: {_fours(outcome)}."


def told_outcome(state: LiveState, titles: tuple[str, str], you: Side) -> str:
    """Tell the player of a side how the game ended: "You lost on move 14: four in a row." """
    outcome = state.outcome
    assert outcome is not None
    ended = "drew" if outcome.winner is None else "won" if outcome.winner is you else "lost"
    on = f" on move {len(state.moves)}" if state.moves else ""
    is_four = outcome.reason is Reason.FOUR_IN_A_ROW
    why = _fours(outcome) if is_four else explain.outcome_reason(outcome, explain.Voice(titles, you))
    return f"You {ended}{on}: {why}."


def _fours(outcome: Outcome) -> str:
    if len(outcome.lines) != 1:
        return "more than one line of four"
    (row, column), (next_row, next_column) = outcome.lines[0][:2]
    if row == next_row:
        return "four in a row"
    return "four in a column" if column == next_column else "four on a diagonal"


def remark(opinion: Opinion) -> str:
    """Return a sentence if the player liked another move better than the one it played; otherwise an empty string."""
    if opinion.player.kind == "random" or opinion.played is None or opinion.liked == opinion.played:
        return ""
    position = opinion.position
    card = seatable(rules_of(position).name).get(opinion.player.name)
    level = "" if card is None or card.level is None else f": level {card.level} makes mistakes"
    return f"I liked {position.format(opinion.liked)} best, but played {position.format(opinion.played)}{level}."
