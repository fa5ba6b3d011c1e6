"""List the Python files of outplay that run while one move is made and answered: `python -m tools.trace_move`.

It talks to a real server over HTTP, as a page does: it starts a Connect Four game against level 1, plays a move and
waits for the reply. A file counts if one of its functions is entered meanwhile, in the server or in a worker process;
code that runs while a module is imported does not count.
"""

from __future__ import annotations

import os
import tempfile
import time
from pathlib import Path

from tests.support.web_server import ServerProcess, is_state, new_game, receive, until

PACKAGE = Path(__file__).parent.parent / "src" / "outplay"
QUIET_SECONDS = 0.5
"""The move is over when the reply has come and no further file was entered for this long, in seconds."""

RECORDER = """
import inspect, os, sys, threading
FOLDER, PACKAGE = {folder!r}, {package!r}
entered = set()

def is_import(frame):
    while frame is not None:
        if frame.f_code.co_name == "<module>" and frame.f_code.co_filename.startswith(PACKAGE):
            return True
        frame = frame.f_back
    return False

def look(frame, event, _):
    file = frame.f_code.co_filename
    if event != "call" or file in entered or not file.startswith(PACKAGE):
        return
    if frame.f_code.co_flags & inspect.CO_OPTIMIZED and os.path.exists(FOLDER + "/now") and not is_import(frame):
        entered.add(file)
        role = "server" if "serve" in sys.orig_argv else "worker"
        with open(f"{{FOLDER}}/{{role}}-{{os.getpid()}}", "a") as told:
            told.write(file + "\\n")

threading.setprofile(look)
sys.setprofile(look)
"""
"""Python runs this at the start of every process that finds it on its path as sitecustomize."""


def trace() -> dict[str, list[str]]:
    """Return the files entered in the server and in its workers, relative to the package."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        recorder = RECORDER.format(folder=name, package=f"{PACKAGE}{os.sep}")
        (folder / "sitecustomize.py").write_text(recorder, encoding="utf-8")
        path = os.pathsep.join(filter(None, (name, os.environ.get("PYTHONPATH"))))
        with ServerProcess(folder / "data", PYTHONPATH=path) as server:
            game = new_game(server.client, seats=["human", "level:1"])
            with server.socket(game) as socket:
                until(lambda: receive(socket), is_state(status="human"))
                (folder / "now").touch()
                game.play("4")
                until(lambda: receive(socket), is_state(status="human"))
                wait_until_quiet(folder)
        return {role: entered(folder, role) for role in ("server", "worker")}


def wait_until_quiet(folder: Path) -> None:
    seen: dict[Path, int] | None = None
    while seen != (seen := {path: path.stat().st_size for path in folder.glob("*-*")}):
        time.sleep(QUIET_SECONDS)


def entered(folder: Path, role: str) -> list[str]:
    lines = {line for path in folder.glob(f"{role}-*") for line in path.read_text(encoding="utf-8").splitlines()}
    return sorted(Path(line).relative_to(PACKAGE).as_posix() for line in lines)


def main() -> None:
    found = trace()
    together = {file for files in found.values() for file in files}
    for role, files in found.items():
        print(f"{role}: {len(files)} files", *files, sep="\n  ")
    print(f"together: {len(together)} files")


if __name__ == "__main__":
    main()
