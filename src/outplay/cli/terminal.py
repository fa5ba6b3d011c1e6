"""Open the terminal app, if there is a terminal for it."""

from __future__ import annotations

import os
import sys
from importlib.util import find_spec
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from outplay.cli.plain.program import PlayOptions
    from outplay.tui.start import AppStart

NEEDS = "the terminal app needs more packages: pip install 'outplay[tui]'"


def has_screen() -> bool:
    """Return whether standard input and output are a terminal on which the app can draw."""
    is_terminal = sys.stdin.isatty() and sys.stdout.isatty()
    return is_terminal and os.environ.get("TERM", "dumb") != "dumb"


def has_app() -> bool:
    """Return whether the packages of the terminal app are installed."""
    return all(find_spec(name) is not None for name in ("textual", "sqlalchemy", "alembic"))


def open_app(start: AppStart) -> None:
    """Run the app until the player leaves."""
    from outplay.tui.app import run

    code = run(start)
    if code:
        raise typer.Exit(code)


def open_page(page: str) -> None:
    """Open the app at a page."""
    from outplay.tui.start import AppStart

    open_app(AppStart(page=page))


def play_on_screen(game: str | None, options: PlayOptions, db: str | None = None) -> None:
    """Open the app at a game, with the players and the position that the command line names."""
    from outplay.tui.start import AppStart

    if options.position.strip() not in ("", "start"):
        game, options = options.at(options.position, game)
    name = game or "connect4"
    has_position = options.position.strip() not in ("", "start")
    open_app(
        AppStart(
            game=name,
            seats=(options.first, options.second),
            position=options.read(name) if has_position else None,
            size=options.size,
            time_ms=options.time_ms,
            limit=options.limit,
            seed=options.seed,
            no_progress=options.no_progress,
            db=db,
        )
    )
