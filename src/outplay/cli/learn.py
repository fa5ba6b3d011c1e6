"""`outplay learn`: the lessons, and a check for lessons of your own."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from outplay.cli.answer import help_if_alone, say_json
from outplay.cli.arguments import Json
from outplay.cli.failure import FAILED
from outplay.cli.terminal import has_app, has_screen, open_page
from outplay.errors import NotationError
from outplay.notation.any import counted


def _open_if_alone(context: typer.Context) -> None:
    """Open the lessons in the terminal app; without a terminal or without the app, print the help."""
    if context.invoked_subcommand is None and has_app() and has_screen():
        open_page("learn")
    else:
        help_if_alone(context)


learn = typer.Typer(
    name="learn",
    invoke_without_command=True,
    callback=_open_if_alone,
    help="Lessons: open them in the terminal, list them, and check lessons of your own.",
)

Own = Annotated[
    Path | None, typer.Option("--lessons", metavar="FOLDER", help="A folder of lessons of your own. Default: none.")
]


@learn.command("list")
def list_lessons(
    lessons: Own = None,
    table: Annotated[
        bool, typer.Option("--table", help="Answer with a table in Markdown. Default: one line for each lesson.")
    ] = False,
    json: Json = False,
) -> None:
    """List the lessons of both games, in order.

    [bold]Example[/bold]

    outplay learn list
    """
    from outplay.learn import Courses
    from outplay.learn.tables import lesson_table

    found = list(Courses(lessons))
    if table:
        typer.echo(lesson_table(found))
        return
    if json:
        rows = [
            {"lesson": each.key, "title": each.title, "summary": each.summary, "steps": len(each.steps)}
            for each in found
        ]
        say_json(rows)
        return
    for each in found:
        typer.echo(f"{each.key:<36} {len(each.steps)} steps  {each.title}: {each.summary}")


@learn.command()
def check(
    file: Annotated[
        Path | None,
        typer.Argument(metavar="FILE", help="A lesson, or a folder of lessons. Default: those that come with outplay."),
    ] = None,
    tables: Annotated[
        Path | None,
        typer.Option(
            "--tables",
            metavar="FOLDER",
            exists=True,
            file_okay=False,
            help="Folder of endgame tables, for tasks with five pieces. Default: the tables that come with outplay.",
        ),
    ] = None,
) -> None:
    """Read lessons and prove their tasks: every accepted move reaches the goal, and no other move does.

    Each fault is printed with its file, its line and the reason; then the exit code is 1.

    [bold]Example[/bold]

    outplay learn check
    """
    from outplay.learn.check import check_lesson
    from outplay.learn.courses import Courses, lessons_in, shipped_lessons
    from outplay.learn.proof import Prover

    Courses(file)  # refuses a lesson with the name of another one, as `serve --lessons` does
    lessons = shipped_lessons() if file is None else lessons_in(file)
    if not lessons:
        raise NotationError(str(file), "there is no lesson in it")
    prover = Prover(tables=tables)
    faults = [fault for lesson in lessons for fault in check_lesson(lesson, prover)]
    for fault in faults:
        typer.echo(fault, err=True)
    steps = sum(step.has_task for lesson in lessons for step in lesson.steps)
    typer.echo(f"{counted(len(lessons), 'lesson')} with {counted(steps, 'task')}: {counted(len(faults), 'fault')}")
    if faults:
        raise typer.Exit(FAILED)
