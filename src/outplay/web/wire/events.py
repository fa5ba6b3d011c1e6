"""The messages of a game's WebSocket."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, TypeAdapter

from outplay.web.wire.base import Answer, Request, Version
from outplay.web.wire.errors import ErrorView
from outplay.web.wire.games import ClockView, GameView
from outplay.web.wire.opinions import Opinion


class StateEvent(Answer):
    """The game changed; also the first message, and the answer to `resume` when something is newer."""

    kind: Literal["state"] = "state"
    game: GameView


class ThinkingEvent(Answer):
    """A search goes on; at most four a second."""

    kind: Literal["thinking"] = "thinking"
    version: Version
    is_queued: bool = Field(description="no worker is free yet")
    opinion: Opinion


class ClockEvent(Answer):
    """Time left, now and then while a clock runs."""

    kind: Literal["clock"] = "clock"
    version: Version
    clock: ClockView


class PongEvent(Answer):
    """The answer to a ping."""

    kind: Literal["pong"] = "pong"


class ErrorEvent(Answer):
    """A message that could not be understood, or a socket about to be closed."""

    kind: Literal["error"] = "error"
    error: ErrorView


class PingMessage(Request):
    """Are you there?"""

    kind: Literal["ping"]


class ResumeMessage(Request):
    """The page has this revision; send `state` if there is a newer one."""

    kind: Literal["resume"]
    revision: Version


Event = Annotated[StateEvent | ThinkingEvent | ClockEvent | PongEvent | ErrorEvent, Field(discriminator="kind")]
ClientMessage = Annotated[PingMessage | ResumeMessage, Field(discriminator="kind")]
EVENT: TypeAdapter[StateEvent | ThinkingEvent | ClockEvent | PongEvent | ErrorEvent] = TypeAdapter(Event)
CLIENT_MESSAGE: TypeAdapter[PingMessage | ResumeMessage] = TypeAdapter(ClientMessage)


def socket_schemas() -> dict[str, Any]:
    """The WebSocket's types as OpenAPI components, which FastAPI leaves out by itself."""
    reference = "#/components/schemas/{model}"
    event = EVENT.json_schema(ref_template=reference, mode="serialization")
    message = CLIENT_MESSAGE.json_schema(ref_template=reference, mode="validation")
    parts = event.pop("$defs", {}) | message.pop("$defs", {})
    return {**parts, "Event": event, "ClientMessage": message}
