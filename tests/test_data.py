"""Data sets: the same order gives the same bytes, labels are exact, the split is safe, and damage is found."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import outplay
from outplay import checkers, connect4
from outplay.errors import CorruptTableError
from outplay.jobs import data
from outplay.jobs.data import DataError, card_path, make, making
from outplay.jobs.data_check import check
from outplay.jobs.data_files import Columns, read, write
from outplay.jobs.data_orders import SEARCH_TABLE_MIB, CheckersData, Connect4Data, DataOrder, order_from, splits
from outplay.jobs.lock import FolderLockedError
from outplay.tablebase import NO_VALUE, Tablebase, open_endgames, shipped_folder
from outplay.work import Workers, open_workers
from outplay.work.parcel import checksum
from tests.support.commands import answer, refusal, run

SMALL = Connect4Data(600, plies=(22, 30))


@pytest.fixture(autouse=True)
def _small_shards(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    if request.node.get_closest_marker("slow") is None:
        monkeypatch.setattr(data, "SHARD", 100)


def made(order: DataOrder, path: Path, workers: Workers | None = None, *, steps: int | None = None) -> bytes:
    """Make a data set, or only some shards of it; the bytes of the file."""
    with making(order, path) as plan, workers or open_workers(0) as hands:
        for number, _ in enumerate(make(plan, hands), 1):
            if number == steps:
                return b""
    return path.read_bytes()


@pytest.mark.parametrize("suffix", [".parquet", ".npz", ".csv"])
def test_the_same_order_gives_the_same_bytes(tmp_path: Path, suffix: str) -> None:
    one = made(SMALL, tmp_path / f"one{suffix}")
    assert made(SMALL, tmp_path / f"two{suffix}", open_workers(2)) == one
    assert made(Connect4Data(600, seed=2, plies=(22, 30)), tmp_path / f"other{suffix}") != one
    cards = [json.loads(card_path(tmp_path / f"{name}{suffix}").read_text()) for name in ("one", "two")]
    assert cards[0] == cards[1]
    assert cards[0]["sha256"] == checksum(one).hex()
    assert order_from(cards[0]["order"]) == SMALL
    assert sorted(path.name for path in tmp_path.iterdir() if path.is_dir()) == []


def test_every_format_holds_the_same(tmp_path: Path) -> None:
    for order in (SMALL, CheckersData(200, pieces=(3, 5), nodes=50)):
        found = list[Columns]()
        for suffix in (".parquet", ".npz", ".csv"):
            made(order, tmp_path / f"{order.game}{suffix}")
            found.append(read(tmp_path / f"{order.game}{suffix}", order.columns()))
        for name, values in found[0].items():
            assert all((values == other[name]).all() for other in found[1:]), name
            assert all(values.dtype == other[name].dtype for other in found[1:]), name


def test_an_interrupted_run_continues_where_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = made(SMALL, tmp_path / "whole.npz")
    assert made(SMALL, tmp_path / "again.npz", steps=4) == b""
    assert not (tmp_path / "again.npz").exists()
    with making(SMALL, tmp_path / "again.npz") as plan:
        assert len(plan.missing) == 2
        with pytest.raises(FolderLockedError), making(SMALL, tmp_path / "again.npz"):
            pass
    with pytest.raises(DataError, match="another data set was begun here"):
        made(Connect4Data(600, seed=5, plies=(22, 30)), tmp_path / "again.npz")
    assert made(SMALL, tmp_path / "again.npz") == whole
    assert made(SMALL, tmp_path / "again.npz") == whole, "nothing is left to do"
    with pytest.raises(DataError, match="this file exists, but was not made with these options"):
        made(Connect4Data(600, seed=5, plies=(22, 30)), tmp_path / "again.npz")
    assert (tmp_path / "again.npz").read_bytes() == whole


def spoiled(shard: Path, other: Path, damage: str) -> None:
    """Damage a shard that was made for `SMALL`; `other` is the folder of another order."""
    content = shard.read_bytes()
    if damage == "cut short":
        shard.write_bytes(content[:-100])
    elif damage == "empty":
        shard.write_bytes(b"")
    elif damage == "a changed byte":
        shard.write_bytes(content[:200] + bytes([content[200] ^ 1]) + content[201:])
    elif damage == "another order, and the note of the order is empty":
        shard.write_bytes((other / shard.name).read_bytes())
        (shard.parent / "order.json").write_bytes(b"")
    elif damage == "another place":
        shard.write_bytes((shard.parent / "00002.npz").read_bytes())


@pytest.mark.parametrize("damage", [
    "cut short", "empty", "a changed byte", "another place", "another order, and the note of the order is empty",
    "another version",
])  # fmt: skip
def test_a_damaged_or_foreign_shard_is_made_again(tmp_path: Path, damage: str, monkeypatch: pytest.MonkeyPatch) -> None:
    whole, path = made(SMALL, tmp_path / "whole.npz"), tmp_path / "a.npz"
    made(Connect4Data(600, seed=5, plies=(22, 30)), tmp_path / "other.npz", steps=4)
    if damage == "another version":
        monkeypatch.setattr(outplay, "__version__", "0.0.1")
    made(SMALL, path, steps=4)
    monkeypatch.undo()
    monkeypatch.setattr(data, "SHARD", 100)
    with making(SMALL, path) as plan:
        spoiled(plan.shard(1), tmp_path / "other.npz.shards", damage)
    with making(SMALL, path) as plan:
        assert plan.missing == ([0, 1, 2, 3, 4, 5] if damage == "another version" else [1, 4, 5])
    assert made(SMALL, path) == whole


def test_only_our_own_files_are_removed_from_the_folder_of_shards(tmp_path: Path) -> None:
    folder = tmp_path / "a.npz.shards"
    folder.mkdir()
    (folder / "00001.npz.12-34.tmp").touch()  # a killed process left it
    mine = {"notes.txt", "results.npz", "00001.npz.bak"}
    for name in mine:
        (folder / name).touch()
    made(SMALL, tmp_path / "a.npz")
    assert {path.name for path in folder.iterdir()} == mine


@pytest.mark.parametrize(("damage", "message"), [
    (lambda path: path.write_bytes(path.read_bytes()[:-9]), "it does not match the checksum on its card"),
    (lambda path: card_path(path).write_text("{"), "this is not the card of a data set .*"),
    (lambda path: card_path(path).unlink(), r"its card a\.npz\.json is missing"),
])  # fmt: skip
def test_a_finished_data_set_that_is_damaged_is_not_taken_for_a_good_one(
    tmp_path: Path, damage: Callable[[Path], Any], message: str
) -> None:
    path = tmp_path / "a.npz"
    whole = made(SMALL, path)
    damage(path)
    with pytest.raises(CorruptTableError, match=rf"{message}; name another file, or remove .*a\.npz to"):
        made(SMALL, path)
    path.unlink()
    assert made(SMALL, path) == whole


def test_an_order_without_shards_gives_way_to_another(tmp_path: Path) -> None:
    path = tmp_path / "a.npz"
    with making(Connect4Data(100, plies=(22, 30)), path):
        pass
    assert made(SMALL, path)
    assert not (tmp_path / "a.npz.shards").exists()


def test_the_labels_of_connect_four_are_the_exact_scores(tmp_path: Path) -> None:
    made(SMALL, tmp_path / "a.npz")
    columns = read(tmp_path / "a.npz", SMALL.columns())
    positions, solver = SMALL.restore(columns), connect4.Solver(book=False)
    for row in range(0, 600, 30):
        position = positions[row]
        scores = [
            None if columns[f"score_{n}"][row] == connect4.NO_SCORE else columns[f"score_{n}"][row] for n in range(1, 8)
        ]
        assert scores == solver.scores(position)
        assert columns["board"][row].decode() == position.fen().replace("/", "")
        assert (columns["plies"][row], columns["side"][row]) == (position.plies, position.side)
    assert set(columns["plies"].tolist()) == set(range(22, 31))


def test_the_labels_of_checkers_are_those_of_tables_and_search(tmp_path: Path) -> None:
    order = CheckersData(100, pieces=(2, 6), nodes=200)
    made(order, tmp_path / "a.npz")
    columns = read(tmp_path / "a.npz", order.columns())
    tables = Tablebase.open(shipped_folder())
    known = 0
    for row, position in enumerate(order.restore(columns)):
        verdict = tables.get(position)
        assert columns["fen"][row].decode() == position.fen()
        assert columns["value"][row] == (
            NO_VALUE if verdict is None else {"win": 1, "draw": 0, "loss": -1}[verdict.value]
        )
        assert columns["distance"][row] == (-1 if verdict is None or verdict.distance is None else verdict.distance)
        assert position.outcome() is None
        assert int(columns["action"][row]) in {
            checkers.actions_of(position, move)[0] for move in position.legal_moves()
        }
        known += verdict is not None
    assert 0 < known < 100
    searcher = checkers.Searcher(table_mib=SEARCH_TABLE_MIB, endgames=open_endgames(shipped_folder()))
    scores, actions, depths = searcher.analyse_many(order.restore(columns), nodes=200)
    assert (columns["score"] == scores).all()
    assert (columns["action"] == actions).all()
    assert (columns["depth"] == depths).all()


def test_no_position_is_in_both_parts_not_even_mirrored() -> None:
    order = Connect4Data(1, plies=(4, 20))
    positions = order.draw(20_000, seed=3)
    is_test = splits(order, positions)
    assert (splits(order, positions.mirror()) == is_test).all()
    assert (splits(Connect4Data(1, seed=9), positions) == is_test).all(), "the seed does not matter"
    share = is_test[np.unique(order.hashes(positions), return_index=True)[1]].mean()
    assert 0.08 < share < 0.12
    of_checkers = CheckersData(1)
    games = of_checkers.draw(2_000, seed=3)
    assert (splits(of_checkers, games.flip()) == splits(of_checkers, games)).all()


def test_positions_are_different_even_mirrored(tmp_path: Path) -> None:
    order = Connect4Data(100, plies=(3, 3))
    positions = data.draw(order, tmp_path)
    assert len(set(order.hashes(positions).tolist())) == 100 == len(positions)
    with pytest.raises(DataError, match="only 4 different positions were found, not 1,000: ask for fewer"):
        made(Connect4Data(1000, plies=(1, 1)), tmp_path / "a.npz")
    assert list(tmp_path.iterdir()) == [], "nothing was begun"


def forge(path: Path, order: DataOrder, change: dict[str, Any]) -> None:
    """Change a file, and its checksum with it."""
    columns = read(path, order.columns())
    for name, (row, value) in change.items():
        columns[name] = columns[name].copy()
        columns[name][row] = value
    content = write(columns, order.columns(), path.suffix)
    path.write_bytes(content)
    card = json.loads(card_path(path).read_text())
    card_path(path).write_text(json.dumps({**card, "sha256": checksum(content).hex()}))


@pytest.mark.parametrize(("change", "message"), [
    ({"score_4": (7, 42)}, r"row 8: score_4 is 42 and should be -?\d+"),
    ({"split": (0, True)}, "row 1: split is"),
    ({"plies": (3, 2)}, "row 4: plies is 2"),
    ({"own": (3, 2**60)}, "a position that is not legal"),
])  # fmt: skip
def test_a_check_finds_what_is_wrong(tmp_path: Path, change: dict[str, Any], message: str) -> None:
    order = Connect4Data(100, test_share=0.0, plies=(26, 30))
    made(order, tmp_path / "a.npz")
    assert check(tmp_path / "a.npz", sample=100).sample == 100
    forge(tmp_path / "a.npz", order, change)
    with pytest.raises(CorruptTableError, match=message):
        check(tmp_path / "a.npz", sample=100)


def test_a_damaged_file_or_card_is_told_in_one_line(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    order = ("--positions", "40", "--plies", "30-34", "--out", str(path), "--workers", "0")
    assert "40 positions" in run("data", "connect4", *order).stdout
    assert "20 labelled again, all correct" in run("data", "check", str(path), "--sample", "20").stdout
    assert answer("data", "check", str(path), "--sample", "1")["positions"] == 40
    path.write_text(path.read_text().replace("train", "test"))
    for prepare, message in (
        (lambda: None, "it does not match the checksum on its card"),
        (lambda: card_path(path).write_text("[]"), "this is not the card of a data set"),
        (card_path(path).unlink, "its card a.csv.json is missing"),
    ):
        prepare()
        code, error = refusal("data", "check", str(path))
        assert code == 8
        assert message in error["message"]


@pytest.mark.parametrize(("arguments", "message"), [
    (("connect4", "--plies", "5-2"), "'5-2' is neither a number nor a range from low to high, such as 8-24"),
    (("connect4", "--plies", "3-90"), "plies must be from 0 to 42"),
    (("connect4", "--size", "9x7"), "9 x 7 is too large: width * (height + 1) may be at most 64"),
    (("connect4", "--out", "a.txt"), "must end in .parquet, .npz or .csv"),
    (("connect4", "--out", "no/a.npz"), "the folder of this file does not exist"),
    (("checkers", "--plies", "3", "--pieces", "4"), "give --plies or --pieces, not both"),
    (("checkers", "--pieces", "0-4"), "pieces must be from"),
    (("checkers", "--nodes", "9" * 21), "nodes must be from 1 to 4611686018427387904"),
    (("connect4", "--positions", "0"), "0"),
])  # fmt: skip
def test_a_wrong_order_changes_nothing(
    arguments: tuple[str, ...], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    code, error = refusal("data", arguments[0], "--positions", "10", "--out", "a.npz", *arguments[1:])
    assert code == (10 if "folder" in message else 2)
    assert message in error["message"]
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_one_process_two_and_a_cluster_that_loses_a_worker_make_the_same_file(tmp_path: Path) -> None:
    """100,000 positions, late enough that slow machines solve them in minutes."""
    from distributed import LocalCluster

    order = Connect4Data(100_000, plies=(18, 26))
    one = made(order, tmp_path / "one.parquet", open_workers(1))
    assert made(order, tmp_path / "two.parquet", open_workers(2)) == one
    options: dict[str, Any] = {"n_workers": 2, "threads_per_worker": 1, "memory_limit": 0, "dashboard_address": ":0"}
    with LocalCluster(**options) as cluster:
        path, killed = tmp_path / "cluster.parquet", False
        with making(order, path) as plan, open_workers(cluster=cluster.scheduler_address) as workers:
            for number, _ in enumerate(make(plan, workers)):
                if number == 5:
                    os.kill(next(nanny.pid for nanny in cluster.workers.values()), signal.SIGKILL)
                    killed = True
    assert killed
    assert path.read_bytes() == one
    assert check(path, sample=500, seed=1).positions == 100_000
