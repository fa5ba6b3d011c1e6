"""The wheel: what is in it, and that it runs in an empty environment outside the tree."""

import os
import platform
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest

import outplay
from outplay import _processor
from outplay._processor import FOLDER
from tests.support import ROOT
from tests.support.home import of_the_user

IS_LINUX_ON_X86 = sys.platform == "linux" and platform.machine() == "x86_64"
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
    extensions = [Path(name).parent.name for name in names if Path(name).name.startswith("_core.") and ".so" in name]
    assert sorted(extensions) == sorted({"outplay", *([FOLDER] if IS_LINUX_ON_X86 else [])}), "one for each processor"
    assert not [name for name in names if name.endswith((".cpp", ".hpp", ".pyc", ".a"))]
    sources = {f"outplay/{path.relative_to(ROOT / 'src/outplay')}" for path in (ROOT / "src/outplay").rglob("*.py")}
    assert sources <= set(names)


def test_the_web_app_travels_with_it(wheel: Path) -> None:
    static = ROOT / "src/outplay/web/static"
    built = {f"outplay/web/static/{path.relative_to(static)}" for path in static.rglob("*") if path.is_file()}
    if not built:
        pytest.skip("the front end is not built here")
    assert built <= set(zipfile.ZipFile(wheel).namelist())
    assert "outplay/notebook/static/widget.js" in zipfile.ZipFile(wheel).namelist()


def test_it_is_not_compiled_for_this_machine_alone(wheel: Path) -> None:
    cache = (ROOT / "build/wheel/CMakeCache.txt").read_text(encoding="utf-8")
    assert "OUTPLAY_NATIVE:BOOL=OFF" in cache or "OUTPLAY_NATIVE:STRING=OFF" in cache


def test_code_for_vectors_stands_in_for_no_other(wheel: Path) -> None:
    """Of a function that two objects hold the linker takes any one: a processor without vectors must not meet it."""
    if shutil.which("nm") is None:
        pytest.skip("there is no nm")
    objects = sorted(path for path in (ROOT / "build/wheel").rglob("*.cpp.o") if "_v3.dir" not in str(path))
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


WHICH_CORE = """
import outplay._core
from outplay import connect4
print(outplay._core.__file__, connect4.Solver().scores(connect4.Position()))
"""


@pytest.mark.skipif(not IS_LINUX_ON_X86, reason="wheels for other systems have one compiled core")
def test_the_processor_chooses_the_compiled_core(wheel: Path, empty_python: Path, tmp_path: Path) -> None:
    install(empty_python, "--no-deps", "--no-index", wheel)
    newer = run(empty_python, "-c", WHICH_CORE, folder=tmp_path)
    any_one = run("env", f"{_processor.VARIABLE}=any", empty_python, "-c", WHICH_CORE, folder=tmp_path)
    assert (FOLDER in newer) == (_processor.flags() >= _processor.NEEDS)
    assert FOLDER not in any_one
    assert newer.split("[")[1] == any_one.split("[")[1] == "-2, -1, 0, 1, 0, -1, -2]\n"


def test_a_processor_without_vectors_gets_the_plain_core(tmp_path: Path) -> None:
    (tmp_path / FOLDER).mkdir()
    cpuinfo = tmp_path / "cpuinfo"
    cpuinfo.write_text("processor\t: 0\nflags\t\t: fpu sse2 popcnt avx\n", encoding="ascii")
    assert _processor.flags(cpuinfo) == {"fpu", "sse2", "popcnt", "avx"}
    assert _processor.flags(tmp_path / "missing") == frozenset()
    assert _processor.folders(tmp_path / "elsewhere") == []


def test_the_version_has_one_place() -> None:
    """`outplay.__version__`; the citation, which a person edits, says the same."""
    assert tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["dynamic"] == ["version"]
    assert f"\nversion: {outplay.__version__}\n" in (ROOT / "CITATION.cff").read_text(encoding="utf-8")


@pytest.mark.slow
def test_the_commands_run_with_what_the_wheel_asks_for(wheel: Path, empty_python: Path, tmp_path: Path) -> None:
    install(empty_python, wheel)  # from the package index
    command = empty_python.parent / "outplay"
    assert run(command, "--version", folder=tmp_path).strip().endswith(outplay.__version__)
    assert '"score": 1' in run(command, "solve", "", "--json", folder=tmp_path)
    installed = run(sys.executable, "-m", "pip", "--python", empty_python, "list", "--format=freeze", folder=tmp_path)
    names = {line.split("==")[0].lower() for line in installed.split()}
    assert {"outplay", "typer", "rich", "platformdirs"} <= names
    assert not names & {"numpy", "fastapi", "sqlalchemy", "distributed", "textual"}  # pydantic comes with typer
    missing = subprocess.run([command, "serve"], capture_output=True, text=True, cwd=tmp_path, env=of_the_user())
    assert (missing.returncode, missing.stderr) == (
        11,
        "outplay: FastAPI is not installed: pip install 'outplay[app]'\n",
    )


OF_EXTRA = {
    "numpy": "from outplay import connect4; print(connect4.Positions.random(3, seed=1).planes().shape)",
    "app": "from outplay.web.app import create_app; print('app')",
    "envs": "import gymnasium, pyarrow, outplay.envs; print(gymnasium.make('outplay/ConnectFour-v0').reset(seed=1)[1])",
    "cluster": "from outplay.work import open_workers; print(open_workers)\nimport distributed",
    "notebook": "from outplay.notebook import Board; print(Board('connect4').play('4')['text'])",
    "postgres": "import psycopg; print(psycopg.pq.__impl__)",
    "tui": "from outplay.tui.app import OutplayApp; print(OutplayApp)",
}
OF_EXTRA["all"] = "\n".join(OF_EXTRA.values())


@pytest.mark.slow
@pytest.mark.parametrize("extra", sorted(OF_EXTRA))
def test_each_extra_brings_what_it_needs(wheel: Path, empty_python: Path, tmp_path: Path, extra: str) -> None:
    install(empty_python, f"{wheel}[{extra}]")  # from the package index
    assert run(empty_python, "-c", OF_EXTRA[extra], folder=tmp_path)


@pytest.mark.slow
def test_the_source_archive_builds_without_node(tmp_path: Path) -> None:
    """It has the web app built in, so all it needs is a compiler."""
    if shutil.which("make") is None:
        pytest.skip("`make sdist` builds the archive, and there is no make")
    run("make", "sdist", folder=ROOT)
    (archive,) = (ROOT / "dist").glob("outplay-*.tar.gz")
    with tarfile.open(archive) as files:
        names = {name.split("/", 1)[-1] for name in files.getnames()}
    assert {"src/outplay/web/static/index.html", "core/bind/module.cpp", "CITATION.cff", "pyproject.toml"} <= names
    assert not [name for name in names if name.startswith(("build/", "dist/", "bench/", "frontend/node_modules"))]
    tools = tmp_path / "bin"
    tools.mkdir()
    where = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    for tool in ("g++", "c++", "cc", "gcc", "as", "ld", "ar", "ranlib", "cmake", "ninja", "make", "env", "sh"):
        if found := shutil.which(tool, path=where):
            (tools / tool).symlink_to(found)
    environment = {**of_the_user(), "PATH": str(tools), "OUTPLAY_VARIANTS": "OFF"}
    pip = (sys.executable, "-m", "pip", "wheel", "--quiet", "--no-build-isolation", "--no-deps")
    done = subprocess.run(
        [*pip, "--wheel-dir", tmp_path, archive], env=environment, cwd=tmp_path, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr
    (built,) = tmp_path.glob("outplay-*.whl")
    assert "outplay/web/static/index.html" in zipfile.ZipFile(built).namelist()
