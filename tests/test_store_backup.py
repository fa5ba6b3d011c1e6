"""Backups: made while a server runs, whole or absent, and put back into either kind of database."""

from __future__ import annotations

import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
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
    assert backup(tmp_path / "backup", db) == 23
    store.close()
    assert restore(tmp_path / "backup", str(tmp_path / "new.sqlite3")) == 23
    assert contents(str(tmp_path / "new.sqlite3")) == contents(db)


def test_a_backup_comes_back_whole_reviews_and_deleted_games_included(tmp_path: Path, db: str) -> None:
    assert backup(tmp_path / "backup", db) == 22
    new = str(tmp_path / "new.sqlite3")
    assert restore(tmp_path / "backup", new) == 22
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
    assert restore(tmp_path / "backup", db, replace=True) == 22
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


def test_the_commands(tmp_path: Path, db: str) -> None:
    file, new = str(tmp_path / "backup"), str(tmp_path / "new.sqlite3")
    made = CliRunner().invoke(app, ["backup", file, "--db", db])
    assert (made.exit_code, made.stdout) == (0, f"{file}: 22 games\n")
    back = CliRunner().invoke(app, ["restore", file, "--db", new, "--json"])
    assert back.exit_code == 0
    assert '"games": 22' in back.stdout
    again = CliRunner().invoke(app, ["restore", file, "--db", new])
    assert again.exit_code == 1
    assert "--replace" in again.stderr


# PostgreSQL


@pytest.mark.slow
def test_games_move_from_sqlite_to_postgresql_and_back(tmp_path: Path, db: str, postgres_server: Postgres) -> None:
    url = postgres_server.new_database()
    backup(tmp_path / "backup", db)
    assert restore(tmp_path / "backup", url) == 22
    assert backup(tmp_path / "again", url) == 22
    new = str(tmp_path / "new.sqlite3")
    assert restore(tmp_path / "again", new) == 22
    assert contents(new) == contents(db)
