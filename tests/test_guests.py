"""Bots of other people: what they may do, and that hostile ones lose their games and harm nothing."""

from __future__ import annotations

import os
import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from outplay import checkers, connect4
from outplay.engine.guest import GuestBot
from outplay.engine.sandbox import Sandbox, SandboxKind, find_sandbox, why_no_bubblewrap
from outplay.engine.types import Engine, Limit
from outplay.errors import EngineError, NotationError
from outplay.match import Tournament, TournamentState, play_tournament
from outplay.players import player
from outplay.rules import Position
from outplay.work import OverrunError

AMPLE = Limit(time_ms=60_000)
KINDS: list[SandboxKind] = ["bubblewrap", "limits"]


@pytest.fixture(params=KINDS)
def kind(request: pytest.FixtureRequest) -> SandboxKind:
    """Both sandboxes, one after the other."""
    found: SandboxKind = request.param
    if found == "bubblewrap" and (problem := why_no_bubblewrap()):
        pytest.skip(f"bubblewrap does not run here: {problem}")
    return found


def written(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def guest(path: Path, kind: SandboxKind, *, seed: int | None = None, memory_mib: int = 1024) -> Engine:
    return player(f"guest,sandbox={kind},memory_mib={memory_mib}:{path}", seed=seed).recipe()()


def answer(path: Path, kind: SandboxKind, position: Position | None = None, *, seed: int | None = None) -> object:
    return guest(path, kind, seed=seed).analyse(position or connect4.Position(), AMPLE).move


# What a bot may do


def test_a_bot_plays_both_games(tmp_path: Path, kind: SandboxKind) -> None:
    bot = guest(written(tmp_path, "last.py", "def choose(position):\n    return position.legal_moves()[-1]\n"), kind)
    assert bot.analyse(connect4.Position(), AMPLE).move == 6
    assert str(bot.analyse(checkers.Position(), AMPLE).move) == str(checkers.Position().legal_moves()[-1])
    assert bot.analyse(connect4.Position.from_moves("777777"), AMPLE).move == 5
    assert bot.analyse(connect4.Position(9, 7), AMPLE).move == 8


def test_a_bot_is_told_its_limit_and_the_history_and_may_report(tmp_path: Path, kind: SandboxKind) -> None:
    text = """
from outplay.engine.types import Analysis, Line, Score
def choose(position, limit, history, report):
    assert (limit.depth, limit.nodes, limit.time_ms) == (3, 1000, 2500), limit
    assert [each.plies for each in history] == [0, 1], history
    return Analysis((Line(3, Score(7, depth=3), (3, 3)),), 3, 55, 0.1)
"""
    bot = guest(written(tmp_path, "told.py", text), kind)
    start = connect4.Position()
    history = [start, start.play(0)]
    found = bot.analyse(history[1].play(0), Limit(3, 1000, 2500), history=history)
    assert (found.move, found.depth, found.nodes) == (3, 3, 55)
    assert (found.lines[0].score.value, found.lines[0].moves) == (7, (3, 3))


def test_a_bot_remembers_prints_and_has_a_seed(tmp_path: Path, kind: SandboxKind) -> None:
    text = """
import random
print("loading", "x" * 30_000)
asked = []
def choose(position):
    print("done move=1")  # not part of the conversation
    asked.append(position)
    return random.choice(position.legal_moves()) if len(asked) == 1 else len(asked)
"""
    path = written(tmp_path, "memory.py", text)
    bot = guest(path, kind, seed=5)
    first = bot.analyse(connect4.Position(), AMPLE).move
    assert bot.analyse(connect4.Position(), AMPLE).move == 2
    assert first == answer(path, kind, seed=5)
    assert len({answer(path, kind, seed=seed) for seed in range(8)}) > 1


def test_a_bot_may_bring_a_folder_of_its_own(tmp_path: Path, kind: SandboxKind) -> None:
    (tmp_path / "mine").mkdir()
    written(tmp_path / "mine", "weights.txt", "4")
    text = """
from pathlib import Path
def choose(position):
    return int((Path(__file__).with_suffix("") / "weights.txt").read_text())
"""
    assert answer(written(tmp_path, "mine.py", text), kind) == 4


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("def other(position):\n    return 2\n", ""),
        ("def play(position):\n    return 2\ndef help_me():\n    pass\n", ""),
        ("from math import sqrt\ndef _own():\n    pass\nasked = lambda position: 2\n", ""),
        ("def a():\n    pass\ndef b():\n    pass\n", "needs a function 'choose', or only one function; it has a, b"),
        ("x = 1", "it has none"),
    ],
)
def test_the_function_of_a_file_is_found(tmp_path: Path, text: str, words: str) -> None:
    path = written(tmp_path, "bot.py", text)
    for name in (str(path), f"guest,sandbox=limits:{path}"):
        if not words:
            with player(name).engine() as bot:  # type: ignore[attr-defined]
                assert bot.analyse(connect4.Position(), AMPLE).move == 2
        else:
            with pytest.raises(EngineError, match=words), player(name).engine() as bot:  # type: ignore[attr-defined]
                bot.analyse(connect4.Position(), AMPLE)


def test_errors_are_those_of_the_bot(tmp_path: Path, kind: SandboxKind) -> None:
    path = written(tmp_path, "wrong.py", "def choose(position):\n    print('so far')\n    return [][1]\n")
    with pytest.raises(EngineError, match=r"^wrong\.py failed: IndexError: list index out of range$") as caught:
        answer(path, kind)
    assert caught.value.transcript[0] == "so far"
    assert "    return [][1]" in caught.value.transcript
    with pytest.raises(EngineError, match=r"cannot be loaded: ModuleNotFoundError: No module named 'nowhere'"):
        answer(written(tmp_path, "broken.py", "import nowhere"), kind)
    with pytest.raises(EngineError, match=r"returned 9 in .*: "):
        answer(written(tmp_path, "cheat.py", "def choose(position):\n    return 9\n"), kind)


def test_without_a_word_a_guest_gets_the_best_sandbox(tmp_path: Path) -> None:
    text = "def choose(position):\n    open('/etc/hostname')\n    return 0\n"
    bot = player(f"guest:{written(tmp_path, 'bot.py', text)}").recipe()()
    if find_sandbox().kind == "bubblewrap":
        with pytest.raises(EngineError, match="FileNotFoundError"):
            bot.analyse(connect4.Position(), AMPLE)
    else:
        assert bot.analyse(connect4.Position(), AMPLE).move == 0


def test_options_and_names_that_make_no_sense_are_refused(tmp_path: Path) -> None:
    path = written(tmp_path, "bot.py", "def choose(position):\n    return 0\n")
    for head in ("guest,sandbox=strong", "guest,memory_mib=1", "guest,speed=3"):
        with pytest.raises(NotationError, match="a guest has the options"):
            player(f"{head}:{path}")
    with pytest.raises(NotationError, match="name a guest as"):
        player("guest:level:3")
    with pytest.raises(NotationError, match="no file"):
        player(f"guest:{tmp_path}/none.py")
    with pytest.raises(ValueError, match="at least 128"):
        find_sandbox(memory_mib=5)


def test_the_words_say_what_protects_you() -> None:
    assert "no network, only their own files" in Sandbox("bubblewrap").in_words
    assert "could read all" in Sandbox("limits").in_words or "read all" in Sandbox("limits").in_words
    assert "without protection" in Sandbox("none").in_words


def test_a_bubblewrap_that_does_not_run_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake = written(tmp_path, "bwrap", "#!/bin/sh\necho 'No permissions to create a new namespace' >&2\nexit 1\n")
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    why_no_bubblewrap.cache_clear()
    try:
        assert find_sandbox().kind == "limits"
        with pytest.raises(EngineError, match="No permissions to create"):
            find_sandbox("bubblewrap")
    finally:
        why_no_bubblewrap.cache_clear()


# Hostile bots

HOSTILE = {
    "forks": "import os\ndef choose(position):\n    while True:\n        os.fork()\n",
    "starts": "import subprocess\ndef choose(position):\n    subprocess.run(['/bin/sleep', '1000'])\n    return 0\n",
    "threads": """
import threading, time
def choose(position):
    threading.stack_size(16 * 2**20)
    while True:
        threading.Thread(target=time.sleep, args=(1000,), daemon=True).start()
""",
    "eats": "def choose(position):\n    kept = []\n    while True:\n        kept.append(bytearray(10**7))\n",
    "connects": """
import socket
def choose(position):
    socket.create_connection(("127.0.0.1", PORT), 5).sendall(b"secret")
    return 0 / 0
""",
    "writes": "def choose(position):\n    open('FOLDER/made.txt', 'w').write('x')\n    return 0 / 0\n",
    "appends": "def choose(position):\n    open('FOLDER/victim.txt', 'a').write('x')\n    return 0 / 0\n",
    "deletes": "import os\ndef choose(position):\n    os.remove('FOLDER/victim.txt')\n    return 0 / 0\n",
    "renames": "import os\ndef choose(position):\n    os.rename('FOLDER/victim.txt', 'FOLDER/b')\n    return 0 / 0\n",
    "kills": """
import os, signal
def choose(position):
    for target in (os.getppid(), -1, 0):
        try:
            os.kill(target, signal.SIGKILL)
        except OSError:
            pass
    return 0 / 0
""",
    "signals": """
import fcntl, os, signal
def choose(position):
    for command, value in ((fcntl.F_SETOWN, os.getppid()), (10, signal.SIGKILL), (15, bytes(8))):
        reader, writer = os.pipe()
        try:
            fcntl.fcntl(reader, command, value)
        except PermissionError:
            continue
        return command
    fcntl.fcntl(reader, fcntl.F_SETOWN, os.getppid())
""",
    "locks": """
import fcntl
def choose(position):
    file = open(__file__, "rb")
    for lock in (fcntl.lockf, fcntl.flock):
        try:
            lock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except PermissionError:
            continue
        return 0
    fcntl.flock(file, fcntl.LOCK_SH)
""",
    "limits": """
import os, resource
def choose(position):
    resource.prlimit(0, resource.RLIMIT_NOFILE)
    resource.prlimit(os.getppid(), resource.RLIMIT_NOFILE, (5, 5))
    return 0
""",
    "schedules": """
import ctypes, os, struct
def choose(position):
    idle = struct.pack("IIQiIQQQ", 48, 5, 0, 0, 0, 0, 0, 0)
    number = {"x86_64": 314, "aarch64": 274}[os.uname().machine]
    if ctypes.CDLL(None).syscall(number, os.getppid(), idle, 0) != 0:
        raise PermissionError("held")
    return 0
""",
    "prints": "def choose(position):\n    while True:\n        print('x' * 10**6)\n",
    "shouts": "import os\ndef choose(position):\n    while True:\n        os.write(3, b'x' * 10**6)\n",
    "never": "def choose(position):\n    while True:\n        pass\n",
    "escapes": """
import ctypes, os
def choose(position):
    library = ctypes.CDLL(None, use_errno=True)
    if library.setsid() < 0 and library.unshare(0x10000000) < 0 and library.fork() < 0:
        raise PermissionError("held")
    while True:
        pass
""",
    "exits": "import os\ndef choose(position):\n    os._exit(0)\n",
    "crashes": "import ctypes\ndef choose(position):\n    ctypes.string_at(0)\n",
}


@pytest.fixture
def listener() -> Iterator[tuple[int, list[object]]]:
    """A server on this machine: its port, and who came."""
    came: list[object] = []
    with socket.create_server(("127.0.0.1", 0)) as server:

        def accept() -> None:
            while True:
                try:
                    came.append(server.accept())
                except OSError:
                    return

        threading.Thread(target=accept, daemon=True).start()
        yield server.getsockname()[1], came
        server.shutdown(socket.SHUT_RDWR)


def test_hostile_bots_lose_their_games_and_harm_nothing(
    tmp_path: Path, kind: SandboxKind, listener: tuple[int, list[object]]
) -> None:
    port, came = listener
    victim = written(tmp_path, "victim.txt", "precious")
    (tmp_path / "bots").mkdir()
    for name, text in HOSTILE.items():
        written(tmp_path / "bots", f"{name}.py", text.replace("PORT", str(port)).replace("FOLDER", str(tmp_path)))
    players = [f"guest,sandbox={kind},memory_mib=512:{tmp_path}/bots/{name}.py" for name in HOSTILE]
    tournament = Tournament(
        ("random", *players),
        ("random", *HOSTILE),
        kind="gauntlet",
        games=1,
        openings="start",
        limit=Limit(time_ms=1_000),
        margin_ms=2_000,
    )
    state = play_tournament(tournament, workers=2)
    check_all_lost(state)
    assert victim.read_text() == "precious"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bots", "victim.txt"]
    assert sorted(path.name for path in (tmp_path / "bots").iterdir()) == sorted(f"{name}.py" for name in HOSTILE)
    assert came == []
    assert processes_of(tmp_path) == []


def check_all_lost(state: TournamentState) -> None:
    assert state.absent == ()
    assert {row.name: row.points for row in state.standings} == {"random": len(HOSTILE)} | dict.fromkeys(HOSTILE, 0)
    said = {state.names[bout.failed or 0]: bout for bout in state.bouts}
    assert said.keys() == HOSTILE.keys()
    for name in ("forks", "starts", "connects", "writes", "appends", "deletes", "renames", "escapes"):
        assert "Error" in said[name].failure, said[name]
        assert "ZeroDivisionError" not in said[name].failure, said[name]
    for name in ("signals", "locks", "limits", "schedules"):
        assert "PermissionError" in said[name].failure, said[name]
    assert said["never"].reason == "time"
    assert all(len(line) <= 200 for bout in state.bouts for line in bout.trace)


def test_a_bot_gets_no_more_memory_than_it_may_have(tmp_path: Path, kind: SandboxKind) -> None:
    path = written(tmp_path, "eats.py", HOSTILE["eats"])
    with pytest.raises(EngineError, match="MemoryError"):  # however long a slow machine takes to fill it
        guest(path, kind, memory_mib=512).analyse(connect4.Position(), AMPLE)


def test_a_bot_that_never_answers_is_given_up_under_any_limit(tmp_path: Path, kind: SandboxKind) -> None:
    path = written(tmp_path, "never.py", HOSTILE["never"])
    bot = GuestBot(path, "choose", sandbox=kind, patience_ms=300)
    with pytest.raises(OverrunError, match=r"never\.py did not answer within 0\.3 s"):
        bot.analyse(connect4.Position(), Limit(nodes=1))
    assert processes_of(tmp_path) == []


def processes_of(folder: Path) -> list[str]:
    """The commands of all processes that name this folder."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            command = path.read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:
            continue
        if str(folder) in command and "pytest" not in command:
            found.append(command)
    return found


def test_bubblewrap_hides_your_files_and_limits_alone_do_not(tmp_path: Path, kind: SandboxKind) -> None:
    secret = written(tmp_path, "secret.txt", "the answers")
    path = written(tmp_path, "spy.py", f"def choose(position):\n    return len(open({str(secret)!r}).read()) - 10\n")
    if kind == "limits":
        assert answer(path, kind) == 1
    else:
        with pytest.raises(EngineError, match="FileNotFoundError"):
            answer(path, kind)


def test_a_bot_cannot_see_other_bots_under_bubblewrap(tmp_path: Path) -> None:
    if problem := why_no_bubblewrap():
        pytest.skip(f"bubblewrap does not run here: {problem}")
    written(tmp_path, "rival.py", "def choose(position):\n    return 0\n")
    path = written(tmp_path, "thief.py", "import rival\nchoose = rival.choose\n")
    with pytest.raises(EngineError, match="No module named 'rival'"):
        answer(path, "bubblewrap")


def test_a_bot_that_hangs_while_it_is_loaded_is_left_out(tmp_path: Path, kind: SandboxKind) -> None:
    path = written(tmp_path, "slow.py", "while True:\n    pass\n")
    with pytest.raises(OverrunError, match="did not say 'ready' in time"):
        GuestBot(path, "", sandbox=kind, start_ms=2_000)
    assert processes_of(tmp_path) == []
