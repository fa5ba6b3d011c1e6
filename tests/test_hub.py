"""The Hub protocol at work: our engine behind it, and clients that talk to it, ours and pydraughts'."""

from __future__ import annotations

import doctest
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from itertools import takewhile
from pathlib import Path
from typing import Any

import pytest

from outplay.checkers import Position
from outplay.cli.hub import make_recipe
from outplay.engine.hubserver import HubServer, Parameter
from outplay.engine.outside import OutsideEngine
from outplay.engine.protocols import hub
from outplay.engine.task import Recipe
from outplay.engine.types import Limit
from outplay.errors import NotationError
from outplay.players import player
from tests.support.engine_contract import EngineContract
from tests.support.engines import Behaviour, Obedient, analysis_of
from tests.test_hub_text import START

WAIT = 60
SERVER = [sys.executable, "-m", "outplay.cli", "hub"]


# The server


class Client:
    """Says lines to a server, and waits for what it answers."""

    def __init__(self, recipe: Recipe | None = None) -> None:
        self.lines: list[str] = []
        self._said = threading.Condition()
        self.made: list[dict[str, str]] = []
        self._recipe = recipe or player("lab:alphabeta,depth=3", seed=1).recipe()
        parameters = {"player": Parameter("level:1", "string"), "size": Parameter("1", "int", (("min", "1"),))}
        self.server = HubServer({"name": "tested"}, parameters, self._make, self._hear)

    def _make(self, values: Any) -> Recipe:
        self.made.append(dict(values))
        if values["player"] == "nobody":
            raise NotationError("nobody", "there is no such player")
        return self._recipe

    def _hear(self, line: str) -> None:
        with self._said:
            self.lines.append(line)
            self._said.notify_all()

    def say(self, *lines: str) -> None:
        for line in lines:
            assert self.server.hear(line)

    def wait_for(self, beginning: str) -> str:
        """The first line that begins so, taken away with all before it."""

        def found() -> int | None:
            return next((n for n, line in enumerate(self.lines, 1) if line.startswith(beginning)), None)

        with self._said:
            assert self._said.wait_for(lambda: found() is not None, WAIT), self.lines
            number = found()
            assert number is not None
            line = self.lines[number - 1]
            del self.lines[:number]
            return line

    def start(self) -> None:
        self.say("hub", "init")
        self.wait_for("ready")


@pytest.fixture
def client() -> Iterator[Client]:
    found = Client()
    yield found
    found.server.close()


def test_it_introduces_itself(client: Client) -> None:
    client.say("hub")
    assert client.lines == [
        "id name=tested",
        "param name=variant value=english type=enum values=english",
        "param name=player value=level:1 type=string",
        "param name=size value=1 type=int min=1",
        "wait",
    ]


def test_it_thinks_about_the_position_after_the_moves(client: Client) -> None:
    client.start()
    client.say(f'pos pos={START} moves="11-15 22-18"', "level depth=3", "go think")
    info, done = client.wait_for("info"), client.wait_for("done")
    assert "depth=3" in info
    assert done.startswith("done move=15x22x18 ponder=")


def test_parameters_are_set_and_refused(client: Client) -> None:
    client.say("set-param name=player value=level:3", "init")
    assert client.made[-1] == {"variant": "english", "player": "level:3", "size": "1"}
    for line in (
        "set-param name=colour value=red",
        "set-param name=variant value=killer",
        "set-param name=player value=nobody",
    ):
        client.say(line)
        client.wait_for("error message=")
    client.say("init")
    assert client.made[-1]["player"] == "level:3"
    client.say("set-param name=variant value=english")
    assert not any(line.startswith("error") for line in client.lines)


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (["go think"], "send init first"),
        (["init", "go think"], "there is no position"),
        (["init", f"pos pos={START}", "pos pos=nonsense", "go think"], "there is no position"),
        (["init", f'pos pos={START} moves="11-16 11-16"'], "illegal move 11-16"),
        (["init", "pos pos=Wbeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee", "go think"], "the game is over"),
        (["level depth=-3"], "depth must be a number"),
        (['level "'], "name=value"),
    ],
)
def test_what_cannot_be_is_answered_with_an_error(client: Client, lines: list[str], message: str) -> None:
    client.say(*lines)
    assert message in [line for line in client.lines if line.startswith("error")][-1]


def test_it_ignores_what_it_does_not_understand(client: Client) -> None:
    client.say("", "   ", "bogus a=b", "stop", "ponder-hit", "ping please=now")
    assert client.lines == ["pong"]


def test_it_quits_when_told_to(client: Client) -> None:
    assert not client.server.hear("quit\n")


@pytest.fixture
def obedient() -> Iterator[tuple[Client, Obedient]]:
    engine = Obedient()
    found = Client(engine)
    found.start()
    yield found, engine
    found.server.close()


def test_it_hears_while_it_thinks(obedient: tuple[Client, Obedient]) -> None:
    client, engine = obedient
    client.say(f"pos pos={START}", "level infinite", "go analyze")
    engine.wait_for_question()
    client.say("ping")
    client.wait_for("pong")
    client.say(f"pos pos={START}")
    assert "a search is running" in client.wait_for("error")
    engine.report(analysis_of(Position().legal_moves()[0], value=25, depth=4))
    assert "score=0.25" in client.wait_for("info depth=4")
    engine.answer_when_stopped(analysis_of(Position().legal_moves()[1]))
    client.say("stop")
    assert client.wait_for("done") == f"done move={Position().legal_moves()[1]}"
    client.say(f"pos pos={START}", "go think")
    engine.wait_for_question()
    engine.answer(analysis_of(Position().legal_moves()[2]))
    assert client.wait_for("done") == f"done move={Position().legal_moves()[2]}"


def test_it_ponders_without_a_limit_until_the_move_is_played(obedient: tuple[Client, Obedient]) -> None:
    client, engine = obedient
    client.say(f'pos pos={START} moves="11-15"', "level move-time=0.05", "go ponder")
    engine.wait_for_question()
    assert engine.questions[-1][1] == Limit(time_ms=hub.FOR_EVER_MS)
    assert engine.questions[-1][2] == (Position(),)
    assert engine.stops == 0
    engine.answer_when_stopped(analysis_of(engine.questions[-1][0].legal_moves()[0]))
    client.say("ponder-hit")
    client.wait_for("done")


def test_an_engine_that_fails_is_told() -> None:
    client = Client(Behaviour("raise"))
    client.start()
    client.say(f"pos pos={START}", "go think")
    assert "of all things" in client.wait_for("error")
    client.say("ping")
    client.wait_for("pong")
    client.server.close()


# The command


@pytest.mark.parametrize("name", ["human", "nobody", "level:99"])
def test_a_player_that_cannot_be_is_told_at_once(name: str) -> None:
    with pytest.raises(ValueError, match=r"a person cannot play|no such player|levels"):
        make_recipe(name, "", is_trusted=True)


@pytest.mark.parametrize("name", ["hub:true", "bot.py:play", "lab:minimax,evaluate=mine.py:score"])
def test_the_other_end_cannot_have_programs_or_files_run(name: str, tmp_path: Any, monkeypatch: Any) -> None:
    monkeypatch.chdir(tmp_path)
    for file in ("bot.py", "mine.py"):
        (tmp_path / file).write_text("def play(position): ...\ndef score(position): return 0\n")
    with pytest.raises(NotationError, match=r"outplay's own"):
        make_recipe(name, "", is_trusted=False)
    make_recipe(name, "", is_trusted=True)


def test_the_command_ends_when_its_input_does() -> None:
    done = subprocess.run(SERVER, input="hub\ninit\nlevel infinite\n", capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[-2:] == ["wait", "ready"]


def test_nothing_that_is_said_to_the_command_ends_it() -> None:
    lines = [
        b"\xff\xfe\x00",
        b"hub \xc3\x28=1",
        b"set-param name=player value=human",
        b"set-param name=player value=level:" + b"9" * 5000,
        b"set-param name=player value=hub:true",
        b"set-param name=player",
        b"set-param name=seed value=-1",
        b"set-param name=seed value=" + b"9" * 5000,
        b"init",
        b"pos",
        b"pos pos=" + b"B" * 100_000,
        b"pos pos=B" + b"e" * 32,
        b"level depth=" + b"9" * 400,
        b"go",
        b"x " + b"a=1 " * 20_000,
        b"ping",
    ]
    done = subprocess.run(SERVER, input=b"\n".join(lines) + b"\n", capture_output=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.splitlines()[-1] == b"pong"
    assert done.stdout.count(b"\nerror message=") >= 9


def test_the_command_ends_while_it_thinks() -> None:
    said = f"hub\ninit\npos pos={START}\nlevel infinite\ngo think\n"
    done = subprocess.run(SERVER, input=said, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0


# Clients of another make


class TestOurOwnClient(EngineContract):
    """Our client and our server in one: whatever an engine must do, it does through the protocol too."""

    games = ("checkers",)
    limit = Limit(depth=2)
    positions_per_game = 4

    def make(self, seed: int) -> OutsideEngine:
        return OutsideEngine([*SERVER, "--player", "lab:deepening"], seed=seed)

    def test_it_gives_as_many_lines_as_asked_for_and_no_move_twice(self) -> None:
        pytest.skip("the protocol has one line")


def test_pydraughts_plays_a_game_with_us() -> None:
    draughts = pytest.importorskip("draughts", reason="pydraughts, an independent client, is in the bench group")
    if not hasattr(draughts, "__path__") or not _has_hub():
        pytest.skip("another package has the name draughts")
    from draughts.engine import HubEngine
    from draughts.engine import Limit as TheirLimit

    board = draughts.Board(variant="english", fen="startpos")
    board._game.initial_hub_fen = START  # theirs is turned round with the colours exchanged, their moves are not
    command = Path(sys.executable).with_name("outplay")  # it resolves links, and would find the wrong Python
    engine = HubEngine([str(command), "hub", "--player", "level:2", "--seed", "1"])
    try:
        assert engine.variants == {"english"}
        engine.setoption("variant", "english")
        engine.init()
        engine.ping()
        ours = Position()
        for ply in range(24):
            limit = (TheirLimit(depth=2), TheirLimit(movetime=0.5), TheirLimit(time=60, inc=1), TheirLimit(nodes=500))
            answer = engine.play(board, limit[ply % 4], ponder=False)
            ours = ours.play(hub.read_move(ours, answer.move.hub_move))
            board.push(answer.move)
            assert answer.info["nodes"] >= 1
            theirs = sorted(move.hub_move for move in board.legal_moves())
            assert theirs == sorted(hub.write_move(move) for move in ours.legal_moves())
    finally:
        engine.quit()
        engine.kill_process()


def _has_hub() -> bool:
    import importlib.util

    return importlib.util.find_spec("draughts.engines") is not None


# The documentation


def test_the_conversation_of_the_documentation_is_true() -> None:
    page = (Path(__file__).parent.parent / "docs" / "hub.md").read_text(encoding="utf-8")
    [shown] = re.findall(r"```hub\n(.*?)```", page, re.DOTALL)
    process = subprocess.Popen(
        [*SERVER, "--player", "level:8"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdin is not None
    assert process.stdout is not None
    heard: list[str] = []
    lines = shown.splitlines()
    with process, process.stdin, process.stdout:
        for number, line in enumerate(lines):
            if line.startswith("> "):
                process.stdin.write(line[2:] + "\n")
                process.stdin.flush()
                heard.append(line)
                answers = list(takewhile(lambda each: not each.startswith("> "), lines[number + 1 :]))
                if answers:
                    last = answers[-1][2:].split()[0]
                    while heard[-1].split()[1] != last or heard[-1].startswith(">"):
                        heard.append("< " + process.stdout.readline().rstrip("\n"))
    assert doctest.OutputChecker().check_output(shown, "\n".join(heard) + "\n", doctest.ELLIPSIS), "\n".join(heard)
