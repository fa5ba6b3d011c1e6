"""Tables for the documentation: lessons, and puzzles by theme and grade."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from outplay.learn.lesson import Lesson
from outplay.learn.puzzle import GRADES, PREFIXES, GradedPuzzle
from outplay.learn.themes import THEMES
from outplay.rules import RULES


def puzzle_table(puzzles: Sequence[GradedPuzzle]) -> str:
    """Count puzzles by theme and grade, in Markdown.

    A puzzle with two themes is in two rows; the last row is the total.
    """
    lines = []
    for game in PREFIXES:
        mine = [puzzle for puzzle in puzzles if puzzle.game == game]
        if not mine:
            continue
        heads = [RULES[game].title, *(f"grade {grade}" for grade in GRADES), "all"]
        lines += [_row(heads), _row(["---", *("---:" for _ in heads[1:])])]
        for theme, title in THEMES[game].items():
            lines.append(_row([title, *_counts([puzzle for puzzle in mine if theme in puzzle.themes])]))
        lines += [_row(["all", *_counts(mine)]), ""]
    return "\n".join(lines).rstrip()


def _counts(puzzles: Sequence[GradedPuzzle]) -> list[str]:
    return [*(str(sum(puzzle.grade == grade for puzzle in puzzles)) for grade in GRADES), str(len(puzzles))]


def lesson_table(lessons: Iterable[Lesson]) -> str:
    """List lessons with their steps, in Markdown."""
    rows = [_row(["lesson", "about", "steps"]), _row(["---", "---", "---:"])]
    rows += [_row([f"{RULES[each.game].title}: {each.title}", each.summary, str(len(each.steps))]) for each in lessons]
    return "\n".join(rows)


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"
