"""Make the JSON of a review."""

from __future__ import annotations

from outplay import explain
from outplay.review import Answer, JudgedMove, Review, SideReview, Worth
from outplay.review.task import MOST_MS
from outplay.web.review import wire
from outplay.web.review.reviews import ReviewRun
from outplay.web.words import TITLE, clipped, sentence

MOST_LISTED = 64


def review_view(game_id: str, plies: int, titles: list[str], run: ReviewRun | None) -> wire.ReviewView:
    review = None if run is None else run.found
    whole = review if run is not None and run.is_over else None
    return wire.ReviewView(
        id=game_id,
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
        message="" if run is None else run.message(MOST_MS),
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
    )


def _worth_view(worth: Worth) -> wire.JudgedScore:
    return wire.JudgedScore(
        label=worth.label,
        verdict=worth.verdict,
        known_by=worth.known_by,
        known=worth.known,
    )


def _graph(review: Review) -> list[wire.GraphPoint]:
    """Return the score before each judged move, and at the end."""
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
