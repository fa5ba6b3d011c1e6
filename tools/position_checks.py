"""Count where outplay asks which game a position is of: `python -m tools.position_checks`.

Outside the game modules and those directly above them, code must not depend on the game: each `isinstance`,
`type(...) is` or class pattern on a position is listed with its line.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

PACKAGE = Path(__file__).parent.parent / "src" / "outplay"
FACES = {"connect4", "checkers", "checkers.py", "rules.py", "record.py", "tablebase"}
"""The files that may distinguish the two games."""


def checks(package: Path = PACKAGE) -> Iterator[tuple[str, int]]:
    """Yield the file and line of each check outside these files."""
    for path in sorted(package.rglob("*.py")):
        relative = path.relative_to(package)
        if relative.parts[0] not in FACES:
            tree = ast.parse(path.read_text(encoding="utf-8"))
            lines = (node.lineno for node in ast.walk(tree) if isinstance(node, ast.expr | ast.pattern) and asks(node))
            yield from ((relative.as_posix(), line) for line in sorted(lines))


def asks(node: ast.AST) -> bool:
    """Return True if this node checks the class of a position."""
    match node:
        case ast.Call(func=ast.Name("isinstance" | "issubclass"), args=[_, classes]):
            return names_position(classes)
        case ast.Compare(left=ast.Call(func=ast.Name("type")), comparators=[classes]):
            return names_position(classes)
        case ast.MatchClass(cls=classes):
            return names_position(classes)
    return False


def names_position(classes: ast.expr) -> bool:
    """Return True if one of these classes is Position, or a position class of one game."""
    return any(
        isinstance(node, ast.Name | ast.Attribute) and ast.unparse(node).rpartition(".")[2].endswith("Position")
        for node in ast.walk(classes)
    )


def main() -> int:
    found = list(checks())
    for path, line in found:
        print(f"{path}:{line}")
    print(f"{len(found)} checks of a position's class outside the faces")
    return 0


if __name__ == "__main__":
    sys.exit(main())
