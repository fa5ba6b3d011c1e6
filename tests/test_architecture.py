"""Who may import whom: the arrows of the architecture, checked in the sources and in a fresh interpreter."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "src" / "outplay"

# part: what it may import besides itself and `errors`; arrows are transitive, as in docs/architecture.md
ARROWS: dict[str, tuple[str, ...]] = {
    "errors": (),
    "outcome": (),
    "places": (),
    "files": (),
    "draw": (),
    "work": ("files",),
    "_core": (),
    "connect4": ("_core", "draw", "outcome", "files"),
    "checkers": ("_core", "draw", "outcome"),
    "tablebase": ("checkers", "places", "files", "_core"),
    "rules": ("connect4", "checkers", "outcome"),
    "record": ("rules",),
    "notation": ("record",),
    "engine": ("record", "tablebase", "work"),
    "lab": ("engine",),
    "levels": ("engine", "lab"),
    "players": ("levels",),
    "explain": ("engine",),
    "openings": ("record",),
    "review": ("explain", "openings", "notation"),
    "live": ("players", "explain"),
    "match": ("players", "notation", "work"),
    "jobs": ("work", "match", "tablebase"),
    "store": ("live", "review", "notation", "places"),
    "envs": ("players",),
    "tui": ("live", "review", "lab", "notation", "places"),
    "web": ("live", "review", "lab", "match", "store"),
    "cli": ("*",),
}
FACES = {"connect4", "checkers", "tablebase"}  # the only importers of the compiled core
CORE_ARROWS: dict[str, tuple[str, ...]] = {
    "base": (),
    "connect4": ("base",),
    "checkers": ("base",),
    "solver": ("connect4",),
    "tablebase": ("checkers",),
    "engine": ("tablebase",),
    "bind": ("base", "connect4", "checkers", "solver", "tablebase", "engine"),
}


def reachable(part: str, arrows: dict[str, tuple[str, ...]]) -> set[str]:
    """Everything that the arrows lead to from a part, the part included."""
    found, left = {part}, [part]
    while left:
        for name in arrows[left.pop()]:
            if name not in found and name != "*":
                found.add(name)
                left.append(name)
    return found


def part_of(path: Path) -> str:
    relative = path.relative_to(PACKAGE)
    return relative.parts[0].removesuffix(".py")


def imported_parts(path: Path) -> set[str]:
    """The parts of outplay that a module imports, wherever in it."""
    parts = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names = []
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are written in full"
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        parts |= {name.split(".")[1] for name in names if name.startswith("outplay.")}
    return {part for part in parts if part in ARROWS}


SOURCES = sorted(path for path in PACKAGE.rglob("*.py") if path.parent != PACKAGE or path.name != "__init__.py")


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_point_down(path: Path) -> None:
    part = part_of(path)
    assert part in ARROWS, f"{part} has no place in the architecture: give it one in ARROWS and docs/architecture.md"
    if part == "cli":
        return
    allowed = reachable(part, ARROWS) | {"errors"}
    assert imported_parts(path) <= allowed, f"{path.name} imports {imported_parts(path) - allowed}"
    if part not in FACES:
        assert "_core" not in imported_parts(path), f"{path.name} imports the compiled core: only the faces do"


def test_there_are_sources_to_check() -> None:
    assert {"connect4", "checkers", "record", "rules"} <= {part_of(path) for path in SOURCES}


@pytest.mark.parametrize(
    "path", sorted((ROOT / "core").rglob("*.?pp")), ids=lambda path: f"{path.parent.name}/{path.name}"
)
def test_the_core_includes_point_down(path: Path) -> None:
    folder = path.parent.name
    text = path.read_text(encoding="utf-8")
    included = set(re.findall(r'#include "(\w+)/', text))
    assert included <= reachable(folder, CORE_ARROWS)
    if folder != "bind":
        assert "nanobind" not in text
        assert not re.search(r"std::cout|std::cerr|printf\(|\bexit\(", text), "the core neither prints nor exits"


def loaded_by(statement: str) -> set[str]:
    """Top-level modules that a fresh interpreter has loaded after a statement."""
    script = f"import sys; {statement}; print(*sorted({{name.split('.')[0] for name in sys.modules}}))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


HEAVY = {
    "numpy",
    "typer",
    "click",
    "rich",
    "textual",
    "fastapi",
    "starlette",
    "pydantic",
    "uvicorn",
    "sqlalchemy",
    "asyncio",
}


def test_importing_outplay_loads_no_numpy_web_or_terminal_library() -> None:
    assert loaded_by("import outplay") & HEAVY == set()


def test_the_check_for_heavy_libraries_can_fail() -> None:
    assert "numpy" in loaded_by("import outplay, numpy")


def task_modules() -> set[str]:
    """The modules that define a task: what a worker process imports to run it."""
    found = set()
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef) and any(ast.unparse(base).startswith("Task[") for base in node.bases):
                found.add(".".join(("outplay", *path.relative_to(PACKAGE).with_suffix("").parts)))
    return found


@pytest.mark.parametrize("module", sorted(task_modules()))
def test_a_worker_loads_no_web_or_terminal_library_for_any_task(module: str) -> None:
    """Workers have to start quickly."""
    assert loaded_by(f"import outplay.work.child, {module}") & HEAVY == set()


def test_there_are_tasks_to_check() -> None:
    tasks = {"engine.task", "engine.analyst", "lab.task", "review.task", "review.collect", "match.game", "jobs.tables"}
    assert {f"outplay.{name}" for name in tasks} <= task_modules()
