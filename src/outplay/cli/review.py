"""`outplay review`: judge the games of a file move by move."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from outplay.cli.answer import say_json, styled
from outplay.cli.arguments import Json, say_guess
from outplay.cli.failure import as_dict
from outplay.cli.progress import Bar
from outplay.errors import EXIT_CODES, NotationError
from outplay.notation import Entry, result_text, write
from outplay.notation.any import read_file

if TYPE_CHECKING:
    from outplay.record import AnyGame
    from outplay.review import JudgedMove, Review

SHOWN_LINE = 12
NAMES = {"inaccuracy": "yellow", "mistake": "bright_red", "blunder": "red"}
"""The colours of flaws on a terminal."""


def review(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="Games in PDN or JSON, or moves (4453); - reads standard input.")
    ],
    game: Annotated[
        int | None,
        typer.Option("--game", metavar="N", min=1, help="Review only the Nth game of the file. Default: all."),
    ] = None,
    nodes: Annotated[
        int | None,
        typer.Option(
            "--nodes",
            min=1,
            max=1_000_000_000,
            help="Number of positions to look at in a search. Default: 3000000 in Connect Four; "
            "300000 in checkers, or fewer in a long game.",
        ),
    ] = None,
    pdn: Annotated[
        bool,
        typer.Option("--pdn", help="Answer with the game in PDN, with the judgements as comments. Default: a table."),
    ] = False,
    json: Json = False,
) -> None:
    """Judge every move of a game: what it gave away, and which move was better. The game need not be finished.

    In Connect Four, every judgement is proved by the solver. In checkers, it comes from the endgame tables or from a
    search, and the answer says which. The last move is judged first. Ctrl-C stops the review and shows the moves judged
    so far. The answer is the same every time: a search ends after a number of nodes, not after a time.

    [bold]Examples[/bold]

    outplay review tinsley.pdn                 every move, mistakes in words
    outplay review tinsley.pdn --game 1        one game of a file
    outplay review old.pdn --pdn               PDN with glyphs, comments and better lines, for other programs
    outplay review - --json < old.pdn
    """
    if pdn and json:
        raise typer.BadParameter("give --pdn or --json, not both", param_hint="--pdn")
    name = "standard input" if str(file) == "-" else str(file)
    data = typer.get_binary_stream("stdin").read() if str(file) == "-" else file.read_bytes()
    found = read_file(BytesIO(data), name=name)
    entries = _chosen(name, list(found), game)
    if found.is_guess:
        say_guess(found.what)
    answers: list[dict[str, Any]] = []
    show = _pdn if pdn else _table
    for entry in entries:
        if entry.game is None:
            assert entry.error is not None
            answers.append({"number": entry.number, "error": as_dict(entry.error)})
            if not json:
                typer.echo(f"outplay: {entry.error}", err=True)
            continue
        judged = _judged(entry, nodes)
        answers.append({"number": entry.number, "headers": entry.game.headers, **judged.to_dict()})
        if not json:
            show(entry, entry.game, judged, len(entries) > 1)
        if not judged.is_complete:
            break
    bad = sum("error" in answer for answer in answers)
    if json:
        say_json({"games": answers, "file": name, "good": len(answers) - bad, "bad": bad})
    if any(answer.get("complete") is False for answer in answers):
        raise KeyboardInterrupt("the review is not complete")
    if bad:
        raise typer.Exit(EXIT_CODES[NotationError])


# Reading


def _chosen(name: str, entries: list[Entry], number: int | None) -> list[Entry]:
    if not entries:
        raise NotationError(name, "there is no game in it")
    if number is None:
        return entries
    if number > len(entries):
        raise typer.BadParameter(f"{name} has {_counted(len(entries))}, but no game {number}", param_hint="--game")
    entry = entries[number - 1]
    if entry.error is not None:
        raise entry.error
    return [entry]


def _counted(games: int) -> str:
    return "one game" if games == 1 else f"{games} games"


# Judging


def _judged(entry: Entry, nodes: int | None) -> Review:
    """Review a game; Ctrl-C stops it, and the answer has the moves judged so far."""
    from outplay.review import judge_for
    from outplay.review import review as judge_moves

    game = entry.game
    assert game is not None
    judge = judge_for(game, nodes=nodes)
    is_over = threading.Event()
    with (
        _interrupt_calls(judge.stop),
        Bar(f"game {entry.number}") as bar,
        ThreadPoolExecutor(1) as pool,
    ):
        moves = len(game.main_line())
        bar.tell(0.0, count=f"0/{moves}")

        def tell(found: Review) -> None:
            bar.tell(len(found.moves) / max(moves, 1), count=f"{len(found.moves)}/{moves}")

        answer = pool.submit(judge_moves, game, judge=judge, progress=tell)
        answer.add_done_callback(lambda _: is_over.set())
        while not is_over.wait(0.1):  # wakes up often enough to notice Ctrl-C
            pass
        return answer.result()


@contextmanager
def _interrupt_calls(stop: Callable[[], None]) -> Iterator[None]:
    """Make Ctrl-C call `stop` instead of raising KeyboardInterrupt."""
    before = signal.signal(signal.SIGINT, lambda number, frame: stop())
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


# Showing


def _pdn(entry: Entry, game: AnyGame, found: Review, is_one_of_many: bool) -> None:
    from outplay.review import annotated

    typer.echo(write(annotated(game, found)))


def _table(entry: Entry, game: AnyGame, found: Review, is_one_of_many: bool) -> None:
    if is_one_of_many:
        typer.echo(f"Game {entry.number}: {_title(game)}")
    if found.opening:
        typer.echo(f"Opening: {found.opening}")
    for move in found.moves:
        typer.echo(_row(move, offset=int(game.start.side)))
    typer.echo(f"{'end':>5}  {found.headline}")
    for side in found.sides:
        if side.accuracy is not None:
            typer.echo(f"{side.name}: {side.accuracy:.0f} % accurate, {side.sentence}")
    if found.turning_point is not None:
        point = found.turning_point
        typer.echo(f"Turning point: {_number(point.ply, int(game.start.side))} {point.move}. {point.sentence}")
    if not found.is_complete:
        typer.echo(f"Stopped: {len(found.moves)} of {found.plies} moves are judged.")
    if is_one_of_many:
        typer.echo()


def _title(game: AnyGame) -> str:
    names = [game.headers.get(side, "") or side for side in game.rules.sides]
    return f"{' - '.join(names)}, {result_text(game)}"


def _row(move: JudgedMove, offset: int) -> str:
    """Return a line such as " 4...  3?           - loss in 17, book     From a loss in 17 to a loss in 2. ..."."""
    sign = move.move + move.grade.sign
    colour = NAMES.get(move.grade.value)
    marked = f"{sign:12}" if colour is None else styled(f"{sign:12}", colour, bold=True)
    words = move.sentence or {"forced": "the only move", "unknown": "not solved in time"}.get(move.grade.value, "")
    known_by = move.before.known if move.before.known_by == "search" else move.before.known_by
    known = f"{move.before.label}, {known_by}"
    better = f" Better: {' '.join(move.line[:SHOWN_LINE])}." if move.line else ""
    return f"{_number(move.ply, offset):>5}  {marked} {known:22} {words}{better}".rstrip()


def _number(ply: int, offset: int) -> str:
    number, is_second = divmod(ply - 1 + offset, 2)
    return f"{number + 1}{'...' if is_second else '.'}"
