"""The tools that look at our own sources say what there is to see."""

import os
import subprocess
from pathlib import Path

import pytest

from tests.support import ROOT
from tools import class_names, position_checks, trace_move


def package(folder: Path, **modules: str) -> Path:
    for name, text in modules.items():
        path = folder / f"{name.replace('__', '/')}.py"
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def test_class_names_with_several_homes_are_listed_but_for_those_that_games_share(tmp_path: Path) -> None:
    one = "class Clock: ...\nclass Position: ...\nclass _Own: ...\nclass Table:\n    class Row: ...\n"
    other = "class Clock: ...\nclass Position: ...\nclass _Own: ...\nclass Row: ...\n"
    assert class_names.with_several_homes(package(tmp_path, one=one, web__other=other)) == {
        "Clock": ["one.py", "web/other.py"]
    }


def test_checks_of_a_positions_class_are_found_outside_the_faces(tmp_path: Path) -> None:
    lines = [
        "isinstance(position, connect4.Position)",
        "isinstance(position, Game | Position)",
        "isinstance(position, Game)",
        "type(position) is checkers.Position",
        "match position:",
        "    case connect4.Position(): pass",
    ]
    text = "\n".join(lines) + "\n"
    found = list(position_checks.checks(package(tmp_path, rules=text, web__boards=text)))
    assert found == [("web/boards.py", number) for number in (1, 2, 4, 6)]


def test_a_move_is_traced_through_the_server_and_the_worker_that_answers(capsys: pytest.CaptureFixture[str]) -> None:
    trace_move.main()
    said = capsys.readouterr().out.splitlines()
    roles = [line for line in said if not line.startswith(" ")]
    files = {line.strip() for line in said if line.startswith(" ")}
    assert [line.split(":")[0] for line in roles] == ["server", "worker", "together"]
    assert all(int(line.split()[1]) > 0 for line in roles)
    assert all((trace_move.PACKAGE / file).is_file() for file in files)
    assert int(roles[-1].split()[1]) == len(files)
    assert any(file.startswith("web/") for file in files)
    assert any(file.startswith("live/") for file in files)


@pytest.mark.parametrize(("version", "is_enough"), [("11.4.0", False), ("12", True), ("14.2.0", True)])
def test_the_doctor_asks_for_a_compiler_that_can_build_the_core(tmp_path: Path, version: str, is_enough: bool) -> None:
    """The core calls `__builtin_shufflevector`, which g++ 11 does not have."""
    compiler = tmp_path / "g++"
    compiler.write_text(f"#!/bin/sh\necho {version}\n", encoding="utf-8")
    compiler.chmod(0o755)
    environment = {**os.environ, "CXX": str(compiler)}
    done = subprocess.run([ROOT / "tools/doctor.sh"], env=environment, capture_output=True, text=True, check=False)
    assert (f"g++ 12 or later: {compiler} is {version}" in done.stderr) == (not is_enough)
