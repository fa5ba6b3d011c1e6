"""Prove lessons and puzzles: each accepted move reaches the goal, no other move does, and each refutation works."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from outplay.explain import listed
from outplay.learn.goals import Goal, pieces_won
from outplay.learn.grading import Grader
from outplay.learn.lesson import Lesson, Refutation, Step
from outplay.learn.proof import Prover
from outplay.learn.puzzle import GradedPuzzle, positions_along
from outplay.learn.themes import themes_of
from outplay.rules import Move, Position, must_capture


def check_lesson(lesson: Lesson, prover: Prover) -> list[str]:
    """Return what is wrong with the tasks of a lesson, each with its file and line; nothing if all is proved."""
    return [
        f"{lesson.source}, line {step.line}: step {number}: {fault}"
        for number, step in enumerate(lesson.steps, 1)
        if step.has_task
        for fault in step_faults(step, prover)
    ]


def step_faults(step: Step, prover: Prover) -> Iterator[str]:
    """Yield what is wrong with a task."""
    position, named = step.position, {*step.accept, *step.also}
    legal = [position.format(move) for move in position.legal_moves()]
    if step.goal.kind == "forced":
        if named != set(legal):
            yield f"the rules allow {listed(legal)}, not only {listed(sorted(named))}"
        return
    if not step.goal.needs_scores:
        return
    scores = prover.scores(position)
    for move, score in scores.items():
        text, is_reached = position.format(move), step.goal.is_reached(position, score)
        if is_reached is None:
            yield f"it is not clear whether {text} reaches the goal {step.goal}"
        elif is_reached and text not in named:
            yield f"{text} reaches the goal {step.goal} too, but is not listed"
        elif not is_reached and text in named:
            yield f"{text} does not reach the goal {step.goal}"
    yield from line_faults(position, step.goal, (step.accept[0], *step.then))
    yield from _then_faults(step, prover)
    for text, told in step.wrong.items():
        yield from _refutation_faults(step, text, told, prover)


def line_faults(position: Position, goal: Goal, moves: Sequence[str]) -> Iterator[str]:
    """Check that a line wins the pieces that its goal says; this needs no search."""
    if goal.kind != "gain":
        return
    assert goal.number is not None
    *_, end = positions_along(position, moves)
    won = pieces_won(position, end)
    if must_capture(end):
        yield "the line ends before a capture"
    elif won < goal.number:
        yield f"the line wins {won} of {goal.number} pieces: {' '.join(moves)}"


def _then_faults(step: Step, prover: Prover) -> Iterator[str]:
    """Check the moves that follow the answer: those of the same side must keep the goal."""
    position = step.position.play(step.position.parse(step.accept[0]))
    for ply, text in enumerate(step.then):
        if ply % 2 and not _still_reached(step, position, position.parse(text), prover):
            yield f"{text}, in the line after the answer, gives away the goal {step.goal}"
        position = position.play(position.parse(text))


def _refutation_faults(step: Step, text: str, told: Refutation, prover: Prover) -> Iterator[str]:
    """Check that each reply of the other side still refutes the wrong move."""
    position = step.position.play(step.position.parse(text))
    for ply, reply in enumerate(told.line):
        move = position.parse(reply)
        after = position.play(move)
        if ply % 2 == 0 and after.outcome() is None:
            goal = _open_ended(step.goal)
            if any(goal.is_reached(step.position, score) is not False for score in prover.scores(after).values()):
                yield f"{reply} does not refute {text}: the goal {step.goal} can still be reached after it"
        position = after


def _still_reached(step: Step, position: Position, move: Move, prover: Prover) -> bool:
    score = prover.scores(position)[move]
    return bool(_open_ended(step.goal).is_reached(step.position, score))


def _open_ended(goal: Goal) -> Goal:
    """Return the goal for later moves of a line: the number of moves in a goal counts only from the first move."""
    return replace(goal, number=None) if goal.kind == "win" else Goal("draw") if goal.kind == "hold" else goal


def puzzle_faults(puzzle: GradedPuzzle, prover: Prover) -> Iterator[str]:
    """Yield what is wrong with a puzzle, except its grade.

    If the goal is to win pieces, no table proves that the other moves win none, so a longer search checks them.
    """
    start, goal = puzzle.position, puzzle.goal
    yield from line_faults(start, goal, (*puzzle.asked, *puzzle.shown))
    closer = goal.kind == "gain"
    first = start.parse(puzzle.asked[0])
    if not goal.is_reached(start, prover.scores(start, closer=closer)[first]):
        yield f"{puzzle.asked[0]} does not reach the goal {goal}"
    if goal.kind == "win" and goal.number is not None and goal.number > 1:
        sooner = replace(goal, number=goal.number - 1)
        if sooner.is_reached(start, prover.scores(start)[first]):
            yield f"the goal {goal} asks for too little: {sooner} is possible"
    for place, (position, accepted) in enumerate(puzzle.questions()):
        wanted = _open_ended(goal)
        for move, score in prover.scores(position, closer=closer).items():
            text, is_reached = position.format(move), wanted.is_reached(start, score)
            if is_reached != (text in accepted):
                what = {None: "may or may not reach", True: "also reaches", False: "does not reach"}[is_reached]
                yield f"move {place + 1}: {text} {what} the goal {goal}"
        if place < puzzle.own_moves - 1 and len(accepted) != 1:
            yield f"move {place + 1} is not the only right one"
    found = themes_of(start, goal, (*puzzle.asked, *puzzle.shown), prover)
    if found != puzzle.themes:
        yield f"its themes should be {', '.join(found) or 'none'}, and not {', '.join(puzzle.themes)}"


def grade_fault(puzzle: GradedPuzzle) -> str | None:
    """Measure the grade again, and say if it has changed."""
    grade = Grader().grade(puzzle)
    right = grade or "beyond every level"
    return None if grade == puzzle.grade else f"its grade should be {right}, and not {puzzle.grade}"
