"""The list of pages in docs/index.md is that of the navigation, and pages keep to the width of a screen."""

import re
from pathlib import Path

import pytest

from tools import docs_index

ROOT = docs_index.ROOT
WRITTEN = [
    *(ROOT / name for name in ("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "bench/README.md")),
    *sorted((ROOT / "bench" / "notes").glob("*.md")),
    *(path for path in sorted(docs_index.DOCS.rglob("*.md")) if path.name != "api.md"),
]
FENCE = re.compile(r"^( *)```.*?^\1```", re.MULTILINE | re.DOTALL)


def test_the_list_of_pages_is_up_to_date() -> None:
    assert docs_index.INDEX.read_text(encoding="utf-8") == docs_index.index(), "run python -m tools.docs_index"


def test_the_navigation_has_every_page_once() -> None:
    named = [path for _, entries in docs_index.navigation() for _, path in entries]
    there = [str(path.relative_to(docs_index.DOCS)) for path in docs_index.DOCS.rglob("*.md")]
    assert sorted(named) == sorted(there)


def test_the_tutorial_comes_after_play_then_library_commands_and_server() -> None:
    sections = [title for title, _ in docs_index.navigation()]
    assert sections == ["Start", "Play", "Tutorial", "Library", "Commands", "Server", "Formats", "Architecture"]


def test_the_index_leads_with_the_solver_the_engine_and_the_web_app() -> None:
    lead, _, _ = docs_index.INDEX.read_text(encoding="utf-8").partition("\n## ")
    assert re.findall(r"\((\w+\.md)\)", lead) == ["solver.md", "engine.md", "tablebase.md", "web.md"]


@pytest.mark.parametrize(
    ("page", "sentence"),
    [
        ("# Title\n\nOne sentence. And a second.\n", "One sentence."),
        ("# Title\n\n```sh\nmake run\n```\n\nThe first\nline, a [link](x.md). More.", "The first line, a link."),
        ("# Title\n\n*In italics.* The file is `x.py`.", "In italics."),
        ("# Title\n\nWithout an end:\n\n- a list", "Without an end."),
    ],
)
def test_a_page_is_described_by_its_first_sentence(page: str, sentence: str) -> None:
    assert docs_index.first_sentence(page) == sentence


@pytest.mark.parametrize("page", WRITTEN, ids=lambda page: str(page.relative_to(ROOT)))
def test_no_line_is_longer_than_120_columns_but_in_tables(page: Path) -> None:
    prose = FENCE.sub("", page.read_text(encoding="utf-8"))
    assert [line for line in prose.splitlines() if len(line) > 120 and not line.startswith("|")] == []


@pytest.mark.parametrize("page", WRITTEN, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    prose = FENCE.sub("", page.read_text(encoding="utf-8"))
    for target, _, anchor in re.findall(r"\]\(([^):#]*\.\w+)?(#([\w-]+))?\)", prose):
        other = page.parent / target if target else page
        assert other.exists(), target
        if anchor and other.name != "api.md":
            assert anchor in _anchors(other), f"{target}#{anchor}"


def _anchors(page: Path) -> set[str]:
    titles = re.findall(r"^#+ (.+)$", FENCE.sub("", page.read_text(encoding="utf-8")), re.MULTILINE)
    return {re.sub(r"[\s-]+", "-", re.sub(r"[^\w\s-]", "", title.lower()).strip()) for title in titles}
