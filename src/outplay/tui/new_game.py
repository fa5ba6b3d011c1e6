"""The dialog for a new game: which game, who plays, from which position, and with how much time."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.events import DescendantFocus
from textual.screen import ModalScreen
from textual.widgets import Button, Checkbox, Input, Label, Select, Static

from outplay.errors import OutplayError
from outplay.explain import STRICT
from outplay.live import ClockSetting
from outplay.live.catalogue import OPPONENT, SIZES, Card, find, seatable
from outplay.notation import read_size
from outplay.notation.any import read_one
from outplay.players import HUMAN, Player
from outplay.rules import RULES, rules_of
from outplay.tui.start import AppStart
from outplay.tui.words import pace_text, pace_time

MINUTE_MS = 60_000
CLOCKS: dict[str, ClockSetting | None] = {
    "no clock": None,
    "1 minute": ClockSetting(MINUTE_MS),
    "3 minutes + 2 s": ClockSetting(3 * MINUTE_MS, 2000),
    "5 minutes": ClockSetting(5 * MINUTE_MS),
    "10 minutes + 5 s": ClockSetting(10 * MINUTE_MS, 5000),
}


class Tick(Checkbox):
    """A box that shows by its letter, not only by its colour, whether it is on."""

    def render(self) -> Content:
        self.BUTTON_INNER = "X" if self.value else " "
        return super().render()


class NewGameDialog(ModalScreen["AppStart | None"]):
    """A form for a new game. It opens with the settings of the last game; Start begins the game."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "dismiss", "Close")]

    def __init__(self, now: AppStart) -> None:
        super().__init__()
        self._now = now

    def compose(self) -> ComposeResult:
        now = self._now
        with VerticalScroll(classes="dialog", can_focus=False):
            yield Static("New game: Tab to a line, Enter to choose. Esc closes.")
            yield from _row("Game", _select("game", [(rules.title, name) for name, rules in RULES.items()], now.game))
            for side in (0, 1):
                seats = _select(f"seat-{side}", *self._players(side))
                yield from _row(RULES[now.game].sides[side], seats, id=f"side-{side}")
            size = "x".join(map(str, now.size or SIZES[0]))
            yield from _row("Board size", Input(size, id="size", compact=True), id="size-row")
            times = sorted({now.time_ms or 0, *map(pace_time, (0, 4, 6, 7, 8, 10))})
            yield from _row("Engines think", _select("time", [(pace_text(ms), ms) for ms in times], now.time_ms or 0))
            clock = next((name for name, each in CLOCKS.items() if each == now.clock), "no clock")
            yield from _row("Clock", _select("clock", [(name, name) for name in CLOCKS], clock))
            yield from _row("Strict", Tick(STRICT, now.is_strict, id="strict", compact=True))
            yield from _row(
                "From a position", Input(placeholder="paste anything. Default: the usual start", id="at", compact=True)
            )
            yield Static(id="refused", classes="soft", markup=False)
            with Horizontal(classes="row buttons"):
                yield Button("Start", variant="primary", id="go", compact=True)
                yield Button("Set up a position", id="edit", compact=True)

    def on_mount(self) -> None:
        self._show_size()
        self.set_focus(self.query_one("#go", Button))

    def on_descendant_focus(self, event: DescendantFocus) -> None:
        """Mark the name of the line that has the focus: a shade of its field is not seen in every terminal."""
        for row in self.query(".row"):
            row.set_class(row in event.widget.ancestors, "here")

    def _players(self, side: int) -> tuple[list[tuple[str, str]], str]:
        """Return who may be chosen for a side, and who has the seat."""
        seat = self._now.seats[side]
        name = seat.name if seat is not None else "human"
        cards = [(_title(card), card.player) for card in seatable(self._now.game).values()]
        if name not in {player for _, player in cards}:
            cards.append((name, name))
        return cards, name

    def on_select_changed(self, event: Select.Changed) -> None:
        """Show the levels and sides of the game that was chosen."""
        if event.select.id != "game" or event.value == self._now.game:
            return
        self._now = replace(self._now, game=str(event.value), seats=(None, None))
        for side in (0, 1):
            self.query_one(f"#side-{side} Label", Label).update(RULES[self._now.game].sides[side])
            choice: Select[str] = self.query_one(f"#seat-{side}", Select)
            choice.set_options(self._players(side)[0])
            choice.value = OPPONENT if side else "human"
        self._show_size()

    def _show_size(self) -> None:
        self.query_one("#size-row").display = self._now.game == "connect4"

    def on_button_pressed(self, event: Button.Pressed) -> None:
        if event.button.id == "edit":
            self._edit()
            return
        try:
            self.dismiss(self._chosen())
        except (OutplayError, ValueError) as error:
            self.query_one("#refused", Static).update(f"Not possible: {error}")

    def on_input_submitted(self) -> None:
        self.query_one("#go", Button).press()

    def _edit(self) -> None:
        from outplay.tui.editor import Editor

        self.app.push_screen(Editor(self._now.new_game().start), self._take)

    def _take(self, position: Any) -> None:
        if position is not None:
            self.query_one("#at", Input).value = position.fen()

    def _chosen(self) -> AppStart:
        """Return what was chosen. OutplayError if something is not possible."""
        values = {each.id: each.value for each in self.query(Select)}
        game = str(values["game"])
        text = self.query_one("#at", Input).value.strip()
        size = read_size(self.query_one("#size", Input).value) if game == "connect4" else None
        position = None
        if text:
            position = read_one(text, game, size if size != SIZES[0] else None).game.position
            game = rules_of(position).name
        else:
            RULES[game].read("start", size=size)
        return replace(
            self._now,
            game=game,
            seats=(self._player(game, values["seat-0"], 0), self._player(game, values["seat-1"], 1)),
            size=size,
            position=position,
            time_ms=int(str(values["time"])),
            clock=CLOCKS[str(values["clock"])],
            is_strict=self.query_one("#strict", Checkbox).value,
        )

    def _player(self, game: str, name: object, side: int) -> Player:
        seat = self._now.seats[side]
        if seat is not None and seat.name == name:
            return seat
        return HUMAN if name == "human" else find(game, str(name))


def _title(card: Card) -> str:
    return f"{card.title}{f', level {card.level}' if card.level else ''}{f' ({card.short})' if card.short else ''}"


def _select(id: str, options: list[tuple[str, Any]], value: Any) -> Select[Any]:  # noqa: A002
    return Select(options, value=value, allow_blank=False, id=id, compact=True)


def _row(label: str, widget: Any, id: str | None = None) -> ComposeResult:  # noqa: A002
    with Horizontal(classes="row", id=id):
        yield Label(label)
        yield widget
