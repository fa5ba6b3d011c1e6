"""A client that means harm: it exports, imports, analyses, reviews and experiments as fast as it may.

    python -m bench.web_hostile http://127.0.0.1:8642 --keys one|new [--seconds 40] [--at-once 16]

With `one` all requests bring the same key, with `new` each brings a key of its own. Reported: how many requests were
answered, by status. `bench.web_load --hostile` runs it beside the players.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import secrets
import time
from collections import Counter
from typing import Any

import httpx2

from outplay.web.http.people import COOKIE

MOVES = "11-15 23-19 8-11 22-17 4-8 17-13 15-18 24-20 11-15 28-24 8-11 26-23"
IMPORTED = "\n\n".join(f'[Event "{number}"]\n[GameType "21"]\n\n{MOVES} *' for number in range(500))
REQUESTS: tuple[tuple[str, str, dict[str, Any] | None], ...] = (
    ("GET", "/api/library/export", None),
    ("POST", "/api/library/import", {"text": IMPORTED}),
    ("POST", "/api/analyses", {"game": "checkers", "position": MOVES, "time_ms": 10_000}),
    ("POST", "/api/analyses", {"game": "connect4", "width": 8, "height": 7, "time_ms": 10_000}),
    ("POST", "/api/studies", {"game": "checkers", "moves": MOVES.split()}),
    ("POST", "/api/lab/runs", {"game": "checkers", "kind": "trace", "depth": 6}),
    ("POST", "/api/games", {"game": "checkers", "seats": ["level:8", "level:8"]}),
)


def new_key() -> str:
    return secrets.token_urlsafe(18)


async def attack(url: str, *, is_one_key: bool, seconds: float, at_once: int) -> Counter[str]:
    """Send requests for some seconds, so many at once; return how many were answered, by status."""
    until, answers = time.monotonic() + seconds, Counter[str]()
    key, requests = new_key(), itertools.cycle(REQUESTS)

    async def send(client: httpx2.AsyncClient) -> None:
        while time.monotonic() < until:
            method, path, body = next(requests)
            headers = {"cookie": f"{COOKIE}={key if is_one_key else new_key()}"}
            try:
                response = await client.request(method, path, json=body, headers=headers)
                answers[f"{response.status_code} {path.removeprefix('/api/')}"] += 1
            except httpx2.HTTPError as error:
                answers[f"{type(error).__name__} {path.removeprefix('/api/')}"] += 1

    limits = httpx2.Limits(max_connections=at_once, max_keepalive_connections=at_once)
    async with httpx2.AsyncClient(base_url=url, limits=limits, timeout=60) as client:
        await asyncio.gather(*(send(client) for _ in range(at_once)))
    return answers


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("url")
    parser.add_argument("--keys", choices=["one", "new"], default="one")
    parser.add_argument("--seconds", type=float, default=40.0)
    parser.add_argument("--at-once", type=int, default=16, metavar="REQUESTS")
    options = parser.parse_args()
    is_one_key = options.keys == "one"
    answers = asyncio.run(attack(options.url, is_one_key=is_one_key, seconds=options.seconds, at_once=options.at_once))
    for status, times in answers.most_common():
        print(f"      hostile: {times:6d} times {status}")


if __name__ == "__main__":
    main()
