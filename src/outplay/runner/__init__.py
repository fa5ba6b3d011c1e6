"""Keyed jobs in this process, on this machine's cores, or on a Dask cluster.

    with open_runner(workers=4) as runner:
        for done in runner.run(jobs):
            keep(done.job.key, done.value)

A job is plain data, and doing it twice does no harm. A worker that is killed costs the job that it was doing, which is
tried again. Results come as they finish, checked by checksum. Nothing is kept here: whoever wants to go on after
a kill keeps results as they come, and runs only the jobs that have none.

It is a package because its parts are separate: what a job is (`job`), what may begin (`plan`), the loop (`run`), and
three crews that do the work (`here`, `processes` with `child`, `cluster`).
"""

from outplay.runner.job import Job, stop_event, stopped
from outplay.runner.plan import Progress
from outplay.runner.run import Done, Runner, cores, open_runner

__all__ = ["Done", "Job", "Progress", "Runner", "cores", "open_runner", "stop_event", "stopped"]
