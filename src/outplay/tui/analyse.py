"""The page Analyse: exact scores or engine lines as they deepen, the tree of moves, a review, and mistakes to retry."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.message import Message
from textual.widgets import Static

from outplay import explain
from outplay.engine.analyst import AnalyseTask, Judged
from outplay.engine.types import Limit
from outplay.errors import GameOverError, IllegalMoveError, NotationError, OutplayError
from outplay.explain.places import outcome_cells
from outplay.notation.any import read_one
from outplay.openings import name_of
from outplay.record import AnyGame, AnyNode, Game
from outplay.review import Review
from outplay.review.task import ReviewTask
from outplay.rules import Position, must_capture, rules_of
from outplay.tui.analyse_panels import EngineLines, ScoreCurve, best_lines, column_labels
from outplay.tui.board_page import BoardPage
from outplay.tui.boards.board import BoardWidget
from outplay.tui.boards.drawing import Drawing
from outplay.tui.dialogs import Prompt
from outplay.tui.graph import nodes_of, tree_text
from outplay.tui.mistakes import Mistakes
from outplay.tui.sentence import Sentence
from outplay.tui.study import StudyTree
from outplay.tui.words import refusal_text
from outplay.work import Ticket

if TYPE_CHECKING:
    from outplay.store import SavedGame

ANALYSE_MS, REVIEW_MS = 10_000, 250
"""The time for a position, and for each position of a review that must be searched: as in the web app."""
MOST_LINES = 5
COMMENT_HINT = "a comment on this move; an empty line removes it"


class AnalysePage(BoardPage):
    """One game on the analysis board."""

    name_of_page = "analyse"
    prompt_hint = "a move, or a game or position to analyse: 4453, 11-15 22-18, a FEN, rows, PDN"
    help_text = """
Play moves for both sides: every new one becomes a variation. In Connect Four the scores under the columns are exact;
in checkers the lines get deeper while the engine searches. v reviews the game move by move and explains the mistakes;
b and m go to the next blunder and the next mistake; e lets you try again there, with the answer hidden until you press
a. p puts the variation first, Delete removes it, u undoes either. i writes a comment on the move.
"""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("j", "walk(1)", "Next"),
        Binding("k", "walk(-1)", "Back"),
        Binding("home", "visit(0)", "First move", show=False),
        Binding("end", "last", "Last move", show=False),
        Binding("l", "engine", "Engine"),
        Binding("v", "review", "Review"),
        Binding("b", "wrong(True)", "Next blunder", show=False),
        Binding("m", "wrong(False)", "Next mistake", show=False),
        Binding("e", "retry", "Retry"),
        Binding("a,h", "reveal", "Show the answer", key_display="a", show=False),
        Binding("i", "comment", "Comment", show=False),
        Binding("p", "promote", "Put variation first", show=False),
        Binding("delete,backspace", "delete", "Delete variation", show=False),
        Binding("u", "undo", "Undo change", show=False),
        Binding("left_square_bracket", "lines(-1)", "Fewer lines", key_display="[", show=False),
        Binding("right_square_bracket", "lines(1)", "More lines", key_display="]", show=False),
        Binding("slash", "type", "Type or paste", key_display="/"),
        Binding("s", "edit", "Set up", show=False),
        Binding("n", "play_from_here", "Play on"),
        Binding("f", "flip", "Flip", show=False),
        Binding("z", "quiet", "Hide computer output", show=False),
        Binding("escape", "close", "Close", show=False),
    ]

    class Analysed(Message):
        """The engine has found something about a node."""

        def __init__(self, node: AnyNode, judged: Judged) -> None:
            super().__init__()
            self.node, self.judged = node, judged

    class Reviewed(Message):
        """A review has made progress or has ended."""

        def __init__(self, moves: list[AnyNode], review: Review) -> None:
            super().__init__()
            self.moves, self.review = moves, review

    def __init__(self, study: StudyTree) -> None:
        super().__init__()
        self.study = study
        self.judged: Judged | None = None
        self.mistakes = Mistakes()
        self._said = ""
        self._has_engine, self._is_quiet, self._lines = True, False, 3
        self._ticket: Ticket[Judged] | None = None
        self._reviewing: Ticket[Review] | None = None
        self._reviewed: list[AnyNode] = []
        """The moves of the game that was reviewed."""
        self._held: list[Ticket[Any]] = []
        self._is_comment = False
        """Whether the prompt asks for a comment instead of a move."""

    def compose_side(self) -> ComposeResult:
        yield EngineLines(id="lines")
        yield ScoreCurve(id="graph")
        with VerticalScroll(id="tree-scroll"):
            yield Static(id="tree")

    def on_mount(self) -> None:
        self.open(self.study)

    def open(self, study: StudyTree) -> None:
        """Put a game on the board."""
        self.study, self.mistakes = study, Mistakes()
        if not self.is_ready:
            return
        if self._reviewing is not None:
            self._reviewing.cancel()
        self.put_board(study.game.rules.name)
        self._go(study.node)

    def open_saved(self, saved: SavedGame) -> None:
        self.open(StudyTree(saved, is_new=False))

    def open_game(self, game: AnyGame) -> None:
        self.open(StudyTree.of(game))

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to keep: no moves, and the same start position as on the page Play."""
        root = self.study.game.root
        return not root.children and root.position == self.outplay.play.state.start

    @property
    def here(self) -> Position:
        position: Position = self.study.node.position
        return position

    def leave(self) -> None:
        for ticket in (self._ticket, self._reviewing):
            if ticket is not None:
                ticket.cancel()

    def hold(self) -> None:
        self._held = [ticket for ticket in (self._ticket, self._reviewing) if ticket and not ticket.future.done()]
        self.leave()

    def go_on(self) -> None:
        if self._ticket in self._held:
            self._ask(self.study.node)
        if self._reviewing in self._held:
            self.action_review()

    # The engine

    def _go(self, node: AnyNode) -> None:
        """Show a node, and let the engine analyse it."""
        self.study.node, self.judged = node, None
        self.seen.clear(self.here)
        if self._ticket is not None:
            self._ticket.cancel()
            self._ticket = None
        if self._shows_engine and self.here.outcome() is None:
            self._ask(node)
        self.show()

    @property
    def _shows_engine(self) -> bool:
        return self._has_engine and not self._is_quiet and self.mistakes.tried is None

    def _ask(self, node: AnyNode) -> None:
        rules = rules_of(self.here)
        lines = rules.size(self.here)[0] if rules.name == "connect4" else self._lines
        history = tuple(each.position for each in list(node.line())[:0:-1])
        task = AnalyseTask(self.here, Limit(time_ms=ANALYSE_MS, lines=lines), history)
        self._ticket = self.search(f"analysis of {rules.name}", task, lambda judged: self.Analysed(node, judged))

    def on_analyse_page_analysed(self, message: Analysed) -> None:
        if message.node is self.study.node and self._shows_engine:
            self.judged = message.judged
            self.show()

    # Showing

    def say(self, text: str) -> None:
        self._said = text
        self.show()

    def show(self) -> None:
        """Show the current node, and all that is known about it."""
        if not self.is_ready:
            return
        position, node, pick = self.here, self.study.node, self.seen.pick
        rules, outcome = rules_of(position), position.outcome()
        is_checkers = rules.name == "checkers"
        self.board.drawing = Drawing.of(
            position,
            last=() if node.parent is None else rules.path(node.parent.position, node.move),
            won=() if outcome is None else tuple(outcome_cells(position, outcome)),
            movable=pick.origins,
            ringed=pick.origins if is_checkers and must_capture(position) else (),
            picked=pick.squares if is_checkers else (),
            targets=pick.targets,
            labels=column_labels(position, best_lines(self.judged)),
            is_flipped=self.seen.is_flipped,
        )
        self.query_one(Sentence).show(self._headline(), self._said or self._remark())
        self._show_panels()

    def _show_panels(self) -> None:
        node, game = self.study.node, self.study.game
        lines = self.query_one(EngineLines)
        if self._shows_engine:
            lines.show(self.here, self.judged, self._lines)
        else:
            lines.update(self._hidden())
        review = None if self._is_quiet else self.mistakes.review
        self.query_one(ScoreCurve).show(review, node.ply if node in game.main_line() or not node.ply else None)
        self.query_one(ScoreCurve).display = not self._is_quiet
        signs = {} if self._is_quiet else self.mistakes.signs()
        self.query_one("#tree", Static).update(tree_text(game.root, node, signs))

    def _hidden(self) -> str:
        """Say why the engine shows nothing."""
        if self._is_quiet:
            return "Computer output is hidden: z shows it."
        return "The answer is hidden." if self._has_engine else "The engine is off: l switches it on."

    def _headline(self) -> str:
        outcome = self.study.game.outcome_at(self.study.node)
        if outcome is not None:
            return explain.outcome_sentence(outcome, self.study.game.rules.sides)
        tried, best = self.mistakes.tried, best_lines(self.judged)
        if tried is not None:
            return f"Find a better move than {tried.move}. {tried.headline}."
        if best:
            return f"{explain.headline_of(self.here, best[0].score)}."
        name = self.study.game.rules.side_name(self.here.side)
        if self._is_quiet:
            return f"{name} to move."
        return f"{name} to move.{' The engine starts.' if self._has_engine else ' l switches the engine on.'}"

    def _remark(self) -> str:
        """Return the review's words and the comment on the move before this position; if none, the opening's name."""
        node = self.study.node
        said = ["" if self._is_quiet else self.mistakes.remark(self.study.game, node), node.comment]
        return " ".join(text for text in said if text) or name_of(self.here)

    # Moves

    def on_board_widget_chosen(self, message: BoardWidget.Chosen) -> None:
        text = self.seen.choose(self.here, message.cell)
        self._said = self.seen.said
        if text is None:
            self.show()
        else:
            self.enter(text)

    def enter(self, text: str) -> None:
        """Play a move in the position on the board; a new move becomes a variation, and is saved."""
        self._said = ""
        try:
            move = self.here.parse(text)
            if self.mistakes.tried is not None:
                self._judge_try(self.here.format(move))
                return
            is_new = self.study.play(move)
        except OutplayError as error:
            self.refuse(error)
            return
        if is_new:
            self._save()
        self._go(self.study.node)

    def refuse(self, error: Exception) -> None:
        if isinstance(error, IllegalMoveError):
            self.say(refusal_text(explain.refusal(error)))
        elif isinstance(error, GameOverError):
            self.say("The game is over here: k goes back.")
        else:
            super().refuse(error)

    def _save(self) -> None:
        """Save a change of the tree, and drop the review if the main line is not the one that was reviewed."""
        if self._reviewed != self.study.game.main_line():
            self.mistakes.review = None
        self.with_store(self.study.to_save())

    # Actions

    def action_walk(self, step: int) -> None:
        line, node = self.study.line, self.study.node
        place = next(number for number, each in enumerate(line) if each is node) + step
        if 0 <= place < len(line):
            self._said = ""
            self._go(line[place])

    def action_visit(self, number: int) -> None:
        """Go to a node by its number in the tree."""
        nodes = nodes_of(self.study.game.root)
        self._said = ""
        self._go(nodes[min(number, len(nodes) - 1)])

    def action_last(self) -> None:
        self._go(self.study.node.end())

    def action_engine(self) -> None:
        self._has_engine = not self._has_engine
        self._go(self.study.node)

    def action_quiet(self) -> None:
        """Hide or show the engine, the curve and what the review says."""
        self._is_quiet = not self._is_quiet
        self._go(self.study.node)

    def action_lines(self, step: int) -> None:
        self._lines = max(1, min(MOST_LINES, self._lines + step))
        self._go(self.study.node)

    def action_review(self) -> None:
        """Judge the game move by move, in a process of its own."""
        moves = self.study.game.main_line()
        if not moves:
            self.say("There is no move to review yet.")
            return
        task = ReviewTask.of(self.study.game, REVIEW_MS)
        self._reviewing = self.search("review", task, lambda review: self.Reviewed(moves, review))
        self.say("Reviewing: the last move comes first.")

    def on_analyse_page_reviewed(self, message: Reviewed) -> None:
        if message.moves == self.study.game.main_line():
            self._reviewed = message.moves
            self.mistakes.review = message.review.told(explain.Voice(self.study.game.rules.sides))
            self.say("")

    def action_wrong(self, is_grave: bool) -> None:
        """Go to the next blunder (`is_grave`), or to the next flaw of any grade."""
        if self.mistakes.review is None:
            self.say("Press v first: a review finds the mistakes.")
            return
        ply = self.mistakes.next_flaw(self.study.node.ply, is_grave=is_grave)
        if ply is None:
            self.say(f"The review found no {'blunder' if is_grave else 'mistake'}.")
            return
        self._said = ""
        self._go(self.study.game.main_line()[ply - 1])

    def action_retry(self) -> None:
        """Go to the position before a mistake, with the answer hidden, to try it again."""
        judged = self.mistakes.judged(self.study.game, self.study.node)
        if judged is None or not judged.grade.is_flaw:
            self.action_wrong(False)
            judged = self.mistakes.judged(self.study.game, self.study.node)
        if judged is None or not judged.grade.is_flaw or self.study.node.parent is None:
            return
        self.mistakes.tried, self._said = judged, ""
        self._go(self.study.node.parent)

    def action_reveal(self) -> None:
        """Show the answer that a retry hides."""
        if self.mistakes.tried is None:
            self.say("Press e to try a mistake again; then press a for the answer.")
        else:
            self.action_close()

    def _judge_try(self, text: str) -> None:
        """Say whether a move avoids the mistake that the player tries to correct."""
        answer = self.mistakes.answer(text)
        if answer is None:
            self.say(f"{text} was not judged; try another move, or press a for the answer.")
        elif answer.is_good:
            self.mistakes.tried = None
            self.enter(text)
            self.say(f"Right. {answer.sentence}")
        else:
            self.say(f"{answer.sentence} Try again, or press a for the answer.")

    def action_close(self) -> None:
        self.mistakes.tried, self._said = None, ""
        self._go(self.study.node)

    def action_promote(self) -> None:
        self._rearrange(StudyTree.promote)

    def action_delete(self) -> None:
        self._rearrange(StudyTree.delete)

    def action_undo(self) -> None:
        """Undo the newest deletion or reordering."""
        self._rearrange(StudyTree.undo)

    def _rearrange(self, change: Callable[[StudyTree], None]) -> None:
        try:
            change(self.study)
        except OutplayError as error:
            self.refuse(error)
        else:
            self._save()
            self._go(self.study.node)

    def action_flip(self) -> None:
        self.seen.is_flipped = not self.seen.is_flipped
        self.show()

    def action_edit(self) -> None:
        from outplay.tui.editor import Editor

        self.app.push_screen(Editor(self.here), self._start_from)

    def _start_from(self, position: Position | None) -> None:
        if position is not None:
            self.open_game(Game(position))

    def action_play_from_here(self) -> None:
        self.outplay.action_page("play")
        self.outplay.play.start_from(self.here)

    # Typing

    def action_type(self, text: str = "") -> None:
        self._ask_for(self.prompt_hint, text, is_comment=False)

    def action_comment(self) -> None:
        """Write a comment on the move that led here, or on the start."""
        self._ask_for(COMMENT_HINT, self.study.node.comment, is_comment=True)

    def _ask_for(self, hint: str, text: str, *, is_comment: bool) -> None:
        prompt = self.query_one(Prompt)
        prompt.placeholder, self._is_comment = hint, is_comment
        prompt.ask(text)

    def on_prompt_typed(self, message: Prompt.Typed) -> None:
        try:
            if self._is_comment:
                self._comment(message)
            elif message.text:
                self._read(message.text)
        except OutplayError as error:
            self.refuse(error)
        else:
            self.close_prompt()

    def _comment(self, message: Prompt.Typed) -> None:
        if message.is_entered:
            self.study.comment(message.text)
            self._save()
        self.show()

    def _read(self, text: str) -> None:
        """Play what was typed, or open what was pasted."""
        if len(rules_of(self.here).words(text)) <= 1:
            try:
                self.here.parse(text)
            except NotationError:
                pass
            else:
                self.enter(text)
                return
        self.open_game(read_one(text).game)
