"""A review as the page sees it."""

from __future__ import annotations

from typing import cast

from outplay.review import Answer, JudgedMove, Puzzle, Review, SideReview, Worth
from outplay.rules import RULES
from outplay.web import boards, wire
from outplay.web.collector import Collected, Collector, Source
from outplay.web.errors import job_message
from outplay.web.jobs import Job
from outplay.web.reviewer import Reviewed
from outplay.web.reviews import MOST_MS
from outplay.web.words import LABEL, TITLE, WORD, clipped, sentence

MOST_LISTED = 64


def review_view(game_id: str, plies: int, titles: list[str], job: Job | None) -> wire.ReviewView:
    found = None if job is None else job.found
    review = found.review if isinstance(found, Reviewed) else None
    whole = review if job is not None and job.is_over else None
    return wire.ReviewView(
        id=game_id,
        status="none" if job is None else job.status,
        place=0 if job is None else job.place,
        done=0 if review is None else min(len(review.moves) + bool(review.headline), wire.MAX_PLIES),
        total=min(plies, wire.MAX_PLIES) + 1,
        time_ms=0 if review is None else min(24 * 3600 * 1000, round(1000 * review.seconds)),
        moves=[] if review is None else [_move_view(move) for move in review.moves],
        graph=[] if review is None else _graph(review),
        sides=[] if whole is None else [_side_view(side, titles) for side in whole.sides],
        turning_point=None if whole is None else _turning_point(whole),
        message="" if job is None else job_message(job, MOST_MS),
    )


def puzzle_run_view(job: Job) -> wire.PuzzleRun:
    found = job.found if isinstance(job.found, Collected) else None
    recipe = cast(Collector, job.recipe)
    puzzles = () if found is None else found.puzzles
    return wire.PuzzleRun(
        id=job.id,
        status=job.status,
        place=job.place,
        done=0 if found is None else found.done,
        total=len(recipe.sources),
        puzzles=[_puzzle_view(source, puzzle) for source, puzzle in puzzles],
        message=_puzzle_message(job, len(puzzles)),
    )


def _puzzle_view(source: Source, puzzle: Puzzle) -> wire.Puzzle:
    position = RULES[puzzle.game].read(puzzle.position)
    return wire.Puzzle(
        game=boards.game_name(position),
        position=boards.position_view(position),
        legal=boards.legal_views(position),
        goal=puzzle.sentence,
        answers=[answer_view(answer) for answer in puzzle.answers[:256]],
        line=list(puzzle.line[:MOST_LISTED]),
        known=clipped(puzzle.known, WORD),
        source=source.game_id,
        ply=puzzle.ply,
        played=puzzle.played,
        title=clipped(source.title, TITLE),
    )


def _puzzle_message(job: Job, count: int) -> str:
    if job.status == "done" and not count:
        return "No puzzles: nobody has thrown a proven result away in these games."
    if job.status == "stopped" and not job.was_stopped_by_hand:
        return ""  # it had its time; what was found is enough
    return job_message(job)


def answer_view(answer: Answer) -> wire.AnswerView:
    return wire.AnswerView(
        move=answer.move,
        label=clipped(answer.worth.label, LABEL),
        verdict=answer.worth.verdict,
        is_good=answer.is_good,
        sentence=clipped(answer.sentence),
    )


def _move_view(move: JudgedMove) -> wire.JudgedMove:
    return wire.JudgedMove(
        ply=move.ply,
        side=1 if move.side else 0,
        move=move.move,
        grade=move.grade.value,
        sign=move.grade.sign,
        before=_worth_view(move.before),
        after=_worth_view(move.after),
        loss=round(move.loss, 4),
        sentence=clipped(move.sentence),
        better=list(move.better[:MOST_LISTED]),
        line=list(move.line[:MOST_LISTED]),
        answers=[answer_view(answer) for answer in move.answers[:256]],
    )


def _worth_view(worth: Worth) -> wire.JudgedScore:
    return wire.JudgedScore(
        label=clipped(worth.label, LABEL),
        verdict=worth.verdict,
        known_by=worth.known_by,
        known=clipped(worth.known, WORD),
    )


def _graph(review: Review) -> list[wire.GraphPoint]:
    """The score before each move that is judged, and at the end."""
    points = [(move.ply - 1, move.gauge, move.headline) for move in review.moves]
    if review.headline:
        points.append((review.plies, review.gauge, review.headline))
    return [
        wire.GraphPoint(ply=ply, gauge=round(gauge, 4), sentence=sentence(headline)) for ply, gauge, headline in points
    ]


def _side_view(side: SideReview, titles: list[str]) -> wire.SideReview:
    return wire.SideReview(
        side=1 if side.side else 0,
        title=clipped(titles[side.side], TITLE),
        accuracy=None if side.accuracy is None else round(side.accuracy, 1),
        inaccuracies=side.inaccuracies,
        mistakes=side.mistakes,
        blunders=side.blunders,
        sentence=side.sentence,
    )


def _turning_point(review: Review) -> wire.TurningPoint | None:
    point = review.turning_point
    return None if point is None else wire.TurningPoint(ply=point.ply, sentence=clipped(point.sentence))
