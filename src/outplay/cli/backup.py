"""`outplay backup` and `outplay restore`: the saved games as one file, and back."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from outplay.cli.answer import say_json
from outplay.cli.arguments import Json
from outplay.notation.any import counted

Database = Annotated[
    str | None,
    typer.Option(
        metavar="URL",
        help="A path for SQLite or a postgresql:// URL. Default: the file in your data folder, as for outplay serve.",
    ),
]


def backup(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", dir_okay=False, help="The backup to write; an older backup is replaced.")
    ],
    db: Database = None,
    json: Json = False,
) -> None:
    """Write all saved games into one file. The server may run meanwhile.

    [bold]Examples[/bold]

    outplay backup games-monday.backup
    outplay backup school.backup --db postgresql://outplay@localhost/outplay
    """
    from outplay.store.backup import backup

    made = backup(file, db)
    if json:
        say_json({"file": str(file), "games": made.games, "database": made.database})
    else:
        typer.echo(f"{file}: {counted(made.games, 'game')} of {made.database}")


def restore(
    file: Annotated[Path, typer.Argument(metavar="FILE", dir_okay=False, help="A backup made by outplay backup.")],
    db: Database = None,
    replace: Annotated[
        bool,
        typer.Option(
            "--replace",
            help="Replace the games in the database. A database file that cannot be opened is renamed and kept. "
            "Default: refuse if there are games.",
        ),
    ] = False,
    json: Json = False,
) -> None:
    """Restore the games of a backup, all or none. Stop the server first.

    The backup may come from another kind of database: this is also how games move from SQLite to PostgreSQL.

    [bold]Examples[/bold]

    outplay restore games-monday.backup
    outplay restore games-monday.backup --db postgresql://outplay@localhost/outplay --replace
    """
    from outplay.store.backup import restore

    done = restore(file, db, replace=replace)
    if json:
        aside = None if done.aside is None else str(done.aside)
        say_json({"file": str(file), "games": done.games, "database": done.database, "aside": aside})
        return
    typer.echo(f"{counted(done.games, 'game')} restored from {file} into {done.database}")
    if done.aside is not None:
        typer.echo(f"The old file could not be opened. It is kept as {done.aside}")
