"""Data sets: random positions with labels, made as jobs; the same order gives the same file everywhere.

The positions are drawn here, which is quick, and labelled shard by shard by workers. Labelled shards are kept in the
folder `FILE.shards` until the file is complete, so that an interrupted run continues from there. A card `FILE.json`
says how the file was made.
"""

from __future__ import annotations

import json
import math
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from outplay.errors import JobError
from outplay.extras import require
from outplay.files import write_whole
from outplay.jobs.data_orders import DataOrder, splits
from outplay.jobs.lock import locked
from outplay.work import Job, Progress, Report, Stop, Task, Workers
from outplay.work.parcel import checksum

if TYPE_CHECKING:
    from outplay.jobs.data_files import Columns

SHARD = 2_000
"""The number of positions of one job: some seconds of work."""
ROUNDS = 20
"""How often more positions are drawn when too many were the same."""


class DataError(JobError):
    """The data set at the path `.job` cannot be made."""

    def __str__(self) -> str:
        return f"{self.job}: {self.reason}"


@dataclass(frozen=True, slots=True)
class DataStep:
    """A shard is labelled and saved."""

    positions: int
    progress: Progress


@dataclass(frozen=True, slots=True)
class DataPlan:
    """What is left to do: the indices of the shards that have no labels yet."""

    order: DataOrder
    path: Path
    positions: Any = None
    """All positions, drawn; None if the data set is made already."""
    missing: tuple[int, ...] = ()

    @property
    def shards(self) -> Path:
        return self.path.with_name(self.path.name + ".shards")

    def shard(self, index: int) -> Path:
        return self.shards / f"{index:05}.npz"

    @property
    def is_made(self) -> bool:
        return self.path.exists()


@contextmanager
def making(order: DataOrder, path: Path) -> Iterator[DataPlan]:
    """Hold the lock of a data set and yield the plan for `make`. DataError if it cannot be made."""
    from outplay.jobs.data_files import check_format

    require("numpy", "numpy")
    check_format(path)
    if not path.parent.is_dir():
        raise DataError(str(path), "the folder of this file does not exist")
    plan = DataPlan(order, path)
    _refuse_other(plan)
    if plan.is_made:
        yield plan
        return
    plan = replace(plan, positions=draw(order, path))
    with locked(plan.shards):
        write_whole(plan.shards / "order.json", _as_json(order.describe()))
        yield replace(plan, missing=tuple(index for index in _indices(order) if not plan.shard(index).exists()))
        if plan.is_made:
            shutil.rmtree(plan.shards)


def _indices(order: DataOrder) -> range:
    return range(math.ceil(order.positions / SHARD))


def _refuse_other(plan: DataPlan) -> None:
    """Raise DataError if the file, or the folder of its shards, belongs to another order."""
    if plan.is_made and _order_in(card_path(plan.path)) != plan.order.describe():
        raise DataError(
            str(plan.path), "it exists and was not made with these options: name another file, or remove it"
        )
    kept = _order_in(plan.shards / "order.json")
    if kept not in (None, plan.order.describe()):
        raise DataError(str(plan.shards), "another data set was begun here: name another file, or remove this folder")


def card_path(path: Path) -> Path:
    return path.with_name(path.name + ".json")


def _order_in(path: Path) -> dict[str, Any] | None:
    try:
        found = json.loads(path.read_bytes())
    except (FileNotFoundError, ValueError):
        return None
    return found.get("order", found) if isinstance(found, dict) else None


def _as_json(value: Any) -> bytes:
    return (json.dumps(value, indent=2) + "\n").encode()


def make(plan: DataPlan, workers: Workers) -> Iterator[DataStep]:
    """Label what is missing and yield each shard when it is saved. After the last one the file and its card exist."""
    from outplay.jobs.data_files import from_bytes, to_bytes, write

    if plan.is_made:
        return
    order, positions = plan.order, plan.positions
    for done in workers.run([_job(order, index, positions) for index in plan.missing]):
        index, columns = done.value
        write_whole(plan.shard(index), to_bytes(columns))
        yield DataStep(len(next(iter(columns.values()))), done.progress)
    if workers.is_stopped:
        return
    shards = [from_bytes(plan.shard(index).read_bytes()) for index in _indices(order)]
    columns = {**order.drawn(positions), **_joined(shards)}
    columns["split"] = splits(order, positions)
    content = write(columns, order.columns(), plan.path.suffix)
    write_whole(card_path(plan.path), _card(order, columns, content))
    write_whole(plan.path, content)


def draw(order: DataOrder, path: Path) -> Any:
    """Return as many different positions as ordered; a position and its mirror image count as one."""
    import numpy as np

    found, keys = list[Any](), np.empty(0, np.uint64)
    for round_ in range(ROUNDS):
        left = order.positions - sum(map(len, found))
        if left == 0:
            break
        batch: Any = order.draw(max(1000, left + left // 20), seed=order.seed * ROUNDS + round_)
        of_batch = order.hashes(batch)
        is_new = np.zeros(len(batch), bool)
        is_new[np.unique(of_batch, return_index=True)[1]] = True
        is_new &= ~np.isin(of_batch, keys)
        chosen = np.flatnonzero(is_new)[:left]
        found.append(batch[chosen])
        keys = np.concatenate([keys, of_batch[chosen]])
    if len(keys) < order.positions:
        raise DataError(
            str(path), f"only {len(keys):,} different positions were found, not {order.positions:,}: ask for fewer"
        )
    return order.join(found)


def _joined(shards: list[Columns]) -> Columns:
    import numpy as np

    return {name: np.concatenate([shard[name] for shard in shards]) for name in shards[0]}


def _job(order: DataOrder, index: int, positions: Any) -> Job:
    part = positions[index * SHARD : (index + 1) * SHARD]
    return Job(f"shard {index}", LabelShard(order, index, part), size=len(part))


@dataclass(frozen=True, slots=True)
class LabelShard(Task[tuple[int, "Columns"]]):
    """A task that returns a shard's index and labels."""

    order: DataOrder
    index: int
    positions: Any

    @property
    def name(self) -> str:
        return f"shard {self.index}"

    def run(self, report: Report[tuple[int, Columns]], stop: Stop) -> tuple[int, Columns]:
        return self.index, self.order.label(self.positions, stop)


def _card(order: DataOrder, columns: Columns, content: bytes) -> bytes:
    from outplay import __version__

    is_test = columns["split"]
    return _as_json(
        {
            "about": order.about,
            "order": order.describe(),
            "made_by": f"outplay {__version__}",
            "rows": {"train": int((~is_test).sum()), "test": int(is_test.sum())},
            "columns": {column.name: column.meaning for column in order.columns()},
            "bytes": len(content),
            "sha256": checksum(content).hex(),
        }
    )
