"""Write the list of pages in docs/index.md from the navigation: `python -m tools.docs_index`.

`zensical.toml` names the pages and their order; the description of a page is its own first sentence. A test checks that
the list is up to date.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
INDEX = DOCS / "index.md"
BEGIN = "<!-- The list of pages: written by `python -m tools.docs_index` from zensical.toml. -->"
END = "<!-- The end of the list of pages. -->"
WIDTH = 120

_LINK = re.compile(r"!?\[([^]]*)\]\([^)]*\)")
_SENTENCE = re.compile(r"(.*?[.!?])[*_]*(?:\s|$)")
_NOT_PROSE = ("#", "```", "|", "!", ":::", "- ", "1. ", "<")

Entry = tuple[str, str]
"""The title of a page, and its path below docs/."""


def navigation() -> list[tuple[str, list[Entry]]]:
    """Return the sections in order, each with its pages; a page without a section is a section of its own."""
    nav: list[dict[str, Any]] = tomllib.loads((ROOT / "zensical.toml").read_text(encoding="utf-8"))["project"]["nav"]
    return [(title, list(_entries(title, below))) for item in nav for title, below in item.items()]


def _entries(title: str, below: str | list[dict[str, str]]) -> Iterator[Entry]:
    if isinstance(below, str):
        yield title, below
        return
    for item in below:
        yield from item.items()


def first_sentence(page: str) -> str:
    """Return the first sentence of a page below its title, without links and emphasis."""
    body = re.sub(r"^```.*?^```$", "", page, flags=re.MULTILINE | re.DOTALL)
    paragraphs = (part.strip() for part in body.split("\n\n"))
    prose = next(part for part in paragraphs if part and not part.startswith(_NOT_PROSE))
    text = _LINK.sub(r"\1", " ".join(prose.split()))
    found = _SENTENCE.match(text)
    return (found[1] if found else text.rstrip(":") + ".").strip("*_")


def listing() -> str:
    """Return the list of all pages but the index itself, section by section."""
    lines: list[str] = []
    for section, entries in navigation():
        pages = [(title, path) for title, path in entries if path != INDEX.name]
        if pages:
            lines += [f"### {section}", "", *(line for title, path in pages for line in _item(title, path)), ""]
    return "\n".join(lines)


def _item(title: str, path: str) -> Iterator[str]:
    sentence = first_sentence((DOCS / path).read_text(encoding="utf-8"))
    line = ""
    for word in f"- [{title}]({path}): {sentence}".split(" "):
        if line and len(line) + 1 + len(word) > WIDTH:
            yield line
            line = "  " + word
        else:
            line = f"{line} {word}" if line else word
    yield line


def index() -> str:
    """Return docs/index.md with a new list of pages; the rest of it is written by hand."""
    before, _, rest = INDEX.read_text(encoding="utf-8").partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n\n{listing()}\n{END}{after}"


if __name__ == "__main__":
    INDEX.write_text(index(), encoding="utf-8")
