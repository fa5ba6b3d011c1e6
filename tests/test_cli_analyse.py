"""`outplay analyse` and `outplay train` as people type them."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from outplay.checkers import Position

COMMAND = (sys.executable, "-m", "outplay.cli")


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*COMMAND, *arguments], capture_output=True, text=True, timeout=120)


def test_each_depth_is_a_line_of_json_and_the_last_is_final() -> None:
    done = run("analyse", "checkers", "start", "--depth", "6", "--lines", "2", "--table-mib", "4")
    assert (done.returncode, done.stderr) == (0, "")
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [answer["depth"] for answer in answers] == [1, 2, 3, 4, 5, 6, 6]
    assert [answer.get("final") for answer in answers] == [None] * 6 + [True]
    last = answers[-1]
    assert last["known_by"] == "search"
    assert last["nodes"] > 0
    assert len(last["lines"]) == 2
    position = Position.start()
    for text in last["line"]:
        position = position.play(position.parse(text))
    assert last["move"] == last["line"][0]


def test_an_ending_of_the_tables_is_known_by_them() -> None:
    done = run("analyse", "checkers", "B:WK18:BK4,K10", "--table-mib", "4")
    answer = json.loads(done.stdout.splitlines()[-1])
    assert (answer["known_by"], answer["plies"]) == ("table", 25)


def test_what_cannot_be_analysed_is_refused() -> None:
    assert run("analyse", "checkers", "W:W5:B1").returncode not in (0, 1)  # the game is over
    assert run("analyse", "checkers", "nonsense").returncode not in (0, 1)
    assert run("analyse", "checkers", "start", "--depth", "0").returncode == 2


def test_an_interrupt_ends_with_the_best_so_far() -> None:
    with subprocess.Popen(
        [*COMMAND, "analyse", "checkers", "start", "--time-ms", "600000", "--table-mib", "4"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    ) as process:
        assert process.stdout is not None
        first = process.stdout.readline()
        time.sleep(0.2)
        process.send_signal(signal.SIGINT)
        last = [first, *process.stdout.readlines()][-1]
        assert process.stderr is not None
        assert process.stderr.read() == "outplay: interrupted: the answer above is the best found so far\n"
        assert process.wait(60) == 130
    assert json.loads(last)["final"] is True


def test_training_leaves_weights_that_play(tmp_path: Path) -> None:
    folder, curve = tmp_path / "training", tmp_path / "curve.svg"
    options = ("--shards", "1", "--games", "80", "--nodes", "100", "--generations", "1", "--epochs", "2")
    done = run("train", "--folder", str(folder), *options, "--workers", "0", "--json", "--plot", str(curve))
    assert (done.returncode, done.stderr) == (0, "")
    events = [json.loads(line) for line in done.stdout.splitlines()]
    assert [event["event"] for event in events] == ["played", "epoch", "epoch", "learned"]
    assert "<polyline" in curve.read_text(encoding="utf-8")
