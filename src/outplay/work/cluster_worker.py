"""The code of a cluster's worker for the tasks of a pool: it runs each task in a process of its own.

So a task that crashes or never returns does not harm the worker, and one of low priority gives way to the others.
Reports go to the pool as events of a Dask topic; the answer is the result of the Dask task.
"""

from __future__ import annotations

import pickle
import queue
import threading
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass

from outplay.errors import EngineError
from outplay.work.process import WorkerProcess
from outplay.work.remote import environment, is_cancelled
from outplay.work.supervise import Answered, Ended, Failed, Message, Reported, Started, Taken

LOOK_SECONDS = 0.1
"""How often a worker checks whether the answer is still wanted."""
IDLE_SECONDS = 600.0
"""How long a process is kept for the next task."""


@dataclass(frozen=True, slots=True)
class SentTask:
    """A task of a pool, as it is sent to a worker."""

    id: str
    topic: str
    environment: str
    kind: str
    """The kind of task. A process runs tasks of one kind only, and keeps the engines and priority of that kind."""
    is_background: bool
    """True to run the task beside the other tasks of the worker: they never wait for it."""
    name: str
    task: bytes


class IdleProcesses:
    """Processes that wait for their next task. Any thread may call any method."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._idle: dict[str, list[tuple[WorkerProcess, threading.Timer]]] = defaultdict(list)

    def take(self, kind: str) -> WorkerProcess | None:
        with self._lock:
            while self._idle[kind]:
                process, timer = self._idle[kind].pop()
                timer.cancel()
                if process.is_alive:
                    return process
                process.kill()
        return None

    def put(self, kind: str, process: WorkerProcess) -> None:
        timer = threading.Timer(IDLE_SECONDS, self._end, (kind, process))
        timer.daemon = True
        timer.start()
        with self._lock:
            self._idle[kind].append((process, timer))

    def _end(self, kind: str, process: WorkerProcess) -> None:
        with self._lock:
            kept = [entry for entry in self._idle[kind] if entry[0] is not process]
            was_idle = len(kept) < len(self._idle[kind])
            self._idle[kind] = kept
        if was_idle:
            process.kill()


_IDLE = IdleProcesses()
_RUNNING: dict[str, WorkerProcess] = {}


def run_task(pickled: bytes) -> bytes:
    """Run the task of a pickled SentTask, and return the last message about it, pickled."""
    from distributed import get_worker, secede

    order: SentTask = pickle.loads(pickled)
    if (here := environment()) != order.environment:
        return pickle.dumps(Failed(EngineError(f"a worker of the cluster has {here}, not {order.environment}")))
    worker, is_unwanted = get_worker(), is_cancelled()
    if order.is_background:
        secede()

    def tell(message: Message) -> None:
        worker.log_event(order.topic, {"id": order.id, "message": pickle.dumps(message)})

    tell(Taken(worker.address))
    process = _IDLE.take(order.kind) or WorkerProcess()
    _RUNNING[order.id] = process
    try:
        process.send(order.name, order.task)
        last = _relay(process, tell, is_unwanted)
    finally:
        del _RUNNING[order.id]
    if isinstance(last, Answered):
        _IDLE.put(order.kind, process)
    else:
        process.kill()
    return pickle.dumps(last)


def _relay(process: WorkerProcess, tell: Callable[[Message], None], is_unwanted: Callable[[], bool]) -> Message:
    """Pass on the reports of a process, and return its last message (an answer, a failure or its end)."""
    while not is_unwanted():
        try:
            message = process.inbox.get(timeout=LOOK_SECONDS)
        except queue.Empty:
            continue
        if isinstance(message, Started | Reported):
            tell(message)
        else:
            return message
    return Ended("its answer is no longer wanted")


def stop_task(order_id: str) -> None:
    """Ask a task to answer now, if it still runs here."""
    process = _RUNNING.get(order_id)
    if process is not None:
        process.interrupt()
