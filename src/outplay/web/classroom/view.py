"""Make the JSON of a class: what its teacher and each of its pupils see."""

from __future__ import annotations

from collections.abc import Sequence

from outplay.live import LiveState
from outplay.notation.any import counted
from outplay.rules import rules_of
from outplay.store import Summary, people
from outplay.store.classes import SavedClass
from outplay.web import board
from outplay.web.classroom import standings, wire
from outplay.web.classroom.classes import Classes
from outplay.web.http.people import public_id
from outplay.web.play.room import Room
from outplay.web.play.view import clock_view
from outplay.web.words import csv_text

MOST_TILES = 60


def class_view(classes: Classes, the_class: SavedClass, person: str) -> wire.ClassView:
    """Return a class as a person sees it. A person who has not joined sees only its title."""
    is_teacher, pupil = person == the_class.teacher, the_class.pupil(person)
    is_member = is_teacher or pupil is not None
    games = classes.games(the_class) if is_member else []
    pupils = _pupils(classes, the_class, games) if is_member else []
    asks = classes.asks(the_class.code)
    own = [game for game in games if is_teacher or person in game.people]
    return wire.ClassView(
        code=the_class.code.upper(),
        title=the_class.title,
        is_teacher=is_teacher,
        name="" if pupil is None else pupil.name,
        is_paused=the_class.state.is_paused,
        is_over=the_class.state.is_over,
        sentence=_sentence(pupils, games),
        people=pupils,
        tiles=_tiles(classes, own) if is_member else [],
        asked_by=[public_id(asking) for asking, asked in asks.items() if asked == person],
        asking=public_id(asks.get(person, "")),
        tournament=_tournament(classes, the_class, games) if is_member else None,
    )


def _pupils(classes: Classes, the_class: SavedClass, games: list[Summary]) -> list[wire.PupilView]:
    names = the_class.names()
    playing = {person: game for game in games if game.reason is None for person in game.people if person}
    views = []
    for pupil in the_class.pupils:
        is_here, away = classes.is_here(pupil.person), classes.seconds_away(pupil.person)
        game = playing.get(pupil.person)
        other = "" if game is None else game.people[game.people[0] == pupil.person]
        words = "waiting" if game is None else f"plays {names.get(other) or 'an engine'}"
        if not is_here:
            words = f"away {away // 60} min" if away >= 60 else "away"
        views.append(
            wire.PupilView(
                person=public_id(pupil.person),
                name=pupil.name,
                is_here=is_here,
                seconds_away=away,
                game=None if game is None else game.id,
                sentence=words,
            )
        )
    return sorted(views, key=lambda view: (not view.is_here, view.game is not None))


def _sentence(pupils: list[wire.PupilView], games: list[Summary]) -> str:
    if not pupils:
        return "Waiting for the first pupil."
    here = sum(pupil.is_here for pupil in pupils)
    free = sum(pupil.is_here and pupil.game is None for pupil in pupils)
    running = sum(game.reason is None for game in games)
    return f"{here} here, {len(pupils) - here} away. {counted(running, 'game')} running, {free} free."


def _tiles(classes: Classes, games: list[Summary]) -> list[wire.Tile]:
    """Return the boards, those of running games first."""
    order = sorted(games, key=lambda game: game.reason is not None)[:MOST_TILES]
    tiles = []
    for game in order:
        with classes.shown(game.id) as room:
            if room is not None:
                tiles.append(live_tile(room))
    return tiles


def live_tile(room: Room) -> wire.Tile:
    """Return a game as a small board."""
    state = room.live.state()
    rules = rules_of(state.position)
    view = board.position_view(state.position)
    last = board.path_of(state.positions[-2], state.moves[-1]) if state.moves else []
    names = [name or rules.sides[side] for side, name in enumerate(room.names)]
    return wire.Tile(
        id=room.id,
        game="connect4" if rules.name == "connect4" else "checkers",
        width=view.width,
        height=view.height,
        names=names,
        board=view.board,
        last=last,
        turn=1 if state.side else 0,
        is_over=state.outcome is not None,
        sentence=_tile_sentence(state, names),
        clock=None if state.clock is None else clock_view(state.clock),
        round=room.about.class_round,
    )


def _tile_sentence(state: LiveState, names: list[str]) -> str:
    outcome = state.outcome
    if outcome is None:
        return f"{names[state.side]} to move"
    return "A draw" if outcome.winner is None else f"{names[outcome.winner]} wins"


def _tournament(classes: Classes, the_class: SavedClass, games: list[Summary]) -> wire.ClassTournamentView | None:
    tournament = the_class.state.tournament
    if tournament is None:
        return None
    played = [game for game in games if game.class_round > tournament.first_game_round]
    names = the_class.names()
    left = sum(game.reason is None for game in played)
    is_last = tournament.round >= tournament.rounds
    rows = standings.table(tournament.people, played, [person for _, person in tournament.byes])
    resting = [names.get(person, "?") for number, person in tournament.byes if number == tournament.round]
    words = f"Round {tournament.round} of {tournament.rounds}"
    if left:
        words += f": {counted(left, 'game')} still running."
    else:
        words = "The tournament is over." if is_last else f"{words} is over."
    return wire.ClassTournamentView(
        format=tournament.format,
        game="connect4" if tournament.offer.game == "connect4" else "checkers",
        round=tournament.round,
        rounds=tournament.rounds,
        is_round_over=left == 0,
        is_over=left == 0 and is_last,
        sentence=words,
        resting=resting,
        standings=[
            wire.StandingView(
                place=place,
                person=public_id(row.person),
                name=names.get(row.person, "(removed)"),
                points=row.points,
                won=row.won,
                drawn=row.drawn,
                lost=row.lost,
                byes=row.byes,
                buchholz=row.buchholz,
            )
            for place, row in standings.ranked(rows)
        ],
    )


def results(classes: Classes, the_class: SavedClass) -> str:
    """Return the games of a class as CSV: one line each, newest last."""
    names = the_class.names()
    gone = people.names_of(classes.store, {person for game in classes.games(the_class) for person in game.people})
    rows: list[Sequence[object]] = [("game", "round", "first", "second", "result", "reason", "moves", "changed")]
    for game in reversed(classes.games(the_class)):
        first, second = (
            names.get(person) or gone.get(person) or seat for person, seat in zip(game.people, game.seats, strict=True)
        )
        result = "*" if game.reason is None else {0: "1-0", 1: "0-1", None: "1/2-1/2"}[game.winner]
        when = game.changed.isoformat(timespec="seconds")
        rows.append((game.game, game.class_round, first, second, result, game.reason or "", game.plies, when))
    return csv_text(rows)
