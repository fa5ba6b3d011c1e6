"""Measure a class: how soon the opponent and the teacher see a move.

    python -m bench.class_load [--pupils 30] [--every 2] [--minutes 2] [--game connect4|checkers] [--db URL]

A teacher opens a class, the pupils join it by its code and have its page open (a WebSocket), and the teacher pairs
everyone who is here. Each pair plays random legal moves, one about every `--every` seconds, with a socket of the game
at each side; when all games are over, the teacher pairs again. Reported is the time from the moment at which a move is
sent until it is acknowledged, until the opponent's socket has it, and until the teacher's socket has the new board.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import random
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx2
from websockets.asyncio.client import ClientConnection, connect

from bench.web_hostile import new_key
from bench.web_load import ending, quantiles, start_server, state_after
from outplay.web.http.people import COOKIE

MOST_MS = 150
"""How long 95 % of the moves may take until the opponent sees them."""


@dataclass(slots=True)
class Lesson:
    """One class and its measurements, in seconds."""

    client: httpx2.AsyncClient
    path: str
    options: argparse.Namespace
    acknowledged: list[float] = field(default_factory=list)
    seen: list[float] = field(default_factory=list)
    sent: dict[tuple[str, str], float] = field(default_factory=dict)
    """When a move was sent, by game and the board after it."""
    shown: dict[tuple[str, str], float] = field(default_factory=dict)
    """When the teacher saw that board."""
    games: int = 0

    @property
    def by_teacher(self) -> list[float]:
        return [at - self.sent[board] for board, at in self.shown.items() if board in self.sent]


class Person:
    """A teacher or a pupil, at a computer of their own."""

    def __init__(self, client: httpx2.AsyncClient) -> None:
        self._client = client
        self._cookie = {"cookie": f"{COOKIE}={new_key()}"}

    async def post(self, path: str, **body: Any) -> dict[str, Any]:
        response = await self._client.post(path, json=body, headers=self._cookie)
        answer: dict[str, Any] = response.raise_for_status().json()
        return answer

    def page(self, path: str) -> connect:
        """Open the socket of a class or a game."""
        url = str(self._client.base_url.copy_with(scheme="ws")).rstrip("/")
        return connect(f"{url}{path}/events", additional_headers=self._cookie)


async def look(socket: ClientConnection, lesson: Lesson | None = None) -> None:
    """Read the socket of a class; that of the teacher notes when boards arrive."""
    async for text in socket:
        event = json.loads(text)
        if lesson is None or event["kind"] != "tiles":
            continue
        for tile in event["tiles"]:
            lesson.shown.setdefault((tile["id"], tile["board"]), time.perf_counter())


async def see(lesson: Lesson, socket: ClientConnection, version: int, sent: float) -> dict[str, Any]:
    """Wait for the opponent's move, and note how long it took."""
    view = await state_after(socket, version)
    lesson.seen.append(time.perf_counter() - sent)
    return view


async def play(lesson: Lesson, game: str, players: list[Person], until: float) -> None:
    """Play one game to its end, or until the time is over."""
    chance, path = random.Random(game), f"/api/games/{game}"
    async with players[0].page(path) as first, players[1].page(path) as second:
        sockets = [first, second]
        views = [await state_after(socket, -1) for socket in sockets]
        while (view := views[0])["status"] != "over" and time.monotonic() < until:
            await asyncio.sleep(lesson.options.every * chance.uniform(0.5, 1.5))
            side = view["position"]["side"]
            sent = time.perf_counter()
            looking = asyncio.create_task(see(lesson, sockets[1 - side], view["version"], sent))
            move = chance.choice(view["legal"])["text"]
            after = await players[side].post(f"{path}/moves", version=view["version"], move=move)
            lesson.acknowledged.append(time.perf_counter() - sent)
            lesson.sent[game, after["position"]["board"]] = sent
            views = [await looking, await state_after(sockets[side], view["version"])]
    lesson.games += 1


async def teach(url: str, options: argparse.Namespace) -> Lesson:
    """Let a class come in and play until the time is over."""
    limits = httpx2.Limits(max_connections=options.pupils + 2, max_keepalive_connections=options.pupils + 2)
    async with (
        httpx2.AsyncClient(base_url=url, limits=limits, timeout=60) as client,
        contextlib.AsyncExitStack() as stack,
    ):
        teacher = Person(client)
        path = f"/api/classes/{(await teacher.post('/api/classes', title='7b'))['code']}"
        lesson = Lesson(client, path, options)
        pupils = {f"Pupil {number}": Person(client) for number in range(options.pupils)}
        pages = [asyncio.create_task(look(await stack.enter_async_context(teacher.page(path)), lesson))]
        for name, pupil in pupils.items():
            await pupil.post(f"{path}/join", name=name)
            pages.append(asyncio.create_task(look(await stack.enter_async_context(pupil.page(path)))))
        until = time.monotonic() + 60 * options.minutes
        while time.monotonic() < until:
            view = await teacher.post(f"{path}/pair", game=options.game)
            tiles = [tile for tile in view["tiles"] if not tile["is_over"]]
            await asyncio.gather(
                *(play(lesson, tile["id"], [pupils[name] for name in tile["names"]], until) for tile in tiles)
            )
        await asyncio.sleep(1)  # the last boards are on their way to the teacher
        for page in pages:
            page.cancel()
        return lesson


def report(lesson: Lesson, options: argparse.Namespace) -> None:
    print(
        f"{options.pupils} pupils for {options.minutes:g} min, {lesson.games} games, a move every {options.every:g} s"
    )
    rows = (("acknowledged", lesson.acknowledged), ("opponent", lesson.seen), ("teacher", lesson.by_teacher))
    for name, times in rows:
        at = [1000 * value for value in quantiles(times, (0.5, 0.95, 0.99, 1.0))]
        print(f"{name:>13}: {len(times)} times; ms at 50 / 95 / 99 / 100 %: " + " / ".join(f"{ms:.1f}" for ms in at))
    verdict = "yes" if 1000 * quantiles(lesson.seen, (0.95,))[0] <= MOST_MS else "no"
    print(f"         seen: 95 % of the moves by the opponent within {MOST_MS} ms: {verdict}")
    print(f"       unseen: {len(lesson.sent.keys() - lesson.shown.keys())} boards that the teacher was not shown")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pupils", type=int, default=30)
    parser.add_argument("--every", type=float, default=2.0, metavar="SECONDS")
    parser.add_argument("--minutes", type=float, default=2.0)
    parser.add_argument("--game", choices=["connect4", "checkers"], default="connect4")
    parser.add_argument("--db", metavar="URL", help="an empty database; default: a new SQLite file")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        process, url = start_server(options.db or str(Path(name) / "games.sqlite3"))
        try:
            report(asyncio.run(teach(url, options)), options)
        finally:
            ending(process)


if __name__ == "__main__":
    main()
