"""`outplay games`: list, check and convert files of games. PDN is read as a stream, so a file may be of any length."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from outplay.cli.answer import as_json, say_json, styled, whole_file
from outplay.cli.arguments import Json, say_guess
from outplay.cli.failure import as_dict
from outplay.errors import EXIT_CODES, NotationError
from outplay.notation import Entry, outcome_of, result_text, write
from outplay.notation.any import read_file
from outplay.record import AnyGame

Target = Literal["pdn", "json", "fen"]


def games(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="Games in PDN or JSON, moves or positions; - reads standard input.")
    ],
    check: Annotated[
        bool, typer.Option("--check", help="List only what is wrong or unusual. Default: list all games.")
    ] = False,
    to: Annotated[
        Target | None,
        typer.Option(
            "--to", help="Format to convert the readable games into. Default: list the games; with --output, pdn."
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="File for the converted games, in the format of --to. Default: print to standard output.",
        ),
    ] = None,
    game: Annotated[
        Literal["connect4", "checkers"] | None,
        typer.Option("--game", help="Game that is played, if the file does not say which. Default: guessed."),
    ] = None,
    json: Json = False,
) -> None:
    """List, check or convert a file of games. The exit code is 3 if one of them cannot be read.

    [bold]Examples[/bold]

    outplay games tinsley.pdn                      list them
    outplay games tinsley.pdn --check              what is wrong, and where
    outplay games old.pdn --to pdn -o clean.pdn    write them in the strict form
    outplay games old.pdn --to fen                 the last position of each
    outplay games - --json < old.pdn
    """
    if check and (to or output):
        raise typer.BadParameter("--check writes no file: leave out --to and --output", param_hint="--check")
    if json and to in ("pdn", "fen") and output is None:
        raise typer.BadParameter(f"the answer would be {to} and not JSON: name a file with --output", param_hint="--to")
    book = GameCount("standard input" if str(file) == "-" else str(file))
    with nullcontext(typer.get_binary_stream("stdin")) if str(file) == "-" else file.open("rb") as source:
        found = read_file(source, game, name=book.name)
        entries = book.counted(iter(found))
        if output is not None:
            with whole_file(output) as written:
                written.writelines(_converted(book, entries, to or "pdn", is_quiet=json))
            summary = f"{output}: {book.sentence('written')}"
            say_json(book.summary() | {"output": str(output)}) if json else typer.echo(summary)
        elif check:
            _say(_checked(book, entries, json))
        elif to or json:
            _say(_converted(book, entries, to or "json", is_quiet=json))
        else:
            _say(_listed(book, entries))
    if found.is_guess:
        say_guess(found.what)
    if book.bad:
        raise typer.Exit(EXIT_CODES[NotationError])


@dataclass
class GameCount:
    """Counts the games of a file while it is read."""

    name: str
    good: int = 0
    bad: int = 0

    def counted(self, entries: Iterator[Entry]) -> Iterator[Entry]:
        for entry in entries:
            self.good += entry.error is None
            self.bad += entry.error is not None
            yield entry

    def summary(self) -> dict[str, Any]:
        return {"file": self.name, "good": self.good, "bad": self.bad}

    def sentence(self, done: str = "read") -> str:
        """Return the counts in words; `done` says what was done with the good games."""
        games = f"{self.good} {'game' if self.good == 1 else 'games'}"
        return f"{games} {done}, {self.bad} cannot be read" if self.bad else games

    def document(self, title: str, entries: Iterator[Entry]) -> Iterator[str]:
        """Write one JSON object: an entry per line, the summary last."""
        yield f'{{"{title}": ['
        for number, entry in enumerate(entries):
            yield (",\n" if number else "\n") + as_json(_view(entry))
        yield "\n], " + as_json(self.summary()).removeprefix("{") + "\n"


def _say(pieces: Iterator[str]) -> None:
    for piece in pieces:
        typer.echo(piece, nl=False)


def _listed(book: GameCount, entries: Iterator[Entry]) -> Iterator[str]:
    for entry in entries:
        if entry.game is None:
            yield _failed(entry)
        else:
            plies = len(entry.game.main_line())
            yield f"{entry.number:5}  {result_text(entry.game):7} {plies:4} plies  {_title(entry.game)}\n"
    yield f"{book.sentence()}\n"


def _checked(book: GameCount, entries: Iterator[Entry], json: bool) -> Iterator[str]:
    problems = (entry for entry in entries if entry.error or entry.notes)
    if json:
        yield from book.document("problems", problems)
        return
    for entry in problems:
        yield _failed(entry) if entry.error else ""
        yield from (f"{entry.number:5}  {note}\n" for note in entry.notes)
    yield f"{book.sentence()}\n"


def _failed(entry: Entry) -> str:
    assert entry.error is not None
    place = f"line {entry.error.line}" + (f", ply {entry.error.ply}" if entry.error.ply is not None else "")
    return styled(f"{entry.number:5}  {place}: {entry.error.reason}", "red") + "\n"


def _title(game: AnyGame) -> str:
    players = [game.headers.get(side, "") for side in game.rules.sides]
    event = game.headers.get("Event", "")
    return ", ".join(filter(None, [" - ".join(name or "?" for name in players) if any(players) else "", event]))


def _converted(book: GameCount, entries: Iterator[Entry], to: Target, is_quiet: bool) -> Iterator[str]:
    if to == "json":
        yield from book.document("games", entries)
        return
    for entry in entries:
        if entry.game is None:
            if not is_quiet:
                typer.echo(f"outplay: {entry.error}", err=True)
        elif to == "fen":
            yield f"{[entry.game.start, *(node.position for node in entry.game.main_line())][-1].fen()}\n"
        else:
            yield ("\n" if book.good > 1 else "") + write(entry.game)


def _view(entry: Entry) -> dict[str, Any]:
    """Return an entry as JSON shows it: the main line only, moves as text."""
    view: dict[str, Any] = {"number": entry.number, "line": entry.line, "headers": entry.headers}
    if entry.game is None:
        assert entry.error is not None
        return view | {"error": as_dict(entry.error)}
    line, outcome = entry.game.main_line(), outcome_of(entry.game)
    return view | {
        "game": entry.game.rules.name,
        "start": entry.game.start.fen(),
        "moves": [node.text for node in line],
        "fen": line[-1].position.fen() if line else entry.game.start.fen(),
        "result": result_text(entry.game),
        "reason": None if outcome is None else outcome.reason,
        "notes": entry.notes,
    }
