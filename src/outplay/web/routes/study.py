"""Games as trees of variations. Every change carries the version of the tree that it was meant for."""

from __future__ import annotations

from fastapi import APIRouter

from outplay.store import SavedGame, Terms
from outplay.web import wire
from outplay.web.games import new_id
from outplay.web.positions import read_game
from outplay.web.routes.analyses import TheAnalyses
from outplay.web.routes.desk import ERRORS, AllGames, TheVisit, Visit
from outplay.web.study import Change, Studies, Tree
from outplay.web.trees import study_view

router = APIRouter(responses=ERRORS)
STUDY = Terms(is_record=True, is_strict=True, is_study=True)
HUMANS = ("human", "human")


@router.post("/studies", status_code=201)
def begin_study(games: AllGames, request: wire.NewStudy) -> wire.Study:
    """Begin a study: a position, and the moves that were made on the analysis board."""
    game = read_game(request.game, request.position, (request.width, request.height))
    saved = SavedGame(new_id(), game, HUMANS, 0, 0, STUDY)
    tree = Tree(saved)
    path = [node.text for node in game.nodes]
    end = tree.add(path, request.moves)
    game.go_to(end)
    games.check_space()
    games.store.add([saved])
    return study_view(tree, [node.text for node in game.nodes])


@router.get("/games/{id}/study")
def one_study(visit: TheVisit, analyses: TheAnalyses) -> wire.Study:
    """A game as a tree: what was played, and what was looked at besides."""
    tree = Studies(visit.games).tree(visit.game_id)
    analyses.wake(tree.game.rules.name)
    return study_view(tree)


@router.post("/games/{id}/study/moves")
def add_moves(visit: TheVisit, request: wire.StudyMoves) -> wire.Study:
    """Add a line at any place."""
    return _changed(visit, request, lambda tree: tree.add(request.path, request.moves))


@router.post("/games/{id}/study/promote")
def promote(visit: TheVisit, request: wire.StudyRequest) -> wire.Study:
    """Put a variation before those beside it."""
    return _changed(visit, request, lambda tree: tree.promote(request.path))


@router.post("/games/{id}/study/delete")
def delete(visit: TheVisit, request: wire.StudyRequest) -> wire.Study:
    """Take a variation away."""
    return _changed(visit, request, lambda tree: tree.delete(request.path))


@router.post("/games/{id}/study/comment")
def comment(visit: TheVisit, request: wire.StudyComment) -> wire.Study:
    """Say something about a move."""
    return _changed(visit, request, lambda tree: tree.comment(request.path, request.comment))


def _changed(visit: Visit, request: wire.StudyRequest, change: Change) -> wire.Study:
    return study_view(*Studies(visit.games).change(visit.game_id, request.version, change))
