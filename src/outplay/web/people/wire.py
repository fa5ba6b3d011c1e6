"""JSON of a person: the name, and the code that copies the key to another device."""

from __future__ import annotations

from pydantic import Field

from outplay.store.people import MOST_NAME
from outplay.web.wire import Reply, Request


class Me(Reply):
    """The person who sends the request."""

    id: str = Field(description="the id of this person on other pages; it gives no access")
    name: str = Field(description="empty until the person has chosen one")
    was_forgotten: bool = Field(
        default=False, description='this browser had a key for which another device chose "Forget me"; said once'
    )


class Nothing(Request):
    """A request without fields."""


class NameRequest(Request):
    """A name; an empty one removes it."""

    name: str = Field(max_length=MOST_NAME)


class CopyCode(Reply):
    """A code for another device: it works once."""

    code: str = Field(description='"k7wq-3mfd"')
    seconds: int = Field(description="how long it works")


class EnterRequest(Request):
    """The code that the other device shows."""

    code: str = Field(min_length=1, max_length=40)
