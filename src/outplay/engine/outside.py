"""Run another program as an engine over the Hub or the Drop protocol: start it, ask it, enforce its limit, end it.

Every failure is an EngineError whose transcript holds the last lines of the conversation: `>` marks what we sent, `<`
what the engine sent, `!` what it wrote to its standard error.
"""

from __future__ import annotations

import contextlib
import queue
import subprocess
import threading
import time
import weakref
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from typing import IO

from outplay.engine.protocols import hub
from outplay.engine.protocols.dialect import HUB, Dialect
from outplay.engine.protocols.hub import Message
from outplay.engine.types import Analysis, Limit, Line, Report, Score, check_not_over
from outplay.errors import EngineError, NotationError, OutplayError
from outplay.rules import Position, rules_of
from outplay.work.supervise import GRACE_MS, Watch
from outplay.work.task import OverrunError

START_MS = 15_000
"""How long a program may take to become ready."""
KEPT_LINES = 100
LONGEST_LINE = 20_000
MOST_WAITING = 10_000
"""The largest number of unread lines. If an engine writes more, its further lines are dropped."""


MOST_OUTPUT = 64 * 2**20
"""The largest number of bytes that a program may write in its life; then its output is closed."""


class Conversation:
    """A running program, and the lines exchanged with it."""

    def __init__(self, command: Sequence[str], *, name: str = "", environment: Mapping[str, str] | None = None) -> None:
        self.name = name or command[0].rpartition("/")[2]
        self._transcript: deque[str] = deque(maxlen=KEPT_LINES)
        self._lines: queue.Queue[str | None] = queue.Queue(MOST_WAITING)
        try:
            self._process = subprocess.Popen(
                list(command),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env=None if environment is None else dict(environment),
            )
        except (OSError, ValueError) as error:
            raise EngineError(f"{self.name} cannot be started: {error}") from None
        process = self._process
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        self._input = process.stdin
        readers = ((process.stdout, "<", self._lines), (process.stderr, "!", None))
        self._reading = [
            threading.Thread(target=_read, args=(stream, mark, self._transcript, lines), daemon=True)
            for stream, mark, lines in readers
        ]
        for thread in self._reading:
            thread.start()
        self._end = weakref.finalize(self, _kill, process)

    @property
    def is_alive(self) -> bool:
        return self._process.poll() is None

    def say(self, message: Message) -> None:
        line = str(message)
        self._transcript.append(f"> {line}")
        with contextlib.suppress(OSError, ValueError):  # the program has ended; `hear` reports that
            self._input.write(f"{line}\n".encode())
            self._input.flush()

    def hear(self, seconds: float | None) -> Message | None:
        """Return the next message; None if none arrives in this time. EngineError if the program has ended."""
        if seconds is not None and seconds <= 0:
            return None  # also if the program never stops writing
        try:
            line = self._lines.get(timeout=seconds)
        except queue.Empty:
            return None
        if line is None:
            self._lines.put(None)  # so that the next call raises too
            raise self.error(f"{self.name} ended unexpectedly ({self._ending()})")
        try:
            return hub.read_line(line)
        except NotationError:
            return Message("")  # not a line of the protocol: "ignore what you do not understand"

    def wake(self) -> None:
        """End a `hear` of another thread, with an empty message."""
        if not self._lines.full():
            self._lines.put("")

    def error(self, text: str) -> EngineError:
        """End the program, so that all it printed is in the transcript, and return the error."""
        self._end()
        self._read_to_the_end()
        return EngineError(text, tuple(self._transcript))

    def overrun(self, text: str) -> OverrunError:
        """End a program that does not answer, and return the error."""
        self._end()
        self._read_to_the_end()
        return OverrunError(text, tuple(self._transcript))

    def close(self) -> None:
        """Ask the program to quit, and end it."""
        if self.is_alive:
            self.say(Message("quit"))
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(0.5)
        self._end()
        self._read_to_the_end()

    def _read_to_the_end(self) -> None:
        for thread in self._reading:
            thread.join(1)  # longer only if a child of the program still has its output open

    def _ending(self) -> str:
        try:
            code = self._process.wait(1)
        except subprocess.TimeoutExpired:
            return "it closed its output"
        return f"exit code {code}" if code >= 0 else f"signal {-code}"


def _read(stream: IO[bytes], mark: str, transcript: deque[str], lines: queue.Queue[str | None] | None) -> None:
    """Read the stream to its end. Not a method, because the thread must not keep the conversation alive."""
    left = MOST_OUTPUT
    with stream:
        while left > 0 and (line := stream.readline(LONGEST_LINE)):
            left -= len(line)
            text = line.decode(errors="replace").rstrip("\r\n")
            transcript.append(f"{mark} {text[:500]}")
            if lines is not None and not lines.full():
                lines.put(text)
    if left <= 0:
        transcript.append(f"{mark} (more than {MOST_OUTPUT // 2**20} MiB: no more is read)")
    if lines is not None:
        while lines.full():
            lines.get()
        lines.put(None)


def _kill(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    with contextlib.suppress(OSError):
        if process.stdin is not None:
            process.stdin.close()
    process.wait()


class OutsideEngine:
    """The program that `command` starts, as an engine. `close()` or garbage collection ends it.

    It plays checkers over the Hub protocol; with another `dialect`, the game of that protocol. After a failure the
    program is ended; the next search starts it again. `name` is for messages until the program says its name.
    `patience_ms` is the time for a search without a time limit. Default: any time.
    """

    def __init__(
        self,
        command: Sequence[str],
        *,
        dialect: Dialect = HUB,
        seed: int | None = None,
        start_ms: int = START_MS,
        grace_ms: int = GRACE_MS,
        patience_ms: int | None = None,
        name: str = "",
        environment: Mapping[str, str] | None = None,
    ) -> None:
        self._command, self._seed, self._start_ms, self._grace_ms = tuple(command), seed, start_ms, grace_ms
        self._dialect, self._given_name, self._environment = dialect, name, environment
        self._patience_ms = patience_ms
        self._lock = threading.Lock()
        self._is_searching = False
        self._last: Position | None = None
        self._talk = self._started()

    @property
    def name(self) -> str:
        """The program's own name."""
        return self._talk.name

    def analyse(
        self, position: Position, limit: Limit, *, history: Sequence[Position] = (), report: Report | None = None
    ) -> Analysis:
        if rules_of(position).name != self._dialect.game:
            raise NotationError(self.name, f"the {self._dialect.title} protocol is only for {self._dialect.plays}")
        check_not_over(position)
        if not self._talk.is_alive:
            self._talk = self._started()
        started = time.monotonic()
        try:
            self._ask(position, limit, history)
            done, latest = self._listen(position, limit, report)
            return self._answer(position, done, latest, time.monotonic() - started)
        except EngineError:
            self._talk.close()
            raise
        finally:
            with self._lock:
                self._is_searching = False

    def stop(self) -> None:
        with self._lock:
            if self._is_searching:
                self._is_searching = False
                self._talk.say(Message("stop"))
                self._talk.wake()

    def close(self) -> None:
        self._talk.close()

    def _started(self) -> Conversation:
        """Start the program and return the conversation once it is ready."""
        talk = Conversation(self._command, name=self._given_name, environment=self._environment)
        deadline = time.monotonic() + self._start_ms / 1000
        try:
            talk.say(Message(self._dialect.greeting))
            for message in until("wait", talk, deadline):
                self._get_to_know(talk, message)
            talk.say(Message("init"))
            for _ in until("ready", talk, deadline):
                pass
        except BaseException:
            talk.close()
            raise
        return talk

    def _get_to_know(self, talk: Conversation, message: Message) -> None:
        match message.command, message.get("name"):
            case "id", name if name:
                talk.name = f"{name} {message.get('version')}".strip()
            case "param", "variant" if self._dialect is HUB:
                variants = message.get("values").split()
                if hub.VARIANT not in variants:
                    raise talk.error(f"{talk.name} plays the variants {', '.join(variants)}, not {hub.VARIANT}")
                if message.get("value") != hub.VARIANT:
                    talk.say(Message("set-param", {"name": "variant", "value": hub.VARIANT}))
            case "param", "seed" if self._seed is not None:
                most = int(message.get("max")) if message.get("max").isdecimal() else hub.LARGEST_SEED
                talk.say(Message("set-param", {"name": "seed", "value": str(self._seed % (most + 1))}))

    def _ask(self, position: Position, limit: Limit, history: Sequence[Position]) -> None:
        if self._last is None or self._last not in history:
            self._talk.say(Message("new-game"))
        self._last = position
        setup = self._dialect.write_setup(position, history)
        with self._lock:
            for message in (Message("pos", setup), hub.write_limit(limit), Message("go", {"think": ""})):
                self._talk.say(message)
            self._is_searching = True

    def _listen(self, position: Position, limit: Limit, report: Report | None) -> tuple[Message, Analysis | None]:
        """Return the final answer, and the last report before it."""
        latest: Analysis | None = None
        time_ms = limit.move_time_ms() or self._patience_ms
        watch = Watch(time_ms, self._grace_ms)
        watch.start()
        while True:
            if not self._is_searching and not watch.has_stopped:  # `stop` was called
                watch.stop()
            message = self._talk.hear(watch.wait())
            if message is None and watch.has_stopped:
                raise self._talk.overrun(
                    f"{self.name} did not answer{_within(time_ms)}, and did not stop when it was asked to"
                )
            if message is None:
                self.stop()
            elif message.command == "done":
                return message, latest
            elif message.command == "error":
                raise self._talk.error(f"{self.name} refused: {message.get('message')}")
            elif message.command == "info":
                with contextlib.suppress(OutplayError):  # wrong reports on the way do no harm
                    latest = self._dialect.read_info(message, position) or latest
                    if report is not None and latest is not None:
                        report(latest)

    def _answer(self, position: Position, done: Message, latest: Analysis | None, seconds: float) -> Analysis:
        try:
            move = self._dialect.read_move(position, done.get("move"))
        except OutplayError as error:
            raise self._talk.error(f"{self.name} answered {str(done)!r}: {error}") from None
        if latest is not None and latest.move == move:
            return Analysis(latest.lines, latest.depth, latest.nodes, seconds)
        depth, nodes = (latest.depth, latest.nodes) if latest is not None else (0, 0)
        return Analysis((Line(move, Score(0, depth=depth), (move,)),), depth, nodes, seconds)


def until(command: str, talk: Conversation, deadline: float) -> Iterator[Message]:
    """Yield the messages that come before the one with this command."""
    while True:
        message = talk.hear(deadline - time.monotonic())
        if message is None:
            raise talk.overrun(f"{talk.name} did not say {command!r} in time")
        if message.command == "error":
            raise talk.error(f"{talk.name} refused: {message.get('message')}")
        if message.command == command:
            return
        yield message


def _within(time_ms: int | None) -> str:
    return "" if time_ms is None else f" within {time_ms / 1000:g} s"
