"""Games judged move by move."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Request

from outplay.store import SavedGame
from outplay.web import wire
from outplay.web.jobs import Job
from outplay.web.library import seat_titles
from outplay.web.marks import review_view
from outplay.web.reviews import Reviews
from outplay.web.routes.desk import ERRORS, TheVisit

router = APIRouter(prefix="/games/{id}/review", responses=ERRORS)


async def _reviews(request: Request) -> Reviews:
    reviews: Reviews = request.app.state.reviews
    return reviews


TheReviews = Annotated[Reviews, Depends(_reviews)]


@router.get("")
def one_review(visit: TheVisit, reviews: TheReviews) -> wire.ReviewView:
    """The review of a game, as far as it has come; `none` if nobody has asked for it."""
    saved = visit.games.saved(visit.game_id)
    return _view(saved, reviews.find(saved.id, saved.game))


@router.post("")
def begin_review(visit: TheVisit, request: wire.ReviewRequest, reviews: TheReviews) -> wire.ReviewView:
    """Judge the moves that were played. A game is judged once; after further moves, anew."""
    saved = visit.games.saved(visit.game_id)
    return _view(saved, reviews.begin(saved.id, saved.game, request.time_ms, visit.client))


@router.post("/stop")
def stop_review(visit: TheVisit, request: wire.StopRequest, reviews: TheReviews) -> wire.ReviewView:
    """End a review; what it has found so far stays."""
    saved = visit.games.saved(visit.game_id)
    job = reviews.find(saved.id, saved.game)
    if job is not None and not job.is_over:
        job.stop()
    return _view(saved, job)


def _view(saved: SavedGame, job: Job | None) -> wire.ReviewView:
    return review_view(saved.id, len(saved.game.main_line()), seat_titles(saved), job)
