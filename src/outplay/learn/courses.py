"""The lessons of each game in order: those that come with outplay, and those of a folder of your own."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib.resources import as_file, files
from pathlib import Path

from outplay.learn.lesson import Lesson
from outplay.learn.lesson_file import LessonError, read_lesson
from outplay.rules import RULES


class Courses:
    """The lessons that can be taken, by game and in the order of their files' names."""

    def __init__(self, own: Path | None = None) -> None:
        """Read the lessons that come with outplay, and those of the folder `own`. LessonError names the first fault."""
        self._lessons: dict[str, dict[str, Lesson]] = {game: {} for game in RULES}
        for lesson in (*shipped_lessons(), *(lessons_in(own) if own is not None else ())):
            other = self._lessons[lesson.game].setdefault(lesson.name, lesson)
            if Path(other.source).resolve() != Path(lesson.source).resolve():
                reason = f"another lesson has the key {lesson.key} ({other.source}): choose another file name"
                raise LessonError(lesson.name, reason, lesson.source)

    def lessons(self, game: str) -> tuple[Lesson, ...]:
        """Return the lessons of a game, in order."""
        return tuple(self._lessons[game].values())

    def find(self, game: str, name: str) -> Lesson | None:
        """Return a lesson; None if there is none."""
        return self._lessons.get(game, {}).get(name)

    def __iter__(self) -> Iterator[Lesson]:
        for lessons in self._lessons.values():
            yield from lessons.values()


def lessons_in(place: Path) -> list[Lesson]:
    """Return the lessons in a folder and its subfolders, sorted by path; or the one lesson of a file."""
    if not place.is_dir():
        return [read_lesson(place)]
    return [read_lesson(path) for path in sorted(place.rglob("*.toml"))]


@cache
def shipped_lessons() -> tuple[Lesson, ...]:
    """Return the lessons that come with outplay."""
    with as_file(files("outplay").joinpath("data", "lessons")) as folder:
        return tuple(lessons_in(folder))
