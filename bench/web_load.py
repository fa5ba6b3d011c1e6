"""Measure a server with many players: how long a move takes to be acknowledged, and whether anything is lost.

    python -m bench.web_load [--games 100] [--every 2] [--minutes 10] [--level 2] [--url http://...]

Each player has a page open (a WebSocket), plays a random legal move every `--every` seconds against a low level, and
starts another game when one is over. Reported: time to the acknowledged move, time to the engine's reply, memory of the
server and its workers over time, and, after the server was killed and started again, whether every acknowledged move
is still there. Without --url a server is started with an empty database.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx2
from websockets.asyncio.client import ClientConnection, connect

GAMES = ("connect4", "checkers")


@dataclass(slots=True)
class Tally:
    """The measurements."""

    acknowledged: list[float] = field(default_factory=list)
    replies: list[float] = field(default_factory=list)
    memory: list[tuple[float, float, float]] = field(default_factory=list)
    """Minutes, MiB of the server, MiB of its workers."""
    cpu: tuple[float, float, float] = (0.0, 0.0, 0.0)
    """Seconds of the server, of its workers, and of the visitors."""
    errors: list[str] = field(default_factory=list)
    games: dict[str, int] = field(default_factory=dict)
    """The version last acknowledged or sent, by game."""


class Visitor:
    """One simulated person at one page."""

    def __init__(self, number: int, url: str, client: httpx2.AsyncClient, options: argparse.Namespace) -> None:
        self._chance = random.Random(number)
        self._url, self._client, self._options = url, client, options
        self._game = GAMES[number % len(GAMES)]

    async def visit(self, tally: Tally, until: float) -> None:
        await asyncio.sleep(self._chance.random() * self._options.every)  # they do not all start at the same moment
        while time.monotonic() < until:
            try:
                await self._play_one(tally, until)
            except Exception as error:
                tally.errors.append(repr(error))
                await asyncio.sleep(1)

    async def _play_one(self, tally: Tally, until: float) -> None:
        seats = ["human", f"level:{self._options.level}"]
        response = await self._client.post("/api/games", json={"game": self._game, "seats": seats})
        view = response.raise_for_status().json()
        address = f"{self._url.replace('http', 'ws', 1)}/api/games/{view['id']}/events"
        async with connect(address) as socket:
            while view["status"] != "over" and time.monotonic() < until:
                started = time.perf_counter()
                view = await self._move(view, tally)
                if view["status"] == "thinking":
                    view = await _reply(socket, view["version"])
                    tally.replies.append(time.perf_counter() - started)
                tally.games[view["id"]] = view["version"]
                await asyncio.sleep(max(0.0, self._options.every - (time.perf_counter() - started)))

    async def _move(self, view: dict[str, Any], tally: Tally) -> dict[str, Any]:
        move = self._chance.choice(view["legal"])["text"]
        started = time.perf_counter()
        body = {"version": view["version"], "move": move}
        response = await self._client.post(f"/api/games/{view['id']}/moves", json=body)
        tally.acknowledged.append(time.perf_counter() - started)
        after: dict[str, Any] = response.raise_for_status().json()
        tally.games[view["id"]] = after["version"]
        return after


async def _reply(socket: ClientConnection, version: int) -> dict[str, Any]:
    """Wait for the state after the engine's move."""
    while True:
        event = json.loads(await socket.recv())
        if event["kind"] == "state" and event["game"]["version"] > version:
            game: dict[str, Any] = event["game"]
            return game


async def load(url: str, pid: int | None, options: argparse.Namespace) -> Tally:
    """Let all players play."""
    tally, started = Tally(), time.monotonic()
    until = started + 60 * options.minutes
    limits = httpx2.Limits(max_connections=options.games, max_keepalive_connections=options.games)
    async with httpx2.AsyncClient(base_url=url, limits=limits, timeout=60) as client:
        visitors = [Visitor(number, url, client, options) for number in range(options.games)]
        watch = asyncio.create_task(_watch_memory(tally, pid, started))
        await asyncio.gather(*(visitor.visit(tally, until) for visitor in visitors))
        watch.cancel()
    if pid is not None:
        tally.cpu = _cpu(str(pid)), sum(map(_cpu, _children(pid))), time.process_time()
    return tally


async def _watch_memory(tally: Tally, pid: int | None, started: float) -> None:
    while pid is not None:
        own, workers = memory(pid)
        tally.memory.append(((time.monotonic() - started) / 60, own, workers))
        await asyncio.sleep(10)


def memory(pid: int) -> tuple[float, float]:
    """Return the MiB in memory of a process, and of all its children together."""
    return _resident(str(pid)), sum(map(_resident, _children(pid)))


def _children(pid: int) -> set[str]:
    threads = Path(f"/proc/{pid}/task").iterdir()
    return {child for thread in threads for child in (thread / "children").read_text().split()}


def _cpu(pid: str) -> float:
    """Return the seconds of CPU time of a process."""
    numbers = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(numbers[11]) + int(numbers[12])) / os.sysconf("SC_CLK_TCK")


def _resident(pid: str) -> float:
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    except OSError:
        return 0.0
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def start_server(folder: Path) -> tuple[subprocess.Popen[str], str]:
    """Start a server with its database in a folder."""
    process = subprocess.Popen(
        [sys.executable, "-m", "outplay.cli", "serve", "--port", "0", "--db", str(folder / "games.sqlite3")],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )
    assert process.stdout is not None
    for line in process.stdout:
        if " is at http" in line:
            return process, line.split(" is at ")[1].split()[0]
    raise SystemExit("the server did not start")


def ending(process: subprocess.Popen[str]) -> int:
    """Send Ctrl-C, and return the exit code."""
    process.send_signal(signal.SIGINT)
    return process.wait()


def lost(url: str, tally: Tally) -> list[str]:
    """Return the games that have fewer moves than were acknowledged."""
    with httpx2.Client(base_url=url, timeout=60) as client:
        found = {game: client.get(f"/api/games/{game}").json()["version"] for game in tally.games}
    return [game for game, version in tally.games.items() if found[game] < version]


def report(tally: Tally, options: argparse.Namespace) -> None:
    print(f"{options.games} games at once for {options.minutes:g} min, a move every {options.every:g} s each")
    for name, times in (("acknowledged", tally.acknowledged), ("reply", tally.replies)):
        at = [1000 * value for value in _quantiles(times, (0.5, 0.95, 0.99, 1.0))]
        print(
            f"{name:>13}: {len(times)} times; ms at 50 / 95 / 99 / 100 %: " + " / ".join(f"{value:.1f}" for value in at)
        )
    print(f"       errors: {len(tally.errors)} {tally.errors[:3]}")
    print("          cpu: server {:.1f} s, workers {:.1f} s, visitors {:.1f} s".format(*tally.cpu))
    for minutes, own, workers in tally.memory[:: max(1, len(tally.memory) // 10)]:
        print(f"       memory: {minutes:5.1f} min  server {own:6.1f} MiB  workers {workers:6.1f} MiB")


def _quantiles(times: list[float], shares: tuple[float, ...]) -> list[float]:
    ordered = sorted(times) or [0.0]
    return [ordered[min(len(ordered) - 1, int(share * len(ordered)))] for share in shares]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--every", type=float, default=2.0, metavar="SECONDS")
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--level", type=int, default=2)
    parser.add_argument("--url", help="address of a running server; default: start one")
    options = parser.parse_args()
    if options.url:
        report(asyncio.run(load(options.url, None, options)), options)
        return
    with tempfile.TemporaryDirectory() as name:
        process, url = start_server(Path(name))
        tally = asyncio.run(load(url, process.pid, options))
        process.send_signal(signal.SIGKILL)
        process.wait()
        report(tally, options)
        process, url = start_server(Path(name))
        print(f"         lost: {len(lost(url, tally))} of {len(tally.games)} games, after kill -9 and a new start")
        print(f"         exit: {ending(process)}")


if __name__ == "__main__":
    main()
