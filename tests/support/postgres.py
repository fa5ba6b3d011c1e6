"""A real PostgreSQL of the tests' own: in a temporary folder, on a socket there, gone when they end."""

from __future__ import annotations

import itertools
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

SECONDS = 60
USER = "postgres"
"""Debian's user for it. PostgreSQL refuses to run as root."""


def _programs() -> Path | None:
    """Return the folder of initdb and pg_ctl; None if PostgreSQL is not installed."""
    found = shutil.which("initdb")
    folders = [Path(found).resolve().parent] if found else sorted(Path("/usr/lib/postgresql").glob("*/bin"))
    return folders[-1] if folders else None


class Postgres:
    """A server. `new_database` gives the URL of an empty database."""

    def __init__(self, folder: Path, programs: Path, within: Sequence[str] = ()) -> None:
        """`within` is a command that runs another one, for example in another network."""
        self.folder, self._programs, self._within = folder, programs, within
        self._numbers = itertools.count(1)
        self.address = ""
        """Where it listens besides its socket, from the next start."""

    def start(self) -> None:
        """Start it. Every commit waits for the disk, as it does by default."""
        options = f"-c listen_addresses='{self.address}' -c unix_socket_directories='{self.folder}'"
        self._run("pg_ctl", "-D", str(self.data), "-l", str(self.folder / "log"), "-w", "-o", options, "start")

    def stop(self, *, how: str = "immediate") -> None:
        """Stop it; `immediate` is as a crash would."""
        self._run("pg_ctl", "-D", str(self.data), "-m", how, "-w", "stop", check=False)

    @property
    def data(self) -> Path:
        return self.folder / "data"

    def make(self) -> None:
        """Make an empty cluster of databases."""
        self._run("initdb", "-D", str(self.data), "-U", USER, "--auth", "trust", "-E", "UTF8", "--no-sync")

    def new_database(self) -> str:
        name = f"test{next(self._numbers)}"
        self._run("createdb", "-h", str(self.folder), "-U", USER, name)
        return f"postgresql://{USER}@/{name}?host={self.folder}"

    def _run(self, program: str, *arguments: str, check: bool = True) -> None:
        command = [*self._within, *_as_user(), str(self._programs / program), *arguments]
        subprocess.run(command, check=check, stdout=subprocess.DEVNULL, timeout=SECONDS, cwd=self.folder)


def _as_user() -> Sequence[str]:
    return ["runuser", "-u", USER, "--"] if os.geteuid() == 0 else []


@contextmanager
def postgres(within: Sequence[str] = ()) -> Iterator[Postgres]:
    """Run a server while the block lasts; skip the test where there is none to run."""
    programs = _programs()
    if programs is None:
        pytest.skip("PostgreSQL is not installed")
    with tempfile.TemporaryDirectory(prefix="outplay-postgres-") as name:
        folder = Path(name)
        if os.geteuid() == 0:
            try:
                shutil.chown(folder, USER, USER)
            except LookupError:
                pytest.skip(f"there is no user {USER}, and PostgreSQL does not run as root")
        server = Postgres(folder, programs, within)
        server.make()
        server.start()
        try:
            yield server
        finally:
            server.stop()
