"""The analysis board: analysed positions, and games as trees of variations.

Every change of a tree carries the version of the tree that it is meant for.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from functools import partial
from typing import Annotated

from fastapi import APIRouter, Depends, Path, Request
from fastapi.responses import Response, StreamingResponse

from outplay.engine.types import Limit
from outplay.live import Terms
from outplay.notation.any import read_one
from outplay.store import SavedGame
from outplay.store.games import new_id
from outplay.store.tree import Change, Tree
from outplay.web.analyse import wire
from outplay.web.analyse.analyses import Analyses
from outplay.web.analyse.studies import Studies
from outplay.web.analyse.view import StudyText, analysis_view, over_view
from outplay.web.dependencies import ERRORS, AllGames, Client, GameRequest, Person, TheGame, TheLanes
from outplay.web.http.lanes import Check
from outplay.web.wire import RunId, StopRequest

router = APIRouter(responses=ERRORS)
STUDY = Terms(is_strict=True)


async def _analyses(request: Request) -> Analyses:
    analyses: Analyses = request.app.state.analyses
    return analyses


TheAnalyses = Annotated[Analyses, Depends(_analyses)]
AnalysisId = Annotated[RunId, Path(alias="id", description="id of an analysis")]


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
    """Return an analysis with what it has found so far."""
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

Found = tuple[Tree, list[str] | None]
"""A tree, and the path of the requested node; None instead of a path means the last move of the game."""
InLane = Callable[[Callable[[], Found]], Awaitable[Response]]


async def _lane(request: Request, client: Client, person: Person, lanes: TheLanes) -> InLane:
    """Return a function that gets a tree from another function, in the lane of studies, and answers with this tree."""
    lane = lanes.studies

    def begun(find: Callable[[], Found], check: Check) -> tuple[str, Iterator[str]]:
        tree, path = find()
        check()
        parts = StudyText(tree, path, person=person).parts()
        return next(parts), parts

    async def answer(find: Callable[[], Found]) -> Response:
        first, others = await lane.run(client, request.receive, partial(begun, find))

        async def text() -> AsyncIterator[str]:
            """Stream the answer; stop when the client disconnects or the server shuts down."""
            with lane.place(client):
                yield first
                while not lane.is_closed and (part := await lane.step(lambda: next(others, ""))):
                    yield part

        return StreamingResponse(text(), media_type="application/json")

    return answer


TheLane = Annotated[InLane, Depends(_lane)]


@router.post("/studies", status_code=201, response_model=wire.Study)
async def begin_study(
    games: AllGames, request: wire.NewStudy, lane: TheLane, person: Person, client: Client
) -> Response:
    """Begin a study: a position, and the moves made on the analysis board."""

    def begin() -> Found:
        game = read_one(request.position, request.game, (request.width, request.height)).plain_game()
        saved = SavedGame(new_id(), game, STUDY, is_record=True, is_study=True, owner=person)
        tree = Tree(saved)
        path = [node.text for node in game.nodes]
        end = tree.add(path, request.moves)
        game.go_to(end)
        games.check_space(person, client=client)
        games.store.add([saved])
        return tree, [node.text for node in game.nodes]

    answer = await lane(begin)
    answer.status_code = 201
    return answer


@router.get("/games/{id}/study", response_model=wire.Study)
async def one_study(asked: TheGame, analyses: TheAnalyses, lane: TheLane) -> Response:
    """Return a game as a tree: the moves played, and the variations."""

    def find() -> Found:
        tree = Studies(asked.games).tree(asked.game_id)
        analyses.wake(tree.game.rules.name)
        return tree, None

    return await lane(find)


@router.post("/games/{id}/study/moves", response_model=wire.Study)
async def add_moves(asked: TheGame, request: wire.StudyMoves, lane: TheLane) -> Response:
    """Add a line at any node."""
    return await lane(_changed(asked, request, lambda tree: tree.add(request.path, request.moves)))


@router.post("/games/{id}/study/promote", response_model=wire.Study)
async def promote(asked: TheGame, request: wire.StudyRequest, lane: TheLane) -> Response:
    """Put a variation before the variations beside it."""
    return await lane(_changed(asked, request, lambda tree: tree.promote(request.path)))


@router.post("/games/{id}/study/delete", response_model=wire.Study)
async def delete(asked: TheGame, request: wire.StudyRequest, lane: TheLane) -> Response:
    """Delete a variation."""
    return await lane(_changed(asked, request, lambda tree: tree.delete(request.path)))


@router.post("/games/{id}/study/comment", response_model=wire.Study)
async def comment(asked: TheGame, request: wire.StudyComment, lane: TheLane) -> Response:
    """Comment on a move."""
    return await lane(_changed(asked, request, lambda tree: tree.comment(request.path, request.comment)))


def _changed(asked: GameRequest, request: wire.StudyRequest, change: Change) -> Callable[[], Found]:
    def changed() -> Found:
        asked.check_mine()
        return Studies(asked.games).change(asked.game_id, request.version, change)

    return changed
