"""What `outplay tablebase` prints: sentences and tables for people, JSON for programs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from outplay.checkers import Move, Position
from outplay.cli.answer import say_json

if TYPE_CHECKING:
    from outplay.jobs.tables import TablesPlan, TableStep
    from outplay.tablebase import Tablebase, TableInfo, Verdict


def note_damaged(plan: TablesPlan) -> None:
    for error in plan.stock.damaged.values():
        typer.echo(f"outplay: {error}; it will be built again", err=True)


def say_plan(plan: TablesPlan, json: bool) -> None:
    from outplay.jobs.resources import amount

    if json:
        head = {"pieces": plan.pieces, "folder": str(plan.folder), "threads": plan.threads}
        sums = {
            "kept": len(plan.stock.good),
            "positions": plan.positions,
            "memory_bytes": plan.memory,
            "disk_bytes": plan.disk,
        }
        say_json({**head, **sums, "tables": [asdict(job) for job in plan.jobs]})
        return
    typer.echo(f"{_tables(len(plan.jobs))} to build, {len(plan.stock.good)} there already")
    if plan.jobs:
        typer.echo(f"{plan.positions:,} positions, {amount(plan.memory)} of memory, about {amount(plan.disk)} of disk")


def say_built(plan: TablesPlan, steps: Sequence[TableStep], seconds: float, json: bool) -> None:
    size, kept = sum(step.info.bytes for step in steps if step.info), len(plan.stock.good)
    if json:
        head = {"pieces": plan.pieces, "folder": str(plan.folder), "built": [step.name for step in steps]}
        say_json({**head, "kept": kept, "bytes": size, "seconds": round(seconds, 3)})
    elif steps:
        typer.echo(f"built {_tables(len(steps))} in {seconds:.1f} s: {size:,} bytes in {plan.folder}")
    else:
        typer.echo(f"nothing to build: {_tables(kept)} of up to {plan.pieces} pieces are there")


def say_verified(plan: TablesPlan, steps: Sequence[TableStep], seconds: float, json: bool) -> None:
    good = sum(step.error is None for step in steps)
    wrong = {
        step.error.path: step.error for step in steps if step.error
    }.values()  # a damaged file spoils tables that need it
    if json:
        views = [{"file": str(error.path), "reason": error.reason} for error in wrong]
        head = {"pieces": plan.pieces, "folder": str(plan.folder), "verified": good}
        say_json({**head, "wrong": views, "positions": plan.positions, "seconds": round(seconds, 3)})
        return
    for error in wrong:
        typer.echo(f"outplay: {error}", err=True)
    rest = f"; {len(steps) - good} could not be verified" if wrong else ""
    typer.echo(f"verified {_tables(good)} in {seconds:.1f} s{rest}")


def say_infos(infos: Sequence[TableInfo], folder: Path, json: bool) -> None:
    rows = [row for info in infos for row in _rows(info)]
    if json:
        say_json({"tables": rows})
        return
    _print_infos(infos)
    typer.echo(
        f"{_tables(len(infos))}, {sum(info.bytes for info in infos):,} bytes; tables that you build are in {folder}"
    )


def _rows(info: TableInfo) -> Iterator[dict[str, Any]]:
    """Return the rows of a file for JSON, one for each material in it. Each row gets an equal part of its bytes."""
    number = len(info.tables)
    for at, count in enumerate(info.tables):
        row = {**asdict(count.material), "positions": count.positions, "wins": count.wins, "draws": count.draws}
        yield {**row, "losses": count.losses, "bytes": info.bytes // number + (at < info.bytes % number)}


def _print_infos(infos: Sequence[TableInfo]) -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    table.add_column("to move", no_wrap=True)
    table.add_column("other side", no_wrap=True)
    for name in ("positions", "wins", "draws", "losses", "bytes"):
        table.add_column(name, justify="right", no_wrap=True)
    for row in (row for info in infos for row in _rows(info)):
        sides = (_side(row["own_men"], row["own_kings"]), _side(row["other_men"], row["other_kings"]))
        table.add_row(*sides, *(f"{row[name]:,}" for name in ("positions", "wins", "draws", "losses", "bytes")))
    Console(highlight=False).print(table)


def _side(men: int, kings: int) -> str:
    words = (f"{men} {'man' if men == 1 else 'men'}", f"{kings} {'king' if kings == 1 else 'kings'}")
    return ", ".join(word for word, number in zip(words, (men, kings), strict=True) if number)


def say_removed(sizes: dict[str, int], folder: Path, json: bool) -> None:
    if json:
        say_json({"folder": str(folder), "removed": list(sizes), "bytes": sum(sizes.values())})
    else:
        typer.echo(f"removed {_tables(len(sizes))}, {sum(sizes.values()):,} bytes, from {folder}")


def probed(tables: Tablebase, position: Position) -> dict[str, Any]:
    """Return what the tables say about a position and its moves, seen from the side to move."""
    verdict = tables.probe(position)
    moves = [_moved(tables, position, move) for move in position.legal_moves()]
    best = position.format(tables.best(position)) if moves else None
    return {"position": position.fen(), **_verdict(verdict), "known_by": "table", "best": best, "moves": moves}


def _moved(tables: Tablebase, position: Position, move: Move) -> dict[str, Any]:
    after = position.play(move)
    outcome = after.outcome()
    if outcome is not None:  # a side without a move or a piece: no table has such positions
        view = {"value": "win" if outcome.winner == position.side else "draw", "distance": 1}
    else:
        view = _turned(_verdict(tables.probe(after)))
    return {"move": position.format(move), **view}


def _verdict(verdict: Verdict) -> dict[str, Any]:
    return {"value": str(verdict.value), "distance": verdict.distance}


def _turned(view: dict[str, Any]) -> dict[str, Any]:
    """Return the same value seen from the side that has just moved."""
    value = {"win": "loss", "loss": "win"}.get(view["value"], view["value"])
    return {"value": value, "distance": None if view["distance"] is None else view["distance"] + 1}


def say_probed(view: dict[str, Any], json: bool) -> None:
    if json:
        say_json(view)
        return
    typer.echo(f"{_sentence(view)}, from the tables. They ignore repetition and the no-progress rule.")
    for move in view["moves"]:
        mark = "*" if move["move"] == view["best"] else " "
        typer.echo(f"{mark} {move['move']:12} {_sentence(move)}")


def _sentence(view: dict[str, Any]) -> str:
    from outplay.explain import in_moves

    return f"{view['value']}{in_moves(view['distance'] or None)}"


def _tables(number: int) -> str:
    return f"{number} {'table' if number == 1 else 'tables'}"
