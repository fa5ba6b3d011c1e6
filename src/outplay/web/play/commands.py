"""The commands of a game. Every answer is the complete, saved game after the command."""

from __future__ import annotations

import anyio
from anyio.to_thread import run_sync
from fastapi import APIRouter

from outplay.explain.places import hint_cells
from outplay.live import catalogue
from outplay.live.terms import pace_of
from outplay.outcome import Side
from outplay.web import board
from outplay.web.dependencies import ERRORS, TheCommand
from outplay.web.play import wire
from outplay.web.play.view import refusal_view
from outplay.web.wire import MarkView

router = APIRouter(prefix="/games/{id}", responses=ERRORS)
HINTS = 8
"""The most requests that may wait for a hint at a time: each holds a thread that other commands need too."""


@router.post("/moves")
def play(asked: TheCommand, request: wire.MoveRequest) -> wire.GameView:
    """Play a move for the human whose turn it is."""
    with asked.room() as room:
        room.check_turn(asked.person, request.version)
        room.check_length()
        return room.do(lambda live: live.play(request.move, version=request.version))


@router.post("/why-not")
def why_not(asked: TheCommand, request: wire.MoveRequest) -> wire.RefusalView:
    """Return the rule that forbids a move, or why a piece cannot move, without playing anything."""
    with asked.room() as room:
        room.check(request.version)
        return refusal_view(room.live.state().position, request.move)


@router.post("/takeback")
def takeback(asked: TheCommand, request: wire.TakebackRequest) -> wire.GameView:
    """Take moves back. In a game of two people, ask the other one, or answer."""
    with asked.room() as room:
        side = room.speaker(asked.person, request.version)
        if side is None:
            return room.do(lambda live: live.takeback(request.plies, version=request.version))
        if request.action == "ask":
            return room.do(lambda live: live.ask_takeback(side, version=request.version))
        room.check_asked(side, room.live.state().takeback_offer)
        agrees = request.action == "agree"
        return room.do(lambda live: live.answer_takeback(agrees=agrees, version=request.version))


@router.post("/redo")
def redo(asked: TheCommand, request: wire.VersionRequest) -> wire.GameView:
    """Replay the moves that were taken back."""
    return asked.do(lambda live: live.redo(version=request.version))


@router.post("/resign")
def resign(asked: TheCommand, request: wire.ResignRequest) -> wire.GameView:
    """Resign."""
    asked_side = None if request.side is None else Side(request.side)
    with asked.room() as room:
        side = room.speaker(asked.person, request.version, asked_side)
        return room.do(lambda live: live.resign(side, version=request.version))


@router.post("/draw")
def draw(asked: TheCommand, request: wire.DrawRequest) -> wire.GameView:
    """Offer a draw, or answer an offer."""
    with asked.room() as room:
        side = room.speaker(asked.person, request.version)
        if request.action == "offer":
            return room.do(lambda live: live.offer_draw(side, version=request.version))
        if side is not None:
            room.check_asked(side, room.live.state().draw_offer)
        if request.action == "accept":
            return room.do(lambda live: live.accept_draw(version=request.version))
        return room.do(lambda live: live.decline_draw(version=request.version))


@router.post("/say")
def say(asked: TheCommand, request: wire.SayRequest) -> wire.Said:
    """Send the other people one of the ready-made messages."""
    with asked.room() as room:
        return room.say(asked.person, request.message)


_hints = anyio.CapacityLimiter(HINTS)


@router.post("/hint")
async def hint(asked: TheCommand, request: wire.HintRequest) -> wire.HintView:
    """Return a hint for the human whose turn it is."""

    def ask() -> wire.HintView:
        with asked.room() as room:
            room.rights(asked.person).check_alone()
            position, found = room.hint(request.step, request.version)
        return wire.HintView(
            version=request.version,
            step=found.step,
            sentence=found.sentence,
            reason=found.reason or found.sentence,
            line=found.line,
            cells=hint_cells(position, found),
            move=None if found.move is None else board.move_view(position, found.move),
            marks=[MarkView.model_validate(mark.to_dict()) for mark in found.marks],
        )

    return await run_sync(ask, limiter=_hints)


@router.post("/seats")
def seats(asked: TheCommand, request: wire.SeatsRequest) -> wire.GameView:
    """Change the players, at any time."""
    with asked.room() as room:
        room.rights(asked.person).check_alone()
        with room.live.held() as (game, terms):
            first, second = (
                None if name is None else catalogue.find(game.rules.name, name, terms.seat_seed(side))
                for name, side in zip((request.first, request.second), Side, strict=True)
            )
        room.take_seats(asked.person)
        room.live.set_seats(first=first, second=second, version=request.version)
        return room.do(lambda live: live.set_pace(pace_of(live.state().seats, live.state().time_ms or 0)))


@router.post("/pace")
def pace(asked: TheCommand, request: wire.PaceRequest) -> wire.GameView:
    """Set the thinking time per move (and, between engines, the pace), pause or resume."""
    with asked.room() as room:
        room.rights(asked.person).check_alone()
        if request.time_ms is not None:
            time_ms = min(request.time_ms, asked.games.limits.max_time_ms)
            room.live.set_time(time_ms)
            room.live.set_pace(pace_of(room.live.state().seats, time_ms))
        if request.paused is True:
            room.live.pause()
        elif request.paused is False:
            room.check_length()
            room.live.resume()
        return room.view()


@router.post("/step")
def step(asked: TheCommand, request: wire.VersionRequest) -> wire.GameView:
    """Let the engine play one move while the game is paused."""
    with asked.room() as room:
        room.rights(asked.person).check_alone()
        room.check_length()
        return room.do(lambda live: live.step(version=request.version))


@router.post("/move-now")
def move_now(asked: TheCommand, request: wire.VersionRequest) -> wire.GameView:
    """Make the engine play the best move it has found."""
    return asked.do(lambda live: live.move_now(version=request.version))


@router.post("/stop")
def stop(asked: TheCommand, request: wire.VersionRequest) -> wire.GameView:
    """End the search without a move, and pause the game."""
    return asked.do(lambda live: live.stop(version=request.version))


@router.post("/retry")
def retry(asked: TheCommand, request: wire.VersionRequest) -> wire.GameView:
    """Repeat the search of an engine that failed."""
    return asked.do(lambda live: live.retry(version=request.version))
