"""The WebSocket of a game: it sends the state first, then events; the page sends pings and `resume`."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Coroutine
from typing import Any

from anyio.to_thread import run_sync
from fastapi import APIRouter, WebSocket, WebSocketDisconnect
from pydantic import TypeAdapter, ValidationError

from outplay.errors import OutplayError
from outplay.web.dependencies import all_games
from outplay.web.http.errors import error_of, invalid_view
from outplay.web.http.limits import Bucket, Sockets, client_of
from outplay.web.http.people import PERSON
from outplay.web.play import wire
from outplay.web.play.games import Games
from outplay.web.play.mailbox import Mailbox, Message
from outplay.web.play.room import Room
from outplay.web.settings import Limits
from outplay.web.wire import ErrorView, GameId

router = APIRouter()
_GAME_ID: TypeAdapter[str] = TypeAdapter(GameId)
PONG = wire.PongEvent().model_dump_json()
CLOSE_CODES = {"unknown-game": 4404, "invalid": 4404, "busy": 1013, "rate": 1008}


@router.websocket("/games/{game_id}/events")
async def events(socket: WebSocket, game_id: str) -> None:
    """Send the events of a game."""
    await socket.accept()
    sockets: Sockets = socket.app.state.sockets
    client = client_of(socket.scope)
    try:
        with sockets.one(client):
            await _watch(socket, all_games(socket), _GAME_ID.validate_python(game_id), client)
    except ValidationError as error:
        await dismiss(socket, invalid_view(error.errors()))
    except OutplayError as error:
        await dismiss(socket, error_of(error)[1])


async def _watch(socket: WebSocket, games: Games, game_id: str, client: str) -> None:
    mailbox = Mailbox(asyncio.get_running_loop())
    with contextlib.ExitStack() as stack:
        room = await run_sync(lambda: stack.enter_context(games.room(game_id, client)))
        await run_sync(room.wake)
        person: str = socket.scope.get(PERSON, "")
        if code := room.about.class_code:  # who plays a game of a class is here
            await run_sync(lambda: stack.enter_context(socket.app.state.classes.present(person, code)))
        await run_sync(room.watch, mailbox, person)
        stack.callback(room.unwatch, mailbox)
        await GameSocket(socket, room, mailbox, games.limits).run()


class OpenSocket:
    """One open socket: it answers pings and sends the events of a mailbox."""

    def __init__(self, socket: WebSocket, mailbox: Mailbox, limits: Limits) -> None:
        self._socket, self._mailbox, self._limits = socket, mailbox, limits
        self._sending = asyncio.Lock()
        self._bucket = None if limits.messages is None else Bucket(limits.messages)

    async def run(self) -> None:
        """Run until either side closes the socket, or the client takes too long to accept events."""
        both = [asyncio.create_task(_until_gone(work)) for work in (self._listen(), self._tell())]
        try:
            await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in both:
                task.cancel()
            await asyncio.wait(both)
        for task in both:
            if not task.cancelled():
                task.result()
        await _close(self._socket, 1011 if self._mailbox.is_over else 1000)

    async def make(self, message: Message) -> str:
        """Make the text of an event."""
        return message()

    async def resume(self, revision: int) -> None:
        """Tell a page what it has missed since this revision."""

    async def _tell(self) -> None:
        while not self._mailbox.is_over:
            await self._send(await self.make(await self._mailbox.get()))

    async def _listen(self) -> None:
        """Read and answer messages one by one; while a client does not read its answers, its messages wait."""
        while True:
            message = await self._socket.receive()
            if message["type"] == "websocket.disconnect":
                return
            if self._bucket is not None and not self._bucket.take():
                await self._send(_error_text(ErrorView(kind="rate", message="Too many messages.")))
                return
            answer = await self._answer(message.get("text"))
            if answer is not None:
                await self._send(answer)

    async def _answer(self, text: str | None) -> str | None:
        if text is None:
            return _error_text(ErrorView(kind="invalid", message="A message must be text, not bytes."))
        try:
            message = wire.CLIENT_MESSAGE.validate_json(text)
        except ValidationError as error:
            return _error_text(invalid_view(error.errors(include_url=False, include_input=False)))
        if isinstance(message, wire.PingMessage):
            return PONG
        await self.resume(message.revision)
        return None

    async def _send(self, text: str) -> None:
        async with asyncio.timeout(self._limits.send_seconds), self._sending:
            await self._socket.send_text(text)


class GameSocket(OpenSocket):
    """The open socket of a game."""

    def __init__(self, socket: WebSocket, room: Room, mailbox: Mailbox, limits: Limits) -> None:
        super().__init__(socket, mailbox, limits)
        self._room = room

    async def resume(self, revision: int) -> None:
        if self._room.live.state().revision > revision:
            await run_sync(self._room.send_state, self._mailbox)


async def _until_gone(work: Coroutine[Any, Any, None]) -> None:
    with contextlib.suppress(WebSocketDisconnect, TimeoutError):
        await work


def _error_text(view: ErrorView) -> str:
    return wire.ErrorEvent(error=view).model_dump_json()


async def dismiss(socket: WebSocket, view: ErrorView) -> None:
    """Send the reason, and close the socket."""
    with contextlib.suppress(WebSocketDisconnect, RuntimeError):
        await socket.send_text(_error_text(view))
    await _close(socket, CLOSE_CODES.get(view.kind, 1011))


async def _close(socket: WebSocket, code: int) -> None:
    with contextlib.suppress(WebSocketDisconnect, RuntimeError):  # closed already
        await socket.close(code)
