"""One way to run something elsewhere: in a thread, in a process, on all cores, on a Dask cluster.

A **task** is plain data with `run(report, stop)`. A **pool** runs tasks as they come, in threads (`ThreadPool`) or in
processes with a fair queue (`ProcessPool`), and holds each to its time: `submit` gives a `Ticket`.

    with ProcessPool(2) as pool:
        answer = pool.submit(task).result()

A **job** is a keyed task of a long build. `open_workers` runs jobs in the order that their needs allow, here, on all
cores or on a cluster; a worker that is killed costs only the job it was doing, which is tried again. Results come as
they finish, checked by checksum. Nothing is kept: to go on after a kill, keep results as they come and run only the
jobs that have none.

    with open_workers(4) as workers:
        for done in workers.run(jobs):
            keep(done.job.key, done.value)
"""

from outplay.work.job import Call, Job
from outplay.work.loop import Done, Workers, cores, open_workers
from outplay.work.plan import Progress
from outplay.work.pool import ProcessPool
from outplay.work.task import OverrunError, Pool, Report, Stop, Task, Ticket, give_way
from outplay.work.threads import ThreadPool

__all__ = [
    "Call",
    "Done",
    "Job",
    "OverrunError",
    "Pool",
    "ProcessPool",
    "Progress",
    "Report",
    "Stop",
    "Task",
    "ThreadPool",
    "Ticket",
    "Workers",
    "cores",
    "give_way",
    "open_workers",
]
