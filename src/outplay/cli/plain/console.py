"""Asking and telling, line by line. `help` and `quit` work at every question."""

from __future__ import annotations

import os
import select
import sys

HEARTBEAT = 0.25
"""Seconds between two looks at what else has happened."""
GLYPHS = "·○●"


class Leave(Exception):  # noqa: N818 -- nothing is wrong: somebody wants to go
    """The input has ended, or `quit` was typed."""


class Console:
    """The terminal, or what stands in for it. Without a keyboard the answers are echoed, so that a log reads well."""

    def __init__(self) -> None:
        for stream in (sys.stdin, sys.stdout):
            if hasattr(stream, "reconfigure"):
                stream.reconfigure(errors="replace")
        self._has_keyboard = sys.stdin.isatty()
        self.is_ascii = not _can_show(GLYPHS, sys.stdout.encoding)

    def say(self, text: str = "") -> None:
        print(text, flush=True)

    def ask(self, question: str, help_text: str) -> str:
        """The answer, without the space around it. Leave at the end of the input or on `quit`."""
        while True:
            answer = self._read(question + " ")
            if answer.lower() in ("quit", "exit"):
                raise Leave
            if answer.lower() in ("help", "?"):
                self.say(help_text)
            else:
                return answer

    def _read(self, question: str) -> str:
        print(question, end="", flush=True)
        if self._has_keyboard:
            _wait_for_a_line()
        line = sys.stdin.readline()
        if not line:
            self.say()
            raise Leave
        if not self._has_keyboard:
            self.say(line.rstrip("\n"))
        return line.strip()


def _wait_for_a_line() -> None:
    """Wait at the keyboard with an eye open: a Ctrl-C just before a blocking read would go unheard until Enter."""
    while os.name == "posix" and not select.select([sys.stdin], [], [], HEARTBEAT)[0]:
        pass


def _can_show(text: str, encoding: str | None) -> bool:
    try:
        text.encode(encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True
