"""A rung put together: the recorded run, its steps with their questions, and the figures at the end."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from typing import Literal

from outplay.engine.types import check_not_over
from outplay.lab.course.claims import RungClaim, better_move, fewer_positions
from outplay.lab.course.moments import CourseRun
from outplay.lab.course.questions import CourseQuestion, SearchQuestions, chosen, round_questions
from outplay.lab.course.replay import SearchReplay
from outplay.lab.course.rounds import monte_carlo_run
from outplay.lab.course.rungs import CourseRung, find_rung
from outplay.lab.evaluate import find_evaluation
from outplay.lab.narrate import move_name
from outplay.lab.techniques import Techniques
from outplay.lab.trace import trace, trace_each
from outplay.rules import Position, rules_of

FREE_ROUNDS = 60
"""The number of rounds of a Monte Carlo run from a position of your own."""


@dataclass(frozen=True, slots=True)
class CourseStep:
    """A place where the run waits for the reader: at its beginning, at a question, or at its end."""

    kind: Literal["read", "question", "end"]
    title: str
    text: str
    moment: int
    """The index of the moment at which the run waits."""
    question: CourseQuestion | None = None


@dataclass(frozen=True, slots=True)
class GuidedRun:
    """A rung, ready to be walked through."""

    rung: CourseRung
    run: CourseRun
    steps: tuple[CourseStep, ...]
    claim: RungClaim


@cache
def guided(rung: CourseRung) -> GuidedRun:
    """Search the rung's position, record the search, and return all that the page shows. The result is cached."""
    if rung.is_monte_carlo:
        run, search = monte_carlo_run(rung.position, rounds=rung.rounds, seed=rung.seed)
        questions = [list(round_questions(run, search, rung.game))]
        claim = better_move(rung, search)
    else:
        replay = _recorded(rung)
        run = replay.run()
        asked = SearchQuestions(replay, run, rung.game)
        questions = [list(asked.of(kind)) for kind in rung.questions]
        claim = fewer_positions(rung) if rung.claim == "fewer" else better_move(rung, None)
    return GuidedRun(rung, run, _steps(rung, run, questions, claim), claim)


def free_monte_carlo(position: Position) -> GuidedRun:
    """Return a Monte Carlo run from any position, without questions. The same position gives the same run."""
    check_not_over(position)
    found = find_rung("monte-carlo")
    assert found is not None
    game = rules_of(position).name
    rung = replace(found, game=game, position_text=position.fen(), rounds=FREE_ROUNDS, all_rounds=FREE_ROUNDS)
    run, search = monte_carlo_run(position, rounds=FREE_ROUNDS, seed=rung.seed)
    best = max(search.root.children, key=lambda child: (child.visits, child.wins))
    name, mover = move_name(game, position.format(best.move)), run.sides[0]
    claim = RungClaim(
        f"{name[:1].upper()}{name[1:]} was tried most often",
        f"It was tried in {best.visits} of {FREE_ROUNDS} games, and {mover} won {best.wins:g} of these. So it would be "
        f"played. A real player plays thousands of games for a move. {rung.also}",
        (),
    )
    return GuidedRun(rung, run, _steps(rung, run, [], claim), claim)


def _recorded(rung: CourseRung) -> SearchReplay:
    techniques = Techniques.of(rung.techniques)
    evaluation = find_evaluation(None, rung.game)
    if techniques.deepening:
        traces = trace_each(rung.position, rung.depth, techniques, evaluation)
    else:
        traces = [trace(rung.position, rung.depth, techniques, evaluation)]
    return SearchReplay(rung.program(), traces)


def _steps(
    rung: CourseRung, run: CourseRun, questions: list[list[CourseQuestion]], claim: RungClaim
) -> tuple[CourseStep, ...]:
    begin = CourseStep("read", "what it does", rung.intro, 0)
    asked = [CourseStep("question", one.ask, one.more, one.moment, one) for one in chosen(questions)]
    end = CourseStep("end", claim.headline, claim.sentence, len(run.moments) - 1)
    return (begin, *asked, end)
