"""A bot's file as a program of its own: it answers over the Hub or the Drop protocol (docs/drop.md).

`main` with a file and a function speaks on standard input and output. What the bot prints goes to standard error, and
so do tracebacks. outplay does not trust this process: it may be started in a sandbox, and its output is read as text.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from outplay.engine.bot import BotEngine
from outplay.engine.protocols import hub
from outplay.engine.protocols.dialect import DIALECTS, Dialect
from outplay.engine.protocols.hub import Message
from outplay.engine.types import Analysis, Limit
from outplay.errors import EngineError, NotationError, OutplayError
from outplay.rules import Position

BOOT = "import json, sys; sys.path[:] = json.loads(sys.argv.pop()); from outplay.engine.botprogram import main; main()"
LARGEST_SEED = 2**31 - 1


class BotProgram:
    """Reads lines and answers them. `init` loads the bot, and `go` runs it."""

    def __init__(self, path: Path, function: str, say: Callable[[str], None]) -> None:
        self._path, self._function, self._say_line = path, function, say
        self._dialect: Dialect | None = None
        self._seed: int | None = None
        self._engine: BotEngine | None = None
        self._limit = Limit()
        self._question: tuple[Position, tuple[Position, ...]] | None = None

    def hear(self, line: str) -> bool:
        """Handle a line; return False if it says quit."""
        try:
            message = hub.read_line(line)
            self._do(message)
        except EngineError as error:
            print("\n".join(error.transcript), file=sys.stderr, flush=True)
            self._say(Message("error", {"message": str(error)}))
        except (OutplayError, ValueError) as error:
            self._say(Message("error", {"message": str(error)}))
        else:
            return message.command != "quit"
        return True

    def _do(self, message: Message) -> None:
        match message.command:
            case "hub" | "drop" as greeting:
                self._dialect = DIALECTS[greeting]
                self._say(Message("id", {"name": self._path.name}))
                seed = {"name": "seed", "value": "0", "type": "int", "min": "0", "max": str(LARGEST_SEED)}
                self._say(Message("param", seed))
                self._say(Message("wait"))
            case "set-param" if message.get("name") == "seed":
                self._seed = int(message.get("value"))
            case "init":
                self._engine = BotEngine(self._path, self._function, seed=self._seed)
                self._say(Message("ready"))
            case "pos" if self._dialect is not None:
                self._question = self._dialect.read_setup(message)
            case "level":
                self._limit = Limit() if "infinite" in message.arguments else hub.read_limit(message)
            case "go":
                self._go()
            case "ping":
                self._say(Message("pong"))
            case _:
                pass

    def _go(self) -> None:
        if self._dialect is None or self._engine is None or self._question is None:
            raise NotationError("go", "first send 'hub' or 'drop', then 'init', then 'pos'")
        position, history = self._question
        analysis = self._engine.analyse(position, self._limit, history=history, report=self._report)
        if analysis.depth or analysis.nodes:
            self._report(analysis)
        self._say(Message("done", {"move": self._dialect.write_move(position, analysis.move)}))

    def _report(self, analysis: Analysis) -> None:
        if self._dialect is not None and self._question is not None and analysis.lines:
            self._say(self._dialect.write_info(self._question[0], analysis))

    def _say(self, message: Message) -> None:
        self._say_line(str(message))


def main(arguments: Sequence[str] | None = None) -> None:
    """Serve the client at the other end of standard input and output."""
    path, function = sys.argv[1:] if arguments is None else arguments
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8", errors="replace")
    os.dup2(2, 1)  # what the bot prints is not part of the conversation

    def say(line: str) -> None:
        answers.write(f"{line}\n")
        answers.flush()

    program = BotProgram(Path(path), function, say)
    for line in sys.stdin:
        if not program.hear(line):
            return
