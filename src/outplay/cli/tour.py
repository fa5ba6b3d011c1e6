"""`outplay tour`: what outplay is, on one screen."""

from __future__ import annotations

from itertools import zip_longest
from time import perf_counter
from typing import Any

import typer

from outplay import __version__
from outplay.cli.answer import board, say_json, sentence
from outplay.cli.arguments import Json
from outplay.errors import IllegalMoveError
from outplay.rules import RULES, Position

NEXT = {
    "play": ("outplay play", "a game against the computer"),
    "serve": ("outplay serve", "the same and more in your browser"),
    "show": ("outplay show connect4 4453", "any position"),
    "games": ("outplay games FILE.pdn", "a file of games: list, check, convert"),
    "perft": ("outplay perft checkers 11", "count 85 million games"),
    "match": ("outplay match checkers level:3 level:2", "which of two players is stronger, and by how much"),
    "lab": ("outplay lab compare connect4 start", "see what each search technique is worth"),
}
"""What to type next, by command; only commands that exist are shown."""

OPENING, REFUSED, DEPTH = ("11-15", "22-18"), "8-11", 9


def tour(context: typer.Context, json: Json = False) -> None:
    """Look around: both boards, a refused move and its rule, the speed, and what to type next.

    [bold]Examples[/bold]

    outplay tour
    outplay tour --json
    """
    found = facts()
    known = getattr(context.find_root().command, "commands", {})
    commands = [line for name, line in NEXT.items() if name in known]
    if json:
        say_json(found | {"next": [command for command, _ in commands]})
    else:
        _show(found, commands)


def facts() -> dict[str, Any]:
    """Return what the tour shows: a position of each game, a move that is refused, and how fast moves are counted."""
    connect4 = RULES["connect4"].read("4453")
    checkers = RULES["checkers"].start()
    for text in OPENING:
        checkers = checkers.play(checkers.parse(text))
    started = perf_counter()
    nodes = RULES["checkers"].start().perft(DEPTH)
    seconds = perf_counter() - started
    return {
        "version": __version__,
        "connect4": {"fen": connect4.fen(), "board": board(connect4).splitlines(), "text": sentence(connect4)},
        "checkers": {"fen": checkers.fen(), "board": board(checkers).splitlines(), "text": sentence(checkers)},
        "refused": {"move": REFUSED, "reason": _why_refused(checkers, REFUSED)},
        "perft": {"game": "checkers", "depth": DEPTH, "nodes": nodes, "seconds": seconds},
    }


def _why_refused(position: Position, text: str) -> str:
    try:
        position.parse(text)
    except IllegalMoveError as error:
        return error.reason
    raise AssertionError("the example is a move that the rules forbid")


def _show(found: dict[str, Any], commands: list[tuple[str, str]]) -> None:
    from rich.console import Console
    from rich.text import Text

    console = Console(highlight=False)
    pairs = zip_longest(["", *found["connect4"]["board"]], found["checkers"]["board"], fillvalue="")
    perft, refused = found["perft"], found["refused"]
    speed = perft["nodes"] / max(perft["seconds"], 1e-9) / 1e6

    console.print(f"[bold]outplay {found['version']}[/bold]: Connect Four and checkers\n")
    console.print(f"   {'After 4453':20}After {' '.join(OPENING)}", style="dim")
    for left, right in pairs:
        line = Text(f"   {left:20}{right}")
        line.highlight_regex("○|x", "red")
        line.highlight_regex("●|o", "yellow")
        console.print(line)
    console.print(f"\nConnect Four: {found['connect4']['text']}\nCheckers: {found['checkers']['text']}")
    console.print(f"{refused['move']} is refused: {refused['reason']}.")
    console.print(f"{perft['nodes']:,} games of {perft['depth']} plies counted: {speed:,.0f} million a second.")
    console.print("\n[bold]Type next[/bold]")
    for command, meaning in [*commands, ("outplay --help", "everything else")]:
        console.print(f"   {command:36}[dim]{meaning}[/dim]")
