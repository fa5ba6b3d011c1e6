"""Optional packages: the library and the commands run without them, and what is missing is named with its extra."""

import ast
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from outplay.errors import MissingExtraError
from outplay.extras import require
from tests.support import ROOT

PACKAGE = ROOT / "src" / "outplay"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
ALWAYS = {"typer", "rich", "platformdirs"}
# part of the package: what it may import besides, because it asks for an extra first
OF_EXTRAS: dict[str, set[str]] = {
    "connect4": {"numpy"},  # for type checkers
    "tablebase": {"numpy"},  # for type checkers
    "jobs": {"numpy", "pyarrow"},  # for data sets
    "envs": {"numpy", "gymnasium", "pettingzoo"},
    "notebook": {"anywidget", "traitlets"},
    "work": {"dask", "distributed"},
    "store": {"sqlalchemy", "alembic", "pydantic"},
    "tui": {"textual"},
    "web": {"fastapi", "starlette", "pydantic", "uvicorn", "anyio", "prometheus_client"},
}


def outside_imports(path: Path) -> set[str]:
    """The packages of others that a module imports, wherever in it."""
    names = set[str]()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module.split(".")[0])
        elif isinstance(node, ast.Import):
            names |= {alias.name.split(".")[0] for alias in node.names}
    return names - set(sys.stdlib_module_names) - {"outplay"}


@pytest.mark.parametrize("part", sorted({path.relative_to(PACKAGE).parts[0] for path in PACKAGE.rglob("*.py")}))
def test_a_part_imports_only_what_is_always_there_or_what_its_extra_brings(part: str) -> None:
    sources = [PACKAGE / part] if part.endswith(".py") else sorted((PACKAGE / part).rglob("*.py"))
    allowed = OF_EXTRAS.get(part.removesuffix(".py"), set())
    found = {name for path in sources for name in outside_imports(path)} - ALWAYS
    assert found == allowed, "an extra brings it: see outplay.extras"


def test_installing_outplay_brings_three_packages() -> None:
    assert {line.split(">")[0] for line in PROJECT["dependencies"]} == ALWAYS


def test_there_are_no_upper_bounds() -> None:
    """None is known to be needed. One that is goes here, with its reason."""
    extras = [line for lines in PROJECT["optional-dependencies"].values() for line in lines]
    assert not [line for line in [*PROJECT["dependencies"], *extras] if "<" in line or "==" in line]


def test_all_means_every_extra() -> None:
    extras = PROJECT["optional-dependencies"]
    (all_of_them,) = extras["all"]
    named = all_of_them.removeprefix("outplay[").removesuffix("]").split(",")
    assert set(named) == set(extras) - {"all", "store"}, "store is a part of app"


def outplay_without(package: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a command in an interpreter that cannot find a package."""
    script = (
        f"import sys; sys.modules[{package!r}] = None; sys.argv = ['outplay', *{arguments!r}]\n"
        "from outplay.cli import main; main()"
    )
    return subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, stdin=subprocess.DEVNULL)


@pytest.mark.parametrize(("arguments", "package", "message"), [
    (("serve",), "fastapi", "FastAPI is not installed: pip install 'outplay[app]'"),
    (("serve", "--root-path", "/a"), "uvicorn", "uvicorn is not installed: pip install 'outplay[app]'"),
    (("serve", "--cluster", "local", "--db", "memory"), "distributed",
     "cluster local: Dask is not installed: pip install 'outplay[cluster]'"),
    (("backup", "games.zip"), "sqlalchemy", "SQLAlchemy is not installed: pip install 'outplay[app]'"),
    (("restore", "games.zip"), "alembic", "alembic is not installed: pip install 'outplay[app]'"),
    (("match", "connect4", "random", "random", "--games", "2", "--cluster", "local"), "distributed",
     "cluster local: Dask is not installed: pip install 'outplay[cluster]'"),
])  # fmt: skip
def test_a_command_names_the_missing_extra_in_one_line(
    arguments: tuple[str, ...], package: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = outplay_without(package, *arguments)
    assert (done.stdout, done.stderr) == ("", f"outplay: {message}\n")
    assert done.returncode == (10 if package == "distributed" else 11)
    assert list(tmp_path.iterdir()) == [], "nothing was begun"


@pytest.mark.parametrize(("part", "package", "extra"), [
    ("web", "fastapi", "app"),
    ("store", "sqlalchemy", "app"),
    ("tui", "textual", "tui"),
    ("envs", "pettingzoo", "envs"),
    ("envs", "numpy", "envs"),
    ("notebook", "anywidget", "notebook"),
])  # fmt: skip
def test_an_import_names_the_missing_extra(part: str, package: str, extra: str) -> None:
    script = f"import sys; sys.modules[{package!r}] = None; import outplay.{part}"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    last = done.stderr.splitlines()[-1]
    assert last.startswith("outplay.errors.MissingExtraError: ")
    assert last.endswith(f"is not installed: pip install 'outplay[{extra}]'")


def test_what_is_there_is_not_missed() -> None:
    require("numpy", "sys", "json")
    with pytest.raises(
        MissingExtraError, match=r"no_such_thing is not installed: pip install 'outplay\[app\]'"
    ) as caught:
        require("app", "sys", "no_such_thing")
    assert (caught.value.package, caught.value.extra) == ("no_such_thing", "app")
    assert isinstance(caught.value, ModuleNotFoundError)
