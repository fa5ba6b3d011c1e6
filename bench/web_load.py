"""Measure a server with many players: how long a move takes to be acknowledged, and whether anything is lost.

    python -m bench.web_load [--games 100] [--every 2] [--minutes 10] [--db URL] [--hostile one|new] [--find]

Each player has a key and an open page (a WebSocket), plays a random legal move every `--every` seconds against a low
level, and starts another game when one is over. The server has the limits of a server for others. Reported: time to the
acknowledged move, time to the engine's reply, memory of the server and its workers over time, and, after the server was
killed and started again, whether every acknowledged move is still there. `--hostile` runs bench.web_hostile beside the
players. `--find` looks for the most games at once with 95 % of the moves acknowledged within 100 ms.
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

from bench.web_hostile import new_key
from outplay.web.http.people import COOKIE

GAMES = ("connect4", "checkers")
MOST_MS = 100
"""How long 95 % of the moves may take until they are acknowledged, for `--find`."""


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
    cookies: dict[str, dict[str, str]] = field(default_factory=dict)
    """The key of its player, by game."""


class Visitor:
    """One simulated person at one page."""

    def __init__(self, number: int, url: str, client: httpx2.AsyncClient, options: argparse.Namespace) -> None:
        self._chance = random.Random(number)
        self._url, self._client, self._options = url, client, options
        self._cookie = {"cookie": f"{COOKIE}={new_key()}"}
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
        body = {"game": self._game, "seats": seats}
        response = await self._client.post("/api/games", json=body, headers=self._cookie)
        view = response.raise_for_status().json()
        tally.cookies[view["id"]] = self._cookie
        address = f"{self._url.replace('http', 'ws', 1)}/api/games/{view['id']}/events"
        async with connect(address, additional_headers=self._cookie) as socket:
            while view["status"] != "over" and time.monotonic() < until:
                started = time.perf_counter()
                view = await self._move(view, tally)
                if view["status"] == "thinking":
                    view = await state_after(socket, view["version"])
                    tally.replies.append(time.perf_counter() - started)
                tally.games[view["id"]] = view["version"]
                await asyncio.sleep(max(0.0, self._options.every - (time.perf_counter() - started)))

    async def _move(self, view: dict[str, Any], tally: Tally) -> dict[str, Any]:
        move = self._chance.choice(view["legal"])["text"]
        started = time.perf_counter()
        body = {"version": view["version"], "move": move}
        response = await self._client.post(f"/api/games/{view['id']}/moves", json=body, headers=self._cookie)
        tally.acknowledged.append(time.perf_counter() - started)
        after: dict[str, Any] = response.raise_for_status().json()
        tally.games[view["id"]] = after["version"]
        return after


async def state_after(socket: ClientConnection, version: int) -> dict[str, Any]:
    """Wait for a state of the game that is newer than this version."""
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


def start_server(database: str) -> tuple[subprocess.Popen[str], str]:
    """Start a server as it runs behind a proxy for a school: with all limits."""
    process = subprocess.Popen(
        [sys.executable, "-m", "outplay.cli", "serve", "--port", "0", "--db", database, "--proxy", "127.0.0.1"],
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
        views = {game: client.get(f"/api/games/{game}", headers=tally.cookies[game]).json() for game in tally.games}
    return [game for game, version in tally.games.items() if views[game]["version"] < version]


def report(tally: Tally, options: argparse.Namespace) -> None:
    print(f"{options.games} games at once for {options.minutes:g} min, a move every {options.every:g} s each")
    for name, times in (("acknowledged", tally.acknowledged), ("reply", tally.replies)):
        at = [1000 * value for value in quantiles(times, (0.5, 0.95, 0.99, 1.0))]
        print(
            f"{name:>13}: {len(times)} times; ms at 50 / 95 / 99 / 100 %: " + " / ".join(f"{value:.1f}" for value in at)
        )
    print(f"       errors: {len(tally.errors)} {tally.errors[:3]}")
    print("          cpu: server {:.1f} s, workers {:.1f} s, visitors {:.1f} s".format(*tally.cpu))
    for minutes, own, workers in tally.memory[:: max(1, len(tally.memory) // 10)]:
        print(f"       memory: {minutes:5.1f} min  server {own:6.1f} MiB  workers {workers:6.1f} MiB")
    if tally.memory:
        print(f"       growth: {growth(tally.memory)}")


def growth(memory: list[tuple[float, float, float]]) -> str:
    """Return in words what the second half of a run added to the memory of the server."""
    last, own, _ = memory[-1]
    half, before, _ = min(memory, key=lambda sample: abs(sample[0] - last / 2))
    share = 100 * (own / before - 1)
    return f"server {before:.1f} MiB after {half:.1f} min, {own:.1f} MiB after {last:.1f} min: {share:+.1f} %"


def quantiles(times: list[float], shares: tuple[float, ...]) -> list[float]:
    ordered = sorted(times) or [0.0]
    return [ordered[min(len(ordered) - 1, int(share * len(ordered)))] for share in shares]


def find(database: str, options: argparse.Namespace) -> None:
    """Look for the most games at once whose moves are acknowledged in time: up by half, then between the two."""
    good, bad = 0, None
    while bad is None or bad - good > 25:
        options.games = round((good + bad) / 2) if bad else round(good * 1.5) or options.games
        process, url = start_server(database)
        tally = asyncio.run(load(url, process.pid, options))
        ending(process)
        at = 1000 * quantiles(tally.acknowledged, (0.95,))[0]
        print(f"{options.games:5d} games: 95 % acknowledged within {at:.1f} ms, {len(tally.errors)} errors", flush=True)
        if at <= MOST_MS and not tally.errors:
            good = options.games
        else:
            bad = options.games
    print(f"{good} games at once keep {MOST_MS} ms; {bad} do not")


def beside(url: str, options: argparse.Namespace) -> subprocess.Popen[str] | None:
    """Start the hostile client, if one is asked for. It ends with the players."""
    if options.hostile is None:
        return None
    command = [sys.executable, "-m", "bench.web_hostile", url, "--keys", options.hostile]
    return subprocess.Popen([*command, "--seconds", str(60 * options.minutes)], text=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--every", type=float, default=2.0, metavar="SECONDS")
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--level", type=int, default=2)
    parser.add_argument(
        "--db", metavar="URL", help="an empty database, as for `outplay serve`; default: a new SQLite file"
    )
    parser.add_argument(
        "--hostile", choices=["one", "new"], help="a hostile client beside, with one key or always new ones"
    )
    parser.add_argument("--find", action="store_true", help="find the most games at once, beginning with --games")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        database = options.db or str(Path(name) / "games.sqlite3")
        if options.find:
            find(database, options)
            return
        process, url = start_server(database)
        hostile = beside(url, options)
        tally = asyncio.run(load(url, process.pid, options))
        if hostile is not None:
            hostile.wait()
        process.send_signal(signal.SIGKILL)
        process.wait()
        report(tally, options)
        process, url = start_server(database)
        print(f"         lost: {len(lost(url, tally))} of {len(tally.games)} games, after kill -9 and a new start")
        print(f"         exit: {ending(process)}")


if __name__ == "__main__":
    main()
