"""Opening the store: what cannot be opened is an error that says what to do, and never a library in memory."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from outplay.record import Game
from outplay.rules import RULES
from outplay.store import (
    DamagedGameError,
    HeldByOtherError,
    ReadOnlyError,
    SavedGame,
    Store,
    StoreError,
    open_store,
)

SECONDS = 60


def a_game(game_id: str = "game", *moves: str) -> SavedGame:
    game = Game(RULES["connect4"].start())
    for move in moves or ("4",):
        game.play(move)
    return SavedGame(game_id, game)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A database with one game."""
    path = tmp_path / "games.sqlite3"
    store = open_store(str(path))
    store.save(a_game(), after=None)
    store.close()
    return path


def read_only_folder() -> Path:
    """A folder that is read-only even for root."""
    folder = Path("/proc/self")
    if not folder.is_dir():
        pytest.skip("there is no /proc here")
    return folder


def test_memory_is_used_only_by_asking_for_it() -> None:
    store = open_store("memory")
    assert store.warning == "Games are kept in memory only and are lost when the server stops."
    store.save(a_game(), after=None)
    assert store.load("game") is not None
    store.close()


def test_a_file_in_the_way_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(StoreError, match="--db FILE, or keep games in memory only with --db memory"):
        open_store(str(tmp_path / "file" / "games.sqlite3"))


def test_a_folder_that_cannot_be_written_is_an_error() -> None:
    with pytest.raises(StoreError, match="--db memory"):
        open_store(str(read_only_folder() / "games.sqlite3"))


def test_the_default_folder_is_no_exception(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OUTPLAY_DATA", str(read_only_folder()))
    with pytest.raises(StoreError, match="--db memory"):
        open_store()


def test_a_file_that_is_no_database_is_an_error_and_stays_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite3"
    path.write_text("not a database, but long enough to look like one" * 100)
    with pytest.raises(StoreError, match="restore a backup with `outplay restore`"):
        open_store(str(path))
    assert path.read_text().startswith("not a database")


def test_a_database_of_a_newer_version_is_an_error(path: Path) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    connection.close()
    with pytest.raises(StoreError, match="A newer version of outplay wrote it"):
        open_store(str(path))


def test_a_lock_is_waited_for_with_a_message(path: Path) -> None:
    locked, said = threading.Event(), list[str]()
    other = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    other.execute("BEGIN EXCLUSIVE")

    def say(words: str) -> None:
        said.append(words)
        locked.set()

    def free() -> None:
        locked.wait(SECONDS)
        other.execute("ROLLBACK")

    thread = threading.Thread(target=free)
    thread.start()
    store = open_store(str(path), say=say)
    thread.join()
    other.close()
    assert said == [f"Waiting: another program has locked {path}."]
    assert store.load("game") is not None
    store.close()


def test_a_read_only_file_is_opened_for_reading(path: Path) -> None:
    store = open_store(f"sqlite:///file:{path}?mode=ro&uri=true")
    assert store.is_read_only
    assert store.warning is not None
    assert store.warning.startswith("The database is read-only")
    assert [summary.id for summary in store.games(limit=10)] == ["game"]
    with pytest.raises(ReadOnlyError):
        store.save(a_game("another"), after=None)
    with pytest.raises(ReadOnlyError):
        store.delete(["game"])
    store.close()


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("nonsense://", "games are saved in SQLite .* or PostgreSQL"),
        ("://", "--db takes a path"),
        ("postgresql://127.0.0.1:1/x", "cannot be opened"),
    ],
)
def test_a_url_that_leads_nowhere_is_one_line(url: str, why: str) -> None:
    with pytest.raises(StoreError, match=why) as error:
        open_store(url)
    assert "\n" not in str(error.value)


def test_a_missing_driver_is_named_with_the_line_that_brings_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(StoreError, match=r"pip install 'outplay\[postgres\]'"):
        open_store("postgresql://127.0.0.1:1/x")


# One server at a time


def test_a_second_server_says_who_holds_the_database(path: Path) -> None:
    first = open_store(str(path), hold="now")
    with pytest.raises(HeldByOtherError, match=r"another server holds this database: process \d+ on"):
        open_store(str(path), hold="now")
    open_store(str(path)).close()  # other programs write beside it
    first.close()
    open_store(str(path), hold="now").close()


def test_a_standby_takes_over_when_the_first_server_is_gone(path: Path) -> None:
    held = "import sys; from outplay.store import open_store; s = open_store(sys.argv[1], hold='now'); "
    program = held + "print('held', flush=True); sys.stdin.read()"
    first = subprocess.Popen(
        [sys.executable, "-c", program, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert first.stdout is not None
    assert first.stdout.readline() == "held\n"
    said = list[str]()

    def say(words: str) -> None:
        said.append(words)
        first.kill()

    store = open_store(str(path), hold="standby", say=say)
    assert said == [f"Waiting: process {first.pid} on {said[0].split(' on ')[1]}"]
    store.close()
    first.communicate()


# Damaged rows


def damaged(path: Path, **columns: object) -> Store:
    """The store with a second game, after the first one's row was changed behind its back."""
    store = open_store(str(path))
    store.save(a_game("sound"), after=None)
    store.close()
    with sqlite3.connect(path) as connection:
        for name, value in columns.items():
            connection.execute(f"UPDATE games SET {name} = ? WHERE id = 'game'", (value,))
    connection.close()
    return open_store(str(path))


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("pdn", "nonsense"),
        ("terms", "{nonsense"),
        ("changed", "yesterday"),
        ("plies", "many"),
        ("first", "level:8"),
        ("revision", 77),
        ("game", "chess"),
    ],
)
def test_a_damaged_row_never_hides_the_library(
    path: Path, column: str, value: object, caplog: pytest.LogCaptureFixture
) -> None:
    store = damaged(path, **{column: value})
    assert [summary.id for summary in store.games(limit=10)] == ["sound"]
    assert [saved.id for saved in store.texts(limit=10)] == ["sound"]
    assert set(store.damaged) == {"game"}
    assert len([record for record in caplog.records if "saved game game is damaged" in record.message]) == 1
    with pytest.raises(DamagedGameError, match="saved game game is damaged: "):
        store.load("game")
    raw = store.raw("game")
    assert raw is not None
    assert raw[column] == value
    store.close()


def test_damaged_variations_are_found_too(path: Path) -> None:
    store = open_store(str(path))
    saved = store.load("game")
    assert saved is not None
    store.save_study(saved, saved.game, '[GameType "connect4"] 1. 4 4 *')
    assert store.load("game") is not None
    store.close()
    with pytest.raises(DamagedGameError, match="variations"):
        damaged(path, study='[GameType "connect4"] 1. 4 5 *').load("game")


def test_there_is_nothing_raw_of_a_game_that_is_not_there(path: Path) -> None:
    store = open_store(str(path))
    assert store.raw("nothing") is None
    store.close()
