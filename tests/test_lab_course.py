"""The lab as a course: the program that is shown is executed here, and must run as the recorded search did."""

from __future__ import annotations

import math
import random
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from types import FrameType
from typing import Any

import pytest

from outplay import checkers, connect4
from outplay.errors import GameOverError, NotationError
from outplay.lab.course import COURSE, CourseQuestion, CourseRung, GuidedRun, free_monte_carlo, guided
from outplay.lab.course.claims import search_row
from outplay.lab.evaluate import find_evaluation
from outplay.lab.mcts import LONGEST
from outplay.lab.narrate import value_text
from outplay.outcome import Side
from outplay.rules import AnyPosition

INF = float("inf")
WIN = 1_000_000_000
SEARCHES = [rung for rung in COURSE if not rung.is_monte_carlo]
MONTE_CARLO = next(rung for rung in COURSE if rung.is_monte_carlo)


@pytest.fixture(params=COURSE, ids=lambda rung: rung.name)
def run(request: pytest.FixtureRequest) -> GuidedRun:
    return guided(request.param)


# A plain world in which the programs run: it knows the rules, and nothing of the lab but its evaluation


@dataclass(eq=False)
class World:
    """What the programs call, for one rung."""

    rung: CourseRung
    way: list[Any] = field(default_factory=list)
    remembered: dict[int, Any] = field(default_factory=dict)
    """The line of the last search, by position."""
    principal: list[Any] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.estimate_of = find_evaluation(None, self.rung.game).score
        self.first = self.rung.position.side


class Node:
    """A position as the programs see it: all values are those of the side to move at the root."""

    def __init__(self, world: World, position: Any, depth: int, way: tuple[str, ...] = ()) -> None:
        self.world, self.position, self.depth, self.way = world, position, depth, way
        self.best: Node | None = None
        self.window = (-INF, INF)

    @property
    def is_mine(self) -> bool:
        return bool(self.position.side == self.world.first)

    red_to_move = black_to_move = yellow_to_move = white_to_move = is_mine

    @property
    def is_over(self) -> bool:
        return self.position.outcome() is not None

    @property
    def is_leaf(self) -> bool:
        return self.is_over or self.depth == 0

    @property
    def is_quiet(self) -> bool:
        return not any(move.captures for move in self.position.legal_moves())

    @property
    def worst(self) -> float:
        return -INF if self.is_mine else INF

    @property
    def children(self) -> list[Node]:
        return [self.child(move) for move in self.position.legal_moves()]

    def child(self, move: Any) -> Node:
        text = self.position.format(move)
        return Node(self.world, self.position.play(move), self.depth - 1, (*self.way, text))

    def choose(self, best: Any, value: float | None = None) -> float:
        values = best if value is None else [best, value]
        return float(max(values) if self.is_mine else min(values))


def result(node: Node) -> float:
    winner = node.position.outcome().winner
    plies = len(node.way)
    return 0 if winner is None else WIN - plies if winner == node.world.first else plies - WIN


def estimate(node: Node) -> float:
    if node.is_over:
        return result(node)
    value = node.world.estimate_of(node.position)
    return float(value if node.is_mine else -value)


def ordered(node: Node) -> list[Node]:
    """The columns nearest to the centre first."""
    return sorted(node.children, key=lambda child: abs(int(child.way[-1]) - 4))


class Table:
    """Values by position and depth, with what is known about them: exact, at least, at most."""

    def __init__(self) -> None:
        self.values: dict[tuple[int, int], tuple[float, float]] = {}
        self.moves: dict[int, str] = {}

    def knows(self, node: Node, alpha: float = -INF, beta: float = INF) -> bool:
        node.window = (alpha, beta)
        low, high = self.values.get((node.position.key, node.depth), (-INF, INF))
        return low == high or low >= beta or high <= alpha

    def value(self, node: Node) -> float:
        low, high = self.values[node.position.key, node.depth]
        return high if low == -INF else low

    def store(self, node: Node, best: float) -> None:
        alpha, beta = node.window
        low = best if best > alpha else -INF
        high = best if best < beta else INF
        self.values[node.position.key, node.depth] = (low, high)


def best_first(world: World, table: Table, best_of: dict[int, str]) -> Callable[[Node], list[Node]]:
    """The move that was best here before comes first."""

    def arranged(node: Node) -> list[Node]:
        favourite = best_of.get(node.position.key)
        return sorted(node.children, key=lambda child: child.way[-1] != favourite)

    return arranged


@dataclass(frozen=True)
class Ran:
    """One line of the program that ran."""

    line: int
    way: tuple[str, ...]
    alpha: float | None
    beta: float | None


def executed(rung: CourseRung) -> Iterator[Ran]:
    """Run the text of the program, and return the lines that ran."""
    world, table = World(rung), Table()
    best_of: dict[int, str] = {}
    lines: list[Ran] = []
    code = compile(rung.program().text, "program", "exec")

    def watch(frame: FrameType, event: str, _: Any) -> Any:
        if frame.f_code.co_filename != "program":
            return None
        names = frame.f_locals
        node = names.get("node")
        if event == "line" and frame.f_code.co_name in ("search", "deepen"):
            way = node.way if isinstance(node, Node) else ()
            lines.append(Ran(frame.f_lineno, way, names.get("alpha"), names.get("beta")))
        if event == "line" and isinstance(node, Node) and "v" in names and "best" in names:
            remember_best(node, names["child"], names["best"], names["v"])
        return watch

    def remember_best(node: Node, child: Node, best: float, value: float) -> None:
        if node.best is None or value == best != node.best_value:  # type: ignore[attr-defined]
            node.best, node.best_value = child, best  # type: ignore[attr-defined]
            best_of[node.position.key] = child.way[-1]

    space: dict[str, Any] = {
        "estimate": estimate,
        "result": result,
        "ordered": ordered,
        "table": table,
        "best_first": best_first(world, table, best_of),
        "best_line": None,
        "remember": lambda line: None,
        "INF": INF,
    }
    exec(code, space)
    position = rung.position
    depths = range((rung.depth - 1) % 2 + 1, rung.depth + 1, 2)
    sys.settrace(watch)
    try:
        if "deepen" in space:
            space["deepen"](lambda depth: Node(world, position, depth), depths)
        elif rung.name == "quiescence":
            space["search"](Node(world, position, rung.depth), rung.depth)
        elif rung.techniques.startswith("alphabeta"):
            space["search"](Node(world, position, rung.depth), -INF, INF)
        else:
            space["search"](Node(world, position, rung.depth))
    finally:
        sys.settrace(None)
    return iter(lines)


def recorded(found: GuidedRun) -> Iterator[Ran]:
    """The moments of the recorded run in the same form.

    The page shows what a line has done, a program is watched before it does it: so each line is given alpha and beta
    as the line before it in the same position left them.
    """
    ways = ways_of(found)
    has_window = found.rung.techniques.startswith("alphabeta")
    left: dict[int, tuple[float, float]] = {}
    for moment in found.run.moments:
        if not has_window or not moment.open:
            yield Ran(moment.line, ways[moment.at], None, None)
            continue
        window = moment.open[-1]
        assert window.id == moment.at
        yield Ran(moment.line, ways[moment.at], *left.get(moment.at, (window.alpha, window.beta)))
        left[moment.at] = (window.alpha, window.beta)


def ways_of(found: GuidedRun) -> dict[int, tuple[str, ...]]:
    """The moves that lead to each position of the run."""
    ways: dict[int, tuple[str, ...]] = {}
    for node in found.run.nodes:
        ways[node.id] = () if node.parent is None else (*ways[node.parent], node.move or "")
    return ways


@pytest.mark.parametrize("rung", SEARCHES, ids=lambda rung: rung.name)
def test_the_lit_line_and_the_recorded_search_agree_at_every_step(rung: CourseRung) -> None:
    for number, (ran, shown) in enumerate(zip(executed(rung), recorded(guided(rung)), strict=True)):
        assert ran == shown, f"moment {number}"


def test_a_wrong_line_would_be_noticed() -> None:
    """The programs differ where the searches do: alpha-beta's own program does not run as the ordered search did."""
    plain, better = (next(rung for rung in COURSE if rung.name == name) for name in ("alpha-beta", "ordering"))
    other = replace(better, program_for=plain.program_for)
    assert list(executed(other)) != list(recorded(guided(better)))


def test_the_values_on_the_tree_are_those_of_plain_minimax(run: GuidedRun) -> None:
    """The value at the root, found by the shortest minimax that can be written."""
    if run.rung.is_monte_carlo:
        return

    def value(node: Node, depth: int) -> float:
        if node.is_over or (depth <= 0 and (run.rung.name != "quiescence" or node.is_quiet)):
            return estimate(node)
        return node.choose([value(child, depth - 1) for child in node.children])

    root = value(Node(World(run.rung), run.rung.position, run.rung.depth), run.rung.depth)
    last = [change for moment in run.run.moments for change in moment.changes][-1]
    roots = [node for node in run.run.nodes if node.parent is None]
    assert (last.id, last.stage) == (roots[-1].id, "done")
    assert last.label == value_text(root)


# Monte Carlo


class Leaf:
    """A position of a Monte Carlo tree, written again for the test."""

    def __init__(self, chance: random.Random, position: Any, parent: Leaf | None, way: tuple[str, ...]) -> None:
        self.chance, self.position, self.parent, self.way = chance, position, parent, way
        self.untried, self.below = position.legal_moves(), list[Leaf]()
        self.games, self.wins = 0, 0.0
        chance.shuffle(self.untried)

    @property
    def is_full(self) -> bool:
        return not self.untried and bool(self.below)

    def most_promising(self) -> Leaf:
        def promise(leaf: Leaf) -> float:
            return leaf.wins / leaf.games + math.sqrt(math.log(self.games) / leaf.games)

        return max(self.below, key=promise)

    def expand(self) -> Leaf:
        move = self.untried.pop()
        way = (*self.way, self.position.format(move))
        self.below.append(Leaf(self.chance, self.position.play(move), self, way))
        return self.below[-1]

    def way_up(self) -> Iterator[Leaf]:
        leaf: Leaf | None = self
        while leaf is not None:
            yield leaf
            leaf = leaf.parent

    def count(self, winner: Side | None) -> None:
        self.games += 1
        self.wins += 0.5 if winner is None else float(winner != self.position.side)


def play_out(leaf: Leaf) -> Side | None:
    position = leaf.position
    for _ in range(LONGEST):
        if position.outcome() is not None:
            break
        moves = position.legal_moves()
        position = position.play(moves[int(leaf.chance.random() * len(moves))])
    outcome = position.outcome()
    return None if outcome is None else outcome.winner


def test_a_monte_carlo_run_from_any_position_is_the_same_every_time() -> None:
    for position in FREE_STARTS:
        found = free_monte_carlo(position)
        assert found == free_monte_carlo(position)
        assert [step.kind for step in found.steps] == ["read", "end"]
        most = max((found for found in tallies_of(found).values()), key=lambda tally: int(tally.partition("/")[2]))
        games = most.partition("/")[2]
        assert f"in {games} of {found.rung.rounds} games" in found.steps[-1].text
    with pytest.raises(GameOverError):
        free_monte_carlo(connect4.Position.from_moves("1212121"))


def tallies_of(found: GuidedRun) -> dict[str, str]:
    """The last label of each first move."""
    labels = {change.id: change.label for moment in found.run.moments for change in moment.changes}
    return {str(node.move): labels[node.id] for node in found.run.nodes if node.ply == 1}


FREE_STARTS: list[AnyPosition[Any]] = [
    connect4.Position(9, 7),
    connect4.Position.from_moves("44444226"),
    checkers.Position(),
]


@pytest.mark.parametrize(
    "found",
    [guided(MONTE_CARLO), *map(free_monte_carlo, FREE_STARTS)],
    ids=["course", "9x7", "connect4", "checkers"],
)
def test_the_rounds_of_monte_carlo_run_line_by_line_as_recorded(found: GuidedRun) -> None:
    ways = ways_of(found)
    lines: list[tuple[int, tuple[str, ...]]] = []

    def watch(frame: FrameType, event: str, _: Any) -> Any:
        if frame.f_code.co_filename != "program":
            return None
        if event == "line":
            node = frame.f_locals.get("node")
            lines.append((frame.f_lineno, node.way if isinstance(node, Leaf) else ()))
        return watch

    space: dict[str, Any] = {"play_out": play_out}
    exec(compile(found.run.program.text, "program", "exec"), space)
    root = Leaf(random.Random(found.rung.seed), found.rung.position, None, ())
    sys.settrace(watch)
    try:
        for _ in range(found.rung.rounds):
            space["round"](root)
    finally:
        sys.settrace(None)
    assert [line for line, _ in lines] == [moment.line for moment in found.run.moments]
    told = [(moment.words, moment.end) for moment in found.run.moments if moment.deed == "playout"]
    assert all(("is not over" in words) is (end is not None and end.outcome() is None) for words, end in told)
    # the way down: what `node` is when the random game begins
    playout = found.run.program.line_of("playout")
    ends = [ways[moment.at] for moment in found.run.moments if moment.deed == "playout"]
    assert [way for line, way in lines if line == playout] == ends
    labels = {change.id: change.label for moment in found.run.moments for change in moment.changes}
    tallies = {leaf.way: f"{leaf.wins:g}/{leaf.games}" for leaf in root.below}
    assert {ways[node.id]: labels[node.id] for node in found.run.nodes if node.ply == 1} == tallies


# Questions


def what_happens(found: GuidedRun, question: CourseQuestion) -> str:
    """The right answer, read off the moments after the question."""
    now, after = found.run.moments[question.moment], found.run.moments[question.moment + 1 :]
    following = after[0].deed
    if now.deed == "cut?":
        return "y" if following == "cut" else "n"
    if now.deed == "table?":
        return "y" if following == "known" else "n"
    if now.deed == "leaf?":
        return "y" if following == "estimate" else "n"
    if now.deed == "who":
        return "1" if following == "highest" else "2"
    if now.deed == "down?":
        asked = question.ask.removeprefix("Will this round go down column ").removesuffix("?")
        return "y" if found.run.nodes[after[0].at].move == asked else "n"
    assert now.deed == "remember"
    asked = question.ask.split("choose column ")[1].removesuffix(" too?")
    later = next(moment for moment in after if moment.deed == "remember")
    return "y" if later.words.split(": ")[1].split()[0].removesuffix(".") == asked else "n"


def test_every_question_of_every_rung_has_the_answer_that_the_search_gives(run: GuidedRun) -> None:
    questions = [step.question for step in run.steps if step.question is not None]
    assert len(questions) == len(run.steps) - 2 == 5
    for question in questions:
        keys = [key for key, _ in question.options]
        assert len(keys) == 2
        assert question.answer == what_happens(run, question), question.ask
        assert [question.judge(key) for key in keys] == [key == question.answer for key in keys]
        assert question.ask
        assert question.more
        assert question.why
        assert question.right != question.wrong


def test_a_prediction_can_be_wrong_so_one_answer_to_all_is_not_enough(run: GuidedRun) -> None:
    questions = [step.question for step in run.steps if step.question is not None]
    for place in (0, 1):
        right = sum(question.judge(question.options[place][0]) for question in questions)
        assert 0 < right < len(questions)


def test_an_answer_that_is_not_offered_is_refused(run: GuidedRun) -> None:
    question = run.steps[1].question
    assert question is not None
    with pytest.raises(NotationError, match="the answers to this question are"):
        question.judge("maybe")


def test_no_question_is_asked_twice_and_they_come_in_the_order_of_the_run(run: GuidedRun) -> None:
    moments = [step.moment for step in run.steps]
    assert moments == sorted(set(moments))
    assert moments[0] == 0
    assert moments[-1] == len(run.run.moments) - 1


def test_what_is_known_at_a_question_does_not_give_the_answer_away(run: GuidedRun) -> None:
    """Nothing of the position's own value is on the tree before the line that finds it has run."""
    for step in run.steps:
        if step.question is None or run.rung.is_monte_carlo:
            continue
        asked = run.run.moments[step.moment]
        stages = {change.id: change.stage for moment in run.run.moments[: step.moment + 1] for change in moment.changes}
        if asked.deed != "remember":
            assert stages[asked.at] == "open"


# Claims


@pytest.mark.parametrize("rung", [rung for rung in SEARCHES if rung.claim == "fewer"], ids=lambda rung: rung.name)
def test_a_rung_that_claims_fewer_positions_has_far_fewer_and_the_same_value(rung: CourseRung) -> None:
    assert rung.deeper is not None
    claim = guided(rung).claim
    counted = []
    for depth in (rung.depth, rung.deeper):
        before, after = search_row(rung, depth, rung.base), search_row(rung, depth, rung.techniques)
        assert before.score == after.score
        assert after.nodes < before.nodes
        counted += [before.nodes, after.nodes]
    assert [row.nodes for row in claim.rows] == counted
    times = counted[2] / counted[3]
    assert times >= 2.5
    assert claim.headline.startswith(f"{times:.0f} times" if times >= 10 else f"{times:.1f} times fewer")
    looked = {moment.at for moment in guided(rung).run.moments}
    assert len(looked) == counted[1], "the run that is shown is the one that is counted"


@pytest.mark.parametrize("name", ["minimax", "monte-carlo"])
def test_a_better_move_is_better_by_the_solver(name: str) -> None:
    rung = next(rung for rung in COURSE if rung.name == name)
    before, after = guided(rung).claim.rows
    worth = []
    for row in (before, after):
        column = int(row.move.removeprefix("column ")) - 1
        position = connect4.Position.from_moves(f"{rung.position_text}{column + 1}")
        worth.append(-connect4.Solver().solve(position).low)
    assert worth[0] < 0 < worth[1]
    assert (before.truth, after.truth) == ("which loses, solved", "which wins, solved")


def test_quiescence_finds_a_move_that_wins_more_than_a_man() -> None:
    rung = next(rung for rung in COURSE if rung.name == "quiescence")
    worth = []
    for row in guided(rung).claim.rows:
        after = rung.position.play(rung.position.parse(row.move))
        worth.append(-exchanged(after, 5))
    assert worth[1] - worth[0] >= 10  # a man counts 10


def exchanged(position: Any, depth: int) -> float:
    """Plain negamax that follows captures."""
    outcome = position.outcome()
    moves = position.legal_moves()
    if outcome is not None:
        return 0 if outcome.winner is None else WIN if outcome.winner == position.side else -WIN
    if depth <= 0 and not moves[0].captures:
        return float(find_evaluation(None, "checkers").score(position))
    return max(-exchanged(position.play(move), depth - 1) for move in moves)
