"""A recorded search as moments: which line of the program runs, for which position, with which alpha and beta.

Nothing is searched here. The recorder kept every position with its window, its score and the reason for it (trace.py);
the order of the lines follows from that.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from outplay.lab.course.moments import CourseNode, CourseRun, MomentList, NodeChange, NodeStage, OpenNode, sentence
from outplay.lab.course.programs import CourseProgram, Deed
from outplay.lab.narrate import Story, bound_text, count_of, move_name, value_text
from outplay.lab.recorder import Visit
from outplay.lab.score import INFINITY
from outplay.lab.trace import Trace
from outplay.rules import RULES, Position


@dataclass(slots=True)
class _Window:
    """One open position: alpha, beta and its best value so far, for the side to move at the root."""

    id: int
    alpha: float
    beta: float
    best: float | None = None


class SearchReplay:
    """The moments of the recorded searches of one position: one search, or with deepening several."""

    def __init__(self, program: CourseProgram, traces: Sequence[Trace]) -> None:
        self._program = program
        self._traces = traces
        self._list = MomentList(program)
        self._nodes: list[CourseNode] = []
        self.visits: dict[int, Visit] = {}
        """The visits of all searches, by the id of their position in the run."""
        self._open: list[_Window] = []

    def run(self) -> CourseRun:
        """Return the whole run."""
        last = self._traces[-1]
        for number, trace in enumerate(self._traces):
            self._search(number, trace)
        self._list.add("depth", self._nodes[0].id, "That was the last depth.")
        return CourseRun(self._program, last.sides, last.depth, tuple(self._nodes), tuple(self._list.moments))

    # One search

    def _search(self, number: int, trace: Trace) -> None:
        self._trace, self._story, self._first = trace, Story(trace), len(self._nodes)
        self._below: dict[int, list[Visit]] = defaultdict(list)
        position = RULES[trace.game].read(trace.position)
        positions: dict[int, Position] = {}
        for visit in trace.visits:
            before = None if visit.parent is None else positions[visit.parent]
            positions[visit.id] = here = position if before is None else before.play(before.parse(visit.move or ""))
            parent = None if visit.parent is None else self._first + visit.parent
            self._nodes.append(CourseNode(self._first + visit.id, parent, visit.move, visit.ply, here, number))
            self.visits[self._first + visit.id] = visit
            if visit.parent is not None:
                self._below[visit.parent].append(visit)
        root = trace.visits[0]
        self._list.add("depth", self._id(root), f"Now to depth {trace.depth}.")
        self._list.add("search", self._id(root), f"Search to depth {trace.depth}, from the start.")
        self._node(root)
        line = " ".join(trace.line)
        self._list.add("remember", self._id(root), f"The next search tries this line first: {line}.")

    def _node(self, visit: Visit) -> None:
        alpha, beta = self._story.root_window(visit)
        low = -INFINITY if alpha is None else alpha
        self._open.append(_Window(self._id(visit), low, INFINITY if beta is None else beta))
        is_over = visit.kind == "end"
        self._say("over?", visit, self._asked_over(visit), stage="open", label="…")
        if is_over and self._program.line_of("result"):
            self._say("result", visit, self._story.sentences(visit), stage="done")
        else:
            self._say("leaf?", visit, self._asked_leaf(visit), stage="open", label="…")
            if visit.kind in ("leaf", "end"):
                words = self._story.sentences(visit) if is_over else f"The evaluation guesses {self._value(visit)}."
                self._say("estimate", visit, words, stage="done")
            else:
                self._inner(visit)
        self._open.pop()

    def _inner(self, visit: Visit) -> None:
        self._say("table?", visit, "Another order of moves may have led here before, so the search asks the table.")
        if visit.kind == "table":
            self._say("known", visit, self._story.sentences(visit), stage="table")
            return
        mover = self._mover(visit)
        self._say("begin", visit, f"{mover} has {count_of(visit.moves, 'move')} here. Nothing is known about them yet.")
        below = self._below[visit.id]
        looked = [child for child in below if child.number is not None]
        for number, child in enumerate(looked, 1):
            self._child(visit, child, is_last=number == len(looked))
        if visit.kind != "cut":
            self._say("each", visit, "No move is left.")
        told = f"{mover} takes the {'highest' if self._is_first(visit) else 'lowest'}: {self._value(visit)}."
        self._say("pick", visit, told, stage="open", label=self._value(visit))
        self._say("store", visit, "The table keeps this answer.")
        wants = "highest" if self._is_first(visit) else "lowest"
        values = ", ".join(self._value(child) for child in looked)
        self._say("who", visit, f"All moves are known: {values}. {mover} wants the {wants}.")
        done: NodeStage = "cut" if visit.kind == "cut" else "done"
        self._say(
            "highest" if wants == "highest" else "lowest",
            visit,
            f"{mover} takes the {wants}: {self._named(visit)} is worth {self._value(visit)}.",
            stage=done,
        )
        self._say("answer", visit, sentence(f"{self._named(visit)} is worth {self._story.told(visit)}."), stage=done)

    def _child(self, visit: Visit, child: Visit, *, is_last: bool) -> None:
        mover, name = self._mover(visit), self._named(child)
        window = self._open[-1]
        self._say("each", visit, f"Next: {name}.", child=child)
        self._say("go", visit, f"{mover} plays {name}. What follows is searched.", child=child)
        self._node(child)
        value = self._story.value(child) or 0.0
        is_first = self._is_first(visit)
        is_better = window.best is None or (value > window.best if is_first else value < window.best)
        window.best = value if is_better or window.best is None else window.best
        best = value_text(window.best)
        wants = "highest" if is_first else "lowest"
        worth = f"{name} is worth {self._story.told(child)}."
        kept = f"The {wants} so far is {best}." if not is_better else f"That is the {wants} so far."
        self._say("choose", visit, sentence(f"{worth} {kept}"), child=child, stage="open", label=best)
        self._say("side", visit, f"{mover} chooses here.", child=child)
        if is_first:
            window.alpha = max(window.alpha, window.best)
            words = f"{mover} is sure of {value_text(window.alpha)}: that is alpha."
        else:
            window.beta = min(window.beta, window.best)
            words = f"{mover} can limit the value to {value_text(window.beta)}: that is beta."
        self._say("alpha" if is_first else "beta", visit, words, child=child)
        self._say("cut?", visit, f"Alpha is {bound_text(window.alpha)}, beta {bound_text(window.beta)}.", child=child)
        if is_last and visit.kind == "cut":
            skipped = [other for other in self._below[visit.id] if other.number is None]
            changes = tuple(NodeChange(self._id(other), "never", "") for other in skipped)
            rest = f"{count_of(len(skipped), 'move')} skipped" if skipped else "there was no other move"
            self._say("cut", visit, f"Alpha is not below beta any more: cut, {rest}.", more=changes)

    # One moment

    def _say(
        self,
        deed: Deed,
        visit: Visit,
        words: str,
        *,
        child: Visit | None = None,
        stage: NodeStage | None = None,
        label: str | None = None,
        more: tuple[NodeChange, ...] = (),
    ) -> None:
        here = self._id(visit)
        mine = () if stage is None else (NodeChange(here, stage, self._story.label(visit) if label is None else label),)
        windows = tuple(OpenNode(window.id, window.alpha, window.beta) for window in self._open)
        below = None if child is None else self._id(child)
        self._list.add(deed, here, words, open_nodes=windows, changes=(*mine, *more), child=below)

    # Words

    def _asked_over(self, visit: Visit) -> str:
        return "The game is over here." if visit.kind == "end" else "The game goes on here."

    def _asked_leaf(self, visit: Visit) -> str:
        if visit.kind == "end":
            return "The game is over here."
        if visit.depth > 0:
            return f"{self._mover(visit)} to move. The search may look {count_of(visit.depth, 'move')} ahead."
        return "The depth is used up here."

    def _named(self, visit: Visit) -> str:
        return "the start" if visit.move is None else move_name(self._trace.game, visit.move)

    def _value(self, visit: Visit) -> str:
        return value_text(self._story.value(visit) or 0)

    def _mover(self, visit: Visit) -> str:
        return self._trace.sides[visit.ply % 2]

    def _is_first(self, visit: Visit) -> bool:
        return visit.ply % 2 == 0

    def _id(self, visit: Visit) -> int:
        return self._first + visit.id
