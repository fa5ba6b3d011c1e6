"""docs/from-the-classroom.md: no row is missing, and every test it names is there."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs" / "from-the-classroom.md").read_text(encoding="utf-8")
IDS = [
    *(f"C{number}" for number in range(1, 9)),
    *("C9a", "C9b", "C9c"),
    *(f"C{number}" for number in range(10, 21)),
    *(f"K{number}" for number in range(1, 12)),
]
ROWS = {
    cells[0].strip(): cells[-1]
    for line in PAGE.splitlines()
    if re.match(r"\| [CK]\d+[abc]? \|", line)
    for cells in [line.strip("| ").split(" | ")]
}


def test_there_is_a_row_for_everything_in_order() -> None:
    assert list(ROWS) == IDS


@pytest.mark.parametrize("row", IDS)
def test_every_row_names_tests_that_exist(row: str) -> None:
    named = re.findall(r"`(test_\w+\.py)::(test_\w+)`", ROWS[row])
    assert named
    for file, test in named:
        tree = ast.parse((ROOT / "tests" / file).read_text(encoding="utf-8"))
        assert test in {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}, f"{file}::{test}"


def test_the_tests_run_with_one_command() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    recipe = re.search(r"^test test-all:\n((?:\t.*\n)+)", makefile, re.MULTILINE)
    assert recipe is not None
    assert "pytest" in recipe[1]
