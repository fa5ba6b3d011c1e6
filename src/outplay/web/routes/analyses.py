"""Positions judged."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Path, Request

from outplay.engine.types import Limit
from outplay.web import wire
from outplay.web.analyses import Analyses
from outplay.web.judgements import analysis_view, over_view
from outplay.web.positions import read_game
from outplay.web.routes.desk import ERRORS, AllGames, Client

router = APIRouter(prefix="/analyses", responses=ERRORS)


async def _analyses(request: Request) -> Analyses:
    analyses: Analyses = request.app.state.analyses
    return analyses


TheAnalyses = Annotated[Analyses, Depends(_analyses)]
AnalysisId = Annotated[wire.RunId, Path(alias="id", description="of an analysis")]


@router.post("", status_code=201)
def begin_analysis(
    request: wire.AnalysisRequest, analyses: TheAnalyses, games: AllGames, client: Client
) -> wire.AnalysisView:
    """Judge a position. The answer is there at once, or comes bit by bit."""
    game = read_game(request.game, request.position, (request.width, request.height))
    for move in request.moves:
        game.go_to(game.current.add(game.position.parse(move)))  # repetition ends no analysis
    if game.position.outcome() is not None:
        return over_view(game.position, game.history)
    limit = Limit(time_ms=min(request.time_ms, games.limits.max_time_ms), lines=request.lines)
    return analysis_view(analyses.begin(game.position, game.history, limit, client))


@router.get("/{id}")
def one_analysis(analysis_id: AnalysisId, analyses: TheAnalyses) -> wire.AnalysisView:
    """What is known by now."""
    return analysis_view(analyses.job(analysis_id))


@router.post("/{id}/stop")
def stop_analysis(analysis_id: AnalysisId, request: wire.StopRequest, analyses: TheAnalyses) -> wire.AnalysisView:
    """End an analysis; what it has found so far stays."""
    job = analyses.job(analysis_id)
    job.stop()
    return analysis_view(job)
