"""`outplay show`: draw a position, and say whose move it is and what can be played."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from outplay.cli.answer import board, say_json, sentence, whole_file
from outplay.cli.arguments import GivenGame, GivenPosition, Json, Size, read_given
from outplay.rules import Position, rules_of


def show(
    game: GivenGame = None,
    position: GivenPosition = None,
    size: Size = None,
    svg: Annotated[
        Path | None,
        typer.Option(
            "--svg", metavar="FILE", help="Draw the board into a file; - is standard output. Default: no picture."
        ),
    ] = None,
    ascii: Annotated[  # noqa: A002
        bool, typer.Option("--ascii", help="Draw with ASCII characters only. Default: only if the terminal needs it.")
    ] = False,
    json: Json = False,
) -> None:
    """Show a position: the board, whose move it is and what can be played.

    [bold]Examples[/bold]

    outplay show connect4 4453                     after four moves
    outplay show connect4 44 --size 8x8 --ascii    another board, plain letters
    outplay show '11-15 22-18'                     the game is guessed
    outplay show checkers start --json
    outplay show - < game.pdn                      the last position of a game in a file
    outplay show checkers 'B:W18,24,27,K10:B12,16' --svg board.svg
    outplay show connect4 ......./......./......./......./...2.../..211..
    """
    _, read = read_given(game, position, size)
    picture = None
    if svg is not None:
        picture = read._repr_svg_()
        if str(svg) != "-":
            with whole_file(svg) as file:
                file.write(picture + "\n")
            picture = str(svg)
    if json:
        say_json(view(read) | ({} if picture is None else {"svg": picture}))
    else:
        typer.echo(picture or f"{board(read, ascii=ascii)}\n{sentence(read)}\n{read.fen()}")


def view(position: Position) -> dict[str, Any]:
    """Return a position as JSON shows it; columns count from 1, as in text."""
    rules, outcome = rules_of(position), position.outcome()
    return {
        "game": rules.name,
        "fen": position.fen(),
        "side": rules.side_name(position.side),
        "moves": [position.format(move) for move in position.legal_moves()],
        "outcome": None
        if outcome is None
        else {
            "winner": None if outcome.winner is None else rules.side_name(outcome.winner),
            "reason": outcome.reason,
            "lines": outcome.lines,
        },
        "board": board(position, ascii=True).splitlines(),
    }
