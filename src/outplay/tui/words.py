"""Numbers, times and moves as the panels write them: the same words as in the web app."""

from __future__ import annotations

from math import log

from outplay.explain import Refusal
from outplay.live import LiveState, Opinion
from outplay.live.words import remark
from outplay.outcome import Side
from outplay.rules import rules_of

SLOWEST_MS, QUICKEST_MS, PACE_STEPS = 10_000, 50, 10
"""The slider from turbo to slow: each step multiplies the time by the same factor."""


def about(count: int) -> str:
    """Return a text for a number that changes quickly: 1204 as "1,204", 1234567 as "1.2 M"."""
    if count < 100_000:
        return f"{count:,}"
    if count < 1_000_000:
        return f"{count // 1000} k"
    return f"{count / 1_000_000:.1f} M" if count < 1_000_000_000 else f"{count / 1_000_000_000:.1f} G"


def time_text(seconds: float) -> str:
    if seconds < 0.001:
        return "under 1 ms"
    return f"{seconds * 1000:.0f} ms" if seconds < 1 else f"{seconds:.1f} s"


def clock_text(left_ms: float) -> str:
    """Return minutes and seconds, with tenths below 20 seconds."""
    left = max(0.0, left_ms) / 1000
    if left < 20:
        return f"0:{left:04.1f}"
    return f"{int(left // 60)}:{int(left % 60):02}"


def pace_step(time_ms: int) -> int:
    """Return the place of a thinking time on the slider, from 0 (turbo) to PACE_STEPS (slow)."""
    if time_ms < QUICKEST_MS:
        return 0
    share = log(time_ms / QUICKEST_MS) / log(SLOWEST_MS / QUICKEST_MS)
    return max(1, min(PACE_STEPS, round(share * PACE_STEPS)))


def pace_time(step: int) -> int:
    """Return the thinking time for a place on the slider, rounded to two digits; 0 for turbo."""
    if step <= 0:
        return 0
    return int(float(f"{QUICKEST_MS * (SLOWEST_MS / QUICKEST_MS) ** (min(step, PACE_STEPS) / PACE_STEPS):.2g}"))


def pace_text(time_ms: int) -> str:
    """Return the slider as text: "turbo ━━━●───────  slow  0.4 s"."""
    step = pace_step(time_ms)
    shown = "turbo" if time_ms <= 0 else f"{time_ms / 1000:.2g} s"
    return f"turbo {'━' * step}●{'─' * (PACE_STEPS - step)} slow  {shown}"


def count_sentence(opinion: Opinion) -> str:
    """Return a sentence such as "I looked at 1,204 positions in 3 ms, depth 6."."""
    analysis = opinion.analysis
    depth = f", depth {analysis.depth}" if analysis.depth else ""
    noun = "position" if analysis.nodes == 1 else "positions"
    return f"I looked at {about(analysis.nodes)} {noun} in {time_text(analysis.seconds)}{depth}."


def remark_sentence(opinion: Opinion, state: LiveState) -> str:
    """Return a sentence such as "I expect your 7, then my 7.", or the player's own remark."""
    said = remark(opinion)
    line = next((line for line in opinion.analysis.lines if line.move == opinion.played), None)
    if said or line is None or len(line.moves) < 2:
        return said
    position, texts = opinion.position, list[str]()
    for move in line.moves[:3]:
        if move not in position.legal_moves():
            break
        texts.append(position.format(move))
        position = position.play(move)
    other = state.seats[opinion.side.other]
    whose = "your" if other.is_human else f"{other.label}'s"
    if len(texts) < 2:
        return ""
    return f"I expect {whose} {texts[1]}, then my {texts[2]}." if len(texts) > 2 else f"I expect {whose} {texts[1]}."


def thinking_text(state: LiveState) -> str:
    """Say what the engine to move does: "Depth 9, 1.2 M positions", "Starting", "Place 2 in the queue"."""
    if state.queue_place:
        return f"Place {state.queue_place} in the queue"
    if state.thinking is None:
        return "Starting"
    analysis = state.thinking.analysis
    depth = f"Depth {analysis.depth}, " if analysis.depth else ""
    return f"{depth}{about(analysis.nodes)} positions"


def refusal_text(found: Refusal) -> str:
    """Return why a move was refused, and the rule, as two sentences."""
    return f"{found.message.removesuffix('.')}. {found.detail}"


def sign_of(game: str, side: Side) -> str:
    """Return a piece in one character: full for the first side, hollow for the second, in both games."""
    return "○" if side else "●"


def side_colour(game: str, side: Side) -> str:
    """Return the name of a side's colour among the board's colours."""
    return ("red-rim", "yellow")[side] if game == "connect4" else "control"


def numbered(state: LiveState) -> list[tuple[int, str]]:
    """Return the moves with their plies, from 1."""
    return list(enumerate(state.texts, 1))


def side_name(state: LiveState, side: Side) -> str:
    return rules_of(state.position).sides[side]


def question(state: LiveState) -> str:
    """Return the question that waits for an answer, or what can be done, with the keys; empty if there is nothing."""
    if state.draw_offer is not None:
        return f"{side_name(state, state.draw_offer)} offers a draw: D accepts, Esc declines."
    if state.status == "failed" and state.failure is not None:
        return f"{state.failure.message} r tries again, s chooses another player."
    if state.status == "over":
        return "n rematch, N new, v review, l analyse."
    if state.status == "paused":
        return "p goes on, . plays one move."
    return ""
