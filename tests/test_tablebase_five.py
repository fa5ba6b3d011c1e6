"""Five pieces, and what takes longer: built, counted, proved, compared with a search, and played out."""

from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from outplay import Game
from outplay.checkers import Move, Position, Searcher
from outplay.engine.types import Limit
from outplay.errors import CorruptTableError
from outplay.outcome import Reason
from outplay.tablebase import (
    Tablebase,
    TableInfo,
    Value,
    build_table,
    open_endgames,
    plan,
    verify_table,
)
from tests.support import table_files
from tests.support.endings import random_ending
from tests.support.problems import PATIENCE, check_problem, is_proved_to_win, problems

pytestmark = pytest.mark.slow

FIVE_PIECES = (71_334_772, 11_122_892, 56_993_144)
"""Wins, draws and losses of the side to move. Nobody has published them: they are what we built and proved."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("tables")


@pytest.fixture(scope="module")
def built(folder: Path) -> list[TableInfo]:
    return [build_table(job.name, folder, threads=2) for job in plan(5)]


def test_five_pieces_are_counted_and_small(built: list[TableInfo]) -> None:
    counts = [count for info in built for count in info.tables]
    totals = [sum(column) for column in zip(*((c.wins, c.draws, c.losses) for c in counts), strict=True)]
    assert tuple(totals) == FIVE_PIECES
    assert sum(info.bytes for info in built) < 10_000_000


def test_five_pieces_are_proved(built: list[TableInfo], folder: Path) -> None:
    for info in built:
        assert verify_table(info.name, folder, threads=2) == info


def test_a_problem_accepts_every_move_that_larger_tables_prove(built: list[TableInfo], folder: Path) -> None:
    """With four pieces only 14-17 is proved, which the problem names; with five the engine prefers another."""
    position = Position.from_fen("W:W9,16,K2,K14:BK22,K27")
    found = Searcher(table_mib=16, endgames=open_endgames(folder)).analyse(position, nodes=2_000_000).lines[0].moves[0]
    assert str(found) != "14-17"
    assert all(is_proved_to_win(position, move, folder) for move in position.legal_moves())
    assert [str(move) for move in position.legal_moves() if is_proved_to_win(position, move)] == ["14-17"]


@pytest.mark.parametrize(("fen", "move", "how"), problems())
def test_problems_are_solved_within_two_seconds(
    fen: str, move: str, how: str, built: list[TableInfo], folder: Path
) -> None:
    """How deep the engine looks depends on the machine, so it may find any win; the tables say which moves are wins."""
    check_problem(fen, move, how, Limit(time_ms=2000 * PATIENCE.get(fen, 1)), folder)


def test_what_a_search_proves_the_tables_give_as_won(built: list[TableInfo], folder: Path) -> None:
    random, proved = Random(6), 0
    with Tablebase.open(folder) as tablebase:
        for position in (random_ending(random, 5) for _ in range(200)):
            for move in position.legal_moves():
                if is_proved_to_win(position, move, nodes=1000):
                    proved += 1
                    assert tablebase.probe(position.play(move)).value == Value.LOSS, (position.fen(), move)
    assert proved > 100


def test_five_pieces_are_as_a_deep_search_finds_them(built: list[TableInfo], folder: Path) -> None:
    random, decided = Random(5), 0
    with Tablebase.open(folder) as tablebase:
        for _ in range(300):
            position = random_ending(random, 5)
            found = search(position, 7)
            decided += found is not None
            assert found in (None, tablebase.probe(position).value), position.fen()
    assert decided > 50


def search(position: Position, depth: int) -> Value | None:
    """Who wins within so many plies; None if nobody does for certain."""
    moves = position.legal_moves()
    if not moves:
        return Value.LOSS
    if depth == 0:
        return None
    replies = set()
    for move in moves:
        reply = search(position.play(move), depth - 1)
        if reply is Value.LOSS:
            return Value.WIN
        replies.add(reply)
    return Value.LOSS if replies == {Value.WIN} else None


def test_packed_and_unpacked_tables_say_the_same(built: list[TableInfo], folder: Path) -> None:
    random = Random(55)
    with Tablebase.open(folder) as packed, Tablebase.open(folder, unpacked=True) as unpacked:
        for _ in range(20_000):
            position = random_ending(random, 5)
            assert packed.probe(position) == unpacked.probe(position), position.fen()


def test_without_distances_a_win_makes_progress_all_the_same(built: list[TableInfo], folder: Path) -> None:
    """The side that wins follows the tables; the other plays at random, or as long as it can."""
    random, wins = Random(3), 0
    with Tablebase.open(folder) as tablebase:
        for number in range(60):
            position = random_ending(random, 5)
            if tablebase.probe(position).value is Value.WIN:
                wins += 1
                defence = tablebase.best if number % 2 else (lambda at: random.choice(at.legal_moves()))
                is_won(tablebase, position, defence)
    assert wins > 20


def is_won(tablebase: Tablebase, position: Position, defence: Callable[[Position], Move]) -> None:
    game = Game(position)
    while game.outcome() is None:
        assert isinstance(game.position, Position)
        is_ours = game.position.side is position.side
        game.play((tablebase.best if is_ours else defence)(game.position))
    outcome = game.outcome()
    assert outcome is not None
    assert outcome.winner is position.side, (position.fen(), outcome)
    assert outcome.reason in (Reason.NO_PIECES, Reason.NO_MOVES)


# A circle of wins


MAN = 1
CIRCLE_TABLE = "1102"


def test_wins_that_support_each_other_in_a_circle_are_found(tmp_path: Path) -> None:
    """Where the side with the man can shuffle for ever, call every draw its win: each value fits its moves."""
    with Tablebase.open(tmp_path) as tablebase:
        values = [[number_of(tablebase, position) for position in all_of_table(side)] for side in "BW"]
        circle = circle_of(tablebase)
    assert circle
    for index, side in enumerate("BW"):
        for at, position in enumerate(all_of_table(side)):
            if position in circle:
                values[index][at] = table_files.WIN if side == "B" else table_files.LOSS
    counts = [[side.count(value) for value in (table_files.WIN, table_files.DRAW, table_files.LOSS)] for side in values]
    (tmp_path / f"{CIRCLE_TABLE}.table").write_bytes(table_files.file_of(CIRCLE_TABLE, values, counts))
    with pytest.raises(CorruptTableError, match="circle"):
        verify_table(CIRCLE_TABLE, tmp_path, threads=2)


def number_of(tablebase: Tablebase, position: Position) -> int:
    return list(Value).index(tablebase.probe(position).value)


def all_of_table(side: str) -> list[Position]:
    """A man and a king against two kings, in the order of the file: men that have left their home row come first."""
    return [position for man in (*range(5, 29), *range(1, 5)) for position in placements(side, man)]


def placements(side: str, man: int) -> list[Position]:
    return [
        Position.from_fen(f"{side}:WK{second[0] + 1},K{second[1] + 1}:B{man},K{first[0] + 1}")
        for first, second in table_files.king_placements(1 << man - 1, 1, 2)
    ]


def circle_of(tablebase: Tablebase) -> set[Position]:
    """The drawn positions with the man at home in which its side can avoid every way out that is no win."""
    members = {
        position for side in "BW" for position in placements(side, MAN) if tablebase.probe(position).value is Value.DRAW
    }
    while True:
        leaving = {position for position in members if not is_supported(tablebase, position, members)}
        if not leaving:
            return members
        members -= leaving


def is_supported(tablebase: Tablebase, position: Position, members: set[Position]) -> bool:
    after = [position.play(move) for move in position.legal_moves()]
    if position.side.name == "FIRST":
        return any(reply in members for reply in after)
    return all(reply in members or tablebase.probe(reply).value is Value.WIN for reply in after)
