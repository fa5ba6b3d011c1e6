"""Protection from programs that other people wrote: bubblewrap where it runs, limits everywhere.

| | bubblewrap | limits |
|---|---|---|
| memory, open files, time for each move | limited | limited |
| new processes, signals to other processes | refused | refused |
| writing, deleting, renaming files | refused | refused (Linux, x86-64 or arm64) |
| network | refused | refused (Linux, x86-64 or arm64) |
| reading files | only its own, Python and outplay | all that you can read |

We try whether bubblewrap runs, because many machines have it but do not allow it to work.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Literal, get_args

from outplay.engine import guard
from outplay.errors import EngineError

SandboxKind = Literal["bubblewrap", "limits", "none"]
KINDS = get_args(SandboxKind)
MEMORY_MIB = 1024
LEAST_MEMORY_MIB = 128
TRIAL_SECONDS = 20
_SYSTEM = ("/usr", "/bin", "/lib", "/lib64", "/etc/alternatives", "/etc/ld.so.cache")
_TRIAL = """
import socket, sys
try:
    socket.socket()
except OSError:
    sys.exit(0)
sys.exit(3)
"""


@dataclass(frozen=True, slots=True)
class Sandbox:
    """How a program is started."""

    kind: SandboxKind = "limits"
    memory_mib: int = MEMORY_MIB
    """The memory limit of a program, counted as address space."""

    def command(self, command: Sequence[str], files: Sequence[Path] = ()) -> list[str]:
        """Return the command that starts `command` inside. Under bubblewrap it may read `files`."""
        if self.kind == "none":
            return list(command)
        guarded = [sys.executable, "-I", "-S", guard.__file__, str(self.memory_mib), *command]
        return guarded if self.kind == "limits" else [*_bubblewrap(files), *guarded]

    @property
    def in_words(self) -> str:
        """Return a sentence that says what protected you from bots that have run."""
        return self._words("ran", "could")

    @property
    def promise(self) -> str:
        """Return a sentence that says what protects you from bots that run."""
        return self._words("run", "can")

    def _words(self, run: str, can: str) -> str:
        memory = f"{self.memory_mib:,} MiB of memory each"
        if self.kind == "bubblewrap":
            return f"The bots {run} under bubblewrap: no network, only their own files, {memory}."
        if self.kind == "none":
            return f"The bots {run} without protection: they {can} do all that you can do."
        if _has_filter():
            return (
                f"The bots {run} with limits, without bubblewrap: no network, no new processes, no writing, {memory}. "
                f"They {can} read all files that you can read."
            )
        return (
            f"The bots {run} with limits only: no new processes, no writing into files, {memory}. "
            f"They {can} use the network, delete files, and read all that you can read."
        )


def environment() -> dict[str, str]:
    """Return the environment variables of a sandboxed program: none of yours. Each library gets one thread."""
    one = {f"{name}_NUM_THREADS": "1" for name in ("OMP", "OPENBLAS", "MKL", "NUMEXPR")}
    return {
        "PATH": os.defpath,
        "HOME": "/nonexistent",
        "LANG": "C.UTF-8",
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONUNBUFFERED": "1",
        **one,
    }


def find_sandbox(kind: SandboxKind | None = None, *, memory_mib: int = MEMORY_MIB) -> Sandbox:
    """Return the sandbox to use here. Default: bubblewrap if it runs, otherwise limits.

    EngineError if bubblewrap is asked for and does not run.
    """
    if memory_mib < LEAST_MEMORY_MIB:
        raise ValueError(f"memory_mib must be at least {LEAST_MEMORY_MIB}, not {memory_mib}")
    if kind in ("limits", "none"):
        return Sandbox(kind, memory_mib)
    problem = why_no_bubblewrap()
    if not problem:
        return Sandbox("bubblewrap", memory_mib)
    if kind == "bubblewrap":
        raise EngineError(f"bubblewrap does not run here: {problem}")
    return Sandbox("limits", memory_mib)


@cache
def why_no_bubblewrap() -> str:
    """Run a small program under bubblewrap; return what went wrong, or an empty string."""
    if shutil.which("bwrap") is None:
        return "there is no program bwrap"
    try:
        done = _try(Sandbox("bubblewrap"), "pass")
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    return "" if done.returncode == 0 else (done.stderr.strip() or f"exit code {done.returncode}")[-300:]


@cache
def _has_filter() -> bool:
    try:
        return _try(Sandbox("limits"), _TRIAL).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


def _try(sandbox: Sandbox, script: str) -> subprocess.CompletedProcess[str]:
    command = sandbox.command([sys.executable, "-I", "-c", script])
    return subprocess.run(
        command, env=environment(), stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=TRIAL_SECONDS
    )


def _bubblewrap(files: Sequence[Path]) -> list[str]:
    """Return the command that runs a program without network; it sees only the system, Python, outplay and `files`."""
    bwrap = shutil.which("bwrap")
    if bwrap is None:
        raise EngineError("bubblewrap does not run here: there is no program bwrap")
    python = (sys.prefix, sys.base_prefix, sys.exec_prefix, Path(sys.executable).parent)
    core = find_spec("outplay._core")  # an editable installation keeps it elsewhere
    assert core is not None
    assert core.origin is not None
    ours = (Path(guard.__file__).parent.parent, Path(core.origin).parent)
    seen = list[Path]()
    wanted: tuple[str | Path, ...] = (*_SYSTEM, *python, *ours, *files)
    for path in (Path(each).absolute() for each in wanted):
        if not any(path.is_relative_to(folder) for folder in seen):
            seen.append(path)
    binds = [part for path in map(str, seen) for part in ("--ro-bind-try", path, path)]
    return [
        *(bwrap, "--unshare-all", "--die-with-parent", "--cap-drop", "ALL"),
        *("--tmpfs", "/", "--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp"),
        *binds,
        *("--remount-ro", "/", "--chdir", "/", "--"),
    ]
