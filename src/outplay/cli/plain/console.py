"""Asking and telling, line by line. `help` and `quit` work at every question."""

from __future__ import annotations

import sys

GLYPHS = "·○●"


class Leave(Exception):  # noqa: N818 -- nothing is wrong: somebody wants to go
    """The input has ended, or `quit` was typed."""


class Console:
    """The terminal, or what stands in for it. Without a keyboard the answers are echoed, so that a log reads well."""

    def __init__(self) -> None:
        for stream in (sys.stdin, sys.stdout):
            if hasattr(stream, "reconfigure"):
                stream.reconfigure(errors="replace")
        self._echoes = not sys.stdin.isatty()
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
        try:
            answer = input(question)
        except EOFError:
            self.say()
            raise Leave from None
        if self._echoes:
            self.say(answer)
        return answer.strip()


def _can_show(text: str, encoding: str | None) -> bool:
    try:
        text.encode(encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True
