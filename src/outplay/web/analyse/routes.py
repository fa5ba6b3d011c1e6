"""The analysis board: analysed positions, and games as trees of variations.

Every change of a tree carries the version of the tree that it is meant for.
"""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Path, Request

from outplay.engine.types import Limit
from outplay.live import Terms
from outplay.notation.any import read_one
from outplay.store import SavedGame
from outplay.store.tree import Change, Tree
from outplay.web.analyse import wire
from outplay.web.analyse.analyses import Analyses
from outplay.web.analyse.studies import Studies
from outplay.web.analyse.view import analysis_view, over_view, study_view
from outplay.web.dependencies import ERRORS, AllGames, Client, GameRequest, Person, TheGame
from outplay.web.play.games import new_id
from outplay.web.wire import RunId, StopRequest

router = APIRouter(responses=ERRORS)
STUDY = Terms(is_strict=True)


async def _analyses(request: Request) -> Analyses:
    analyses: Analyses = request.app.state.analyses
    return analyses


TheAnalyses = Annotated[Analyses, Depends(_analyses)]
AnalysisId = Annotated[RunId, Path(alias="id", description="of an analysis")]


@router.post("/analyses", status_code=201)
def begin_analysis(
    request: wire.AnalysisRequest, analyses: TheAnalyses, games: AllGames, client: Client
) -> wire.AnalysisView:
    """Analyse a position. If the answer is not complete yet, poll it by its id."""
    game = read_one(request.position, request.game, (request.width, request.height)).plain_game()
    for move in request.moves:
        game.go_to(game.current.add(game.position.parse(move)))  # a repetition does not end an analysis
    if game.position.outcome() is not None:
        return over_view(game.position, game.history)
    limit = Limit(time_ms=min(request.time_ms, games.limits.max_time_ms), lines=request.lines)
    return analysis_view(analyses.begin(game.position, game.history, limit, client))


@router.get("/analyses/{id}")
def one_analysis(analysis_id: AnalysisId, analyses: TheAnalyses) -> wire.AnalysisView:
    """Return what is known so far."""
    return analysis_view(analyses.run(analysis_id))


@router.post("/analyses/{id}/stop")
def stop_analysis(
    analysis_id: AnalysisId, request: StopRequest, analyses: TheAnalyses, client: Client
) -> wire.AnalysisView:
    """End an analysis; what it has found so far is kept."""
    run = analyses.run(analysis_id)
    run.stop_by(client)
    return analysis_view(run)


# Games as trees


@router.post("/studies", status_code=201)
def begin_study(games: AllGames, request: wire.NewStudy, person: Person) -> wire.Study:
    """Begin a study: a position, and the moves made on the analysis board."""
    game = read_one(request.position, request.game, (request.width, request.height)).plain_game()
    saved = SavedGame(new_id(), game, STUDY, is_record=True, is_study=True, owner=person)
    tree = Tree(saved)
    path = [node.text for node in game.nodes]
    end = tree.add(path, request.moves)
    game.go_to(end)
    games.check_space()
    games.store.add([saved])
    return study_view(tree, [node.text for node in game.nodes])


@router.get("/games/{id}/study")
def one_study(asked: TheGame, analyses: TheAnalyses) -> wire.Study:
    """Return a game as a tree: the moves played, and the variations."""
    tree = Studies(asked.games).tree(asked.game_id)
    analyses.wake(tree.game.rules.name)
    return study_view(tree)


@router.post("/games/{id}/study/moves")
def add_moves(asked: TheGame, request: wire.StudyMoves) -> wire.Study:
    """Add a line at any node."""
    return _changed(asked, request, lambda tree: tree.add(request.path, request.moves))


@router.post("/games/{id}/study/promote")
def promote(asked: TheGame, request: wire.StudyRequest) -> wire.Study:
    """Move a variation before its siblings."""
    return _changed(asked, request, lambda tree: tree.promote(request.path))


@router.post("/games/{id}/study/delete")
def delete(asked: TheGame, request: wire.StudyRequest) -> wire.Study:
    """Delete a variation."""
    return _changed(asked, request, lambda tree: tree.delete(request.path))


@router.post("/games/{id}/study/comment")
def comment(asked: TheGame, request: wire.StudyComment) -> wire.Study:
    """Comment on a move."""
    return _changed(asked, request, lambda tree: tree.comment(request.path, request.comment))


def _changed(asked: GameRequest, request: wire.StudyRequest, change: Change) -> wire.Study:
    asked.check_mine()
    return study_view(*Studies(asked.games).change(asked.game_id, request.version, change))
