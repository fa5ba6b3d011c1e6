"""Backups: made while a server runs, whole or absent, and put back into either kind of database."""

from __future__ import annotations

import contextlib
import json
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner

from outplay.cli.app import app
from outplay.errors import OutplayError
from outplay.record import Game
from outplay.rules import RULES
from outplay.store import HeldByOtherError, SavedGame, Store, open_store
from outplay.store.backup import BackupError, backup, restore
from tests.support.postgres import Postgres
from tests.test_store_open import killed

SECONDS = 60


def fill(store: Store, count: int, prefix: str = "game") -> None:
    for number in range(count):
        game = Game(RULES["connect4" if number % 2 else "checkers"].start())
        game.play(random.Random(number).choice(game.position.legal_moves()))
        store.save(SavedGame(f"{prefix}{number}", game), after=None)


def contents(db: str) -> list[dict[str, object] | None]:
    """Every row of a database as it is."""
    store = open_store(db)
    found = [store.raw(summary.id) for summary in store.games(limit=10_000)]
    store.close()
    return found


@pytest.fixture
def db(tmp_path: Path) -> str:
    """A database with 23 games."""
    db = str(tmp_path / "games.sqlite3")
    store = open_store(db)
    fill(store, 23)
    store.delete(["game3"])
    store.close()
    return db


def test_what_was_saved_last_is_in_the_backup_of_a_running_store(tmp_path: Path) -> None:
    db = str(tmp_path / "games.sqlite3")
    store = open_store(db, hold="now")  # as a server does: its games are in the write-ahead log
    fill(store, 23)
    shutil.copy(db, tmp_path / "copy.sqlite3")
    with sqlite3.connect(tmp_path / "copy.sqlite3") as copy:
        tables = copy.execute("SELECT count(*) FROM sqlite_master WHERE name = 'games'").fetchone()[0]
        assert tables == 0 or copy.execute("SELECT count(*) FROM games").fetchone()[0] < 23
    copy.close()
    assert backup(tmp_path / "backup", db).games == 23
    store.close()
    assert restore(tmp_path / "backup", str(tmp_path / "new.sqlite3")).games == 23
    assert contents(str(tmp_path / "new.sqlite3")) == contents(db)


def test_a_backup_comes_back_whole_reviews_and_deleted_games_included(tmp_path: Path, db: str) -> None:
    assert backup(tmp_path / "backup", db).games == 22
    new = str(tmp_path / "new.sqlite3")
    assert restore(tmp_path / "backup", new).games == 22
    assert contents(new) == contents(db)
    store = open_store(new)
    assert store.restore(["game3"]) == ["game3"]
    store.close()


def test_games_that_are_there_are_replaced_only_on_request(tmp_path: Path, db: str) -> None:
    backup(tmp_path / "backup", db)
    store = open_store(db)
    fill(store, 2, "later")
    store.close()
    before = contents(db)
    with pytest.raises(BackupError, match="has 25 games already; --replace"):
        restore(tmp_path / "backup", db)
    assert contents(db) == before
    assert restore(tmp_path / "backup", db, replace=True).games == 22
    assert len(contents(db)) == 22


def test_nothing_is_put_back_under_a_running_server(tmp_path: Path, db: str) -> None:
    backup(tmp_path / "backup", db)
    server = open_store(db, hold="now")
    with pytest.raises(HeldByOtherError):
        restore(tmp_path / "backup", db, replace=True)
    server.close()


@pytest.mark.parametrize("what", ["missing", "text", "cut", "flipped", "another database"])
def test_a_file_that_is_no_backup_changes_nothing(tmp_path: Path, db: str, what: str) -> None:
    file, before = tmp_path / "backup", contents(db)
    if what != "missing":
        backup(file, db)
    content = file.read_bytes() if file.exists() else b""
    match what:
        case "text":
            file.write_text("not a backup" * 1000)
        case "cut":
            file.write_bytes(content[: len(content) // 2])
        case "flipped":
            place = len(content) // 2
            file.write_bytes(content[:place] + bytes(4096) + content[place + 4096 :])
        case "another database":
            file.unlink()
            with sqlite3.connect(file) as other:
                other.execute("CREATE TABLE cats (name)")
            other.close()
    with pytest.raises(OutplayError):
        restore(file, db, replace=True)
    assert contents(db) == before


def test_there_is_no_backup_of_what_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(BackupError, match="there are no saved games"):
        backup(tmp_path / "backup", str(tmp_path / "nothing.sqlite3"))
    assert list(tmp_path.iterdir()) == []


def test_a_killed_backup_leaves_the_older_one(tmp_path: Path, db: str) -> None:
    file = tmp_path / "backup"
    backup(file, db)
    before = file.read_bytes()
    program = "import sys; from pathlib import Path; from outplay.store.backup import backup\n"
    program += "print('begins', flush=True)\nwhile True: backup(Path(sys.argv[1]), sys.argv[2])"
    for seed in range(3):
        process = subprocess.Popen(
            [sys.executable, "-c", program, str(file), db], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        assert process.stdout is not None
        process.stdout.readline()
        threading.Event().wait(random.Random(seed).random() / 10)
        process.send_signal(signal.SIGKILL)
        process.communicate(timeout=SECONDS)
        assert file.read_bytes() == before


def test_later_backups_remove_what_a_killed_one_left(tmp_path: Path, db: str) -> None:
    file = tmp_path / "backup"
    old = [tmp_path / f"backup.123.tmp{end}" for end in ("", "-journal")]
    others = [tmp_path / "backup.124.tmp", tmp_path / "other.123.tmp", tmp_path / "backup.2026.tmp.gz"]
    for each in (*old, *others):
        each.touch()
    for each in (*old, *others[1:]):
        os.utime(each, (0, 0))
    backup(file, db)
    assert not any(each.exists() for each in old)
    assert all(each.exists() for each in others)  # the first may be a backup that is being made


def content_of(folder: Path) -> dict[str, bytes]:
    return {each.name: each.read_bytes() for each in folder.iterdir() if each.is_file()}


@pytest.mark.parametrize("end", ["", "-wal", "-shm", "-journal", ".lock"])
@pytest.mark.parametrize("is_open", [True, False])
def test_a_backup_never_replaces_its_own_database(tmp_path: Path, db: str, end: str, *, is_open: bool) -> None:
    store = open_store(db, hold="now") if is_open else None
    before = content_of(tmp_path)
    with pytest.raises(BackupError, match="belongs to a database"):
        backup(Path(db + end), db)
    assert content_of(tmp_path) == before
    if store is not None:
        store.close()


def test_a_backup_never_replaces_another_database_that_a_server_uses(tmp_path: Path, db: str) -> None:
    other = tmp_path / "other.sqlite3"
    store = open_store(str(other), hold="now")
    with pytest.raises(BackupError, match="belongs to a database"):
        backup(other, db)
    store.close()


@pytest.mark.parametrize("what", ["folder", "fifo", "link", "link to nothing", "hard link", "other file"])
def test_a_backup_replaces_only_a_backup(tmp_path: Path, db: str, what: str) -> None:
    file = tmp_path / "target"
    match what:
        case "folder":
            file.mkdir()
        case "fifo":
            os.mkfifo(file)
        case "link":
            backup(tmp_path / "older", db)
            file.symlink_to(tmp_path / "older")
        case "link to nothing":
            file.symlink_to(tmp_path / "nothing")
        case "hard link":
            file.hardlink_to(db)
        case "other file":
            file.write_text("my holiday pictures")
    before = sorted((each.name, each.lstat().st_ino) for each in tmp_path.iterdir())
    done = CliRunner().invoke(app, ["backup", str(file), "--db", db])
    assert done.exit_code in (1, 2)  # 2: the command line refuses a folder
    assert sorted((each.name, each.lstat().st_ino) for each in tmp_path.iterdir()) == before


def test_a_backup_takes_the_place_of_a_lost_database_and_its_log_is_kept(tmp_path: Path, db: str) -> None:
    backup(tmp_path / "backup", db)
    killed(Path(db))
    Path(db).unlink()
    with pytest.raises(BackupError, match="--replace"):
        restore(tmp_path / "backup", db)
    aside = restore(tmp_path / "backup", db, replace=True).aside
    assert aside is not None
    assert aside.name.endswith(".old-wal")
    assert aside.stat().st_size > 0
    assert len(contents(db)) == 22


def test_the_commands(tmp_path: Path, db: str) -> None:
    file, new = str(tmp_path / "backup"), str(tmp_path / "new.sqlite3")
    made = CliRunner().invoke(app, ["backup", file, "--db", db])
    assert (made.exit_code, made.stdout) == (0, f"{file}: 22 games of the database {db}\n")
    back = CliRunner().invoke(app, ["restore", file, "--db", new, "--json"])
    assert back.exit_code == 0
    assert json.loads(back.stdout) == {"file": file, "games": 22, "database": f"the database {new}", "aside": None}
    again = CliRunner().invoke(app, ["restore", file, "--db", new])
    assert again.exit_code == 1
    assert "--replace" in again.stderr


def damaged(path: Path) -> None:
    """Destroy pages in the middle of a file: its beginning still looks like a database."""
    content = path.read_bytes()
    place = len(content) // 2 // 4096 * 4096
    path.write_bytes(content[:place] + b"\xa5" * 8192 + content[place + 8192 :])


def newer(path: Path) -> None:
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
        connection.commit()


def no_database(path: Path) -> None:
    path.write_text("not a database" * 1000)


@pytest.mark.parametrize("spoil", [damaged, newer, no_database])
def test_a_database_that_cannot_be_opened_is_put_aside_and_kept(
    tmp_path: Path, db: str, spoil: Callable[[Path], None]
) -> None:
    file, path = tmp_path / "backup", Path(db)
    backup(file, db)
    before = contents(db)
    spoil(path)
    spoiled = path.read_bytes()
    with pytest.raises(BackupError, match="--replace renames the file"):
        restore(file, db)
    assert path.read_bytes() == spoiled
    done = CliRunner().invoke(app, ["restore", str(file), "--db", db, "--replace"])
    assert done.exit_code == 0, done.stderr
    [aside] = [found for found in tmp_path.iterdir() if found.name.endswith(".old")]
    assert aside.read_bytes() == spoiled
    assert done.stdout == (
        f"22 games restored from {file} into the database {db}\n"
        f"The old file could not be opened. It is kept as {aside}\n"
    )
    assert contents(db) == before
    assert not list(tmp_path.glob("*.tmp*"))


def test_nothing_is_put_aside_under_a_running_server(tmp_path: Path, db: str) -> None:
    backup(tmp_path / "backup", db)
    server = open_store(db, hold="now")
    newer(Path(db))
    with pytest.raises(HeldByOtherError):
        restore(tmp_path / "backup", db, replace=True)
    assert not list(tmp_path.glob("*.old"))
    server.close()


def test_a_database_behind_a_link_is_replaced_behind_it(tmp_path: Path, db: str) -> None:
    backup(tmp_path / "backup", db)
    link = tmp_path / "elsewhere" / "link"
    link.parent.mkdir()
    link.symlink_to(db)
    newer(Path(db))
    aside = restore(tmp_path / "backup", str(link), replace=True).aside
    assert aside is not None
    assert aside.parent == Path(db).parent
    assert link.resolve() == Path(db)
    assert len(contents(db)) == 22


def test_a_bad_backup_leaves_a_bad_database_where_it_is(tmp_path: Path, db: str) -> None:
    newer(Path(db))
    no_database(tmp_path / "backup")
    with pytest.raises(BackupError, match="is not a backup of outplay"):
        restore(tmp_path / "backup", db, replace=True)
    assert not list(tmp_path.glob("*.old"))


@pytest.mark.parametrize("db", ["memory", "sqlite://", ":memory:"])
def test_games_in_memory_have_no_backup(tmp_path: Path, db: str) -> None:
    (tmp_path / "there").write_text("")
    for command in ("backup", "restore"):
        done = CliRunner().invoke(app, [command, str(tmp_path / "there"), "--db", db])
        assert (done.exit_code, done.stdout) == (1, "")
        assert "games that are kept in memory have no backup: name a file or a URL with --db" in done.stderr


# PostgreSQL


@pytest.mark.slow
def test_games_move_from_sqlite_to_postgresql_and_back(tmp_path: Path, db: str, postgres_server: Postgres) -> None:
    url = postgres_server.new_database()
    backup(tmp_path / "backup", db)
    assert restore(tmp_path / "backup", url).games == 22
    assert backup(tmp_path / "again", url).games == 22
    new = str(tmp_path / "new.sqlite3")
    assert restore(tmp_path / "again", new).games == 22
    assert contents(new) == contents(db)
