"""Puzzles from saved games."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path

from outplay.store import Filter
from outplay.web.dependencies import ERRORS, AllGames, Client, Person
from outplay.web.learn import wire
from outplay.web.learn.view import collect_task, puzzle_run_view
from outplay.web.review.routes import TheReviews
from outplay.web.wire import RunId, StopRequest

router = APIRouter(prefix="/puzzles", responses=ERRORS)
PuzzleId = Annotated[RunId, Path(alias="id", description="id of a search for puzzles")]
MOST_GAMES = 50
"""The most games searched at a time."""


@router.post("", status_code=201)
def make_puzzles(
    request: wire.PuzzleRequest, games: AllGames, reviews: TheReviews, client: Client, person: Person
) -> wire.PuzzleRun:
    """Search your saved games, last changed first, for results that people gave away."""
    where = Filter(game=request.game, ids=tuple(request.ids or ()), person=person)
    task = collect_task(games.store.texts(limit=MOST_GAMES, where=where))
    return puzzle_run_view(reviews.puzzles.begin(task, client))


@router.get("/{id}")
def some_puzzles(run_id: PuzzleId, reviews: TheReviews) -> wire.PuzzleRun:
    """Return the puzzles found so far."""
    return puzzle_run_view(reviews.puzzles.run(run_id))


@router.post("/{id}/stop")
def stop_puzzles(run_id: PuzzleId, request: StopRequest, reviews: TheReviews, client: Client) -> wire.PuzzleRun:
    """End the search; what it has found is kept."""
    run = reviews.puzzles.run(run_id)
    run.stop_by(client)
    return puzzle_run_view(run)
