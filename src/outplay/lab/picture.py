"""Draw the lab's results as SVG: the technique ladder, and the tree of a recorded search.

The ladder has a log scale that starts at 1, because another start would distort the comparison. The tree shows the
expected line and the moves beside it at each ply. All values are for the side to move at the root; cuts show a bound.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, log10

from outplay.draw.svg import COLOURS, MINUS, Style, document, element, group, words
from outplay.lab.compare import Row
from outplay.lab.recorder import Visit
from outplay.lab.score import plies_to_end
from outplay.lab.trace import Trace

_ACCENT, _LINE, _INK, _FAINT = (COLOURS[name] for name in ("accent", "line", "text", "faint"))
_MIDDLE: Style = {"text_anchor": "middle"}
_RIGHT: Style = {"text_anchor": "end"}

# The ladder

_LEFT, _AXIS, _ROW, _TOP = 150, 454, 26, 46


def ladder_svg(rows: Sequence[Row], title: str) -> str:
    """Return the rungs from the top: a dot for the positions searched, and the numbers beside it."""
    powers = max(1, ceil(log10(max(row.nodes for row in rows))))
    height = _TOP + _ROW * len(rows) + 34
    parts = [_paper(904, height), words(10, 22, title, font_size=14, font_weight=600, fill=_INK)]
    parts += [words(x, 40, text, **_RIGHT) for x, text in ((696, "positions"), (820, "fewer"), (894, "time"))]
    for power in range(powers + 1):
        x = _LEFT + _AXIS * power / powers
        parts.append(element("line", x1=x, x2=x, y1=_TOP, y2=height - 30, stroke=_LINE, stroke_width=1))
        parts.append(words(x, height - 14, f"{10**power:,}", **_MIDDLE))
    for number, row in enumerate(rows):
        parts.append(_rung(row, rows[0], _TOP + _ROW * (number + 0.5), powers))
    return document(904, height, f"{title}. {_told(rows)}", [group(parts, font_size=12, fill=_FAINT)])


def _rung(row: Row, first: Row, y: float, powers: int) -> str:
    x = _LEFT + _AXIS * log10(max(1, row.nodes)) / powers
    fewer = "" if row is first else f"{first.nodes / row.nodes:,.1f} times"
    numbers = ((696, f"{row.nodes:,}", _INK), (820, fewer, _FAINT), (894, duration(row.seconds), _INK))
    return group(
        [
            words(10, y + 5, row.title, fill=_INK),
            element("line", x1=_LEFT, x2=round(x, 1), y1=y, y2=y, stroke=_ACCENT, stroke_width=2, opacity=0.4),
            element("circle", cx=round(x, 1), cy=y, r=6, fill=_ACCENT),
            *(words(at, y + 5, text, fill=fill, **_RIGHT) for at, text, fill in numbers),
        ],
        font_size=14,
    )


def _told(rows: Sequence[Row]) -> str:
    return "; ".join(f"{row.title}: {row.nodes} positions" for row in rows)


def duration(seconds: float) -> str:
    """Return a time such as `0.3 ms`, `45 ms`, `5.3 s`."""
    if seconds < 0.001:
        return f"{seconds * 1000:.1f} ms"
    return f"{seconds * 1000:.0f} ms" if seconds < 1 else f"{seconds:.1f} s"


# The tree

_HEIGHT, _GAP, _FLOOR, _MARGIN = 28, 8, 78, 120


def tree_svg(trace: Trace, title: str) -> str:
    """Return the expected line, with the other moves beside each of its moves."""
    levels = _levels(trace)
    columns = max(len(level) for level in levels)
    box = max(74, 52 + 8 * max(len(visit.move or "") for level in levels for visit in level))
    width = _MARGIN + columns * (box + _GAP) + 12
    height = 30 + _FLOOR * len(levels)
    parts = [_paper(width, height), words(12, 22, title, font_size=14, font_weight=600, fill=_INK)]
    above: tuple[float, float] | None = None
    for ply, level in enumerate(levels):
        y = 40 + ply * _FLOOR
        parts.append(_side_label(trace, ply, y, is_leaf=any(visit.kind == "leaf" for visit in level)))
        start = _MARGIN + (columns - len(level)) * (box + _GAP) / 2
        places = [(start + number * (box + _GAP), visit) for number, visit in enumerate(level)]
        if above is not None:
            ordered = sorted(places, key=lambda place: place[1].is_main)  # the expected line on top of the others
            parts += [_edge(above, (x + box / 2, y), visit) for x, visit in ordered]
        parts += [_box(x, y, box, visit) for x, visit in places]
        main = [(x + box / 2, y + _HEIGHT) for x, visit in places if visit.is_main]
        above = main[0] if main else None
    told = f"{title}. Expected line {' '.join(trace.line)}."
    return document(width, height, told, [group(parts, font_size=12, fill=_FAINT)])


def _levels(trace: Trace) -> list[list[Visit]]:
    """Return the root, then ply by ply all moves in the positions of the expected line."""
    main = [visit for visit in trace.visits if visit.is_main]
    levels = [[main[0]]]
    for parent in main:
        children = [visit for visit in trace.visits if visit.parent == parent.id]
        if children:
            levels.append(children)
    return levels


def _side_label(trace: Trace, ply: int, y: float, *, is_leaf: bool) -> str:
    if is_leaf:
        return words(12, y + 18, "estimates")
    side, wants = trace.sides[ply % 2], ("highest", "lowest")[ply % 2]
    return words(12, y + 11, f"{side} picks") + words(12, y + 26, f"the {wants}")


def _edge(start: tuple[float, float], end: tuple[float, float], visit: Visit) -> str:
    (x1, y1), (x2, y2) = start, end
    colour, width = (_ACCENT, 2.5) if visit.is_main else (_LINE, 1.2)
    path = f"M{x1:g} {y1:g}C{x1:g} {y1 + 24:g} {x2:g} {y2 - 26:g} {x2:g} {y2:g}"
    style: Style = {"stroke_dasharray": "2 4"} if visit.kind == "pruned" else {}
    return element("path", d=path, fill="none", stroke=colour, stroke_width=width, **style)


def _box(x: float, y: float, width: float, visit: Visit) -> str:
    is_cut = visit.kind in ("cut", "low")
    style: Style = {"stroke": COLOURS["loss"] if is_cut else _ACCENT if visit.is_main else COLOURS["control"]}
    style |= {"stroke_width": 2 if visit.is_main else 1.2, "fill": COLOURS["surface"]}
    if is_cut or visit.kind == "pruned":
        style["stroke_dasharray"] = "4 3"
    parts = [element("rect", x=x, y=y, width=width, height=_HEIGHT, rx=7, **style)]
    parts.append(words(x + 6, y + 18, visit.move or "start"))
    weight: Style = {"font_weight": 600 if visit.is_main else 400, "fill": _INK}
    parts.append(words(x + width - 6, y + 18, value(visit), **_RIGHT, **weight))
    skipped = visit.moves - visit.looked
    if visit.kind == "cut" and skipped:
        middle, low = x + width / 2, y + _HEIGHT + 14
        slashes = f"M{middle - 14:g} {low:g}l8 -6M{middle - 8:g} {low:g}l8 -6"
        parts.append(element("path", d=slashes, stroke=COLOURS["loss"], stroke_width=2))
        parts.append(words(middle + 5, low, str(skipped), fill=COLOURS["loss"], font_weight=600))
    if visit.kind == "table":
        parts.append(words(x + width / 2, y + _HEIGHT + 14, "table", fill=_ACCENT, **_MIDDLE))
    return "".join(parts)


def value(visit: Visit) -> str:
    """Return the score for the side to move at the root, as text.

    `+3`, `≤+2` for a bound, `win 5` for a win five plies from the root.
    """
    if visit.score is None:
        return "" if visit.kind == "pruned" else "?"
    is_root_side = visit.ply % 2 == 0
    score = visit.score if is_root_side else -visit.score
    sign = {"at least": "≥", "at most": "≤"}.get(visit.bound or "", "")
    if not is_root_side:
        sign = {"≥": "≤", "≤": "≥"}.get(sign, "")
    plies = plies_to_end(score)
    if plies is not None:
        return f"{sign}{'win' if score > 0 else 'loss'} {plies}"
    return sign + ("0" if score == 0 else f"{score:+g}".replace("-", MINUS))


def _paper(width: float, height: float) -> str:
    return element("rect", x=0, y=0, width=width, height=height, rx=10, fill=COLOURS["surface"])
