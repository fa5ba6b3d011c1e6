"""The WebSocket of a class: it sends the class first, then what changes; the page sends pings."""

from __future__ import annotations

import asyncio
import contextlib

from anyio.to_thread import run_sync
from fastapi import APIRouter, WebSocket

from outplay.errors import OutplayError
from outplay.web.classroom import wire
from outplay.web.classroom.classes import Classes, Page
from outplay.web.classroom.view import class_view, live_tile
from outplay.web.dependencies import all_games
from outplay.web.http.errors import error_of
from outplay.web.http.limits import Sockets, client_of
from outplay.web.http.people import PERSON
from outplay.web.play.mailbox import Mailbox, Message
from outplay.web.play.socket import OpenSocket, dismiss

router = APIRouter()


@router.websocket("/classes/{code}/events")
async def events(socket: WebSocket, code: str) -> None:
    """Send the events of a class."""
    await socket.accept()
    sockets: Sockets = socket.app.state.sockets
    try:
        with sockets.one(client_of(socket.scope)):
            await _watch(socket, socket.app.state.classes, code)
    except OutplayError as error:
        await dismiss(socket, error_of(error)[1])


async def _watch(socket: WebSocket, classes: Classes, code: str) -> None:
    the_class = await run_sync(classes.find, code)
    person: str = socket.scope.get(PERSON, "")
    mailbox = Mailbox(asyncio.get_running_loop())

    def class_text() -> str:
        return wire.ClassEvent(view=class_view(classes, classes.find(code), person)).model_dump_json()

    def tiles_text(page: Page) -> str:
        rooms = classes.changed_rooms(page)
        mine = [room for room in rooms if person == the_class.teacher or person in room.about.people]
        return wire.TilesEvent(tiles=[live_tile(room) for room in mine]).model_dump_json()

    page = Page(class_text, tiles_text)
    with contextlib.ExitStack() as stack:
        await run_sync(lambda: stack.enter_context(classes.present(person, the_class.code)))
        classes.watch(the_class.code, mailbox, page)
        stack.callback(classes.unwatch, the_class.code, mailbox)
        await ClassSocket(socket, mailbox, all_games(socket).limits).run()


class ClassSocket(OpenSocket):
    """The open socket of a class. Its texts need the database, so they are made in a thread."""

    async def make(self, message: Message) -> str:
        return await run_sync(message)
