"""Serve one of our engines to other programs over the Hub protocol: see docs/hub.md.

The caller passes each input line to the server, and the server answers through a function that takes a line; it does
not know about pipes. A search runs in another thread, so that `stop` and `ping` are answered meanwhile.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from outplay.checkers import Position
from outplay.engine.protocols import hub
from outplay.engine.protocols.hub import Message
from outplay.engine.task import Ask, Recipe
from outplay.engine.types import Analysis, Limit
from outplay.errors import NotationError, OutplayError
from outplay.work import ThreadPool, Ticket

DEFAULT_LIMIT = Limit(time_ms=1000)
"""The limit of a `go` before any `level`."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter that may be set before `init`: its default value, its type, and the allowed values."""

    value: str
    kind: str
    constraints: tuple[tuple[str, str], ...] = ()

    def message(self, name: str) -> Message:
        return Message("param", {"name": name, "value": self.value, "type": self.kind, **dict(self.constraints)})


VARIANT = Parameter(hub.VARIANT, "enum", (("values", hub.VARIANT),))


class HubServer:
    """A server that reads lines and answers them. `make` returns the engine's recipe for given parameter values."""

    def __init__(
        self,
        identity: Mapping[str, str],
        parameters: Mapping[str, Parameter],
        make: Callable[[Mapping[str, str]], Recipe],
        say: Callable[[str], None],
    ) -> None:
        self._identity, self._parameters, self._make = identity, {"variant": VARIANT, **parameters}, make
        self._values = {name: parameter.value for name, parameter in self._parameters.items()}
        self._say_line, self._lock = say, threading.RLock()
        self._pool = ThreadPool()
        self._recipe: Recipe | None = None
        self._question: tuple[Position, tuple[Position, ...]] | None = None
        self._limit = DEFAULT_LIMIT
        self._search: Ticket[Analysis] | None = None
        self._is_pondering = False

    def hear(self, line: str) -> bool:
        """Handle a line; return False if it says quit. If a command cannot be carried out, the answer is `error`."""
        try:
            message = hub.read_line(line)
            if message.command == "quit":
                return False
            with self._lock:
                self._do(message)
        except (OutplayError, ValueError) as error:
            self._say(Message("error", {"message": str(error)}))
        return True

    def close(self) -> None:
        """End a running search without sending its answer."""
        with self._lock:
            self._search = None
        self._pool.close()

    def _do(self, message: Message) -> None:
        match message.command:
            case "ping":
                self._say(Message("pong"))
            case "stop":
                if self._search is not None:
                    self._search.stop()
            case "ponder-hit":
                self._ponder_hit()
            case "hub" | "set-param" | "init" | "new-game" | "pos" | "level" | "go" if self._search is not None:
                raise NotationError(message.command, "a search is running: send stop and wait for done")
            case "hub":
                self._introduce()
            case "set-param":
                self._set(message.get("name"), message.get("value"))
            case "init":
                self._recipe = self._make(self._values)
                self._say(Message("ready"))
            case "new-game":
                self._pool.close()
                self._pool = ThreadPool()  # with engines that start fresh
            case "pos":
                self._set_up(message)
            case "level":
                self._limit = hub.read_limit(message)
            case "go":
                self._go(message)
            case _:
                pass  # "ignore commands that you do not understand"

    def _introduce(self) -> None:
        self._say(Message("id", self._identity))
        for name, parameter in self._parameters.items():
            self._say(parameter.message(name))
        self._say(Message("wait"))

    def _set(self, name: str, value: str) -> None:
        if name not in self._parameters:
            raise NotationError(name, f"the parameters are {', '.join(self._parameters)}")
        allowed = dict(self._parameters[name].constraints).get("values", value).split()
        if self._parameters[name].kind == "enum" and value not in allowed:
            raise NotationError(value, f"{name} must be one of {', '.join(allowed)}")
        self._make({**self._values, name: value})  # raises an error for a bad value
        self._values[name] = value

    def _set_up(self, message: Message) -> None:
        self._question = None  # if this fails, a `go` must not search the previous position
        self._question = hub.read_setup(message)

    def _go(self, message: Message) -> None:
        if self._recipe is None:
            raise NotationError("go", "send init first")
        if self._question is None:
            raise NotationError("go", "there is no position: send pos first")
        position, history = self._question
        if position.outcome() is not None:
            raise NotationError("go", "the game is over in this position")
        self._is_pondering = "ponder" in message.arguments
        without_time = replace(self._limit, time_ms=hub.FOR_EVER_MS, clock_ms=None, increment_ms=0)
        limit = without_time if self._is_pondering else self._limit
        search = self._pool.submit(Ask(self._recipe, position, limit, history), report=self._report)
        self._search = search
        search.future.add_done_callback(lambda _: self._finish(search))

    def _ponder_hit(self) -> None:
        """Start the time limit, because the expected move was played."""
        search, time_ms = self._search, self._limit.move_time_ms()
        if search is None or not self._is_pondering:
            return
        self._is_pondering = False
        if time_ms is not None:
            timer = threading.Timer(time_ms / 1000, search.stop)
            timer.daemon = True
            timer.start()

    def _report(self, analysis: Analysis) -> None:
        with self._lock:
            if self._search is not None and analysis.lines:
                self._say(hub.write_info(analysis))

    def _finish(self, search: Ticket[Analysis]) -> None:
        with self._lock:
            if search is not self._search:
                return
            self._search = None
            try:
                analysis = search.result()
            except OutplayError as error:
                self._say(Message("error", {"message": str(error)}))
            else:
                if not _is_told(analysis, search.latest):
                    self._say(hub.write_info(analysis))
                self._say(_done(analysis))

    def _say(self, message: Message) -> None:
        self._say_line(str(message))


def _is_told(analysis: Analysis, latest: Analysis | None) -> bool:
    """Return True if the latest report had the same best line and the same nodes as `analysis`."""
    return latest is not None and (latest.lines[:1], latest.nodes) == (analysis.lines[:1], analysis.nodes)


def _done(analysis: Analysis) -> Message:
    arguments = {"move": hub.write_move(analysis.move)}
    if len(analysis.lines[0].moves) > 1:
        arguments["ponder"] = hub.write_move(analysis.lines[0].moves[1])
    return Message("done", arguments)
