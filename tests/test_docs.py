"""The examples of the README, of the docs and of docstrings run, and print what they say."""

import doctest
import importlib
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
MODULES = [path for path in sorted((ROOT / "src").rglob("*.py")) if "    >>> " in path.read_text(encoding="utf-8")]
OPTIONS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
FENCE = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)


def run_examples(page: Path) -> int:
    """Run the Python examples of a page in order, each with what those before it made; how many there were."""
    text = page.read_text(encoding="utf-8")
    names: dict[str, object] = {}
    fences = list(FENCE.finditer(text))
    for fence in fences:
        line = text[: fence.start()].count("\n") + 1
        if ">>> " not in fence.group(1):
            exec(compile("\n" * line + fence.group(1), str(page), "exec"), names)
            continue
        test = doctest.DocTestParser().get_doctest(fence.group(1), names, page.name, str(page), line)
        runner, printed = doctest.DocTestRunner(optionflags=OPTIONS), list[str]()
        runner.run(test, out=printed.append, clear_globs=False)
        names = test.globs
        assert runner.failures == 0, "".join(printed)
    return len(fences)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_the_examples_of_a_page_are_true(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    run_examples(page)


def test_the_readme_has_examples(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert run_examples(ROOT / "README.md") >= 4


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_the_examples_of_a_module_are_true(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    name = ".".join(path.relative_to(ROOT / "src").with_suffix("").parts).removesuffix(".__init__")
    result = doctest.testmod(importlib.import_module(name), optionflags=OPTIONS)
    assert result.attempted > 0
    assert result.failed == 0


def test_a_wrong_example_is_found(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("```python\n>>> 1 + 1\n3\n```\n")
    with pytest.raises(AssertionError, match="Expected"):
        run_examples(page)
