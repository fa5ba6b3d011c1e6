"""The web server for tests: in this process with a test client, or a real one in a process of its own."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlsplit

import httpx2
import uvicorn
from fastapi.testclient import TestClient
from starlette.testclient import WebSocketTestSession
from starlette.types import ASGIApp
from websockets.sync.client import ClientConnection, connect

from outplay.web.app import create_app
from outplay.web.http.connections import Socket, connections
from outplay.web.http.people import COOKIE
from outplay.web.serve import listen
from outplay.web.settings import Limits, Settings

SECONDS = 60
"""The most seconds that a test waits for something certain."""
HUMANS = ["human", "human"]
KEY = "k" * 24
"""The key of the person who plays in most tests, on every server."""
Json = dict[str, Any]


@contextmanager
def app_client(settings: Settings | None = None, *, key: str | None = KEY) -> Iterator[TestClient]:
    """Run the app in this process. Default: games are kept in memory."""
    settings = settings or Settings(db="sqlite://", slots=1)
    cookies = {} if key is None else {COOKIE: key}
    with TestClient(create_app(settings), base_url=f"http://127.0.0.1:{settings.port}", cookies=cookies) as client:
        yield client


@contextmanager
def served(app: ASGIApp, limits: Limits, *, lifespan: Literal["on", "off"] = "on") -> Iterator[tuple[str, int]]:
    """Serve an app on a thread of this process, with real connections; its address."""
    config = uvicorn.Config(app, http=connections(limits), ws=Socket, lifespan=lifespan, log_level="critical")
    server, listener = uvicorn.Server(config), listen("127.0.0.1", 0)
    thread = threading.Thread(target=server.run, args=([listener],))
    thread.start()
    try:
        yield listener.getsockname()
    finally:
        server.should_exit = True
        thread.join(SECONDS)


def most_to_end() -> float:
    """The seconds within which a server ends after SIGTERM: two, whatever is going on in it.

    They are more only as far as other programs keep the machine busy.
    """
    return 2.0 * slowness()


def slowness() -> float:
    """How many times as long everything takes because other programs keep the machine busy."""
    return max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1))


class Game:
    """One game on a server, as a page would use it."""

    def __init__(self, client: httpx2.Client | TestClient, view: Json) -> None:
        self.client, self.view = client, view

    @property
    def path(self) -> str:
        return f"/api/games/{self.view['id']}"

    @property
    def texts(self) -> list[str]:
        return [move["text"] for move in self.view["moves"]]

    def post(self, command: str, **body: Any) -> httpx2.Response:
        if command not in ("pace", "review", "review/stop"):
            body.setdefault("version", self.view["version"])
        return self.client.post(f"{self.path}/{command}", json=body)

    def do(self, command: str, **body: Any) -> Json:
        """A command that must succeed."""
        response = self.post(command, **body)
        assert response.status_code == 200, response.text
        self.view = response.json()
        return self.view

    def play(self, *moves: str) -> Json:
        for move in moves:
            self.do("moves", move=move)
        return self.view

    def error(self, command: str, **body: Any) -> Json:
        """A command that must fail; what it answers."""
        response = self.post(command, **body)
        assert response.status_code >= 400, response.text
        return error_of(response)

    def watch(self) -> WebSocketTestSession:
        """Its socket, where the server is in this process."""
        assert isinstance(self.client, TestClient)
        return self.client.websocket_connect(f"ws://{self.client.base_url.netloc.decode()}{self.path}/events")

    def look(self) -> Json:
        self.view = self.client.get(self.path).json()
        return self.view


def on(server: ServerProcess, game: Game) -> Game:
    """The same game on another server."""
    found = Game(server.client, game.view)
    found.look()
    return found


def new_game(
    client: httpx2.Client | TestClient, game: str = "connect4", seats: list[str] | None = None, **options: Any
) -> Game:
    response = client.post("/api/games", json={"game": game, "seats": seats or HUMANS, **options})
    assert response.status_code == 201, response.text
    return Game(client, response.json())


def error_of(response: httpx2.Response) -> Json:
    """The one shape of every error, checked."""
    body = response.json()
    assert set(body) == {"error"}
    error: Json = body["error"]
    assert set(error) == {"kind", "message", "detail", "reasons", "moves", "version"}
    assert error["message"]
    return error


def until(receive: Callable[[], Json], holds: Callable[[Json], bool]) -> Json:
    """The first event for which this holds."""
    while True:
        event = receive()
        if holds(event):
            return event


def is_state(**expected: Any) -> Callable[[Json], bool]:
    """Whether an event is a state whose game has these values."""
    return lambda event: (
        event["kind"] == "state" and all(event["game"][name] == value for name, value in expected.items())
    )


class ServerProcess:
    """A real `outplay serve`, with its data in a folder."""

    def __init__(
        self,
        folder: Path,
        *arguments: str,
        heard: Callable[[str], object] = lambda _: None,
        within: Sequence[str] = (),
        patience: float = SECONDS,
        **environment: str,
    ) -> None:
        """`heard` is called with each line that it says, on a thread of its own; `within` is a command that runs it.

        `patience` is how long it may say nothing before it is ready: a standby waits for another server.
        """
        self.folder, self._heard, self._patience = folder, heard, patience
        variables = {**os.environ, "OUTPLAY_DATA": str(folder), "PYTHONUNBUFFERED": "1", **environment}
        self.process = subprocess.Popen(
            [*within, sys.executable, "-W", "error", "-m", "outplay.cli", "serve", *(arguments or ("--port", "0"))],
            env=variables,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self.said: list[str] = []
        self._lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        self.url = self._find_url()
        self.started = len(self.said)
        """How many lines it said until it was ready."""
        self.client = httpx2.Client(base_url=self.url, timeout=SECONDS, cookies={COOKIE: KEY})

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._heard(line)
            self._lines.put(line.rstrip("\n"))
        self._lines.put(None)

    def _find_url(self) -> str:
        with contextlib.suppress(queue.Empty):
            while (line := self._lines.get(timeout=self._patience)) is not None:
                self.said.append(line)
                if " is at http" in line:
                    return line.split(" is at ")[1].split()[0]
        self._let_go()
        raise AssertionError("\n".join(["the server did not start", *self.said]))

    @property
    def port(self) -> int:
        return urlsplit(self.url).port or 80

    def socket(self, game: Game, **options: Any) -> ClientConnection:
        url = f"{self.url.replace('http', 'ws', 1)}{game.path}/events"
        cookie = {"cookie": f"{COOKIE}={KEY}"}
        connection: ClientConnection = connect(url, open_timeout=SECONDS, additional_headers=cookie, **options)
        return connection

    def kill(self) -> None:
        """Kill the server as a power cut would: without a message or cleanup."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(SECONDS)

    def end(self, number: int = signal.SIGINT) -> int:
        """Send Ctrl-C and return the exit code; then `said` holds all output."""
        if self.process.poll() is None:
            self.process.send_signal(number)
        code = self.process.wait(SECONDS)
        while (line := self._lines.get(timeout=SECONDS)) is not None:
            self.said.append(line)
        return code

    def __enter__(self) -> ServerProcess:
        return self

    def __exit__(self, *error: object) -> None:
        self.client.close()
        self._let_go()

    def _let_go(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait(SECONDS)
        self._reader.join(SECONDS)
        assert self.process.stdout is not None
        self.process.stdout.close()


def receive(socket: ClientConnection) -> Json:
    event: Json = json.loads(socket.recv(timeout=SECONDS))
    return event
