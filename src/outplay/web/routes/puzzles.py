"""Puzzles out of saved games."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path

from outplay.engine.runner import Question
from outplay.engine.types import Limit
from outplay.rules import RULES
from outplay.store import Filter
from outplay.web import wire
from outplay.web.collector import Collector
from outplay.web.jobs import Job, UnknownRunError
from outplay.web.marks import puzzle_run_view
from outplay.web.puzzles import MOST_GAMES, MOST_MS, collector
from outplay.web.reviews import Reviews
from outplay.web.routes.desk import ERRORS, AllGames, Client
from outplay.web.routes.review import TheReviews

router = APIRouter(prefix="/puzzles", responses=ERRORS)
PuzzleId = Annotated[wire.RunId, Path(alias="id", description="of a search for puzzles")]


@router.post("", status_code=201)
def make_puzzles(request: wire.PuzzleRequest, games: AllGames, reviews: TheReviews, client: Client) -> wire.PuzzleRun:
    """Look through saved games, the last changed first, for results that people threw away."""
    where = Filter(game=request.game, ids=tuple(request.ids or ()))
    recipe = collector(games.store.texts(limit=MOST_GAMES, where=where))
    question = Question(RULES[request.game or "connect4"].start(), Limit(time_ms=MOST_MS))
    return puzzle_run_view(reviews.collect(recipe, question, client))


@router.get("/{id}")
def some_puzzles(run_id: PuzzleId, reviews: TheReviews) -> wire.PuzzleRun:
    """Those found by now."""
    return puzzle_run_view(_run(reviews, run_id))


@router.post("/{id}/stop")
def stop_puzzles(run_id: PuzzleId, request: wire.StopRequest, reviews: TheReviews) -> wire.PuzzleRun:
    """End the search; what it has found stays."""
    job = _run(reviews, run_id)
    job.stop()
    return puzzle_run_view(job)


def _run(reviews: Reviews, run_id: str) -> Job:
    job = reviews.job(run_id)
    if not isinstance(job.recipe, Collector):
        raise UnknownRunError("there is no such search for puzzles; ask for it again")
    return job
