"""One format for every failed request: an `ErrorBody` with its status."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from starlette.exceptions import HTTPException
from starlette.routing import Match
from starlette.types import ASGIApp, Receive, Scope, Send

from outplay import explain
from outplay.errors import (
    HTTP_STATUSES,
    EngineError,
    GameOverError,
    IllegalMoveError,
    IllegalPositionError,
    NotationError,
    OutplayError,
)
from outplay.learn.tries import OffLineError
from outplay.live import NotNowError, StaleError
from outplay.players import UnknownPlayerError
from outplay.record import NothingToUndoError
from outplay.store import ConflictError, DamagedGameError, ReadOnlyError, UnavailableError
from outplay.web import board
from outplay.web.wire import ErrorBody, ErrorView
from outplay.web.words import clipped, sentence

Kind = str


class UnknownGameError(OutplayError, LookupError):
    """There is no such game here."""


class UnknownCodeError(OutplayError, LookupError):
    """No device shows this code."""


class ForgottenKeyError(OutplayError):
    """Another device with this key has chosen "Forget me"."""


class UnknownClassError(OutplayError, LookupError):
    """There is no class with this code."""


class UnknownLessonError(OutplayError, LookupError):
    """There is no such lesson, or no such step or task in it."""


class UnknownPuzzleError(OutplayError, LookupError):
    """There is no puzzle with this id."""


class NameTakenError(OutplayError):
    """Another pupil of the class has this name."""


class NotYoursError(OutplayError):
    """The request is for something that belongs to another person."""


class UnknownRunError(OutplayError, LookupError):
    """There is no such run (a task that a page started, or a tournament), or it is no longer kept."""


class BusyError(OutplayError):
    """The server has reached its limit of games, sockets or runs."""


class TooManyRunsError(OutplayError):
    """One client has reached its limit of unfinished runs."""


_ANSWERS: tuple[tuple[type[Exception], int | None, Kind], ...] = (
    # the first that matches; None stands for the status in errors.HTTP_STATUSES
    (UnknownPlayerError, None, "unknown-player"),
    (NotationError, None, "notation"),
    (IllegalPositionError, None, "illegal-position"),
    (IllegalMoveError, None, "illegal-move"),
    (GameOverError, None, "game-over"),
    (EngineError, None, "engine"),
    (StaleError, 409, "stale"),
    (ConflictError, 409, "stale"),
    (NotNowError, 409, "not-now"),
    (NothingToUndoError, 409, "not-now"),
    (OffLineError, 409, "not-now"),
    (NotYoursError, 403, "not-yours"),
    (ForgottenKeyError, 401, "forgotten"),
    (UnknownGameError, 404, "unknown-game"),
    (UnknownRunError, 404, "unknown-run"),
    (UnknownCodeError, 404, "unknown-code"),
    (UnknownClassError, 404, "unknown-class"),
    (UnknownLessonError, 404, "unknown-lesson"),
    (UnknownPuzzleError, 404, "unknown-puzzle"),
    (NameTakenError, 409, "name-taken"),
    (TooManyRunsError, 429, "rate"),
    (BusyError, 503, "busy"),
    (ReadOnlyError, 503, "read-only"),
    (UnavailableError, 503, "storage"),
    (DamagedGameError, 500, "damaged"),
)
_HTTP_KINDS = {404: "not-found", 405: "method", 413: "too-large", 429: "rate", 403: "forbidden", 503: "busy"}


def error_of(error: Exception) -> tuple[int, ErrorView]:
    """Return the status and message of an error of ours; other errors are internal: their messages are not sent."""
    for kind_of_error, status, kind in _ANSWERS:
        if isinstance(error, kind_of_error):
            return status or _status(error), _view(error, kind)
    if isinstance(error, OutplayError):
        return _status(error), ErrorView(kind="internal", message=sentence(str(error)))
    return 500, ErrorView(kind="internal", message="Something went wrong in the server; its log says what.")


def _status(error: Exception) -> int:
    return next((HTTP_STATUSES[kind] for kind in type(error).__mro__ if kind in HTTP_STATUSES), 500)


def _view(error: Exception, kind: Any) -> ErrorView:
    if isinstance(error, IllegalMoveError):
        return _illegal_move(error)
    if isinstance(error, GameOverError):
        return ErrorView(kind=kind, message=sentence(f"the game is over: {error.reason}"))
    if isinstance(error, IllegalPositionError):
        reasons = [sentence(reason) for reason in error.reasons]
        return ErrorView(kind=kind, message=clipped(" ".join(reasons)), reasons=reasons)
    if isinstance(error, UnknownPlayerError):
        return ErrorView(kind=kind, message=sentence(error.reason))
    version = error.version if isinstance(error, StaleError) else None
    return ErrorView(kind=kind, message=sentence(str(error)), version=version)


def _illegal_move(error: IllegalMoveError) -> ErrorView:
    why = explain.refusal(error)
    moves = [board.move_view(error.position, move) for move in why.instead]
    return ErrorView(kind="illegal-move", message=clipped(why.message), detail=clipped(why.detail), moves=moves)


def error_response(status: int, view: ErrorView, headers: dict[str, str] | None = None) -> JSONResponse:
    return JSONResponse(ErrorBody(error=view).model_dump(mode="json"), status, headers)


def simple_error(status: int, message: str, headers: dict[str, str] | None = None) -> JSONResponse:
    """Return the response for an HTTP error."""
    kind: Any = _HTTP_KINDS.get(status, "invalid" if status < 500 else "internal")
    return error_response(status, ErrorView(kind=kind, message=sentence(message)), headers)


def invalid_view(errors: Any) -> ErrorView:
    """Return the errors of pydantic in words: "moves.0: Input should be a valid string"."""
    reasons, is_too_large = [], False
    for error in list(errors):
        place = ".".join(str(part) for part in error["loc"] if part not in ("body", "query", "path"))
        said = str(error["msg"])
        if _is_too_large(error):
            is_too_large = True
            said = (
                f"at most {error['ctx']['max_length']:,} characters are allowed, and this has {len(error['input']):,}"
            )
        reasons.append(clipped(f"{place}: {said}" if place else said))
    kind: Any = "too-large" if is_too_large else "invalid"
    return ErrorView(kind=kind, message=sentence(reasons[0] if reasons else "invalid"), reasons=reasons)


def _is_too_large(error: Any) -> bool:
    """Return True if a text in the body is too long; a long text in the address is only invalid."""
    return bool(error["type"] == "string_too_long" and error["loc"][:1] == ("body",))


def add_error_handlers(app: FastAPI, missing: Callable[[Request], Awaitable[Response | None]]) -> None:
    """Add the error handlers; `missing` may answer a request for an unknown page."""

    @app.exception_handler(OutplayError)
    async def _(request: Request, error: OutplayError) -> JSONResponse:
        status, view = error_of(error)
        if status >= 500 and view.kind == "internal":
            logging.getLogger(__name__).error("%s %s", request.method, request.url.path, exc_info=error)
        return error_response(status, view)

    @app.exception_handler(RequestValidationError)
    async def _(request: Request, error: RequestValidationError) -> JSONResponse:
        view = invalid_view(error.errors())
        return error_response(413 if view.kind == "too-large" else 422, view)

    @app.exception_handler(HTTPException)
    async def _(request: Request, error: HTTPException) -> Response:
        if error.status_code == 405:
            allowed = {"allow": ", ".join(_methods(app, request))}
            return simple_error(405, "this address does not accept that method", allowed)
        if error.status_code == 404:
            return await missing(request) or simple_error(404, "there is nothing at this address")
        return simple_error(error.status_code, str(error.detail))


def _methods(app: FastAPI, request: Request) -> list[str]:
    """Return the methods that an address accepts."""

    def takes(method: str) -> bool:
        scope = {**request.scope, "method": method}
        return any(route.matches(scope)[0] is Match.FULL for route in app.routes)

    return [method for method in ("GET", "HEAD", "POST") if takes(method)]


class CatchAll:
    """The outermost handler: it logs an unhandled error and answers with an `ErrorBody`."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        has_started = False

        async def watched(message: Any) -> None:
            nonlocal has_started
            has_started = has_started or message["type"] == "http.response.start"
            await send(message)

        try:
            await self._app(scope, receive, watched)
        except Exception as error:
            logging.getLogger(__name__).exception("%s %s", scope["method"], scope["path"])
            if has_started:
                raise
            status, view = error_of(error)
            await error_response(status, view)(scope, receive, send)
