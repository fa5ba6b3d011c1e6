"""Draw the learning curves of a training run: loss by epoch, two lines for each generation."""

from __future__ import annotations

import csv
from pathlib import Path

WIDTH, HEIGHT, EDGE = 640, 320, 44
COLOURS = ("#2166ac", "#b2182b", "#1b7837", "#762a83", "#b35806")

Curve = list[tuple[float, float, float]]
"""The points of a learning curve: epoch, training loss, validation loss."""


def read_curves(folder: Path) -> dict[int, Curve]:
    """Return the curves of every generation in a training folder."""
    found = {}
    for path in folder.glob("*.csv"):
        if path.stem.isdecimal():
            with path.open(encoding="utf-8", newline="") as file:
                rows = list(csv.DictReader(file))
            found[int(path.stem)] = [
                (float(row["epoch"]), float(row["loss"]), float(row["held_out_loss"])) for row in rows
            ]
    return dict(sorted(found.items()))


def curve_svg(folder: Path) -> str:
    """Return the curves as SVG: solid for the training samples, dashed for the held-out samples."""
    curves = read_curves(folder)
    points = [point for curve in curves.values() for point in curve]
    if not points:
        raise ValueError(f"{folder} holds no learning curve")
    last = max(epoch for epoch, _, _ in points)
    losses = [loss for _, *both in points for loss in both]
    low, high = min(losses), max(losses)

    def place(epoch: float, loss: float) -> str:
        x = EDGE + (WIDTH - 2 * EDGE) * (epoch - 1) / max(1.0, last - 1)
        y = EDGE + (HEIGHT - 2 * EDGE) * (high - loss) / max(1e-9, high - low)
        return f"{x:.1f},{y:.1f}"

    lines = []
    for number, (generation, curve) in enumerate(curves.items()):
        colour = COLOURS[number % len(COLOURS)]
        for which, dash in ((1, ""), (2, ' stroke-dasharray="5 4"')):
            path = " ".join(place(point[0], point[which]) for point in curve)
            lines.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"{dash}/>')
        lines.append(f'<text x="{EDGE + 110 * number}" y="20" fill="{colour}">generation {generation}</text>')
    scale = f'<text x="4" y="{EDGE}">{high:.3f}</text><text x="4" y="{HEIGHT - EDGE}">{low:.3f}</text>'
    box = f'viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="12"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {box}>'
    title = "<title>Loss by epoch; dashed: on the held-out positions</title>"
    return "\n".join([head, title, scale, *lines, "</svg>", ""])
