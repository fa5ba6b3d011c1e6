"""Measure a takeover: how long games stand still when a server is killed and its standby goes on behind nginx.

    python -m bench.standby [--games 50] [--every 1]

Two servers use one PostgreSQL behind a real nginx with deploy/nginx.conf; the second has --standby. Players with a page
open each (a WebSocket) play against a low level through nginx. In the middle of it the first server is killed (-9).
Reported: the seconds until each game had its next acknowledged move, and whether any acknowledged move was lost.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import ssl
import tempfile
import time
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx2
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from tests.support.nginx import HOST, Nginx, free_ports, nginx
from tests.support.postgres import postgres
from tests.support.web_server import ServerProcess

GAMES = ("connect4", "checkers")
BEHIND = ("--proxy", "127.0.0.1", "--allow-host", HOST)
BEFORE_SECONDS = 5.0
"""How long the games go on before the server is killed."""
MOST_SECONDS = 60.0
"""How long they may stand still before the measurement is given up."""


@dataclass(slots=True)
class Takeover:
    """What was measured."""

    seconds: list[float] = field(default_factory=list)
    """From the kill to the next acknowledged move, for each player."""
    acknowledged: dict[str, list[str]] = field(default_factory=dict)
    """The moves last acknowledged, by game."""
    lost: list[str] = field(default_factory=list)
    """Games that miss an acknowledged move."""


class RefusedError(Exception):
    """The answer to a request was an error; nginx answers 502 while no server is there."""


class Player:
    """One person with one page, who goes on after every interruption."""

    def __init__(self, number: int, front: Nginx, client: httpx2.AsyncClient, takeover: Takeover, every: float) -> None:
        self._chance, self._number = random.Random(number), number
        self._front, self._client, self._takeover, self._every = front, client, takeover, every
        self._headers = {"cookie": f"outplay_key={number:024}"}
        self._game: str | None = None
        self.killed_at: float | None = None
        self.has_resumed = asyncio.Event()

    async def play(self) -> None:
        await asyncio.sleep(self._chance.random() * self._every)
        while not self.has_resumed.is_set():
            try:
                await self._sit_down()
            except (httpx2.HTTPError, WebSocketException, OSError, RefusedError, TimeoutError):
                await asyncio.sleep(0.25)  # as a page that has lost its server

    async def _sit_down(self) -> None:
        if self._game is None:
            body = {"game": GAMES[self._number % 2], "seats": ["human", "level:1"], "time_ms": 100}
            self._game = str((await self._ask("POST", "/api/games", body))["id"])
        async with connect(
            f"wss://{HOST}/api/games/{self._game}/events",
            host="127.0.0.1",
            port=self._front.port,
            ssl=_trusting(),
            additional_headers=self._headers,
        ) as socket:
            view = (await _next_state(socket, -1))["game"]
            while not self.has_resumed.is_set():
                view = await self._turn(view, socket)
                await asyncio.sleep(self._every)

    async def _turn(self, view: dict[str, Any], socket: ClientConnection) -> dict[str, Any]:
        """Play a move and wait for the reply; start again when the game is over."""
        if view["status"] == "over":
            self._game = None
            raise RefusedError("over")
        if view["status"] == "human":
            body = {"version": view["version"], "move": self._chance.choice(view["legal"])["text"]}
            view = await self._ask("POST", f"/api/games/{view['id']}/moves", body)
            self._takeover.acknowledged[view["id"]] = _texts(view)
            if self.killed_at is not None:
                self._takeover.seconds.append(time.monotonic() - self.killed_at)
                self.has_resumed.set()
        elif view["status"] != "thinking":
            raise AssertionError(f"game {view['id']} is {view['status']}: {view['failure']}")  # it would wait for ever
        if view["status"] == "thinking":
            view = (await _next_state(socket, view["version"]))["game"]
        return view

    async def _ask(self, method: str, path: str, body: dict[str, Any]) -> dict[str, Any]:
        response = await self._client.request(method, path, json=body, headers=self._headers)
        if response.status_code >= 400:
            raise RefusedError(f"{response.status_code} {response.text[:200]}")
        answer: dict[str, Any] = response.json()
        return answer


async def _next_state(socket: ClientConnection, version: int) -> dict[str, Any]:
    async with asyncio.timeout(MOST_SECONDS):
        while True:
            event: dict[str, Any] = json.loads(await socket.recv())
            if event["kind"] == "state" and event["game"]["version"] > version:
                return event


def _texts(view: dict[str, Any]) -> list[str]:
    return [move["text"] for move in view["moves"]]


def _trusting() -> ssl.SSLContext:
    """Return a context that trusts the certificate which nginx has signed itself."""
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return context


async def take_over(front: Nginx, first: ServerProcess, games: int, every: float) -> Takeover:
    """Let players play, kill the first server, and wait until every game has gone on."""
    takeover = Takeover()
    limits = httpx2.Limits(max_connections=games, max_keepalive_connections=games)
    async with httpx2.AsyncClient(
        base_url=f"https://127.0.0.1:{front.port}",
        headers={"host": HOST},
        verify=_trusting(),
        limits=limits,
        timeout=MOST_SECONDS,
    ) as client:
        players = [Player(number, front, client, takeover, every) for number in range(games)]
        playing = [asyncio.create_task(player.play()) for player in players]
        while len(takeover.acknowledged) < games:
            await asyncio.sleep(0.1)
        await asyncio.sleep(BEFORE_SECONDS)
        first.kill()
        for player in players:
            player.killed_at = time.monotonic()
        async with asyncio.timeout(MOST_SECONDS):
            await asyncio.gather(*playing)
        for game, known in takeover.acknowledged.items():
            view = (await client.get(f"/api/games/{game}", headers={"cookie": f"outplay_key={'k' * 24}"})).json()
            if _texts(view)[: len(known)] != known:
                takeover.lost.append(game)
    return takeover


def measure(folder: Path, games: int, every: float) -> Takeover:
    """Start PostgreSQL, nginx and two servers in a folder, and measure."""
    with ExitStack() as stack:
        database = stack.enter_context(postgres()).new_database()
        ports = free_ports(2)
        (folder / "limits.toml").write_text("[limits]\nrequests = [5000, 100]\n")  # one person asks for all at the end
        options = ("--db", database, *BEHIND, "--limits", str(folder / "limits.toml"))
        first = stack.enter_context(ServerProcess(folder, "--port", str(ports[0]), *options))
        front = stack.enter_context(nginx(folder / "nginx", ports))
        return asyncio.run(_with_standby(stack, folder, front, first, (str(ports[1]), *options), games, every))


async def _with_standby(
    stack: ExitStack,
    folder: Path,
    front: Nginx,
    first: ServerProcess,
    arguments: tuple[str, ...],
    games: int,
    every: float,
) -> Takeover:
    waits, loop = asyncio.Event(), asyncio.get_running_loop()

    def heard(line: str) -> None:
        if line.startswith("Waiting: "):
            loop.call_soon_threadsafe(waits.set)

    def start() -> ServerProcess:
        """Start the standby; it is ready only when it has taken over."""
        return ServerProcess(folder, "--port", *arguments, "--standby", heard=heard, patience=10 * MOST_SECONDS)

    starting, waiting = asyncio.create_task(asyncio.to_thread(start)), asyncio.create_task(waits.wait())
    await asyncio.wait([starting, waiting], return_when=asyncio.FIRST_COMPLETED)
    if starting.done():
        raise AssertionError("the standby did not wait") from starting.exception()
    takeover = await take_over(front, first, games, every)
    stack.enter_context(await starting)
    return takeover


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=50)
    parser.add_argument("--every", type=float, default=1.0, metavar="SECONDS")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        found = measure(Path(name), options.games, options.every)
    seconds = sorted(found.seconds)
    middle, last = seconds[len(seconds) // 2], seconds[-1]
    print(
        f"{len(seconds)} of {options.games} games went on: "
        f"half of them after {middle:.1f} s, the last after {last:.1f} s"
    )
    print(f"lost: {len(found.lost)} of {len(found.acknowledged)} games")


if __name__ == "__main__":
    main()
