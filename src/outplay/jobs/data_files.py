"""The files of data sets: Parquet, npz and csv, with the same columns. Equal columns give equal bytes."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from outplay.extras import require
from outplay.jobs.data_orders import Column

Columns = dict[str, NDArray[Any]]
_TYPES = {
    "board": "S",
    "fen": "S",
    **dict.fromkeys(("own", "mask"), "u8"),
    **dict.fromkeys(("black", "white", "kings"), "u4"),
    **dict.fromkeys(("plies", "side"), "u1"),
    **dict.fromkeys(("distance", "score", "action"), "i2"),
}
"""The types of the columns; a column that is not listed has the type i1."""


def check_format(path: Path) -> None:
    """Raise ValueError if a file's name has no known ending, MissingExtraError if its format needs an extra."""
    if path.suffix not in _WRITERS:
        raise ValueError(f"{path} must end in .parquet, .npz or .csv: the ending chooses the format")
    if path.suffix == ".parquet":
        require("envs", "pyarrow")


def write(columns: Columns, described: Sequence[Column], suffix: str) -> bytes:
    """Return the content of a file."""
    return _WRITERS[suffix]({column.name: columns[column.name] for column in described}, described)


def read(path: Path, described: Sequence[Column]) -> Columns:
    """Return the columns of a file; ValueError if it is damaged or has other columns."""
    check_format(path)
    try:
        found = _READERS[path.suffix](path.read_bytes(), described)
        return {column.name: found[column.name] for column in described}
    except (KeyError, ValueError, OSError) as error:
        if isinstance(error, OSError) and error.filename is not None:
            raise
        raise ValueError(f"{path} cannot be read: {error}") from error


def to_bytes(columns: Columns) -> bytes:
    """Return columns as the bytes of an npz file. They contain no date, so equal columns give equal bytes."""
    file = io.BytesIO()
    np.savez_compressed(file, allow_pickle=False, **columns)
    return file.getvalue()


def from_bytes(content: bytes) -> Columns:
    with np.load(io.BytesIO(content), allow_pickle=False) as found:
        return {name: found[name] for name in found.files}


def _to_npz(columns: Columns, described: Sequence[Column]) -> bytes:
    return to_bytes(columns)


def _from_npz(content: bytes, described: Sequence[Column]) -> Columns:
    return from_bytes(content)


def _to_csv(columns: Columns, described: Sequence[Column]) -> bytes:
    file = io.StringIO()
    out = csv.writer(file, lineterminator="\n")
    out.writerow(columns)
    out.writerows(zip(*(_texts(columns[column.name], column) for column in described), strict=True))
    return file.getvalue().encode()


def _texts(values: NDArray[Any], column: Column) -> list[Any]:
    if column.name == "split":
        return ["test" if is_test else "train" for is_test in values.tolist()]
    if values.dtype.kind == "S":
        return [text.decode() for text in values.tolist()]
    return ["" if value == column.missing else value for value in values.tolist()]


def _from_csv(content: bytes, described: Sequence[Column]) -> Columns:
    names, *rows = csv.reader(io.StringIO(content.decode()))
    found = dict(zip(names, zip(*rows, strict=True), strict=True))
    return {column.name: _values(found[column.name], column) for column in described}


def _values(texts: Sequence[str], column: Column) -> NDArray[Any]:
    if column.name == "split":
        return np.array([text == "test" for text in texts])
    if (kind := _TYPES.get(column.name, "i1")) == "S":
        return np.array([text.encode() for text in texts])
    return np.array([column.missing if text == "" else int(text) for text in texts], kind)


def _to_parquet(columns: Columns, described: Sequence[Column]) -> bytes:
    import pyarrow as pa
    from pyarrow import parquet

    arrays = {column.name: _to_arrow(columns[column.name], column) for column in described}
    file = io.BytesIO()
    parquet.write_table(pa.table(arrays), file, compression="zstd")
    return file.getvalue()


def _to_arrow(values: NDArray[Any], column: Column) -> Any:
    import pyarrow as pa

    if column.name == "split" or values.dtype.kind == "S":
        return pa.array(_texts(values, column), pa.string())
    return pa.array(values, mask=None if column.missing is None else values == column.missing)


def _from_parquet(content: bytes, described: Sequence[Column]) -> Columns:
    from pyarrow import parquet

    table = parquet.read_table(io.BytesIO(content))
    return {column.name: _from_arrow(table[column.name], column) for column in described}


def _from_arrow(values: Any, column: Column) -> NDArray[Any]:
    if column.name == "split" or _TYPES.get(column.name) == "S":
        return _values(values.to_pylist(), column)
    filled = values if column.missing is None else values.fill_null(column.missing)
    found: NDArray[Any] = filled.to_numpy()
    return found


_WRITERS = {".parquet": _to_parquet, ".npz": _to_npz, ".csv": _to_csv}
_READERS = {".parquet": _from_parquet, ".npz": _from_npz, ".csv": _from_csv}
