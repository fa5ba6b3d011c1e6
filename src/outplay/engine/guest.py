"""Bots and programs that other people wrote, as engines: each in its own process, in a sandbox (see `sandbox`)."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from outplay.engine.botprogram import BOOT
from outplay.engine.outside import START_MS, OutsideEngine, until
from outplay.engine.protocols.dialect import DIALECT_OF, DIALECTS, DROP
from outplay.engine.protocols.hub import Message
from outplay.engine.sandbox import MEMORY_MIB, Sandbox, SandboxKind, environment, find_sandbox
from outplay.engine.types import Analysis, Limit, Report
from outplay.errors import EngineError
from outplay.rules import Position, rules_of

PATIENCE_MS = 60_000
"""The time for a move if the limit has no time: a bot that never answers must not hold up a tournament."""


class GuestBot(OutsideEngine):
    """A function in a bot's file, as an engine for both games. The transcript of an EngineError is the bot's output.

    Under bubblewrap the bot can read its file, and a folder beside it with the same name: `first.py` and `first/`.
    """

    def __init__(
        self,
        path: Path,
        function: str,
        *,
        seed: int | None = None,
        sandbox: SandboxKind | None = None,
        memory_mib: int = MEMORY_MIB,
        start_ms: int = START_MS,
        patience_ms: int = PATIENCE_MS,
    ) -> None:
        program = [sys.executable, "-c", BOOT, str(path), function, json.dumps(sys.path)]
        command = _house(sandbox, memory_mib).command(program, (path, path.with_suffix("")))
        with _own_words(path.name):
            super().__init__(
                command,
                dialect=DROP,
                seed=seed,
                start_ms=start_ms,
                patience_ms=patience_ms,
                name=path.name,
                environment=environment(),
            )

    def analyse(
        self, position: Position, limit: Limit, *, history: Sequence[Position] = (), report: Report | None = None
    ) -> Analysis:
        with _own_words(self.name):
            self._use_dialect(rules_of(position).name)
            return super().analyse(position, limit, history=history, report=report)

    def _use_dialect(self, game: str) -> None:
        """Speak the protocol of this game from now on: a bot's process understands both."""
        if DIALECT_OF[game] is not self._dialect:
            self._dialect = DIALECT_OF[game]
            self._talk.say(Message(self._dialect.greeting))
            for _ in until("wait", self._talk, time.monotonic() + START_MS / 1000):
                pass


def _house(kind: SandboxKind | None, memory_mib: int) -> Sandbox:
    """Return the sandbox of this kind. Default: bubblewrap if it runs here, otherwise limits."""
    return find_sandbox(memory_mib=memory_mib) if kind is None else Sandbox(kind, memory_mib)


@contextmanager
def _own_words(name: str) -> Iterator[None]:
    """Remove the lines of the protocol from a bot's errors: its author wants the traceback and what was printed."""
    try:
        yield
    except EngineError as error:
        printed = [line[2:] for line in error.transcript if line.startswith("! ")]
        raise type(error)(error.message.removeprefix(f"{name} refused: "), printed) from None


class GuestProgram(OutsideEngine):
    """A program that speaks the Hub or the Drop protocol. Under bubblewrap it can read only the files it is given."""

    def __init__(
        self,
        command: Sequence[str],
        protocol: str,
        *,
        seed: int | None = None,
        sandbox: SandboxKind | None = None,
        memory_mib: int = MEMORY_MIB,
    ) -> None:
        files = {word: Path(word).absolute() for word in command if Path(word).is_file()}
        program = [str(files.get(word, word)) for word in command]  # it may start in another folder
        wrapped = _house(sandbox, memory_mib).command(program, tuple(files.values()))
        surroundings = None if sandbox == "none" else environment()
        name = Path(command[0]).name
        super().__init__(
            wrapped,
            dialect=DIALECTS[protocol],
            seed=seed,
            patience_ms=PATIENCE_MS,
            name=name,
            environment=surroundings,
        )
