"""The panels beside the board: seats and clocks, the glass box, the list of moves."""

from __future__ import annotations

from collections.abc import Sequence

from rich.style import Style
from rich.text import Text
from textual.widget import Widget
from textual.widgets import Static

from outplay import explain
from outplay.draw.svg import COLOURS
from outplay.engine.types import Line
from outplay.live import LiveState, Opinion
from outplay.live.catalogue import seatable
from outplay.live.words import seat_title
from outplay.outcome import Side
from outplay.rules import rules_of
from outplay.tui import words

MOST_BARS = 8
"""The most moves of checkers that are shown."""
BAR = 8
"""The number of characters in half a bar."""


def colour_of(widget: Widget, name: str) -> str:
    """Return a colour of the theme: win, draw, loss, soft, lit, primary, foreground."""
    return widget.app.theme_variables[name]


def piece(game: str, side: Side) -> Text:
    return Text(words.sign_of(game, side), style=COLOURS[words.side_colour(game, side)])


class SeatPanel(Static):
    """Both seats: who plays, how strong, whose turn it is, and the clocks. A click changes the players."""

    def show(self, state: LiveState, left_ms: Sequence[float] | None) -> None:
        lines = [self._seat(state, side, left_ms) for side in Side]
        if not any(seat.is_human for seat in state.seats):
            speed = Text(f"[ {words.pace_text(state.time_ms or 0)} ]", style=colour_of(self, "primary"))
            lines.append(speed)
        self.update(Text("\n").join(lines))

    def _seat(self, state: LiveState, side: Side, left_ms: Sequence[float] | None) -> Text:
        rules = rules_of(state.position)
        is_turn = state.outcome is None and state.side is side
        seat = state.seats[side]
        card = seatable(rules.name).get(seat.name)
        about = rules.sides[side] if card is None or card.level is None else f"{rules.sides[side]}, level {card.level}"
        line = Text().append("▶ " if is_turn else "  ", style=colour_of(self, "primary"))
        line.append_text(piece(rules.name, side))
        line.append(f" {seat_title(state, side)}", style="bold")
        if seat_title(state, side) != rules.sides[side]:
            line.append(f"  {about}", style=colour_of(self, "soft"))
        if left_ms is not None:
            line.append(f"  {words.clock_text(left_ms[side])}", style="bold")
        return line

    def on_click(self) -> None:
        self.app.call_later(self.screen.run_action, "seats")


class Glass(Static):
    """The glass box: what the opponent thinks of each move, and how far it searched."""

    def show(self, state: LiveState, opinion: Opinion | None) -> None:
        if opinion is None:
            self.update(Text("The glass box shows what the engine thinks of each move.", colour_of(self, "soft")))
            return
        game = rules_of(opinion.position).name
        card = seatable(game).get(opinion.player.name)
        text = Text().append("Glass box: ", style=colour_of(self, "soft"))
        text.append(opinion.player.label if card is None else card.title, style="bold")
        is_thinking = opinion.played is None and state.status == "thinking"
        text.append(f"\n{words.thinking_text(state) if is_thinking else words.count_sentence(opinion)}")
        said = "" if is_thinking else words.remark_sentence(opinion, state)
        text.append(f"\n{said}" if said else "\n", style=colour_of(self, "soft"))
        if opinion.player.kind != "random":
            lines = self._ordered(game, opinion)
            names = [opinion.position.format(line.move) for line in lines]
            for name, line in zip(names, lines, strict=True):
                text.append("\n")
                text.append_text(self._bar(opinion, line, f"{name:>{max(2, *map(len, names))}}"))
        self.update(text)

    @staticmethod
    def _ordered(game: str, opinion: Opinion) -> list[Line]:
        """Return the lines by column in Connect Four, best first in checkers."""
        lines = opinion.analysis.lines
        if game == "connect4":
            return sorted(lines, key=lambda line: line.move)
        return sorted(lines, key=lambda line: -line.score.value)[:MOST_BARS]

    def _bar(self, opinion: Opinion, line: Line, name: str) -> Text:
        length = round(explain.bar_of(line.score) * BAR)
        fill = "█" if explain.is_certain(line.score) else "▒"  # a guess never looks like a proof
        left = f"{fill * -length if length < 0 else '':>{BAR}}"
        right = f"{fill * length if length > 0 else '':<{BAR}}"
        tint = colour_of(self, "win" if length > 0 else "loss" if length < 0 else "draw")
        is_best = line.move == opinion.liked
        sign = ">" if line.move == opinion.played else " "
        text = Text().append(f"{sign}{name}", style="bold" if is_best else "")
        text.append(f" {left}", style=tint)
        text.append("│", style=colour_of(self, "soft"))
        text.append(right, style=tint)
        text.append(f" {explain.label_of(line.score)}", style="bold" if is_best else "")
        return text


class Moves(Static):
    """The list of moves; the one on the board is marked, and a click goes to any of them."""

    def show(self, state: LiveState, seen: int) -> None:
        pairs = self._pairs(state)
        height = max(1, self.size.height)
        here = next((number for number, plies in enumerate(pairs) if seen in plies), len(pairs) - 1)
        first = max(0, min(here - height + 1, len(pairs) - height))
        texts = dict(words.numbered(state))
        lines = [self._line(first + number, plies, texts, seen) for number, plies in enumerate(pairs[first:][:height])]
        self.update(Text("\n").join(lines) if lines else Text("No moves yet.", colour_of(self, "soft")))

    @staticmethod
    def _pairs(state: LiveState) -> list[tuple[int, ...]]:
        """Return the plies of each line: the first side's move and the answer."""
        first = [1] if state.start.side else []
        rest = range(1 + len(first), state.ply + 1)
        pairs = [tuple(ply for ply in (ply, ply + 1) if ply <= state.ply) for ply in rest[::2]]
        return [*([(1,)] if first and state.ply else []), *pairs]

    def _line(self, number: int, plies: tuple[int, ...], texts: dict[int, str], seen: int) -> Text:
        line = Text().append(f"{number + 1:>3}. ", style=colour_of(self, "soft"))
        for ply in plies:
            style = Style(reverse=ply == seen, bold=ply == seen, meta={"@click": f"screen.see({ply})"})
            line.append(texts[ply], style=style)
            line.append(" " * max(1, 8 - len(texts[ply])))
        return line
