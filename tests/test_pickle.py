"""Whatever holds threads, tables or open files pickles as its settings, and begins anew elsewhere."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import pytest

from outplay import Game, LiveGame, checkers, connect4
from outplay.engine.native import SearcherEngine, SolverEngine
from outplay.engine.types import Limit
from outplay.live import Terms
from outplay.players import HUMAN, player


def again(thing: Any) -> Any:
    return pickle.loads(pickle.dumps(thing))


def test_a_solver_keeps_its_settings_and_forgets_what_it_found() -> None:
    solver = connect4.Solver(table_mib=1, threads=2, book=False, sprint=False)
    position = connect4.Position.from_moves("12121334", 5, 4)
    solver.solve(position)
    copy = again(solver)
    assert (copy._settings, copy.nodes) == (solver._settings, 0)
    assert copy.solve(position).score == solver.solve(position).score


def test_books_pickle_whole_and_the_shipped_ones_by_name() -> None:
    for shipped in (connect4.Book.shipped(), connect4.DeepBook.shipped()):
        assert again(shipped) is shipped
        assert len(pickle.dumps(shipped)) < 200
    small = connect4.Book.from_scores(1, [0] * len(connect4.Book.positions(1, width=4, height=4)), width=4, height=4)
    assert again(small).get(connect4.Position(4, 4)) == small.get(connect4.Position(4, 4))
    assert again(connect4.Solver(table_mib=1, book=small))._settings["book"].plies == 1


def test_a_deep_book_of_a_file_pickles_whole(tmp_path: Path) -> None:
    count = len(connect4.DeepBook.members(1, width=4, height=4))
    made = connect4.DeepBook.from_scores(1, [0] * count, width=4, height=4)
    made.save(tmp_path / "small.book")
    book = connect4.DeepBook.open(tmp_path / "small.book")
    assert again(book).levels == book.levels


@pytest.mark.parametrize(
    ("engine", "position"),
    [
        (SearcherEngine(table_mib=1, without="futility"), checkers.Position()),
        (SolverEngine(table_mib=1, seed=3, book=False), connect4.Position.from_moves("12121334", 5, 4)),
    ],
)
def test_engines_keep_their_settings(engine: Any, position: Any) -> None:
    copy = again(engine)
    assert copy._settings == engine._settings
    limit = Limit(nodes=2000)
    assert copy.analyse(position, limit).move == engine.analyse(position, limit).move


def test_a_live_game_goes_on_where_it_stood() -> None:
    terms = Terms(seats=(HUMAN, player("random", seed=1)), time_ms=10, is_paused=True)
    with LiveGame(Game(connect4.Position()), terms) as live:
        live.start()
        live.play("4")
        with again(live) as copy:
            assert copy.game == live.game
            assert (copy.state().texts, copy.state().version) == (["4"], live.state().version)
            copy.start()
            copy.resume()
            assert copy.wait(lambda state: len(state.texts) == 2, timeout=60).status == "human"
        assert live.state().texts == ["4"]
