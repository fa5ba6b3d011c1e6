"""Lessons, and a person's record. Progress and record belong to the person whose key the request has."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime
from typing import Annotated

from fastapi import APIRouter, Depends, Path, Request

from outplay.explain.places import hint_cells
from outplay.learn import Courses, Lesson, Step, judge_step, prover, solution
from outplay.learn.hints import step_hint
from outplay.store import progress as kept
from outplay.store.progress import LessonProgress
from outplay.web import board
from outplay.web.dependencies import ERRORS, AllGames, Client, Person, TheLanes
from outplay.web.http.errors import UnknownLessonError
from outplay.web.http.lanes import Check
from outplay.web.learn import wire
from outplay.web.learn.view import entry, learn_view, lesson_view, record_view, step_view, verdict_view
from outplay.web.library.wire import Export
from outplay.web.people.wire import Nothing
from outplay.web.wire import GameName

router = APIRouter(prefix="/learn", responses=ERRORS)


async def _courses(request: Request) -> Courses:
    courses: Courses = request.app.state.courses
    return courses


TheCourses = Annotated[Courses, Depends(_courses)]


async def _lesson(game: GameName, name: Annotated[wire.LessonName, Path()], courses: TheCourses) -> Lesson:
    found = courses.find(game, name)
    if found is None:
        raise UnknownLessonError(f"there is no lesson {game}/{name} here")
    return found


TheLesson = Annotated[Lesson, Depends(_lesson)]


async def _step(step: Annotated[wire.StepNumber, Path()], lesson: TheLesson) -> int:
    if step > len(lesson.steps):
        raise UnknownLessonError(f"lesson {lesson.key} has no step {step}: it has {len(lesson.steps)}")
    return step


TheStep = Annotated[int, Depends(_step)]


async def _task(number: TheStep, lesson: TheLesson) -> Step:
    step = lesson.steps[number - 1]
    if not step.has_task:
        raise UnknownLessonError(f"step {number} of lesson {lesson.key} has no task")
    return step


TheTask = Annotated[Step, Depends(_task)]


@router.get("")
def learn(courses: TheCourses, games: AllGames, person: Person) -> wire.LearnView:
    """Return all lessons, how far you are in each, and the step to go on with."""
    return learn_view(courses, kept.lessons_of(games.store, person))


@router.get("/lessons/{game}/{name}")
def lesson(lesson: TheLesson, courses: TheCourses, games: AllGames, person: Person) -> wire.LessonView:
    """Return a lesson with its steps, and how far you are in it."""
    return lesson_view(courses, lesson, kept.lessons_of(games.store, person))


@router.get("/lessons/{game}/{name}/{step}")
def step(step: TheStep, lesson: TheLesson, courses: TheCourses, games: AllGames, person: Person) -> wire.StepView:
    """Return a step: its text, its position and its task. The answer is not in it."""
    return step_view(courses, lesson, step, kept.lessons_of(games.store, person))


@router.post("/lessons/{game}/{name}/{step}/read")
def read(
    asked: Nothing, step: TheStep, lesson: TheLesson, courses: TheCourses, games: AllGames, person: Person
) -> wire.LessonView:
    """Go on from a step. A step without a task is then done. Next time you continue with the step after it."""
    mine = _mine(games, person, lesson)
    done = mine.done if lesson.steps[step - 1].has_task else mine.done | {step}
    _save(games, person, lesson, replace(mine, done=done, at=min(step + 1, len(lesson.steps)), tries=0))
    return lesson_view(courses, lesson, kept.lessons_of(games.store, person))


@router.post("/lessons/{game}/{name}/{step}/answer")
async def answer(
    asked: wire.AnswerRequest,
    task: TheTask,
    step: TheStep,
    lesson: TheLesson,
    courses: TheCourses,
    games: AllGames,
    client: Client,
    person: Person,
    lanes: TheLanes,
    http: Request,
) -> wire.StepVerdict:
    """Answer a task with a move: it is right, or you see on the board why it is not."""

    def judge(_: Check) -> wire.StepVerdict:
        found = judge_step(task, asked.move, prover())
        mine = _mine(games, person, lesson)
        tries = (mine.tries if mine.at == step else 0) + (not found.is_right)
        done = mine.done | {step} if found.is_right else mine.done
        _save(games, person, lesson, replace(mine, done=done, at=step, tries=0 if found.is_right else tries))
        return verdict_view(task, found, tries, _entry(courses, games, person, lesson))

    return await lanes.answers.run(client, http.receive, judge)


@router.post("/lessons/{game}/{name}/{step}/hint")
def hint(asked: wire.StepHintRequest, task: TheTask) -> wire.StepHint:
    """Return a step of a hint: where to look, what to move, the move. Nothing is remembered."""
    found = step_hint(task.position, task.accept[0], asked.step)
    move = None if found.move is None else board.move_view(task.position, found.move)
    cells = hint_cells(task.position, found)
    return wire.StepHint(step=found.step, sentence=found.sentence, cells=cells, move=move)


@router.post("/lessons/{game}/{name}/{step}/solution")
async def show_solution(
    asked: Nothing,
    task: TheTask,
    lesson: TheLesson,
    courses: TheCourses,
    games: AllGames,
    client: Client,
    person: Person,
    lanes: TheLanes,
    http: Request,
) -> wire.StepVerdict:
    """Return the answer to a task. This does not complete the step: the move can still be played."""

    def show(_: Check) -> wire.StepVerdict:
        found = replace(solution(task, prover()), headline="The answer")
        return verdict_view(task, found, 0, _entry(courses, games, person, lesson))

    return await lanes.answers.run(client, http.receive, show)


@router.get("/record")
def record(courses: TheCourses, games: AllGames, person: Person) -> wire.RecordView:
    """Return your record: results against the levels, puzzles by theme, lessons done."""
    store = games.store
    return record_view(
        courses,
        kept.lessons_of(store, person),
        kept.attempts_of(store, person),
        kept.results_of(store, person),
        kept.told(store, person),
    )


@router.post("/record/told")
def told(asked: wire.ToldRequest, courses: TheCourses, games: AllGames, person: Person) -> wire.RecordView:
    """Remember that you have read "You are ready for level 4": it is not said again."""
    kept.tell(games.store, person, f"{asked.game}:{asked.level}")
    return record(courses, games, person)


@router.get("/export")
def export(courses: TheCourses, games: AllGames, person: Person) -> Export:
    """Return all that is kept of what you have learned, as the text of a JSON file."""
    store = games.store
    lessons = kept.lessons_of(store, person)
    found = {
        "written": datetime.now(UTC).isoformat(timespec="seconds"),
        "record": record(courses, games, person).model_dump(mode="json"),
        "lessons": {key: {"done": sorted(mine.done), "at": mine.at} for key, mine in sorted(lessons.items())},
        "puzzles": [
            {"puzzle": attempt.puzzle, "result": attempt.kind, "at": attempt.at.isoformat(timespec="seconds")}
            for attempt in kept.attempts_of(store, person)
        ],
        "games": [
            {"game": result.game, "level": result.level, "result": result.result}
            for result in kept.results_of(store, person)
        ],
    }
    return Export(name="outplay-record.json", media="application/json", text=json.dumps(found, indent=2))


def _mine(games: AllGames, person: str, lesson: Lesson) -> LessonProgress:
    return kept.lessons_of(games.store, person).get(lesson.key, LessonProgress())


def _save(games: AllGames, person: str, lesson: Lesson, progress: LessonProgress) -> None:
    kept.save_lesson(games.store, person, lesson.key, progress)


def _entry(courses: Courses, games: AllGames, person: str, lesson: Lesson) -> wire.LessonEntry:
    return entry(courses, lesson, kept.lessons_of(games.store, person))
