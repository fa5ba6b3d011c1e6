"""Write the examples as notebooks, one cell for each of their parts: python examples/notebooks.py FOLDER"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
EXAMPLES = ("learn_value", "q_learning", "alphazero", "regret", "kaggle_agent")
_PART = re.compile(r"\n\n\n?# (.+)\n\n", re.MULTILINE)


def notebook_of(name: str, arguments: list[str] | None = None) -> dict[str, Any]:
    """Return an example as a notebook that was not run; its last cell calls `main` with the arguments."""
    source = (HERE / f"{name}.py").read_text(encoding="utf-8")
    _, about, code = source.split('"""', 2)
    code = code.removesuffix('\n\nif __name__ == "__main__":\n    main()\n')
    first, *rest = _PART.split(code)
    cells = [_cell("markdown", f"# {about.strip()}"), _cell("code", first.strip())]
    for title, part in zip(rest[::2], rest[1::2], strict=True):
        cells += [_cell("markdown", f"## {title}"), _cell("code", part.strip())]
    cells.append(_cell("code", f"main({arguments or []})"))
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    for number, cell in enumerate(cells):
        cell["id"] = f"{name}-{number}"
    return {"cells": cells, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}


def _cell(kind: str, text: str) -> dict[str, Any]:
    more: dict[str, Any] = {"outputs": [], "execution_count": None} if kind == "code" else {}
    return {"cell_type": kind, "metadata": {}, "source": text, **more}


def main() -> None:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path()
    for name in EXAMPLES:
        (folder / f"{name}.ipynb").write_text(json.dumps(notebook_of(name), indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
