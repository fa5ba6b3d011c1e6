"""The inside of a worker process: does one job after the other, ends when its parent does.

Jobs come as pickles through standard input, results go as pickles through standard output. Both are put out of reach
before any job runs: what a job prints goes to standard error.
"""

from __future__ import annotations

import contextlib
import faulthandler
import os
import pickle
import queue
import signal
import sys
import threading
from typing import IO

from outplay.runner.job import Failed, Finished, Work, execute, failure


def _listen(stream: IO[bytes], works: queue.SimpleQueue[Work]) -> None:
    """Take what the parent sends; when it is gone, end at once with whatever a job has started."""
    with contextlib.suppress(EOFError, OSError, pickle.UnpicklingError):
        while True:
            works.put(pickle.load(stream))
    if hasattr(os, "killpg"):
        os.killpg(os.getpgrp(), signal.SIGKILL)
    os._exit(1)


def _do(work: Work) -> Finished | Failed:
    try:
        job = work.open()
    except Exception as error:  # pickle raises what it likes
        return failure(work.key, error)
    return execute(job)


def main() -> None:
    """Serve the parent at the other end of standard input and output."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent, which then ends this process
    faulthandler.enable()
    commands, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    sys.stdin = open(0, closefd=False)  # noqa: SIM115
    works: queue.SimpleQueue[Work] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(commands, works), daemon=True).start()
    while True:
        pickle.dump(_do(works.get()), answers)
        answers.flush()
