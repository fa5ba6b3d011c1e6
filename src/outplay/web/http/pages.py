"""The pages: the built front end, or a note on how to build it.

All pages are one file; the browser chooses what to show.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from outplay.web.http.errors import simple_error

PAGES = (
    "/",
    "/play/{game}",
    "/play/{id}/sit/{invitation}",
    "/game/{id}",
    "/me/{code}",
    "/analyse",
    "/arena",
    "/arena/{id}",
    "/class",
    "/class/{code}",
    "/class/{code}/board",
    "/lab",
    "/lab/course",
    "/lab/course/{rung}",
    "/lab/course/{rung}/{step}",
    "/lab/monte-carlo",
    "/learn",
    "/learn/{game}/{lesson}",
    "/learn/{game}/{lesson}/{step}",
    "/library",
    "/puzzles",
    "/puzzles/{id}",
    "/docs/{page:path}",
    "/settings",
)
FILES = ("favicon.svg", "app.svg", "manifest.webmanifest", "theme.js")
"""The files beside the page."""
FOREVER = "public, max-age=31536000, immutable"
"""The caching header of files with a hash of their content in their name."""
CHECKED = "no-cache"
"""The caching header of files that the browser keeps but revalidates each time."""

_MISSING = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>outplay</title></head>
<body><h1>outplay</h1><p>The server runs, but its pages are not built yet: run <code>make build</code>.</p>
<p>The programming interface is at <a href="{root}/api/openapi.json">{root}/api/openapi.json</a>.</p></body></html>
"""


class Pages:
    """Serves the built app from a folder: one `index.html` for every page, and its files."""

    def __init__(self, static: Path, root_path: str = "") -> None:
        self._index = static / "index.html"
        self._static, self._root = static, root_path

    def routes(self) -> list[Route | Mount]:
        pages = [Route(path, self.page, methods=["GET"]) for path in PAGES]
        files = [Route(f"/{name}", self.file, methods=["GET"]) for name in FILES]
        assets = Assets(directory=self._static / "assets", check_dir=False)
        packed = GZipMiddleware(assets, minimum_size=1000)
        return [*pages, *files, Mount("/assets", packed)]

    async def page(self, request: Request) -> Response:
        if not self._index.is_file():
            return HTMLResponse(_MISSING.format(root=self._root), headers={"cache-control": "no-store"})
        return self._whole_page(request)

    def _whole_page(self, request: Request) -> Response:
        """Return the page, with the addresses of its files as they are on this server."""
        html = self._index.read_text(encoding="utf-8").replace('="./', f'="{self._root}/')
        mark = f'"{hashlib.sha256(html.encode()).hexdigest()[:32]}"'
        headers = {"cache-control": CHECKED, "etag": mark}
        if mark in request.headers.get("if-none-match", ""):
            return Response(status_code=304, headers=headers)
        return HTMLResponse(html, headers=headers)

    async def file(self, request: Request) -> Response:
        """Serve one of the few files beside the page; their names are fixed, so that no path comes from a request."""
        path = self._static / request.url.path.removeprefix("/")
        if not path.is_file():
            return simple_error(404, "there is nothing at this address")
        media = "application/manifest+json" if path.suffix == ".webmanifest" else None
        return FileResponse(path, media_type=media, headers={"cache-control": CHECKED})

    async def missing(self, request: Request) -> Response | None:
        """Return our page for a browser that asks for an unknown page, and None for programs."""
        if request.url.path.startswith("/api") or "text/html" not in request.headers.get("accept", ""):
            return None
        response = await self.page(request)
        response.status_code = 404
        return response


class Assets(StaticFiles):
    """Static files that never change."""

    def file_response(self, *args: object, **options: object) -> Response:
        response = super().file_response(*args, **options)  # type: ignore[arg-type]
        response.headers["cache-control"] = FOREVER
        return response
