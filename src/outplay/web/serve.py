"""Run the app: find a free port, run Uvicorn, and end cleanly on Ctrl-C."""

from __future__ import annotations

import _thread
import asyncio
import contextlib
import errno
import gc
import ipaddress
import logging
import os
import signal
import socket
import sys
import threading
import time
import webbrowser
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from types import FrameType
from typing import Any

import uvicorn
from anyio import CapacityLimiter
from anyio.to_thread import run_sync
from fastapi import FastAPI

from outplay.rules import RULES
from outplay.store import open_store
from outplay.web.app import create_app
from outplay.web.http import logs
from outplay.web.http.connections import Files, Socket, connections, raise_file_limit
from outplay.web.settings import WILDCARDS, Settings
from outplay.work import open_pools

PORTS_TRIED = 50
CLOSING_SECONDS = 1
"""How long requests and sockets may take to end at shutdown."""
ENDING_SECONDS = 1.7
"""How long the shutdown may take in all. Then the process ends at once, even if a disk, a database or a thread hangs.

Nothing is lost: every move that was acknowledged is on disk already.
"""
IDLE_SECONDS = 65
"""How long a connection is kept open for the next request."""
MESSAGE_BYTES = 8 * 1024
"""The longest message that a page may send on a socket."""

COLLECTED_AFTER = (5_000, 5, 20)
"""The thresholds of Python's garbage collector.

A full collection stops the server for about 100 ms with a hundred games in progress, and by default it would run every
ten seconds: bench/README.md.
"""
SWITCHED_AFTER = 0.0005
"""The seconds that a busy thread (an import, an export) may run Python code before another thread has its turn.

A move changes threads about ten times: with Python's own 5 ms, an import beside it made each move take 40 ms more.
"""

Say = Callable[[str], None]


def run(settings: Settings, *, say: Say, open_browser: bool = False) -> None:
    """Serve until Ctrl-C or SIGTERM. OSError if no port is free."""
    logs.set_up(settings.log)
    raise_file_limit()
    with contextlib.ExitStack() as opened:
        # what may be wrong is found before a standby waits; but it listens only when it can answer
        if settings.is_port_fixed:
            listen(settings.host, settings.port, is_fixed=True).close()
        pools = open_pools(settings.slots, cluster=settings.cluster)
        opened.callback(pools.close)
        store = open_store(settings.db, hold="standby" if settings.standby else "now", say=say)
        opened.callback(store.close)
        listener = listen(settings.host, settings.port, is_fixed=settings.is_port_fixed)
        opened.pop_all()  # from now on the app closes them
    settings = replace(settings, port=listener.getsockname()[1])
    if settings.is_exposed:
        say(
            f"Warning: {_whence(settings)} can be reached from other machines. There are no accounts: anyone who can "
            "reach the server can play on it, and watch a game whose link they know."
        )
    say(store.place)
    for bot in settings.bots:
        games = " and ".join(RULES[game].title for game in bot.games)
        say(f"Bot {bot.title} ({bot.source}) plays {games}.")
    if settings.bots:
        say(settings.bots[0].protection)
    app = create_app(settings, store, pools)
    files = Files()
    config = uvicorn.Config(
        app,
        log_level="warning",
        log_config=None if settings.log == "json" else uvicorn.config.LOGGING_CONFIG,
        access_log=False,
        server_header=False,
        proxy_headers=bool(settings.proxies),
        forwarded_allow_ips=list(both_forms(settings.proxies)),
        http=connections(settings.bounds, files),
        ws=Socket,
        ws_max_size=MESSAGE_BYTES,
        ws_per_message_deflate=settings.is_exposed,
        timeout_keep_alive=IDLE_SECONDS,
        timeout_graceful_shutdown=CLOSING_SECONDS,
    )
    server = Server(
        config,
        ready=lambda: _start(settings, say, open_browser),
        ending=lambda: _end_work(app),
        failed=files.handle,
    )
    server.run([listener])


def _whence(settings: Settings) -> str:
    return f"the proxy {' or '.join(settings.proxies)}" if settings.proxies else settings.host


def both_forms(addresses: Iterable[str]) -> Iterator[str]:
    """Yield the addresses or networks; those of IPv4 also as a server on `::` sees them."""
    for address in addresses:
        yield address
        network = ipaddress.ip_network(address)
        if network.version == 4:
            yield f"::ffff:{network.network_address}/{96 + network.prefixlen}"


def url_of(settings: Settings) -> str:
    host = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(settings.host, settings.host)
    name = f"[{host}]" if ":" in host and not host.startswith("[") else host
    return f"http://{name}:{settings.port}{settings.root_path}"


def listen(host: str, port: int, *, is_fixed: bool = False) -> socket.socket:
    """Return a socket that listens on this port, or, unless it is fixed, on the next free one."""
    family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
    ports = range(port, min(port + (1 if is_fixed else PORTS_TRIED), 65536)) if port else range(1)
    for number in ports:
        # asyncio sends without delay only if the protocol is named; otherwise each answer takes 40 ms more
        listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        try:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.bind((address[0], number, *address[2:]))
            listener.listen(1024)
        except OSError as error:
            listener.close()
            if error.errno == errno.EADDRINUSE and is_fixed:
                raise OSError(error.errno, f"port {port} of {host} is in use; name another with --port") from None
            if error.errno != errno.EADDRINUSE or number == ports[-1]:
                raise
        else:
            return listener
    raise AssertionError("unreachable")


def _start(settings: Settings, say: Say, open_browser: bool) -> None:
    url = url_of(settings)
    gc.collect()
    gc.freeze()  # objects that exist now stay, so the collector need not check them again
    gc.set_threshold(*COLLECTED_AFTER)
    sys.setswitchinterval(SWITCHED_AFTER)
    if settings.address and settings.host in WILDCARDS:
        say(f"Other machines reach outplay at {settings.address}{settings.root_path}")
    say(f"outplay is at {url} (Ctrl-C ends it)")
    if open_browser:
        threading.Thread(target=webbrowser.open, args=(url,), daemon=True).start()


def _end_work(app: FastAPI) -> None:
    """End costly requests, searches and waits for locks, so that no request waits for them."""
    app.state.lanes.close()
    app.state.games.store.hurry()
    app.state.contests.close()
    app.state.games.close()


def _end_process() -> None:
    """End the process if it still runs after `ENDING_SECONDS`."""
    time.sleep(ENDING_SECONDS)
    os._exit(0)


class Server(uvicorn.Server):
    """A Uvicorn server that reports when it is ready, and ends quietly on a signal."""

    def __init__(
        self,
        config: uvicorn.Config,
        *,
        ready: Callable[[], None],
        ending: Callable[[], None],
        failed: Callable[[asyncio.AbstractEventLoop, dict[str, Any]], None],
    ) -> None:
        """`failed` handles errors of the event loop that belong to no request."""
        super().__init__(config)
        self._ready, self._ending, self._failed = ready, ending, failed

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        asyncio.get_running_loop().set_exception_handler(self._failed)
        await super().startup(sockets)
        if not self.should_exit:
            self._ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End searches first, so that requests which wait for them end too."""
        await run_sync(self._ending, limiter=CapacityLimiter(1))  # never behind requests that hold all threads
        await super().shutdown(sockets)

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Capture signals as Uvicorn does, but do not raise them again at the end: Ctrl-C is the usual way to stop."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = {number: signal.signal(number, self._end) for number in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def _end(self, number: int, frame: FrameType | None) -> None:
        if not self.should_exit:
            _thread.start_new_thread(_end_process, ())  # a Thread would wait for a lock that this code may hold
        if self.should_exit and number == signal.SIGINT:
            self.force_exit = True
        self.should_exit = True
        logging.getLogger(__name__).debug("ending on signal %d", number)
