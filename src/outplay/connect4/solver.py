"""The exact score of any position and of each of its columns, and the line of best play."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from time import perf_counter
from typing import TYPE_CHECKING, Any, Literal, SupportsIndex

from outplay._core.connect4 import BookCore, DeepBookCore, Position, Positions, SolverCore
from outplay.connect4.book import Book
from outplay.connect4.deep_book import DeepBook
from outplay.errors import GameOverError, OutplayError, wrong_type

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Progress = Callable[[int, int, int], None]
"""Called during a search with the lowest and the highest score that is still possible, and the nodes so far."""

BatchProgress = Callable[[int, int], None]
"""Called while a batch is solved, with the number of positions that are done and the number of all positions."""


_NO_LIMIT: dict[str, int | None] = {"nodes": None, "time_ms": None}


class UnsolvedError(OutplayError):
    """A limit or `stop()` ended the search before the score was known; it is at least `.low` and at most `.high`."""

    def __init__(self, low: int, high: int) -> None:
        super().__init__(f"not solved: the score is from {low} to {high}")
        self.low, self.high = low, high


@dataclass(frozen=True, slots=True)
class Solution:
    """What a search found out about a position, seen from the side to move, and what it cost."""

    low: int
    high: int
    """The score is at least `low` and at most `high`."""
    plies: int | None
    """Plies to the end, if both sides play their best; None if not known."""
    known_by: Literal["solved", "book", "search"]
    """"solved" or "book" if the question was answered: the score, or with `sign_only` who wins. "search" if a limit or
    `stop()` ended the search first: `low` and `high` are proved, the score between them is not known."""
    nodes: int
    seconds: float

    @property
    def is_exact(self) -> bool:
        return self.low == self.high

    @property
    def score(self) -> int:
        """Positive for a win, negative for a loss, 0 for a draw; further from 0 the sooner the game ends.

        UnsolvedError if it is not known.
        """
        if not self.is_exact:
            raise UnsolvedError(self.low, self.high)
        return self.low

    @property
    def sign(self) -> int:
        """1 for a win, 0 for a draw, -1 for a loss; UnsolvedError if it is not known."""
        if self.low > 0 or self.high < 0 or self.is_exact:
            return (self.low > 0) - (self.high < 0)
        raise UnsolvedError(self.low, self.high)


@dataclass(frozen=True, slots=True)
class NearScore:
    """The score of a move as far as a search of a few plies can tell."""

    score: int
    """The exact score if the game is decided within those plies; 0 if it is not."""
    is_exact: bool


class Solver:
    """Solves positions of any board size, and keeps what it finds for the next position.

    Several threads may use a solver, but only one at a time; `stop()` from another thread ends the search that is
    running. The scores are exact with any number of threads, any size of the table and any set of techniques.
    """

    def __init__(
        self,
        *,
        table_mib: int = 64,
        threads: int = 1,
        book: Book | DeepBook | bool = True,
        vector: bool = True,
        evens: bool = True,
        threats: bool = True,
        order: bool = True,
        sprint: bool = True,
    ) -> None:
        """Make a solver. It looks positions up in `book`: True means the books that ship, False none.

        The last five arguments are techniques; False switches one off.
        """
        opening_book, deep_book = _cores(book)
        settings: dict[str, Any] = {
            "table_mib": table_mib,
            "threads": threads,
            "vector": vector,
            "evens": evens,
            "threats": threats,
            "order": order,
            "sprint": sprint,
        }
        self._settings = settings | {"book": book}
        self._core = SolverCore(book=opening_book, deep_book=deep_book, **settings)
        self.nodes = 0
        """Nodes of all searches so far."""

    def solve(
        self,
        position: Position,
        *,
        sign_only: bool = False,
        nodes: int | None = None,
        time_ms: int | None = None,
        progress: Progress | None = None,
    ) -> Solution:
        """Solve a position; with `sign_only` find only who wins, which is quicker. GameOverError if it is over.

        `nodes` and `time_ms` limit the search. Default: no limit. `progress` is called several times a second.
        """
        started = perf_counter()
        low, high, count, is_book = self._core.solve(
            position, sign_only=sign_only, nodes=nodes, time_ms=time_ms, report=progress
        )
        self.nodes += count
        is_answered = low == high or (sign_only and (low > 0 or high < 0))
        known_by: Literal["solved", "book", "search"] = "book" if is_book else "solved" if is_answered else "search"
        plies = plies_to_end(position, low) if low == high else None
        return Solution(low, high, plies, known_by, count, perf_counter() - started)

    def compare(
        self,
        position: Position,
        score: int,
        *,
        nodes: int | None = None,
        time_ms: int | None = None,
        progress: Progress | None = None,
    ) -> Solution:
        """Find out whether a position is worth at least `score`, without the book. GameOverError if it is over.

        In the result, either `low >= score` or `high < score`. If a limit or `stop()` ended the search first,
        `known_by` is "search".
        """
        started = perf_counter()
        low, high, count = self._core.compare(position, score, nodes=nodes, time_ms=time_ms, report=progress)
        self.nodes += count
        plies = plies_to_end(position, low) if low == high else None
        known_by: Literal["solved", "search"] = "solved" if low >= score or high < score else "search"
        return Solution(low, high, plies, known_by, count, perf_counter() - started)

    def scores(self, position: Position) -> list[int | None]:
        """Return the score of dropping a disc in each column, for the side to move; None for a full column.

        GameOverError if the game is over.
        """
        scores, unsolved, count = self._core.scores(position)
        self.nodes += count
        if unsolved is not None:
            raise UnsolvedError(*unsolved)
        return scores

    def best(self, position: Position) -> list[int]:
        """Return the columns with the best score, the nearest to the centre first.

        Of two equally near columns, the left one comes first. GameOverError if the game is over.
        """
        scores = self.scores(position)
        most = max(score for score in scores if score is not None)
        return [column for column in _from_the_centre(position) if scores[column] == most]

    def near_scores(self, position: Position, plies: int) -> list[NearScore | None]:
        """Return the score of each column, exact where the game is decided within `plies` plies, this move included.

        A move that wins or loses within these plies has its exact score. Any other move has 0, and `is_exact` is False:
        it may win later, lose later or draw. None for a full column; GameOverError if the game is over.
        """
        if not isinstance(plies, SupportsIndex):
            raise wrong_type("plies", "an integer", plies)
        if plies < 1:
            raise ValueError(f"plies must be positive, not {plies}")
        if (outcome := position.outcome()) is not None:
            raise GameOverError(position, outcome.reason)
        columns = range(position.width)
        return [self._near(position, each, plies - 1) if position.is_legal(each) else None for each in columns]

    def _near(self, position: Position, column: int, plies: int) -> NearScore:
        after = position.play(column)
        if after.outcome() is not None:
            return NearScore(self.move_score(position, column), True)
        cells_left = after.width * after.height - after.plies
        if cells_left <= plies:
            return NearScore(-self.solve(after).score, True)
        most = (cells_left + 1) // 2
        for sign in (1, -1):  # the other side wins, or loses, soon
            soon = [score for score in range(most, 0, -1) if plies_to_end(after, sign * score) <= plies]
            if soon and self._is_beyond(after, sign * soon[-1]):
                return NearScore(-next(sign * score for score in soon if self._is_beyond(after, sign * score)), True)
        return NearScore(0, False)

    def _is_beyond(self, position: Position, score: int) -> bool:
        """Return whether a position has this score or one that is even further from a draw."""
        answer = self._is_at_least(position, score if score > 0 else score + 1, _NO_LIMIT)
        if answer is None:
            raise UnsolvedError(-abs(score), abs(score))
        return answer is (score > 0)

    def solve_many(
        self,
        positions: Positions,
        *,
        sign_only: bool = False,
        nodes: int | None = None,
        threads: int = 1,
        progress: BatchProgress | None = None,
    ) -> NDArray[np.int8]:
        """Return the score of each position of a batch, as `solve` finds it. Needs NumPy.

        With `sign_only` the score is 1, 0 or -1. It is NO_SCORE where the game is over, where `nodes` for one position
        were not enough, and where `stop()` ended the search first. `threads` positions are solved at once; each thread
        has its own hash table of `table_mib`. The books are asked only if the positions are known to arise in games:
        see `Positions.is_reachable`. `progress` is called several times a second.
        """
        scores, count = self._core.solve_many(
            positions, sign_only=sign_only, nodes=nodes, threads=threads, progress=progress
        )
        self.nodes += count
        return scores

    def scores_many(
        self,
        positions: Positions,
        *,
        nodes: int | None = None,
        threads: int = 1,
        progress: BatchProgress | None = None,
    ) -> NDArray[np.int8]:
        """Return an array of positions x width with the score of each column, as `scores` finds it. Needs NumPy.

        The score of a full column is NO_SCORE too. For all else, see `solve_many`.
        """
        scores, count = self._core.scores_many(positions, nodes=nodes, threads=threads, progress=progress)
        self.nodes += count
        return scores

    def move_score(self, position: Position, move: int) -> int:
        """Return the score of a move, seen from the side that plays it."""
        after = position.play(move)
        outcome = after.outcome()
        if outcome is None:
            return -self.solve(after).score
        cells = position.width * position.height
        return 0 if outcome.winner is None else (cells + 1 - position.plies) // 2

    def line(
        self, position: Position, *, most: int | None = None, nodes: int | None = None, time_ms: int | None = None
    ) -> list[int]:
        """Return best play by both sides to the end, or only its first `most` moves.

        Among equal moves it takes the one nearest to the centre. `nodes` and `time_ms` limit the search for each move:
        the line ends where they are not enough. Without these limits, UnsolvedError if `stop()` ended the search.
        """
        moves: list[int] = []
        limits = {"nodes": nodes, "time_ms": time_ms}
        found = self.solve(position, nodes=nodes, time_ms=time_ms)
        if not found.is_exact and limits != _NO_LIMIT:
            return moves
        score = found.score
        while position.outcome() is None and (most is None or len(moves) < most):
            move = self._best(position, score, limits)
            if move is None:
                break
            moves.append(move)
            position, score = position.play(move), -score
        return moves

    def _best(self, position: Position, score: int, limits: dict[str, int | None]) -> int | None:
        for move in _from_the_centre(position):
            is_worth = self._is_worth(position, move, score, limits)
            if is_worth is None and limits == _NO_LIMIT:
                raise UnsolvedError(-abs(score), abs(score))
            if is_worth is not False:
                return move if is_worth else None
        return None

    def _is_worth(self, position: Position, move: int, score: int, limits: dict[str, int | None]) -> bool | None:
        """Return whether a move has this score. That takes one search; finding the score of a move takes several."""
        after = position.play(move)
        if self._core.find(after) is not None or after.outcome() is not None:
            return self.move_score(position, move) == score
        answer = self._is_at_least(after, 1 - score, limits)
        return None if answer is None else not answer

    def _is_at_least(self, position: Position, score: int, limits: dict[str, int | None]) -> bool | None:
        """Return whether a position is worth at least this score; None if the search ended first."""
        found = self.compare(position, score, nodes=limits["nodes"], time_ms=limits["time_ms"])
        return True if found.low >= score else False if found.high < score else None

    def __reduce__(self) -> tuple[Any, ...]:
        """Return the settings: a copy begins without what this solver has found."""
        return partial(type(self), **self._settings), ()

    def stop(self) -> None:
        """End the search that is running. Its solution then gives a range of scores."""
        self._core.stop()

    def clear(self) -> None:
        """Forget everything found out so far."""
        self._core.clear()

    def is_vector(self, position: Position) -> bool:
        """Return whether positions of this size are searched with vector instructions on this machine."""
        return self._core.is_vector(position.width, position.height)


def _from_the_centre(position: Position) -> list[int]:
    """Return the open columns, the nearest to the centre first."""
    middle = (position.width - 1) / 2
    return sorted(position.legal_moves(), key=lambda move: abs(move - middle))


def _cores(book: Book | DeepBook | bool) -> tuple[BookCore | None, DeepBookCore | None]:
    """Return the books that a solver looks into before it searches."""
    if not isinstance(book, Book | DeepBook | bool):
        raise wrong_type("book", "True, False, a Book or a DeepBook (open_book opens a file)", book)
    if book is True:
        return Book.shipped().core, DeepBook.shipped().core
    return book.core if isinstance(book, Book) else None, book.core if isinstance(book, DeepBook) else None


def plies_to_end(position: Position, score: int) -> int:
    """Return the number of plies to the end from a position with this score, if both sides play their best."""
    cells, discs = position.width * position.height, position.plies
    if score == 0:
        return cells - discs
    before = cells - 2 * abs(score)  # discs on the board when the winning one is dropped: this or one more
    is_winner_to_move = score > 0
    if (before - discs) % 2 != (0 if is_winner_to_move else 1):
        before += 1
    return before + 1 - discs
