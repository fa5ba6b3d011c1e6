"""What long builds share: a folder for one at a time, and whether there is room."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from outplay.errors import JobError
from outplay.jobs.lock import FolderLockedError, locked
from outplay.jobs.resources import (
    GIB,
    Machine,
    NoRoomError,
    amount,
    check_disk,
    check_memory,
    disk_left,
    this_machine,
    threads_each,
)

HOLDER = """
import sys, time
from pathlib import Path
from outplay.jobs.lock import locked
with locked(Path(sys.argv[1])):
    print("held", flush=True)
    time.sleep(1000)
"""


def test_a_folder_is_for_one_build_at_a_time(tmp_path: Path) -> None:
    held = rf"tables: another build is running here \(process {os.getpid()} on "
    with locked(tmp_path / "tables"), pytest.raises(FolderLockedError, match=held), locked(tmp_path / "tables"):
        pass
    with locked(tmp_path / "tables"):
        pass


def test_a_lock_ends_with_a_killed_process(tmp_path: Path) -> None:
    holder = subprocess.Popen([sys.executable, "-c", HOLDER, str(tmp_path)], stdout=subprocess.PIPE, text=True)
    assert holder.stdout is not None
    with holder.stdout as said:
        assert said.readline() == "held\n"
    with pytest.raises(FolderLockedError, match=f"process {holder.pid} on "), locked(tmp_path):
        pass
    holder.send_signal(signal.SIGKILL)
    holder.wait()
    with locked(tmp_path):
        pass


def test_a_folder_that_cannot_be_made_is_an_error_of_the_file_system(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(NotADirectoryError), locked(tmp_path / "file" / "tables"):
        pass


ONE = Machine("one", cores=8, memory=4 * GIB)
TWO = Machine("two", cores=2, memory=6 * GIB)


def test_the_largest_jobs_must_fit_side_by_side() -> None:
    check_memory("it", [GIB, 2 * GIB, GIB], [ONE, ONE, TWO])
    with pytest.raises(NoRoomError) as caught:
        check_memory("a build", [GIB, 3 * GIB, 2 * GIB], [ONE, ONE, TWO])
    assert str(caught.value) == (
        "a build does not fit: it needs 5.0 GiB of memory for 2 jobs at a time, but one has 4.0 GiB left"
    )
    assert isinstance(caught.value, JobError)


def test_a_machine_that_does_not_say_what_it_has_is_believed() -> None:
    check_memory("it", [1000 * GIB], [Machine("one", 1, None)])


def test_workers_of_a_machine_share_its_memory_though_each_sees_it_a_little_different() -> None:
    machines = [Machine("one", 8, 4 * GIB), Machine("one", 8, 4 * GIB + 1)]
    with pytest.raises(NoRoomError):
        check_memory("it", [3 * GIB, 3 * GIB], machines)


def test_jobs_get_the_cores_that_their_machine_has_for_them() -> None:
    assert threads_each([ONE]) == 8
    assert threads_each([ONE, ONE]) == 4
    assert threads_each([ONE, TWO]) == 2
    assert threads_each([TWO] * 3) == 1
    assert threads_each([]) == 1


def test_this_machine_has_cores_and_memory() -> None:
    machine = this_machine()
    assert machine.cores >= 1
    assert machine.memory is None or machine.memory > 0


def test_a_disk_that_is_too_small_is_told(tmp_path: Path) -> None:
    check_disk("it", 0, tmp_path / "not" / "there")
    with pytest.raises(NoRoomError, match=r"a build does not fit: it needs about 1048576.0 GiB of disk, .* left"):
        check_disk("a build", 1 << 50, tmp_path)
    assert disk_left(tmp_path / "not" / "there") > 0


def test_amounts_are_told_in_mebibytes_or_gibibytes() -> None:
    assert [amount(size) for size in (0, 5 << 20, GIB)] == ["0.0 MiB", "5.0 MiB", "1.0 GiB"]
