"""Make the JSON of a review."""

from __future__ import annotations

from typing import Any

from outplay import explain
from outplay.outcome import Side
from outplay.review import Answer, JudgedMove, Review, SideReview, Worth, coach
from outplay.review.task import MOST_MS
from outplay.store import SavedGame
from outplay.store.exporting import seat_titles
from outplay.web import board
from outplay.web.learn.view import line_views
from outplay.web.review import wire
from outplay.web.review.reviews import ReviewRun
from outplay.web.wire import SideNumber
from outplay.web.words import TITLE, clipped, sentence

MOST_LISTED = 64
MOST_SHOWN = 5
"""If a line has no marks, at most this many of its moves are played on the board."""


def review_view(saved: SavedGame, person: str, run: ReviewRun | None) -> wire.ReviewView:
    """Return the review as a person sees it: "you" is the side that the person plays."""
    plies, titles = len(saved.game.main_line()), seat_titles(saved)
    review = None if run is None or run.found is None else run.found.told(_voice(saved, person))
    whole = review if run is not None and run.is_over else None
    return wire.ReviewView(
        id=saved.id,
        status="none" if run is None else run.status,
        place=0 if run is None else run.place,
        done=0 if review is None else len(review.moves) + bool(review.headline),
        total=plies + 1,
        time_ms=0 if review is None else round(1000 * review.seconds),
        moves=[] if review is None else [_move_view(move) for move in review.moves],
        graph=[] if review is None else _graph(review),
        sides=[] if whole is None else [_side_view(side, titles) for side in whole.sides],
        turning_point=None if whole is None else _turning_point(whole),
        sentence="" if whole is None else _turning_sentence(whole),
        ranked=[] if whole is None else list(whole.ranked),
        message="" if run is None else run.message(MOST_MS),
    )


def _voice(saved: SavedGame, person: str, names: tuple[str, str] | None = None) -> explain.Voice:
    """Return the voice for a person: it says "you" to the side that this person plays, if it is exactly one."""
    mine = saved.sides_of(person)
    return explain.Voice(names or saved.game.rules.sides, mine[0] if len(mine) == 1 else None)


def coach_view(saved: SavedGame, person: str, run: ReviewRun | None) -> wire.CoachView:
    """Return the coach's words for a person. They are about the side of this person, otherwise about the loser."""
    plies, titles = len(saved.game.main_line()), seat_titles(saved)
    colours = saved.game.rules.sides
    first, second = (colour if title == "Human" else title for title, colour in zip(titles, colours, strict=True))
    voice = _voice(saved, person, (first, second))
    review = None if run is None else run.found
    done = 0 if review is None else len(review.moves)
    found = coach(review, _coached(saved, voice), saved.game.outcome(), voice) if _is_done(run) and review else None
    return wire.CoachView(
        id=saved.id,
        status="none" if run is None else run.status,
        done=done,
        total=plies,
        kind=None if found is None else found.kind,
        side=None if found is None else _side_number(found.side),
        is_mine=found is not None and found.side is voice.you,
        title="" if found is None else found.title,
        detail="" if found is None else found.detail,
        sentence=explain.looking_sentence(done, plies) if found is None else found.sentence,
        known=None if found is None or found.kind == "unsolved" else "solved" if found.is_proof else "estimate",
        ply=None if found is None else found.ply,
        **_before(saved, None if found is None else found.ply),
        sides=[] if review is None or found is None else [_side_view(side, titles) for side in review.sides],
    )


def _is_done(run: ReviewRun | None) -> bool:
    return run is not None and run.status == "done"


def _coached(saved: SavedGame, voice: explain.Voice) -> Side:
    outcome = saved.game.outcome()
    if voice.you is not None:
        return voice.you
    return Side.FIRST if outcome is None or outcome.winner is None else outcome.winner.other


def _side_number(side: Side) -> SideNumber:
    return 1 if side else 0


def _before(saved: SavedGame, ply: int | None) -> dict[str, Any]:
    """Return the position before a move as JSON, its legal moves, and the move that led to it."""
    if ply is None:
        return {"position": None, "legal": [], "last": None}
    nodes = saved.game.main_line()
    position = nodes[ply - 2].position if ply > 1 else saved.game.start
    earlier = nodes[ply - 3].position if ply > 2 else saved.game.start
    return {
        "position": board.position_view(position),
        "legal": board.legal_views(position),
        "last": board.move_view(earlier, nodes[ply - 2].move) if ply > 1 else None,
    }


def refutation_view(saved: SavedGame, ply: int, text: str) -> wire.RefutationView:
    """Return what is wrong with a move that is tried instead of the move at a ply."""
    earlier = saved.game.main_line()[: ply - 1]
    position = earlier[-1].position if earlier else saved.game.start
    reason = explain.refutation(position, position.parse(text), voice=explain.voice_of(position, position.side))
    line = reason.line[: reason.at if reason.marks else MOST_SHOWN]
    return wire.RefutationView(
        sentence=reason.text,
        line=line_views(position, explain.line_moves(position, line)),
        marks=board.mark_views(reason.marks),
    )


def answer_view(answer: Answer) -> wire.AnswerView:
    return wire.AnswerView(
        move=answer.move,
        label=answer.worth.label,
        verdict=answer.worth.verdict,
        is_good=answer.is_good,
        sentence=answer.sentence,
    )


def _move_view(move: JudgedMove) -> wire.JudgedMoveView:
    return wire.JudgedMoveView(
        ply=move.ply,
        side=1 if move.side else 0,
        move=move.move,
        grade=move.grade.value,
        grade_words=move.grade.words,
        sign=move.grade.sign,
        before=_worth_view(move.before),
        after=_worth_view(move.after),
        loss=round(move.loss, 4),
        sentence=move.sentence,
        better=list(move.better[:MOST_LISTED]),
        line=list(move.line[:MOST_LISTED]),
        answers=[answer_view(answer) for answer in move.answers],
        refutation=None if move.refutation is None else reason_view(move.refutation),
        missed=None if move.missed is None else reason_view(move.missed),
    )


def reason_view(reason: explain.MoveReason) -> wire.ReasonView:
    return wire.ReasonView.model_validate(reason.to_dict())


def _worth_view(worth: Worth) -> wire.JudgedScore:
    return wire.JudgedScore(
        label=worth.label,
        verdict=worth.verdict,
        known_by=worth.known_by,
        known=worth.known,
    )


def _graph(review: Review) -> list[wire.GraphPoint]:
    """Return the score before each judged move, and the score at the end."""
    points = [(move.ply - 1, move.gauge, move.headline) for move in review.moves]
    if review.headline:
        points.append((review.plies, review.gauge, review.headline))
    return [
        wire.GraphPoint(ply=ply, gauge=round(gauge, 4), sentence=sentence(headline)) for ply, gauge, headline in points
    ]


def _side_view(side: SideReview, titles: list[str]) -> wire.SideReviewView:
    return wire.SideReviewView(
        side=1 if side.side else 0,
        title=clipped(titles[side.side], TITLE),
        accuracy=None if side.accuracy is None else round(side.accuracy, 1),
        inaccuracies=side.inaccuracies,
        mistakes=side.mistakes,
        blunders=side.blunders,
        sentence=side.sentence,
    )


def _turning_point(review: Review) -> wire.TurningPointView | None:
    point = review.turning_point
    return None if point is None else wire.TurningPointView(ply=point.ply, sentence=point.sentence)


def _turning_sentence(review: Review) -> str:
    if review.turning_point is not None:
        return review.turning_point.sentence
    return explain.NO_TURN if review.is_complete else ""
