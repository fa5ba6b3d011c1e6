"""Reading is linear: a text four times as long takes about four times as long, whatever it looks like."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable

import pytest

from outplay import checkers, connect4
from outplay.engine.protocols import hub
from outplay.errors import OutplayError
from outplay.notation import pdn
from outplay.notation.any import read_anything
from outplay.notation.positions import list_of_rows

SIZE = 3_000
TIMES = 4
Shape = Callable[[int], str]
SHAPES: dict[str, Shape] = {
    "headers, then words": lambda n: "".join(f'[H{i} "v"]\n' for i in range(n)) + "word " * (4 * n),
    "headers on one line": lambda n: "".join(f'[H{i} "v"]' for i in range(n)),
    "one header again and again": lambda n: '[A "v"]\n' * n,
    "quotes in a header": lambda n: '[A "' + '"x' * n + '"]',
    "a header without end": lambda n: '[A "' + '" ' * n,
    "headers without end": lambda n: '[A "x' * n,
    "FEN headers": lambda n: '[FEN "W:W1:B2"]\n' * n,
    "backslashes": lambda n: '[A "' + "\\\\" * n + '"]',
    "brackets": lambda n: "[" * n,
    "brackets with spaces": lambda n: "[ " * n,
    "closing brackets": lambda n: "]" * n,
    "comments": lambda n: "1. 11-15 " + "{a} " * n,
    "comments without end": lambda n: "{" * n,
    "a comment of many lines": lambda n: "{" + "word\n" * n,
    "comments to the end of the line": lambda n: "; x\n" * n,
    "variations without end": lambda n: "1. 11-15 " + "(" * n,
    "empty variations": lambda n: "1. 11-15 " + "()" * n,
    "variations in variations": lambda n: "1. 11-15 " + "(1. 12-16 " * n,
    "variations side by side": lambda n: "1. 11-15 " + "(1. 12-16) " * n,
    "glyphs": lambda n: "1. 11-15 " + "$1 " * n,
    "stars": lambda n: "* " * n,
    "results": lambda n: "1-0 " * n,
    "halves": lambda n: "1/2 - " * n,
    "numbers": lambda n: "1. " * n,
    "dots": lambda n: "." * n,
    "spaces": lambda n: "x" + " " * n + "x",
    "spaces before a colon": lambda n: "W" + " " * n + ":",
    "digits": lambda n: "1" * n,
    "a long jump": lambda n: "1" + "x2" * n,
    "a long jump with spaces": lambda n: "1 x " * n,
    "words": lambda n: "word " * n,
    "games": lambda n: '[A "b"]\n\n1. 11-15 *\n\n' * (n // 5),
    "moves that cannot be": lambda n: "1. 11-15 22-18 " + "99-99 " * n,
    "columns": lambda n: '[GameType "connect4"]\n' + "4 " * n,
    "letters": lambda n: "é" * n,
    "control characters": lambda n: "\0" * n,
    "colons": lambda n: "W:" * n,
    "commas": lambda n: "W:W" + "1," * n,
    "line breaks": lambda n: "x" + "\n" * n + "x",
    "JSON without end": lambda n: '{"a":' * n,
    "arguments": lambda n: "level " + "time=1 " * n,
    "one long argument": lambda n: 'info pv="' + "11-15 " * n + '"',
    "a quote without end": lambda n: 'info pv="' + "a=b " * n,
    "rows of a board": lambda n: "......./" * n,
    "rows of numbers": lambda n: "[[" + "0, " * n + "]]",
    "rows side by side": lambda n: "[0, 1], " * n,
}


def seconds(read: Callable[[str], object], text: str) -> float:
    """The least processor time of three readings."""
    best = float("inf")
    for _ in range(3):
        started = time.process_time()
        with contextlib.suppress(OutplayError):
            read(text)
        best = min(best, time.process_time() - started)
    return best


READERS: dict[str, Callable[[str], object]] = {
    "PDN": lambda text: list(pdn.read(text)),
    "anything": read_anything,
    "Hub": hub.read_line,
    "FEN": checkers.Position.from_fen,
    "board": connect4.Position.from_fen,
    "columns": connect4.Position.from_moves,
    "move": checkers.Move,
    "rows": list_of_rows,
}


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("read", READERS.values(), ids=READERS)
def test_a_longer_text_takes_proportionally_longer(read: Callable[[str], object], shape: str) -> None:
    short, long = (seconds(read, SHAPES[shape](size)) for size in (SIZE, TIMES * SIZE))
    assert long < 2.3 * TIMES * short + 0.02, f"{1000 * short:.1f} ms, then {1000 * long:.1f} ms"
