"""Measure the books of Connect Four that ship: `python -m bench.books`. Times are processor time."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median

from outplay.connect4 import Book, DeepBook, Position, book, deep_book

RUNS = 31
ASKED = 10_000


def seconds(work: Callable[[], object]) -> float:
    """Return the median processor time of several runs."""
    times = []
    for _ in range(RUNS):
        started = time.process_time()
        work()
        times.append(time.process_time() - started)
    return median(times)


def row(path: Path, opened: Book | DeepBook, open_it: Callable[[Path], object], asked: Sequence[Position]) -> str:
    size, get = path.stat().st_size, opened.get
    assert None not in map(get, asked)
    cells = (
        f"{len(opened):,}",
        f"{size:,}",
        f"{8 * size / len(opened):.3g}",
        f"{1e3 * seconds(lambda: open_it(path)):.2g}",
    )
    return f"| {path.name} | {' | '.join(cells)} | {1e6 * seconds(lambda: [*map(get, asked)]) / len(asked):.2g} |"


def main() -> None:
    chance, members, early = random.Random(1), DeepBook.members(12), Book.positions(8)
    deep = [members[chance.randrange(len(members))] for _ in range(ASKED)]
    print("| book | positions | bytes | bits each | ms to open | us for one `get` |\n|---|---|---|---|---|---|")
    print(row(book.SHIPPED, Book.shipped(), Book.open, chance.choices(early, k=ASKED)))
    print(row(deep_book.SHIPPED, DeepBook.shipped(), DeepBook.open, deep))


if __name__ == "__main__":
    main()
