"""Make the JSON of lessons and of a person's record."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import cast

from outplay.learn import Courses, Lesson, Step, StepAnswer, shipped_puzzles
from outplay.learn.progress import Attempt, PuzzleStanding, standing
from outplay.learn.record import LevelRow, level_rows, ready_level, ready_sentence
from outplay.learn.themes import THEMES
from outplay.levels import level
from outplay.rules import RULES, Move, Position
from outplay.store.progress import LessonProgress, LevelResult
from outplay.web import board
from outplay.web.learn import wire
from outplay.web.wire import GameName, SideNumber

Progress = Mapping[str, LessonProgress]
START = "Start: the rules in 60 seconds"
NO_RECORD = "Play a game and your record starts here."


def entry(courses: Courses, lesson: Lesson, progress: Progress) -> wire.LessonEntry:
    mine = progress.get(lesson.key, LessonProgress())
    done = len([number for number in mine.done if number <= len(lesson.steps)])
    is_done = done == len(lesson.steps)
    return wire.LessonEntry(
        game=cast(GameName, lesson.game),
        name=lesson.name,
        number=courses.lessons(lesson.game).index(lesson) + 1,
        title=lesson.title,
        summary=lesson.summary,
        steps=len(lesson.steps),
        done=done,
        state="done" if is_done else "begun" if mine.changed is not None else "new",
        at=min(mine.at, len(lesson.steps)),
    )


def learn_view(courses: Courses, progress: Progress) -> wire.LearnView:
    views = []
    for game, rules in RULES.items():
        lessons = [entry(courses, lesson, progress) for lesson in courses.lessons(game)]
        done = sum(lesson.state == "done" for lesson in lessons)
        views.append(wire.CourseView(game=cast(GameName, game), title=rules.title, done=done, lessons=lessons))
    return wire.LearnView(courses=views, go_on=_go_on(courses, progress), is_first_visit=not progress)


def _go_on(courses: Courses, progress: Progress) -> wire.GoOn | None:
    """Return the step to continue with: in the lesson used last, or in another one if it is done; otherwise None."""
    found = _next_lesson(courses, progress)
    if found is None:
        return None
    lesson = entry(courses, found, progress)
    step = found.steps[lesson.at - 1]
    where = f"Step {lesson.at} of {lesson.steps}. {found.summary}."
    return wire.GoOn(
        lesson=lesson,
        step=lesson.at,
        position=board.position_view(step.position),
        marks=board.mark_views(step.marks),
        sentence=where if progress else f"{START}.",
    )


def _next_lesson(courses: Courses, progress: Progress) -> Lesson | None:
    def is_open(lesson: Lesson) -> bool:
        done = progress.get(lesson.key, LessonProgress()).done
        return any(number not in done for number in range(1, len(lesson.steps) + 1))

    dates = {key: mine.changed for key, mine in progress.items() if mine.changed is not None}
    touched = sorted((lesson for lesson in courses if lesson.key in dates), key=lambda lesson: dates[lesson.key])
    last = touched[-1] if touched else None
    if last is not None and is_open(last):
        return last
    game = last.game if last is not None else next(iter(RULES))
    others = [lesson for lesson in courses if lesson.game != game]
    return next((lesson for lesson in (*courses.lessons(game), *others) if is_open(lesson)), None)


def lesson_view(courses: Courses, lesson: Lesson, progress: Progress) -> wire.LessonView:
    lessons = courses.lessons(lesson.game)
    place = lessons.index(lesson) + 1
    done = progress.get(lesson.key, LessonProgress()).done
    return wire.LessonView(
        lesson=entry(courses, lesson, progress),
        steps=[
            wire.StepEntry(number=number, is_done=number in done, has_task=step.has_task)
            for number, step in enumerate(lesson.steps, 1)
        ],
        following=entry(courses, lessons[place], progress) if place < len(lessons) else None,
    )


def step_view(courses: Courses, lesson: Lesson, number: int, progress: Progress) -> wire.StepView:
    step = lesson.steps[number - 1]
    mine = progress.get(lesson.key, LessonProgress())
    return wire.StepView(
        lesson=entry(courses, lesson, progress),
        number=number,
        is_done=number in mine.done,
        text=step.text,
        task=step.task,
        position=board.position_view(step.position),
        legal=board.legal_views(step.position) if step.has_task else [],
        marks=board.mark_views(step.marks),
        side=RULES[lesson.game].sides[step.position.side],
        tries=mine.tries if number == mine.at else 0,
    )


def verdict_view(step: Step, answer: StepAnswer, tries: int, lesson: wire.LessonEntry) -> wire.StepVerdict:
    shown = shown_view(step.position, answer)
    return wire.StepVerdict(**shown.__dict__, is_right=answer.is_right, tries=tries, lesson=lesson)


def shown_view(position: Position, answer: StepAnswer) -> wire.Shown:
    return wire.Shown(
        headline=answer.headline,
        sentence=answer.sentence,
        line=line_views(position, answer.line),
        marks=board.mark_views(answer.marks),
        label=answer.label,
        known=answer.known,
        is_proof=answer.is_proof,
    )


def line_views(position: Position, moves: Iterable[Move]) -> list[wire.PlayedView]:
    """Return moves that are played one after the other, each with the position after it."""
    views = []
    for move in moves:
        after = position.play(move)
        side: SideNumber = 1 if position.side else 0
        views.append(
            wire.PlayedView(move=board.move_view(position, move), side=side, position=board.position_view(after))
        )
        position = after
    return views


# The record


def record_view(
    courses: Courses,
    progress: Progress,
    attempts: Sequence[Attempt],
    results: Sequence[LevelResult],
    told: set[str],
) -> wire.RecordView:
    now = datetime.now(UTC)
    games = []
    for game in RULES:
        stands = standing(attempts, shipped_puzzles(game), now)
        rows = level_rows(game, [(result.level, result.result) for result in results if result.game == game])
        games.append(_game_standing(courses, game, progress, stands, rows, told))
    is_empty = not (progress or attempts or results)
    return wire.RecordView(games=games, sentence=NO_RECORD if is_empty else "")


def _game_standing(
    courses: Courses, game: str, progress: Progress, stands: PuzzleStanding, rows: Sequence[LevelRow], told: set[str]
) -> wire.GameStanding:
    lessons = [entry(courses, lesson, progress) for lesson in courses.lessons(game)]
    return wire.GameStanding(
        game=cast(GameName, game),
        title=RULES[game].title,
        levels=[
            wire.LevelStanding(level=row.level, name=row.name, results=list(row.results), wins=row.wins) for row in rows
        ],
        ready=_ready(game, rows, told),
        lessons_done=sum(lesson.state == "done" for lesson in lessons),
        lessons=len(lessons),
        themes=theme_standings(game, stands),
        solved=len(stands.solved),
        in_a_row=stands.in_a_row,
        grade=stands.grade,
    )


def theme_standings(game: str, stands: PuzzleStanding) -> list[wire.ThemeStanding]:
    """Return the themes of a game that have puzzles."""
    found = []
    for theme, title in THEMES[game].items():
        ids = [puzzle.id for puzzle in shipped_puzzles(game) if theme in puzzle.themes]
        if ids:
            solved = sum(name in stands.solved for name in ids)
            found.append(wire.ThemeStanding(theme=theme, title=title, total=len(ids), solved=solved))
    return found


def _ready(game: str, rows: Sequence[LevelRow], told: set[str]) -> wire.ReadyView | None:
    row = ready_level(game, rows)
    if row is None or f"{game}:{row.level + 1}" in told:
        return None
    following = level(game, row.level + 1)
    return wire.ReadyView(level=following.number, name=following.name, sentence=ready_sentence(game, row))
