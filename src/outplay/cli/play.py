"""`outplay play`: a game in the terminal."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from outplay.cli.answer import say_json
from outplay.cli.arguments import Json, PositionOption, Size, check_size, typed_or_piped
from outplay.cli.terminal import NEEDS, has_app, has_screen, play_on_screen
from outplay.notation import read_size

PlayerOption = Annotated[
    str | None,
    typer.Option(
        metavar="PLAYER",
        help="human, random, level:N, lab:NAME, hub:COMMAND or FILE.py:FUNCTION. "
        "Default: the app's usual ones; in plain text, a menu asks.",
    ),
]


def play(
    game: Annotated[
        Literal["connect4", "checkers"] | None,
        typer.Argument(
            metavar="GAME", help="connect4 or checkers. Default: the game of --position, or the program asks."
        ),
    ] = None,
    plain: Annotated[
        bool,
        typer.Option(
            "--plain",
            help="Play in plain text, by questions and answers. Default: the app, if this is a terminal.",
        ),
    ] = False,
    words: Annotated[
        bool, typer.Option("--words", help="Like --plain, with boards in words, for a screen reader. Default: drawn.")
    ] = False,
    first: PlayerOption = None,
    second: PlayerOption = None,
    position: PositionOption = "start",
    size: Size = None,
    seed: Annotated[
        int | None, typer.Option(help="Seed of the engines' choices. Default: a new one each time.")
    ] = None,
    time_ms: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=3_600_000,
            help="Time to think about a move, in milliseconds. Default: 2500 if there is no other limit.",
        ),
    ] = None,
    depth: Annotated[
        int | None, typer.Option(min=1, max=100, help="Number of plies that engines look ahead. Default: no limit.")
    ] = None,
    nodes: Annotated[
        int | None, typer.Option(min=1, help="Number of positions that engines look at. Default: no limit.")
    ] = None,
    no_progress: Annotated[
        Literal["official", "classroom", "none"],
        typer.Option(
            help="When checkers is drawn: after 80 plies without a capture or a move of a man (official), "
            "after 100 without a capture (classroom), or never (none)."
        ),
    ] = "official",
    json: Json = False,
) -> None:
    """Play Connect Four or checkers in the terminal.

    In a terminal this opens the app at the game. In a pipe, and with --plain, a menu asks who plays, unless both
    players are named; if you name one engine, the menu calls it the AI. With --json, two engines play one game, and the
    answer is that game.

    [bold]Examples[/bold]

    outplay play connect4                             play against the AI or another person
    outplay play checkers --plain                     by questions and answers
    outplay play checkers --words                     the same, with the board in words
    outplay play checkers --second lab:material,depth=6
    outplay play connect4 --first lab:minimax --second mybot.py:play --seed 1
    outplay play connect4 --position 4453 --depth 6
    outplay play checkers --first random --second random --seed 1 --json
    """
    from outplay.cli.plain.program import PlayOptions
    from outplay.cli.plain.start import play_once, run
    from outplay.engine.types import Limit
    from outplay.live import DEFAULT_TIME_MS
    from outplay.players import player

    check_size(game, size)
    if position == "-":
        if not json:
            raise typer.BadParameter("- needs --json: standard input is for your answers", param_hint="--position")
        position = typed_or_piped(position)
    if time_ms is None and depth is None and nodes is None:
        time_ms = DEFAULT_TIME_MS
    options = PlayOptions(
        first=None if first is None else player(first, seed=seed),
        second=None if second is None else player(second, seed=seed),
        position=position,
        size=None if size is None else read_size(size),
        seed=seed,
        time_ms=time_ms,
        limit=Limit(depth=depth, nodes=nodes),
        no_progress=no_progress,
        has_words=words,
    )
    if not json and not plain and not words and has_screen():
        if has_app():
            play_on_screen(game, options)
            return
        typer.echo(f"outplay: {NEEDS}; the game goes on here, line by line", err=True)
    if not json:
        run(game, options)
    elif game is None or not options.has_both:
        raise typer.BadParameter("--json needs a game and two engines: --first and --second")
    else:
        say_json(play_once(game, options))
