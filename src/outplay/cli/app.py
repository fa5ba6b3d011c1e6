"""All commands. A new one is a function (or a `Typer` with several commands) in its own file, and is added to COMMANDS.

Every command imports the files of all commands, so heavy imports belong inside the functions.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

import typer

from outplay import __version__
from outplay.cli.analyse import analyse
from outplay.cli.answer import help_if_alone
from outplay.cli.backup import backup, restore
from outplay.cli.book import book
from outplay.cli.data import data
from outplay.cli.failure import Commands
from outplay.cli.games import games
from outplay.cli.hub import hub
from outplay.cli.lab import lab
from outplay.cli.learn import learn
from outplay.cli.match import match
from outplay.cli.perft import perft
from outplay.cli.play import play
from outplay.cli.puzzles import puzzles
from outplay.cli.review import review
from outplay.cli.serve import serve
from outplay.cli.show import show
from outplay.cli.solve import solve
from outplay.cli.tablebase import tablebase
from outplay.cli.terminal import NEEDS, has_app, has_screen, open_page
from outplay.cli.tour import tour
from outplay.cli.tournament import tournament
from outplay.cli.train import train

COMMANDS: tuple[Callable[..., Any] | typer.Typer, ...] = (
    play,
    learn,
    serve,
    show,
    solve,
    analyse,
    review,
    games,
    lab,
    puzzles,
    match,
    tournament,
    hub,
    tablebase,
    book,
    train,
    data,
    perft,
    backup,
    restore,
    tour,
)
"""All commands, in the order of the help."""

app = typer.Typer(
    cls=Commands,
    context_settings={"help_option_names": ["-h", "--help"]},
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"outplay {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def outplay(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", help="Print the version.", callback=_print_version, is_eager=True)
    ] = False,
    plain: Annotated[
        bool,
        typer.Option(
            "--plain", help="Play in plain text, line by line, for example with a screen reader. Default: the app."
        ),
    ] = False,
) -> None:
    """Connect Four and checkers: play, solve, analyse, teach and build.

    In a terminal, outplay without arguments opens the app. New here? Type: outplay tour
    """
    if context.invoked_subcommand is None and plain:
        context.invoke(play, plain=True)
    elif context.invoked_subcommand is None and has_screen() and has_app():
        open_page("play")
    else:
        help_if_alone(context)
        if context.invoked_subcommand is None and has_screen():
            typer.echo(f"outplay: {NEEDS}", err=True)


for command in COMMANDS:
    if isinstance(command, typer.Typer):
        app.add_typer(command)
    else:
        app.command()(command)
