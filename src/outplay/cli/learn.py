"""`outplay learn`: the lessons in the terminal."""

from __future__ import annotations

import typer

from outplay.cli.terminal import NEEDS, has_app, has_screen, open_page


def learn() -> None:
    """Open the lessons in the terminal app.

    [bold]Examples[/bold]

    outplay learn
    """
    if not has_app():
        raise typer.BadParameter(NEEDS)
    if not has_screen():
        raise typer.BadParameter("the lessons need a terminal: outplay serve shows them in a browser")
    open_page("learn")
