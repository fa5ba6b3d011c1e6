"""Make the JSON of a tournament, and its files."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import cast, get_args

from outplay import explain
from outplay.match import Bout, TournamentState
from outplay.match.page import half, tournament_html
from outplay.match.standings import Standing
from outplay.match.tournament_report import COLUMNS, KIND_WORDS, smoothing_text, table
from outplay.notation.any import counted
from outplay.outcome import Outcome, Side
from outplay.rules import RULES
from outplay.store import Store
from outplay.store.exporting import pdn
from outplay.store.tournaments import SavedTournament, games_of
from outplay.web import board, catalogue
from outplay.web.arena import wire
from outplay.web.arena.contest import Contest, PlayedNow
from outplay.web.arena.contests import Contests
from outplay.web.classroom.wire import Tile
from outplay.web.library.wire import Export
from outplay.web.wire import GameName
from outplay.web.words import clipped, csv_text, sentence

RECENT = 12
MOST_TRACE = 60
_NUMBERS = ("No", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten", "Eleven", "Twelve")
_MEDIA = {"html": "text/html", "csv": "text/csv", "games": "text/csv", "pdn": "text/plain"}


def info(contests: Contests, person: str, names: dict[str, str]) -> wire.ArenaInfo:
    """Return what the arena offers; `names` are those of the people who began tournaments."""
    limits = contests.limits
    return wire.ArenaInfo(
        games=[
            wire.ContestantInfo(game=game, title=RULES[game].title, players=list(catalogue.contestants(game).values()))
            for game in get_args(GameName)
        ],
        most_players=wire.MOST_PLAYERS,
        most_games=limits.tournament_games,
        max_time_ms=limits.max_time_ms,
        slots=limits.tournament_slots,
        protection=catalogue.bots_sentence(),
        tournaments=[_entry(contests, saved, person, names) for saved in contests.listed(person)],
    )


def _entry(contests: Contests, saved: SavedTournament, person: str, names: dict[str, str]) -> wire.ArenaEntry:
    game, players = cast(GameName, saved.terms.game), len(saved.terms.players)
    planned = saved.progress.planned
    words = {
        "running": f"{counted(planned, 'game')}, being played",
        "paused": f"{counted(planned, 'game')}, paused",
        "done": f"{counted(planned, 'game')} played",
        "stopped": "stopped early",
        "failed": "failed",
    }
    return wire.ArenaEntry(
        id=saved.id,
        game=game,
        title=f"{RULES[game].title}, {counted(players, 'player')}",
        sentence=sentence(words[saved.progress.status]),
        status=saved.progress.status,
        is_yours=saved.owner == person,
        owner=names.get(saved.owner, ""),
        began=saved.created.isoformat(timespec="seconds"),
    )


def arena_view(contest: Contest, person: str, owner: str) -> wire.ArenaView:
    """Return a tournament as a person sees it; `owner` is the name of the person who began it."""
    state, playing, progress = contest.state, contest.playing(), contest.saved.progress
    order = sorted(state.standings, key=lambda row: (row.elo is None, -(row.elo or 0.0), row.place))
    terms = contest.saved.terms
    return wire.ArenaView(
        id=contest.id,
        game=cast(GameName, terms.game),
        kind=cast(wire.ArenaKind, terms.kind),
        status=progress.status,
        revision=contest.revision,
        is_yours=contest.saved.owner == person,
        owner=owner,
        title=f"{number_word(len(terms.players))} players, {KIND_WORDS[terms.kind]}",
        terms=f"{RULES[terms.game].title}, {counted(terms.games, 'game')} for each pair, {terms.time_ms} ms for a move",
        sentence=_sentence(contest, state, len(playing)),
        message=progress.message,
        played=len(state.bouts),
        planned=max(state.planned, progress.planned),
        rows=[_row(contest, state, row) for row in order],
        cross=_cross(state, [row.player for row in order], playing),
        absent=[
            wire.ArenaAbsence(name=state.names[each.player], reason=sentence(_without_folders(each.reason)))
            for each in state.absent
        ],
        notes=_notes(state),
        now=[_tile(state, one) for one in playing],
        recent=[game_view(contest, bout) for bout in state.bouts[: -RECENT - 1 : -1]],
    )


def number_word(number: int) -> str:
    return _NUMBERS[number] if number < len(_NUMBERS) else str(number)


def _sentence(contest: Contest, state: TournamentState, playing: int) -> str:
    done = f"{len(state.bouts):,} of {max(state.planned, contest.saved.progress.planned):,} games"
    match contest.status:
        case "done":
            return f"{done}. It is over."
        case "paused":
            left = f" {counted(playing, 'game')} in progress will be finished." if playing else ""
            return f"Paused after {done}.{left}"
        case "stopped":
            return f"Stopped after {done}."
        case "failed":
            return f"Failed after {done}."
    seconds = contest.seconds_left()
    return f"{done}." if seconds is None else f"{done}, {_time_left(seconds)} to go, estimated."


def _time_left(seconds: float) -> str:
    minutes = round(seconds / 60)
    if minutes < 1:
        return "less than a minute"
    return f"about {counted(minutes, 'minute')}" if minutes < 120 else f"about {minutes // 60} hours"


def _row(contest: Contest, state: TournamentState, row: Standing) -> wire.ArenaRow:
    player = contest.saved.terms.players[row.player]
    card = catalogue.contestants(contest.saved.terms.game).get(player)
    what = (
        "no longer on this server"
        if card is None
        else (f"level {card.level}" if card.level is not None else card.short)
    )
    return wire.ArenaRow(
        player=row.player,
        name=row.name,
        what=what,
        is_bot=player.startswith("bot:"),
        place=row.place,
        games=row.tally.games,
        won=row.tally.wins,
        drawn=row.tally.draws,
        lost=row.tally.losses,
        byes=row.byes,
        points=row.points,
        elo=row.elo if row.tally.games else None,
        error=row.error,
        failure=_failure(contest, state, row),
    )


def _failure(contest: Contest, state: TournamentState, row: Standing) -> wire.ArenaFailure | None:
    failures = state.failures(row.player)
    if not failures:
        return None
    first = failures[0]
    return wire.ArenaFailure(
        count=len(failures),
        sentence=clipped(f"{row.name} failed in {counted(len(failures), 'game')}: {_without_folders(first.failure)}"),
        trace=[_without_folders(line) for line in first.trace[-MOST_TRACE:]],
        game=contest.ids.get(first.key),
    )


def _without_folders(text: str) -> str:
    """Return a text without the folders of this machine: of a path, only the file name is kept."""
    return re.sub(r"(?<![\w.])/(?:[^\s/\"':]+/)+", "", text)


def _cross(state: TournamentState, order: list[int], playing: list[PlayedNow]) -> list[list[wire.ArenaCell | None]]:
    now = {frozenset(one.sides) for one in playing}

    def cell(a: int, b: int) -> wire.ArenaCell | None:
        is_playing = frozenset((a, b)) in now
        if a == b or ((a, b) not in state.by_pair and not is_playing):
            return None
        tally = state.tally(a, [b])
        return wire.ArenaCell(
            games=tally.games, points=tally.points, against=tally.games - tally.points, is_playing=is_playing
        )

    return [[cell(a, b) for b in order] for a in order]


def _notes(state: TournamentState) -> list[str]:
    notes = []
    if state.ratings.is_smoothed:
        notes.append(smoothing_text())
    if state.protection:
        notes.append(state.protection)
    return notes


def _tile(state: TournamentState, one: PlayedNow) -> Tile:
    position = one.game.position
    view = board.position_view(position)
    last = one.game.main_line()[-1] if one.game.ply else None
    names = [state.names[player] for player in one.sides]
    return Tile(
        id=one.key,
        game=board.game_name(position),
        width=view.width,
        height=view.height,
        names=names,
        board=view.board,
        last=[] if last is None or last.parent is None else board.path_of(last.parent.position, last.move),
        turn=view.side,
        is_over=False,
        sentence=f"{names[view.side]} to move",
        clock=None,
        round=0,
    )


def game_view(contest: Contest, bout: Bout) -> wire.ArenaGame:
    """Return a finished game."""
    names = [contest.state.names[player] for player in bout.sides]
    winner = {1.0: Side.FIRST, 0.0: Side.SECOND}.get(bout.points)
    outcome = Outcome(winner, bout.reason)
    sides = (names[0], names[1])
    return wire.ArenaGame(
        id=contest.ids.get(bout.key, ""),
        key=bout.key,
        names=names,
        players=list(bout.sides),
        result=outcome.result,  # type: ignore[arg-type]
        sentence=clipped(f"{explain.outcome_sentence(outcome, sides)} {counted(len(bout.moves), 'move')}."),
        opening=bout.opening,
        plies=len(bout.moves),
        failure=_without_folders(bout.failure),
    )


def games_view(contest: Contest, player: int | None, other: int | None, limit: int) -> wire.ArenaGames:
    """Return finished games: all, those of one player, or those between two players."""
    wanted = {index for index in (player, other) if index is not None}
    found = [bout for bout in contest.state.bouts if wanted <= set(bout.sides)]
    return wire.ArenaGames(games=[game_view(contest, bout) for bout in found[: -limit - 1 : -1]], total=len(found))


# Files


def report(store: Store, contest: Contest, form: wire.ReportFormat) -> Export:
    """Return a tournament as a file."""
    state = contest.state
    name = f"outplay-tournament-{contest.id}"
    texts = {
        "html": lambda: tournament_html(state),
        "csv": lambda: csv_text([COLUMNS, *table(state)]),
        "games": lambda: csv_text(_game_rows(state)),
        "pdn": lambda: _pdn(store, contest),
    }
    ending = {"games": "csv"}.get(form, form)
    suffix = "-games" if form == "games" else ""
    return Export(name=f"{name}{suffix}.{ending}", media=_MEDIA[form], text=texts[form]())


def _pdn(store: Store, contest: Contest) -> str:
    """Return the games in the order of the schedule."""
    places = {contest.ids.get(bout.key): bout.order for bout in contest.state.bouts}
    saved = [one for one in games_of(store, contest.id) if one.id in places]
    return "\n".join(pdn(one) for one in sorted(saved, key=lambda one: places[one.id]))


def _game_rows(state: TournamentState) -> Iterable[tuple[str, ...]]:
    yield "game", "first", "second", "points", "reason", "moves", "opening", "failure"
    for bout in sorted(state.bouts, key=lambda each: each.order):
        first, second = (state.names[player] for player in bout.sides)
        points = f"{half(bout.points)}-{half(1 - bout.points)}"
        yield bout.key, first, second, points, bout.reason.value, str(len(bout.moves)), bout.opening, bout.failure
