"""Small dialogs: a question with two answers, the choice of both players, and a line to type or paste into."""

from __future__ import annotations

from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.message import Message
from textual.screen import ModalScreen
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from outplay.live.catalogue import Card, seatable
from outplay.rules import RULES


class Confirm(ModalScreen[bool]):
    """A question: y or Enter for yes, anything else for no."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y,enter", "answer(True)", "Yes"),
        Binding("n,escape", "answer(False)", "No"),
    ]

    def __init__(self, question: str) -> None:
        super().__init__()
        self._question = question

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog small"):
            yield Static(self._question)
            yield Static("y yes    n no", classes="soft")

    def action_answer(self, is_yes: bool) -> None:
        self.dismiss(is_yes)


def _option(card: Card) -> Option:
    level = f"{card.level} " if card.level else ""
    return Option(f"{level}{card.title}", id=card.player)


class SeatsDialog(ModalScreen["tuple[int, str] | None"]):
    """Choose the player of a side. Tab goes to the other side; Enter chooses; Escape changes nothing."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "dismiss", "Close"),
        Binding("left,right", "app.focus_next", "Other side"),
    ]

    def __init__(self, game: str, seats: tuple[str, str]) -> None:
        super().__init__()
        self._game, self._seats = game, seats

    def compose(self) -> ComposeResult:
        cards = list(seatable(self._game).values())
        with Vertical(classes="dialog"):
            yield Static("Who plays? Enter chooses, Tab goes to the other side, Esc closes.")
            with Horizontal(classes="lists"):
                for side, title in enumerate(RULES[self._game].sides):
                    seats = OptionList(*map(_option, cards), id=f"seat-{side}")
                    seats.border_title = title
                    yield seats
            yield Static(id="about", classes="soft", markup=False)

    def on_mount(self) -> None:
        names = list(seatable(self._game))
        for side, name in enumerate(self._seats):
            seats = self.query_one(f"#seat-{side}", OptionList)
            seats.highlighted = names.index(name) if name in names else 0
        self.set_focus(self.query_one("#seat-1", OptionList))

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        card = seatable(self._game)[event.option_id or "human"]
        self.query_one("#about", Static).update(f"{card.title}: {card.sentence}")

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        side = int((event.option_list.id or "seat-0")[-1])
        self.dismiss((side, event.option_id or "human"))


class Prompt(Input):
    """A line at the foot of a page, to type a move or to paste any number of lines."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "close", "Close", show=False)]

    class Typed(Message):
        """Something was typed or pasted. If the line was closed instead, `text` is empty and `is_entered` is False."""

        def __init__(self, text: str, *, is_entered: bool = True) -> None:
            super().__init__()
            self.text, self.is_entered = text, is_entered

    def __init__(self, hint: str) -> None:
        super().__init__(placeholder=hint, id="prompt", compact=True, select_on_focus=False)
        self.cursor_blink = False  # nothing on the screen moves by itself
        self._pasted = ""
        self.display = False

    def ask(self, text: str = "") -> None:
        """Show the line and wait for input."""
        self.display, self.value, self._pasted = True, text, ""
        self.cursor_position = len(text)
        self.screen.set_focus(self)  # at once: the next key is meant for this line

    def action_close(self) -> None:
        self.display = False
        self.screen.set_focus(None)
        self.post_message(self.Typed("", is_entered=False))

    def _on_paste(self, event: events.Paste) -> None:
        """Keep all lines of what is pasted: a diagram or a file of games has many."""
        if len(event.text.strip().splitlines()) > 1:
            self.paste(event.text)
            event.stop()
            event.prevent_default()

    def paste(self, text: str) -> None:
        """Replace what is typed with a text of one line or of many."""
        lines = text.strip().splitlines()
        is_long = len(lines) > 1
        self._pasted = text if is_long else ""
        self.value = f"({len(lines)} lines pasted; Enter reads them)" if is_long else text.strip()
        self.cursor_position = len(self.value)

    async def action_submit(self) -> None:
        text = self._pasted or self.value
        self._pasted = ""
        self.post_message(self.Typed(text.strip()))
