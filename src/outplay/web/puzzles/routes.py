"""Puzzles: those that come with outplay, and those from saved games."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Annotated

from fastapi import APIRouter, Depends, Path, Query, Request

from outplay.explain.places import hint_cells
from outplay.learn import GradedPuzzle, find_puzzle, prover, shipped_puzzles
from outplay.learn.hints import step_hint
from outplay.learn.progress import Attempt, AttemptKind, PuzzleStanding, daily_puzzle, new_kind, next_puzzle, standing
from outplay.learn.tries import Tried, position_after, puzzle_solution, try_moves
from outplay.store import Filter
from outplay.store.progress import add_attempt, attempts_of
from outplay.web import board
from outplay.web.dependencies import ERRORS, AllGames, Client, Person, TheLanes
from outplay.web.http.errors import UnknownPuzzleError
from outplay.web.http.lanes import Check
from outplay.web.learn.wire import StepHint
from outplay.web.people.wire import Nothing
from outplay.web.puzzles import wire
from outplay.web.puzzles.view import (
    collect_task,
    graded_view,
    next_view,
    puzzle_run_view,
    puzzles_view,
    try_view,
)
from outplay.web.review.routes import TheReviews
from outplay.web.wire import GameName, RunId, StopRequest

router = APIRouter(prefix="/puzzles", responses=ERRORS)
PuzzleId = Annotated[RunId, Path(alias="id", description="id of a search for puzzles")]
MOST_GAMES = 50
"""The most games searched at a time."""
MOST_SEEN = 100
Seen = Annotated[
    list[wire.PuzzleName],
    Query(default_factory=list, max_length=MOST_SEEN, description="puzzles not to repeat now, the latest last"),
]


@router.post("/own", status_code=201)
def make_puzzles(
    request: wire.PuzzleRequest, games: AllGames, reviews: TheReviews, client: Client, person: Person
) -> wire.PuzzleRun:
    """Search your games, last changed first, for positions in which a person gave the result away.

    Imported games are left out, unless the request names them.
    """
    ids = tuple(request.ids or ())
    where = Filter(game=request.game, ids=ids, person=person, is_played=not ids)
    task = collect_task(games.store.texts(limit=MOST_GAMES, where=where), person)
    return puzzle_run_view(reviews.puzzles.begin(task, client))


@router.get("/own/{id}")
def some_puzzles(run_id: PuzzleId, reviews: TheReviews) -> wire.PuzzleRun:
    """Return the puzzles found so far."""
    return puzzle_run_view(reviews.puzzles.run(run_id))


@router.post("/own/{id}/stop")
def stop_puzzles(run_id: PuzzleId, request: StopRequest, reviews: TheReviews, client: Client) -> wire.PuzzleRun:
    """End the search; what it has found is kept."""
    run = reviews.puzzles.run(run_id)
    run.stop_by(client)
    return puzzle_run_view(run)


# Puzzles that ship


async def _graded(
    puzzle: Annotated[wire.PuzzleName, Path(description='id of a puzzle, such as "c4-0123"')],
) -> GradedPuzzle:
    found = find_puzzle(puzzle)
    if found is None:
        raise UnknownPuzzleError(f"there is no puzzle {puzzle} here")
    return found


ThePuzzle = Annotated[GradedPuzzle, Depends(_graded)]


@router.get("")
def puzzles(games: AllGames, person: Person, game: GameName = "connect4") -> wire.PuzzlesView:
    """Count the puzzles of a game, and return your progress."""
    own = games.store.count(Filter(game=game, person=person, is_played=True))
    return puzzles_view(game, _standing(games, person, game), own)


@router.get("/next")
def following(
    games: AllGames,
    person: Person,
    after: Seen,
    game: GameName = "connect4",
    theme: wire.ThemeName = "",
    harder: Annotated[int, Query(ge=-7, le=7, description="1 harder than usual, -1 easier")] = 0,
) -> wire.NextPuzzle:
    """Return the next puzzle for you: one that comes back or, if there is none, a new one of your grade."""
    stands = _standing(games, person, game)
    found = next_puzzle(shipped_puzzles(game), stands, theme=theme, shift=harder, after=after)
    return next_view(game, theme, found, stands)


@router.get("/today")
def today(games: AllGames, person: Person, game: GameName = "connect4") -> wire.GradedView:
    """Return the puzzle of the day: it is the same for everyone."""
    day = datetime.now(UTC).date()
    found = daily_puzzle(shipped_puzzles(game), day)
    return graded_view(found, _standing(games, person, game), day.isoformat())


@router.get("/{puzzle}")
def puzzle(puzzle: ThePuzzle, games: AllGames, person: Person) -> wire.GradedView:
    """Return a puzzle. The answer is not in it."""
    return graded_view(puzzle, _standing(games, person, puzzle.game))


@router.post("/{puzzle}/try")
async def try_puzzle(
    asked: wire.TryRequest,
    puzzle: ThePuzzle,
    games: AllGames,
    client: Client,
    person: Person,
    lanes: TheLanes,
    http: Request,
) -> wire.TryVerdict:
    """Play the next move of a puzzle: it is right so far, it solves the puzzle, or it is refuted on the board."""

    def judge(_: Check) -> wire.TryVerdict:
        return _finish(puzzle, asked.moves, try_moves(puzzle, asked.moves, prover()), games, person)

    return await lanes.answers.run(client, http.receive, judge)


@router.post("/{puzzle}/hint")
def hint_puzzle(asked: wire.PuzzleHintRequest, puzzle: ThePuzzle, games: AllGames, person: Person) -> StepHint:
    """Return a step of a hint for the next move. A puzzle solved with a hint counts, but does not raise your grade."""
    position = position_after(puzzle, asked.moves)
    if asked.step == 1:
        add_attempt(games.store, person, Attempt(puzzle.id, "hint", datetime.now(UTC)))
    found = step_hint(position, puzzle.asked[len(asked.moves)], asked.step)
    move = None if found.move is None else board.move_view(position, found.move)
    cells = hint_cells(position, found)
    return StepHint(step=found.step, sentence=found.sentence, cells=cells, move=move)


@router.post("/{puzzle}/solution")
async def solve_puzzle(
    asked: Nothing,
    puzzle: ThePuzzle,
    games: AllGames,
    client: Client,
    person: Person,
    lanes: TheLanes,
    http: Request,
) -> wire.TryVerdict:
    """Return the solution, played out. The puzzle counts as missed and comes back, unless you have solved it."""

    def solve(_: Check) -> wire.TryVerdict:
        return _finish(puzzle, (), puzzle_solution(puzzle, prover()), games, person)

    return await lanes.answers.run(client, http.receive, solve)


def _standing(games: AllGames, person: str, game: str) -> PuzzleStanding:
    return standing(attempts_of(games.store, person), shipped_puzzles(game), datetime.now(UTC))


def _finish(puzzle: GradedPuzzle, moves: Sequence[str], tried: Tried, games: AllGames, person: str) -> wire.TryVerdict:
    """Return the verdict on a try. If the puzzle is over, remember the result first."""
    kind: AttemptKind | None = None
    if tried.status != "going":
        now = datetime.now(UTC)
        earlier = attempts_of(games.store, person)
        kind = new_kind(earlier, puzzle.id, is_right=tried.status == "solved", now=now)
        if kind is not None:
            add_attempt(games.store, person, Attempt(puzzle.id, kind, now))
    stands = _standing(games, person, puzzle.game)
    return try_view(puzzle, moves, tried, stands, is_first_try=kind == "right")
