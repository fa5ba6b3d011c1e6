"""Data sets: random positions with labels, made as jobs; the same order gives the same file everywhere.

The positions are chosen here, which is quick, and labelled shard by shard by workers. Labelled shards are kept in the
folder `FILE.shards` until the file is complete, so that an interrupted run continues from them. Each shard ends with a
checksum of its order, its index, the version of outplay and its content; a shard with a wrong checksum is made again. A
card `FILE.json` says how the file was made.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from outplay.errors import CorruptTableError, JobError
from outplay.extras import require
from outplay.files import write_whole
from outplay.jobs.data_orders import DataOrder, order_from, splits
from outplay.jobs.lock import locked, remove
from outplay.work import Job, Progress, Report, Stop, Task, Workers
from outplay.work.parcel import checksum

if TYPE_CHECKING:
    from outplay.jobs.data_files import Columns

SHARD = 2_000
"""The number of positions of one job: some seconds of work."""
ROUNDS = 20
"""The largest number of draws of positions at random. One draw may not be enough, because repetitions are left out."""
SEAL = 32
"""The length of the checksum at the end of a shard."""
_OWN = re.compile(r"(order\.json|\d{5,}\.npz)(\.\d+-\d+\.tmp)?")
"""The names of our files in a folder of shards; `write_whole` may leave the temporary ones."""


class DataError(JobError):
    """A data set cannot be made; `.job` is its path."""

    def __str__(self) -> str:
        return f"{self.job}: {self.reason}"


@dataclass(frozen=True, slots=True)
class DataStep:
    """A shard is labelled and saved."""

    positions: int
    progress: Progress


@dataclass(frozen=True, slots=True)
class DataPlan:
    """What is left to do: every shard that has no labels yet."""

    order: DataOrder
    path: Path
    positions: Any = None
    """All positions; None if the data set is made already."""
    labels: dict[int, Columns] = field(default_factory=dict)
    """The labels of the shards that are done."""

    @property
    def missing(self) -> list[int]:
        """The indices of the shards that have no labels yet."""
        return [] if self.positions is None else [index for index in _indices(self.order) if index not in self.labels]

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
    if path.exists():
        _check_made(order, path)
        yield DataPlan(order, path)
        return
    plan = DataPlan(order, path, draw(order, path))
    with locked(plan.shards):
        _refuse_other(plan)
        write_whole(plan.shards / "order.json", _as_json(order.describe()))
        plan.labels.update(_kept(plan))
        yield plan
        if plan.is_made:
            _remove_shards(plan.shards)


def _indices(order: DataOrder) -> range:
    return range(math.ceil(order.positions / SHARD))


def _check_made(order: DataOrder, path: Path) -> None:
    """Raise DataError if a file belongs to another order, CorruptTableError if it is damaged."""
    try:
        made = checked_card(path)
    except CorruptTableError as error:
        reason = f"{error.reason}; name another file, or remove {path} to make it again"
        raise CorruptTableError(error.path, reason) from error
    if made != order:
        raise DataError(
            str(path), "this file exists, but was not made with these options: name another file, or remove this one"
        )


def checked_card(path: Path) -> DataOrder:
    """Return the order on the card of a data set; CorruptTableError if the file does not match its card."""
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


def _refuse_other(plan: DataPlan) -> None:
    """Raise DataError if the folder has shards of another order."""
    kept = _order_in(plan.shards / "order.json")
    if kept not in (None, plan.order.describe()) and any(plan.shards.glob("*.npz")):
        raise DataError(str(plan.shards), "another data set was begun here: name another file, or remove this folder")


def card_path(path: Path) -> Path:
    return path.with_name(path.name + ".json")


def _order_in(path: Path) -> Any:
    try:
        return json.loads(path.read_bytes())
    except (FileNotFoundError, ValueError):
        return None


def _kept(plan: DataPlan) -> Iterator[tuple[int, Columns]]:
    """Yield the index and the labels of each intact shard that was made for this order by this version."""
    from outplay.jobs.data_files import from_bytes

    for index in _indices(plan.order):
        if plan.shard(index).exists():
            sealed = plan.shard(index).read_bytes()
            if sealed[-SEAL:] == _seal(plan.order, index, sealed[:-SEAL]):
                yield index, from_bytes(sealed[:-SEAL])


def _seal(order: DataOrder, index: int, content: bytes) -> bytes:
    """Return the checksum of a shard."""
    from outplay import __version__

    return checksum(_as_json([order.describe(), index, __version__]) + content)


def _remove_shards(folder: Path) -> None:
    """Remove our files, and then the folder if it is empty."""
    for path in folder.iterdir():
        if _OWN.fullmatch(path.name):
            path.unlink()
    remove(folder)


def _as_json(value: Any) -> bytes:
    return (json.dumps(value, indent=2) + "\n").encode()


def make(plan: DataPlan, workers: Workers) -> Iterator[DataStep]:
    """Label what is missing and yield each shard when it is saved. After the last one the file and its card exist."""
    from outplay.jobs.data_files import to_bytes, write

    if plan.is_made:
        return
    order, positions = plan.order, plan.positions
    for done in workers.run([_job(order, index, positions) for index in plan.missing]):
        index, columns = done.value
        content = to_bytes(columns)
        write_whole(plan.shard(index), content + _seal(order, index, content))
        plan.labels[index] = columns
        yield DataStep(len(next(iter(columns.values()))), done.progress)
    if workers.is_stopped:
        return
    columns = {**order.drawn(positions), **_joined([plan.labels[index] for index in _indices(order)])}
    columns["split"] = splits(order, positions)
    content = write(columns, order.columns(), plan.path.suffix)
    write_whole(card_path(plan.path), _card(order, columns, content))
    write_whole(plan.path, content)


def draw(order: DataOrder, path: Path) -> Any:
    """Return as many different positions as the order says; a position and its mirror image count as one."""
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
