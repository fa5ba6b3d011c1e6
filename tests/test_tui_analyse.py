"""The page Analyse of the terminal app: scores, lines, variations, the review and its mistakes."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.widgets import Static

from outplay import connect4
from outplay.outcome import Side
from outplay.players import HUMAN
from outplay.record import Game
from outplay.rules import RULES
from outplay.store import open_store
from outplay.store.tree import Tree
from outplay.tui.analyse import AnalysePage
from outplay.tui.dialogs import Prompt
from outplay.tui.graph import braille, tree_text
from outplay.tui.start import AppStart
from tests.support.tui import Player, drive

HUMANS = (HUMAN, HUMAN)
BLUNDER = "414141"
"""Red to move wins at once; before that Yellow overlooked it."""


async def open_page(me: Player, text: str = "", game: str = "connect4") -> AnalysePage:
    """Open a game on the analysis board."""
    await me.until(lambda: me.app.services.is_open)
    record = Game(RULES[game].start())
    record.go_to(record.root.add_line(text))
    me.app.analyse(None, record)
    await me.until(lambda: isinstance(me.app.screen, AnalysePage))
    page = me.app.screen
    assert isinstance(page, AnalysePage)
    await me.until(lambda: page.board.drawing)
    return page


def labels(page: AnalysePage) -> tuple[str, ...]:
    assert page.board.drawing is not None
    return page.board.drawing.labels


def told(page: AnalysePage, place: str) -> str:
    return str(page.query_one(place, Static).render())


def test_exact_scores_stand_under_the_columns() -> None:
    async def script(me: Player) -> None:
        page = await open_page(me, BLUNDER)
        await me.until(lambda: labels(page)[3:4] == ("+1",))
        assert me.sentence.startswith("Red wins in 1")
        assert "+ win in 1" in told(page, "#lines")
        await me.press("l")
        assert not any(labels(page))
        assert "engine is off" in told(page, "#lines")

    drive(script)


def test_engine_lines_deepen_in_checkers() -> None:
    async def script(me: Player) -> None:
        page = await open_page(me, "11-15 22-18", "checkers")
        await me.until(lambda: page.judged is not None and page.judged.analysis.depth >= 6)
        assert "15x22" in told(page, "#lines")
        assert "depth" in me.sentence
        await me.press("right_square_bracket")
        assert page._lines == 4

    drive(script)


def test_moves_become_variations_that_are_saved_and_rearranged(tmp_path: Path) -> None:
    db = str(tmp_path / "games.sqlite3")

    async def script(me: Player) -> None:
        for number, key in enumerate("4455", 1):
            await me.press(key)
            await me.until_ply(number)
        await me.until_shown()
        await me.press("l")
        await me.until(lambda: isinstance(me.app.screen, AnalysePage) and me.app.screen.is_ready)
        page = me.app.screen
        assert isinstance(page, AnalysePage)
        await me.press("k", "k", "3", "2")
        assert "(2. 3 2" in told(page, "#tree")
        await me.press("delete")
        assert "(2. 3" in told(page, "#tree")
        await me.press("p")
        assert "first line already" in me.sentence or "always stay first" in me.sentence
        await me.press("home", "end")
        await me.press("delete")
        assert "only variations can be deleted" in me.sentence
        await me.pilot.app.workers.wait_for_complete()

    drive(script, AppStart(seats=HUMANS, db=db))
    store = open_store(db)
    (summary,) = store.games(limit=5)
    saved = store.load(summary.id)
    store.close()
    assert saved is not None
    assert [node.text for node in Tree(saved).nodes()] == ["", "4", "4", "5", "5", "3"]


def test_a_review_gives_reasons_and_a_mistake_is_tried_again() -> None:
    async def script(me: Player) -> None:
        page = await open_page(me, f"{BLUNDER}7")
        await me.press("b")
        assert "Press v first" in me.sentence
        await me.press("v")
        await me.until(lambda: page.mistakes.review is not None and page.mistakes.review.is_complete)
        assert "Red: " in told(page, "#graph")
        assert "??" in told(page, "#tree")
        await me.press("b")
        assert page.mistakes.review is not None
        assert page.study.node.ply == next(move.ply for move in page.mistakes.review.moves if move.grade.sign == "??")
        assert "??" in me.sentence
        page.action_visit(7)
        await me.press("e")
        assert me.sentence.startswith("Find a better move than 7. Red wins")
        assert "hidden" in told(page, "#lines")
        await me.press("2")
        assert "Try again" in me.sentence
        await me.press("4")
        assert "Right." in me.sentence
        outcome = page.here.outcome()
        assert outcome is not None
        assert outcome.winner is Side.FIRST

    drive(script)


def test_what_was_deleted_or_put_first_comes_back() -> None:
    async def script(me: Player) -> None:
        page = await open_page(me, "4455")

        def tree() -> tuple[str, str]:
            """All moves, each line down to its end, and the moves that lead to the board."""
            return "".join(node.text for node in page.study.tree.nodes()), "".join(page.study.path())

        await me.burst("k", "k", "3", "2")
        assert tree() == ("445532", "4432")
        for key, expected in (
            ("p", ("443255", "4432")),
            ("u", ("445532", "4432")),
            ("delete", ("44553", "443")),
            ("delete", ("4455", "44")),
            ("u", ("44553", "443")),
        ):
            await me.burst(key)
            assert tree() == expected
        await me.burst("delete", "6", "u")  # a move was added since
        assert "nothing to undo" in me.sentence
        assert tree() == ("44556", "446")

    drive(script)


def test_all_computer_output_is_hidden_and_shown_again() -> None:
    async def script(me: Player) -> None:
        page = await open_page(me, f"{BLUNDER}7")
        await me.press("v")
        await me.until(lambda: page.mistakes.review is not None and page.mistakes.review.is_complete)
        await me.until(lambda: any(labels(page)))
        assert "??" in told(page, "#tree")
        await me.burst("z")
        assert "z shows it" in told(page, "#lines")
        assert "??" not in told(page, "#tree")
        assert not any(labels(page))
        assert not page.query_one("#graph").display
        await me.burst("z")
        await me.until(lambda: any(labels(page)))
        await me.burst("a")
        assert "Press e to try" in me.sentence
        await me.burst("b", "e")
        assert "Find a better move" in me.sentence
        await me.burst("a")
        assert "Find a better move" not in me.sentence

    drive(script)


def test_a_review_is_forgotten_when_the_game_goes_on() -> None:
    async def script(me: Player) -> None:
        page = await open_page(me, f"{BLUNDER}7")
        await me.press("v")
        await me.until(lambda: page.mistakes.review is not None and page.mistakes.review.is_complete)
        await me.press("home", "3")
        assert "Red: " in told(page, "#graph")  # a variation is not the game
        await me.press("home")
        page.action_last()
        await me.press("2")
        assert len(page.study.game.main_line()) == 8
        assert "v reviews this game" in told(page, "#graph")

    drive(script)


def test_anything_pasted_is_analysed_and_bad_input_is_refused() -> None:
    async def script(me: Player) -> None:
        page = await open_page(me)
        await me.type("11-15 22-18")
        await me.until(lambda: page.study.game.rules.name == "checkers")
        await me.type("nonsense of any kind")
        await me.until(lambda: "Not possible" in me.sentence)
        await me.press("escape")
        await me.type("15-19")
        await me.until(lambda: "You must capture" in me.sentence)
        await me.press("escape", "v", "e")
        assert me.app.is_running

    drive(script)


def test_play_goes_on_from_the_analysed_position() -> None:
    async def script(me: Player) -> None:
        await open_page(me, "4455")
        await me.press("n")
        await me.until(lambda: me.app.screen is me.app.play)
        assert me.state.start == connect4.Position.from_moves("4455")

    drive(script, AppStart(seats=HUMANS))


@pytest.mark.parametrize("count", [0, 1, 2, 7, 200])
def test_the_curve_fills_its_width_whatever_there_is(count: int) -> None:
    lines = braille([(-1) ** number * 0.5 for number in range(count)], 20, 3)
    assert [len(line) for line in lines] == [20, 20, 20]
    assert all(0x2800 <= ord(letter) < 0x2900 for line in lines for letter in line)


def test_the_curve_is_high_for_the_first_side_and_low_for_the_second() -> None:
    blank = braille([], 4, 3)
    high, low = braille([1.0], 4, 3), braille([-1.0], 4, 3)
    assert (high[0] != blank[0], high[2]) == (True, blank[2])
    assert (low[0], low[2] != blank[2]) == (blank[0], True)


def test_a_tree_is_written_with_its_variations_in_brackets() -> None:
    game = Game(connect4.Position())
    game.root.add_line("4455")
    game.root.children[0].add_line("32")
    shown = tree_text(game.root, game.root, {2: "??"}).plain
    assert shown == "1. 4 4?? (1... 3 2. 2 ) 2. 5 5 "


def test_a_comment_is_written_kept_and_removed(tmp_path: Path) -> None:
    db = str(tmp_path / "games.sqlite3")
    strange = "a {brace}, a } and [/b] too"

    def saved_comments() -> list[str]:
        store = open_store(db)
        (summary,) = store.games(limit=2)
        saved = store.load(summary.id)
        store.close()
        assert saved is not None
        return [node.comment for node in Tree(saved).nodes()]

    async def script(me: Player) -> None:
        page = await open_page(me, "44")
        await me.press("i")
        await me.paste(strange)
        await me.press("enter")
        assert strange in me.sentence
        await me.press("k", "i")
        await me.paste("x" * 3000)
        await me.press("enter")
        assert "at most 2,000 characters" in me.sentence
        await me.press("escape")
        assert page.study.node.comment == ""
        await me.pilot.app.workers.wait_for_complete()
        assert saved_comments() == ["", "", strange]
        await me.press("j", "i")
        assert page.query_one(Prompt).value == strange
        await me.press("escape", "i")
        assert page.study.node.comment == strange
        page.query_one(Prompt).value = ""
        await me.press("enter")
        await me.pilot.app.workers.wait_for_complete()

    drive(script, AppStart(seats=HUMANS, db=db))
    assert saved_comments() == ["", "", ""]


def test_a_search_that_was_held_begins_again() -> None:
    async def script(me: Player) -> None:
        page = await open_page(me, game="checkers")
        await me.until(lambda: page.judged is not None)
        me.app._hold()
        assert page._ticket is not None
        assert page._ticket.future.cancelled()
        assert not me.app.services.pool("analysis of checkers").processes()
        page.judged = None
        me.app._go_on()
        await me.until(lambda: page.judged is not None)

    drive(script, AppStart(game="checkers"))
