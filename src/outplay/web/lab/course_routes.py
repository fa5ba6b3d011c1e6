"""The course of the lab. The progress belongs to the person whose key the request has."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

from fastapi import APIRouter, Depends, Path

from outplay.lab.course import CourseRung, CourseStep, find_rung, guided
from outplay.store import progress as kept
from outplay.store.progress import LessonProgress
from outplay.web.dependencies import ERRORS, AllGames, Person
from outplay.web.http.errors import UnknownLessonError
from outplay.web.lab import course_wire as wire
from outplay.web.lab.course_view import course_view, prediction_view, rung_entry, rung_view
from outplay.web.people.wire import Nothing

router = APIRouter(prefix="/lab/course", responses=ERRORS)


async def _rung(part: Annotated[wire.RungName, Path()]) -> CourseRung:
    found = find_rung(part)
    if found is None:
        raise UnknownLessonError(f"the course of the lab has no part {part}")
    return found


TheRung = Annotated[CourseRung, Depends(_rung)]


def _step(step: Annotated[wire.CourseStepNumber, Path()], rung: TheRung) -> int:
    steps = len(guided(rung).steps)
    if step > steps:
        raise UnknownLessonError(f"{rung.title} has no step {step}: it has {steps}")
    return step


TheStep = Annotated[int, Depends(_step)]


@router.get("")
def course(games: AllGames, person: Person) -> wire.LabCourse:
    """Return the rungs of the course, and how far you are in each."""
    return course_view(kept.lessons_of(games.store, person))


@router.get("/{part}")
def rung(rung: TheRung, games: AllGames, person: Person) -> wire.RungView:
    """Return a rung: its program, the recorded run with the line that runs at each moment, and its steps."""
    return rung_view(rung, kept.lessons_of(games.store, person))


@router.post("/{part}/again")
def again(asked: Nothing, rung: TheRung, games: AllGames, person: Person) -> wire.RungEntry:
    """Forget your answers to a rung, to take it again."""
    _save(games, person, rung, LessonProgress())
    return _entry(games, person, rung)


@router.post("/{part}/{step}/read")
def read_rung_step(asked: Nothing, rung: TheRung, step: TheStep, games: AllGames, person: Person) -> wire.RungEntry:
    """Go on from a step. A step with a question is done only when the question is answered."""
    mine, steps = _mine(games, person, rung), guided(rung).steps
    done = mine.done if steps[step - 1].question is not None else mine.done | {step}
    _save(games, person, rung, replace(mine, done=done, at=min(step + 1, len(steps))))
    return _entry(games, person, rung)


@router.post("/{part}/{step}/answer")
def predict(
    asked: wire.PredictRequest, rung: TheRung, step: TheStep, games: AllGames, person: Person
) -> wire.Prediction:
    """Answer a question: the first answer counts, until the rung is taken again."""
    found: CourseStep = guided(rung).steps[step - 1]
    if found.question is None:
        raise UnknownLessonError(f"step {step} of {rung.title} has no question")
    is_right = found.question.judge(asked.answer)
    mine = _mine(games, person, rung)
    if step not in mine.done:
        right = mine.right | {step} if is_right else mine.right
        _save(games, person, rung, replace(mine, done=mine.done | {step}, right=right, at=step))
    return prediction_view(found.question, asked.answer, _entry(games, person, rung))


def _mine(games: AllGames, person: str, rung: CourseRung) -> LessonProgress:
    return kept.lessons_of(games.store, person).get(rung.key, LessonProgress())


def _save(games: AllGames, person: str, rung: CourseRung, progress: LessonProgress) -> None:
    kept.save_lesson(games.store, person, rung.key, progress)


def _entry(games: AllGames, person: str, rung: CourseRung) -> wire.RungEntry:
    return rung_entry(rung, kept.lessons_of(games.store, person))
