"""Run a program in a pseudo-terminal, with the input of a transcript.

A transcript is the screen from the first line to the last, with what is typed between « and »; its own first line is
the command. «^C» and «^D» are those keys. Times differ from run to run and are written as 0.00. To record transcripts
anew, with what they type: python -m tests.support.terminal FILE ...
"""

from __future__ import annotations

import codecs
import errno
import os
import pty
import re
import select
import shlex
import subprocess
import sys
import termios
import time
from pathlib import Path

from tests.support import DATA

WAIT = 60
"""The most seconds that a program may be silent."""
KEYS = {"^C": "\x03", "^D": "\x04"}
BOOT = "import fcntl, os, sys, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0); os.execv(sys.argv[1], sys.argv[1:])"
"""Makes the pseudo-terminal the program's own, so that Ctrl-C reaches it."""
TYPED = re.compile("«(.*?)»")
TIMES = re.compile(r"\d+\.\d\d s\b")
TRANSCRIPTS = DATA / "transcripts"


class Terminal:
    """A program at a keyboard and a screen. What is typed is marked on the screen instead of being echoed."""

    def __init__(self, arguments: list[str], **environment: str) -> None:
        self.screen = ""
        self._asked = 0
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._keyboard, other_end = pty.openpty()
        modes = termios.tcgetattr(other_end)
        modes[1] &= ~termios.OPOST  # no carriage returns
        modes[3] &= ~termios.ECHO
        termios.tcsetattr(other_end, termios.TCSANOW, modes)
        self._process = subprocess.Popen(
            [sys.executable, "-c", BOOT, sys.executable, "-m", "outplay.cli", *arguments],
            stdin=other_end,
            stdout=other_end,
            stderr=other_end,
            env={**os.environ, "PYTHONUTF8": "1", "TERM": "dumb", **environment},
            start_new_session=True,
        )
        os.close(other_end)

    def wait_for(self, question: str) -> bool:
        """Wait until the program asks this; False if it ends instead."""
        deadline = time.monotonic() + WAIT
        while not self.screen[self._asked :].endswith(question) or not question:
            if not self._read(deadline):
                return False
        return True

    def type(self, text: str) -> None:
        self.screen += f"«{text}»" + ("" if text in KEYS else "\n")
        self._asked = len(self.screen)
        os.write(self._keyboard, (KEYS.get(text) or text + "\n").encode())

    def finish(self) -> int:
        """Read to the end; the exit code."""
        deadline = time.monotonic() + WAIT
        while self._read(deadline):
            pass
        os.close(self._keyboard)
        return self._process.wait(WAIT)

    def _read(self, deadline: float) -> bool:
        """Read what there is; False if the program has ended."""
        ready, _, _ = select.select([self._keyboard], [], [], max(0.0, deadline - time.monotonic()))
        if not ready:
            self._process.kill()
            self._process.wait()
            raise AssertionError(f"the program is silent:\n{self.screen[-2000:]}")
        try:
            data = os.read(self._keyboard, 65536)
        except OSError as error:
            if error.errno != errno.EIO:
                raise
            return False
        self.screen += self._decoder.decode(data)
        return bool(data)


def replay(transcript: str, **environment: str) -> tuple[str, int]:
    """Type what a transcript types: the transcript of that, and the exit code."""
    command, _, body = transcript.partition("\n")
    dollar, outplay, *arguments = shlex.split(command)
    assert (dollar, outplay) == ("$", "outplay")
    terminal = Terminal(arguments, **environment)
    *parts, _ = TYPED.split(body)
    for text, typed in zip(parts[::2], parts[1::2], strict=True):
        if not terminal.wait_for(text.rpartition("\n")[2]):
            break
        terminal.type(typed)
    code = terminal.finish()
    return f"{command}\n{TIMES.sub('0.00 s', terminal.screen)}", code


if __name__ == "__main__":
    for name in sys.argv[1:]:
        path = Path(name)
        path.write_text(replay(path.read_text(encoding="utf-8"))[0], encoding="utf-8")
