"""Table files: their form, how they are built and proved, and what becomes of damaged ones."""

import os
import resource
import shutil
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from random import Random

import pytest

from outplay.checkers import Position
from outplay.errors import CorruptTableError, JobError, MissingTableError, NotationError
from outplay.tablebase import (
    Tablebase,
    Value,
    Verdict,
    build_table,
    read_info,
    shipped_folder,
    table_path,
    tables,
    tables_folder,
    verify_table,
)
from tests.support import table_files

KING_V_KING = Position.from_fen("B:WK18:BK4")


def shipped(name: str) -> Path:
    return table_path(name, shipped_folder())


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder of our own with the two-piece tables in it."""
    for name in tables(2):
        shutil.copy(shipped(name), tmp_path)
    return tmp_path


# The form


def test_the_checksum_is_the_published_one() -> None:
    assert table_files.crc64(b"123456789") == 0x995DC9BBDF1939FA


def test_a_head_is_as_specified() -> None:
    data = shipped("1001").read_bytes()
    magic, version, flags, digits, size, checksum, *numbers = table_files.HEAD.unpack_from(data)
    assert (magic, version, flags, tuple(digits), size) == (b"outplayT", 1, 1, (1, 0, 0, 1), len(data))
    assert table_files.sealed(data) == data
    assert f"{checksum:016x}" == read_info(shipped("1001")).checksum
    assert numbers[:6] == [53, 574, 241, 331, 531, 6]


def test_a_file_written_by_hand_is_read(folder: Path, tmp_path: Path) -> None:
    values = [[2] * 900 + [1] * 92]
    (folder / "0101.table").write_bytes(table_files.file_of("0101", values, [(900, 92, 0)]))
    with Tablebase.open(folder) as tablebase:
        placements = list(table_files.king_placements(0, 1, 1))
        for number in (0, 1, 31, 899, 900, 991):
            (own,), (other,) = placements[number]
            verdict = tablebase.probe(Position.from_fen(f"B:WK{other + 1}:BK{own + 1}"))
            has_capture = Position.from_fen(f"B:WK{other + 1}:BK{own + 1}").legal_moves()[0].is_capture
            assert has_capture or verdict.value is (Value.WIN if number < 900 else Value.DRAW)


# Building


@pytest.mark.parametrize("pieces", [2, 3, pytest.param(4, marks=pytest.mark.slow)])
def test_the_tables_that_ship_are_those_that_we_build(tmp_path: Path, pieces: int) -> None:
    for name in tables(pieces):
        info = build_table(name, tmp_path, distances=True, threads=2)
        assert info.checksum == read_info(shipped(name)).checksum
        assert table_path(name, tmp_path).read_bytes() == shipped(name).read_bytes()
    assert {path.name for path in tmp_path.iterdir()} == {f"{name}.table" for name in tables(pieces)}


@pytest.mark.parametrize("pieces", [2, 3])
def test_the_number_of_threads_makes_no_difference(tmp_path: Path, pieces: int) -> None:
    for name in tables(pieces):
        one = build_table(name, tmp_path / "one", threads=1)
        four = build_table(name, tmp_path / "four", threads=4)
        assert one == four
        assert not one.has_distances


def test_a_table_of_five_pieces_is_built_and_proved(tmp_path: Path) -> None:
    shares: list[float] = []
    info = build_table("0401", tmp_path, threads=2, report=shares.append)
    assert [(str(count.material), count.wins) for count in info.tables] == [("0401", 1006880), ("0104", 688)]
    assert all(0 <= share <= 1 for share in shares)
    assert shares == sorted(shares)
    assert verify_table("0401", tmp_path, threads=2) == info
    with Tablebase.open(tmp_path) as tablebase:
        verdict = tablebase.probe(Position.from_fen("W:WK32:BK1,K2,K3,K4"))
        assert verdict == Verdict(Value.LOSS)


def test_a_good_table_is_not_built_again(folder: Path) -> None:
    before = shipped("0101").stat().st_mtime_ns
    os.utime(table_path("0101", folder), ns=(before, before))
    assert build_table("0101", folder) == read_info(shipped("0101"))
    assert table_path("0101", folder).stat().st_mtime_ns == before


def test_distances_are_added_when_they_are_wanted(tmp_path: Path) -> None:
    assert not build_table("0101", tmp_path).has_distances
    assert not build_table("0101", tmp_path).has_distances
    assert build_table("0101", tmp_path, distances=True) == read_info(shipped("0101"))


def test_a_table_whose_needs_are_absent_is_not_built(tmp_path: Path) -> None:
    with pytest.raises(MissingTableError) as caught:
        build_table("1401", tmp_path)
    assert caught.value.material in ("0401", "0302", "1301", "0501", "1400")
    assert list(tmp_path.iterdir()) == []


def test_distances_need_distances(tmp_path: Path) -> None:
    build_table("0101", tmp_path)
    with pytest.raises(MissingTableError, match="0101 with distances"):
        build_table("0201", tmp_path, distances=True)


@pytest.mark.parametrize("name", ["0110", "", "x", "../0101", "0000"])
def test_a_name_that_no_table_has_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(NotationError):
        build_table(name, tmp_path)
    with pytest.raises(NotationError):
        verify_table(name, tmp_path)


@pytest.mark.parametrize("threads", [-1, 0, 10**6])
def test_a_number_of_threads_that_cannot_be_is_refused(tmp_path: Path, threads: int) -> None:
    with pytest.raises(ValueError, match="threads"):
        build_table("0101", tmp_path, threads=threads)


def test_a_build_stops_when_it_is_told_to(tmp_path: Path) -> None:
    stop = threading.Event()
    stop.set()
    with pytest.raises(JobError, match="stopped"):
        build_table("0302", tmp_path, stop=stop)
    assert list(tmp_path.iterdir()) == []


def test_an_error_in_the_report_ends_the_build(tmp_path: Path) -> None:
    def refuse(_: float) -> None:
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        build_table("0302", tmp_path, report=refuse)
    assert list(tmp_path.iterdir()) == []


BUILD = """
import sys, resource
from pathlib import Path
from outplay.tablebase import build_table
if len(sys.argv) > 3:
    resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[3]), int(sys.argv[3])))
print("ready", flush=True)
build_table(sys.argv[1], Path(sys.argv[2]))
"""


def test_a_full_disk_leaves_nothing_behind_and_harms_nothing(folder: Path) -> None:
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    command = [sys.executable, "-c", BUILD, "1111", str(folder), "1000"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 1
    assert "OSError" in done.stderr
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before
    assert resource.getrlimit(resource.RLIMIT_FSIZE)[0] != 1000


def test_a_build_killed_at_any_moment_can_be_run_again(tmp_path: Path) -> None:
    for delay in (0.0, 0.2, 0.5):
        with subprocess.Popen(
            [sys.executable, "-c", BUILD, "0302", str(tmp_path)], stdout=subprocess.PIPE, text=True
        ) as process:
            assert process.stdout is not None
            assert process.stdout.readline() == "ready\n"
            time.sleep(delay)
            process.send_signal(signal.SIGKILL)
    info = build_table("0302", tmp_path, threads=2)
    assert [count.wins for count in info.tables] == [1994430, 92912]


# Proofs


@pytest.mark.parametrize("pieces", [2, 3, pytest.param(4, marks=pytest.mark.slow)])
@pytest.mark.parametrize("distances", [False, True])
def test_the_tables_are_proved(tmp_path: Path, pieces: int, distances: bool) -> None:
    for name in tables(pieces):
        info = build_table(name, tmp_path, distances=distances, threads=2)
        assert verify_table(name, tmp_path, threads=2) == info


def test_a_table_that_ships_is_proved_by_a_process_that_has_built_none() -> None:
    script = "from outplay.tablebase import *; print(verify_table('1110', shipped_folder()).name)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert (done.stdout, done.returncode) == ("1110\n", 0), done.stderr


def test_a_wrong_value_is_found(folder: Path) -> None:
    (folder / "0101.table").write_bytes(table_files.file_of("0101", [[1] * 992], [(0, 992, 0)]))
    with pytest.raises(CorruptTableError, match=r"[BW]:W.*: it is a (win|loss), not a draw"):
        verify_table("0101", folder)


def test_a_wrong_count_is_found(folder: Path) -> None:
    data = bytearray(shipped("0101").read_bytes())
    wins, draws = (int.from_bytes(data[at : at + 8], "little") for at in (32, 40))
    data[32:48] = (wins + 1).to_bytes(8, "little") + (draws - 1).to_bytes(8, "little")
    (folder / "0101.table").write_bytes(table_files.sealed(bytes(data)))
    with pytest.raises(CorruptTableError, match="in its header"):
        verify_table("0101", folder)


def test_there_must_be_a_file_to_prove(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        verify_table("0101", tmp_path)


# Damage


def test_no_changed_byte_goes_unnoticed(folder: Path) -> None:
    path = folder / "0101.table"
    good = path.read_bytes()
    random = Random(6)
    for at in range(len(good)):
        changed = bytearray(good)
        changed[at] ^= random.randint(1, 255)
        path.write_bytes(changed)
        with pytest.raises(CorruptTableError, match=r"0101\.table"):
            read_info(path)


def test_no_shortened_or_lengthened_file_goes_unnoticed(folder: Path) -> None:
    path = folder / "0101.table"
    good = path.read_bytes()
    for data in (*(good[:size] for size in range(0, len(good), 7)), good + b"\0", good + good):
        path.write_bytes(data)
        with pytest.raises(CorruptTableError) as caught:
            Tablebase.open(folder)
        assert caught.value.path == path


def test_a_damaged_file_with_a_right_checksum_never_crashes(folder: Path) -> None:
    """What no accident makes: any answer or our error will do, as long as it is one."""
    path = folder / "1001.table"
    good = path.read_bytes()
    random = Random(8)
    for _ in range(400):
        changed = bytearray(good)
        for _ in range(random.randint(1, 4)):
            changed[random.randrange(len(changed))] = random.randrange(256)
        path.write_bytes(table_files.sealed(bytes(changed)))
        with suppress(CorruptTableError), Tablebase.open(folder, cache_mib=random.choice((0, 1))) as tablebase:
            for own, other in ((1, 32), (28, 5), (9, 14), (22, 2)):
                assert tablebase.get(Position.from_fen(f"B:WK{other}:B{own}")) is not None
                assert tablebase.get(Position.from_fen(f"W:WK{other}:B{own}")) is not None


def test_a_foreign_file_is_refused(folder: Path) -> None:
    (folder / "0201.table").write_bytes(b"GIF89a" + bytes(1000))
    with pytest.raises(CorruptTableError, match="not a table file of outplay"):
        Tablebase.open(folder)


def test_a_table_under_the_name_of_another_is_refused(folder: Path) -> None:
    shutil.copy(folder / "0101.table", folder / "0201.table")
    with pytest.raises(CorruptTableError, match="holds the table 0101"):
        Tablebase.open(folder)


def test_a_table_of_a_later_version_is_refused(folder: Path) -> None:
    data = bytearray((folder / "0101.table").read_bytes())
    data[8] = 2
    (folder / "0101.table").write_bytes(table_files.sealed(bytes(data)))
    with pytest.raises(CorruptTableError, match="version is 2"):
        Tablebase.open(folder)


def test_a_damaged_need_stops_a_build(folder: Path) -> None:
    (folder / "0101.table").write_bytes(b"")
    with pytest.raises(CorruptTableError):
        build_table("0201", folder)
    assert not (folder / "0201.table").exists()


def test_a_folder_in_the_place_of_a_file_is_no_crash(tmp_path: Path) -> None:
    (tmp_path / "0101.table").mkdir()
    with pytest.raises(OSError, match="0101"):
        read_info(tmp_path / "0101.table")


# Places


def test_other_files_in_the_folder_are_left_alone(folder: Path) -> None:
    (folder / "notes.table").write_text("mine")
    (folder / "0201.table.123-4.tmp").write_bytes(b"half")
    with Tablebase.open(folder) as tablebase:
        assert tablebase.get(KING_V_KING) is not None


def test_the_environment_names_the_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OUTPLAY_TABLES", raising=False)
    monkeypatch.setenv("OUTPLAY_CACHE", str(tmp_path / "cache"))
    assert tables_folder() == tmp_path / "cache" / "tables"
    monkeypatch.setenv("OUTPLAY_TABLES", str(tmp_path / "own"))
    assert tables_folder() == tmp_path / "own"
    assert tables_folder(tmp_path / "given") == tmp_path / "given"


def test_a_table_of_ones_own_comes_before_the_one_that_ships(folder: Path) -> None:
    (folder / "0101.table").write_bytes(table_files.file_of("0101", [[1] * 992], [(0, 992, 0)]))
    with Tablebase.open(folder) as tablebase:
        assert tablebase.probe(Position.from_fen("B:WK1:BK2")).value is Value.DRAW
    with Tablebase.open(folder / "nowhere") as tablebase:
        assert tablebase.probe(Position.from_fen("B:WK1:BK2")).value is not Value.DRAW
