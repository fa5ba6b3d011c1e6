"""Keep the last output of a failed player in a header of the game, with its lines and its indentation.

>>> write_trace(["Traceback:", "  1 / 0"])
'Traceback: ⏎ ␣␣1 / 0'
>>> read_trace(_)
('Traceback:', '  1 / 0')
"""

from __future__ import annotations

from collections.abc import Iterable

MOST_LINES = 40
LONGEST_LINE = 200
_BREAK, _SPACE = " ⏎ ", "␣"


def write_trace(lines: Iterable[str]) -> str:
    """Return the last of these lines, joined into one line."""
    kept = [line.expandtabs().rstrip()[:LONGEST_LINE] for line in lines if line.strip()][-MOST_LINES:]
    return _BREAK.join(_SPACE * (len(line) - len(line.lstrip())) + line.lstrip() for line in kept)


def read_trace(text: str) -> tuple[str, ...]:
    """Return the lines of a header that `write_trace` wrote."""
    lines = text.split(_BREAK) if text else []
    return tuple(" " * (len(line) - len(line.lstrip(_SPACE))) + line.lstrip(_SPACE) for line in lines)
