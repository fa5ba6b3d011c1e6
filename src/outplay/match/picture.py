"""Draw the course of a match as SVG: the Elo difference with its 95 % band, after every pair of games."""

from __future__ import annotations

from collections.abc import Sequence

from outplay.draw.svg import COLOURS, MINUS, document, element, group, words
from outplay.match.elo import Estimate, Pairs, estimate
from outplay.match.report import elo_text, headline
from outplay.match.result import Result

WIDTH, HEIGHT = 720, 360
LEFT, RIGHT, TOP, BOTTOM = 64, 704, 48, 316
FEWEST_PAIRS = 4
"""With fewer pairs than this the band is too wide to draw."""
MOST_POINTS = 400

_ACCENT, _BAND, _LINE, _INK, _FAINT = "#2A5BC0", "#DDE6F7", "#C6C6BE", "#1A1C20", "#63676E"

Point = tuple[int, Estimate]


def course(result: Result) -> list[Point]:
    """Return the estimates after 1, 2, 3, ... finished pairs; in a long match, only 400 to 800 of them."""
    open_pairs: dict[int, float] = {}
    finished, points = list[float](), list[Point]()
    for game in result.played:
        if game.pair not in open_pairs:
            open_pairs[game.pair] = game.points
            continue
        finished.append(open_pairs.pop(game.pair) + game.points)
        points.append((len(finished), Estimate()))
    step = max(1, len(finished) // MOST_POINTS)
    wanted = {number for number, _ in points if number % step == 0 or number == len(finished)}
    return [(number, estimate(Pairs.of(finished[:number]))) for number in sorted(wanted)]


def match_svg(result: Result) -> str:
    """Return the picture; with too few pairs it has only a title."""
    shown = [point for point in course(result) if point[0] >= FEWEST_PAIRS and point[1].elo is not None]
    parts = [
        element("rect", x=0, y=0, width=WIDTH, height=HEIGHT, rx=10, fill=COLOURS["surface"]),
        words(16, 28, headline(result), font_size=14, font_weight=600, fill=_INK),
        words(RIGHT, HEIGHT - 10, "pairs of games", text_anchor="end"),
    ]
    if shown:
        parts += _plot(shown)
    title = f"{headline(result)}. {elo_text(result.estimate)}."
    return document(WIDTH, HEIGHT, title, [group(parts, font_size=12, fill=_FAINT)])


def _plot(shown: Sequence[Point]) -> list[str]:
    most = shown[-1][0]
    highest = max(abs(found.elo or 0) + (found.error or 0) for _, found in shown[len(shown) // 8 :])
    step = next(step for step in (5, 10, 20, 50, 100, 200, 400, 1000) if 3 * step >= highest or step == 1000)
    limit = step * max(1, -(-highest // step))

    def x(pairs: float) -> float:
        return round(LEFT + (RIGHT - LEFT) * pairs / most, 1)

    def y(elo: float) -> float:
        inside = max(-limit, min(limit, elo))
        return round((TOP + BOTTOM) / 2 - (BOTTOM - TOP) / 2 * inside / limit, 1)

    parts = []
    for elo in range(-int(limit), int(limit) + 1, step):
        parts.append(
            element("line", x1=LEFT, x2=RIGHT, y1=y(elo), y2=y(elo), stroke=_LINE, stroke_width=1 + (elo == 0))
        )
        label = f"{elo:+d}".replace("-", MINUS) if elo else "0"
        parts.append(words(LEFT - 8, y(elo) + 4, label, text_anchor="end"))
    upper = [(x(pairs), y((found.elo or 0) + (found.error or 0))) for pairs, found in shown]
    lower = [(x(pairs), y((found.elo or 0) - (found.error or 0))) for pairs, found in shown]
    line = [(x(pairs), y(found.elo or 0)) for pairs, found in shown]
    parts.insert(0, element("path", d=_path([*upper, *reversed(lower)]) + "Z", fill=_BAND))
    parts.append(element("path", d=_path(line), fill="none", stroke=_ACCENT, stroke_width=2))
    parts.append(words(RIGHT, BOTTOM + 18, f"{most:,}", text_anchor="end"))
    parts.append(words(LEFT, BOTTOM + 18, "0", text_anchor="middle"))
    parts.append(words(LEFT - 8, TOP - 12, "Elo", text_anchor="end"))
    return parts


def _path(points: Sequence[tuple[float, float]]) -> str:
    return "M" + "L".join(f"{x:g} {y:g}" for x, y in points)
