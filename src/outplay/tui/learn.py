"""The page Learn: the lessons of both games, step by step, each on a live board."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from outplay.learn import Courses, Lesson, Step, judge_step, prover
from outplay.rules import RULES
from outplay.tui.exercise import ExercisePage

if TYPE_CHECKING:
    from outplay.store import Store


class LearnPage(ExercisePage):
    """A lesson on the board, and the list of all lessons."""

    name_of_page = "learn"
    help_text = """
A lesson is a few steps: read the text, and play the move that the task asks for, by key or mouse. A wrong try is
answered on the board; a shows the answer. n and b go to the next and the previous step; Tab goes to the list of
lessons, Enter opens one.
"""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("n", "step(1)", "Next step"),
        Binding("b", "step(-1)", "Step back"),
        Binding("tab", "list", "Lessons"),
    ]

    def __init__(self) -> None:
        super().__init__()
        self.courses = Courses()
        self.lesson: Lesson = next(iter(self.courses))
        self.number = 1
        self._done: dict[str, set[int]] = {}

    def compose_side(self) -> ComposeResult:
        yield from super().compose_side()
        yield OptionList(
            *(Option(self._title(lesson), id=self._option_id(lesson)) for lesson in self.courses), id="lessons"
        )

    @staticmethod
    def _option_id(lesson: Lesson) -> str:
        return lesson.key.replace("/", "-")

    def _title(self, lesson: Lesson) -> str:
        done = len(self._done.get(lesson.key, ()))
        return f"{RULES[lesson.game].title}: {lesson.title}  {done}/{len(lesson.steps)}"

    def on_mount(self) -> None:
        self.with_store(self._load)
        self.show()

    def _load(self, store: Store) -> None:
        from outplay.store.progress import lessons_of, person_here

        for key, progress in lessons_of(store, person_here(store)).items():
            self._done.setdefault(key, set()).update(progress.done)
        self.app.call_from_thread(self._show_titles)

    def _show_titles(self) -> None:
        lessons = self.query_one("#lessons", OptionList)
        for lesson in self.courses:
            lessons.replace_option_prompt(self._option_id(lesson), self._title(lesson))

    @property
    def step(self) -> Step:
        return self.lesson.steps[self.number - 1]

    def show(self) -> None:
        """Put the step on the board."""
        step = self.step
        cells = [cell for mark in step.marks for cell in mark.cells]
        self.put(step.position, cells, step.accept[0] if step.has_task else "")
        head = f"{self.lesson.title}, step {self.number} of {len(self.lesson.steps)}"
        self.query_one("#text", Static).update(Text.assemble((head, "bold"), f"\n\n{step.text}"))
        self.say(step.task or "Read, then n goes on.")
        if not step.has_task:
            self._finish()

    def judge(self, text: str) -> ExercisePage.Answered:
        step = self.step
        found = judge_step(step, text, prover())
        known = f" {found.label}, {found.known}." if found.label else ""
        said = f"{found.headline}. {found.sentence}{known}"
        return self.Answered(said, step.position, found.line, is_right=found.is_right)

    def after(self, message: ExercisePage.Answered) -> None:
        if message.is_right:
            self._finish()
            self.say(f"{message.said} n goes on.")
        else:
            self.action_again()
            self.say(f"{message.said} Try again, or press h for a hint.")

    def _finish(self) -> None:
        """Remember that the step is done."""
        lesson, number = self.lesson, self.number
        done = self._done.setdefault(lesson.key, set())
        if number in done:
            return
        done.add(number)
        self._show_titles()
        at = min(number + 1, len(lesson.steps))

        def write(store: Store) -> None:
            from outplay.store.progress import LessonProgress, lessons_of, person_here, save_lesson

            person = person_here(store)
            before = lessons_of(store, person).get(lesson.key, LessonProgress())  # a browser may be further
            save_lesson(store, person, lesson.key, LessonProgress(before.done | {number}, at))

        self.with_store(write)

    def action_step(self, step: int) -> None:
        """Go to the next or the previous step; after the last step comes the next lesson."""
        number = self.number + step
        if 1 <= number <= len(self.lesson.steps):
            self.number = number
        else:
            lessons = list(self.courses)
            place = lessons.index(self.lesson) + step
            if not 0 <= place < len(lessons):
                self.say("This is the end of the lessons: F2 plays a game.")
                return
            self.lesson, self.number = lessons[place], 1
        self.show()

    def action_solution(self) -> None:
        if self.step.has_task:
            self.enter(self.step.accept[0])

    def action_list(self) -> None:
        self.set_focus(self.query_one("#lessons", OptionList))

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Open a lesson at the first step that is not done."""
        self.lesson = next(lesson for lesson in self.courses if self._option_id(lesson) == event.option_id)
        done = self._done.get(self.lesson.key, set())
        self.number = next((each for each in range(1, len(self.lesson.steps) + 1) if each not in done), 1)
        self.show()
