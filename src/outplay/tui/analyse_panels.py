"""The panels of the analysis board: engine lines as they deepen, the curve of a review, scores under the columns."""

from __future__ import annotations

from collections.abc import Sequence

from rich.text import Text
from textual.widgets import Static

from outplay import explain
from outplay.engine.analyst import Judged
from outplay.engine.types import Line
from outplay.review import Review
from outplay.rules import Position, rules_of
from outplay.tui.graph import braille
from outplay.tui.panels import colour_of
from outplay.tui.words import about

GRAPH_LINES = 3
TINTS = {"win": "win", "loss": "loss", "draw": "draw", "unclear": "foreground"}


def best_lines(judged: Judged | None) -> Sequence[Line]:
    """Return the lines of an analysis, best first."""
    return () if judged is None else sorted(judged.analysis.lines, key=lambda each: -each.score.value)


def column_labels(position: Position, lines: Sequence[Line]) -> tuple[str, ...]:
    """Return the scores under the columns of Connect Four; nothing for checkers."""
    rules = rules_of(position)
    if rules.name != "connect4":
        return ()
    labels = [""] * rules.size(position)[0]
    for line in lines:
        labels[line.move] = short_label(line)
    return tuple(labels)


def short_label(line: Line) -> str:
    """Return a score in a few characters: "+5" wins in 5, "-3" loses in 3, "=" is a draw, "..." is not solved yet."""
    score, verdict = line.score, explain.verdict_of(line.score)
    moves = "" if score.plies is None else str(explain.own_moves(score.plies))
    return {"win": f"+{moves}", "loss": f"-{moves}", "draw": "=", "unclear": "..."}[verdict]


class EngineLines(Static):
    """What the engine has found: the best lines with their scores, and how certain the scores are."""

    def show(self, position: Position, judged: Judged | None, most: int) -> None:
        text, best = Text(), best_lines(judged)
        for line in best[:most]:
            tint = colour_of(self, TINTS[explain.verdict_of(line.score)])
            text.append(f"{explain.label_of(line.score):<11}", style=tint)
            text.append(f" {explain.line_text(position, line.moves, most=5)}\n")
        if judged is not None:
            known = explain.known_of(best[0].score) if best else ""
            text.append(f"{known}, {about(judged.analysis.nodes)} positions", style=colour_of(self, "soft"))
        self.update(text)


class ScoreCurve(Static):
    """The review of a game: the curve, the current place on it, and a summary of both sides."""

    def show(self, review: Review | None, ply: int | None) -> None:
        """Show a review; `ply` is the move on the board, None in a variation."""
        if review is None:
            self.update(Text("v reviews this game.", style=colour_of(self, "soft")))
            return
        gauges: list[float | None] = [None] * (review.plies + 1)
        for move in review.moves:
            gauges[move.ply - 1] = move.gauge
        gauges[-1] = review.gauge if review.headline else None
        width = max(10, self.size.width or 34)
        text = Text("\n".join(braille(gauges, width, GRAPH_LINES)), style=colour_of(self, "primary"))
        place = "" if ply is None else f"{' ' * min(width - 1, (2 * ply + 1) * width // (2 * len(gauges)))}^"
        text.append(f"\n{place}")
        self.update(text.append(f"\n{_told(review)}", style=colour_of(self, "foreground")))


def _told(review: Review) -> str:
    if not review.is_complete:
        return f"Reviewing: {len(review.moves)} of {review.plies} moves."
    told = [
        f"{side.name}: {side.sentence}{'' if side.accuracy is None else f', {side.accuracy:.0f} %'}"
        for side in review.sides
    ]
    turn = review.turning_point
    return "\n".join([*told, explain.NO_TURN if turn is None else f"Move {turn.ply}: {turn.sentence}"])
