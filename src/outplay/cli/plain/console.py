"""Asking and telling, line by line. `help` and `quit` work at every question."""

from __future__ import annotations

import os
import select
import sys

HEARTBEAT = 0.25
"""Seconds between two checks for other events."""
GLYPHS = "·○●"


class Leave(Exception):  # noqa: N818 -- not an error: the player wants to leave
    """The input has ended, or `quit` was typed."""


class Console:
    """The terminal, or a pipe. Answers from a pipe are echoed, so that the log is readable."""

    def __init__(self, *, has_words: bool = False) -> None:
        """Make the console. `has_words`: boards are said in words, not drawn."""
        self.has_words = has_words
        for stream in (sys.stdin, sys.stdout):
            if hasattr(stream, "reconfigure"):
                stream.reconfigure(errors="replace")
        self._has_keyboard = sys.stdin.isatty()
        self.is_ascii = not _can_show(GLYPHS, sys.stdout.encoding)

    def say(self, text: str = "") -> None:
        print(text, flush=True)

    def ask(self, question: str, help_text: str) -> str:
        """Return the answer without the spaces around it. Raise Leave at the end of the input or on `quit`."""
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
    """Wait for input in short steps: a Ctrl-C just before a blocking read would not be noticed until Enter."""
    while os.name == "posix" and not select.select([sys.stdin], [], [], HEARTBEAT)[0]:
        pass


def _can_show(text: str, encoding: str | None) -> bool:
    try:
        text.encode(encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True
