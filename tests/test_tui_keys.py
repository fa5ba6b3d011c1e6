"""Keys of the terminal app: those that arrive together, those that do nothing, and those that the web app has too."""

from __future__ import annotations

import re

import pytest
from textual.keys import _character_to_key

from outplay import connect4
from outplay.players import HUMAN
from outplay.tui.analyse import AnalysePage
from outplay.tui.dialogs import Confirm, Prompt
from outplay.tui.help import Help
from outplay.tui.library import LibraryPage
from outplay.tui.start import AppStart
from tests.support import ROOT
from tests.support.tui import Player, drive

HUMANS = AppStart(seats=(HUMAN, HUMAN))
CHECKERS = AppStart(game="checkers", seats=(HUMAN, HUMAN))


def texts(me: Player) -> str:
    return " ".join(me.state.texts)


@pytest.mark.parametrize(
    ("start", "keys", "moves"),
    [
        (HUMANS, "4 u 5", "5"),
        (HUMANS, "4 5 u u U 3", "4 3"),
        (HUMANS, "4 4 k 3", "4 4 3"),
        (HUMANS, "/ 4 4 5 3 escape 7", "7"),
        (HUMANS, "/ 4 enter / 5 enter", "4 5"),
        (HUMANS, "/ 4 5 backspace enter 2", "4 2"),
        (HUMANS, "right enter u right right enter", "6"),
        (CHECKERS, "/ 1 1 - 1 5 enter", "11-15"),
        (CHECKERS, "1 1 - 1 5 enter / 2 2 - 1 8 enter u", "11-15"),
        (CHECKERS, "down enter down enter u up enter down enter", "9-13"),
    ],
)
def test_keys_that_arrive_together_are_carried_out_in_order(start: AppStart, keys: str, moves: str) -> None:
    async def script(me: Player) -> None:
        await me.burst(*keys.split())
        assert texts(me) == moves

    drive(script, start)


def test_a_position_that_is_typed_in_a_burst_is_read_whole() -> None:
    async def script(me: Player) -> None:
        await me.burst(*"/4453", "enter", "7")
        assert (me.state.start, texts(me)) == (connect4.Position.from_moves("4453"), "7")

    drive(script, HUMANS)


def test_keys_of_a_dialog_arrive_together_with_the_key_that_opens_it() -> None:
    async def script(me: Player) -> None:
        await me.burst("4", "R", "n", "5", "R", "y", "6")
        assert (texts(me), me.state.status) == ("4 5", "over")
        await me.burst("n", "escape", "question_mark", "question_mark", "f7", "slash", "4", "4")
        assert isinstance(me.app.screen, LibraryPage)
        assert me.app.focused is not None
        assert me.app.focused.id == "filter"
        assert getattr(me.app.focused, "value", "") == "44"

    drive(script, HUMANS)


@pytest.mark.parametrize("key", ["l", "f3"])
def test_a_variation_is_played_where_the_keys_before_it_lead(key: str) -> None:
    async def script(me: Player) -> None:
        await me.burst("4", "4", "f2", "5", "5", key, "k", "k", "1")  # the game is on the board, as it is saved
        page = me.app.screen
        assert isinstance(page, AnalysePage)
        assert page.study.path() == ["4", "4", "1"]
        assert not page.study.tree.saved.is_study

    drive(script, HUMANS)


def test_the_game_takes_no_keys_while_the_terminal_is_too_small() -> None:
    async def script(me: Player) -> None:
        await me.pilot.resize_terminal(60, 20)
        await me.until(lambda: me.app.screen.query_one("#too-small").display)
        await me.burst("4", "right", "enter", "slash", "4", "enter", "f3")
        assert (me.state.ply, me.app.screen) == (0, me.app.play)
        await me.burst("R", "enter")
        assert me.state.outcome is None
        assert not isinstance(me.app.screen, Confirm)
        await me.burst("question_mark")
        assert isinstance(me.app.screen, Help)
        await me.burst("escape")
        await me.pilot.resize_terminal(80, 24)
        await me.until(lambda: not me.app.screen.query_one("#too-small").display)
        assert not me.app.screen.query_one(Prompt).display
        await me.burst("4")
        assert texts(me) == "4"

    drive(script, HUMANS)


@pytest.mark.parametrize("keys", [("enter", "ctrl+p", "enter"), ("enter", "ctrl+p", "backspace", "enter", "f4")])
def test_no_page_opens_by_itself_over_the_palette(keys: tuple[str, ...]) -> None:
    async def script(me: Player) -> None:
        await me.burst("4", "f7")
        page = me.app.screen
        assert isinstance(page, LibraryPage)
        (game,) = page.games
        found = me.app.services.store().load(game.id)
        assert found is not None
        me.app.action_command_palette()
        page._show(found, is_play=True)  # the store answers only now
        me.app.action_page("learn")
        assert me.app.screen.id == "--command-palette"
        await me.burst("escape", *keys, "escape", "f3")
        await me.burst("escape", "f7")
        assert (me.app.screen, me.app.screen.is_current) == (page, True)

    drive(script, HUMANS)


# The keys of the web app

SHEET = (ROOT / "frontend" / "src" / "lib" / "keys.ts").read_text(encoding="utf-8")
DOCS = (ROOT / "docs" / "terminal.md").read_text(encoding="utf-8")
NAMES = {"⇧": "", "Home": "home", "End": "end", "Del": "delete", "Esc": "escape", "\u2013": ""}
SAME = {
    # what the web app says that its keys do on a page: the actions of the terminal app, in the order of the keys
    "KEY_SHEET": {
        "drop a disc in that column": "digit('1') digit('9')",
        "take back": "takeback",
        "redo": "redo",
        "hint; again for more": "hint",
        "type a move, or paste a position": "type",
        "new game; rematch when a game is over": "next_game",
        "after a game: review it": "review",
        "resign": "resign",
        "offer a draw": "draw",
        "next move": "browse(1)",
        "previous move": "browse(-1)",
        "first and last position": "see(0) see(-1)",
        "flip the board": "flip",
        "glass box on or off": "glass",
        "hide all computer output": "quiet",
        "theme": "app.change_theme",
        "pause; again to resume": "pause",
        "one move while paused; move now while it thinks": "step",
        "faster, slower": "speed(-1) speed(1)",
        "this sheet": "help",
        "close, or let go of a piece": "close",
    },
    "analyse": {
        "play a move in that column, for either side": "digit('1') digit('9')",
        "next and previous move; so do → and ←": "walk(1) walk(-1)",
        "to the start, to the end of the line": "visit(0) last",
        "put the variation first": "promote",
        "delete the variation": "delete",
        "undo that": "undo",
        "engine on or off": "engine",
        "fewer, more lines": "lines(-1) lines(1)",
        "hide all computer output": "quiet",
        "review the game; again to stop": "review",
        "next blunder": "wrong(True)",
        "next mistake of any kind": "wrong(False)",
        "learn from the mistakes": "retry",
        "while learning: show the answer": "reveal",
        "type a move": "type",
        "flip the board": "flip",
    },
    "TRAINING_KEYS": {
        "drop a disc in that column": "digit('1') digit('9')",
        "hint; again for more": "hint",
        "show the answer": "solution",
        "try again": "again",
        "next, or skip": "next",
        "flip the board": "flip",
    },
    "library": {
        "next and previous game; Enter opens it": "walk(1) walk(-1)",
        "analyse the game": "analyse",
        "delete it": "delete",
        "undo that": "restore",
    },
}
PAGE_OF = {"KEY_SHEET": "play", "TRAINING_KEYS": "puzzles"}
EVERYWHERE = {"to the board; then arrows move, Enter or Space picks"}


def sheet(name: str) -> dict[str, list[str]]:
    """The keys of a page of the web app, by what they do."""
    start = re.search(rf"(?:const )?\b{name}\b.*(?:=|: \{{)", SHEET)
    assert start is not None
    text = SHEET[start.end() :]
    end = text.index("\n  }," if text.startswith("\n    title") else "\n];")
    rows = re.findall(r'keys: \[(.*?)\], does: "(.*?)"', text[:end])
    return {does: [NAMES.get(key, key.lower()) for key in re.findall(r'"(.*?)"', keys)] for keys, does in rows}


def upper_or_lower(keys: list[str]) -> list[str]:
    """The sheet has capitals for all letters, and an arrow before those that are meant."""
    shown = [key for key in keys if key]
    return [key.upper() for key in shown] if keys[0] == "" else shown


@pytest.mark.parametrize("name", SAME)
def test_the_keys_are_those_of_the_web_app(name: str) -> None:
    async def script(me: Player) -> None:
        await me.until(lambda: me.app.services.is_open)
        page = me.app._page(PAGE_OF.get(name, name))
        for does, actions in SAME[name].items():
            for key, action in zip(upper_or_lower(sheet(name)[does]), actions.split(), strict=True):
                bound = page._bindings.get_bindings_for_key(_character_to_key(key) if len(key) == 1 else key)
                assert [binding.action for binding in bound] == [action], does

    drive(script)


@pytest.mark.parametrize("name", SAME)
def test_the_manual_tells_every_key_that_differs_from_the_web_app(name: str) -> None:
    table = DOCS[DOCS.index("| page | key of the web app |") :].split("\n\n")[0]
    differ = sheet(name).keys() - SAME[name].keys() - EVERYWHERE
    told = re.findall(r"\((.+)\) \|", table)
    assert differ <= set(told), differ - set(told)
