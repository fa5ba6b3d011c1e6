"""Write the tables of docs/sizes.md from bench/data/sizes.tsv and the published results: `python -m tools.sizes`.

A test checks that the page is up to date and agrees with what is published.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "sizes.md"
SIZES = ROOT / "bench" / "data" / "sizes.tsv"
TROMP = ROOT / "tests" / "data" / "connect4_winners.tsv"
STEININGER = ROOT / "tests" / "data" / "connect4_lengths.tsv"
BEGIN = "<!-- The tables: written by `python -m tools.sizes` from bench/data/sizes.tsv. -->"
END = "<!-- The end of the tables. -->"
WINNERS = {1: "first", 0: "draw", -1: "second"}

Board = tuple[int, int]
"""Width and height."""


@dataclass(frozen=True, slots=True)
class Solved:
    """A row of bench/data/sizes.tsv."""

    score: int
    plies: int
    nodes: int
    seconds: str
    options: str
    confirmed: str

    @property
    def sign(self) -> int:
        return (self.score > 0) - (self.score < 0)


def rows(path: Path) -> Iterator[tuple[Board, dict[str, str]]]:
    """Yield the rows of a table of sizes; lines that begin with # are remarks."""
    lines = path.read_text(encoding="utf-8").splitlines()
    for row in csv.DictReader((line for line in lines if not line.startswith("#")), delimiter="\t"):
        yield (int(row.pop("width")), int(row.pop("height"))), row


def solved() -> dict[Board, Solved]:
    return {
        board: Solved(
            int(row["score"]), int(row["plies"]), int(row["nodes"]), row["seconds"], row["options"], row["confirmed"]
        )
        for board, row in rows(SIZES)
    }


def tromp() -> dict[Board, int]:
    """Return who wins, as published by John Tromp."""
    return {board: int(row["result"]) for board, row in rows(TROMP)}


def steininger() -> dict[Board, tuple[int, int | None]]:
    """Return who wins and the plies to the end, as published by Christophe Steininger."""
    return {board: (int(row["result"]), int(row["plies"]) if row["plies"] else None) for board, row in rows(STEININGER)}


def tables() -> str:
    """Return both tables: all results by width and height, and what each of ours has cost."""
    return f"{_grid()}\n\n{_costs()}"


def _grid() -> str:
    ours, theirs = solved(), steininger()
    widths = range(4, 1 + max(width for width, _ in (*ours, *theirs)))
    heights = range(4, 1 + max(height for _, height in (*ours, *theirs)))
    lines = ["| height | " + " | ".join(f"width {width}" for width in widths) + " |", "|---" * (len(widths) + 1) + "|"]
    lines += [f"| {height} | " + " | ".join(_cell((width, height)) for width in widths) + " |" for height in heights]
    return "\n".join(lines)


def _cell(board: Board) -> str:
    ours = solved().get(board)
    if ours is None:
        return ""
    text = _result(ours.sign, ours.plies)
    return f"**{text}**" if is_new(board) else text


def is_new(board: Board) -> bool:
    """Return whether no published table has it."""
    return board not in tromp() and board not in steininger()


def _result(sign: int, plies: int | None) -> str:
    return WINNERS[sign] if sign == 0 or plies is None else f"{WINNERS[sign]} {plies}"


def _costs() -> str:
    lines = ["| size | result | Tromp | Steininger | nodes | seconds | options | confirmed without |", "|---" * 8 + "|"]
    for board, row in solved().items():
        size, cost = f"{board[0]}x{board[1]}", f"{row.nodes:,} | {row.seconds}"
        cells = (size, _result(row.sign, row.plies), *_published(board), cost, row.options, row.confirmed)
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def _published(board: Board) -> tuple[str, str]:
    sign, result = tromp().get(board), steininger().get(board)
    return "" if sign is None else WINNERS[sign], "" if result is None else _result(*result)


def page() -> str:
    """Return docs/sizes.md with its tables up to date."""
    head, rest = PAGE.read_text(encoding="utf-8").split(BEGIN)
    return f"{head}{BEGIN}\n\n{tables()}\n\n{END}{rest.split(END)[1]}"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
