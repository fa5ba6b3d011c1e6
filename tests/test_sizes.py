"""The results of docs/sizes.md: as in the data file, as published, and found again where that is quick."""

import pytest

from outplay.connect4 import Position, Solver, plies_to_end
from tools import sizes

QUICK_NODES = 300_000
OURS = sizes.solved()


def test_the_page_is_up_to_date() -> None:
    assert sizes.PAGE.read_text(encoding="utf-8") == sizes.page(), "run python -m tools.sizes"


def test_every_result_is_the_published_one() -> None:
    tromp, steininger = sizes.tromp(), sizes.steininger()
    assert len(OURS.keys() & tromp.keys()) > 30
    for board, row in OURS.items():
        assert row.plies == plies_to_end(Position(*board), row.score)
        assert tromp.get(board, row.sign) == row.sign, board
        sign, plies = steininger.get(board, (row.sign, row.plies))
        assert (sign, plies or row.plies) == (row.sign, row.plies), board


def test_both_published_tables_agree() -> None:
    lengths = sizes.steininger()
    assert all(lengths[board][0] == sign for board, sign in sizes.tromp().items())


def test_every_new_result_is_confirmed_by_another_run() -> None:
    new = [board for board in OURS if sizes.is_new(board)]
    assert {(4, height) for height in range(14, 19)} <= set(new)
    assert all(OURS[board].confirmed for board in new)


@pytest.mark.parametrize("board", [board for board, row in OURS.items() if row.nodes < QUICK_NODES])
def test_small_boards_are_solved_again(board: tuple[int, int]) -> None:
    found = Solver(book=False, table_mib=1024).solve(Position(*board))
    assert found.score == OURS[board].score
