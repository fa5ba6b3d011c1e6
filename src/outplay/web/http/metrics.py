"""Answers for an operator: is the server ready (`/health`), and how busy is it (`/metrics`, for Prometheus)?"""

from __future__ import annotations

import ipaddress
import time
from collections.abc import Iterable, Sequence

from anyio import CapacityLimiter, fail_after
from anyio.to_thread import run_sync
from fastapi import APIRouter, Request
from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.exposition import CONTENT_TYPE_LATEST
from prometheus_client.registry import Collector
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from outplay.errors import OutplayError
from outplay.web.http.errors import simple_error
from outplay.web.http.lanes import Lanes
from outplay.web.http.limits import Sockets
from outplay.web.play.games import Games
from outplay.web.settings import ip_address

router = APIRouter(include_in_schema=False)
SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.2, 0.5, 1, 2, 5)
"""The bounds of the histogram of answer times, in seconds."""
HEALTH_SECONDS = 2.0
"""How long the database may take to answer."""


class Metrics(Collector):
    """The numbers of one server. Those of games, engines and store are read only when the metrics are requested."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.requests = Counter("outplay_requests", "Requests.", ["method", "status"], registry=self.registry)
        self.seconds = Histogram(
            "outplay_request_seconds", "Time to answer.", ["method"], buckets=SECONDS, registry=self.registry
        )
        self._games: Games | None = None
        self._sockets: Sockets | None = None
        self._lanes: Lanes | None = None
        self.registry.register(self)

    def watch(self, games: Games, sockets: Sockets, lanes: Lanes) -> None:
        """Report the numbers of these parts as well."""
        self._games, self._sockets, self._lanes = games, sockets, lanes

    def collect(self) -> Iterable[Metric]:
        games, sockets, lanes = self._games, self._sockets, self._lanes
        if games is None or sockets is None or lanes is None:
            return
        store = games.store
        yield GaugeMetricFamily("outplay_games_in_memory", "Games in memory.", len(games.rooms()))
        yield GaugeMetricFamily("outplay_open_pages", "WebSockets that are open.", sockets.count)
        yield GaugeMetricFamily("outplay_thinking", "Engines that think.", games.pool.running)
        yield GaugeMetricFamily("outplay_waiting", "Engine moves that wait for a worker.", games.pool.waiting)
        in_line = GaugeMetricFamily("outplay_in_line", "Costly requests in line or in progress.", labels=["kind"])
        for lane in lanes.all():
            in_line.add_metric([lane.what], lane.in_line)
        yield in_line
        yield GaugeMetricFamily("outplay_store_works", "1 if the database worked when it was last used.", store.works)
        yield CounterMetricFamily("outplay_moves", "Moves of people and engines.", games.moves)
        yield CounterMetricFamily("outplay_writes", "Writes to the database.", store.writes)
        yield CounterMetricFamily("outplay_write_seconds", "Time that writes waited for the disk.", store.write_seconds)


class Measured:
    """Counts the requests, and measures how long each takes."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self._app, self._metrics = app, metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started, status = time.perf_counter(), 500

        async def noted(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self._app(scope, receive, noted)
        finally:
            method = scope["method"] if scope["method"] in ("GET", "HEAD", "POST") else "other"
            self._metrics.requests.labels(method, str(status)).inc()
            self._metrics.seconds.labels(method).observe(time.perf_counter() - started)


@router.get("/health")
async def health(request: Request) -> Response:
    """Answer 200 if the database answers and is not damaged, 503 if not: a load balancer asks this."""
    games: Games = request.app.state.games
    own = CapacityLimiter(1)  # never behind requests that hold all threads
    try:
        with fail_after(HEALTH_SECONDS):
            await run_sync(games.store.ping, limiter=own, abandon_on_cancel=True)
    except TimeoutError:
        return JSONResponse({"status": "unavailable", "reason": "the database does not answer"}, 503)
    except OutplayError as error:
        return JSONResponse({"status": "unavailable", "reason": str(error)}, 503)
    return JSONResponse({"status": "ok"})


@router.get("/metrics")
async def metrics(request: Request) -> Response:
    """Return the numbers in Prometheus format. Only this machine and the addresses of `--metrics-host` may ask."""
    allowed: Sequence[str] = request.app.state.metrics_hosts
    if request.client is None or not may_look(request.client.host, allowed):
        return simple_error(403, "metrics are for this machine only; see outplay serve --metrics-host")
    found: Metrics = request.app.state.metrics
    return Response(await run_sync(generate_latest, found.registry), media_type=CONTENT_TYPE_LATEST)


def may_look(address: str, allowed: Sequence[str]) -> bool:
    """Return whether an address may read the metrics: only this machine and the `allowed` networks may."""
    client = ip_address(address)
    if client is None:  # a test, or a socket without an address
        return False
    return client.is_loopback or any(client in ipaddress.ip_network(network) for network in allowed)
