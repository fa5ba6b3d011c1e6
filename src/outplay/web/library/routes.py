"""The library: saved games listed and filtered, imported, exported, deleted and restored."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import Annotated, Literal

from anyio.to_thread import run_sync
from fastapi import APIRouter, Depends, Query, Request
from fastapi.responses import Response, StreamingResponse

from outplay.notation.any import MOST_GAMES, Pasted, counted, read_anything
from outplay.record import AnyGame
from outplay.store import Filter, SavedGame, Summary, classes, people
from outplay.store.games import RECORD, new_id
from outplay.web import board
from outplay.web.dependencies import ERRORS, AllGames, Client, Person, TheGame, TheLanes, is_own_machine
from outplay.web.http.errors import NotYoursError, UnknownGameError
from outplay.web.http.lanes import Check
from outplay.web.library import exporting, wire
from outplay.web.library.view import filter_of, summary_view
from outplay.web.play.games import Games
from outplay.web.wire import MAX_PLIES, GameName
from outplay.web.words import clipped, sentence

router = APIRouter(responses=ERRORS)
SHOWN = 20
SHOWN_PROBLEMS = 100
EXPORTED_AT_ONCE = 50
"""The number of games that are written without a pause."""

Text = Annotated[str, Query(max_length=100)]
_Day = Annotated[str, Query(pattern=r"^([0-9]{4}(-[0-9]{2}(-[0-9]{2})?)?)?$")]


async def _filter(
    *,
    game: Annotated[GameName | None, Query()] = None,
    player: Text = "",
    outcome: Annotated[wire.OutcomeFilter | None, Query()] = None,
    since: _Day = "",
    until: _Day = "",
    opening: Text = "",
    mine: Annotated[bool, Query(description="only the games in which you hold a seat")] = False,
    whose: Annotated[Literal["mine", "class"], Query()] = "mine",
    person: Person,
    games: AllGames,
) -> Filter:
    given = (game, player.strip(), outcome, since, until, opening.strip())
    found = filter_of(*given, is_mine=mine, person=person, store=games.store)
    if whose == "mine":
        return found
    codes = await run_sync(classes.codes_of, games.store, person)
    return replace(found, person=None, class_codes=tuple(codes))


TheFilter = Annotated[Filter, Depends(_filter)]


def batched(ids: Sequence[str], size: int) -> Iterator[list[str]]:
    """Cut a list into parts of this size."""
    left = iter(ids)
    while part := list(islice(left, size)):
        yield part


@router.get("/games")
def saved_games(
    games: AllGames,
    where: TheFilter,
    person: Person,
    http: Request,
    limit: Annotated[int, Query(ge=1, le=100)] = 20,
    offset: Annotated[int, Query(ge=0, le=1_000_000)] = 0,
) -> wire.GameList:
    """Return your games and those without an owner, or the games of your classes; last changed first.

    `player` is part of a name, `opening` the first moves. A damaged game is listed for those who made it or play in
    it, and for people at the server's own machine.
    """
    found = games.store.games(limit=limit, offset=offset, where=where)
    total = games.store.count(where)
    return wire.GameList(
        games=_entries(games, found, person),
        total=total,
        damaged=_damaged(games, person, sees_all=is_own_machine(http)),
    )


def _entries(games: Games, found: Sequence[Summary], person: str) -> list[wire.GameSummary]:
    """Return games for a list, with the names that people have in each class."""
    codes = {saved.class_code for saved in found}
    names = {
        code: people.names_of(
            games.store, (holder for saved in found if saved.class_code == code for holder in saved.people), code
        )
        for code in codes
    }
    return [summary_view(saved, names[saved.class_code], person) for saved in found]


def _damaged(games: Games, person: str, *, sees_all: bool) -> list[wire.DamagedGame]:
    reasons = dict(games.store.damaged)
    whose = games.store.people_of(list(reasons))
    return [
        wire.DamagedGame(id=game_id, message=clipped(sentence(reason)))
        for game_id, reason in reasons.items()
        if sees_all or (person and person in whose.get(game_id, ()))
    ]


@router.get("/games/{id}/export")
def export_game(
    asked: TheGame,
    games: AllGames,
    format: Annotated[wire.ExportFormat, Query()] = "pdn",  # noqa: A002
    ply: Annotated[int | None, Query(ge=0, le=MAX_PLIES)] = None,
) -> wire.Export:
    """Export a game as PDN or JSON, or a position of it (default: the last) as SVG or FEN."""
    return exporting.export(games.store, asked.saved(), format, ply)


@router.get("/games/{id}/picture", response_class=Response, include_in_schema=False)
def game_picture(
    asked: TheGame, games: AllGames, ply: Annotated[int | None, Query(ge=0, le=MAX_PLIES)] = None
) -> Response:
    """Return a position of a game (default: the last) as an image, to be shown or drawn on a canvas."""
    drawn = exporting.export(games.store, asked.saved(), "svg", ply)
    return Response(drawn.text, media_type=drawn.media)


@router.get("/games/{id}/raw")
def raw_game(asked: TheGame) -> wire.Export:
    """Return the database row of a game as JSON, even if the game is damaged."""
    row = asked.games.store.raw(asked.game_id)
    if row is None:
        raise UnknownGameError(f"there is no game {asked.game_id}")
    if row["owner"] not in ("", asked.person):
        raise NotYoursError("only the person who made a game can see its row")
    text = json.dumps(row, indent=2, default=str, ensure_ascii=True)
    return wire.Export(name=f"outplay-{asked.game_id}-raw.json", media="application/json", text=text)


@router.get("/library/export", response_model=wire.Export)
async def export_games(games: AllGames, where: TheFilter, client: Client, lanes: TheLanes) -> StreamingResponse:
    """Export your games that match the filters as one PDN file, newest first."""
    lane = lanes.exports
    lane.check(client)
    with lane.place(client):
        ids = await lane.step(lambda: games.store.ids(where))

    async def parts() -> AsyncIterator[str]:
        """Stream the answer a few games at a time; stop when the client disconnects or the server shuts down."""
        head, tail = exporting.around_all()
        with lane.place(client):
            yield head
            for some in batched(ids, EXPORTED_AT_ONCE):
                if lane.is_closed:
                    return
                work = partial(exporting.part_of_all, games.store, some, is_first=some[0] == ids[0])
                yield await lane.step(work)
            yield tail

    return StreamingResponse(parts(), media_type="application/json")


@router.post("/library/delete")
def delete_games(games: AllGames, request: wire.GamesRequest, person: Person) -> wire.GamesAnswer:
    """Delete games. They can be restored for a day."""
    ids = games.delete(request.ids, person)
    return wire.GamesAnswer(ids=ids, sentence=f"{counted(len(ids), 'game')} deleted.")


@router.post("/library/restore")
def restore_games(games: AllGames, request: wire.GamesRequest, person: Person) -> wire.GamesAnswer:
    """Restore deleted games."""
    ids = games.restore(request.ids, person)
    return wire.GamesAnswer(ids=ids, sentence=f"{counted(len(ids), 'game')} restored.")


@router.post("/library/import")
async def import_games(
    games: AllGames, request: wire.ImportRequest, client: Client, person: Person, lanes: TheLanes, http: Request
) -> wire.ImportAnswer:
    """Add the games of a text in any notation. A game that cannot be read is reported, and the others are added."""

    def add(check: Check) -> wire.ImportAnswer:
        found = read_anything(request.text, request.game, check=check)
        if found.link is not None:
            return _answer(found, [], known=_known(games, found.link))
        check()
        games.check_space(person, len(found.games), client=client)
        saved = [SavedGame(new_id(), game, RECORD, is_record=True, owner=person) for game in found.games]
        games.store.add(saved)
        return _answer(found, saved, listed=_listed(games, saved, person))

    return await lanes.imports.run(client, http.receive, add)


def _known(games: Games, game_id: str) -> str:
    if games.store.load(game_id) is None:
        raise UnknownGameError(f"there is no game {game_id} in this library")
    return game_id


def _listed(games: Games, saved: list[SavedGame], person: str) -> list[wire.GameSummary]:
    ids = tuple(one.id for one in saved[:SHOWN])
    found = games.store.games(limit=SHOWN, where=Filter(ids=ids)) if ids else []
    return [summary_view(summary, {}, person) for summary in found]


def _answer(
    found: Pasted, saved: list[SavedGame], *, listed: list[wire.GameSummary] | None = None, known: str | None = None
) -> wire.ImportAnswer:
    position = found.games[0].position if found.is_position else None
    problems = [
        wire.ImportProblem(number=problem.number, line=problem.line, message=clipped(problem.message))
        for problem in found.problems[:SHOWN_PROBLEMS]
    ]
    return wire.ImportAnswer(
        what=found.what,
        ids=[one.id for one in saved],
        games=listed or [],
        found=known,
        position=None if position is None else board.position_view(position),
        game=_game_of(found.games) if found.is_position else None,
        problems=problems,
        problem_count=len(found.problems),
        notes=[clipped(note) for note in found.notes],
        sentence=_sentence(found),
    )


def _game_of(games: list[AnyGame]) -> GameName:
    return "connect4" if games[0].rules.name == "connect4" else "checkers"


def _sentence(found: Pasted) -> str:
    if found.link is not None:
        return "This game is in the library already."
    if found.is_position:
        return "One position imported."
    bad = f", {len(found.problems)} cannot be read" if found.problems else ""
    cut = f" Only the first {MOST_GAMES} games are read." if found.is_cut else ""
    return sentence(f"{counted(len(found.games), 'game')} imported{bad}") + cut
