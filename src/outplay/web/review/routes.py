"""Reviews: games judged move by move."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, TypeVar

from fastapi import APIRouter, Depends, Query, Request

from outplay.store import SavedGame
from outplay.web.dependencies import ERRORS, GameRequest, TheGame, TheLanes
from outplay.web.http.lanes import Check, Lanes
from outplay.web.people.wire import Nothing
from outplay.web.play.rights import Rights
from outplay.web.review import wire
from outplay.web.review.reviews import ReviewRun, Reviews
from outplay.web.review.view import coach_view, refutation_view, review_view
from outplay.web.wire import StopRequest

router = APIRouter(prefix="/games/{id}", responses=ERRORS)
MOST_WAIT_MS = 5_000


async def _reviews(request: Request) -> Reviews:
    reviews: Reviews = request.app.state.reviews
    return reviews


TheReviews = Annotated[Reviews, Depends(_reviews)]
Waited = Annotated[int, Query(ge=0, le=MOST_WAIT_MS)]
Find = Callable[[SavedGame], ReviewRun | None]
View = TypeVar("View")


@dataclass(frozen=True, slots=True)
class ReviewLane:
    """Finds the review of a saved game, in the lane of reviews, and makes its JSON."""

    request: Request
    asked: GameRequest
    lanes: Lanes

    async def show(self, find: Find, view: Callable[[SavedGame, str, ReviewRun | None], View]) -> View:
        def viewed(check: Check) -> View:
            saved = self.asked.saved()
            check()
            return view(saved, self.asked.person, find(saved))

        return await self.lanes.reviews.run(self.asked.client, self.request.receive, viewed)


async def _lane(request: Request, asked: TheGame, lanes: TheLanes) -> ReviewLane:
    return ReviewLane(request, asked, lanes)


TheLane = Annotated[ReviewLane, Depends(_lane)]


@router.get("/review")
async def one_review(
    asked: TheGame, request: Request, reviews: TheReviews, lane: TheLane, wait_ms: Waited = 0
) -> wire.ReviewView:
    """Return the review of a game so far; status `none` if it was not requested.

    `wait_ms` delays the answer while the review goes on. If the client disconnects meanwhile, the review stops a second
    later.
    """
    if wait_ms:
        await reviews.hold(asked.game_id, request.receive, wait_ms / 1000)
    return await lane.show(lambda saved: reviews.find(saved.id, saved.game), review_view)


@router.post("/review")
async def begin_review(
    asked: TheGame, request: wire.ReviewRequest, reviews: TheReviews, lane: TheLane
) -> wire.ReviewView:
    """Review the moves that were played. If they have a review already, return that one."""

    def begun(saved: SavedGame) -> ReviewRun | None:
        Rights(saved, asked.person).check_player()
        return reviews.begin(saved.id, saved.game, request.nodes, asked.client)

    return await lane.show(begun, review_view)


@router.post("/review/stop")
async def stop_review(asked: TheGame, request: StopRequest, reviews: TheReviews, lane: TheLane) -> wire.ReviewView:
    """End a review; what it has found so far is kept."""

    def stopped(saved: SavedGame) -> ReviewRun | None:
        Rights(saved, asked.person).check_player()
        run = reviews.find(saved.id, saved.game)
        if run is not None and not run.is_over:
            run.stop()
        return run

    return await lane.show(stopped, review_view)


@router.post("/review/refute")
async def refute(asked: TheGame, request: wire.RefuteRequest, lanes: TheLanes, http: Request) -> wire.RefutationView:
    """Return what is wrong with another move at a ply of the game."""

    def refuted(check: Check) -> wire.RefutationView:
        saved = asked.saved()
        Rights(saved, asked.person).check_player()
        check()
        return refutation_view(saved, request.ply, request.move)

    return await lanes.answers.run(asked.client, http.receive, refuted)


@router.get("/coach")
async def one_coach(asked: TheGame, reviews: TheReviews, lane: TheLane) -> wire.CoachView:
    """Return the coach's words about a game; status `none` if its review was not requested."""
    return await lane.show(lambda saved: reviews.find(saved.id, saved.game), coach_view)


@router.post("/coach")
async def begin_coach(asked: TheGame, request: Nothing, reviews: TheReviews, lane: TheLane) -> wire.CoachView:
    """Review a game that is over, unless it has a review already, and return the coach's words.

    Status `none` while the game goes on.
    """

    def begun(saved: SavedGame) -> ReviewRun | None:
        Rights(saved, asked.person).check_player()
        if saved.game.outcome() is None:
            return None
        return reviews.begin(saved.id, saved.game, None, asked.client)

    return await lane.show(begun, coach_view)
