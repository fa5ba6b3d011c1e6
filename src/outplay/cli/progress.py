"""How far a run of jobs is: a line on the terminal, and nothing where there is no terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta

from outplay.work import Progress

Tell = Callable[[Progress], None]


@contextmanager
def run_progress(what: str, total: int, *, note: Callable[[], str] = lambda: "") -> Iterator[Tell]:
    """A bar on standard error with the share done, the time left and a note; it goes when the work is done."""
    from rich.console import Console
    from rich.progress import BarColumn, TaskProgressColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bars

    console = Console(stderr=True)
    if not console.is_terminal:
        yield lambda _: None
        return
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TaskProgressColumn(),
        TextColumn("{task.fields[count]}"),
        TimeElapsedColumn(),
        TextColumn("{task.fields[left]}"),
    )
    with Bars(*columns, console=console, transient=True) as bars:
        task = bars.add_task(what, total=1.0, count=f"0/{total}", left=note())

        def tell(progress: Progress) -> None:
            time_left = timedelta(seconds=round(progress.seconds_left))
            left = ", ".join(filter(None, [f"{time_left} left", note()]))
            bars.update(task, completed=progress.share, count=f"{progress.done}/{progress.total}", left=left)

        yield tell
