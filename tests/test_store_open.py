"""Opening the store: what cannot be opened is an error that says what to do, and never a library in memory."""

from __future__ import annotations

import contextlib
import errno
import os
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Literal

import pytest
from sqlalchemy import create_engine

from outplay.record import Game
from outplay.rules import RULES
from outplay.store import (
    DamagedGameError,
    Filter,
    HeldByOtherError,
    ReadOnlyError,
    SavedGame,
    Store,
    StoreError,
    UnavailableError,
    open_store,
)
from outplay.store.outage import Outage

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


@pytest.mark.parametrize(
    "error", [OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)), sqlite3.OperationalError("database or disk is full")]
)
def test_a_full_disk_is_told_at_the_start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    def fail(_engine: object) -> None:
        raise error

    monkeypatch.setattr("outplay.store.open.migrate", fail)
    with pytest.raises(StoreError, match=r"Free some space on the disk$"):
        open_store(str(tmp_path / "games.sqlite3"))


def test_a_file_that_is_no_database_is_an_error_and_stays_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite3"
    path.write_text("not a database, but long enough to look like one" * 100)
    with pytest.raises(StoreError, match="restore a backup with `outplay restore FILE --replace`"):
        open_store(str(path))
    assert path.read_text().startswith("not a database")


@pytest.fixture
def large(tmp_path: Path) -> Path:
    """A database of some hundred pages, all in one file."""
    path = tmp_path / "large.sqlite3"
    store = open_store(str(path))
    store.add([a_game(f"game{number:04}") for number in range(800)])
    store.close()
    return path


def spoil(path: Path, page: int) -> None:
    """Overwrite a page of a database."""
    with path.open("rb+") as file:
        file.seek(page * 4096)
        file.write(b"\xa5" * 4096)


@pytest.mark.parametrize("seed", range(5))
def test_a_file_that_is_damaged_anywhere_is_an_error_and_stays_as_it_was(large: Path, seed: int) -> None:
    spoil(large, random.Random(seed).randrange(1, large.stat().st_size // 4096))
    before = large.read_bytes()
    with pytest.raises(StoreError, match=r"large\.sqlite3 cannot be opened: .*It is damaged: restore a backup with"):
        open_store(str(large))
    with pytest.raises(StoreError, match="It is damaged"):
        open_store(f"sqlite:///file:{large}?mode=ro&uri=true")
    assert large.read_bytes() == before


def test_a_file_that_is_damaged_while_it_is_open_takes_no_more_games(
    large: Path, caplog: pytest.LogCaptureFixture
) -> None:
    store = open_store(str(large), hold="now")
    store.engine.dispose()  # pages that it has read are in its memory
    spoil(large, large.stat().st_size // 4096 // 2)
    store.ping()
    with contextlib.suppress(UnavailableError):  # the look at the games may have come across it
        store.check_file()
    assert not store.works
    for refused in (store.ping, lambda: store.save(a_game("another"), after=None)):
        with pytest.raises(UnavailableError, match="nothing more can be saved: the database is damaged"):
            refused()
    assert len([record for record in caplog.records if "the database is damaged" in record.message]) == 1
    store.close()


def test_a_damaged_page_that_a_request_comes_across_is_enough(large: Path) -> None:
    store = open_store(str(large))
    store.engine.dispose()
    for page in range(1, large.stat().st_size // 4096):
        spoil(large, page)
    with pytest.raises(UnavailableError, match="the database is damaged"):
        store.games(limit=10)
    with pytest.raises(UnavailableError, match="the database is damaged"):
        store.save(a_game("another"), after=None)
    store.close()


@pytest.mark.parametrize("change", [Path.unlink, lambda path: path.rename(path.with_name("elsewhere"))])
def test_a_file_that_is_moved_away_takes_no_more_games(path: Path, change: Callable[[Path], object]) -> None:
    store = open_store(str(path), hold="now")
    store.check_lease()
    change(path)
    store.check_lease()
    with pytest.raises(UnavailableError, match=r"nothing more can be saved: the file .* was moved or deleted"):
        store.save(a_game("another"), after=None)
    path.write_bytes(b"")
    store.check_lease()
    assert not store.works
    store.close()


def test_a_file_in_the_place_of_another_takes_no_more_games(path: Path) -> None:
    store = open_store(str(path), hold="now")
    store.save(a_game("another"), after=None)
    shutil.copy(path, path.with_name("copy"))
    path.with_name("copy").replace(path)
    store.check_lease()
    with pytest.raises(UnavailableError, match="another file was put in the place of the database"):
        store.ping()
    assert path.with_name(f"{path.name}-wal").stat().st_size == 0  # else it would be applied to the other file
    store.close()


def test_a_file_that_is_moved_away_takes_its_games_along(path: Path) -> None:
    store, moved = open_store(str(path), hold="now"), path.with_name("moved")
    store.save(a_game("another"), after=None)
    path.rename(moved)
    store.engine.dispose()
    with pytest.raises(UnavailableError):  # a new connection makes no empty file in its place
        store.games(limit=10)
    assert not path.exists()
    store.check_lease()
    store.close()
    found = open_store(str(moved))
    assert {summary.id for summary in found.games(limit=10)} == {"game", "another"}
    found.close()


def test_clients_are_not_told_where_the_database_was(path: Path, caplog: pytest.LogCaptureFixture) -> None:
    store = open_store(str(path), hold="now")
    path.unlink()
    store.check_lease()
    with pytest.raises(UnavailableError) as told:
        store.ping()
    assert path.name not in str(told.value)
    assert str(path) in caplog.text
    store.close()


def test_clients_are_told_no_address(caplog: pytest.LogCaptureFixture) -> None:
    engine = create_engine("postgresql+psycopg://somebody@127.0.0.1:1/games")
    with pytest.raises(UnavailableError) as told, Outage().watched():
        engine.connect()
    assert str(told.value) == "the database does not work at the moment: it does not answer"
    assert "127.0.0.1" in caplog.text


def killed(path: Path) -> None:
    """Save a game in a process that is killed: the game is in the write-ahead log only."""
    program = (
        "import os, sys; from outplay.store import open_store; from tests.test_store_open import a_game; "
        "s = open_store(sys.argv[1], hold='now'); s.save(a_game('last'), after=None); os.kill(os.getpid(), 9)"
    )
    subprocess.run([sys.executable, "-c", program, str(path)], check=False, timeout=SECONDS)
    assert path.with_name(f"{path.name}-wal").stat().st_size > 0


@pytest.mark.parametrize("hold", ["no", "now", "standby"])
@pytest.mark.parametrize("is_empty", [False, True])
def test_a_log_that_has_lost_its_file_is_kept(
    path: Path, hold: Literal["no", "now", "standby"], *, is_empty: bool
) -> None:
    killed(path)
    moved, log = path.with_name("moved"), path.with_name(f"{path.name}-wal")
    before = log.read_bytes()
    path.rename(moved)
    if is_empty:
        path.touch()
    with pytest.raises(StoreError, match="is gone, but the latest games are still in its write-ahead log"):
        open_store(str(path), hold=hold)
    assert log.read_bytes() == before
    moved.replace(path)
    store = open_store(str(path))
    assert store.load("last") is not None
    store.close()


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


@pytest.fixture
def fixed_folder(path: Path) -> Iterator[Path]:
    """A folder for copies; `fixed` makes it read-only."""
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        yield Path(name)


@contextlib.contextmanager
def fixed(folder: Path) -> Iterator[None]:
    """Nothing in this folder can be written while the block runs, not even by root, who becomes somebody else."""
    if not hasattr(os, "seteuid"):
        pytest.skip("there are no users here")
    is_root = os.geteuid() == 0
    for each in folder.iterdir():
        each.chmod(0o444)
    folder.chmod(0o555)
    if is_root:
        os.seteuid(65534)
    try:
        yield
    finally:
        if is_root:
            os.seteuid(0)
        folder.chmod(0o755)
        for each in folder.iterdir():
            each.chmod(0o644)


@pytest.mark.parametrize("hold", ["no", "now"])
def test_a_file_in_a_read_only_folder_is_opened_for_reading(
    path: Path, fixed_folder: Path, hold: Literal["no", "now"]
) -> None:
    shutil.copy(path, fixed_folder)
    with fixed(fixed_folder):
        store = open_store(str(fixed_folder / path.name), hold=hold)
        assert store.is_read_only
        assert [summary.id for summary in store.games(limit=10)] == ["game"]
        store.close()


def test_a_read_only_copy_never_hides_what_was_saved_last(path: Path, fixed_folder: Path) -> None:
    store = open_store(str(path))
    store.save(a_game("last"), after=None)
    for end in ("", "-wal"):  # without the third file, and where it cannot be made, SQLite cannot read the log
        shutil.copy(f"{path}{end}", fixed_folder)
    store.close()
    with fixed(fixed_folder), pytest.raises(StoreError, match="cannot be opened"):
        open_store(str(fixed_folder / path.name))
    store = open_store(str(fixed_folder / path.name))
    assert store.load("last") is not None
    store.close()


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("nonsense://", "games are saved in SQLite .* or PostgreSQL"),
        ("://", "--db takes a path"),
        ("", "--db takes a path"),
        ("postgresql://host:port/x", "--db takes a path"),
        ("postgres://127.0.0.1:1/x", "cannot be opened"),
        ("postgresql+asyncpg://127.0.0.1:1/x", "cannot be opened"),
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


@pytest.mark.parametrize("form", ["{link}", "sqlite:///{path}?timeout=10", "sqlite:///file:{link}?uri=true"])
def test_another_name_for_the_file_makes_no_second_server(path: Path, form: str) -> None:
    link = path.with_name("link")
    link.symlink_to(path)
    other = form.format(link=link, path=path)
    for first, second in ((str(path), other), (other, str(path))):
        store = open_store(first, hold="now")
        store.check_lease()
        with pytest.raises(HeldByOtherError):
            open_store(second, hold="now")
        open_store(f"sqlite:///file:{path}?mode=ro&uri=true", hold="now").close()  # one that reads holds nothing
        store.close()


def test_a_file_may_have_any_name(tmp_path: Path) -> None:
    path = tmp_path / "ä %20?#&.sqlite3"
    for _ in range(2):
        store = open_store(str(path), hold="now")
        assert store.count() == 0
        store.close()
    assert path.is_file()


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


def test_damaged_games_are_found_before_anyone_looks_at_them(path: Path) -> None:
    store = damaged(path, revision=77)
    store.add([a_game(f"game{number:04}") for number in range(250)])
    assert store.count(Filter()) == 252
    after: str | None = ""
    while after is not None:
        after = store.check_games(after)
    assert set(store.damaged) == {"game"}
    assert (store.count(Filter()), store.count()) == (251, 252)
    store.close()


def test_there_is_nothing_raw_of_a_game_that_is_not_there(path: Path) -> None:
    store = open_store(str(path))
    assert store.raw("nothing") is None
    store.close()
