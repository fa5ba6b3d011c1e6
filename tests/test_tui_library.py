"""The pages Library and Lab of the terminal app."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from textual.events import Paste
from textual.widgets import DataTable, Input, Static, Tree

from outplay.live import Terms
from outplay.notation import write
from outplay.players import HUMAN, player
from outplay.record import Game
from outplay.rules import RULES
from outplay.store import SavedGame, open_store
from outplay.tui.analyse import AnalysePage
from outplay.tui.dialogs import Confirm
from outplay.tui.lab import LabPage
from outplay.tui.library import LibraryPage
from outplay.tui.start import AppStart
from tests.support.tui import Player, drive

DECIDED = '[Event "Cup"]\n[Black "Ann [/b]"]\n[White "Ben"]\n1. 11-15 22-18 0-1\n'


def line(game: str, text: str) -> Game:  # type: ignore[type-arg]
    record = Game(RULES[game].start())
    record.go_to(record.root.add_line(text))
    return record


@pytest.fixture
def db(tmp_path: Path) -> str:
    """A store with a game that goes on, one of checkers between engines, and one that was won."""
    path = str(tmp_path / "games.sqlite3")
    store = open_store(path)
    humans = Terms(seats=(HUMAN, HUMAN))
    engines = Terms(seats=(player("level:3"), player("random")), is_paused=True)
    store.add(
        [
            SavedGame("goeson", line("connect4", "4455"), humans),
            SavedGame("engines", line("checkers", "11-15 22-18"), engines),
            SavedGame("won", line("connect4", "4141414"), humans),
        ]
    )
    store.close()
    return path


async def open_library(me: Player) -> LibraryPage:
    me.app.action_page("library")
    await me.until(lambda: isinstance(me.app.screen, LibraryPage) and me.app.screen.games)
    page = me.app.screen
    assert isinstance(page, LibraryPage)
    return page


def ids(page: LibraryPage) -> set[str]:
    return {summary.id for summary in page.games}


def test_games_of_the_store_are_listed_and_filtered(db: str) -> None:
    async def script(me: Player) -> None:
        page = await open_library(me)
        assert ids(page) == {"goeson", "engines", "won"}
        await me.burst("j", "j", "j", "k")
        assert page.query_one(DataTable).cursor_row == 1
        await me.press("c")
        await me.until(lambda: ids(page) == {"goeson", "won"})
        await me.press("o")
        await me.until(lambda: ids(page) == {"goeson"})
        await me.press("c", "o", "o", "o", "o", "o", "c")
        await me.until(lambda: len(page.games) == 3)
        for text, found in (
            ("planner", {"engines"}),
            ("4141", {"won"}),
            ("11-15 22-18", {"engines"}),
            ("nobody", set()),
        ):
            page.query_one("#filter", Input).value = text
            page.look()
            await me.until(lambda: ids(page) == found)  # noqa: B023

    drive(script, AppStart(db=db))


def test_a_game_goes_on_and_a_finished_one_is_analysed(db: str) -> None:
    async def script(me: Player) -> None:
        page = await open_library(me)
        page._open("goeson", is_play=True)
        await me.until(lambda: me.app.screen is me.app.play and me.state.ply == 4)
        await me.press("3")
        await me.until_ply(5)
        await open_library(me)
        page._open("won", is_play=True)
        await me.until(lambda: isinstance(me.app.screen, AnalysePage) and me.app.screen.study.node.ply == 7)

    drive(script, AppStart(db=db))
    store = open_store(db)
    assert {each.id: each.plies for each in store.games(limit=9)}["goeson"] == 5
    store.close()


def test_games_are_imported_exported_deleted_and_restored(db: str, tmp_path: Path) -> None:
    path = tmp_path / "cup.pdn"
    path.write_text(DECIDED + write(line("checkers", "9-13")))

    async def script(me: Player) -> None:
        page = await open_library(me)
        for text in (str(path), DECIDED):
            count = len(page.games)
            await me.press("i")
            await me.paste(text)
            await me.press("enter")
            await me.until(lambda: len(page.games) > count)  # noqa: B023
        assert len(page.games) == 6
        me.app.post_message(Paste(DECIDED))  # on the list
        await me.burst("enter")
        await me.until(lambda: len(page.games) == 7)
        await me.press("i")
        await me.paste("neither a game nor a file")
        await me.press("enter")
        await me.until(lambda: "Not possible" in me.sentence)
        await me.press("i")
        await me.paste(str(tmp_path / "none.pdn"))
        await me.press("enter")
        await me.until(lambda: "There is no file" in me.sentence)
        for ending in ("pdn", "json", "svg", "fen"):
            page._export(str(tmp_path / f"out.{ending}"))
            await me.until(lambda: f"out.{ending}" in me.sentence)  # noqa: B023
            assert (tmp_path / f"out.{ending}").exists()
        before = path.read_text()
        page._export(str(path))
        await me.until(lambda: "already" in me.sentence)
        assert path.read_text() == before
        page._export(str(tmp_path / "out.exe"))
        await me.until(lambda: "the file name must end in" in me.sentence)
        page._export(str(tmp_path / "no" / "folder.pdn"))
        await me.until(lambda: f"There is no folder {tmp_path / 'no'}" in me.sentence)
        assert not (tmp_path / "no").exists()
        page._export(str(path / "below-a-file.pdn"))
        await me.until(lambda: f"There is no folder {path}." in me.sentence)
        page.query_one(DataTable).focus()
        await me.press("delete")
        await me.until(lambda: isinstance(me.app.screen, Confirm))
        await me.press("y")
        await me.until(lambda: len(page.games) == 6)
        await me.press("u")
        await me.until(lambda: len(page.games) == 7)

    drive(script, AppStart(db=db))


def test_names_of_files_that_cannot_be_are_refused(db: str, tmp_path: Path) -> None:
    long_game = "11-15 22-18 " * 50

    async def script(me: Player) -> None:
        page = await open_library(me)
        for name, said in (
            ("~nosuch-user/x.pdn", "There is no file ~nosuch-user/x.pdn"),
            ("~nosuch-user", "Not possible: "),
            (str(tmp_path), f"{tmp_path} is a folder."),
            (f"{tmp_path}/\0x.pdn", f"There is no file {tmp_path}/x.pdn"),
            (long_game, "1 cannot be read"),
        ):
            page.say("")
            page._import(name)
            await me.until(lambda: said in me.sentence)  # noqa: B023
            assert "Errno" not in me.sentence
        for name in ("~nosuch-user/x.pdn", "\0no/y.pdn"):
            page.say("")
            page._export(name)
            await me.until(lambda: "There is no folder" in me.sentence)

    drive(script, AppStart(db=db))


def test_the_columns_fit_their_texts_as_soon_as_the_games_are_listed(db: str) -> None:
    async def script(me: Player) -> None:
        page = await open_library(me)
        table = page.query_one(DataTable)
        games = [replace(game, names=("Alexandra", "Maximilian")) for game in page.games if game.id == "goeson"]
        page.on_library_page_listed(page.Listed(games, 1, 0))
        shown = ["".join(part.text for part in table.render_line(number)).split() for number in range(2)]
        assert shown[0] == ["Changed", "Game", "First", "Second", "Moves", "Result", "Opening"]
        assert shown[1][1:] == ["Connect", "Four", "Alexandra", "Maximilian", "4", "goes", "on", "4", "4", "5", "5"]

    drive(script, AppStart(db=db))


def test_an_empty_library_says_what_to_do_next() -> None:
    async def script(me: Player) -> None:
        me.app.action_page("library")
        await me.until(lambda: isinstance(me.app.screen, LibraryPage) and "0 games" in me.sentence)
        assert "imports" in me.sentence
        await me.press("l", "x", "delete", "u")
        assert "no game" in me.sentence

    drive(script)


# The lab


async def open_lab(me: Player) -> LabPage:
    me.app.action_page("lab")
    await me.until(lambda: isinstance(me.app.screen, LabPage))
    page = me.app.screen
    assert isinstance(page, LabPage)
    return page


def test_the_ladder_shows_what_each_technique_saves() -> None:
    async def script(me: Player) -> None:
        page = await open_lab(me)
        await me.press("left_square_bracket", "r")
        await me.until(lambda: page.finding is not None and page.finding.is_complete)
        shown = str(page.query_one("#ladder", Static).render())
        assert "minimax" in shown
        assert "times fewer" in shown
        assert "All find" in shown

    drive(script)


def test_an_experiment_that_was_held_begins_again() -> None:
    async def script(me: Player) -> None:
        page = await open_lab(me)
        await me.press("r")
        await me.until(lambda: me.app.services.pool("lab").processes())
        me.app._hold()
        assert not me.app.services.pool("lab").processes()
        me.app._go_on()
        await me.until(lambda: page.finding is not None and page.finding.is_complete)

    drive(script)


def test_the_tree_is_walked_with_its_inspector() -> None:
    async def script(me: Player) -> None:
        page = await open_lab(me)
        await me.press("left_square_bracket", "left_square_bracket", "w")
        await me.until(lambda: page.finding is not None and page.finding.trace is not None)
        tree = page.query_one("#search", Tree)
        first = str(page.query_one("#inspector", Static).render())
        assert "The search begins here, Red to move." in first
        await me.press("down", "down")
        await me.until(lambda: str(page.query_one("#inspector", Static).render()) != first)
        assert tree.root.children
        drawing = page.boards["connect4"].drawing
        assert drawing is not None
        assert drawing.cells.strip(".")

    drive(script)


def test_a_finished_or_unreadable_position_is_refused_in_the_lab() -> None:
    async def script(me: Player) -> None:
        page = await open_lab(me)
        await me.type("4141414")
        await me.until(lambda: page.position.outcome() is not None)
        await me.press("r")
        await me.until(lambda: "Not possible" in me.sentence)
        await me.type("what is this")
        await me.until(lambda: "Not possible" in me.sentence)

    drive(script)
