"""The real program in a real terminal (tmux): games, resizing, suspending, killing, and its manners at the door."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from textual.widgets import Static

from outplay.cli.terminal import NEEDS
from outplay.store import open_store
from outplay.tui.app import write_report
from outplay.tui.boards.canvas import Canvas
from outplay.tui.page import PAGES
from outplay.tui.start import AppStart
from outplay.tui.theme import _is_light, board_depth
from tests.support.tui import Player, drive, some_game

WAIT = 30
"""The most seconds without any change on the screen."""


class Tmux:
    """A window of tmux with a shell, on a server of its own."""

    def __init__(self, folder: Path) -> None:
        self.socket, self.folder = str(folder / "tmux"), folder
        inherited = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES")}
        environment = {**inherited, "OUTPLAY_DATA": str(folder / "data"), "COLORTERM": "truecolor"}
        self._run("-f", "/dev/null", "new-session", "-d", "-x", "100", "-y", "30", "sh", environment=environment)
        self.type("PS1='ready> '", "Enter")  # the app draws on another screen: this one shows again when it ends
        self.until("ready>")

    def _run(self, *arguments: str, environment: dict[str, str] | None = None) -> str:
        done = subprocess.run(
            ["tmux", "-S", self.socket, *arguments], capture_output=True, text=True, check=True, env=environment
        )
        return done.stdout

    def type(self, *keys: str) -> None:
        self._run("send-keys", *keys)

    def command(self, text: str, **environment: str) -> None:
        variables = "".join(f"{name}={value} " for name, value in environment.items())
        self.type(f"{variables}{sys.executable} -m outplay.cli {text}", "Enter")

    @property
    def screen(self) -> str:
        return self._run("capture-pane", "-p")

    @property
    def colours(self) -> set[str]:
        """The colours on the screen, as the codes of a terminal: 31, 38;5;9, 38;2;255;0;0."""
        found = re.findall(r"\x1b\[([\d;]*)m", self._run("capture-pane", "-p", "-e"))
        codes = {code for each in found for code in re.findall(r"[34]8;5;\d+|[34]8;2;\d+;\d+;\d+|\d+", each)}
        return {
            code for code in codes if ";" in code or 30 <= int(code) <= 37 or 40 <= int(code) <= 47 or int(code) >= 90
        }

    def resize(self, width: int, height: int) -> None:
        self._run("resize-window", "-x", str(width), "-y", str(height))

    def until(self, *texts: str) -> None:
        """Wait for texts, as long as the screen changes."""
        before, deadline = "", 0.0
        while not all(text in (now := self.screen) for text in texts):
            if now != before:
                before, deadline = now, time.monotonic() + WAIT
            assert time.monotonic() < deadline, f"{texts} never came:\n{now}"
            time.sleep(0.05)

    def program(self) -> int | None:
        """The process of outplay in the window, if it runs."""
        shell = self._run("display-message", "-p", "#{pane_pid}").strip()
        children = Path(f"/proc/{shell}/task/{shell}/children").read_text(encoding="utf-8").split()
        return int(children[0]) if children else None

    def workers(self) -> list[str]:
        """The processes that outplay has started."""
        tasks = Path(f"/proc/{self.program()}/task").glob("*/children")
        return [child for each in tasks for child in each.read_text(encoding="utf-8").split()]

    def kill(self, number: signal.Signals) -> None:
        program = self.program()
        assert program is not None
        os.kill(program, number)

    def until_over(self) -> None:
        """Wait until the program has ended and the shell is back."""
        deadline = time.monotonic() + WAIT
        while self.program() is not None:
            assert time.monotonic() < deadline, f"it never ended:\n{self.screen}"
            time.sleep(0.05)
        self.until("ready>")

    def begin_again(self) -> None:
        """Give the window a new shell: a killed program leaves the terminal as it was."""
        self._run("respawn-pane", "-k", "sh")

    def close(self) -> None:
        subprocess.run(["tmux", "-S", self.socket, "kill-server"], capture_output=True, check=False)


@pytest.fixture
def tmux(tmp_path: Path) -> Iterator[Tmux]:
    if shutil.which("tmux") is None:
        pytest.skip("there is no tmux")
    window = Tmux(tmp_path)
    yield window
    window.close()


@pytest.mark.slow
def test_a_game_of_each_kind_in_a_real_terminal(tmux: Tmux) -> None:
    tmux.command("play connect4 --first human --second human")
    tmux.until("Red to move", "F2 Play")
    for key, said in zip("4141414", ["Yellow to move", "Red to move"] * 3 + ["Red wins"], strict=True):
        tmux.type(key)
        tmux.until(said)
    tmux.type("C-c")
    tmux.until_over()
    tmux.command("play checkers --first human --second human --position B:W18:B15")
    tmux.until("Black to move")
    tmux.type("/")
    tmux.until("a move, or a position")
    tmux.type("15x22", "Enter")
    tmux.until("Black wins")
    tmux.type("C-c")


@pytest.mark.slow
@pytest.mark.parametrize("game", ["connect4", "checkers"])
def test_a_whole_game_that_arrives_in_one_piece(tmux: Tmux, game: str) -> None:
    moves = some_game(game, 3)
    tmux.command(f"play {game} --first human --second human")
    tmux.until("to move", "F2 Play")
    tmux.type(*moves if game == "connect4" else [key for move in moves for key in ("/", move, "Enter")])
    tmux.until("n rematch")
    tmux.type("C-c")
    tmux.until_over()
    store = open_store(str(tmux.folder / "data" / "games.sqlite3"))
    (summary,) = store.games(limit=2)
    saved = store.load(summary.id)
    store.close()
    assert saved is not None
    assert [move.text for move in saved.game.main_line()] == moves


@pytest.mark.slow
def test_resizing_while_an_engine_thinks(tmux: Tmux) -> None:
    tmux.command("play connect4 --first human --second lab:mcts --time-ms 20000")
    tmux.until("Your move")
    tmux.type("4")
    tmux.until("is thinking")
    tmux.resize(60, 20)
    tmux.until("outplay needs 80 x 24")
    tmux.resize(120, 40)
    tmux.until("is thinking", "positions")
    tmux.type("x")
    tmux.until("Your move")


@pytest.mark.slow
def test_suspend_and_resume(tmux: Tmux) -> None:
    tmux.command("play connect4 --first human --second human")
    tmux.until("Red to move")
    tmux.type("4")
    tmux.until("Yellow to move")
    tmux.type("C-z")
    tmux.until("Stopped")
    tmux.type("fg", "Enter")
    tmux.until("Yellow to move")
    tmux.type("5")
    tmux.until("Red to move")


@pytest.mark.slow
def test_no_engine_thinks_while_the_app_is_suspended(tmux: Tmux) -> None:
    tmux.command("play connect4 --first human --second lab:mcts --time-ms 20000")
    tmux.until("Your move")
    tmux.type("4")
    tmux.until("is thinking", "positions")
    assert tmux.workers()
    tmux.type("C-z")
    tmux.until("Stopped")
    assert not tmux.workers()
    tmux.type("fg", "Enter")
    tmux.until("is thinking", "positions")
    tmux.type("x")
    tmux.until("Your move")


@pytest.mark.slow
def test_after_kill_9_the_game_is_in_the_library(tmux: Tmux) -> None:
    tmux.command("play connect4 --first human --second human")
    tmux.until("Red to move")
    for key, said in zip("443", ["Yellow to move", "Red to move", "Yellow to move"], strict=True):
        tmux.type(key)
        tmux.until(said)
    tmux.kill(signal.SIGKILL)
    tmux.begin_again()
    tmux.command("")
    tmux.until("Your move")
    tmux.type("F7")
    tmux.until("1 game", "goes on")
    tmux.type("Enter")
    tmux.until("Yellow to move")


@pytest.mark.slow
def test_a_window_that_is_closed_ends_the_program(tmux: Tmux) -> None:
    tmux.command("play connect4 --first human --second lab:mcts --time-ms 20000")
    tmux.until("Your move")
    tmux.type("4")
    tmux.until("is thinking", "positions")
    program = Path(f"/proc/{tmux.program()}")
    tmux.close()
    deadline = time.monotonic() + WAIT
    while program.exists():
        assert time.monotonic() < deadline, "it goes on without a window"
        time.sleep(0.05)


@pytest.mark.slow
def test_sigterm_restores_the_terminal(tmux: Tmux) -> None:
    tmux.command("")
    tmux.until("Your move")
    tmux.kill(signal.SIGTERM)
    tmux.until_over()
    tmux.type("echo all is well", "Enter")
    tmux.until("\nall is well")


@pytest.mark.slow
@pytest.mark.parametrize("game", ["connect4", "checkers"])
def test_a_terminal_of_16_colours_gets_no_others(tmux: Tmux, game: str) -> None:
    tmux.command(f"play {game} --first human --second human", TERM="xterm", COLORTERM="")
    tmux.until("to move", "F2 Play")
    assert len(tmux.colours) > 3
    assert all(";" not in code for code in tmux.colours)
    tmux.type("C-c")
    tmux.until_over()


@pytest.mark.slow
def test_without_colours_the_board_is_drawn_by_its_marks(tmux: Tmux) -> None:
    tmux.command("play connect4 --first human --second human", NO_COLOR="1")
    tmux.until("to move", "F2 Play")
    before = tmux.screen
    tmux.type("4")
    tmux.until("Yellow to move")
    assert tmux.colours == set()
    assert tmux.screen != before
    tmux.type("C-c")
    tmux.until_over()


@pytest.mark.slow
def test_a_crash_restores_the_terminal_and_says_where_the_report_is(tmux: Tmux) -> None:
    broken = "import outplay.tui.play as p; p.PlayPage.action_flip = lambda page: 1 // 0"
    (tmux.folder / "broken.py").write_text(f"{broken}\nfrom outplay.cli.app import app\napp()\n")
    tmux.type(f"{sys.executable} {tmux.folder}/broken.py; echo code $?", "Enter")
    tmux.until("Your move")
    tmux.type("f")
    tmux.until_over()
    tmux.until("outplay failed: ZeroDivisionError", "The report is in", "code 1")
    (report,) = (tmux.folder / "data").glob("crash-*.txt")
    assert "broken.py" in report.read_text(encoding="utf-8")
    tmux.type("echo all is well", "Enter")  # what is typed is shown again
    tmux.until("echo all is well\nall is well")


# Manners


def run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "outplay.cli", *arguments],
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        check=False,
        env={**os.environ, **environment},
    )


def test_outplay_alone_prints_help_where_there_is_no_terminal() -> None:
    done = run()
    assert done.returncode == 0
    assert "Usage" in done.stdout
    assert "play" in done.stdout


def test_learn_without_a_terminal_prints_what_it_can_do() -> None:
    done = run("learn")
    assert done.returncode == 0
    assert "Lessons: open them in the terminal, list them, and check" in done.stdout


def test_plain_reads_and_answers_line_by_line() -> None:
    done = run("--plain")
    assert "Connect Four or checkers?" in done.stdout


def test_the_line_that_brings_a_missing_extra_is_named() -> None:
    assert "pip install 'outplay[tui]'" in NEEDS


def test_a_terminal_that_is_too_small_says_so() -> None:
    async def script(me: Player) -> None:
        await me.pilot.resize_terminal(60, 20)
        await me.until(lambda: me.app.screen.query_one("#too-small").display)
        assert "60 columns and 20 lines" in str(me.app.screen.query_one("#too-small").render())
        await me.pilot.resize_terminal(80, 24)
        await me.until(lambda: not me.app.screen.query_one("#too-small").display)

    drive(script)


def test_the_palette_finds_every_command() -> None:
    async def script(me: Player) -> None:
        titles = {command.title for command in me.app.get_system_commands(me.app.screen)}
        assert {"Play", "Analyse", "Library", "Lab", "Hint", "Resign", "Leave"} <= titles
        await me.press("ctrl+p")
        await me.until(lambda: me.app.screen.id == "--command-palette")
        await me.press("escape")

    drive(script)


def test_every_page_has_help() -> None:
    async def script(me: Player) -> None:
        await me.until(lambda: me.app.services.is_open)
        for page in PAGES:
            me.app.action_page(page)
            await me.until(lambda: getattr(me.app.screen, "name_of_page", "") == page)  # noqa: B023
            await me.until(lambda: me.sentence)
            me.app.screen.set_focus(None)
            await me.press("question_mark")
            await me.until(lambda: me.app.screen.is_modal)
            shown = " ".join(str(each.render()) for each in me.app.screen.query(Static))
            assert " ".join(me.app._pages[page].help_text.split()) in shown
            told = {each.description for each in me.app._pages[page].commands()}
            assert "Library" in told
            assert not told & {"Copy selected text", "Focus Next", "Cursor up"}
            await me.press("escape")
            await me.until(lambda: not me.app.screen.is_modal)

    drive(script)


def test_a_crash_leaves_a_report(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OUTPLAY_DATA", str(tmp_path))

    async def script(me: Player) -> None:
        me.app.play.call_later(_fail)
        await me.pilot.pause(0.2)

    with pytest.raises(ZeroDivisionError):
        drive(script)
    (report,) = tmp_path.glob("crash-*.txt")
    assert "ZeroDivisionError" in report.read_text(encoding="utf-8")
    monkeypatch.setenv("OUTPLAY_DATA", str(report / "no folder"))
    assert write_report(ValueError("x")) is None


def _fail() -> None:
    raise ZeroDivisionError


@pytest.mark.parametrize(
    ("answer", "is_light"),
    [
        ("\x1b]11;rgb:ffff/ffff/eeee\x1b\\", True),
        ("\x1b]11;rgb:0000/1111/2222\x07", False),
        ("", False),
        ("nonsense", False),
    ],
)
def test_a_light_terminal_is_known_by_its_answer(answer: str, is_light: bool) -> None:
    assert _is_light(answer) is is_light


def test_the_boards_use_what_the_terminal_has() -> None:
    assert board_depth("truecolor", no_color=False) == "smooth"
    assert board_depth("256", no_color=False) == "sharp"
    assert board_depth("standard", no_color=False) == "coarse"
    assert board_depth("truecolor", no_color=True) == board_depth(None, no_color=False) == "mono"


def test_a_canvas_without_colours_writes_blocks() -> None:
    canvas = Canvas(4, 2, (0, 0, 0), "mono")
    canvas.disc(0, 0, 4, (255, 255, 255))
    assert [strip.text for strip in canvas.strips()] == ["▄██▄", "▀██▀"]


def test_a_game_begun_here_is_in_the_store_of_the_web_app(tmp_path: Path) -> None:
    db = str(tmp_path / "games.sqlite3")

    async def script(me: Player) -> None:
        await me.press("4")
        await me.until(lambda: me.state.ply == 2)
        await me.until_shown()

    drive(script, AppStart(db=db, seed=3))
    store = open_store(db)
    (summary,) = store.games(limit=3)
    assert summary.seats == ("human", "level:2")
    store.close()
