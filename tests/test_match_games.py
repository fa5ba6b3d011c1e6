"""Matches as they are played: who wins what, what is written, and whatever goes wrong with a player or the program."""

from __future__ import annotations

import contextlib
import json
import re
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from outplay.engine.types import Limit
from outplay.errors import EngineError, NotationError, OutplayError
from outplay.match import Match, Played, Result, Sprt, play_match, seat
from outplay.match.game import Pairing
from outplay.match.gamefile import GameFile, file_name
from outplay.match.openings import Opening
from outplay.match.report import sentences
from outplay.notation import games, read, write
from outplay.outcome import Reason
from outplay.rules import CHECKERS
from tests.test_outside import program

QUICK = Limit(depth=2)
BOTS = """
import os, sys, time

def first(position):
    return position.legal_moves()[0]

def crash(position):
    os.kill(os.getpid(), 11)

def leave(position):
    sys.exit(1)

def fail(position):
    return 1 / 0

def talk(position):
    raise ValueError('one\\n\\n[Event "outplay match"]\\n\\ntwo' + "x" * 9999)

def cheat(position):
    return "1-32"

def nothing(position):
    return None

def hang(position):
    while True:
        pass

def sleepy(position):
    time.sleep(0.05)
    return position.legal_moves()[0]

def sometimes(position, history):
    if len(history) == 7:
        os._exit(9)
    return position.legal_moves()[-1]
"""


@pytest.fixture
def bots(tmp_path: Path) -> Path:
    path = tmp_path / "bots.py"
    path.write_text(BOTS, encoding="utf-8")
    return path


def a_match(a: str = "level:2", b: str = "random", **options: Any) -> Match:
    return Match(a, b, **{"limit": QUICK, "openings": "random:4", "max_plies": 60, **options})


def played(match: Match, count: int, **options: Any) -> Result:
    return play_match(match, count, **{"workers": 0, **options})


class Finished(NamedTuple):
    """A match that was played, and its file."""

    match: Match
    result: Result
    content: bytes

    def file(self, folder: Path, *, cut: int = 0) -> Path:
        """A copy of the file, with so many bytes less."""
        path = folder / "games.pdn"
        path.write_bytes(self.content[: len(self.content) - cut])
        return path


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Finished:
    path = tmp_path_factory.mktemp("match") / "games.pdn"
    match = a_match("level:2", "level:1", game="connect4")
    return Finished(match, played(match, 6, path=path), path.read_bytes())


# Playing


def test_every_opening_is_played_twice_with_sides_exchanged(finished: Finished, tmp_path: Path) -> None:
    path = tmp_path / "checkers.pdn"
    check_pairs(played(a_match("level:2", "level:1"), 4, path=path), path, ("Black", "White"))
    check_pairs(finished.result, finished.file(tmp_path), ("Red", "Yellow"))


def check_pairs(result: Result, path: Path, sides: tuple[str, str]) -> None:
    records = {entry.headers["Round"]: entry.game for entry in read(path)}
    assert len(records) == result.tally.games == 2 * result.pairs.total
    for pair in range(1, result.pairs.total + 1):
        one, two = records[f"{pair}.1"], records[f"{pair}.2"]
        assert one is not None
        assert two is not None
        assert [node.text for node in one.main_line()[:4]] == [node.text for node in two.main_line()[:4]]
        assert [one.headers[side] for side in sides] == ["level:2", "level:1"]
        assert [two.headers[side] for side in sides] == ["level:1", "level:2"]


def test_a_stronger_player_wins_and_the_result_is_seen_from_a() -> None:
    result = played(a_match("level:3", "random", game="connect4"), 8)
    assert result.tally.wins >= 7
    assert result.tally.share == pytest.approx(result.tally.points / 8)
    turned = played(a_match("random", "level:3", game="connect4"), 8)
    assert turned.tally.losses >= 7


def test_a_player_against_itself_is_about_as_strong() -> None:
    result = played(a_match("random", "random", game="connect4"), 100)
    found = result.estimate
    assert found.elo is not None
    assert found.error is not None
    assert abs(found.elo) < 2 * found.error


def test_a_player_that_always_answers_alike_makes_every_pair_even(bots: Path) -> None:
    name = f"{bots}:first"
    result = played(a_match(name, name, game="connect4"), 6)
    assert result.pairs.counts == (0, 0, 3, 0, 0)
    assert result.estimate.elo == 0


def test_the_seed_and_nothing_else_decides_what_is_played(finished: Finished) -> None:
    """One after the other here, or several at a time in other processes."""
    assert outcomes(played(finished.match, 6, workers=2)) == outcomes(finished.result)
    assert outcomes(played(replace(finished.match, seed=2), 6)) != outcomes(finished.result)


def outcomes(result: Result) -> dict[str, tuple[float, int]]:
    return {each.round: (each.points, each.plies) for each in result.played}


@pytest.mark.slow
def test_games_on_a_cluster_are_the_same_games(finished: Finished) -> None:
    pytest.importorskip("distributed", reason="the cluster is an extra")
    assert outcomes(played(finished.match, 6, workers=2, cluster="local")) == outcomes(finished.result)


def test_the_test_ends_a_match_early() -> None:
    match = a_match("level:4", "random", game="connect4")
    result = played(match, 400, sprt=Sprt(0, 50))
    assert result.verdict == "H1"
    assert result.tally.games < 100
    assert result.as_json()["sprt"]["accepted"] == "H1"


def test_an_odd_game_counts_but_makes_no_pair(finished: Finished) -> None:
    result = replace(finished.result, played=finished.result.played[:3])
    assert (result.tally.games, result.pairs.total) == (3, 1)


# What is written


def test_the_file_holds_each_game_with_all_that_is_needed(finished: Finished, tmp_path: Path) -> None:
    path = finished.file(tmp_path)
    assert [Played.of(game) for game in games(path)] == list(finished.result.played)
    text = path.read_text(encoding="utf-8")
    assert text.count('[Event "outplay match"]') == 6
    assert '[Terms "random:4, seed 1, depth 2, at most 60 plies"]' in text
    assert '[Round "2.2"]' in text


def test_a_game_is_in_the_file_as_soon_as_it_has_ended(tmp_path: Path) -> None:
    path = tmp_path / "games.pdn"
    seen: list[tuple[int, int]] = []

    def look(result: Result) -> None:
        seen.append((len(result.played), path.read_text(encoding="utf-8").count("[Event ")))

    played(a_match(), 4, path=path, progress=look)
    assert seen == [(number, number) for number in range(5)]


def without_times(path: Path) -> list[str]:
    texts = path.read_text(encoding="utf-8").split('[Event "outplay match"]\n')[1:]
    kept = ["\n".join(line for line in text.splitlines() if "Time " not in line).strip() for text in texts]
    return sorted(kept)


def test_a_match_that_goes_on_is_the_match_that_was_never_interrupted(finished: Finished, tmp_path: Path) -> None:
    whole, parts = finished.file(tmp_path), tmp_path / "parts.pdn"
    for count in (1, 4, 6):
        result = played(finished.match, count, path=parts)
    assert without_times(whole) == without_times(parts)
    assert outcomes(result) == outcomes(finished.result)


def test_a_finished_match_is_not_played_again(finished: Finished, tmp_path: Path) -> None:
    path = finished.file(tmp_path)
    assert outcomes(played(finished.match, 6, path=path)) == outcomes(finished.result)
    assert path.read_bytes() == finished.content


def test_half_a_game_at_the_end_is_cut_off(finished: Finished, tmp_path: Path) -> None:
    """Wherever a write was cut short."""
    last = len(finished.content.rpartition(b"[Event ")[2]) + len(b"[Event ")
    for cut in range(1, last + 1):
        with GameFile(finished.file(tmp_path, cut=cut), finished.match) as file:
            assert file.played == list(finished.result.played[:5])
    assert (tmp_path / "games.pdn").read_bytes() == finished.content[:-last]
    with GameFile(finished.file(tmp_path, cut=last + 1), finished.match) as file:
        assert len(file.played) == 4


@pytest.mark.parametrize(
    ("other", "reason"),
    [
        ({"b": "random"}, "it belongs to a match between level:1 and level:2"),
        ({"seed": 2}, "other terms"),
        ({"limit": Limit(depth=3)}, "other terms"),
        ({"openings": "random:5"}, "other terms"),
    ],
)
def test_a_file_of_another_match_is_left_alone(
    finished: Finished, tmp_path: Path, other: dict[str, Any], reason: str
) -> None:
    path = finished.file(tmp_path, cut=5)
    with pytest.raises(NotationError, match=reason):
        played(replace(finished.match, **other), 8, path=path)
    assert path.read_bytes() == finished.content[:-5]


@pytest.mark.parametrize("content", [b"something else\n\nand more", b"\xff\x00", b'[Event "Cup"]\n\n1. 11-15 *\n\n'])
def test_a_file_that_is_none_of_a_match_is_left_alone(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "games.pdn"
    path.write_bytes(content)
    with pytest.raises(NotationError, match="not the file of a match"):
        played(a_match(), 2, path=path)
    assert path.read_bytes() == content


def test_spaces_in_a_name_do_not_make_it_another_match(tmp_path: Path) -> None:
    path, match = tmp_path / "games.pdn", a_match("hub:true  x", "random")
    pairing = Pairing(1, 1, Opening("start", "start"))
    game = pairing.opening.game(CHECKERS)
    game.headers = {
        "Event": "outplay match",
        "Round": "1.1",
        "Black": match.names[0],
        "White": match.names[1],
        "Terms": match.terms,
    }
    game.resign()
    with GameFile(path, match) as file:
        file.add(write(game))
    with GameFile(path, match) as file:
        assert [each.points for each in file.played] == [0]


def test_two_matches_do_not_write_into_one_file(tmp_path: Path) -> None:
    path = tmp_path / "games.pdn"
    with GameFile(path, a_match()), pytest.raises(OutplayError, match="another match is writing"):
        GameFile(path, a_match())


def test_a_file_has_the_name_of_the_players() -> None:
    assert file_name(a_match("level:5", "lab:minimax,depth=3")) == "checkers-level-5-v-lab-minimax-depth-3.pdn"


def test_kill_9_loses_no_more_than_the_games_under_way(tmp_path: Path, bots: Path) -> None:
    path = tmp_path / "games.pdn"
    command = [
        sys.executable,
        "-m",
        "outplay.cli",
        "match",
        f"{bots}:sleepy",
        "random",
        "--games",
        "40",
        "--workers",
        "2",
    ]
    command += ["--openings", "random:20", "--max-plies", "30", "--output", str(path), "--json"]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, cwd=tmp_path)
    wait_until(lambda: path.exists() and path.read_text(encoding="utf-8").count("[Event ") >= 3)
    workers = descendants(process.pid)
    process.send_signal(signal.SIGKILL)
    process.wait()
    kept = list(games(path))
    assert len(kept) >= 3
    wait_until(lambda: not any(is_running(pid) for pid in workers))
    done = subprocess.run([*command[:-1], "--games", str(len(kept) + 2), "--json"], capture_output=True, cwd=tmp_path)
    assert json.loads(done.stdout)["games"] == len(kept) + 2, done.stderr
    after = {game.headers["Round"]: [node.text for node in game.main_line()] for game in games(path)}
    for game in kept:
        assert after[game.headers["Round"]] == [node.text for node in game.main_line()]


def wait_until(holds: Callable[[], bool], seconds: float = 60) -> None:
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def descendants(pid: int) -> list[int]:
    """Of a process that lives."""
    found: list[int] = []
    with contextlib.suppress(OSError):  # one of them has ended meanwhile
        for thread in Path(f"/proc/{pid}/task").iterdir():
            for child in map(int, (thread / "children").read_text().split()):
                found += [child, *descendants(child)]
    return found


def is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


# Players that fail


@pytest.mark.parametrize(
    ("bot", "reason", "message"),
    [
        ("crash", Reason.FORFEIT, r"ended without an answer \(signal 11, segmentation fault\)"),
        ("leave", Reason.FORFEIT, "SystemExit"),
        ("fail", Reason.FORFEIT, "ZeroDivisionError"),
        ("talk", Reason.FORFEIT, "ValueError: one"),
        ("cheat", Reason.FORFEIT, "returned '1-32'"),
        ("nothing", Reason.FORFEIT, "returned None"),
    ],
)
def test_a_player_that_fails_loses_the_game_and_the_match_goes_on(
    bots: Path, bot: str, reason: Reason, message: str, tmp_path: Path
) -> None:
    path = tmp_path / "games.pdn"
    result = played(a_match("random", f"{bots}:{bot}"), 2, path=path)
    assert (result.tally.wins, result.tally.games) == (2, 2)
    assert [len(result.failures(player)) for player in (0, 1)] == [0, 2]
    assert {each.reason for each in result.played} == {reason}
    for game in games(path):
        assert game.headers["Failure"]
    with GameFile(path, result.match) as file:
        assert file.played == list(result.played)
    assert any(re.search(message, line) for line in sentences(result))


def test_a_player_that_does_not_answer_loses_on_time(bots: Path) -> None:
    result = played(a_match(f"{bots}:hang", "random", limit=Limit(time_ms=30), margin_ms=1500), 2)
    assert result.tally.losses == 2
    assert {each.reason for each in result.played} == {Reason.TIME}
    assert "did not answer within 0.03 s" in result.failures(0)[0].failure


def test_a_player_that_hangs_where_time_is_no_limit_loses_too(bots: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seat, "PATIENCE_SECONDS", 1.5)
    result = played(a_match(f"{bots}:hang", "random", margin_ms=200), 2)
    assert result.tally.losses == 2
    assert {each.reason for each in result.played} == {Reason.TIME}


def test_a_player_that_fails_in_the_middle_of_a_game_loses_there(bots: Path) -> None:
    result = played(a_match(f"{bots}:sometimes", "random", openings="start"), 2)
    assert [each.plies for each in result.failures(0)] == [7]


def test_outside_engines_play_and_fail_like_others() -> None:
    def name(behaviour: str) -> str:
        return f"hub:{shlex.join(program(behaviour))}"

    result = played(a_match(name("good"), "level:1", openings="start", limit=Limit(time_ms=50), margin_ms=10_000), 2)
    assert result.tally.losses == 2  # the program knows one move only
    assert all("illegal" in each.failure for each in result.played)
    result = played(a_match("level:1", name("crash"), openings="start", limit=Limit(time_ms=50), margin_ms=10_000), 2)
    assert result.tally.wins == 2


def test_our_engine_over_the_protocol_plays_whole_games() -> None:
    name = f"hub:{shlex.join([sys.executable, '-m', 'outplay.cli', 'hub', '--player', 'level:2'])}"
    result = played(a_match(name, "level:2"), 2)
    assert not any(each.failure for each in result.played)
    assert [each.clocks[0].moves > 10 for each in result.played] == [True, True]


def test_a_player_that_cannot_be_built_is_told_before_the_first_game(bots: Path, tmp_path: Path) -> None:
    path = tmp_path / "games.pdn"
    for name in (f"{bots}:missing", f"hub:{shlex.join(program('dead'))}"):
        with pytest.raises(EngineError, match=r"no function 'missing'|exit code 3"):
            played(a_match(name), 4, path=path)
    assert not path.exists()


@pytest.mark.parametrize(
    ("name", "game", "reason"),
    [
        ("lab:material", "connect4", "the evaluations of connect4 are classic"),
        ("searcher", "connect4", "the searcher plays checkers, not Connect Four"),
        ("solver", "checkers", "the solver plays Connect Four, not Checkers"),
        (f"hub:{shlex.join(program('good'))}", "connect4", "plays Checkers, not Connect Four"),
    ],
)
def test_a_player_of_the_other_game_is_refused_before_the_first_game(
    name: str, game: str, reason: str, tmp_path: Path
) -> None:
    path = tmp_path / "games.pdn"
    with pytest.raises(ValueError, match=reason):
        played(a_match("random", name, game=game, openings="start"), 2, path=path)
    assert not path.exists()


def test_a_bot_of_the_other_game_is_refused_and_one_that_fails_in_both_loses(tmp_path: Path) -> None:
    path = tmp_path / "mybot.py"
    path.write_text("def column(position):\n    return position.width // 2\n\ndef bad(position):\n    raise KeyError\n")
    with pytest.raises(ValueError, match=r"mybot\.py:column plays Connect Four, not Checkers"):
        played(a_match(f"{path}:column", "random", game="checkers", openings="start"), 2)
    assert played(a_match(f"{path}:bad", "random", game="checkers", openings="start"), 2).tally.losses == 2


def test_a_file_of_the_other_game_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "games.pdn"
    played(a_match("random", "random", game="checkers", openings="start"), 2, path=path)
    with pytest.raises(NotationError, match="it belongs to a match of Checkers"):
        played(a_match("random", "random", game="connect4", openings="start"), 2, path=path)


def test_the_files_of_both_games_have_different_names() -> None:
    assert file_name(a_match(game="checkers")) != file_name(a_match(game="connect4"))


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"a": "human"}, "played by engines"),
        ({"a": "nobody"}, "no such player"),
        ({"margin_ms": 0}, "margin_ms must be positive"),
        ({"limit": Limit(clock_ms=1000)}, "not a clock"),
        ({"max_plies": -1}, "max_plies must be positive"),
        ({"game": "chess"}, "the games are"),
    ],
)
def test_a_match_that_cannot_be_is_refused(options: dict[str, Any], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        a_match(**options)
    with pytest.raises(ValueError, match="at least one game"):
        played(a_match(), 0)


def first_move(position: Any) -> Any:
    return position.legal_moves()[0]


@pytest.mark.parametrize("who", [first_move, lambda position: position.legal_moves()[0]], ids=["function", "lambda"])
def test_functions_play_a_match(who: Any) -> None:
    """One that no other process knows plays here."""
    match = Match(who, "random", "connect4", limit=Limit(nodes=10), seed=3)
    result = play_match(match, 2, workers=1)
    assert len(result.played) == 2
    assert [each.failure for each in result.played] == ["", ""]


class NextColumn:
    """A callable that defines __eq__, so it has no hash, and that remembers what it played."""

    def __init__(self) -> None:
        self.played: list[int] = []

    def __eq__(self, other: object) -> bool:
        return isinstance(other, NextColumn) and other.played == self.played

    def __call__(self, position: Any) -> Any:
        columns = position.legal_moves()
        self.played.append(columns[len(self.played) % len(columns)])
        return self.played[-1]


def test_an_object_without_a_hash_plays_and_remembers(tmp_path: Path) -> None:
    path = tmp_path / "games.pdn"
    match = Match(NextColumn(), "random", "connect4", openings="start", limit=Limit(nodes=10), seed=3)
    result = play_match(match, 2, workers=1, path=path)
    assert [each.failure for each in result.played] == ["", ""]
    for half, entry in enumerate(read(path)):
        assert entry.game is not None
        columns = [node.text for node in entry.game.main_line()][half::2]
        assert columns[:3] == ["1", "2", "3"]


def test_a_function_of_a_script_plays_a_match(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        "from outplay import Match, play_match\n"
        "def first(position):\n    return position.legal_moves()[0]\n"
        "if __name__ == '__main__':\n"
        "    result = play_match(Match(first, 'random', game='connect4', openings='start'), games=2)\n"
        "    print([each.failure for each in result.played])\n"
    )
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, timeout=120, check=True)
    assert done.stdout == "['', '']\n"
