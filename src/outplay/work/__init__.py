"""Run tasks in a thread, in a process, on all cores or on a Dask cluster.

A **task** is plain data with `run(report, stop)`. A **pool** takes tasks at any time. It runs them in threads
(`ThreadPool`) or in processes with a fair queue (`ProcessPool`), and enforces their time limits: `submit` returns a
`Ticket`. `open_pools` opens several pools on this machine or on a Dask cluster.

    with ProcessPool(2) as pool:
        answer = pool.submit(task).result()

A **job** is one of the many tasks of a long computation. A unique key names it. The workers of `open_workers` run each
job after the jobs that it needs, in this process, on all cores or on a cluster. If a worker is killed, only its current
job is lost, and that job runs again. Each result is checked by its checksum and arrives as soon as its job is done.
Nothing is stored: to continue after a crash, save the results as they arrive, and run only the jobs whose results are
missing.

    with open_workers(4) as workers:
        for done in workers.run(jobs):
            keep(done.job.key, done.value)
"""

from outplay.work.job import Call, Job, JobBegun, JobNews, JobReport
from outplay.work.loop import Done, Workers, cores, open_workers
from outplay.work.plan import Progress
from outplay.work.pool import GROUP_END, ProcessPool
from outplay.work.pooled import pooled_workers
from outplay.work.pools import AnyPool, Pools, open_pools
from outplay.work.task import OverrunError, Pool, Report, Stop, Task, Ticket, WorkerKilledError, give_way
from outplay.work.threads import ThreadPool

__all__ = [
    "GROUP_END",
    "AnyPool",
    "Call",
    "Done",
    "Job",
    "JobBegun",
    "JobNews",
    "JobReport",
    "OverrunError",
    "Pool",
    "Pools",
    "ProcessPool",
    "Progress",
    "Report",
    "Stop",
    "Task",
    "ThreadPool",
    "Ticket",
    "WorkerKilledError",
    "Workers",
    "cores",
    "give_way",
    "open_pools",
    "open_workers",
    "pooled_workers",
]
