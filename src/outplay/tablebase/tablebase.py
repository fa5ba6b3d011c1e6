"""Endgame tables: the exact value of a position, and a move that keeps it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

from outplay._core.tablebase import Prober
from outplay.checkers import Move, Position, Positions
from outplay.errors import MissingTableError
from outplay.tablebase.files import open_file, shipped_folder, tables_folder, tables_in
from outplay.tablebase.material import Material

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MOST_CACHE_MIB = 1 << 16


class Value(StrEnum):
    """How a position ends with best play, for the side to move."""

    LOSS = "loss"
    DRAW = "draw"
    WIN = "win"


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the tables know about a position. They do not know about repetition or the no-progress rule."""

    value: Value
    distance: int | None = None
    """Plies to the end with best play, where the table holds distances; None for a draw."""


@dataclass(frozen=True, slots=True)
class Verdicts:
    """What the tables know about each position of a batch, as arrays."""

    values: NDArray[np.int8]
    """1 for a win of the side to move, 0 for a draw, -1 for a loss, NO_VALUE where there is no table."""
    distances: NDArray[np.int16]
    """Plies to the end with best play, where the table holds distances; otherwise -1."""


NO_VALUE = -128
_MOST_DISTANCE = 255
_VERDICTS = tuple(
    Verdict(value, distance) for distance in (None, *range(_MOST_DISTANCE + 1)) for value in Value
)  # as the core numbers them


class Tablebase:
    """Endgame tables: those that ship, and those in a folder. Safe to share between threads.

    >>> with Tablebase.open() as tablebase:
    ...     tablebase.probe(Position.from_fen("B:WK18:BK4,K10"))
    Verdict(value=<Value.WIN: 'win'>, distance=25)
    """

    def __init__(self, prober: Prober, materials: tuple[Material, ...]) -> None:
        """Use `Tablebase.open`."""
        self._prober: Prober | None = prober
        self._materials = materials

    @classmethod
    def open(cls, path: Path | None = None, *, unpacked: bool = False, cache_mib: int = 64) -> Tablebase:
        """Open the tables that ship with outplay, and those in the folder `path`.

        Default for `path`: $OUTPLAY_TABLES, or the user's cache folder.

        With `unpacked`, all tables are unpacked in memory: they are slow to open and fast to probe. Otherwise blocks
        are unpacked as needed, and `cache_mib` limits how many are kept. CorruptTableError names a damaged file.
        """
        if not 0 <= cache_mib <= MOST_CACHE_MIB:
            raise ValueError(f"cache_mib must be from 0 to {MOST_CACHE_MIB}, not {cache_mib}")
        paths = {file.stem: file for folder in (shipped_folder(), tables_folder(path)) for file in tables_in(folder)}
        files = [open_file(file) for file in paths.values()]
        names = [Material.parse(name) for name in paths]
        materials = sorted({seen for name in names for seen in (name, name.other)}, key=lambda m: (m.pieces, m))
        prober = Prober.unpacked(files, os.cpu_count() or 1) if unpacked else Prober(files, cache_mib << 20)
        return cls(prober, tuple(materials))

    def probe(self, position: Position) -> Verdict:
        """Return the value of a position; MissingTableError if there is no table for it."""
        verdict = self.get(position)
        if verdict is None:
            raise MissingTableError(str(Material.of(position)))
        return verdict

    def get(self, position: Position) -> Verdict | None:
        """Return the value of a position; None if there is no table for it."""
        found = self._open().find(position)
        return _VERDICTS[found] if found >= 0 else None

    def get_all(self, positions: Iterable[Position]) -> list[Verdict | None]:
        """Return the values of many positions, in order. Faster than one by one, most of all if `unpacked`."""
        return [_VERDICTS[found] if found >= 0 else None for found in self._open().find_all(list(positions))]

    def probe_many(
        self, positions: Positions, *, threads: int = 1, progress: Callable[[int, int], None] | None = None
    ) -> Verdicts:
        """Return the values of a batch as arrays. Needs NumPy.

        `progress` is called several times a second with the number of positions done so far and the total number.
        """
        return Verdicts(*self._open().probe_many(positions, threads=threads, progress=progress))

    def best(self, position: Position) -> Move:
        """Return a move that keeps the value and makes progress.

        In a drawn position, it is the first legal move that keeps the draw. Where distances are stored, it is the
        fastest win or the longest defence. Elsewhere, it is a step towards the next capture or move of a man, because
        neither can be undone. The winning side takes the shortest way that keeps the win, the losing side the longest.
        For this, all placements of the kings are solved once for each placement of the men, which takes from
        milliseconds to some seconds (six kings).

        MissingTableError if there is no table for the position, GameOverError if there is no move.
        """
        move: Move = self._open().best(position)
        return move

    def _open(self) -> Prober:
        if self._prober is None:
            raise ValueError("the tablebase is closed")
        return self._prober

    @property
    def materials(self) -> tuple[Material, ...]:
        """All materials that have a table."""
        return self._materials

    def close(self) -> None:
        """Release the files and the memory. Any later question raises ValueError."""
        self._prober = None

    def __enter__(self) -> Tablebase:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
