"""The arena: tournaments of engines are begun, watched, paused, stopped, deleted and exported as files."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Path, Query, Request

from outplay.store import people
from outplay.web.arena import wire
from outplay.web.arena.contest import Contest
from outplay.web.arena.contests import Contests
from outplay.web.arena.view import arena_view, games_view, info, report
from outplay.web.classroom.wire import PauseRequest
from outplay.web.dependencies import ERRORS, Client, Person, TheLanes
from outplay.web.http.lanes import Check
from outplay.web.library.wire import Export
from outplay.web.people.wire import Nothing
from outplay.web.wire import RunId, StopRequest

router = APIRouter(prefix="/arena", responses=ERRORS)


async def _contests(request: Request) -> Contests:
    found: Contests = request.app.state.contests
    return found


AllContests = Annotated[Contests, Depends(_contests)]
ContestId = Annotated[RunId, Path(alias="id", description="id of a tournament")]


def _contest(contest_id: ContestId, contests: AllContests) -> Contest:
    return contests.find(contest_id)


def _mine(contest_id: ContestId, contests: AllContests, person: Person) -> Contest:
    return contests.own(contest_id, person)


TheContest = Annotated[Contest, Depends(_contest)]
MyContest = Annotated[Contest, Depends(_mine)]
"""The tournament that the path names, for the person who began it only."""


@router.get("")
def arena(contests: AllContests, person: Person) -> wire.ArenaInfo:
    """Return the players and limits of the arena, your tournaments, and those of others that are not over."""
    owners = {saved.owner for saved in contests.listed(person)}
    return info(contests, person, people.names_of(contests.store, owners))


@router.post("", status_code=201)
def begin(request: wire.NewTournament, contests: AllContests, person: Person, client: Client) -> wire.ArenaView:
    """Begin a tournament. Its games are played on the server, with lower priority than those of people."""
    return _view(contests, contests.begin(request, person, client), person)


@router.get("/{id}")
def one_tournament(contest: TheContest, contests: AllContests, person: Person) -> wire.ArenaView:
    """Return a tournament: its standings, its cross table, and the games that are played now."""
    return _view(contests, contest, person)


@router.get("/{id}/games")
def tournament_games(
    contest: TheContest,
    player: Annotated[wire.PlayerIndex | None, Query()] = None,
    other: Annotated[wire.PlayerIndex | None, Query()] = None,
    limit: Annotated[int, Query(ge=1, le=500)] = 100,
) -> wire.ArenaGames:
    """Return finished games, the newest first: all, those of one player, or those between two players."""
    return games_view(contest, player, other, limit)


@router.get("/{id}/report")
async def tournament_report(
    contest: TheContest,
    contests: AllContests,
    client: Client,
    lanes: TheLanes,
    http: Request,
    format: Annotated[wire.ReportFormat, Query()] = "html",  # noqa: A002
) -> Export:
    """Return a tournament as one page (HTML), as a table of players or of games (CSV), or its games (PDN)."""

    def make(check: Check) -> Export:
        return report(contests.store, contest, format)

    return await lanes.exports.run(client, http.receive, make)


@router.post("/{id}/pause")
def pause(request: PauseRequest, contest: MyContest, contests: AllContests, person: Person) -> wire.ArenaView:
    """Pause a tournament after its games in progress, or continue one that is paused, stopped or failed."""
    if request.paused:
        contests.pause(contest)
    else:
        contests.go_on(contest)
    return _view(contests, contest, person)


@router.post("/{id}/stop")
def stop(request: StopRequest, contest: MyContest, contests: AllContests, person: Person) -> wire.ArenaView:
    """Stop a tournament; games in progress are given up, finished ones are kept."""
    contests.stop(contest)
    return _view(contests, contest, person)


@router.post("/{id}/delete")
def delete(request: Nothing, contest: MyContest, contests: AllContests) -> Nothing:
    """Delete a tournament with all its games."""
    contests.delete(contest)
    return Nothing()


def _view(contests: Contests, contest: Contest, person: str) -> wire.ArenaView:
    owner = contest.saved.owner
    return arena_view(contest, person, people.names_of(contests.store, [owner]).get(owner, ""))
