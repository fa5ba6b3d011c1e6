"""What lessons and puzzles share: a board with a task beside it, and answers that are judged and played out."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.timer import Timer
from textual.widgets import Static

from outplay import explain
from outplay.errors import IllegalMoveError, OutplayError
from outplay.explain.places import hint_cells
from outplay.learn.hints import step_hint
from outplay.rules import Move, Position, rules_of
from outplay.tui.board_page import BoardPage
from outplay.tui.boards.board import BoardWidget
from outplay.tui.boards.drawing import Drawing
from outplay.tui.dialogs import Prompt
from outplay.tui.words import refusal_text

MOVE_SECONDS = 0.7
"""The seconds between two moves that are shown on the board."""


class ExercisePage(BoardPage):
    """A page with tasks. Its subclasses decide what is asked, and what follows an answer."""

    prompt_hint = "a move: 4, 11-15"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("h", "hint", "Hint"),
        Binding("slash", "type", "Type a move", key_display="/", show=False),
        Binding("f", "flip", "Flip", show=False),
        Binding("a,s", "solution", "Show the answer", key_display="a"),
        Binding("r,escape", "again", "Try again", key_display="r", show=False),
    ]

    class Answered(Message):
        """An answer was judged: what to say, and the moves to show."""

        def __init__(self, said: str, position: Position, line: Sequence[Move], *, is_right: bool) -> None:
            super().__init__()
            self.said, self.position, self.line, self.is_right = said, position, tuple(line), is_right

    def __init__(self) -> None:
        super().__init__()
        self.position: Position
        self._cells: tuple[int, ...] = ()
        """Cells that a lesson marks."""
        self._answer = ""
        """The move that is asked for now; empty if there is nothing to find."""
        self._asked = ""
        """The last answer asked for; it is kept when `_answer` is cleared, so that the question can be asked again."""
        self._hints = 0
        self._playing: Timer | None = None

    def compose_side(self) -> ComposeResult:
        yield Static(id="text")

    @property
    def here(self) -> Position:
        return self.position

    def put(self, position: Position, cells: Sequence[int] = (), answer: str = "") -> None:
        """Put a position on the board; if `answer` is given, the person must find this move."""
        if self._playing is not None:
            self._playing.stop()
        self.position, self._cells, self._hints = position, tuple(cells), 0
        self._answer = self._asked = answer
        self.put_board(rules_of(position).name)
        self.seen.clear(position)
        self._draw(position)

    def _draw(self, position: Position, last: tuple[int, ...] = (), hinted: Sequence[int] = ()) -> None:
        is_asked = bool(self._answer) and position == self.position
        self.boards[rules_of(position).name].drawing = Drawing.of(
            position,
            last=last,
            movable=self.seen.pick.origins if is_asked else (),
            picked=self.seen.pick.squares if is_asked and rules_of(position).name == "checkers" else (),
            targets=self.seen.pick.targets if is_asked else (),
            hinted=tuple(hinted) or self._cells,
            is_flipped=self.seen.is_flipped,
        )

    # Answers

    @abstractmethod
    def judge(self, text: str) -> Answered:
        """Judge a move; called on another thread. IllegalMoveError if the move is not legal."""

    def remember(self, message: Answered) -> None:
        """Keep the result of an answer before its moves are shown, because the person may leave meanwhile."""

    @abstractmethod
    def after(self, message: Answered) -> None:
        """Ask the next question, when the moves of an answer have been shown."""

    def on_board_widget_chosen(self, message: BoardWidget.Chosen) -> None:
        if not self._answer:
            self.say("There is no task here: n goes on.")
            return
        text = self.seen.choose(self.position, message.cell)
        if text is None:
            if self.seen.said:
                self.say(self.seen.said)
            self._draw(self.position)
        else:
            self.enter(text)

    def enter(self, text: str) -> None:
        """Judge a move on a thread of its own, because the prover may need time."""
        if not self._answer:
            self.say("There is no task here: n goes on.")
            return

        def work() -> None:
            try:
                message: Message = self.judge(text)
            except OutplayError as error:
                message = self.Failed(error)
            self.tell(message)

        self.say("...")
        self.run_worker(work, thread=True, exclusive=True, group="judge")

    def refuse(self, error: Exception) -> None:
        if isinstance(error, IllegalMoveError):
            self.say(refusal_text(explain.refusal(error)))
        else:
            super().refuse(error)

    def on_exercise_page_answered(self, message: Answered) -> None:
        self.say(message.said)
        self._answer = ""  # nothing is asked while moves are shown
        self.remember(message)
        self._play_out(message.position, list(message.line), lambda: self.after(message))

    def _play_out(self, position: Position, line: list[Move], then: Callable[[], None]) -> None:
        """Show moves on the board one after the other."""
        if not line:
            then()
            return
        move, *rest = line
        after = position.play(move)
        self._draw(after, rules_of(position).path(position, move))
        self._playing = self.set_timer(MOVE_SECONDS, lambda: self._play_out(after, rest, then))

    # Actions

    def action_hint(self) -> None:
        if not self._answer:
            self.say("There is no task here: n goes on.")
            return
        self._hints = min(self._hints + 1, explain.STEPS)
        hint = step_hint(self.position, self._answer, self._hints)
        self.say(f"Hint {hint.step} of {explain.STEPS}: {hint.sentence}")
        self._draw(self.position, hinted=hint_cells(self.position, hint))

    @abstractmethod
    def action_solution(self) -> None:
        """Show the answer on the board."""

    def action_again(self) -> None:
        """Go back to the question."""
        self.put(self.position, self._cells, self._asked)

    def action_flip(self) -> None:
        self.seen.is_flipped = not self.seen.is_flipped
        self._draw(self.position)

    def on_prompt_typed(self, message: Prompt.Typed) -> None:
        self.close_prompt()
        if message.text:
            self.enter(message.text)
