"""The progress of a long command: one line on standard error, and nothing if that is not a terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from time import monotonic
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from outplay.work import Progress

Tell = Callable[["Progress"], None]


class Bar:
    """The one progress display of all commands: what runs, how far it is, its time, and a note.

    It appears with the first `tell` after `quiet_seconds`, and disappears when the `with` block ends.
    """

    def __init__(self, what: str, *, quiet_seconds: float = 0.0) -> None:
        self.what, self._quiet_seconds = what, quiet_seconds
        self._started = monotonic()
        self._is_off = False
        self._bars: Any = None
        self._task: Any = None

    def __enter__(self) -> Bar:
        self._started = monotonic()
        return self

    def __exit__(self, *error: object) -> None:
        if self._bars is not None:
            self._bars.stop()
            self._bars = None

    def tell(self, share: float | None = None, *, count: str = "", note: str = "", what: str = "") -> None:
        """Show the share done, from 0 to 1, or None if it is not known; `what` replaces the name of the work."""
        self.what = what or self.what
        if self._bars is None and not self._open():
            return
        total = None if share is None else 1.0
        self._bars.update(self._task, total=total, completed=share or 0, description=self.what, count=count, note=note)

    def _open(self) -> bool:
        """Show the bar for the first time, if it is late enough and there is a terminal; return whether it is shown."""
        if self._is_off or monotonic() - self._started < self._quiet_seconds:
            return False
        self._is_off = not is_terminal()
        if self._is_off:
            return False
        from rich.console import Console
        from rich.progress import BarColumn, TextColumn, TimeElapsedColumn
        from rich.progress import Progress as Bars
        from rich.table import Column

        columns = (
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            TextColumn("{task.fields[count]}", markup=False),
            TimeElapsedColumn(table_column=Column(no_wrap=True)),  # beside a long note, only the bar becomes shorter
            TextColumn("{task.fields[note]}", markup=False),
        )
        self._bars = Bars(*columns, console=Console(stderr=True, highlight=False), transient=True)
        self._task = self._bars.add_task(self.what, total=None, count="", note="")
        self._bars.start()
        return True


def is_terminal() -> bool:
    """Return whether standard error is a terminal."""
    from rich.console import Console

    return Console(stderr=True).is_terminal


@contextmanager
def run_progress(what: str, total: int, *, note: Callable[[], str] = lambda: "") -> Iterator[Tell]:
    """Show the bar of a run of jobs, with the time left. `note` is called whenever a job is done."""
    with Bar(what) as bar:
        bar.tell(0.0, count=f"0/{total}", note=note())

        def tell(progress: Progress) -> None:
            time_left = timedelta(seconds=round(progress.seconds_left))
            words = ", ".join(filter(None, [f"{time_left} left", note()]))
            bar.tell(progress.share, count=f"{progress.done}/{progress.total}", note=words)

        yield tell
