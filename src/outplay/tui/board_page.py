"""What pages with a board share: the boards of both games, the sentence above them, and the line to type into."""

from __future__ import annotations

from abc import abstractmethod
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.events import Paste

from outplay.rules import Position, rules_of
from outplay.tui.boards import BOARDS
from outplay.tui.boards.board import BoardWidget
from outplay.tui.dialogs import Prompt
from outplay.tui.page import AppPage
from outplay.tui.sentence import More, Sentence
from outplay.tui.view import Seen


class BoardPage(AppPage):
    """A page with one position on its board. `side_classes` are the CSS classes of the column beside it."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding(digit, f"digit('{digit}')", show=False) for digit in "123456789"]
    prompt_hint: ClassVar[str] = ""
    side_classes: ClassVar[str] = ""

    def __init__(self) -> None:
        super().__init__()
        self.boards: dict[str, BoardWidget] = {name: board(id=name) for name, board in BOARDS.items()}
        self.seen = Seen()

    def compose_body(self) -> ComposeResult:
        with Horizontal(id="body"):
            with Vertical(id="stage"):
                yield Sentence()
                yield from self.boards.values()
            with Vertical(id="side", classes=self.side_classes):
                yield from self.compose_side()
                yield More()
        yield Prompt(self.prompt_hint)

    def compose_side(self) -> ComposeResult:
        yield from ()

    @property
    def is_ready(self) -> bool:
        """Whether the widgets exist already; a page may get its game before they do."""
        return bool(self.query("#prompt"))

    @property
    @abstractmethod
    def here(self) -> Position:
        """The position for which moves are chosen."""

    @property
    def board(self) -> BoardWidget:
        return self.boards[rules_of(self.here).name]

    def put_board(self, game: str) -> None:
        """Show the board of a game, without a cursor."""
        for name, board in self.boards.items():
            board.display = name == game
            board.cursor = None
        self.set_focus(self.boards[game])

    # Moves

    @abstractmethod
    def enter(self, text: str) -> None:
        """Handle a move that the player entered, legal or not."""

    def action_digit(self, digit: str) -> None:
        """Play the column of a digit, or begin a move of checkers with it."""
        if rules_of(self.here).name == "connect4":
            self.enter(digit)
        else:
            self.action_type(digit)

    def action_type(self, text: str = "") -> None:
        """Show the line to type into."""
        self.query_one(Prompt).ask(text)

    def on_paste(self, event: Paste) -> None:
        """Show what is pasted on the page in the line to type into; Enter then reads it."""
        if event.text.strip():
            self.action_type()
            self.query_one(Prompt).paste(event.text)

    def close_prompt(self) -> None:
        self.query_one(Prompt).display = False
        self.set_focus(self.board)
