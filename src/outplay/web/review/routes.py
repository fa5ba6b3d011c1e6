"""Reviews: games judged move by move."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial
from typing import Annotated

from fastapi import APIRouter, Depends, Request

from outplay.store import SavedGame
from outplay.store.exporting import seat_titles
from outplay.web.dependencies import ERRORS, TheGame, TheLanes
from outplay.web.http.lanes import Check
from outplay.web.play.rights import Rights
from outplay.web.review import wire
from outplay.web.review.reviews import ReviewRun, Reviews
from outplay.web.review.view import review_view
from outplay.web.wire import StopRequest

router = APIRouter(prefix="/games/{id}/review", responses=ERRORS)


async def _reviews(request: Request) -> Reviews:
    reviews: Reviews = request.app.state.reviews
    return reviews


TheReviews = Annotated[Reviews, Depends(_reviews)]
InLane = Callable[[Callable[[SavedGame], ReviewRun | None]], Awaitable[wire.ReviewView]]


async def _lane(request: Request, asked: TheGame, lanes: TheLanes) -> InLane:
    """Return a function that finds the review of a saved game, in the lane of reviews."""

    def viewed(find: Callable[[SavedGame], ReviewRun | None], check: Check) -> wire.ReviewView:
        saved = asked.saved()
        check()
        return _view(saved, find(saved))

    return lambda find: lanes.reviews.run(asked.client, request.receive, partial(viewed, find))


TheLane = Annotated[InLane, Depends(_lane)]


@router.get("")
async def one_review(asked: TheGame, reviews: TheReviews, lane: TheLane) -> wire.ReviewView:
    """Return the review of a game so far; status `none` if it was not requested."""
    return await lane(lambda saved: reviews.find(saved.id, saved.game))


@router.post("")
async def begin_review(
    asked: TheGame, request: wire.ReviewRequest, reviews: TheReviews, lane: TheLane
) -> wire.ReviewView:
    """Review the moves that were played. If they have a review already, return that one."""

    def begun(saved: SavedGame) -> ReviewRun | None:
        Rights(saved, asked.person).check_player()
        return reviews.begin(saved.id, saved.game, request.time_ms, asked.client)

    return await lane(begun)


@router.post("/stop")
async def stop_review(asked: TheGame, request: StopRequest, reviews: TheReviews, lane: TheLane) -> wire.ReviewView:
    """End a review; what it has found so far is kept."""

    def stopped(saved: SavedGame) -> ReviewRun | None:
        Rights(saved, asked.person).check_player()
        run = reviews.find(saved.id, saved.game)
        if run is not None and not run.is_over:
            run.stop()
        return run

    return await lane(stopped)


def _view(saved: SavedGame, run: ReviewRun | None) -> wire.ReviewView:
    return review_view(saved.id, len(saved.game.main_line()), seat_titles(saved), run)
