"""Reviews: games judged move by move."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Request

from outplay.store import SavedGame
from outplay.web.catalogue import seat_titles
from outplay.web.dependencies import ERRORS, TheGame
from outplay.web.review import wire
from outplay.web.review.reviews import ReviewRun, Reviews
from outplay.web.review.view import review_view
from outplay.web.wire import StopRequest

router = APIRouter(prefix="/games/{id}/review", responses=ERRORS)


async def _reviews(request: Request) -> Reviews:
    reviews: Reviews = request.app.state.reviews
    return reviews


TheReviews = Annotated[Reviews, Depends(_reviews)]


@router.get("")
def one_review(asked: TheGame, reviews: TheReviews) -> wire.ReviewView:
    """Return the review of a game so far; status `none` if it was not requested."""
    saved = asked.saved()
    return _view(saved, reviews.find(saved.id, saved.game))


@router.post("")
def begin_review(asked: TheGame, request: wire.ReviewRequest, reviews: TheReviews) -> wire.ReviewView:
    """Review the moves that were played. If they have a review already, return that one."""
    saved = asked.check_mine()
    return _view(saved, reviews.begin(saved.id, saved.game, request.time_ms, asked.client))


@router.post("/stop")
def stop_review(asked: TheGame, request: StopRequest, reviews: TheReviews) -> wire.ReviewView:
    """End a review; what it has found so far is kept."""
    saved = asked.check_mine()
    run = reviews.find(saved.id, saved.game)
    if run is not None and not run.is_over:
        run.stop()
    return _view(saved, run)


def _view(saved: SavedGame, run: ReviewRun | None) -> wire.ReviewView:
    return review_view(saved.id, len(saved.game.main_line()), seat_titles(saved), run)
