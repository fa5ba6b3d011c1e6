"""The pages of the lab: their code is in the sources, their pictures exist, their commands print what they say."""

import re
import textwrap
from pathlib import Path

import pytest
from typer.testing import CliRunner

from outplay.cli.lab import lab
from outplay.lab.players import LAB_PLAYERS

ROOT = Path(__file__).parent.parent
PAGES = sorted((ROOT / "docs" / "lab").glob("*.md"))
SOURCES = [path.read_text(encoding="utf-8") for path in sorted((ROOT / "src" / "outplay" / "lab").rglob("*.py"))]
TECHNIQUE_PAGES = {"minimax", "alphabeta", "ordering", "table", "deepening", "quiescence", "five-phase", "mcts"}

NAMES = [page.name for page in PAGES]
FENCE = re.compile(r"^( *)```(\w+)\n(.*?)^\1```", re.MULTILINE | re.DOTALL)


def fences(page: Path, language: str) -> list[str]:
    text = page.read_text(encoding="utf-8")
    return [textwrap.dedent(code) for _, found, code in FENCE.findall(text) if found == language]


def squeezed(text: str) -> str:
    """Without indentation, so that an excerpt may start anywhere."""
    return "\n".join(line.strip() for line in text.strip().splitlines())


def comparable(output: str) -> list[list[str]]:
    """The words of each line, without the times, which differ from run to run, and the bars beside them."""
    output = re.sub(r"\d+(\.\d+)? m?s\b", "TIME", output)
    return [line.split() for line in output.strip().splitlines() if line.strip()]


def commands() -> list[tuple[str, str]]:
    """Every command on the pages with what it is said to print."""
    found = []
    for page in PAGES:
        for block in fences(page, "console"):
            for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
                command, _, output = part.partition("\n")
                found.append((command, output))
    return found


def test_there_is_a_page_for_every_technique() -> None:
    assert {page.stem for page in PAGES} >= TECHNIQUE_PAGES | {"index", "evaluate", "trace"}


@pytest.mark.parametrize("page", PAGES, ids=NAMES)
def test_excerpts_are_in_the_sources(page: Path) -> None:
    for excerpt in fences(page, "py"):
        assert any(squeezed(excerpt) in squeezed(source) for source in SOURCES), excerpt


@pytest.mark.parametrize("page", PAGES, ids=NAMES)
def test_pictures_are_there_and_small(page: Path) -> None:
    pictures = re.findall(r"!\[.+?\]\((.+?)\)", page.read_text(encoding="utf-8"))
    for picture in pictures:
        assert (page.parent / picture).stat().st_size < 30_000
    if page.stem in TECHNIQUE_PAGES:
        assert pictures


@pytest.mark.parametrize(
    ("command", "output"),
    [
        pytest.param(command, output, marks=pytest.mark.slow if "--depth 8" in command else (), id=command)
        for command, output in commands()
    ],
)
def test_commands_print_what_the_page_says(command: str, output: str) -> None:
    program, group, *arguments = command.split()
    assert (program, group) == ("outplay", "lab")
    done = CliRunner().invoke(lab, arguments, env={"COLUMNS": "80"})
    assert comparable(done.stdout) == comparable(output)


def test_the_list_of_players_is_that_of_the_code() -> None:
    page = (ROOT / "docs" / "lab" / "index.md").read_text(encoding="utf-8")
    told = dict(re.findall(r"^\| `([\w-]+)` \| (.+?) \|$", page, re.MULTILINE))
    assert told == {name: player.about for name, player in LAB_PLAYERS.items()}
