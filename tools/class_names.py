"""List the public class names of outplay that several files define: `python -m tools.class_names`.

One word means one thing in the whole package. A name that several files define is listed with these files, except the
names that both games share on purpose. The exit code is 1 if any name is listed.
"""

from __future__ import annotations

import ast
import sys
from collections import defaultdict
from pathlib import Path

PACKAGE = Path(__file__).parent.parent / "src" / "outplay"
SHARED = {"Position", "Move"}
"""The names that each game defines; a protocol for both may have the name too."""


def homes(package: Path = PACKAGE) -> dict[str, list[str]]:
    """Return every public class name at the top level of a module, with the files that define it."""
    found: dict[str, list[str]] = defaultdict(list)
    for path in sorted(package.rglob("*.py")):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                found[node.name].append(path.relative_to(package).as_posix())
    return dict(found)


def with_several_homes(package: Path = PACKAGE) -> dict[str, list[str]]:
    """Return the names that mean more than one thing, in alphabetical order."""
    return {name: files for name, files in sorted(homes(package).items()) if len(files) > 1 and name not in SHARED}


def main() -> int:
    several = with_several_homes()
    for name, files in several.items():
        print(f"{name}: {', '.join(files)}")
    print(f"{len(several)} public class names have more than one home")
    return 1 if several else 0


if __name__ == "__main__":
    sys.exit(main())
