"""`outplay analyse`: what our engine thinks of a position, shown while it searches."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any

import typer

from outplay.cli.answer import say_json
from outplay.cli.arguments import GivenGame, GivenPosition, Json, Size, read_given
from outplay.engine.types import Analysis, Engine, Limit, Line
from outplay.rules import Position

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.table import Table

DEFAULT_TIME_MS = 2000

Show = Callable[[Analysis], None]


def analyse(
    game: GivenGame = None,
    position: GivenPosition = None,
    time_ms: Annotated[
        int | None,
        typer.Option(
            "--time-ms", min=1, help="Time to think, in milliseconds. Default: 2000 if there is no other limit."
        ),
    ] = None,
    depth: Annotated[
        int | None, typer.Option("--depth", min=1, help="Number of plies to look ahead. Default: no limit.")
    ] = None,
    nodes: Annotated[
        int | None, typer.Option("--nodes", min=1, help="Number of positions to look at. Default: no limit.")
    ] = None,
    lines: Annotated[int, typer.Option("--lines", min=1, max=100, help="Number of best moves to show.")] = 1,
    threads: Annotated[int, typer.Option("--threads", min=1, max=256, help="Number of threads.")] = 1,
    table_mib: Annotated[
        int, typer.Option("--table-mib", min=1, max=65536, help="Memory for the hash table, in MiB.")
    ] = 64,
    size: Size = None,
    json: Json = False,
) -> None:
    """Find the best moves of a position, with their scores; Ctrl-C stops the search and shows the best moves so far.

    A checkers position is searched deeper and deeper; a Connect Four position is solved. On a terminal, the lines are
    updated during the search. Otherwise, or with --json, each report is one line with a JSON object, and the last one
    has "final": true.

    [bold]Examples[/bold]

    outplay analyse checkers start --time-ms 2000 --lines 3
    outplay analyse checkers 'W:W18,24,27,K10:B12,16' --depth 15
    outplay analyse checkers start --nodes 1000000 --json
    outplay analyse connect4 4453 --lines 7
    """
    from outplay.engine.native import native_analyst

    name, read = read_given(game, position, size)
    is_limited = any(value is not None for value in (time_ms, depth, nodes))
    limit = Limit(depth=depth, nodes=nodes, time_ms=time_ms if is_limited else DEFAULT_TIME_MS, lines=lines)
    engine = native_analyst(name, threads=threads, table_mib=table_mib)
    with _json_lines(read) if json or not _is_terminal() else _live_table(read) as (show, end):
        answer, is_whole = _run(engine, read, limit, show)
        end(answer)
    if not is_whole:
        raise KeyboardInterrupt("the answer above is the best found so far")


def _is_terminal() -> bool:
    from rich.console import Console

    return Console().is_terminal


def _run(engine: Engine, position: Position, limit: Limit, show: Show) -> tuple[Analysis, bool]:
    """Return the analysis and whether it is complete: after Ctrl-C it holds the best so far."""
    is_whole = True
    with ThreadPoolExecutor(max_workers=1) as pool:
        answer = pool.submit(engine.analyse, position, limit, report=show)
        while True:
            try:
                return _wait(answer), is_whole
            except KeyboardInterrupt:
                is_whole = False
                engine.stop()


def _wait(answer: Future[Analysis]) -> Analysis:
    while True:
        try:
            return answer.result(timeout=0.1)  # wakes up often enough to notice Ctrl-C
        except TimeoutError:
            if answer.done():  # the engine's own timeout
                raise


@contextmanager
def _json_lines(position: Position) -> Iterator[tuple[Show, Show]]:
    yield (
        lambda analysis: say_json(_as_json(position, analysis)),
        lambda analysis: say_json({**_as_json(position, analysis), "final": True}),
    )


def _as_json(position: Position, analysis: Analysis) -> dict[str, Any]:
    best, *_ = found = [_line_as_json(position, line) for line in analysis.lines]
    cost = {"nodes": analysis.nodes, "seconds": round(analysis.seconds, 6)}
    several = {"lines": found} if len(found) > 1 else {}
    return {"depth": analysis.depth, **best, **cost, **several}


def _line_as_json(position: Position, line: Line) -> dict[str, Any]:
    return {
        "move": position.format(line.move),
        "score": line.score.value,
        "known_by": line.score.known_by,
        **({} if line.score.plies is None else {"plies": line.score.plies}),
        "line": _texts(position, line),
    }


def _texts(position: Position, line: Line) -> list[str]:
    texts = []
    for move in line.moves or (line.move,):
        texts.append(position.format(move))
        position = position.play(move)
    return texts


@contextmanager
def _live_table(position: Position) -> Iterator[tuple[Show, Show]]:
    from rich.live import Live

    with Live(auto_refresh=False) as live:

        def show(analysis: Analysis) -> None:
            live.update(_table(position, analysis), refresh=True)

        yield show, show


def _table(position: Position, analysis: Analysis) -> Table:
    from rich.table import Table

    from outplay.explain import known_of, label_of

    speed = analysis.nodes / max(analysis.seconds, 1e-9)
    depth = f"depth {analysis.depth}, " if analysis.depth else ""
    cost = f"{depth}{analysis.nodes:,} positions in {analysis.seconds:.2f} s: {speed:,.0f} a second"
    best = analysis.lines[0].score
    lost = "Every move loses: the first one holds out longest.\n" if best.is_proof and best.value < 0 else ""
    table = Table(box=None, pad_edge=False, caption=lost + cost, caption_justify="left")
    table.add_column("score", justify="right", no_wrap=True)
    table.add_column("known by", no_wrap=True)
    table.add_column("line")
    for line in analysis.lines:
        table.add_row(label_of(line.score), known_of(line.score), " ".join(_texts(position, line)))
    return table
