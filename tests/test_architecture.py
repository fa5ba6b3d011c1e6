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
    "extras": (),
    "_processor": (),
    "outcome": (),
    "places": (),
    "files": (),
    "draw": (),
    "work": ("files", "extras"),
    "_core": (),
    "connect4": ("_core", "draw", "outcome", "files"),
    "checkers": ("_core", "draw", "outcome"),
    "tablebase": ("checkers", "places", "files", "_core"),
    "rules": ("connect4", "checkers", "outcome"),
    "record": ("rules",),
    "notation": ("record",),
    "engine": ("record", "tablebase", "work"),
    "lab": ("explain",),
    "levels": ("engine", "lab"),
    "players": ("levels",),
    "explain": ("engine",),
    "openings": ("record",),
    "review": ("explain", "openings", "notation"),
    "learn": ("review", "players"),
    "live": ("players", "explain"),
    "match": ("players", "notation", "work"),
    "jobs": ("work", "match", "tablebase", "learn"),
    "store": ("live", "review", "learn", "notation", "places", "extras"),
    "envs": ("players", "extras"),
    "notebook": ("players", "extras"),
    "tui": ("live", "review", "lab", "learn", "store", "extras"),
    "web": ("live", "review", "lab", "learn", "match", "store"),
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


# The front end

FRONTEND = ROOT / "frontend" / "src"
PAGES = ("play", "learn", "puzzles", "analyse", "lab", "course", "library", "class", "arena", "settings", "docs")
FRONTEND_ARROWS: dict[str, tuple[str, ...]] = {
    "wire": (),  # types of the server's JSON, generated
    "lib": ("wire",),
    "boards": ("lib",),
    "api": ("lib",),
    "app": ("api",),
    "components": ("boards", "app"),
    "notebook": ("boards", "styles"),
    "setup": ("components",),
    "people": ("components",),
    "training": ("setup",),  # what lessons and puzzles share
    **dict.fromkeys(PAGES, ("setup", "people")),
    "learn": ("training",),
    "puzzles": ("training",),
    "course": ("training",),
    "styles": (),
    "App": PAGES,
    "main": ("App", "styles"),
}
FRONTEND_SOURCES = sorted(
    path for path in FRONTEND.rglob("*") if path.suffix in {".ts", ".svelte"} and path.name != "markdown.d.ts"
)


def frontend_part_of(path: Path) -> str:
    """The folder of src/ that a file is in, or the name of a file that stands alone."""
    return path.relative_to(FRONTEND).parts[0].split(".")[0]


def frontend_imports(path: Path, text: str) -> set[str]:
    """The parts that a module imports: every relative path between quotes, however it is imported."""
    parts = set()
    for quoted in re.findall(r"""["'`](\.\.?/[^"'`]*)["'`]""", text):
        target = (path.parent / quoted.removesuffix("?inline")).resolve()
        if target.is_relative_to(ROOT / "docs"):
            continue  # pages of the documentation, shown in the app
        assert any(Path(f"{target}{end}").is_file() for end in ("", ".ts", ".d.ts")), f"{path.name}: what is {quoted}?"
        parts.add(frontend_part_of(target))
    return parts


def is_allowed_in_frontend(part: str, imported: set[str]) -> bool:
    return imported <= reachable(part, FRONTEND_ARROWS)


@pytest.mark.parametrize("path", FRONTEND_SOURCES, ids=lambda path: str(path.relative_to(FRONTEND)))
def test_the_front_ends_imports_point_down(path: Path) -> None:
    part, text = frontend_part_of(path), path.read_text(encoding="utf-8")
    assert part in FRONTEND_ARROWS, (
        f"{part} has no place in the front end: give it one here and in docs/architecture.md"
    )
    imported = frontend_imports(path, text)
    assert is_allowed_in_frontend(part, imported), f"{path.name} imports {imported - reachable(part, FRONTEND_ARROWS)}"
    if part not in {"api", "wire"}:
        assert "/api/" not in text, "api.ts alone knows the server's addresses"


def test_every_arrow_of_the_front_end_is_used() -> None:
    """Imports are really found: a part that may import another does so somewhere, and api.ts has addresses."""
    found = {part: set[str]() for part in FRONTEND_ARROWS}
    for path in FRONTEND_SOURCES:
        found[frontend_part_of(path)] |= frontend_imports(path, path.read_text(encoding="utf-8"))
    for part, arrows in FRONTEND_ARROWS.items():
        assert part == "styles" or part in map(frontend_part_of, FRONTEND_SOURCES), f"{part} is empty"
        assert all(found[part] & reachable(arrow, FRONTEND_ARROWS) for arrow in arrows), (
            f"{part} does not use its arrows"
        )
    assert set(PAGES) <= found["App"]
    assert (FRONTEND / "api.ts").read_text(encoding="utf-8").count("/api/") > 10


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("other", PAGES)
def test_no_page_may_import_another(page: str, other: str) -> None:
    assert is_allowed_in_frontend(page, {other}) == (page == other)


@pytest.mark.parametrize(
    "line",
    [
        'import { shown } from "../play/state";',
        'import type { State } from "../play/state";',
        'const page = import("../play/PlayPage.svelte");',
        'export * from "../play/state";',
    ],
)
def test_the_check_of_the_front_end_can_fail(line: str) -> None:
    assert frontend_imports(FRONTEND / "lab" / "new.ts", line) == {"play"}
    assert not is_allowed_in_frontend("lab", {"play"})
    assert not is_allowed_in_frontend("boards", {"play"})
    assert not is_allowed_in_frontend("lib", {"api"})
