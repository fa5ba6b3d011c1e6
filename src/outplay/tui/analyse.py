"""The page Analyse: exact scores or engine lines as they deepen, the tree of moves, a review, and mistakes to retry."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future
from typing import TYPE_CHECKING, ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.events import Key
from textual.message import Message
from textual.widgets import Static

from outplay import explain
from outplay.engine.analyst import AnalyseTask, Judged
from outplay.engine.types import Limit, Line
from outplay.errors import GameOverError, IllegalMoveError, NotationError, OutplayError
from outplay.explain.places import outcome_cells
from outplay.notation.any import read_one
from outplay.openings import name_of
from outplay.record import AnyGame, AnyNode
from outplay.review import Grade, JudgedMove, Review
from outplay.review.task import ReviewTask
from outplay.rules import Position, must_capture, rules_of
from outplay.tui.boards import BOARDS
from outplay.tui.boards.board import BoardWidget
from outplay.tui.boards.drawing import Drawing
from outplay.tui.dialogs import Prompt
from outplay.tui.graph import braille, nodes_of, tree_text
from outplay.tui.page import AppPage
from outplay.tui.panels import colour_of
from outplay.tui.study import StudyTree
from outplay.tui.view import Seen, two_lines
from outplay.tui.words import about
from outplay.work import Ticket

if TYPE_CHECKING:
    from outplay.store import SavedGame

ANALYSE_MS, REVIEW_MS = 10_000, 250
"""The time for a position, and for each position of a review that must be searched: as in the web app."""
MOST_LINES = 5
GRAPH_LINES = 3


class AnalysePage(AppPage):
    """One game on the analysis board."""

    name_of_page = "analyse"
    help_text = """
Play moves for both sides: every new one becomes a variation. In Connect Four the scores under the columns are exact;
in checkers the lines get deeper while the engine searches. v reviews the game move by move and says why; b and m go to
the next blunder and mistake; y lets you try such a move again with the answer hidden.
"""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("j", "walk(1)", "Next"),
        Binding("k", "walk(-1)", "Previous"),
        Binding("home", "visit(0)", "First move", show=False),
        Binding("end", "last", "Last move", show=False),
        Binding("l", "engine", "Engine"),
        Binding("v", "review", "Review"),
        Binding("b", "wrong(True)", "Next blunder", show=False),
        Binding("m", "wrong(False)", "Next mistake", show=False),
        Binding("y", "retry", "Retry"),
        Binding("P", "promote", "Variation up", show=False),
        Binding("delete,backspace", "delete", "Delete variation", show=False),
        Binding("left_square_bracket", "lines(-1)", "Fewer lines", key_display="[", show=False),
        Binding("right_square_bracket", "lines(1)", "More lines", key_display="]", show=False),
        Binding("slash", "type", "Type or paste", key_display="/"),
        Binding("e", "edit", "Set up", show=False),
        Binding("n", "play_from_here", "Play from here"),
        Binding("f", "flip", "Flip", show=False),
        Binding("z", "engine", "Hide computer output", show=False),
        Binding("escape", "close", "Close", show=False),
    ]

    class Found(Message):
        """The engine has found something about a node."""

        def __init__(self, node: AnyNode, judged: Judged) -> None:
            super().__init__()
            self.node, self.judged = node, judged

    class Reviewed(Message):
        """A review has got further, or is over."""

        def __init__(self, study: StudyTree, review: Review) -> None:
            super().__init__()
            self.study, self.review = study, review

    class Failed(Message):
        """A search, a review or a save failed."""

        def __init__(self, error: BaseException) -> None:
            super().__init__()
            self.error = error

    def __init__(self, study: StudyTree) -> None:
        super().__init__()
        self.study = study
        self.boards: dict[str, BoardWidget] = {}
        self.seen = Seen()
        self.judged: Judged | None = None
        self.review: Review | None = None
        self._said = ""
        self._has_engine, self._lines = True, 3
        self._ticket: Ticket[Judged] | None = None
        self._reviewing: Ticket[Review] | None = None
        self._tried: JudgedMove | None = None
        """The mistake that is tried again."""

    def compose_body(self) -> ComposeResult:
        with Horizontal(id="body"):
            with Vertical(id="stage"):
                yield Static(id="sentence")
                for name, board in BOARDS.items():
                    yield board(id=name)
            with Vertical(id="side"):
                yield Static(id="lines")
                yield Static(id="graph")
                with VerticalScroll(id="tree-scroll"):
                    yield Static(id="tree")
        yield Prompt("a move, or a game or position to analyse: 4453, 11-15 22-18, a FEN, rows, PDN")

    def on_mount(self) -> None:
        self.boards = {name: self.query_one(f"#{name}", board) for name, board in BOARDS.items()}
        self.open(self.study)

    def open(self, study: StudyTree) -> None:
        """Put a game on the board."""
        self.study, self.review, self._tried = study, None, None
        if not self.boards:
            return
        if self._reviewing is not None:
            self._reviewing.cancel()
        for name, board in self.boards.items():
            board.display = name == study.game.rules.name
            board.cursor = None
        self.board.focus()
        self._go(study.node)

    def open_saved(self, saved: SavedGame) -> None:
        self.open(StudyTree(saved, is_new=False))

    def open_game(self, game: AnyGame) -> None:
        self.open(StudyTree.of(game))

    @property
    def board(self) -> BoardWidget:
        return self.boards[self.study.game.rules.name]

    @property
    def position(self) -> Position:
        position: Position = self.study.node.position
        return position

    def leave(self) -> None:
        for ticket in (self._ticket, self._reviewing):
            if ticket is not None:
                ticket.cancel()

    # The engine

    def _go(self, node: AnyNode) -> None:
        """Look at a node: the engine turns to it."""
        self.study.node, self.judged = node, None
        self.seen.clear(self.position)
        if self._ticket is not None:
            self._ticket.cancel()
            self._ticket = None
        if self._has_engine and self._tried is None and self.position.outcome() is None:
            self._ask(node)
        self._show()

    def _ask(self, node: AnyNode) -> None:
        is_solved = rules_of(self.position).name == "connect4"
        lines = rules_of(self.position).size(self.position)[0] if is_solved else self._lines
        history = tuple(each.position for each in list(node.line())[:0:-1])
        task = AnalyseTask(self.position, Limit(time_ms=ANALYSE_MS, lines=lines), history)
        pool = self.outplay.services.pool(f"analysis of {rules_of(self.position).name}")
        self._ticket = pool.submit(task, report=lambda judged: self._tell(self.Found(node, judged)))
        self._ticket.future.add_done_callback(lambda done: self._analysed(node, done))

    def _analysed(self, node: AnyNode, done: Future[Judged]) -> None:
        if done.cancelled():
            return
        error = done.exception()
        self._tell(self.Found(node, done.result()) if error is None else self.Failed(error))

    def _tell(self, message: Message) -> None:
        if self.is_running:
            self.post_message(message)

    def on_analyse_page_found(self, message: Found) -> None:
        if message.node is self.study.node and self._has_engine and self._tried is None:
            self.judged = message.judged
            self._show()

    def on_analyse_page_failed(self, message: Failed) -> None:
        if not isinstance(message.error, OutplayError):
            raise message.error
        self._say(f"Not possible: {message.error}.")

    # Showing

    def _say(self, text: str) -> None:
        self._said = text
        self._show()

    def _show(self) -> None:
        if not self.boards:
            return
        position, node = self.position, self.study.node
        rules, outcome = rules_of(position), position.outcome()
        last = () if node.parent is None else rules.path(node.parent.position, node.move)
        self.board.drawing = Drawing.of(
            position,
            last=last,
            won=() if outcome is None else tuple(outcome_cells(position, outcome)),
            movable=self.seen.pick.origins,
            ringed=self.seen.pick.origins if rules.name == "checkers" and must_capture(position) else (),
            picked=self.seen.pick.squares if rules.name == "checkers" else (),
            targets=self.seen.pick.targets,
            labels=self._labels(),
            is_flipped=self.seen.is_flipped,
        )
        sentence = self.query_one("#sentence", Static)
        sentence.update(two_lines(self._headline(), self._said or self._remark(), sentence.size.width))
        self.query_one("#lines", Static).update(self._line_text())
        self.query_one("#graph", Static).update(self._graph())
        signs = {} if self.review is None else {move.ply: move.grade.sign for move in self.review.moves}
        self.query_one("#tree", Static).update(tree_text(self.study.game.root, node, signs))

    def _best(self) -> Sequence[Line]:
        return () if self.judged is None else sorted(self.judged.analysis.lines, key=lambda each: -each.score.value)

    def _labels(self) -> tuple[str, ...]:
        """Return the scores under the columns, in a few characters: +5 wins in 5, =, -3."""
        position = self.position
        if rules_of(position).name != "connect4":
            return ()
        width, _ = rules_of(position).size(position)
        labels = [""] * width
        for line in self._best():
            labels[line.move] = _short_label(line)
        return tuple(labels)

    def _headline(self) -> str:
        outcome = self.study.game.outcome_at(self.study.node)
        if outcome is not None:
            return explain.outcome_sentence(outcome, self.study.game.rules.sides)
        if self._tried is not None:
            return f"Find a better move than {self._tried.move}. {self._tried.headline}."
        best = self._best()
        if best:
            return f"{explain.headline_of(self.position, best[0].score)}."
        name = self.study.game.rules.side_name(self.position.side)
        return f"{name} to move.{' The engine starts.' if self._has_engine else ' l switches the engine on.'}"

    def _remark(self) -> str:
        """Return what the review says about the move that led here, the comment, or the name of the opening."""
        judged = self._judged_move()
        if judged is not None and judged.sentence and self._tried is None:
            return f"{judged.move}{judged.grade.sign} {judged.sentence}"
        return self.study.node.comment or name_of(self.position)

    def _judged_move(self) -> JudgedMove | None:
        node = self.study.node
        if self.review is None or node not in self.study.game.main_line():
            return None
        return next((move for move in self.review.moves if move.ply == node.ply), None)

    def _line_text(self) -> Text:
        text = Text()
        if not self._has_engine or self._tried is not None:
            return text.append(
                "The engine is off: l switches it on." if self._tried is None else "The answer is hidden."
            )
        for line in self._best()[: self._lines]:
            tint = {"win": "win", "loss": "loss", "draw": "draw", "unclear": "foreground"}
            label = explain.label_of(line.score)
            text.append(f"{label:<11}", style=colour_of(self, tint[explain.verdict_of(line.score)]))
            text.append(f" {explain.line_text(self.position, line.moves, most=5)}\n")
        if self.judged is not None:
            analysis = self.judged.analysis
            known = explain.known_of(self._best()[0].score) if analysis.lines else ""
            text.append(f"{known}, {about(analysis.nodes)} positions", style=colour_of(self, "soft"))
        return text

    def _graph(self) -> Text:
        review = self.review
        if review is None:
            return Text().append("v reviews this game.", style=colour_of(self, "soft"))
        gauges: list[float | None] = [None] * (review.plies + 1)
        for move in review.moves:
            gauges[move.ply - 1] = move.gauge
        gauges[-1] = review.gauge if review.headline else None
        width = max(10, self.query_one("#graph").size.width or 34)
        text = Text("\n".join(braille(gauges, width, GRAPH_LINES)), style=colour_of(self, "primary"))
        if self.study.node in self.study.game.main_line():
            place = min(width - 1, (2 * self.study.node.ply + 1) * width // (2 * len(gauges)))
            text.append(f"\n{' ' * place}^")
        else:
            text.append("\n")
        return text.append(f"\n{self._review_text(review)}", style=colour_of(self, "foreground"))

    @staticmethod
    def _review_text(review: Review) -> str:
        if not review.is_complete:
            return f"Reviewing: {len(review.moves)} of {review.plies} moves."
        told = [
            f"{side.name}: {side.sentence}{'' if side.accuracy is None else f', {side.accuracy:.0f} %'}"
            for side in review.sides
        ]
        turn = review.turning_point
        return "\n".join([*told, explain.NO_TURN if turn is None else f"Move {turn.ply}: {turn.sentence}"])

    # Moves

    def on_board_widget_chosen(self, message: BoardWidget.Chosen) -> None:
        text = self.seen.choose(self.position, message.cell)
        self._said = self.seen.said
        if text is None:
            self._show()
        else:
            self.play(text)

    def on_key(self, event: Key) -> None:
        """A digit plays a column."""
        if event.character is not None and event.character in "123456789" and not isinstance(self.focused, Prompt):
            event.stop()
            if rules_of(self.position).name == "connect4":
                self.play(event.character)
            else:
                self.action_type(event.character)

    def play(self, text: str) -> None:
        """Play a move from here; a new one becomes a variation, and is saved."""
        self._said = ""
        try:
            move = self.position.parse(text)
            if self._tried is not None:
                self._judge_try(self.position.format(move))
                return
            is_new = self.study.play(move)
        except OutplayError as error:
            self.refuse(error)
            return
        if is_new:
            self._save()
        self._go(self.study.node)

    def refuse(self, error: OutplayError) -> None:
        if isinstance(error, IllegalMoveError):
            found = explain.refusal(error)
            self._say(f"{found.message} {found.detail}")
        elif isinstance(error, GameOverError):
            self._say("The game is over here: k goes back.")
        else:
            self._say(f"Not possible: {error}.")

    def _save(self) -> None:
        save = self.study.to_save()

        def run() -> None:
            try:
                save(self.outplay.services.store())
            except OutplayError as error:
                self._tell(self.Failed(error))

        self.run_worker(run, thread=True, group="save")

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

    def action_lines(self, step: int) -> None:
        self._lines = max(1, min(MOST_LINES, self._lines + step))
        self._go(self.study.node)

    def action_review(self) -> None:
        """Judge the game move by move, in a process of its own."""
        if not self.study.game.main_line():
            self._say("There is no move to review yet.")
            return
        study = self.study
        pool = self.outplay.services.pool("review")
        report = lambda review: self._tell(self.Reviewed(study, review))  # noqa: E731
        self._reviewing = pool.submit(ReviewTask.of(study.game, REVIEW_MS), report=report)

        def done(future: Future[Review]) -> None:
            if not future.cancelled():
                error = future.exception()
                self._tell(self.Reviewed(study, future.result()) if error is None else self.Failed(error))

        self._reviewing.future.add_done_callback(done)
        self._say("Reviewing: the last move comes first.")

    def on_analyse_page_reviewed(self, message: Reviewed) -> None:
        if message.study is self.study:
            self.review = message.review
            self._said = ""
            self._show()

    def action_wrong(self, is_grave: bool) -> None:
        """Go to the next blunder or mistake of the game."""
        if self.review is None:
            self._say("Press v first: a review finds the mistakes.")
            return
        grades = (Grade.BLUNDER,) if is_grave else (Grade.BLUNDER, Grade.MISTAKE, Grade.INACCURACY)
        flaws = [move.ply for move in self.review.moves if move.grade in grades]
        if not flaws:
            self._say("The review found none.")
            return
        ply = self.study.node.ply
        main = self.study.game.main_line()
        self._said = ""
        self._go(main[next((each for each in flaws if each > ply), flaws[0]) - 1])

    def action_retry(self) -> None:
        """Try a mistake again: the position before it, the answer hidden."""
        judged = self._judged_move()
        if judged is None or not judged.grade.is_flaw:
            self.action_wrong(False)
            judged = self._judged_move()
        if judged is None or not judged.grade.is_flaw or self.study.node.parent is None:
            return
        self._tried, self._said = judged, ""
        self._go(self.study.node.parent)

    def _judge_try(self, text: str) -> None:
        """Say whether a move keeps what the mistake gave away."""
        assert self._tried is not None
        answer = next((each for each in self._tried.answers if each.move == text), None)
        if answer is None:
            self._say(f"{text} was not judged; try another move, or Esc shows the answer.")
        elif answer.is_good:
            self._tried = None
            self.study.play(self.position.parse(text))
            self._said = f"Right. {answer.sentence}"
            self._go(self.study.node)
        else:
            self._say(f"{answer.sentence} Try again, or Esc shows the answer.")

    def action_close(self) -> None:
        self._tried, self._said = None, ""
        self._go(self.study.node)

    def action_promote(self) -> None:
        self._rearrange(StudyTree.promote)

    def action_delete(self) -> None:
        self._rearrange(StudyTree.delete)

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
        self._show()

    def action_edit(self) -> None:
        from outplay.tui.editor import Editor

        self.app.push_screen(Editor(self.position), self._start_from)

    def _start_from(self, position: Position | None) -> None:
        if position is not None:
            from outplay.record import Game

            self.open_game(Game(position))

    def action_play_from_here(self) -> None:
        self.outplay.action_page("play")
        self.outplay.play.start_from(self.position)

    def action_type(self, text: str = "") -> None:
        self.query_one(Prompt).ask(text)

    def on_prompt_typed(self, message: Prompt.Typed) -> None:
        """Play what was typed, or open what was pasted."""
        prompt, text = self.query_one(Prompt), message.text
        try:
            if text and len(rules_of(self.position).words(text)) <= 1:
                try:
                    self.position.parse(text)
                except NotationError:
                    self.open_game(read_one(text).game)
                else:
                    self.play(text)
            elif text:
                self.open_game(read_one(text).game)
        except OutplayError as error:
            self.refuse(error)
            return
        prompt.display = False
        self.board.focus()


def _short_label(line: Line) -> str:
    """Return a score in a few characters: "+5" wins in 5, "-3" loses in 3, "=" is a draw, "..." is not solved yet."""
    score, verdict = line.score, explain.verdict_of(line.score)
    moves = "" if score.plies is None else str(explain.own_moves(score.plies))
    return {"win": f"+{moves}", "loss": f"-{moves}", "draw": "=", "unclear": "..."}[verdict]
