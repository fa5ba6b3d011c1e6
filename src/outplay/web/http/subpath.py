"""Hosting under a sub-path: the server's own routes do not contain it.

A proxy may pass the path on as it is, or without the sub-path: both work. What the server writes itself (addresses in
pages, the path of cookies, the OpenAPI document) names the sub-path in any case.
"""

from __future__ import annotations

import re

from starlette.responses import RedirectResponse
from starlette.types import ASGIApp, Receive, Scope, Send

_ROOT_PATH = re.compile(r"(/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)+")


def checked_root_path(text: str) -> str:
    """Return a sub-path such as `/outplay`, or an empty string for the root; ValueError if it is not a path."""
    path = f"/{text.strip('/')}" if text.strip("/") else ""
    if path and not _ROOT_PATH.fullmatch(path):
        raise ValueError(f"{text!r} is not a path: use letters, digits, -, _ and /, for example /outplay")
    return path


class SubPath:
    """Removes the sub-path from the paths of requests, and redirects `/outplay` to `/outplay/`."""

    def __init__(self, app: ASGIApp, root_path: str) -> None:
        self._app, self._root = app, root_path

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        path = scope.get("path", "")
        if path.startswith(f"{self._root}/"):
            scope = {**scope, "path": path.removeprefix(self._root)}
        elif path == self._root and scope["type"] == "http":
            query = scope["query_string"].decode("latin-1")
            answer = RedirectResponse(f"{self._root}/{query and f'?{query}'}", 307)
            await answer(scope, receive, send)
            return
        await self._app(scope, receive, send)
