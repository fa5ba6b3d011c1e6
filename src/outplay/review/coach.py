"""The coach: one sentence after a game, about the one move that is worth another try."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from outplay.explain import Voice
from outplay.explain.voice import does, first_who, who
from outplay.outcome import Outcome, Side
from outplay.review.types import JudgedMove, Review

AHEAD, LEVEL = 0.7, 0.4
"""The least chance of a side that is called better, and of one that is called level, in an estimate."""


@dataclass(frozen=True, slots=True)
class Coach:
    """What to say to a side after its game."""

    kind: Literal["miss", "faster", "clean"]
    """`miss`: a result was given away; `faster`: it was won, but later than possible; `clean`: neither."""
    side: Side
    title: str
    """ "You had a win on move 9", "The fastest win was on move 17", "No chance missed"."""
    detail: str
    """ "A win in 2. You played column 5." It does not name the better move."""
    sentence: str
    """ "You lost on move 14. You had a win on move 9." """
    ply: int | None = None
    """The move worth another try, from 1; None if there is none."""
    is_proof: bool = True
    """False if it is an estimate."""


def coach(review: Review, side: Side, outcome: Outcome | None, voice: Voice) -> Coach:
    """Return what to say to a side about a complete review. `outcome` is how the game ended, None if it goes on."""
    ended = _ended(review, side, outcome)
    own = [move for move in review.moves if move.side is side]
    is_won = outcome is not None and outcome.winner is side
    miss = _faster(own, review.plies) if is_won else _miss(own)
    if miss is None:
        title, detail = _clean(review, side, is_won=is_won, is_drawn=outcome is not None and outcome.is_draw)
        title, detail, sentence = map(voice.tell, (title, detail, f"{ended}{title}: {detail}."))
        return Coach("clean", side, title, sentence=sentence, detail=f"{_capital(detail)}.", is_proof=_is_proof(own))
    kind: Literal["miss", "faster"] = "faster" if is_won else "miss"
    title = f"The fastest win was on move {_end_ply(miss)}" if is_won else _chance(miss)
    name = f"column {miss.move}" if review.game == "connect4" else miss.move
    detail = f"{_worth(miss)}. {first_who(side)} played {name}."
    title, detail, sentence = map(voice.tell, (title, detail, f"{ended}{title}."))
    return Coach(kind, side, title, detail, sentence, miss.ply, miss.before.verdict != "unclear")


def _ended(review: Review, side: Side, outcome: Outcome | None) -> str:
    """Return how the game ended for a side: "You lost on move 14. "."""
    if outcome is None:
        return ""
    if outcome.winner is None:
        return f"{first_who(side)} drew on move {review.plies}. "
    done = "won" if outcome.winner is side else "lost"
    return f"{first_who(side)} {done} on move {review.plies}. "


def _miss(own: Sequence[JudgedMove]) -> JudgedMove | None:
    """Return the last move that gave a win away, else the last that gave a draw away; else the same by estimate."""
    for is_given in (_gave_win, _gave_draw, _gave_lead, _gave_level):
        found = [move for move in own if is_given(move)]
        if found:
            return found[-1]
    return None


def _gave_win(move: JudgedMove) -> bool:
    return move.before.verdict == "win" != move.after.verdict and move.grade.is_flaw


def _gave_draw(move: JudgedMove) -> bool:
    return move.before.verdict == "draw" and move.after.verdict == "loss" and move.grade.is_flaw


def _gave_lead(move: JudgedMove) -> bool:
    return move.before.verdict == "unclear" and move.before.chance >= AHEAD > move.after.chance and move.grade.is_flaw


def _gave_level(move: JudgedMove) -> bool:
    return move.before.verdict == "unclear" and move.before.chance >= LEVEL > move.after.chance and move.grade.is_flaw


def _chance(move: JudgedMove) -> str:
    """Return what a side had: "You had a win on move 9", "You were better on move 31"."""
    side, on = move.side, f"on move {move.ply}"
    if move.before.verdict in ("win", "draw"):
        return f"{first_who(side)} had a {move.before.verdict} {on}"
    stood = "better" if move.before.chance >= AHEAD else "level"
    return f"{first_who(side)} {does(side, 'was', 'were')} {stood} {on}"


def _worth(move: JudgedMove) -> str:
    """Return what the position was worth: "A win in 2", "A draw", "+1.20"."""
    label = move.before.label.lstrip("+= ") if move.before.verdict != "unclear" else f"estimate {move.before.label}"
    return _capital(f"a {label}" if move.before.verdict in ("win", "draw") else label)


def _faster(own: Sequence[JudgedMove], plies: int) -> JudgedMove | None:
    """Return the move before the fastest win that was not taken, if the game was won later than that."""
    won = [(end, move) for move in own if move.grade.is_flaw and (end := _end_ply(move)) is not None and end < plies]
    fastest = min((end for end, _ in won), default=None)
    return next((move for end, move in reversed(won) if end == fastest), None)


def _end_ply(move: JudgedMove) -> int | None:
    """Return the number of the last move of the fastest win before a move; None if there is none that is known."""
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
    """Return the first own move since which a side has had a win all the time."""
    since = None
    for move in reversed(review.moves):
        if move.before.verdict != ("win" if move.side is side else "loss"):
            break
        if move.side is side:
            since = move.ply
    return since


def _is_proof(own: Sequence[JudgedMove]) -> bool:
    return all(move.before.verdict != "unclear" for move in own)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
