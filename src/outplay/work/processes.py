"""Run jobs in processes of this machine. If a process is killed, only its current job is lost."""

from __future__ import annotations

import queue
from collections.abc import Callable, Iterable
from typing import Any

from outplay.work.job import Fate, Job, JobBegun, JobNews, JobTask, Lost, Work
from outplay.work.plan import Plan
from outplay.work.process import WorkerProcess
from outplay.work.supervise import Answered, Ended, Failed, Message


class JobProcess(WorkerProcess):
    """A worker process and its current job."""

    def __init__(self, tell: Callable[[JobProcess, Message], None]) -> None:
        self.job: Job | None = None
        super().__init__(lambda message: tell(self, message), keeps_output=False)

    def begin_job(self, job: Job) -> None:
        work = Work.of(job)
        self.job = job
        self.begin(JobTask(work))


class Processes:
    """A site of at most `slots` processes, started when needed and kept for the next job."""

    def __init__(self, slots: int) -> None:
        self.slots = slots
        self._inbox: queue.SimpleQueue[tuple[JobProcess, Message] | None] = queue.SimpleQueue()
        """The messages of the processes; None is a wake-up."""
        self._idle: list[JobProcess] = []
        self._busy: set[JobProcess] = set()
        self._begun: list[JobNews] = []
        self._is_closed = False

    def fill(self, plan: Plan) -> None:
        while len(self._busy) < self.slots and (job := plan.take()) is not None:
            process = self._idle.pop() if self._idle else JobProcess(lambda *said: self._inbox.put(said))
            self._busy.add(process)
            process.begin_job(job)
            self._begun.append(JobBegun(job.key))

    def wait(self) -> Iterable[Fate | JobNews]:
        if self._begun:
            begun, self._begun = self._begun, []
            return begun
        said = self._inbox.get()
        if said is None:
            return []
        process, message = said
        if process not in self._busy:  # the process was idle, or its job was given up
            if isinstance(message, Ended):
                self._forget(process)
            return []
        assert process.job is not None
        key, process.job = process.job.key, None
        self._busy.remove(process)
        match message:
            case Answered(fate):
                self._idle.append(process)
                return [fate]
            case Failed(error):  # its answer could not be read
                process.kill()
                return [Lost(key, str(error))]
            case Ended(how, _):
                process.kill()
                return [Lost(key, f"its worker died ({how})")]
        raise AssertionError(f"unexpected message from the process of a job: {message}")

    def survey(self, call: Callable[[], Any]) -> list[Any]:
        return [call()] * self.slots  # all processes run on this machine

    def wake(self, *, ends: bool = False) -> None:
        self._inbox.put(None)

    def abandon(self) -> None:
        for process in [*self._busy, *(self._idle if self._is_closed else ())]:
            process.kill()
        self._busy.clear()
        self._begun.clear()

    def close(self) -> None:
        self._is_closed = True
        self.abandon()

    def pids(self) -> list[int]:
        """Return the ids of the running processes."""
        return [process.pid for process in (*self._busy, *self._idle)]

    def _forget(self, process: JobProcess) -> None:
        if process in self._idle:
            self._idle.remove(process)
        process.kill()
