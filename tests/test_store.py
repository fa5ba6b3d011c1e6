"""Saved games: what comes back is what was saved, and what cannot be saved is told."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import create_engine, event
from sqlalchemy.exc import IntegrityError

from outplay import checkers, connect4, places
from outplay.live import ClockSetting, Terms
from outplay.notation.headers import date_of, name_of
from outplay.outcome import Reason, Side
from outplay.players import HUMAN, player
from outplay.record import AnyGame, Game
from outplay.rules import CLASSROOM_NO_PROGRESS, RULES
from outplay.store import ConflictError, Filter, SavedGame, Store, open_store
from outplay.store.filters import opening_text
from outplay.store.games import opening_of
from outplay.store.migrate import configuration
from outplay.store.models import Base
from outplay.store.progress import LevelResult, results_of

SEATS = ("human", "level:3")
TERMS = Terms(seats=(HUMAN, player("level:3")))


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.slow)])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    """An empty store of either kind."""
    is_file = request.param == "sqlite"
    db = str(tmp_path / "games.sqlite3") if is_file else request.getfixturevalue("postgres_server").new_database()
    store = open_store(db)
    yield store
    store.close()


def played(*moves: str, start: connect4.Position | checkers.Position | None = None) -> AnyGame:
    game = Game(start or connect4.Position())
    for move in moves:
        game.play(move)
    return game


def saved(
    game: AnyGame,
    *,
    id: str = "game",  # noqa: A002
    revision: int = 1,
    terms: Terms = TERMS,
    **options: Any,
) -> SavedGame:
    return SavedGame(id, game, replace(terms, version=game.ply, revision=revision), **options)


def loaded(store: Store, game: AnyGame) -> AnyGame:
    store.save(saved(game), after=None)
    found = store.load("game")
    assert found is not None
    return found.game


def test_lists_and_new_games_cost_the_same_however_many_games_others_have(tmp_path: Path) -> None:
    store = open_store(str(tmp_path / "games.sqlite3"))
    steps = 0

    def step() -> None:
        nonlocal steps
        steps += 1

    @event.listens_for(store.engine, "checkout")
    def count(connection: sqlite3.Connection, *_: object) -> None:
        connection.set_progress_handler(step, 1)

    def cost() -> int:
        nonlocal steps
        steps = 0
        mine = Filter(person="me")
        assert [summary.id for summary in store.games(limit=20, where=mine)] == ["mine"]
        assert store.count(mine) == 1
        assert store.count_of("me") == 1
        assert store.has_space(1, most=1000)
        return steps

    store.save(saved(played("4"), id="mine", owner="me"), after=None)
    before = cost()
    store.add([saved(played("4"), id=f"game{number}", owner="you") for number in range(500)])
    assert cost() < before + 100
    store.close()


def test_a_game_comes_back_as_it_was(store: Store) -> None:
    game = loaded(store, played("4", "4", "5"))
    assert game.moves == [3, 3, 4]
    assert game.outcome() is None


def test_other_boards_and_starts_come_back(store: Store) -> None:
    start = connect4.Position.from_moves("1234", 8, 8)
    assert loaded(store, played("5", start=start)).start == start


def test_a_checkers_game_comes_back_with_its_limits(store: Store) -> None:
    game = Game(checkers.Position.from_fen("W:W21,K5:B2,K30"), no_progress=CLASSROOM_NO_PROGRESS)
    game.play("5-9")
    back = loaded(store, game)
    assert back.no_progress == CLASSROOM_NO_PROGRESS
    assert back.position == game.position


@pytest.mark.parametrize("reason", [Reason.RESIGNATION, Reason.TIME, Reason.AGREEMENT])
def test_how_a_game_ended_comes_back(store: Store, reason: Reason) -> None:
    game = played("4")
    match reason:
        case Reason.RESIGNATION:
            game.resign(Side.SECOND)
        case Reason.TIME:
            game.lose_on_time(Side.SECOND)
        case _:
            game.agree_draw()
    assert loaded(store, game).outcome() == game.outcome()


def test_the_terms_of_a_game_come_back(store: Store) -> None:
    terms = Terms(
        seats=(HUMAN, player("level:3", seed=11)),
        seed=5,
        time_ms=100,
        is_paused=True,
        is_strict=True,
        clock=ClockSetting(60_000, 2_000),
        version=1,
        revision=1,
        left_ms=(50_000, 40_000),
        takebacks=(2,),
        draw_offer=Side.SECOND,
    )
    game = played("4", "4", "5")
    for _ in range(2):
        game.undo(keep=False)
    store.save(saved(game, terms=terms, rematch="other"), after=None)
    found = store.load("game")
    assert found is not None
    assert found.terms == terms
    assert (found.game.moves, found.game.undone, found.rematch) == ([3], (3, 4), "other")
    assert (found.seats, found.terms.version, found.terms.revision) == (SEATS, 1, 1)


def test_a_game_that_was_drawn_after_a_take_back_is_not_damaged(store: Store) -> None:
    game = played("4", "4")
    game.undo(keep=False)
    game.agree_draw()
    found = loaded(store, game)
    assert (found.moves, found.undone) == ([3], (3,))
    outcome = found.outcome()
    assert outcome is not None
    assert outcome.reason is Reason.AGREEMENT


@given(st.data())
@settings(max_examples=25, deadline=None)
def test_any_game_comes_back(data: st.DataObject) -> None:
    game = Game(RULES[data.draw(st.sampled_from(sorted(RULES)))].start())
    while game.outcome() is None and data.draw(st.booleans()):
        game.play(data.draw(st.sampled_from(game.position.legal_moves())))
    store = open_store("sqlite://")
    back = loaded(store, game)
    store.close()
    assert (back.start, back.moves, back.position) == (game.start, game.moves, game.position)


def test_there_is_nothing_under_another_name(store: Store) -> None:
    assert store.load("nothing") is None


def test_a_game_is_saved_over_and_over(store: Store) -> None:
    game = played("4")
    store.save(saved(game), after=None)
    game.play("5")
    store.save(saved(game, revision=2), after=1)
    found = store.load("game")
    assert found is not None
    assert found.game.moves == [3, 4]


def test_what_somebody_else_has_saved_is_not_overwritten(store: Store) -> None:
    store.save(saved(played("4")), after=None)
    store.save(saved(played("4", "5"), revision=2), after=1)
    with pytest.raises(ConflictError):
        store.save(saved(played("4", "6"), revision=2), after=1)


def test_lists_leave_out_games_without_a_move(store: Store) -> None:
    store.save(saved(played(), id="empty"), after=None)
    store.save(saved(played("4"), id="first"), after=None)
    store.save(saved(played("4", "5"), id="second"), after=None)
    assert [summary.id for summary in store.games(limit=10)] == ["second", "first"]
    assert [summary.id for summary in store.games(limit=10, offset=1)] == ["first"]
    assert (store.count(), store.count(Filter())) == (3, 2)


def test_old_games_without_a_move_are_forgotten(store: Store) -> None:
    store.save(saved(played(), id="empty"), after=None)
    store.save(saved(played("4"), id="played"), after=None)
    assert store.remove_unplayed(datetime.now(UTC) - timedelta(hours=1)) == 0
    assert store.remove_unplayed(datetime.now(UTC) + timedelta(hours=1), keep=["empty"]) == 0
    assert store.remove_unplayed(datetime.now(UTC) + timedelta(hours=1)) == 1
    assert store.load("empty") is None
    assert store.load("played") is not None


def test_times_are_utc(store: Store) -> None:
    store.save(saved(played("4")), after=None)
    [summary] = store.games(limit=1)
    assert abs(summary.changed - datetime.now(UTC)) < timedelta(minutes=1)


def test_many_threads_save_at_once(store: Store) -> None:
    def save_all(name: str) -> None:
        game = played()
        store.save(saved(game, id=name, revision=0), after=None)
        for revision in range(1, 20):
            game.play(str(revision % 7 + 1))
            store.save(saved(game, id=name, revision=revision), after=revision - 1)
            if game.outcome() is not None:
                return

    threads = [threading.Thread(target=save_all, args=(f"game{number}",)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert store.count(Filter()) == 8


# The database


def test_a_saved_game_is_on_disk_in_the_safe_mode(tmp_path: Path) -> None:
    path = tmp_path / "folder" / "games.sqlite3"
    store = open_store(str(path))
    store.save(saved(played("4")), after=None)
    with sqlite3.connect(path) as other:
        assert other.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        assert other.execute("SELECT plies FROM games").fetchall() == [(1,)]
    other.close()
    store.close()
    again = open_store(f"sqlite:///{path}")
    assert again.load("game") is not None
    again.close()


def test_the_migrations_make_the_tables_of_the_models(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite3"
    open_store(str(path)).close()
    engine = create_engine(f"sqlite:///{path}")
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, Base.metadata) == []
    engine.dispose()


def test_two_servers_may_open_a_new_store_at_once(tmp_path: Path) -> None:
    warnings: list[str | None] = []

    def open_it() -> None:
        store = open_store(str(tmp_path / "games.sqlite3"))
        warnings.append(store.warning)
        store.close()

    threads = [threading.Thread(target=open_it) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert warnings == [None] * 4


def test_games_are_kept_in_the_data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OUTPLAY_DATA", str(tmp_path / "data"))
    store = open_store()
    store.close()
    assert (places.data_folder() / "games.sqlite3").is_file()
    assert str(tmp_path / "data") in store.place


def test_the_folders_are_those_of_the_system(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OUTPLAY_DATA", raising=False)
    monkeypatch.delenv("OUTPLAY_CACHE", raising=False)
    assert places.data_folder().name == places.cache_folder().name == "outplay"
    monkeypatch.setenv("OUTPLAY_CACHE", "~/elsewhere")
    assert places.cache_folder() == Path.home() / "elsewhere"


# The library


def test_games_of_an_earlier_version_are_in_the_library(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite3"
    engine = create_engine(f"sqlite:///{path}")
    with engine.connect() as connection:
        command.upgrade(configuration(connection), "0001")
        connection.exec_driver_sql(
            "INSERT INTO games (id, game, created, changed, version, revision, plies, first, second, pdn, terms) "
            "VALUES ('old', 'connect4', '2025-03-04 05:06:07', '2025-03-04 05:06:07', 1, 1, 1, 'human', 'level:3', "
            "'[GameType \"connect4\"] 1. 4 *', '{}')"
        )
        connection.commit()
    engine.dispose()
    store = open_store(str(path))
    (summary,) = store.games(limit=10)
    assert (summary.id, summary.date, summary.is_imported) == ("old", "2025-03-04", False)
    found = store.load("old")
    assert found is not None
    assert found.game.moves == [3]
    store.close()


def test_many_games_are_added_at_once_or_not_at_all(store: Store) -> None:
    games = [saved(played("4"), id="one"), saved(played("5"), id="two")]
    store.add(games)
    assert [summary.id for summary in store.games(limit=10)] == ["one", "two"]
    with pytest.raises(IntegrityError):
        store.add([saved(played("6"), id="three"), saved(played("7"), id="one")])
    store.add([saved(played("6"), id="four")])  # by then everything before is on disk
    assert store.load("three") is None
    assert store.count() == 3


def test_what_was_thrown_away_is_forgotten_after_a_while(store: Store) -> None:
    store.add([saved(played("4"), id="one"), saved(played("5"), id="two")])
    assert store.delete(["one", "none"]) == ["one"]
    assert store.load("one") is None
    assert (store.count(), store.count(Filter())) == (1, 1)
    assert store.remove_deleted(datetime.now(UTC) - timedelta(hours=1)) == 0
    assert store.restore(["one", "two"]) == ["one"]
    store.delete(["one"])
    assert store.remove_deleted(datetime.now(UTC) + timedelta(hours=1)) == 1
    assert store.restore(["one"]) == []


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("1958.09.14", "1958-09-14"),
        ("1958.9.4", "1958-09-04"),
        ("1958-09", "1958-09"),
        ("1958.??.??", "1958"),
        ("1958.13.01", "1958"),
        ("????.??.??", ""),
        ("soon", ""),
        ("", ""),
    ],
)
def test_a_day_is_kept_as_far_as_it_is_known(text: str, day: str) -> None:
    assert date_of(Game(connect4.Position(), headers={"Date": text})) == day


def test_names_are_found_whatever_the_headers_call_them() -> None:
    game = Game(checkers.Position(), headers={"BLACK": " Ann  Lee ", "Red": "Bob"})
    assert (name_of(game, 0), name_of(game, 1)) == ("Ann Lee", "Bob")
    assert name_of(Game(checkers.Position(), headers={"Black": "?"}), 0) == ""


def test_an_opening_is_that_of_the_usual_start() -> None:
    assert opening_of(played("4", "4", "5")) == " 4 4 5 "
    assert opening_of(played("1", start=connect4.Position(8, 8))) == ""
    assert opening_of(played("1", start=connect4.Position.from_moves("44"))) == ""
    assert opening_text("1. 11-15 23-19") == " 11-15 23-19 "
    assert opening_text("445") == opening_text("4 4 5") == " 4 4 5 "


def test_a_tree_is_saved_beside_the_game_and_the_game_stays(store: Store) -> None:
    store.save(saved(played("4", "4")), after=None)
    found = store.load("game")
    assert found is not None
    assert (found.study, found.study_version) == ("", 0)
    store.save_study(found, found.game, "1. 4 4 (1... 1) *")
    after = store.load("game")
    assert after is not None
    assert (after.study, after.study_version, after.terms) == ("1. 4 4 (1... 1) *", 1, found.terms)
    store.save(saved(played("4", "4", "5"), revision=2), after=1)  # those who play know nothing of it
    later = store.load("game")
    assert later is not None
    assert (later.game.ply, later.study_version, later.study) == (3, 1, "1. 4 4 (1... 1) *")


def test_a_tree_that_somebody_else_has_saved_is_not_overwritten(store: Store) -> None:
    store.save(saved(played("4")), after=None)
    found = store.load("game")
    assert found is not None
    store.save_study(found, found.game, "1. 4 *")
    with pytest.raises(ConflictError):
        store.save_study(found, found.game, "1. 5 *")
    store.delete(["game"])
    with pytest.raises(ConflictError):
        store.save_study(found, found.game, "1. 5 *")


def test_a_study_is_its_own_game(store: Store) -> None:
    store.save(saved(played("4"), is_record=True, is_study=True), after=None)
    found = store.load("game")
    assert found is not None
    store.save_study(found, played("4", "4", "5"), "")
    after = store.load("game")
    assert after is not None
    assert (after.game.ply, after.study, after.study_version) == (3, "", 1)
    (summary,) = store.games(limit=10)
    assert (summary.plies, summary.opening, summary.is_study) == (3, ("4", "4", "5"), True)


def test_only_whole_games_from_the_usual_start_say_how_strong_a_person_is(store: Store) -> None:
    """A set-up position, another board, a replaced player: such a result says nothing about a level."""
    starts = {"usual": None, "small": connect4.Position(5, 5), "set-up": connect4.Position.from_moves("44")}
    for name, start in {**starts, "replaced": None}.items():
        game = played("1", start=start)
        game.resign(Side.FIRST)
        terms = replace(TERMS, has_new_players=name == "replaced")
        store.save(saved(game, id=name, terms=terms, people=("mia", "")), after=None)
    assert results_of(store, "mia") == [LevelResult("connect4", 3, "loss")]
    back = store.load("replaced")
    assert back is not None
    assert back.terms.has_new_players
