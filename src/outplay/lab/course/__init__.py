"""The lab as a course: seven guided runs, each with its program, its tree, and predictions to make.

    rungs.py        the rungs: positions, texts, what each is compared with
    programs.py     the programs beside the tree
    moments.py      what a run consists of
    replay.py       a recorded search as moments; rounds.py: Monte Carlo
    questions.py    what will happen next?
    claims.py       what the technique gains, measured
    guided.py       all of it put together

>>> from outplay.lab.course import find_rung, guided
>>> run = guided(find_rung("alpha-beta"))
>>> run.claim.headline
'3.4 times fewer positions at depth 4'
"""

from outplay.lab.course.guided import CourseStep, GuidedRun, free_monte_carlo, guided
from outplay.lab.course.questions import CourseQuestion
from outplay.lab.course.rungs import COURSE, COURSE_TITLE, CourseRung, find_rung

__all__ = [
    "COURSE",
    "COURSE_TITLE",
    "CourseQuestion",
    "CourseRung",
    "CourseStep",
    "GuidedRun",
    "find_rung",
    "free_monte_carlo",
    "guided",
]
