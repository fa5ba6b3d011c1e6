"""The rungs of the course: for each a position on which its technique clearly helps, its texts, and its claim.

The positions were chosen from many by measurements. The figures on the page are not in this file: they come from
searches that are run for the page. Connect Four positions have few open columns, so that the whole tree can be watched.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache, partial
from typing import Literal

from outplay.lab.course.programs import (
    MONTE_CARLO,
    TABLE,
    CourseProgram,
    alphabeta_program,
    deepening_program,
    minimax_program,
    quiescence_program,
)
from outplay.rules import RULES, Position

QuestionKind = Literal["cuts", "table", "quiet", "values", "minds"]
ClaimKind = Literal["fewer", "other move"]
"""What a rung shows: fewer positions for the same answer, or a better move."""


@dataclass(frozen=True, slots=True)
class CourseRung:
    """One rung of the course."""

    name: str
    """The name in the address of the rung: `alpha-beta`."""
    title: str
    summary: str
    """The description of the rung in the list of rungs: one line."""
    intro: str
    game: str
    position_text: str
    program_for: Callable[[str], CourseProgram]
    docs: str
    """The page of the docs about its technique."""
    depth: int = 0
    techniques: str = "none"
    """The techniques of the run; `base` names the techniques of the search that it is compared with."""
    base: str = "none"
    base_depth: int | None = None
    """The depth of the search that the run is compared with; None for the same depth."""
    deeper: int | None = None
    """Another depth at which both searches are compared."""
    claim: ClaimKind = "fewer"
    questions: tuple[QuestionKind, ...] = ("cuts",)
    rounds: int = 0
    """Monte Carlo: the number of rounds that are shown; `all_rounds` is the number of rounds played."""
    all_rounds: int = 0
    seed: int = 0
    also: str = field(default="")
    """What to remember: the last sentence of the rung."""

    @property
    def is_monte_carlo(self) -> bool:
        return self.rounds > 0

    @property
    def key(self) -> str:
        """The key under which progress is stored: `machines/alpha-beta`."""
        return f"machines/{self.name}"

    @property
    def position(self) -> Position:
        return RULES[self.game].read(self.position_text)

    def program(self) -> CourseProgram:
        """Return the program, which names the side to move at the root."""
        return self.program_for(RULES[self.game].side_name(self.position.side).lower())


COURSE_TITLE = "How machines play"
COURSE = (
    CourseRung(
        name="minimax",
        title="Minimax",
        summary="I pick my best, you pick yours",
        intro="Look one move ahead, and one reply. You choose the highest value, the other side the lowest: so a move "
        "is worth only what the best reply leaves of it. Nothing is skipped yet.",
        game="connect4",
        position_text="4444424555222252556316",
        program_for=minimax_program,
        docs="lab/minimax",
        depth=2,
        base_depth=1,
        claim="other move",
        questions=("values",),
        also="One reply more, and the trap is seen. But every ply multiplies the positions.",
    ),
    CourseRung(
        name="alpha-beta",
        title="Alpha-beta",
        summary="Skip what cannot matter",
        intro="Two numbers go down the tree. Alpha is what the side to move at the start is sure of already; beta is "
        "the most that the other side must allow. Once alpha is not below beta, no other reply can matter: a cut.",
        game="connect4",
        position_text="53555333322355222211",
        program_for=alphabeta_program,
        docs="lab/alphabeta",
        depth=3,
        techniques="alphabeta",
        deeper=4,
        also="The answer is always that of minimax.",
    ),
    CourseRung(
        name="ordering",
        title="Good moves first",
        summary="Why order saves work",
        intro="Alpha-beta can cut only after it has seen something good. Here the columns come from left to right in "
        "one search and the centre first in the other. Watch how soon the cuts come.",
        game="connect4",
        position_text="76577766756575556613",
        program_for=partial(alphabeta_program, children="ordered(node)"),
        docs="lab/ordering",
        depth=3,
        techniques="alphabeta,ordering",
        base="alphabeta",
        deeper=4,
        also="Order changes no value. It only decides how early the cuts come.",
    ),
    CourseRung(
        name="table",
        title="Remember positions",
        summary="The same position by another route",
        intro="Different orders of the same moves lead to one position. A table remembers what was found there, so "
        "that it is searched once. There are no cuts in this run: only the table saves work.",
        game="checkers",
        position_text="B:W21,29:B3,12",
        program_for=lambda side: TABLE,
        docs="lab/table",
        depth=4,
        techniques="table",
        deeper=8,
        questions=("table",),
        also="The deeper the search, the more routes lead to the same position.",
    ),
    CourseRung(
        name="deepening",
        title="Deeper and deeper",
        summary="Depth 2, then depth 4",
        intro="Search to depth 2 first, then to depth 4. The first search costs little, and it tells the second which "
        "moves to try first. So both together look at fewer positions than depth 4 alone.",
        game="connect4",
        position_text="36655365665333553624",
        program_for=deepening_program,
        docs="lab/deepening",
        depth=4,
        techniques="alphabeta,table,deepening",
        base="alphabeta,table",
        deeper=6,
        questions=("minds", "cuts"),
        also="And there is an answer at any moment, if the time runs out.",
    ),
    CourseRung(
        name="quiescence",
        title="Not in mid-exchange",
        summary="Search on until all is quiet",
        intro="A search that stops right after a capture counts a piece too many: the reply that takes one back is "
        "just out of sight. So where a capture is possible the search goes on, even past its depth.",
        game="checkers",
        position_text="B:W17,18,19,21,22,24,26,27,28,29:B1,2,6,7,9,10,11,12,13,15",
        program_for=quiescence_program,
        docs="lab/quiescence",
        depth=2,
        techniques="quiescence",
        claim="other move",
        questions=("quiet",),
        also="It searches some more positions, and it sees what the other search cannot.",
    ),
    CourseRung(
        name="monte-carlo",
        title="Monte Carlo",
        summary="Random games, counted",
        intro="No evaluation at all: only the rules. Each round goes down the tree, adds one position, plays a random "
        "game to the end and counts who won. One game says little; many say where it is easier to win.",
        game="connect4",
        position_text="23323377737272232765",
        program_for=lambda side: MONTE_CARLO,
        docs="lab/mcts",
        depth=4,
        base="alphabeta",
        claim="other move",
        questions=(),
        rounds=14,
        all_rounds=200,
        seed=1,
        also="It proves nothing, and it can overlook a trap. But it can be stopped at any moment.",
    ),
)


@cache
def find_rung(name: str) -> CourseRung | None:
    """Return a rung by its name; None if there is none."""
    return next((rung for rung in COURSE if rung.name == name), None)
