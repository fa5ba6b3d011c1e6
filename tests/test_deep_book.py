"""Deep books: every answer is right, other questions are not answered, damaged files are refused."""

from __future__ import annotations

import random
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from outplay._core.connect4 import DeepBookCore
from outplay.connect4 import Book, DeepBook, Position, Solver
from outplay.connect4.book import SHIPPED
from outplay.errors import CorruptTableError, GameOverError
from tests.oracle.scores import Scores


def made(plies: int, below: tuple[int, ...], width: int, height: int) -> DeepBook:
    """The book of a small board, with the solver's scores."""
    solver, members = Solver(table_mib=1, book=False), DeepBook.members(plies, width=width, height=height)
    scores = [solver.solve(members[index]).score for index in range(len(members))]
    return DeepBook.from_scores(plies, scores, below=below, width=width, height=height)


@pytest.fixture(scope="module")
def book() -> DeepBook:
    return made(7, (5, 4), 5, 4)


@pytest.fixture(scope="module")
def path(book: DeepBook, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("book") / "small.deep"
    book.save(path)
    return path


def positions(plies: int, width: int = 5, height: int = 4) -> list[Position]:
    """All undecided positions with so many discs, mirror images included."""
    found = Book.positions(plies, width=width, height=height)
    return found + [position.mirror() for position in found]


# What it holds


@pytest.mark.parametrize(("plies", "count"), [(0, 1), (1, 4), (8, 77_715), (9, 239_959), (10, 634_338)])
def test_members_of_7x6(plies: int, count: int) -> None:
    assert len(DeepBook.members(plies)) == count


@pytest.mark.slow
def test_members_of_7x6_with_12_discs() -> None:
    assert len(DeepBook.members(11)) == 1_784_788
    assert len(DeepBook.members(12)) == 4_200_899


def test_members_are_the_positions_without_an_immediate_win() -> None:
    def can_win(position: Position) -> bool:
        ends = [position.play(move).outcome() for move in position.legal_moves()]
        return any(end is not None and end.winner is not None for end in ends)

    members = DeepBook.members(7, width=5, height=4)
    found = [each for each in Book.positions(7, width=5, height=4) if not can_win(each)]
    assert [members[index] for index in range(len(members))] == found
    with pytest.raises(IndexError):
        members[len(members)]


def test_a_book_tells_what_it_holds(book: DeepBook, path: Path) -> None:
    for each in (book, DeepBook.open(path)):
        assert (each.width, each.height, each.levels) == (5, 4, [7, 5, 4])
        assert len(each) == sum(len(DeepBook.members(plies, width=5, height=4)) for plies in (7, 5, 4))


# What it answers


def test_every_answer_is_that_of_the_solver(path: Path) -> None:
    book, solver = DeepBook.open(path), Solver(table_mib=1, book=False)
    for plies in (3, 4, 5, 6, 7):
        assert all(book.get(position) == solver.solve(position).score for position in positions(plies))


@pytest.fixture(scope="module")
def brute_force() -> Scores:
    return Scores(4, 4)


@pytest.mark.parametrize(("plies", "below"), [(4, ()), (9, (8, 7)), (13, (12, 11)), (14, ())])
def test_every_answer_of_4x4_is_that_of_brute_force(plies: int, below: tuple[int, ...], brute_force: Scores) -> None:
    book = made(plies, below, 4, 4)
    for level in book.levels:
        for position in positions(level, 4, 4) + positions(level - 1, 4, 4):
            assert book.get(position) == brute_force.of(tuple(map(tuple, position.rows()))), position.fen()


def test_the_scores_of_a_level_come_back_in_their_order(book: DeepBook) -> None:
    for plies in (2, 3, 4, 5, 6, 7):
        members = DeepBook.members(plies, width=5, height=4)
        solver = Solver(table_mib=1, book=book)
        assert list(book.scores(plies)) == [solver.solve(members[index]).score for index in range(len(members))]
    for plies in (1, 8):
        with pytest.raises(ValueError, match="no level has that many discs"):
            book.scores(plies)
    for plies in (-1, 15):
        with pytest.raises(ValueError, match="plies must be from 0 to 14"):
            book.scores(plies)


@pytest.mark.parametrize(
    "position",
    [
        Position.from_moves("12345123", 5, 4),  # more discs than its levels, and fewer
        Position.from_moves("12", 5, 4),
        Position.from_moves("1234123", 4, 5),  # other boards
        Position.from_moves("1234123"),
        Position.from_moves("1234123", 10, 10),
        Position.from_moves("1212121", 5, 4),  # the game is over
    ],
    ids=Position.fen,
)
def test_other_questions_are_not_answered(position: Position, book: DeepBook) -> None:
    assert book.get(position) is None


def test_threads_may_share_a_book(book: DeepBook) -> None:
    asked = positions(6)
    answers = [book.get(position) for position in asked]
    with ThreadPoolExecutor(4) as pool:
        for found in pool.map(lambda _: [book.get(position) for position in asked], range(8)):
            assert found == answers


# A solver with it


def test_a_solver_asks_the_book_first(book: DeepBook) -> None:
    solver, alone = Solver(table_mib=1, book=book), Solver(table_mib=1, book=False)
    for position in positions(5):
        assert solver.scores(position) == alone.scores(position)
        assert solver.line(position, most=1) == alone.line(position, most=1)
        found = solver.solve(position)
        assert (found.known_by, found.score) == ("book", alone.solve(position).score)
    assert solver.nodes == 0
    assert solver.solve(Position.from_moves("12345123", 5, 4)).known_by == "solved"


def test_a_book_does_not_hide_that_a_game_is_over(book: DeepBook) -> None:
    solver = Solver(table_mib=1, book=book)
    with pytest.raises(GameOverError):
        solver.solve(Position.from_moves("1212121", 5, 4))
    with pytest.raises(GameOverError):
        solver.scores(Position.from_moves("1212121", 5, 4))


# Files


def test_a_flipped_bit_is_refused(path: Path, tmp_path: Path) -> None:
    content, damaged = path.read_bytes(), tmp_path / "damaged.deep"
    for at in range(len(content)):
        changed = content[:at] + bytes([content[at] ^ 1 << at % 8]) + content[at + 1 :]
        assert DeepBookCore.decode(changed) is None
    damaged.write_bytes(changed)
    with pytest.raises(CorruptTableError, match="its content is not a deep book"):
        DeepBook.open(damaged)


def test_a_file_that_is_too_short_or_too_long_is_refused(path: Path, tmp_path: Path) -> None:
    content, damaged = path.read_bytes(), tmp_path / "damaged.deep"
    for changed in (b"", content[:20], content[:-8], content[:-1], content + bytes(8), content + content):
        damaged.write_bytes(changed)
        with pytest.raises(CorruptTableError):
            DeepBook.open(damaged)


def test_a_book_of_the_other_kind_is_refused(path: Path, tmp_path: Path) -> None:
    with pytest.raises(CorruptTableError):
        Book.open(path)
    Book.from_scores(0, [0], width=4, height=4).save(tmp_path / "small.book")
    with pytest.raises(CorruptTableError):
        DeepBook.open(tmp_path / "small.book")


def test_a_file_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        DeepBook.open(tmp_path / "none.deep")


def test_scores_that_cannot_be_are_refused() -> None:
    with pytest.raises(ValueError, match="one score for each member"):
        DeepBook.from_scores(1, [0], width=5, height=4)
    with pytest.raises(ValueError, match="a score must be from"):
        DeepBook.from_scores(1, [0, 11, 0], width=5, height=4)
    with pytest.raises(ValueError, match="no level has that many discs"):
        DeepBook.from_scores(4, made(4, (), 4, 4).scores(4), below=(1,), width=4, height=4)


# The deep book that ships


@pytest.fixture
def shipped() -> DeepBook:
    return DeepBook.shipped()


def test_the_shipped_one_answers_9_to_12_discs(shipped: DeepBook) -> None:
    assert (shipped.width, shipped.height, shipped.levels) == (7, 6, [12, 10])
    assert len(shipped) == 4_200_899 + 634_338


@pytest.mark.parametrize(("moves", "score"), [("226744515337", 7), ("475772722323", 4)])
def test_errors_of_an_old_public_book_are_not_ours(moves: str, score: int, shipped: DeepBook) -> None:
    assert shipped.get(Position.from_moves(moves)) == score


def test_scores_of_random_openings_are_those_of_the_solver(shipped: DeepBook) -> None:
    alone, solver, chance, members = Solver(book=False), Solver(), random.Random(1), DeepBook.members(10)
    for _ in range(10):
        position = members[chance.randrange(len(members))]
        assert solver.scores(position) == alone.scores(position)
    assert solver.nodes == 0


@pytest.mark.slow
def test_the_best_of_the_answers_gives_the_8_ply_book_back(shipped: DeepBook, tmp_path: Path) -> None:
    solver = Solver(book=shipped)
    columns = [solver.scores(position) for position in Book.positions(8)]
    Book.from_scores(8, [max(score for score in scores if score is not None) for scores in columns]).save(
        tmp_path / "8"
    )
    assert len(columns) == 91_295
    assert solver.nodes == 0
    assert (tmp_path / "8").read_bytes() == SHIPPED.read_bytes(), "all 129,498 scores"


@pytest.mark.slow
def test_every_score_is_that_of_bitbully(shipped: DeepBook) -> None:
    """Its book, made by others, holds the same positions with 12 discs."""
    core, databases = pytest.importorskip("bitbully.bitbully_core"), pytest.importorskip("bitbully_databases")
    book = core.OpeningBookCore(databases.BitBullyDatabases.get_database_path("12-ply-dist"))
    members, scores, board = DeepBook.members(12), shipped.scores(12), core.BoardCore()
    assert book.getBookSize() == len(members) == len(scores)
    for index, score in enumerate(scores):
        position = members[index]
        own, other = spread(position.own), spread(position.other)
        board.setRawState(own | other, own, 30)
        asked = board if book.isInBook(board) else board.mirror()
        assert book.getBoardValue(asked) == score, position.fen()


def spread(discs: int) -> int:
    """Bits with seven for each column, as bitbully has them: nine for each column."""
    return sum((discs >> 7 * column & 127) << 9 * column for column in range(7))
