"""The wheel: what is in it, and that it runs in an empty environment outside the tree."""

import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import outplay
from tests.support import ROOT
from tests.support.home import of_the_user

TOUR = """
import sys
from pathlib import Path
import outplay
from outplay import Game, checkers, connect4

assert Path(outplay.__file__).is_relative_to(sys.prefix), outplay.__file__
game = Game(connect4.Position())
for column in "4455667":
    game.play(column)
print(game.outcome().reason, checkers.Position().perft(5), len(game.position._repr_svg_()) > 100)
"""


def run(*command: str | Path, folder: Path) -> str:
    """Run a command as the user would, away from this environment and from a `make` above us; what it printed."""
    away = ("MAKEFLAGS", "MAKELEVEL", "MFLAGS", "PYTHONPATH", "VIRTUAL_ENV")
    environment = {name: value for name, value in of_the_user().items() if name not in away}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def wheel() -> Path:
    if shutil.which("make") is None or not (ROOT / "Makefile").exists():
        pytest.skip("`make wheel` builds the wheel, and there is no make")
    run("make", "wheel", folder=ROOT)
    (found,) = (ROOT / "dist").glob("outplay-*.whl")
    return found


@pytest.fixture
def empty_python(tmp_path: Path) -> Path:
    """The Python of an environment with nothing in it, not even pip."""
    run(sys.executable, "-m", "venv", "--without-pip", tmp_path / "venv", folder=tmp_path)
    return tmp_path / "venv" / "bin" / "python"


def install(python: Path, *arguments: str | Path) -> None:
    pip = (sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", "--python", python)
    run(*pip, "install", *arguments, folder=python.parent)


def test_it_holds_the_package_and_nothing_else(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    assert {name.split("/")[0].split("-")[0] for name in names} == {"outplay"}
    assert {"outplay/py.typed", "outplay/_core/connect4.pyi", "outplay/_core/checkers.pyi"} <= set(names)
    assert "outplay/data/tables/0101.table" in names
    assert sum(name.startswith("outplay/_core.") for name in names) == 1, "one compiled extension"
    assert not [name for name in names if name.endswith((".cpp", ".hpp", ".pyc", ".a"))]
    sources = {f"outplay/{path.relative_to(ROOT / 'src/outplay')}" for path in (ROOT / "src/outplay").rglob("*.py")}
    assert sources <= set(names)


def test_the_web_app_travels_with_it(wheel: Path) -> None:
    static = ROOT / "src/outplay/web/static"
    built = {f"outplay/web/static/{path.relative_to(static)}" for path in static.rglob("*") if path.is_file()}
    if not built:
        pytest.skip("the front end is not built here")
    assert built <= set(zipfile.ZipFile(wheel).namelist())


def test_it_is_not_compiled_for_this_machine_alone(wheel: Path) -> None:
    cache = (ROOT / "build/wheel/CMakeCache.txt").read_text(encoding="utf-8")
    assert "OUTPLAY_NATIVE:BOOL=OFF" in cache or "OUTPLAY_NATIVE:STRING=OFF" in cache


def test_code_for_vectors_stands_in_for_no_other(wheel: Path) -> None:
    """Of a function that two objects hold the linker takes any one: a processor without vectors must not meet it."""
    if shutil.which("nm") is None:
        pytest.skip("there is no nm")
    objects = sorted((ROOT / "build/wheel").rglob("*.cpp.o"))
    (vector,) = (path for path in objects if path.name == "search_vector.cpp.o")
    functions = shared_functions(vector)
    assert functions, "it holds templates, at least its own"
    others = {path: shared_functions(path) for path in objects if path != vector}
    assert {path: both for path, found in others.items() if (both := functions & found)} == {}


def shared_functions(path: Path) -> set[str]:
    """The functions of an object that others may hold, too."""
    rows = (line.split() for line in run("nm", "--defined-only", path, folder=path.parent).splitlines())
    return {row[-1] for row in rows if row[-2] == "W"}


def test_the_library_runs_without_any_other_package(wheel: Path, empty_python: Path, tmp_path: Path) -> None:
    install(empty_python, "--no-deps", "--no-index", wheel)
    assert run(empty_python, "-c", TOUR, folder=tmp_path) == "four in a row 7361 True\n"


@pytest.mark.slow
def test_the_command_runs_with_what_the_wheel_asks_for(wheel: Path, empty_python: Path, tmp_path: Path) -> None:
    install(empty_python, wheel)  # from the package index
    assert run(empty_python.parent / "outplay", "--version", folder=tmp_path).strip().endswith(outplay.__version__)
