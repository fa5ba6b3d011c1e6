"""Read lessons from TOML files: see docs/formats/lesson.md. An error names the file, the line and the reason."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NoReturn, TypeVar

from outplay.errors import IllegalMoveError, NotationError, OutplayError
from outplay.learn.goals import Goal
from outplay.learn.lesson import MOST_STEPS, Lesson, Refutation, Step
from outplay.learn.marks import read_mark
from outplay.rules import RULES, Position, rules_of

MOST_BYTES = 200_000
_NAME = re.compile(r"(?:\d+-)?([a-z0-9]+(?:-[a-z0-9]+)*)")
_LESSON_KEYS = {"game", "title", "summary", "step"}
_STEP_KEYS = {"text", "position", "marks", "task", "goal", "accept", "right", "then", "also", "also_right", "wrong"}
_TASK_KEYS = _STEP_KEYS - {"text", "position", "marks", "task"}
_HEAD = re.compile(r"^[ \t]*\[\[\s*step\s*\]\]", re.MULTILINE)
Read = TypeVar("Read")


class LessonError(NotationError):
    """A lesson cannot be used: `.where` is its file and line, `.reason` what is wrong."""

    def __str__(self) -> str:
        return f"{self.where}: {self.reason}"


def read_lesson(path: Path) -> Lesson:
    """Read a lesson; LessonError names the line and what is wrong there. OSError if there is no such file."""
    try:
        if path.stat().st_size > MOST_BYTES:
            raise LessonError(path.name, f"a lesson has at most {MOST_BYTES:,} bytes", str(path))
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise LessonError(path.name, f"the file is not text: {error}", str(path)) from None
    return parse_lesson(text, path.stem, str(path))


def parse_lesson(text: str, stem: str, source: str) -> Lesson:
    """Read a lesson from its text. `stem` is the file's name, from which the lesson's name comes."""
    return _Reader(text, source).lesson(stem)


class _Reader:
    """The text of a lesson, and the place that is being read."""

    def __init__(self, text: str, source: str) -> None:
        self._text, self._source = text, source
        self._heads = [text.count("\n", 0, found.start()) + 1 for found in _HEAD.finditer(text)]
        self._step = 0
        """The step that is being read, from 1; 0 is the part before the first."""

    def lesson(self, stem: str) -> Lesson:
        named = _NAME.fullmatch(stem)
        if named is None:
            self._refuse("", "a file name has small letters and digits joined by -, such as 03-double-threats.toml")
        try:
            found = tomllib.loads(self._text)
        except tomllib.TOMLDecodeError as error:
            line = re.search(r"at line (\d+)", str(error))
            at = int(line[1]) if line else self._text.count("\n") + 1
            raise LessonError(stem, f"not TOML: {error}", f"{self._source}, line {at}") from None
        self._only(found, _LESSON_KEYS)
        game = self._words(found, "game")
        if game not in RULES:
            self._refuse("game", f"there is no game {game!r}: the games are {', '.join(RULES)}")
        title, summary = self._words(found, "title"), self._words(found, "summary")
        steps = found.get("step", [])
        if not isinstance(steps, list) or not 1 <= len(steps) <= MOST_STEPS:
            self._refuse("", f"a lesson has 1 to {MOST_STEPS} steps, each under its own line [[step]]")
        read = []
        for self._step, step in enumerate(steps, 1):
            read.append(self._read_step(step, game))
        return Lesson(game, named[1], title, summary, tuple(read), self._source)

    def _read_step(self, found: Any, game: str) -> Step:
        if not isinstance(found, dict):
            self._refuse("", "a step is a table, under its own line [[step]]")
        self._only(found, _STEP_KEYS)
        position = self._try("position", lambda: RULES[game].read(self._words(found, "position")))
        marks = tuple(
            self._try("marks", lambda word=word: read_mark(word, position))  # type: ignore[misc]
            for word in self._list(found, "marks")
        )
        text = self._words(found, "text")
        if "task" not in found:
            extra = sorted(_TASK_KEYS & set(found))
            if extra:
                self._refuse(extra[0], f"{extra[0]} needs a task in the same step")
            return Step(text, position, marks, line=self._line(""))
        return self._read_task(found, text, position, marks)

    def _read_task(self, found: Mapping[str, Any], text: str, position: Position, marks: Any) -> Step:
        if position.outcome() is not None:
            self._refuse("position", "the game is over here, so there is no task")
        accept = self._moves(found, "accept", position)
        if not accept:
            self._refuse("accept", "a task needs at least one accepted move")
        also = self._moves(found, "also", position)
        wrong = self._wrong(found.get("wrong", {}), position)
        for move in (*also, *wrong):
            if move in accept or (move in also and move in wrong):
                self._refuse("wrong" if move in wrong else "also", f"{move} is listed twice")
        first = position.play(position.parse(accept[0]))
        return Step(
            text=text,
            position=position,
            marks=marks,
            task=self._words(found, "task"),
            goal=self._try("goal", lambda: Goal.parse(self._words(found, "goal"))),
            accept=accept,
            right=self._words(found, "right"),
            then=self._line_of(found.get("then", ""), first, "then"),
            also=also,
            also_right=self._words(found, "also_right") if also else "",
            wrong=wrong,
            line=self._line(""),
        )

    def _moves(self, found: Mapping[str, Any], key: str, position: Position) -> tuple[str, ...]:
        """Return a list of moves as `format` writes them."""
        return tuple(
            self._try(key, lambda word=word: position.format(position.parse(word)))  # type: ignore[misc]
            for word in self._list(found, key)
        )

    def _wrong(self, found: Any, position: Position) -> dict[str, Refutation]:
        if not isinstance(found, dict):
            self._refuse("wrong", "wrong must be a table of moves, such as 6 = 'what to say'")
        read = {}
        for word, told in found.items():
            move = self._try(word, lambda word=word: position.parse(word))  # type: ignore[misc]
            table = {"say": told} if isinstance(told, str) else told
            if not isinstance(table, dict) or set(table) - {"say", "line"} or not isinstance(table.get("say"), str):
                self._refuse(word, "a wrong move needs a string, or { say = 'text', line = 'moves' }")
            line = self._line_of(table.get("line", ""), position.play(move), word)
            read[position.format(move)] = Refutation(table["say"].strip(), line)
        return read

    def _line_of(self, text: Any, position: Position, key: str) -> tuple[str, ...]:
        """Return a line of moves from this position as `format` writes them."""
        if not isinstance(text, str):
            self._refuse(key, "a line of moves is a string, such as '4 2 5'")
        moves = []
        for word in rules_of(position).words(text):
            move = self._try(key, lambda word=word, at=position: at.parse(word))  # type: ignore[misc]
            moves.append(position.format(move))
            position = position.play(move)
        return tuple(moves)

    def _words(self, found: Mapping[str, Any], key: str) -> str:
        value = found.get(key)
        if not isinstance(value, str) or not value.strip():
            self._refuse(key if key in found else "", f"{key} is missing or empty: it must be a string with words")
        return " ".join(value.split())

    def _list(self, found: Mapping[str, Any], key: str) -> Sequence[str]:
        value = found.get(key, [])
        if not isinstance(value, list) or not all(isinstance(word, str) for word in value):
            self._refuse(key, f"{key} is a list of strings, such as ['4']")
        return list(value)

    def _only(self, found: Mapping[str, Any], known: set[str]) -> None:
        unknown = sorted(set(found) - known)
        if unknown:
            self._refuse(unknown[0], f"there is no key {unknown[0]!r} here; the keys are {', '.join(sorted(known))}")

    def _try(self, key: str, read: Callable[[], Read]) -> Read:
        try:
            return read()
        except IllegalMoveError as error:
            self._refuse(key, f"{error.move} is not a legal move here: {error.reason}")
        except LessonError:
            raise
        except OutplayError as error:
            self._refuse(key, str(error))

    def _line(self, key: str) -> int:
        """Return the line of a key in the step that is being read; the line of the step if the key is not found."""
        lines = self._text.splitlines()
        first = self._heads[self._step - 1] if 0 < self._step <= len(self._heads) else 1
        last = self._heads[self._step] - 1 if self._step < len(self._heads) else len(lines)
        if key:
            for number in range(first, last + 1):
                if re.match(rf"\s*[\"']?{re.escape(key)}[\"']?\s*=|\s*\[step\.{re.escape(key)}\]", lines[number - 1]):
                    return number
        return first

    def _refuse(self, key: str, reason: str) -> NoReturn:
        raise LessonError(key, reason, f"{self._source}, line {self._line(key)}")
