"""The page Puzzles: the trainer, one puzzle after the other at the grade of the person who plays."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, ClassVar

from rich.text import Text
from textual.binding import Binding, BindingType
from textual.widgets import Static

from outplay.learn import GradedPuzzle, prover, shipped_puzzles
from outplay.learn.progress import Attempt, daily_puzzle, new_kind, next_puzzle, standing
from outplay.learn.themes import THEMES
from outplay.learn.tries import puzzle_solution, try_moves
from outplay.notation.any import counted
from outplay.rules import RULES
from outplay.tui.exercise import ExercisePage

if TYPE_CHECKING:
    from outplay.store import Store

REPLIED = 2
"""The number of moves that are shown when a right move is not the last one: the move and the reply."""


class PuzzlesPage(ExercisePage):
    """A puzzle on the board: the person must find each move of one side; the other side plays the best defence."""

    name_of_page = "puzzles"
    help_text = """
Find the move, then the next one: the other side plays its best defence. A wrong move is answered on the board with the
reason. n opens the next puzzle, c changes the game, d opens the puzzle of the day, a shows the answer.
"""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("n", "next", "Next puzzle"),
        Binding("c", "other", "Other game"),
        Binding("d", "today", "Today's"),
    ]

    def __init__(self) -> None:
        super().__init__()
        self._game = "connect4"
        self.attempts: list[Attempt] = []
        self.puzzle: GradedPuzzle = shipped_puzzles(self._game)[0]
        self._seen: list[str] = []
        """The puzzles of this visit, the latest last."""
        self._played: list[str] = []
        """The moves of the puzzle so far, replies included."""

    def on_mount(self) -> None:
        self.with_store(self._load)
        self.action_next()

    def _load(self, store: Store) -> None:
        from outplay.store.progress import attempts_of, person_here

        self.attempts = [*attempts_of(store, person_here(store)), *self.attempts]
        self.app.call_from_thread(self._show_text)

    def open(self, puzzle: GradedPuzzle) -> None:
        """Put a puzzle on the board."""
        self.puzzle, self._game, self._played = puzzle, puzzle.game, []
        self._seen = [*(name for name in self._seen if name != puzzle.id), puzzle.id]
        self._ask()
        self._show_text()

    def _ask(self) -> None:
        position = self.puzzle.position
        for text in self._played:
            position = position.play(position.parse(text))
        self.put(position, answer=self.puzzle.accepted(len(self._played))[0])
        self.say(self.puzzle.sentence)

    def _show_text(self) -> None:
        mine = standing(self.attempts, shipped_puzzles(self._game), datetime.now(UTC))
        theme = ", ".join(THEMES[self._game][theme] for theme in self.puzzle.themes)
        lines = [
            f", {RULES[self._game].title}",
            f"Grade {self.puzzle.grade}: {theme}",
            f"{counted(self.puzzle.own_moves, 'move')} to find",
            "",
            f"Today: {len(mine.today)} tried",
        ]
        self.query_one("#text", Static).update(Text.assemble((f"Puzzle {self.puzzle.id}", "bold"), "\n".join(lines)))

    def judge(self, text: str) -> ExercisePage.Answered:
        found = try_moves(self.puzzle, [*self._played, text], prover())
        known = f" {found.label}, {found.known}." if found.label else ""
        said = f"{found.headline}. {found.sentence}{known}"
        return self.Answered(said, found.position, found.line, is_right=found.status == "solved")

    def remember(self, message: ExercisePage.Answered) -> None:
        if not _goes_on(message):
            self._note(is_right=message.is_right)

    def after(self, message: ExercisePage.Answered) -> None:
        if message.is_right:
            self.say(f"{message.said} n opens the next puzzle.")
        elif _goes_on(message):
            position = message.position
            for move in message.line:
                self._played.append(position.format(move))
                position = position.play(move)
            self._ask()
            self.say(message.said)
        else:
            self._ask()
            self.say(f"{message.said} Try again, or press a for the answer.")

    def _note(self, *, is_right: bool) -> None:
        """Remember an attempt."""
        now = datetime.now(UTC)
        kind = new_kind(self.attempts, self.puzzle.id, is_right=is_right, now=now)
        if kind is None:
            return
        attempt = Attempt(self.puzzle.id, kind, now)
        self.attempts.append(attempt)
        self._show_text()

        def write(store: Store) -> None:
            from outplay.store.progress import add_attempt, person_here

            add_attempt(store, person_here(store), attempt)

        self.with_store(write)

    def action_next(self) -> None:
        puzzles = shipped_puzzles(self._game)
        mine = standing(self.attempts, puzzles, datetime.now(UTC))
        self.open(next_puzzle(puzzles, mine, after=self._seen) or puzzles[0])

    def action_other(self) -> None:
        self._game = "checkers" if self._game == "connect4" else "connect4"
        self.open(shipped_puzzles(self._game)[0])

    def action_today(self) -> None:
        self.open(daily_puzzle(shipped_puzzles(self._game), datetime.now(UTC).date()))

    def action_solution(self) -> None:
        puzzle = self.puzzle
        self._note(is_right=False)

        def work() -> None:
            found = puzzle_solution(puzzle, prover())
            said = f"{found.headline}: {found.sentence}"
            self.tell(self.Answered(said, found.position, found.line, is_right=True))

        self.say("...")
        self.run_worker(work, thread=True, exclusive=True, group="judge")


def _goes_on(message: ExercisePage.Answered) -> bool:
    """Return True if the move was right and another one must be found."""
    return not message.is_right and len(message.line) == REPLIED and message.said.startswith("Yes")
