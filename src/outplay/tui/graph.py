"""The score of a game as a curve of braille dots, and the tree of its moves as text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from rich.style import Style
from rich.text import Text

from outplay.record import AnyNode

DOTS = ((0x01, 0x02, 0x04, 0x40), (0x08, 0x10, 0x20, 0x80))
"""The dots of a braille character: two columns of four."""


def braille(values: Sequence[float | None], width: int, height: int) -> list[str]:
    """Return values from -1 to 1 as lines of braille: 1 is at the top, and the middle has a dotted line.

    A value holds until the next one, so the curve has steps. None leaves a gap.
    """
    rows = [[0] * width for _ in range(height)]
    if not values:
        return ["".join(chr(0x2800 + dots) for dots in row) for row in rows]
    tall, wide = 4 * height, 2 * width
    before: int | None = None
    for x in range(wide):
        value = values[min(len(values) - 1, x * len(values) // wide)]
        if x % 4 == 0:
            _dot(rows, x, tall // 2)
        if value is None:
            before = None
            continue
        y = round((1 - value) / 2 * (tall - 1))
        for each in range(min(y, y if before is None else before), max(y, y if before is None else before) + 1):
            _dot(rows, x, each)
        before = y
    return ["".join(chr(0x2800 + dots) for dots in row) for row in rows]


def _dot(rows: list[list[int]], x: int, y: int) -> None:
    rows[y // 4][x // 2] |= DOTS[x % 2][y % 4]


def tree_text(root: AnyNode, here: AnyNode, signs: Mapping[int, str]) -> Text:
    """Return the moves with their variations in brackets. `signs` are those of a review, by ply of the main line.

    A click on a move goes to the position after it.
    """
    text = Text()
    numbers = {id(node): number for number, node in enumerate(nodes_of(root))}
    for piece, node in _pieces(root, signs):
        if node is None:
            text.append(piece)
            continue
        is_here = node is here
        style = Style(reverse=is_here, bold=is_here, meta={"@click": f"screen.visit({numbers[id(node)]})"})
        text.append(piece, style=style)
        text.append(" ")
    return text


def nodes_of(root: AnyNode) -> list[AnyNode]:
    """Return all nodes, each line down to its end, main line first."""
    found, waiting = [], [root]
    while waiting:
        node = waiting.pop()
        found.append(node)
        waiting += reversed(node.children)
    return found


def _pieces(root: AnyNode, signs: Mapping[int, str]) -> Iterator[tuple[str, AnyNode | None]]:
    """Yield the texts of a tree: moves with their nodes, and the brackets between them."""
    node, ply, is_main = root, root.ply, root.parent is None
    while node.children:
        first, *others = node.children
        yield (
            f"{_number(ply, node, is_first=node is root)}{first.text}{signs.get(ply + 1, '') if is_main else ''}",
            first,
        )
        for other in others:
            yield "(", None
            yield f"{_number(ply, node, is_first=True)}{other.text}", other
            yield from _pieces(other, {})
            yield ") ", None
        node, ply = first, ply + 1


def _number(ply: int, node: AnyNode, *, is_first: bool) -> str:
    """Return "3. " for a move of the first side, "3... " for an answer that begins a line, otherwise nothing."""
    if node.position.side == 0:
        return f"{ply // 2 + 1}. "
    return f"{ply // 2 + 1}... " if is_first else ""
