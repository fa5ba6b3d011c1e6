"""`outplay solve`: Connect Four played perfectly, one position or a stream of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from outplay.cli.answer import say_json
from outplay.cli.arguments import Json, Size, read_position
from outplay.cli.failure import as_dict
from outplay.cli.progress import Bar
from outplay.errors import NotationError, OutplayError

if TYPE_CHECKING:
    from outplay.connect4 import Position, Solution, Solver

MOST_IN_LINE = 10_000
"""Characters in a line of a stream: more than any board needs."""
FULL = 100
"""The score of a full column in the answers of gamesolver.org."""
QUIET_SECONDS = 1.0
"""A search is shown on the terminal once it has taken this long."""
LEAST_SECONDS = 0.001
"""The speed of a shorter search would mean nothing; a file of `--save` keeps whole milliseconds."""


class SolverTechnique(StrEnum):
    """A technique of the solver that can be switched off."""

    VECTOR = "vector"
    EVENS = "evens"
    THREATS = "threats"
    ORDER = "order"
    SPRINT = "sprint"


def solve(
    moves: Annotated[
        str | None,
        typer.Argument(
            metavar="POSITION",
            help="start, moves (4453), a FEN, rows, a game or a link; - reads one from each line of standard input. "
            "Default: start, if --size is given.",
        ),
    ] = None,
    size: Size = None,
    threads: Annotated[int, typer.Option("--threads", min=1, max=256, help="Number of threads.")] = 1,
    table_mib: Annotated[
        int, typer.Option("--table-mib", min=1, max=65536, help="Memory for the hash table, in MiB.")
    ] = 64,
    no_book: Annotated[
        bool, typer.Option("--no-book", help="Solve openings too. Default: look them up in the book.")
    ] = False,
    score_only: Annotated[
        bool,
        typer.Option("--score-only", help="Find only the score of the position. Default: also that of each column."),
    ] = False,
    win_only: Annotated[
        bool, typer.Option("--win-only", help="Find only who wins, which is quicker. Default: the exact score.")
    ] = False,
    why: Annotated[
        bool, typer.Option("--why", help="Explain the answer in words. Default: only scores and best moves.")
    ] = False,
    clear: Annotated[
        bool, typer.Option("--clear", help="Empty the hash table after each line of a stream. Default: keep it.")
    ] = False,
    save: Annotated[
        Path | None,
        typer.Option(
            "--save",
            metavar="FILE",
            dir_okay=False,
            help="Solve on all cores without a book, and keep in FILE what is known: after a kill or Ctrl-C the same "
            "command continues from there. Default: one search, nothing is kept.",
        ),
    ] = None,
    slots: Annotated[
        int | None,
        typer.Option(
            "--workers", metavar="N", min=0, max=1024, help="With --save: number of processes. Default: one per core."
        ),
    ] = None,
    cluster: Annotated[
        str | None,
        typer.Option(
            "--cluster",
            metavar="ADDRESS",
            help="With --save: address of a Dask scheduler, or 'local' to start one. Default: this machine.",
        ),
    ] = None,
    without: Annotated[
        list[SolverTechnique] | None,
        typer.Option(
            "--without",
            help="Switch a technique off: the effort changes, the score does not. Repeatable. Default: all on.",
        ),
    ] = None,
    format: Annotated[  # noqa: A002
        Literal["outplay", "gamesolver"],
        typer.Option("--format", help="Form of the answer: that of outplay or of gamesolver.org."),
    ] = "outplay",
    json: Json = False,
) -> None:
    """Find the exact score of a Connect Four position and of each column, and the best moves.

    The score is 0 for a draw, positive if the side to move wins, negative if it loses. A larger score is an earlier
    win, and 1 is a win with the winner's last disc. With -, every line of the input is a position, and is answered at
    once by one line: POSITION SCORE NODES MICROSECONDS, or POSITION error: REASON.

    [bold]Examples[/bold]

    outplay solve 4453
    outplay solve 4453123 --why
    outplay solve 445312 --json
    outplay solve 445312 --score-only --no-book --threads 2
    outplay solve 44 --size 5x4 --win-only
    outplay solve 4453126 --format gamesolver
    outplay solve - --clear < positions.txt
    outplay solve --size 6x6 --save 6x6.solve
    """
    from outplay.connect4 import Solver

    if moves is None and size is None:
        raise typer.BadParameter("give a position, or the size of an empty board", param_hint="POSITION")
    moves = "start" if moves is None else moves
    is_stream = moves == "-"
    if format == "gamesolver" and (score_only or win_only or why):
        reason = "gamesolver always prints the scores of all columns; leave out --score-only, --win-only and --why"
        raise typer.BadParameter(reason, param_hint="--format")
    if why and (score_only or win_only):
        reason = "an explanation needs the exact score of every column: leave out --score-only and --win-only"
        raise typer.BadParameter(reason, param_hint="--why")
    if is_stream and why and not json:
        reason = "with '-' each answer is one line, and an explanation takes several: add --json"
        raise typer.BadParameter(reason, param_hint="--why")
    shape = "gamesolver" if format == "gamesolver" else "json" if json else "line" if is_stream else "text"
    if save is None and (slots is not None or cluster is not None):
        raise typer.BadParameter(
            "is only for use with --save", param_hint="--workers" if cluster is None else "--cluster"
        )
    if save is not None and (is_stream or shape == "gamesolver" or why or threads > 1):
        reason = "it finds only the score of one position: leave out '-', --format and --why"
        raise typer.BadParameter(f"{reason}; instead of --threads, use --workers", param_hint="--save")
    off = {technique.value: False for technique in without or ()}
    solver = Solver(threads=threads, table_mib=table_mib, book=not no_book, **off)
    desk = _Desk(solver, size, shape, score_only or shape == "line", win_only, why, clear)
    if save is not None:
        desk.answer_by_jobs(moves, save, tuple(off), table_mib, slots, cluster)
        return
    try:
        desk.answer_stream() if is_stream else desk.answer(moves)
    except KeyboardInterrupt:
        raise KeyboardInterrupt(desk.screen.latest) from None


@dataclass(frozen=True, slots=True)
class _Desk:
    """Solves positions with the options of the command line, and prints the answers."""

    solver: Solver
    size: str | None
    shape: str
    """text, line, json or gamesolver."""
    score_only: bool
    win_only: bool
    why: bool
    clear: bool
    screen: _Screen = field(default_factory=lambda: _Screen())

    def answer(self, text: str) -> None:
        position: Position = read_position("connect4", text, self.size)
        self._say(text, position, self._find(text, position))

    def answer_by_jobs(
        self, text: str, save: Path, without: tuple[str, ...], table_mib: int, slots: int | None, cluster: str | None
    ) -> None:
        from outplay.cli.long_solve import solve_long
        from outplay.jobs.long_solve import SolveOrder

        position: Position = read_position("connect4", text, self.size)
        order = SolveOrder(save, position, self.win_only, without)
        found = solve_long(order, table_mib, slots, cluster)
        self._say(text, position, _Answer(_shown(text), found, self.win_only, [], found.nodes, found.seconds))

    def _say(self, text: str, position: Position, answer: _Answer) -> None:
        if self.shape == "text":
            typer.echo(_text(position, answer))
        elif self.shape == "line":
            typer.echo(f"{answer.text} {answer.number} {answer.nodes} {round(answer.seconds * 1e6)}")
        elif self.shape == "json":
            say_json(_as_json(position, answer))
        else:
            scores = [FULL if score is None else score for score in answer.scores]
            say_json({"pos": _moves(text), "score": scores})

    def answer_stream(self) -> None:
        for line in _lines():
            text = line.strip()
            try:
                if len(text) >= MOST_IN_LINE:
                    raise NotationError(text, f"the line must be shorter than {MOST_IN_LINE} characters")
                self.answer(text)
            except (OutplayError, ValueError) as error:
                self._refuse(text[:MOST_IN_LINE], error)
            if self.clear:
                self.solver.clear()

    def _refuse(self, text: str, error: Exception) -> None:
        shown = _shown(text)
        if self.shape == "line":
            typer.echo(f"{shown} error: {error}")
        elif self.shape == "json":
            say_json({"moves": shown, "error": as_dict(error)})
        else:
            say_json({"pos": shown, "error": str(error)})

    def _find(self, text: str, position: Position) -> _Answer:
        started, nodes = perf_counter(), self.solver.nodes
        with self.screen:
            found = self.solver.solve(position, sign_only=self.win_only, progress=self.screen.watch("the position"))
            scores = [] if self.score_only or self.win_only else self._columns(position)
        seconds, nodes = perf_counter() - started, self.solver.nodes - nodes
        return _Answer(_shown(text), found, self.win_only, scores, nodes, seconds, self._why(position))

    def _columns(self, position: Position) -> list[int | None]:
        """Return the score of each column; None if it is full."""
        legal = position.legal_moves()
        return [self._column(position, move) if move in legal else None for move in range(position.width)]

    def _column(self, position: Position, move: int) -> int:
        after = position.play(move)
        if after.outcome() is not None:
            return self.solver.move_score(position, move)
        progress = self.screen.watch(f"column {position.format(move)}", is_after=True)
        return -self.solver.solve(after, progress=progress).score

    def _why(self, position: Position) -> str:
        if not self.why:
            return ""
        from outplay.explain import explain_solved

        return str(explain_solved(position, self.solver))


@dataclass(frozen=True, slots=True)
class _Answer:
    text: str
    found: Solution
    is_sign_only: bool
    scores: list[int | None]
    nodes: int
    seconds: float
    why: str = ""

    @property
    def number(self) -> int:
        """The score, or only its sign."""
        return self.found.sign if self.is_sign_only else self.found.score

    @property
    def best(self) -> list[int]:
        return [move for move, score in enumerate(self.scores) if score == self.found.score]


# Reading


def _lines() -> Iterator[str]:
    """Read the lines of the input as they come; of a line that is too long, only its beginning."""
    stream = typer.get_text_stream("stdin", errors="replace")
    while line := stream.readline(MOST_IN_LINE):
        rest = line
        while len(rest) == MOST_IN_LINE and not rest.endswith("\n"):
            rest = stream.readline(MOST_IN_LINE)
        yield line


def _shown(text: str) -> str:
    """Return a position's text without spaces: an answer line begins with it, as one word."""
    return "".join(character for character in text if character.isprintable() and character != " ") or "start"


def _moves(text: str) -> str:
    return "" if text.strip() == "start" else _shown(text) if text.strip() else ""


# Answers


def _as_json(position: Position, answer: _Answer) -> dict[str, Any]:
    size = f"{position.width}x{position.height}"
    found = answer.found
    if answer.is_sign_only:
        known: dict[str, Any] = {"result": _RESULTS[found.sign]}
    else:
        known = {"score": found.score, "plies": found.plies}
    if answer.scores:
        known |= {"best": [move + 1 for move in answer.best], "scores": answer.scores}
    cost = {"known_by": found.known_by, "nodes": answer.nodes, "seconds": round(answer.seconds, 6)}
    why = {"why": answer.why} if answer.why else {}
    return {"moves": _moves(answer.text), "size": size, **known, **cost, **why}


_RESULTS = {1: "win", 0: "draw", -1: "loss"}


def _text(position: Position, answer: _Answer) -> str:
    lines = [answer.why, ""] if answer.why else [_verdict(position, answer)]
    if answer.scores:
        lines += _column_lines(position, answer)
    searched = f"{answer.nodes:,} positions in {answer.seconds:.3f} s"
    if answer.seconds >= LEAST_SECONDS:
        searched += f": {answer.nodes / answer.seconds / 1e6:,.1f} million a second"
    return "\n".join([*lines, searched if answer.nodes else f"looked up in {answer.seconds:.3f} s"])


def _verdict(position: Position, answer: _Answer) -> str:
    """Return a sentence such as "Yellow wins in 18, solved: score -2, 36 plies to the end."."""
    from outplay.engine.types import Score
    from outplay.explain import score_sentence

    found = answer.found
    plies = None if answer.is_sign_only else found.plies
    sentence = score_sentence(position, Score(answer.number, found.known_by, plies=plies, unit="exact"))
    sentence = sentence[:1].upper() + sentence[1:]
    return (
        f"{sentence}."
        if answer.is_sign_only
        else f"{sentence}: score {found.score}, {plies} {'ply' if plies == 1 else 'plies'} to the end."
    )


def _column_lines(position: Position, answer: _Answer) -> list[str]:
    names = [position.format(move) for move in range(position.width)]
    scores = ["full" if score is None else f"{score}" for score in answer.scores]
    wide = 1 + max(map(len, (*names, *scores)))
    best = " ".join(names[move] for move in answer.best)
    if answer.found.score < 0:
        best += " (every move loses; this is the longest defence)"
    return [
        "column" + "".join(name.rjust(wide) for name in names),
        "score " + "".join(score.rjust(wide) for score in scores),
        f"best   {best}",
    ]


# Progress


class _Screen:
    """The progress of the running search: shown in the bar, and in the message after Ctrl-C."""

    def __init__(self) -> None:
        self._what, self._bounds, self._nodes, self._started = "", "", 0, 0.0
        self._bar = Bar("solving", quiet_seconds=QUIET_SECONDS)

    def __enter__(self) -> None:
        self._what = ""
        self._bar.__enter__()

    def __exit__(self, *error: object) -> None:
        self._bar.__exit__(*error)

    @property
    def latest(self) -> str:
        """Return what is known now, in words; empty if no search has begun."""
        if not self._what:
            return ""
        seconds = perf_counter() - self._started
        nodes = f" and {self._nodes:,} positions" if self._nodes else ""
        return f"{self._what}: not solved after {seconds:.1f} s{nodes}{self._bounds}"

    def watch(self, what: str, *, is_after: bool = False) -> Callable[[int, int, int], None]:
        """Return the progress callback of a search.

        With `is_after`, the search is about the position after a move, so its scores change their sign.
        """
        self._what, self._bounds, self._nodes, self._started = what, "", 0, perf_counter()

        def tell(low: int, high: int, nodes: int) -> None:
            low, high = (-high, -low) if is_after else (low, high)
            self._nodes, self._bounds = nodes, f", the score is from {low} to {high}"
            self._bar.tell(note=self.latest)

        return tell
