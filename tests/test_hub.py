"""The Hub protocol: its text, our engine behind it, and clients that talk to it, ours and pydraughts'."""

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
from hypothesis import given
from hypothesis import strategies as st

from outplay.checkers import Position
from outplay.cli.hub import make_recipe
from outplay.engine.hubserver import HubServer, Parameter
from outplay.engine.outside import OutsideEngine
from outplay.engine.protocols import hub
from outplay.engine.protocols.hub import Message
from outplay.engine.runner import Recipe
from outplay.engine.types import Limit, Score
from outplay.errors import IllegalMoveError, IllegalPositionError, NotationError
from outplay.players import player
from tests.engine_contract import EngineContract
from tests.engines import Behaviour, Obedient, analysis_of
from tests.positions import checkers_fens, jumpy_checkers_fens

START = "Bbbbbbbbbbbbbeeeeeeeewwwwwwwwwwww"
WAIT = 60
SERVER = [sys.executable, "-m", "outplay.cli", "hub"]


# Lines


@pytest.mark.parametrize(
    ("line", "command", "arguments"),
    [  # the examples of Scan's protocol.txt
        (
            'id name=Scan version=3.0 author="Fabien Letouzey" country=France',
            "id",
            {"name": "Scan", "version": "3.0", "author": "Fabien Letouzey", "country": "France"},
        ),
        (
            'param name=variant value=normal type=enum values="normal killer bt"',
            "param",
            {"name": "variant", "value": "normal", "type": "enum", "values": "normal killer bt"},
        ),
        ("level moves=9 time=291.587", "level", {"moves": "9", "time": "291.587"}),
        ("go ponder", "go", {"ponder": ""}),
        ("    done move=32-28 ponder=17-22", "done", {"move": "32-28", "ponder": "17-22"}),
        ('info score=-0.01 pv="32-28 17-22 28x17x22"', "info", {"score": "-0.01", "pv": "32-28 17-22 28x17x22"}),
        ("wait", "wait", {}),
        ("", "", {}),
    ],
)
def test_the_lines_of_the_specification_are_read(line: str, command: str, arguments: dict[str, str]) -> None:
    message = hub.read_line(line)
    assert (message.command, dict(message.arguments)) == (command, arguments)
    assert str(message) == line.strip()


@pytest.mark.parametrize("line", ['pos pos="unfinished', "go =3", 'x a="b"c', 'x "a"=b'])
def test_a_line_that_is_none_is_refused(line: str) -> None:
    with pytest.raises(NotationError, match="name=value"):
        hub.read_line(line)


@given(st.text())
def test_any_text_is_a_message_or_refused(line: str) -> None:
    try:
        message = hub.read_line(line)
    except NotationError:
        return
    assert isinstance(message.command, str)


words = st.from_regex(r"[a-z][a-z0-9-]{0,8}", fullmatch=True)
values = st.text(st.characters(codec="ascii", categories=["L", "N", "P", "Zs"], exclude_characters='"'))


@given(words, st.dictionaries(words, values))
def test_what_is_written_is_read_again(command: str, arguments: dict[str, str]) -> None:
    read = hub.read_line(str(Message(command, arguments)))
    assert (read.command, dict(read.arguments)) == (command, arguments)


def test_a_value_cannot_break_out_of_its_line() -> None:
    line = str(Message("error", {"message": 'a "quoted"\ndone move=1-5'}))
    assert line == 'error message="a  quoted  done move=1-5"'


# Positions and moves


def test_the_start_position() -> None:
    assert hub.write_position(Position()) == START
    assert hub.read_position(START) == Position()


@given(checkers_fens())
def test_positions_are_read_as_they_are_written(fen: str) -> None:
    position = Position.from_fen(fen)
    text = hub.write_position(position)
    assert len(text) == 33
    assert hub.read_position(text) == position


@pytest.mark.parametrize(
    "text", ["", "B", START[1:], START + "e", "X" + START[1:], START.replace("e", "x"), "B" + "é" * 32]
)
def test_a_text_that_is_no_position_is_refused(text: str) -> None:
    with pytest.raises(NotationError, match="32 letters"):
        hub.read_position(text)


def test_an_impossible_position_is_refused_with_its_reason() -> None:
    with pytest.raises(IllegalPositionError):
        hub.read_position("Bw" + "e" * 31)  # a white man on the row where it is crowned


@given(jumpy_checkers_fens())
def test_a_move_is_read_as_it_is_written_and_leads_to_the_same_position(fen: str) -> None:
    position = Position.from_fen(fen)
    for move in position.legal_moves():
        text = hub.write_move(move)
        assert position.play(hub.read_move(position, text)) == position.play(move)
        if move.is_capture:
            first, last, *taken = text.split("x")
            backwards = "x".join([first, last, *reversed(taken)])
            assert position.play(hub.read_move(position, backwards)) == position.play(move)


def test_captures_with_the_same_ends_are_told_apart_by_what_they_take() -> None:
    position = Position.from_fen("B:W23,22,15,14:B11,10")
    assert str(hub.read_move(position, "10x26x15x23")) == "10x19x26"
    assert str(hub.read_move(position, "10x26x22x14")) == "10x17x26"
    with pytest.raises(IllegalMoveError):
        hub.read_move(position, "10x26")
    with pytest.raises(IllegalMoveError):
        hub.read_move(position, "10x26x14x23")


def test_what_is_taken_may_be_left_out_where_it_is_clear() -> None:
    assert str(hub.read_move(Position.from_fen("B:W14,22:B9"), "9x25")) == "9x18x25"


@pytest.mark.parametrize("text", ["", "11", "11-", "11-15-18", "a-b", "0-4", "11-15x2", "111-15"])
def test_a_text_that_is_no_move_is_refused(text: str) -> None:
    with pytest.raises(NotationError, match="a move is written"):
        hub.read_move(Position(), text)


def test_an_illegal_move_is_told_with_the_legal_ones() -> None:
    with pytest.raises(IllegalMoveError, match=r"11-18 in .*the moves are .*11-15"):
        hub.read_move(Position(), "11-18")


def test_the_history_becomes_moves_as_far_back_as_it_hangs_together() -> None:
    positions = [Position()]
    for text in ("11-15", "22-18", "15x22", "25x18"):
        positions.append(positions[-1].play(positions[-1].parse(text)))
    *history, last = positions
    start, moves = hub.history_moves(last, history)
    assert (start, [hub.write_move(move) for move in moves]) == (Position(), ["11-15", "22-18", "15x22x18", "25x18x22"])
    start, moves = hub.history_moves(last, [Position(), history[3]])
    assert (start, len(moves)) == (history[3], 1)
    assert hub.history_moves(last, ()) == (last, ())


# Limits and scores


@pytest.mark.parametrize(
    ("line", "limit"),
    [
        ("level depth=8", Limit(depth=8)),
        ("level move-time=0.25", Limit(time_ms=250)),
        ("level nodes=5000", Limit(nodes=5000)),
        ("level time=60 inc=1", Limit(clock_ms=61_000, increment_ms=1000)),
        ("level time=60", Limit(clock_ms=60_000)),
        ("level moves=9 time=60", Limit(clock_ms=60_000, time_ms=6000)),
        ("level move-time=0", Limit(time_ms=1)),
        ("level infinite", Limit(time_ms=hub.FOR_EVER_MS)),
        ("level depth=8 move-time=2", Limit(depth=8, time_ms=2000)),
        ("level something=else", Limit(time_ms=hub.FOR_EVER_MS)),
    ],
)
def test_limits_are_read(line: str, limit: Limit) -> None:
    assert hub.read_limit(hub.read_line(line)) == limit


@pytest.mark.parametrize("text", ["-1", "x", "1e9", "nan", "inf", "1,5", "९"])
@pytest.mark.parametrize("name", ["depth", "move-time", "time", "inc", "nodes", "moves"])
def test_a_limit_that_is_no_number_is_refused(name: str, text: str) -> None:
    with pytest.raises(NotationError, match=f"{name} is a number"):
        hub.read_limit(Message("level", {name: text}))


@pytest.mark.parametrize(
    "limit",
    [Limit(depth=3), Limit(time_ms=1500), Limit(nodes=7), Limit(clock_ms=9000, increment_ms=100), Limit(5, 6, 7)],
)
def test_a_limit_is_read_as_it_was_written(limit: Limit) -> None:
    assert hub.read_limit(hub.write_limit(limit)) == limit


@pytest.mark.parametrize(
    ("score", "text"),
    [
        (Score(-25, depth=3), "-0.25"),
        (Score(999_999_991, depth=9, plies=9), "99.91"),
        (Score(-999_999_990, depth=9, plies=10), "-99.90"),
        (Score(3, "table"), "100.00"),
        (Score(0, "table"), "0.00"),
        (Score(50_000, depth=2), "89.00"),  # an estimate is never taken for a win
    ],
)
def test_scores_are_men_and_wins_are_near_a_hundred(score: Score, text: str) -> None:
    assert hub.write_score(score) == text
    assert hub.read_score(text, 3).plies == score.plies or score.plies is None


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
        (["go think"], "say init first"),
        (["init", "go think"], "there is no position"),
        (["init", f"pos pos={START}", "pos pos=nonsense", "go think"], "there is no position"),
        (["init", f'pos pos={START} moves="11-16 11-16"'], "illegal move 11-16"),
        (["init", "pos pos=Wbeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee", "go think"], "the game is over"),
        (["level depth=-3"], "depth is a number"),
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
    assert "a search is going on" in client.wait_for("error")
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
    with pytest.raises(ValueError, match=r"people do not play|no such player|levels"):
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
