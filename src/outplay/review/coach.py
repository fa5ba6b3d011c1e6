"""The coach: one sentence after a game, about the one move that is worth another try."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from outplay.explain import Verdict, Voice
from outplay.explain.voice import does, first_who, first_whose, who
from outplay.outcome import Outcome, Reason, Side
from outplay.review.types import GLYPHS, Grade, JudgedMove, Review, Worth

CoachKind = Literal["miss", "faster", "clean", "unsolved"]
AHEAD, LEVEL = 0.7, 0.4
"""By an estimate, a side is "better" if its chance is at least the first number, "level" if at least the second."""
AT_ONCE = 2
"""The plies from a move to the end of the game, if the other side wins with its next move."""
NOT_SOLVED = "not solved"


@dataclass(frozen=True, slots=True)
class Coach:
    """What to say to a side after its game."""

    kind: CoachKind
    """`miss`: a result was given away; `faster`: the game was won, but later than possible; `clean`: neither;
    `unsolved`: neither is known, because some moves could not be judged."""
    side: Side
    title: str
    """The headline: "You had a win on move 9", "The fastest win was on move 17", "No chance missed"."""
    detail: str
    """The sentence below: "A win in 2. You played column 5." It does not name the better move."""
    sentence: str
    """The whole message: "You lost on move 14. You had a win on move 9"."""
    ply: int | None = None
    """The move worth another try, from 1; None if there is none, as after a resignation in a won position."""
    is_proof: bool = True
    """False if what is said rests on an estimate."""


def coach(review: Review, side: Side, outcome: Outcome | None, voice: Voice) -> Coach:
    """Return what to say to a side about a complete review. `outcome` is how the game ended, None if it goes on."""
    own = [move for move in review.moves if move.side is side]
    is_won = outcome is not None and outcome.winner is side
    faster = _faster(own, review.plies) if is_won else None
    miss = None if is_won else _miss([*_chances(own), *_last_chance(review, side, outcome)])
    ply, is_proof = None, _is_proof(review, own)
    kind: CoachKind = "clean"
    if faster is not None:
        kind, title, ply, is_proof = "faster", f"The fastest win was on move {_end_ply(faster)}", faster.ply, True
        detail = f"{_worth(faster.before)}. {_played(review, faster)}"
    elif miss is not None:
        kind, is_proof = "miss", miss.before.verdict != "unclear" or _gave_block(miss)
        title, done = _title(side, miss), _gave_up(side, outcome) if miss.move is None else _played(review, miss.move)
        detail = f"{f'{first_who(side.other)} threatened to win' if _gave_block(miss) else _worth(miss.before)}. {done}"
        ply = miss.move.ply if miss.move is not None and miss.move.grade.is_flaw else None  # others have no answers
    elif unsolved := _unsolved(review, own):
        kind, title, detail = "unsolved", "Not solved", unsolved
    else:
        title, detail = _clean(review, side, is_won=is_won, is_drawn=outcome is not None and outcome.is_draw)
    more = "" if kind in ("miss", "faster") else f": {detail}"
    sentence = f"{_ended(review, side, outcome)}{title}{more}."
    title, detail, sentence = map(voice.tell, (title, f"{_capital(detail)}.", sentence))
    return Coach(kind, side, title, detail, sentence, ply, is_proof)


def _ended(review: Review, side: Side, outcome: Outcome | None) -> str:
    """Return how the game ended for a side: "You lost on move 14. "."""
    if outcome is None:
        return ""
    done = "drew" if outcome.winner is None else "won" if outcome.winner is side else "lost"
    return f"{first_who(side)} {done} {f'on move {review.plies}' if review.plies else 'before the first move'}. "


@dataclass(frozen=True, slots=True)
class _Chance:
    """What a side had, and what it had after its move, or after it gave up (`move` is None)."""

    before: Worth
    after: Worth
    move: JudgedMove | None


def _chances(own: Sequence[JudgedMove]) -> list[_Chance]:
    is_open = {Grade.UNKNOWN, *GLYPHS}
    return [_Chance(move.before, move.after, move) for move in own if move.grade in is_open]


def _last_chance(review: Review, side: Side, outcome: Outcome | None) -> list[_Chance]:
    """Return a list with one chance: what the last position was worth to a side, and the result of the game.

    The two differ if the side gave up. The list is empty if the game is not over or its end was not judged.
    """
    if outcome is None or review.ends is None:
        return []
    verdict: Verdict = "draw" if outcome.winner is None else "loss"
    return [_Chance(review.ends[side], Worth(verdict, verdict, outcome.is_draw / 2, "solved", ""), None)]


def _miss(chances: Sequence[_Chance]) -> _Chance | None:
    """Return the last missed win; if none, the last missed draw, block, estimated lead or balance, in this order."""
    for is_given in (_gave_win, _gave_draw, _gave_block, _gave_lead, _gave_level):
        found = [chance for chance in chances if is_given(chance)]
        if found:
            return found[-1]
    return None


def _gave_win(given: _Chance) -> bool:
    return given.before.verdict == "win" != given.after.verdict


def _gave_draw(given: _Chance) -> bool:
    return given.before.verdict == "draw" and given.after.verdict == "loss"


def _gave_block(given: _Chance) -> bool:
    """Return whether the other side could win at once after a move from a position that is not solved."""
    return given.before.label == NOT_SOLVED and given.after.verdict == "loss" and given.after.plies == AT_ONCE


def _gave_lead(given: _Chance) -> bool:
    return _is_estimate(given.before) and given.before.chance >= AHEAD > given.after.chance


def _gave_level(given: _Chance) -> bool:
    return _is_estimate(given.before) and given.before.chance >= LEVEL > given.after.chance


def _is_estimate(worth: Worth) -> bool:
    return worth.verdict == "unclear" and worth.label != NOT_SOLVED


def _title(side: Side, miss: _Chance) -> str:
    """Return what a side had: "You had a win on move 9", "You were better at the end"."""
    when = "at the end" if miss.move is None else f"on move {miss.move.ply}"
    if _gave_block(miss):
        return f"{first_who(side)} did not block {when}"
    if miss.before.verdict in ("win", "draw"):
        return f"{first_who(side)} had a {miss.before.verdict} {when}"
    stood = "better" if miss.before.chance >= AHEAD else "level"
    return f"{first_who(side)} {does(side, 'was', 'were')} {stood} {when}"


def _played(review: Review, move: JudgedMove) -> str:
    name = f"column {move.move}" if review.game == "connect4" else move.move
    return f"{first_who(move.side)} played {name}"


def _gave_up(side: Side, outcome: Outcome | None) -> str:
    """Return how a side gave up what it had: "You resigned"."""
    assert outcome is not None
    match outcome.reason:
        case Reason.RESIGNATION:
            return f"{first_who(side)} resigned"
        case Reason.TIME:
            return f"{first_whose(side)} time ran out"
        case Reason.AGREEMENT:
            return f"{first_who(side)} agreed to a draw"
    return f"The game ended by {outcome.reason}"


def _worth(worth: Worth) -> str:
    """Return what a position was worth: "A win in 2", "A draw", "+1.20"."""
    label = worth.label.lstrip("+= ") if worth.verdict != "unclear" else f"estimate {worth.label}"
    return _capital(f"a {label}" if worth.verdict in ("win", "draw") else label)


def _faster(own: Sequence[JudgedMove], plies: int) -> JudgedMove | None:
    """Return the move at which the fastest win was missed, if the game was won later than that win."""
    won = [(end, move) for move in own if move.grade.is_flaw and (end := _end_ply(move)) is not None and end < plies]
    fastest = min((end for end, _ in won), default=None)
    return next((move for end, move in reversed(won) if end == fastest), None)


def _end_ply(move: JudgedMove) -> int | None:
    """Return the ply at which the fastest win before this move would have ended the game; None if no win is known."""
    return None if move.before.plies is None or move.before.verdict != "win" else move.ply - 1 + move.before.plies


def _clean(review: Review, side: Side, *, is_won: bool, is_drawn: bool) -> tuple[str, str]:
    """Return the words about a game in which a side gave nothing away."""
    title, other = "No chance missed", side.other
    since = _won_since(review, other)
    if is_won:
        return title, f"there was no faster win for {who(side)}"
    if is_drawn and any(move.side is side and move.after.verdict == "win" for move in review.moves[-2:]):
        return title, f"{who(side)} still had a win at the end"
    if is_drawn or since is None:
        return title, f"there was no win for {who(side)}" if is_drawn else "no move gave the result away"
    return title, f"{who(other)} had a win from move {since}"


def _won_since(review: Review, side: Side) -> int | None:
    """Return the ply of a side's first move in a win that it kept to the end; None if it had no win at the end."""
    since = None
    for move in reversed(review.moves):
        if move.before.verdict != ("win" if move.side is side else "loss"):
            break
        if move.side is side:
            since = move.ply
    return since


def _unsolved(review: Review, own: Sequence[JudgedMove]) -> str:
    """Say what could not be judged; empty if everything was."""
    unjudged = sum(move.grade is Grade.UNKNOWN for move in own)
    if unjudged:
        return f"{unjudged} of {len(own)} moves could not be judged"
    return "the last position is too hard to solve" if review.ends and review.ends[0].label == NOT_SOLVED else ""


def _is_proof(review: Review, own: Sequence[JudgedMove]) -> bool:
    worths = [*(move.before for move in own), *(review.ends or ())]
    return bool(worths) and all(worth.verdict != "unclear" for worth in worths)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
