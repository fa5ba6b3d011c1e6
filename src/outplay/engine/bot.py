"""Your own bot: a function of a position that returns a move, as an engine.

    def play(position):
        return position.legal_moves()[0]

It may return a move or the text of a move. If it has parameters called `limit`, `history` or `report`, it gets those
too. It runs in a process of its own (see `engine.task`), so that an error in the bot loses its own game and does no
other harm.
"""

from __future__ import annotations

import importlib.util
import inspect
import operator
import random
import sys
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from outplay.engine.types import Analysis, Limit, Line, Report, Score, check_not_over
from outplay.errors import EngineError, OutplayError
from outplay.rules import Move, Position

MODULE = "outplay_bot"
"""The module name of a bot's file, in its tracebacks and in `sys.modules`."""


USUAL_NAMES = ("choose", "play")
"""The functions to look for in a file, in this order; if it has neither, its only public function is used."""


class FunctionEngine:
    """An engine that calls a function. Every error of the function becomes an EngineError with its traceback."""

    def __init__(self, function: Callable[..., Any], *, name: str | None = None, seed: int | None = None) -> None:
        self.name = name or name_of(function)
        self._random = None if seed is None else random.Random(seed).getstate()
        self._function = function
        self._wants = _keywords(function) & {"limit", "history", "report"}

    def analyse(
        self, position: Position, limit: Limit, *, history: Sequence[Position] = (), report: Report | None = None
    ) -> Analysis:
        check_not_over(position)
        started = time.perf_counter()
        given: dict[str, Any] = {"limit": limit, "history": tuple(history), "report": report}
        try:
            with self._own_random():
                answer = self._function(position, **{name: given[name] for name in self._wants})
        except BaseException as error:  # includes SystemExit: a bot that exits has failed
            raise _told(self.name, "failed", error, _file_of(self._function)) from None
        if isinstance(answer, Analysis):
            return answer
        move = self._move(position, answer)
        return Analysis((Line(move, Score(0, depth=0), (move,)),), 0, 0, time.perf_counter() - started)

    @contextmanager
    def _own_random(self) -> Iterator[None]:
        """With a seed, give the function its own state of the `random` module, and then restore the caller's state."""
        if self._random is None:
            yield
            return
        before = random.getstate()
        random.setstate(self._random)
        try:
            yield
        finally:
            self._random = random.getstate()
            random.setstate(before)

    def stop(self) -> None:
        """Do nothing: a function cannot be stopped. If it takes too long, its process is killed."""

    def _move(self, position: Position, answer: Any) -> Move:
        """Return the bot's answer as a legal move."""
        try:
            move = position.parse(answer) if isinstance(answer, str) else _plain(answer)
            position.play(move)
        except (OutplayError, TypeError) as error:
            reason = getattr(error, "reason", "that is not a move")
            raise EngineError(f"{self.name} returned {answer!r} in {position.fen()}: {reason}") from None
        return move


class BotEngine(FunctionEngine):
    """An engine that calls a function of the file at `path`. If `function` is empty, `only_function` chooses it."""

    def __init__(self, path: Path, function: str, *, seed: int | None = None) -> None:
        name = f"{path.name}:{function}" if function else path.name
        if seed is not None:
            random.seed(seed)  # also for random numbers drawn while the file is loaded
        super().__init__(_loaded(path.resolve(), function, name), name=name)


def _loaded(path: Path, function: str, name: str) -> Callable[..., Any]:
    if not path.is_file():
        raise EngineError(f"there is no file {path}")
    spec = importlib.util.spec_from_file_location(MODULE, path)
    if spec is None or spec.loader is None:
        raise EngineError(f"{path} is not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[MODULE] = module
    sys.path.insert(0, str(path.parent))  # so that it can import files beside it
    try:
        spec.loader.exec_module(module)
    except BaseException as error:
        raise _told(name, "cannot be loaded", error, str(path)) from None
    functions = [name for name, value in vars(module).items() if inspect.isfunction(value)]
    if not function:
        function = only_function(path, [name for name in functions if vars(module)[name].__module__ == MODULE])
    found: Callable[..., Any] | None = getattr(module, function, None)
    if found is None or not callable(found):
        raise EngineError(f"{path.name} has no function {function!r}; it has {', '.join(functions) or 'none'}")
    return found


def only_function(path: Path, functions: Sequence[str]) -> str:
    """Return which function of a file is the bot: `choose`, `play`, or the only public one."""
    public = [name for name in functions if not name.startswith("_")]
    usual = [name for name in USUAL_NAMES if name in public]
    if not usual and len(public) != 1:
        has = f"it has {', '.join(public)}" if public else "it has none"
        raise EngineError(f"{path.name} needs a function {USUAL_NAMES[0]!r}, or only one function; {has}")
    return (usual or public)[0]


def name_of(function: Callable[..., Any]) -> str:
    """Return a function's name as a player: "mybots.choose"."""
    name = getattr(function, "__qualname__", type(function).__qualname__)
    return f"{getattr(function, '__module__', '')}.{name}".removeprefix("__main__.")


def _file_of(function: Callable[..., Any]) -> str:
    return str(getattr(getattr(function, "__code__", None), "co_filename", ""))


def _told(name: str, what: str, error: BaseException, file: str) -> EngineError:
    """Return the error with its traceback, which begins in the bot's own file."""
    frames = error.__traceback__
    while frames is not None and frames.tb_frame.f_code.co_filename != file:
        frames = frames.tb_next
    lines = "".join(traceback.format_exception(type(error), error, frames or error.__traceback__)).splitlines()
    said = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    return EngineError(f"{name} {what}: {said}", lines)


def _plain(answer: Any) -> Any:
    """Return NumPy integers and similar types as plain integers; True is not a column."""
    if isinstance(answer, bool):
        raise TypeError
    return operator.index(answer) if hasattr(answer, "__index__") else answer


def _keywords(function: Callable[..., Any]) -> set[str]:
    try:
        return set(inspect.signature(function).parameters)
    except (TypeError, ValueError):
        return set()
