"""Make the JSON of the course."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from outplay.lab.course import COURSE, COURSE_TITLE, CourseQuestion, CourseRung, CourseStep, GuidedRun, guided
from outplay.lab.course.moments import CourseMoment, CourseNode
from outplay.lab.narrate import bound_text
from outplay.lab.techniques import Techniques
from outplay.rules import rules_of
from outplay.store.progress import LessonProgress
from outplay.web import board
from outplay.web.lab import course_wire as wire
from outplay.web.wire import GameName

Progress = Mapping[str, LessonProgress]


def course_view(progress: Progress) -> wire.LabCourse:
    rungs = [rung_entry(rung, progress) for rung in COURSE]
    return wire.LabCourse(title=COURSE_TITLE, done=sum(rung.state == "done" for rung in rungs), rungs=rungs)


def rung_entry(rung: CourseRung, progress: Progress) -> wire.RungEntry:
    return _entry(rung, guided(rung).steps, progress.get(rung.key, LessonProgress()))


def _entry(rung: CourseRung, steps: tuple[CourseStep, ...], mine: LessonProgress) -> wire.RungEntry:
    done = {number for number in mine.done if number <= len(steps)}
    asked = {number for number in done if steps[number - 1].question is not None}
    return wire.RungEntry(
        name=rung.name,
        number=_place(rung),
        title=rung.title,
        summary=rung.summary,
        steps=len(steps),
        done=len(done),
        state="done" if len(done) == len(steps) else "begun" if done else "new",
        at=min(mine.at, len(steps)),
        asked=len(asked),
        right=len(asked & mine.right),
    )


def _place(rung: CourseRung) -> int:
    """Return the place of a rung in the course, from 1."""
    return next(number for number, one in enumerate(COURSE, 1) if one.name == rung.name)


def rung_view(rung: CourseRung, progress: Progress) -> wire.RungView:
    place, mine = _place(rung), progress.get(rung.key, LessonProgress())
    following = rung_entry(COURSE[place], progress) if place < len(COURSE) else None
    return run_view(guided(rung), mine, following)


def run_view(found: GuidedRun, mine: LessonProgress, following: wire.RungEntry | None = None) -> wire.RungView:
    rung = found.rung
    position = found.run.nodes[0].position
    has_window = Techniques.of(rung.techniques).alphabeta
    width, height = rules_of(position).size(position)
    return wire.RungView(
        rung=_entry(rung, found.steps, mine),
        following=following,
        game=cast(GameName, rung.game),
        width=width,
        height=height,
        sides=list(found.run.sides),
        first=1 if position.side else 0,
        depth=found.run.depth,
        has_window=has_window,
        docs=rung.docs,
        program=[text for text, _ in found.run.program.lines],
        nodes=[_node(node, found) for node in found.run.nodes],
        moments=[_moment(moment, has_window=has_window) for moment in found.run.moments],
        steps=[_step(number, step, mine) for number, step in enumerate(found.steps, 1)],
        claim=[
            wire.ClaimLine(title=row.title, nodes=row.nodes, move=row.move, value=row.value, truth=row.truth)
            for row in found.claim.rows
        ],
    )


def prediction_view(question: CourseQuestion, answer: str, rung: wire.RungEntry) -> wire.Prediction:
    is_right = question.judge(answer)
    headline = question.right if is_right else question.wrong
    return wire.Prediction(is_right=is_right, headline=headline, sentence=question.why, rung=rung)


def _node(node: CourseNode, found: GuidedRun) -> wire.RunNode:
    path: list[int] = []
    if node.parent is not None and node.move is not None:
        before = found.run.nodes[node.parent].position
        path = board.path_of(before, before.parse(node.move))
    return wire.RunNode(
        id=node.id,
        parent=node.parent,
        move=node.move,
        ply=node.ply,
        search=node.search,
        board=board.board_text(node.position),
        path=path,
    )


def _moment(moment: CourseMoment, *, has_window: bool) -> wire.RunMoment:
    windows = moment.open if has_window else ()
    return wire.RunMoment(
        line=moment.line,
        at=moment.at,
        words=moment.words,
        open=[wire.RunWindow(id=one.id, alpha=bound_text(one.alpha), beta=bound_text(one.beta)) for one in windows],
        changes=[wire.RunChange(id=one.id, stage=one.stage, label=one.label) for one in moment.changes],
        board=None if moment.end is None else board.board_text(moment.end),
    )


def _step(number: int, step: CourseStep, mine: LessonProgress) -> wire.RungStep:
    options = () if step.question is None else step.question.options
    is_done = number in mine.done
    return wire.RungStep(
        number=number,
        kind=step.kind,
        title=step.title,
        text=step.text,
        moment=step.moment,
        options=[wire.StepOption(key=key, text=text) for key, text in options],
        is_done=is_done,
        is_right=number in mine.right if is_done and step.question is not None else None,
    )
