"""Check a data set: its checksum, its positions and its split.

For a sample of the rows, compute the labels again and compare them.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from outplay import connect4
from outplay.errors import CorruptTableError
from outplay.jobs.data import checked_card
from outplay.jobs.data_files import Columns, read
from outplay.jobs.data_orders import CheckersData, DataOrder, splits
from outplay.work import Stop


@dataclass(frozen=True, slots=True)
class CheckedData:
    """The numbers of a data set in which a check found no fault."""

    positions: int
    sample: int
    train: int
    test: int


def check(path: Path, *, sample: int, seed: int | None = None) -> CheckedData:
    """Check a data set; CorruptTableError names what is wrong. Connect Four positions are solved without a book."""
    order = checked_card(path)
    columns = read(path, order.columns())
    positions = _checked_positions(path, order, columns)
    chosen = np.sort(np.random.default_rng(seed).permutation(order.positions)[:sample])
    _check_labels(path, order, {name: values[chosen] for name, values in columns.items()}, positions[chosen], chosen)
    is_test = columns["split"]
    return CheckedData(order.positions, len(chosen), int((~is_test).sum()), int(is_test.sum()))


def _checked_positions(path: Path, order: DataOrder, columns: Columns) -> Any:
    lengths = {len(values) for values in columns.values()}
    if lengths != {order.positions}:
        raise CorruptTableError(path, f"it should have {order.positions:,} rows, but has {max(lengths):,}")
    try:
        positions: Any = order.restore(columns)
    except ValueError as error:
        raise CorruptTableError(path, f"it has a position that is not legal: {error}") from error
    for name, values in {**order.drawn(positions), "split": splits(order, positions)}.items():
        _compare(path, name, columns[name], values, np.arange(order.positions))
    if len(np.unique(order.hashes(positions))) < order.positions:
        raise CorruptTableError(path, "it has a position twice")
    return positions


def _check_labels(path: Path, order: DataOrder, columns: Columns, positions: Any, rows: NDArray[np.int64]) -> None:
    for name, values in _labels_again(order, positions).items():
        _compare(path, name, columns[name], values, rows)


def _labels_again(order: DataOrder, positions: Any) -> Columns:
    if isinstance(order, CheckersData):
        return order.label(positions, Stop())
    scores = connect4.Solver(book=False).scores_many(positions)
    return {f"score_{column + 1}": scores[:, column] for column in range(order.width)}


def _compare(path: Path, name: str, found: NDArray[Any], right: NDArray[Any], rows: NDArray[np.int64]) -> None:
    wrong = np.flatnonzero(found != right)
    if len(wrong):
        at = wrong[0]
        raise CorruptTableError(
            path,
            f"row {rows[at] + 1}: {name} is {found[at]} and should be {right[at]} "
            f"(wrong: {len(wrong):,} of {len(rows):,} rows)",
        )
