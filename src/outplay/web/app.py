"""The web app: all parts put together."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import signal
from collections.abc import AsyncIterator, Awaitable, Callable
from functools import partial
from typing import Any

from anyio import CapacityLimiter
from anyio.to_thread import run_sync
from fastapi import FastAPI

import outplay
from outplay.engine.task import Ask
from outplay.engine.types import Limit
from outplay.learn import Courses
from outplay.live import catalogue
from outplay.rules import RULES
from outplay.store import HeldByOtherError, ReadOnlyError, Store, UnavailableError, open_store
from outplay.store.people import forgotten
from outplay.web.analyse import routes as analyse
from outplay.web.analyse.analyses import UNASKED_SECONDS, Analyses
from outplay.web.arena import routes as arena
from outplay.web.arena.contests import Contests
from outplay.web.catalogue import seat_bots
from outplay.web.classroom import routes as classroom
from outplay.web.classroom import socket as class_socket
from outplay.web.classroom.classes import Classes
from outplay.web.classroom.wire import socket_schemas as class_schemas
from outplay.web.http import metrics
from outplay.web.http.errors import CatchAll, add_error_handlers
from outplay.web.http.lanes import Lanes
from outplay.web.http.limits import Bounds, Sockets
from outplay.web.http.metrics import Measured, Metrics
from outplay.web.http.pages import Pages
from outplay.web.http.people import People, Persons
from outplay.web.http.security import Guard, Hosts
from outplay.web.http.subpath import SubPath
from outplay.web.lab import course_routes as lab_course
from outplay.web.lab import routes as lab
from outplay.web.learn import routes as learn
from outplay.web.library import routes as library
from outplay.web.memory import TRIM_SECONDS, trim
from outplay.web.people import routes as people
from outplay.web.people.codes import Codes
from outplay.web.play import commands, socket
from outplay.web.play import routes as play
from outplay.web.play.games import Games
from outplay.web.play.wire import socket_schemas
from outplay.web.puzzles import routes as puzzles
from outplay.web.review import routes as review
from outplay.web.review.reviews import Reviews
from outplay.web.runs import BUILD_MS, GRACE_MS
from outplay.web.settings import Settings
from outplay.work import AnyPool, Pools, open_pools

CLOCK_SECONDS = 5.0
SWEEP_SECONDS = 10.0
UNPLAYED_SECONDS = 3600.0
LEASE_SECONDS = 2.0
CHECK_SECONDS = 3600.0
"""How often the database is looked through for damage."""
CHECK_PAUSE_SECONDS = 0.1
"""The pause after every hundred games that are checked: people who play come first."""


def create_app(settings: Settings | None = None, store: Store | None = None, pools: Pools | None = None) -> FastAPI:
    """Create the app for these settings. It opens its store and its pools when it starts, unless they are given."""
    settings = settings or Settings()
    seat_bots(settings.bots)
    app = FastAPI(
        title="outplay",
        version=outplay.__version__,
        description="Connect Four and checkers, played against people and engines.",
        lifespan=lambda app: _life(app, settings, store, pools),
        openapi_url="/api/openapi.json",
        servers=[{"url": settings.root_path}] if settings.root_path else None,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
    )
    pages = Pages(settings.static, settings.root_path)
    add_error_handlers(app, pages.missing)
    pages_in_order = (library, play, commands, socket, analyse, review, learn, puzzles, lab, lab_course, people)
    for page in (*pages_in_order, classroom, class_socket, arena):
        app.include_router(page.router, prefix="/api")
    app.include_router(metrics.router)
    app.router.routes.extend(pages.routes())
    app.add_middleware(Bounds, limits=settings.bounds)
    app.state.people = People(settings.bounds)
    app.add_middleware(Persons, people=app.state.people, root_path=settings.root_path)
    app.add_middleware(CatchAll)
    if settings.root_path:
        app.add_middleware(SubPath, root_path=settings.root_path)
    app.add_middleware(Guard, hosts=Hosts(settings))
    app.state.settings, app.state.codes = settings, Codes()
    app.state.courses = Courses(settings.lessons)
    app.state.metrics, app.state.metrics_hosts = Metrics(), settings.metrics_hosts
    app.add_middleware(Measured, metrics=app.state.metrics)
    _describe_sockets(app)
    return app


@contextlib.asynccontextmanager
async def _life(
    app: FastAPI, settings: Settings, opened: Store | None, opened_pools: Pools | None
) -> AsyncIterator[None]:
    store = await run_sync(open_store, settings.db) if opened is None else opened
    if store.warning is not None:
        logging.getLogger(__name__).warning(store.warning)
    pools = open_pools(settings.slots, cluster=settings.cluster) if opened_pools is None else opened_pools
    pool = pools.front("move", grace_ms=GRACE_MS, build_ms=BUILD_MS)
    _warm_up(pool)
    app.state.people.forgotten = await run_sync(forgotten, store)
    all_games = Games(store, pool, settings.bounds)
    app.state.games, app.state.sockets = all_games, Sockets(settings.bounds)
    app.state.classes = Classes(all_games)
    app.state.lanes = Lanes()
    app.state.metrics.watch(all_games, app.state.sockets, app.state.lanes)
    app.state.lab = the_lab = lab.Lab(pools)
    app.state.analyses = all_analyses = Analyses(pools)
    app.state.reviews = all_reviews = Reviews(store, pools)
    app.state.contests = all_contests = Contests(all_games, pools, settings)
    all_contests.resume()
    chores: list[tuple[float, Callable[[], object]]] = [
        (CLOCK_SECONDS, all_games.tell_clocks),
        (SWEEP_SECONDS, all_games.sweep),
        (UNASKED_SECONDS / 2, all_analyses.sweep),
        (UNASKED_SECONDS / 2, all_reviews.sweep),
        (UNPLAYED_SECONDS, all_games.remove_unplayed),
        (UNPLAYED_SECONDS, all_games.remove_deleted),
        (TRIM_SECONDS, trim),
        (LEASE_SECONDS, partial(_check_lease, store)),
    ]
    periodic = [asyncio.create_task(_every(seconds, partial(run_sync, chore))) for seconds, chore in chores]
    periodic.append(asyncio.create_task(_every(CHECK_SECONDS, partial(_check_database, store))))
    try:
        yield
    finally:
        for task in periodic:
            task.cancel()
        await asyncio.gather(*periodic, return_exceptions=True)
        for part in (all_contests, the_lab, all_analyses, all_reviews, all_games, pools, store):
            await run_sync(part.close, limiter=CapacityLimiter(1))  # never behind requests that hold all threads


def _warm_up(pool: AnyPool) -> None:
    """Start the workers before the first person needs them."""
    recipe = catalogue.find("connect4", catalogue.OPPONENT).recipe()
    for _ in range(pool.slots):
        pool.submit(Ask(recipe, RULES["connect4"].start(), Limit(depth=1)))


async def _every(seconds: float, chore: Callable[[], Awaitable[object]]) -> None:
    """Run a periodic task; log an error and try again next time."""
    while True:
        try:
            await chore()
        except (UnavailableError, ReadOnlyError):
            pass  # the store has told; and where nothing can be changed, nothing is cleaned up
        except Exception:
            logging.getLogger(__name__).exception("a periodic task failed")
        await asyncio.sleep(seconds)


async def _check_database(store: Store) -> None:
    """Look for damage in every game, then in the file; what is found is logged, and shown on the library page."""
    after: str | None = ""
    while after is not None:
        after = await run_sync(store.check_games, after)
        await asyncio.sleep(CHECK_PAUSE_SECONDS)
    await run_sync(store.check_file)


def _check_lease(store: Store) -> None:
    """End the server if another one holds its database: this one lost the lock with its connection."""
    try:
        store.check_lease()
    except HeldByOtherError as error:
        logging.getLogger(__name__).critical("the server ends: %s", error)
        os.kill(os.getpid(), signal.SIGTERM)


def _describe_sockets(app: FastAPI) -> None:
    """Add the types of the WebSocket to the OpenAPI document, from which the front end's types are made."""
    plain = app.openapi

    def openapi() -> dict[str, Any]:
        if app.openapi_schema is None:
            schemas = plain()["components"]["schemas"]
            sockets = {**socket_schemas(), **class_schemas()}
            schemas.update({name: schema for name, schema in sockets.items() if name not in schemas})
        assert app.openapi_schema is not None
        return app.openapi_schema

    app.openapi = openapi  # type: ignore[method-assign]
