"""What an engine thinks, ready for the glass box."""

from __future__ import annotations

from outplay import explain, live
from outplay.engine.types import Line, Score
from outplay.outcome import Side
from outplay.players import Player
from outplay.rules import Position
from outplay.web import catalogue
from outplay.web.play import wire
from outplay.web.wire import MAX_PLIES, OpinionLine, Verdict
from outplay.web.words import TITLE, clipped

MOST_LINES = 64
MOST_MOVES = 12
MAN = 100
_HALF = {"connect4": 30.0, "checkers": float(MAN)}
"""The estimate that fills half a bar: about one good threat, or a man."""


def opinion_view(game: str, opinion: live.Opinion) -> wire.OpinionView:
    analysis, position = opinion.analysis, opinion.position
    lines = sorted(analysis.lines, key=lambda line: -line.score.value)[:MOST_LINES]
    best = lines[0].score
    liked = None if opinion.player.kind == "random" else position.format(opinion.liked)
    played = None if opinion.played is None else position.format(opinion.played)
    judged = () if opinion.player.kind == "random" else lines
    return wire.OpinionView(
        ply=opinion.ply,
        side=1 if opinion.side else 0,
        player=opinion.player.name,
        title=clipped(opinion.player.label, TITLE),
        lines=[_judged(game, opinion.player, position, line) for line in judged],
        liked=liked,
        played=played,
        known_by=best.known_by,
        depth=min(1000, max(0, analysis.depth)),
        nodes=min(2**53, max(0, analysis.nodes)),
        time_ms=min(24 * 3600 * 1000, round(1000 * analysis.seconds)),
        verdict=explain.score_sentence(position, best) if best.is_proof else "",
        remark=_remark(opinion.player, game, liked, played),
    )


def no_opinion(player: Player, side: Side, ply: int) -> wire.OpinionView:
    """The opinion of a search that has not found anything yet."""
    return wire.OpinionView(
        ply=ply,
        side=1 if side else 0,
        player=player.name,
        title=clipped(player.label, TITLE),
        lines=[],
        depth=0,
        nodes=0,
        time_ms=0,
    )


def _judged(game: str, player: Player, position: Position, line: Line) -> OpinionLine:
    return line_view(game, position, line, _label(game, player, line.score), _verdict(line.score))


def line_view(game: str, position: Position, line: Line, label: str, verdict: Verdict) -> OpinionLine:
    score = line.score
    ends_in = None if score.plies is None or score.value == 0 else explain.own_moves(score.plies)
    return OpinionLine(
        move=position.format(line.move),
        label=clipped(label, 24),
        bar=_bar(game, score),
        verdict=verdict,
        ends_in=None if ends_in is None else min(ends_in, MAX_PLIES),
        known_by=score.known_by,
        moves=explain.line_text(position, line.moves, most=MOST_MOVES).removesuffix(" ...").split(),
    )


def _label(game: str, player: Player, score: Score) -> str:
    """The estimates of the levels of checkers are hundredths of a man; those of the lab are in units of their own."""
    if game == "checkers" and player.kind == "level" and not _is_certain(score):
        return f"{score.value / MAN:+.2f}" if score.value else "0"
    return explain.score_label(score)


def _is_certain(score: Score) -> bool:
    return score.plies is not None or score.is_proof


def _verdict(score: Score) -> Verdict:
    if not _is_certain(score):
        return "unclear"
    return "win" if score.value > 0 else "loss" if score.value < 0 else "draw"


def _bar(game: str, score: Score) -> float:
    value = float(score.value)
    if _is_certain(score):
        return 1.0 if value > 0 else -1.0 if value < 0 else 0.0
    return round(value / (abs(value) + _HALF[game]), 4)


def _remark(player: Player, game: str, liked: str | None, played: str | None) -> str:
    if liked is None or played is None or liked == played:
        return ""
    info = catalogue.seatable(game).get(player.name)
    level = "" if info is None or info.level is None else f": level {info.level} slips"
    return f"I liked {liked} best, but played {played}{level}."
