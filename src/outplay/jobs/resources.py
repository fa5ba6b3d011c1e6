"""Check that a build fits: the memory of the machines that run its jobs, and the disk it writes to."""

from __future__ import annotations

import os
import shutil
import socket
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from outplay.errors import JobError
from outplay.work import cores

MIB = 1 << 20
GIB = 1 << 30
CGROUPS = (
    ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current"),
    (
        "/sys/fs/cgroup/memory/memory.limit_in_bytes",
        "/sys/fs/cgroup/memory/memory.usage_in_bytes",
    ),
)


class NoRoomError(JobError):
    """A build does not fit: `.job` names the build, `.reason` says why."""

    def __str__(self) -> str:
        return f"{self.job} does not fit: {self.reason}"


@dataclass(frozen=True, slots=True)
class Machine:
    """A machine that runs jobs. `memory` is what a new process can get, in bytes; None if the system does not say."""

    name: str
    cores: int
    memory: int | None


def this_machine() -> Machine:
    return Machine(socket.gethostname(), cores(), _memory())


def _memory() -> int | None:
    found = [size for size in (_available(), *(_left_of(limit, used) for limit, used in CGROUPS)) if size is not None]
    return min(found, default=None)


def _available() -> int | None:
    try:
        lines = Path("/proc/meminfo").read_text().splitlines()
    except OSError:
        return _physical()
    kib = next((line.split()[1] for line in lines if line.startswith("MemAvailable:")), None)
    return None if kib is None else int(kib) * 1024


def _physical() -> int | None:
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):
        return None


def _left_of(limit: str, used: str) -> int | None:
    """Return the memory that a container may still use; None outside a container."""
    try:
        return max(0, int(Path(limit).read_text()) - int(Path(used).read_text()))
    except (OSError, ValueError):  # no such file, or the word "max"
        return None


def check_memory(what: str, needs: Sequence[int], machines: Sequence[Machine]) -> None:
    """Raise NoRoomError if the largest jobs do not fit side by side. `machines` has one entry per parallel job."""
    largest = sorted(needs, reverse=True)
    for name, at_a_time in Counter(machine.name for machine in machines).items():
        memory = min((m.memory for m in machines if m.name == name and m.memory is not None), default=None)
        needed = sum(largest[:at_a_time])
        if memory is not None and needed > memory:
            side_by_side = f" for {at_a_time} jobs at a time" if at_a_time > 1 and len(largest) > 1 else ""
            raise NoRoomError(
                what, f"it needs {amount(needed)} of memory{side_by_side}, but {name} has {amount(memory)} left"
            )


def fits_memory(needs: Sequence[int], machines: Sequence[Machine]) -> bool:
    try:
        check_memory("", needs, machines)
    except NoRoomError:
        return False
    return True


def threads_each(machines: Sequence[Machine]) -> int:
    """Return the largest number of threads per job with which no machine runs more threads than cores; at least 1."""
    slots = Counter(machine.name for machine in machines)
    return max(1, min((machine.cores // slots[machine.name] for machine in machines), default=1))


def check_disk(what: str, needed: int, folder: Path) -> None:
    """Raise NoRoomError if the disk has too little space left."""
    free = disk_left(folder)
    if needed > free:
        raise NoRoomError(what, f"it needs about {amount(needed)} of disk, but {folder} has {amount(free)} left")


def disk_left(folder: Path) -> int:
    """Return the free bytes of the disk where a folder is, or would be created."""
    there = next(path for path in (folder, *folder.absolute().parents) if path.exists())
    return shutil.disk_usage(there).free


def amount(size: int) -> str:
    """Return a number of bytes as text, in MiB or GiB."""
    return f"{size / GIB:.1f} GiB" if size >= GIB / 10 else f"{size / MIB:.1f} MiB"
