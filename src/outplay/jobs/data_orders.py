"""What a data set holds: how its positions are chosen at random, labelled and split, for each game.

A position and its mirror image (in checkers: with the sides exchanged) have one hash, and the hash alone decides
whether a position is for training or for testing. So no test position is in the training part of any data set with the
same test share.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from outplay import checkers, connect4
from outplay.tablebase import NO_VALUE, Tablebase, open_endgames, shipped_folder
from outplay.work import Stop
from outplay.work.shelf import shelf

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

TABLE_MIB = 64
SEARCH_TABLE_MIB = 4
MOST_NODES = 2**62
"""The largest number that `Searcher.analyse_many` takes."""
NO_SEARCH = -32768
"""What `Searcher.analyse_many` answers where there is nothing to search."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a data set; `missing` is the number that stands for "no value"."""

    name: str
    meaning: str
    missing: int | None = None


@dataclass(frozen=True, slots=True)
class _Order:
    """What the orders of both games share."""

    game: ClassVar[str]
    positions: int
    seed: int = 1
    test_share: float = 0.1
    """The share of all possible positions that are for testing."""

    def __post_init__(self) -> None:
        if self.positions < 1:
            raise ValueError(f"positions must be positive, not {self.positions}")
        if self.seed < 0:
            raise ValueError(f"seed must be at least 0, not {self.seed}")
        if not 0 <= self.test_share <= 1:
            raise ValueError(f"test_share must be from 0 to 1, not {self.test_share}")

    def describe(self) -> dict[str, Any]:
        """Return the order as JSON data."""
        found = {name: list(value) if isinstance(value, tuple) else value for name, value in asdict(self).items()}
        return {"game": self.game, **found}


@dataclass(frozen=True, slots=True)
class Connect4Data(_Order):
    """Positions of Connect Four with the exact score of every column."""

    game: ClassVar[str] = "connect4"
    about: ClassVar[str] = "Connect Four positions at random, with the exact score of every column"
    plies: tuple[int, int] = (8, 24)
    no_immediate_win: bool = False
    width: int = 7
    height: int = 6

    def __post_init__(self) -> None:
        _Order.__post_init__(self)
        if self.width * (self.height + 1) > 64:
            raise ValueError(f"{self.width} x {self.height} is too large: width * (height + 1) may be at most 64")

    def columns(self) -> list[Column]:
        score = f"score of column {{}} for the side to move; {connect4.NO_SCORE} or empty: the column is full"
        return [
            Column("board", "cells row by row from the top: . empty, 1 the side that began, 2 the other"),
            Column("own", "bitboard of the side to move"),
            Column("mask", "bitboard of all discs"),
            Column("plies", "discs on the board"),
            Column("side", "side to move: 0 is the side that began, 1 the other"),
            *(Column(f"score_{n}", score.format(n), connect4.NO_SCORE) for n in range(1, self.width + 1)),
            Column("split", "train or test; in npz files True for test"),
        ]

    def draw(self, count: int, seed: int) -> connect4.Positions:
        return connect4.Positions.random(
            count,
            plies=self.plies,
            no_immediate_win=self.no_immediate_win,
            seed=seed,
            width=self.width,
            height=self.height,
        )

    def join(self, batches: list[connect4.Positions]) -> connect4.Positions:
        import numpy as np

        own, mask = (np.concatenate([getattr(batch, name) for batch in batches]) for name in ("own", "mask"))
        return connect4.Positions.from_bitboards(own, mask, width=self.width, height=self.height)

    def hashes(self, positions: connect4.Positions) -> NDArray[np.uint64]:
        """Return one number for each position, the same for its mirror image."""
        return _mixed_smaller(positions.keys(), positions.mirror().keys())

    def drawn(self, positions: connect4.Positions) -> dict[str, NDArray[Any]]:
        import numpy as np

        cells = np.array([b".", b"1", b"2"])[positions.rows().reshape(len(positions), -1)]
        return {
            "board": cells.view(f"S{self.width * self.height}").ravel(),
            "own": positions.own,
            "mask": positions.mask,
            "plies": positions.plies(),
            "side": positions.sides(),
        }

    def label(self, positions: connect4.Positions, stop: Stop) -> dict[str, NDArray[Any]]:
        with (
            shelf().lend(("data", self.width, self.height), lambda: connect4.Solver(table_mib=TABLE_MIB)) as solver,
            stop.calling(solver.stop),
        ):
            scores = solver.scores_many(positions)
        return {f"score_{column + 1}": scores[:, column] for column in range(self.width)}

    def restore(self, columns: dict[str, NDArray[Any]]) -> connect4.Positions:
        """Return the positions of a file."""
        return connect4.Positions.from_bitboards(columns["own"], columns["mask"], width=self.width, height=self.height)


@dataclass(frozen=True, slots=True)
class CheckersData(_Order):
    """Positions of checkers with what the endgame tables know and what a search says."""

    game: ClassVar[str] = "checkers"
    about: ClassVar[str] = "Checkers positions at random, with values of the endgame tables and scores of a search"
    plies: tuple[int, int] | None = (10, 80)
    """The number of random plies that lead to a position."""
    pieces: tuple[int, int] | None = None
    """The number of pieces to put on random squares, instead of playing `plies`."""
    nodes: int = 10_000
    """The number of positions that the search looks at for each label."""

    def __post_init__(self) -> None:
        _Order.__post_init__(self)
        if self.pieces is not None:
            object.__setattr__(self, "plies", None)
        if not 1 <= self.nodes <= MOST_NODES:
            raise ValueError(f"nodes must be from 1 to {MOST_NODES}, not {self.nodes}")

    def columns(self) -> list[Column]:
        return [
            Column("fen", "the position"),
            Column("black", "bitboard of Black's pieces, bit 0 is square 1"),
            Column("white", "bitboard of White's pieces"),
            Column("kings", "bitboard of all kings"),
            Column("side", "side to move: 0 Black, 1 White"),
            Column("value", f"table value for the side to move: 1, 0 or -1; {NO_VALUE} or empty: no table", NO_VALUE),
            Column("distance", "plies to the end where the tables have them; -1 or empty: not known", -1),
            Column("score", f"score of the search, in hundredths of a man; {self.nodes} nodes", NO_SEARCH),
            Column("action", "first action of the best move (docs/batches.md)", -1),
            Column("depth", "depth that the search completed"),
            Column("split", "train or test; in npz files True for test"),
        ]

    def draw(self, count: int, seed: int) -> checkers.Positions:
        found = checkers.Positions.random(count, plies=self.plies, pieces=self.pieces, seed=seed)
        going_on: checkers.Positions = found[found.outcomes() == 0]
        return going_on

    def join(self, batches: list[checkers.Positions]) -> checkers.Positions:
        import numpy as np

        names = ("black", "white", "kings", "sides")
        return checkers.Positions.from_bitboards(
            *(np.concatenate([getattr(batch, name) for batch in batches]) for name in names)
        )

    def hashes(self, positions: checkers.Positions) -> NDArray[np.uint64]:
        """Return one number for each position, the same with the sides exchanged."""
        both = (positions.keys(), positions.flip().keys())
        return _mixed_smaller(*(_mixed(keys[:, 1]) ^ keys[:, 0] for keys in both))

    def drawn(self, positions: checkers.Positions) -> dict[str, NDArray[Any]]:
        import numpy as np

        names = ("black", "white", "kings")
        return {
            "fen": np.array([position.fen().encode() for position in positions]),
            **{name: getattr(positions, name) for name in names},
            "side": positions.sides,
        }

    def label(self, positions: checkers.Positions, stop: Stop) -> dict[str, NDArray[Any]]:
        with (
            shelf().lend("data tables", lambda: Tablebase.open(shipped_folder())) as tables,
            shelf().lend("data searcher", _searcher) as searcher,
            stop.calling(searcher.stop),
        ):
            known = tables.probe_many(positions)
            scores, actions, depths = searcher.analyse_many(positions, nodes=self.nodes)
        return {
            "value": known.values,
            "distance": known.distances,
            "score": scores,
            "action": actions,
            "depth": depths,
        }

    def restore(self, columns: dict[str, NDArray[Any]]) -> checkers.Positions:
        """Return the positions of a file."""
        return checkers.Positions.from_bitboards(columns["black"], columns["white"], columns["kings"], columns["side"])


def _searcher() -> checkers.Searcher:
    """Return a searcher with only the shipped tables: with a user's tables, the labels would differ by machine."""
    return checkers.Searcher(table_mib=SEARCH_TABLE_MIB, endgames=open_endgames(shipped_folder()))


DataOrder = Connect4Data | CheckersData


def splits(order: DataOrder, positions: Any) -> NDArray[np.bool_]:
    """Return True for the positions that are for testing."""
    import numpy as np

    is_test: NDArray[np.bool_] = (order.hashes(positions) >> np.uint64(40)) < round(order.test_share * 2**24)
    return is_test


def order_from(described: dict[str, Any]) -> DataOrder:
    """Return the data order that a data card describes; ValueError or TypeError if it describes none."""
    given: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value for name, value in described.items()
    }
    game = given.pop("game", None)
    if game == Connect4Data.game:
        return Connect4Data(**given)
    if game == CheckersData.game:
        return CheckersData(**given)
    raise ValueError("the game is neither connect4 nor checkers")


def _mixed(numbers: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return the numbers with their bits mixed by the last steps of SplitMix64; different numbers stay different."""
    import numpy as np

    numbers = numbers + np.uint64(0x9E3779B97F4A7C15)
    numbers = (numbers ^ (numbers >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    numbers = (numbers ^ (numbers >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    mixed: NDArray[np.uint64] = numbers ^ (numbers >> np.uint64(31))
    return mixed


def _mixed_smaller(a: NDArray[np.uint64], b: NDArray[np.uint64]) -> NDArray[np.uint64]:
    import numpy as np

    return _mixed(np.minimum(a, b))
