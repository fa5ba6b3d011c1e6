"""Check a data set: its checksum, its positions and split, and the labels of a sample, which are made again."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from outplay import connect4
from outplay.errors import CorruptTableError
from outplay.jobs.data import card_path
from outplay.jobs.data_files import Columns, read
from outplay.jobs.data_orders import CheckersData, DataOrder, order_from, splits
from outplay.work import Stop
from outplay.work.parcel import checksum


@dataclass(frozen=True, slots=True)
class CheckedData:
    """What was checked, and found right."""

    positions: int
    sample: int
    train: int
    test: int


def check(path: Path, *, sample: int, seed: int | None = None) -> CheckedData:
    """Check a data set; CorruptTableError names what is wrong. Connect Four is solved again without a book."""
    order = _checked_card(path)
    columns = read(path, order.columns())
    positions = _checked_positions(path, order, columns)
    chosen = np.sort(np.random.default_rng(seed).permutation(order.positions)[:sample])
    _check_labels(path, order, {name: values[chosen] for name, values in columns.items()}, positions[chosen], chosen)
    is_test = columns["split"]
    return CheckedData(order.positions, len(chosen), int((~is_test).sum()), int(is_test.sum()))


def _checked_card(path: Path) -> DataOrder:
    """Return the order on the card, after comparing the checksum."""
    card: dict[str, Any] = {}
    content = path.read_bytes()
    try:
        card = json.loads(card_path(path).read_bytes())
        order = order_from(card["order"])
    except FileNotFoundError:
        raise CorruptTableError(path, f"its card {card_path(path).name} is missing") from None
    except (ValueError, TypeError, KeyError) as error:
        raise CorruptTableError(card_path(path), f"this is not the card of a data set ({error})") from error
    if checksum(content).hex() != card.get("sha256"):
        raise CorruptTableError(path, "it does not match the checksum on its card")
    return order


def _checked_positions(path: Path, order: DataOrder, columns: Columns) -> Any:
    lengths = {len(values) for values in columns.values()}
    if lengths != {order.positions}:
        raise CorruptTableError(path, f"it should have {order.positions:,} rows and has {max(lengths):,}")
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
            path, f"row {rows[at] + 1}: {name} is {found[at]}, not {right[at]} ({len(wrong):,} of {len(rows):,} wrong)"
        )
