"""The page Lab: the technique ladder as bars, and the tree of a recorded search to walk through, with an inspector."""

from __future__ import annotations

from math import log10
from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.widgets import Static, Tree
from textual.widgets.tree import TreeNode

from outplay.errors import OutplayError
from outplay.lab.compare import Row, agreement, fewer, rungs
from outplay.lab.narrate import Story
from outplay.lab.recorder import Visit
from outplay.lab.task import Experiment, Finding
from outplay.lab.trace import Trace
from outplay.notation.any import read_one
from outplay.rules import RULES, Position, rules_of
from outplay.tui.board_page import BoardPage
from outplay.tui.boards.drawing import Drawing
from outplay.tui.dialogs import Prompt
from outplay.tui.panels import colour_of
from outplay.tui.words import about, time_text
from outplay.work import Ticket

MOST_DEPTH = 12
BAR = 22
"""The number of characters in the longest bar."""


class LabPage(BoardPage):
    """An experiment on one position."""

    name_of_page = "lab"
    prompt_hint = "a position: 4453, a FEN, rows, moves"
    side_classes = "wide"
    help_text = """
r runs the ladder: the same search with one more technique on each rung, and what each technique saves. w watches one
search: walk through its tree with the arrows; Enter opens a branch, and the inspector says how the search found the
value there. [ and ] change the depth, a switches alpha-beta on or off for that search, / takes another position.
"""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("r", "ladder", "Ladder"),
        Binding("w", "watch", "Watch a search"),
        Binding("left_square_bracket", "depth(-1)", "Less deep", key_display="["),
        Binding("right_square_bracket", "depth(1)", "Deeper", key_display="]"),
        Binding("a", "alphabeta", "Alpha-beta"),
        Binding("slash", "type", "Position", key_display="/"),
        Binding("x", "stop", "Stop", show=False),
        Binding("escape", "close", "Close", show=False),
    ]

    class Found(Message):
        """An experiment has made progress or has ended."""

        def __init__(self, task: Experiment, finding: Finding) -> None:
            super().__init__()
            self.task, self.finding = task, finding

    def __init__(self, position: Position) -> None:
        super().__init__()
        for board in self.boards.values():
            board.can_focus = False  # no move is chosen here
        self.position = position
        self.finding: Finding | None = None
        self._depth, self._is_plain = 4, False
        self._experiment: Experiment | None = None
        self._ticket: Ticket[Finding] | None = None
        self._held: Experiment | None = None
        self._story: Story | None = None
        self._positions: dict[int, Position] = {}

    def compose_side(self) -> ComposeResult:
        yield Static(id="ladder")
        tree: Tree[Visit] = Tree("the search", id="search")
        yield tree
        yield Static(id="inspector", markup=False)

    @property
    def here(self) -> Position:
        return self.position

    def on_mount(self) -> None:
        self.query_one("#search", Tree).display = False
        self.open(self.position)

    def open(self, position: Position) -> None:
        """Choose the position of the experiments."""
        self.position, self.finding, self._story = position, None, None
        self.put_board(rules_of(position).name)
        self._show_board(position)
        self.say("r: the ladder. w: one search.")

    def leave(self) -> None:
        if self._ticket is not None:
            self._ticket.cancel()

    def hold(self) -> None:
        self._held = self._experiment if self._ticket is not None and not self._ticket.future.done() else None
        self.leave()

    def go_on(self) -> None:
        held, self._held = self._held, None
        if held is not None:
            self._begin(held)

    def say(self, text: str) -> None:
        side = rules_of(self.position).side_name(self.position.side)
        used = "minimax" if self._is_plain else "alpha-beta"
        head = f"{side} to move, depth {self._depth}, {used}."
        super().say(f"{head}\n{text}")

    def _show_board(self, position: Position) -> None:
        self.boards[rules_of(position).name].drawing = Drawing.of(position)

    # Experiments

    def action_ladder(self) -> None:
        self._begin(Experiment("ladder", self.position, self._depth, rungs(self.position)))

    def action_watch(self) -> None:
        techniques = () if self._is_plain else ("alphabeta",)
        self._begin(Experiment("trace", self.position, self._depth, techniques))

    def _begin(self, task: Experiment) -> None:
        self.leave()
        try:
            task.check()
        except OutplayError as error:
            self.refuse(error)
            return
        self._experiment, self.finding = task, None
        self._ticket = self.search("lab", task, lambda finding: self.Found(task, finding))
        self.say("Searching; x stops.")

    def on_lab_page_found(self, message: Found) -> None:
        if message.task is not self._experiment:
            return
        self.finding = message.finding
        is_tree = message.finding.trace is not None
        self.query_one("#search", Tree).display = is_tree
        self.query_one("#ladder").display = not is_tree
        self.query_one("#inspector").display = is_tree
        if message.finding.trace is not None:
            self._show_tree(message.finding.trace)
        elif message.task.kind == "ladder":
            self.query_one("#ladder", Static).update(self._ladder_text(message.finding))
        self.say(f"{about(message.finding.nodes)} positions in {time_text(message.finding.seconds)}.")

    # The ladder

    def _ladder_text(self, finding: Finding) -> Text:
        text = Text().append("Positions searched, log scale\n", style=colour_of(self, "soft"))
        most = max((row.nodes for row in finding.rows), default=1)
        for row in finding.rows:
            text.append_text(self._rung(row, finding.rows[0], most))
        if finding.now:
            text.append(f"{finding.now} ...\n", style="bold")
        if finding.is_complete:
            text.append(f"\n{agreement(finding.rows).capitalize()}.")
        return text

    def _rung(self, row: Row, first: Row, most: int) -> Text:
        length = max(1, round(BAR * log10(max(10, row.nodes)) / log10(max(10, most))))
        text = Text().append(f"{row.title:<16}", style="bold")
        text.append(f"{'█' * length:<{BAR}}", style=colour_of(self, "primary"))
        counted = f"{row.nodes:,}{'' if row.score is not None else '+, given up'}"
        text.append(f"\n  {counted}, {time_text(row.seconds)}", style=colour_of(self, "foreground"))
        saved = fewer(row, first)
        return text.append(f", {saved}\n" if saved else "\n", style=colour_of(self, "soft"))

    # The tree

    def _show_tree(self, trace: Trace) -> None:
        tree: Tree[Visit] = self.query_one("#search", Tree)
        self._story, self._positions = Story(trace), {}
        tree.clear()
        root = RULES[trace.game].read(trace.position)
        nodes: dict[int, TreeNode[Visit]] = {}
        for visit in trace.visits:
            if visit.parent is None or visit.move is None:
                self._positions[visit.id] = root
                nodes[visit.id], tree.root.data = tree.root, visit
                tree.root.set_label(self._label(visit))
                continue
            before = self._positions[visit.parent]
            self._positions[visit.id] = before.play(before.parse(visit.move))
            nodes[visit.id] = nodes[visit.parent].add(self._label(visit), visit, expand=visit.is_main)
        tree.root.expand()
        self.set_focus(tree)
        tree.move_cursor(tree.root)
        self._inspect(trace.visits[0])

    def _label(self, visit: Visit) -> Text:
        assert self._story is not None
        sign = {"cut": " //", "pruned": " never looked at"}.get(visit.kind, "")
        style = "bold" if visit.is_main else ""
        return Text(f"{visit.move or 'start'}  {self._story.label(visit)}{sign}", style=style)

    def on_tree_node_highlighted(self, event: Tree.NodeHighlighted[Visit]) -> None:
        if event.node.data is not None and self._story is not None:
            self._inspect(event.node.data)

    def _inspect(self, visit: Visit) -> None:
        """Say how the search found the value of a position, and show the position on the board."""
        assert self._story is not None
        window = "" if visit.number is None else f"\nWindow: {self._story.window(visit)}"
        left = f"\n{visit.left_out:,} more positions below are not shown." if visit.left_out else ""
        self.query_one("#inspector", Static).update(
            f"{self._story.sentences(visit)}{window}\n{self._story.reason(visit)}{left}"
        )
        self._show_board(self._positions[visit.id])

    # Actions

    def action_depth(self, step: int) -> None:
        self._depth = max(1, min(MOST_DEPTH, self._depth + step))
        self.say("r: the ladder. w: one search.")

    def action_alphabeta(self) -> None:
        self._is_plain = not self._is_plain
        self.say("w watches one search.")

    def action_stop(self) -> None:
        if self._ticket is not None:
            self._ticket.stop()

    def action_close(self) -> None:
        self._show_board(self.position)

    def enter(self, text: str) -> None:
        """Open the line to type another position; the digit that was pressed is already in it."""
        self.action_type(text)

    def on_prompt_typed(self, message: Prompt.Typed) -> None:
        if message.text:
            try:
                self.open(read_one(message.text).game.position)
            except OutplayError as error:
                self.refuse(error)
                return
        self.query_one(Prompt).display = False
        self.set_focus(None)
