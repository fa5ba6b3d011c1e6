"""The page Play of the terminal app: whole games by keys and by mouse, every command, and bad input everywhere."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from textual.events import Paste
from textual.widgets import Button, Checkbox, Input, Label, OptionList, Select, Static

from outplay import checkers, connect4
from outplay.live import catalogue
from outplay.notation.positions import connect4_labels
from outplay.outcome import Reason, Side
from outplay.players import HUMAN, player
from outplay.record import Game
from outplay.rules import RULES, rules_of
from outplay.store import open_store
from outplay.tui.analyse import AnalysePage
from outplay.tui.boards.connect4 import LETTER_CELL
from outplay.tui.dialogs import Confirm, Prompt, SeatsDialog
from outplay.tui.editor import Editor
from outplay.tui.help import Help
from outplay.tui.new_game import NewGameDialog
from outplay.tui.sentence import More, Sentence
from outplay.tui.start import AppStart
from outplay.tui.words import thinking_text
from tests.support.tui import Player, drive, some_game

HUMANS = (HUMAN, HUMAN)
CHANCE = player("random", seed=7)
ENDING = checkers.Position.from_fen("B:W18:B5,15")


# Whole games: every choice of the classroom's menus


def test_two_people_play_connect_four_by_keys() -> None:
    async def script(me: Player) -> None:
        for number, key in enumerate("4141414", 1):
            await me.press(key)
            await me.until_ply(number)
        await me.until_shown()
        assert me.state.outcome.winner is Side.FIRST
        assert me.sentence.startswith("Red wins with column 4: four in a column.")
        assert len(me.board.drawing.won) == 4

    drive(script, AppStart(seats=HUMANS))


def test_two_people_play_connect_four_by_mouse() -> None:
    async def script(me: Player) -> None:
        for number, column in enumerate([3, 0, 3, 0, 3, 0, 3], 1):
            await me.click(column)
            await me.until_ply(number)
        assert me.state.outcome.reason is Reason.FOUR_IN_A_ROW

    drive(script, AppStart(seats=HUMANS))


def test_an_ending_of_checkers_by_keys_and_by_mouse() -> None:
    async def by_keys(me: Player) -> None:
        await me.press("down", "enter")  # the cursor begins on a piece that can move
        me.board.cursor = 22
        await me.press("enter")
        await me.until(lambda: me.state.status == "over")
        assert me.state.texts == ["15x22"]

    async def by_mouse(me: Player) -> None:
        await me.click(15)
        assert me.board.drawing.targets == (22,)
        await me.click(22)
        await me.until(lambda: me.state.status == "over")
        assert "has no piece left" in me.sentence or "wins" in me.sentence

    drive(by_keys, AppStart(game="checkers", seats=HUMANS, position=ENDING))
    drive(by_mouse, AppStart(game="checkers", seats=HUMANS, position=ENDING))


@pytest.mark.slow
def test_two_people_play_checkers_by_keys_to_the_end() -> None:
    texts = some_game("checkers", 3)

    async def script(me: Player) -> None:
        for number, text in enumerate(texts, 1):
            await me.type(text)
            await me.until_ply(number)
        await me.until(lambda: me.state.status == "over")
        assert me.state.texts == texts

    drive(script, AppStart(game="checkers", seats=HUMANS))


@pytest.mark.slow
def test_two_people_play_checkers_by_mouse_to_the_end() -> None:
    async def script(me: Player) -> None:
        choose = random.Random(5)
        while me.state.status != "over":
            ply, position = me.state.ply, me.state.position
            move = choose.choice(position.legal_moves())
            await me.until(lambda: me.app.play._version == me.state.version)
            await me.click(move.path[0])
            await me.click(move.path[-1])
            for square in move.path[1:-1]:  # only where two paths share both ends
                if me.state.ply == ply and square in me.app.play.seen.pick.targets:
                    await me.click(square)
            await me.until_ply(ply + 1)

    app = drive(script, AppStart(game="checkers", seats=HUMANS))
    assert app.play.state.outcome is not None


async def by_keys(me: Player, move: Any) -> None:
    """Press the number of a column, or walk with the arrows from square to square and press Enter."""
    if rules_of(me.state.position).name == "connect4":
        await me.press(me.state.position.format(move))
        return
    for square in (move.path[0], move.path[-1]):
        await me.walk_to(square)
        await me.press("enter")


async def by_mouse(me: Player, move: Any) -> None:
    """Click on a column, or on a piece and where it goes."""
    if rules_of(me.state.position).name == "connect4":
        await me.click(move)
        return
    for square in (move.path[0], move.path[-1]):
        await me.click(square)


@pytest.mark.parametrize("game", ["connect4", pytest.param("checkers", marks=pytest.mark.slow)])
@pytest.mark.parametrize(("human", "how"), [(0, by_keys), (1, by_mouse)])
def test_a_person_plays_a_whole_game_against_the_ai(game: str, human: int, how: Any) -> None:
    """Human v AI by keys, AI v human by mouse; what cannot be read is refused on the way and changes nothing."""
    seats = (HUMAN, CHANCE) if human == 0 else (CHANCE, HUMAN)

    async def script(me: Player) -> None:
        choose = random.Random(1)
        while True:
            await me.until(lambda: me.state.status in ("human", "over"))
            if me.state.status == "over":
                break
            await me.until_shown()
            ply, position = me.state.ply, me.state.position
            if ply < 4:
                await me.type("99-1")
                await me.until(lambda: "99-1" in me.sentence)
                await me.press("escape")
            move = choose.choice(position.legal_moves())
            await how(me, move)
            for square in () if game == "connect4" else move.path[1:-1]:  # only where two paths share both ends
                if me.state.ply == ply and square in me.app.play.seen.pick.targets:
                    await me.click(square)
            await me.until_ply(ply + 1)
        await me.until_shown()
        assert me.state.outcome is not None
        assert "n rematch" in me.sentence

    drive(script, AppStart(game=game, seats=seats, time_ms=20))


MENU = {"human v AI": ("human", "level:1"), "AI v human": ("level:1", "human"), "AI v AI": ("level:1", "level:2")}
"""The choices of the classroom's menus besides human v human, which the app begins with here."""


@pytest.mark.parametrize("game", ["connect4", pytest.param("checkers", marks=pytest.mark.slow)])
def test_every_choice_of_the_classrooms_menus_is_in_the_dialog(game: str) -> None:
    """Each seat is chosen with arrows and Enter from the list of players."""

    async def script(me: Player) -> None:
        assert [seat.name for seat in me.state.seats] == ["human", "human"]
        players = [*catalogue.seatable(game)]
        for seats in MENU.values():
            await me.press("n")
            await me.until(lambda: isinstance(me.app.screen, NewGameDialog))
            dialog = me.app.screen
            for side, name in enumerate(seats):
                choice = dialog.query_one(f"#seat-{side}", Select)
                choice.focus()
                steps = players.index(name) - players.index(str(choice.value))
                await me.press("enter", *["down" if steps > 0 else "up"] * abs(steps), "enter")
                await me.until(lambda: choice.value == name)  # noqa: B023
            dialog.query_one("#go", Button).focus()
            await me.press("enter")
            await me.until(lambda: me.app.screen is me.app.play)
            assert tuple(seat.name for seat in me.state.seats) == seats

    drive(script, AppStart(game=game, seats=HUMANS, time_ms=20))


@pytest.mark.parametrize("game", ["connect4", "checkers"])
def test_two_engines_play_and_the_slider_goes_from_slow_to_turbo(game: str) -> None:
    async def script(me: Player) -> None:
        await me.until(lambda: me.state.status == "thinking")
        assert "turbo" in str(me.app.screen.query_one("#seats").render())
        assert me.state.pace_ms == 2500
        for _ in range(10):
            await me.press("left_square_bracket")
        await me.until(lambda: (me.state.time_ms, me.state.pace_ms) == (0, 0))
        await me.until(lambda: me.state.status == "over")
        await me.press("right_square_bracket")
        await me.until(lambda: me.state.time_ms and me.state.time_ms >= 50)

    drive(script, AppStart(game=game, seats=(CHANCE, player("random", seed=8))))


def test_every_press_moves_the_slider_however_quick_they_are() -> None:
    async def script(me: Player) -> None:
        for _ in range(7):
            me.app.play.action_speed(-1)
        await me.until(lambda: me.state.time_ms == 0)

    drive(script, AppStart(seats=HUMANS))


def test_pause_and_single_steps_between_engines() -> None:
    async def script(me: Player) -> None:
        await me.press("p")
        await me.until(lambda: me.state.status == "paused")
        ply = me.state.ply
        for number in (1, 2):
            await me.press("full_stop")
            await me.until(lambda: me.state.status == "paused" and me.state.ply == ply + number)  # noqa: B023
        await me.until_shown()
        assert "p goes on" in me.sentence
        await me.press("p")
        await me.until_ply(ply + 3)

    drive(script, AppStart(seats=(CHANCE, CHANCE), time_ms=400))


# Commands


def test_take_back_and_play_again() -> None:
    async def script(me: Player) -> None:
        await me.press("4")
        await me.until(lambda: me.state.ply == 2)
        await me.press("u")
        await me.until(lambda: me.state.ply == 0)
        await me.press("U")
        await me.until(lambda: me.state.ply == 2)

    drive(script, AppStart(seats=(HUMAN, CHANCE), time_ms=10))


def test_hints_come_in_three_steps_with_a_reason() -> None:
    async def script(me: Player) -> None:
        for step in (1, 2, 3):
            await me.press("h")
            await me.until(lambda: f"Hint {step} of 3" in me.sentence)  # noqa: B023
            assert me.board.drawing.hinted
        assert "Column" in me.sentence

    drive(script, AppStart(seats=HUMANS, position=connect4.Position.from_moves("414141")))


def test_hints_that_are_asked_for_quickly_all_count() -> None:
    async def script(me: Player) -> None:
        for _ in range(3):
            me.app.play.action_hint()  # no thread of an earlier one has started yet
        await me.until(lambda: "Hint 3 of 3" in me.sentence)

    drive(script, AppStart(seats=HUMANS, position=connect4.Position.from_moves("414141")))


def test_any_seat_takes_any_player_at_any_move() -> None:
    async def script(me: Player) -> None:
        await me.press("4")
        await me.until_ply(1)
        await me.press("s")
        await me.until(lambda: isinstance(me.app.screen, SeatsDialog))
        seats = me.app.screen.query_one("#seat-1", OptionList)
        seats.highlighted = list(catalogue.seatable("connect4")).index("random")
        await me.press("enter")
        await me.until(lambda: me.state.seats[1].name == "random")
        await me.until_ply(2)

    drive(script, AppStart(seats=HUMANS, time_ms=10))


def test_resigning_asks_first() -> None:
    async def script(me: Player) -> None:
        await me.press("R")
        await me.until(lambda: isinstance(me.app.screen, Confirm))
        await me.press("n")
        assert me.state.status == "human"
        await me.press("R")
        await me.until(lambda: isinstance(me.app.screen, Confirm))
        await me.press("y")
        await me.until(lambda: me.state.status == "over")
        assert me.state.outcome.reason is Reason.RESIGNATION

    drive(script, AppStart(seats=HUMANS))


def test_a_draw_is_declined_then_agreed_and_the_rematch_swaps_the_seats() -> None:
    async def script(me: Player) -> None:
        await me.press("D")
        await me.until(lambda: "offers a draw" in me.sentence)
        await me.press("escape")
        await me.until(lambda: me.state.draw_offer is None)
        await me.press("D")
        await me.until(lambda: me.state.draw_offer is not None)
        await me.press("D")
        await me.until(lambda: me.state.status == "over")
        assert me.state.outcome.reason is Reason.AGREEMENT
        await me.press("s")
        await me.until(lambda: isinstance(me.app.screen, SeatsDialog))
        await me.press("escape")
        me.app.play.session.set_seat(1, CHANCE)
        await me.until(lambda: me.state.seats[1].name == "random")
        await me.press("r")
        await me.until(lambda: [seat.name for seat in me.state.seats] == ["random", "human"])

    drive(script, AppStart(seats=HUMANS, time_ms=10))


def test_after_a_game_n_is_a_rematch_and_v_a_review() -> None:
    async def script(me: Player) -> None:
        await me.press("v")
        await me.until(lambda: "v reviews a game that is over" in me.sentence)
        await me.press("n")
        await me.until(lambda: isinstance(me.app.screen, NewGameDialog))
        await me.burst("escape", *"4141414")
        assert me.sentence.splitlines() == [
            "Red wins with column 4: four in a column.",
            "n rematch, N new, v review, l analyse.",
        ]
        await me.press("v")
        await me.until(lambda: isinstance(me.app.screen, AnalysePage) and me.app.screen.mistakes.review is not None)
        await me.burst("f2", "N")
        assert isinstance(me.app.screen, NewGameDialog)
        await me.burst("escape", "n")
        await me.until(lambda: me.state.ply == 0 and me.state.status == "human")

    drive(script, AppStart(seats=HUMANS))


def test_what_an_engine_does_is_a_sentence_of_its_own() -> None:
    async def script(me: Player) -> None:
        assert thinking_text(me.state) == "Starting"
        assert thinking_text(replace(me.state, queue_place=1)) == "Place 1 in the queue"

    drive(script, AppStart(seats=HUMANS))


def test_a_full_stop_moves_now_while_an_engine_thinks() -> None:
    async def script(me: Player) -> None:
        await me.until(lambda: me.state.status == "thinking" and me.state.thinking is not None)
        await me.press("full_stop")
        await me.until_ply(1)

    drive(script, AppStart(seats=(player("lab:mcts"), HUMAN), time_ms=60_000))


def test_the_past_is_browsed_while_the_game_stands() -> None:
    async def script(me: Player) -> None:
        for number, key in enumerate("4455", 1):
            await me.press(key)
            await me.until_ply(number)
        await me.until_shown()
        await me.press("k", "k")
        assert me.sentence.startswith("Move 2 of 4")
        assert me.board.drawing.cells.count("1") == 1
        await me.press("j", "home")
        assert me.sentence.startswith("Move 0 of 4")
        await me.press("end")
        assert me.board.drawing.cells.count("1") == 2

    drive(script, AppStart(seats=HUMANS))


def test_flip_glass_quiet_theme_help_and_escape() -> None:
    async def script(me: Player) -> None:
        await me.press("f")
        assert me.board.drawing.is_flipped
        glass = me.app.screen.query_one("#glass")
        await me.press("g")
        assert not glass.display
        await me.press("g", "z")
        assert not glass.display
        await me.press("z")
        assert glass.display
        dark = me.app.theme
        await me.press("t")
        assert me.app.theme != dark
        await me.press("question_mark")
        assert isinstance(me.app.screen, Help)
        await me.press("escape")
        assert me.app.screen is me.app.play

    drive(script, AppStart(game="checkers"))


def test_the_glass_box_shows_what_the_opponent_thinks_of_each_move() -> None:
    async def script(me: Player) -> None:
        await me.press("4")
        await me.until(lambda: me.state.ply == 2)
        await me.until_shown()
        shown = str(me.app.screen.query_one("#glass").render())
        assert "I looked at" in shown
        assert all(f" {column} " in shown for column in range(1, 8))

    drive(script, AppStart(seed=1))


def test_the_bars_of_the_glass_box_stand_below_each_other() -> None:
    async def script(me: Player) -> None:
        await me.type("11-15")
        await me.until(lambda: me.state.ply == 2)
        await me.until_shown()
        shown = str(me.app.screen.query_one("#glass").render())
        assert len({line.index("│") for line in shown.splitlines() if "│" in line}) == 1

    drive(script, AppStart(game="checkers", position=checkers.Position.from_fen("B:W8,24:B11,28"), seed=1))


def test_a_clock_runs_and_its_flag_falls() -> None:
    from outplay.live import ClockSetting

    async def script(me: Player) -> None:
        await me.until(lambda: me.state.status == "over")
        assert me.state.outcome.reason is Reason.TIME

    drive(script, AppStart(seats=HUMANS, clock=ClockSetting(400)))


# A new game, positions, sizes


def test_a_new_game_of_another_kind_from_the_dialog() -> None:
    async def script(me: Player) -> None:
        await me.press("n")
        await me.until(lambda: isinstance(me.app.screen, NewGameDialog))
        me.app.screen.query_one("#game", Select).value = "checkers"
        await me.pilot.pause()
        me.app.screen.query_one("#go", Button).press()
        await me.until(lambda: me.app.screen is me.app.play and me.board.drawing.size == (8, 8))
        await me.press("c")
        await me.until(lambda: me.board.drawing.size == (7, 6))

    drive(script)


def test_the_box_for_a_strict_game_shows_without_colours_whether_it_is_on() -> None:
    async def script(me: Player) -> None:
        await me.press("n")
        await me.until(lambda: me.app.screen.query("#strict"))
        box = me.app.screen.query_one("#strict", Checkbox)
        shown = []
        for _ in range(2):
            shown.append(str(box.render()))
            box.toggle()
        assert "X" not in shown[0]
        assert "X" in shown[1]

    drive(script, NO_COLOR="1")


def test_the_line_of_the_dialog_that_has_the_focus_is_marked() -> None:
    async def script(me: Player) -> None:
        await me.press("n")
        await me.until(lambda: me.app.screen.query("#strict"))
        marked = []
        for _ in range(9):
            await me.press("tab")
            focused = me.app.focused
            labels = [each for each in me.app.screen.query(Label) if each.styles.text_style.reverse]
            assert focused is not None
            assert isinstance(focused, Button) or [each.parent for each in labels] == [focused.parent]
            marked += [str(each.render()) for each in labels]
        assert marked[:3] == ["Game", "Red", "Yellow"]

    drive(script)


def test_the_cell_that_is_edited_is_between_brackets() -> None:
    async def script(me: Player) -> None:
        await me.press("e")
        await me.until(lambda: isinstance(me.app.screen, Editor))
        board = me.app.screen.query_one("#edited")

        def bracketed() -> list[int]:
            lines = [board.render_line(y).text for y in range(board.size.height)]
            return [y for y, line in enumerate(lines) if "[" in line and "2" not in line]  # that line has the numbers

        (first,) = bracketed()
        await me.press("up")
        await me.until(lambda: bracketed() and bracketed()[0] < first)
        (above,) = bracketed()
        await me.press("down", "down")
        await me.until(lambda: bracketed() and bracketed()[0] < above)  # from the lowest row to the highest

    drive(script, AppStart(seats=HUMANS))


def test_a_board_that_cannot_be_is_refused_in_the_dialog() -> None:
    async def script(me: Player) -> None:
        await me.press("n")
        await me.until(lambda: isinstance(me.app.screen, NewGameDialog))
        size, go = me.app.screen.query_one("#size", Input), me.app.screen.query_one("#go", Button)
        refused = me.app.screen.query_one("#refused", Static)
        for text in ("3x3", "wide", "99x99", ""):
            refused.update("")
            size.value = text
            go.press()
            await me.until(lambda: "Not possible" in str(refused.render()))
        size.value = "9x7"
        go.press()
        await me.until(lambda: me.app.screen is me.app.play and me.board.drawing.size == (9, 7))

    drive(script)


def test_anything_can_be_pasted() -> None:
    async def script(me: Player) -> None:
        for text, pieces in (
            ("4453", 4),
            ("B:W18,24,27,K10:B12,16", 6),
            ("1. 11-15 22-18 15x22", 23),
            (str(connect4.Position.from_moves("4455")), 4),
        ):
            before = me.state.start
            await me.type(text)
            await me.until(lambda: me.state.start != before)  # noqa: B023
            start = me.state.start  # in checkers an engine may have moved on already
            assert len(rules_of(start).cells(start).replace(".", "")) == pieces

    drive(script, AppStart(seats=HUMANS))


@pytest.mark.parametrize("text", ["4455", str(connect4.Position.from_moves("4455"))])
def test_what_is_pasted_on_the_board_waits_in_the_line_to_type_into(text: str) -> None:
    async def script(me: Player) -> None:
        assert me.app.focused is me.board
        me.app.post_message(Paste(f"{text}\n"))
        await me.burst("enter")
        await me.until(lambda: me.state.start.plies == 4)

    drive(script, AppStart(seats=HUMANS))


def test_a_position_is_set_up_piece_by_piece() -> None:
    async def script(me: Player) -> None:
        await me.press("e")
        await me.until(lambda: isinstance(me.app.screen, Editor))
        await me.press("c", "up", "1")  # a disc in the air
        told = me.app.screen.query_one("#told")
        assert "Not possible yet" in str(told.render())
        await me.press("f10")
        assert isinstance(me.app.screen, Editor)
        await me.press("0", "down", "1", "right", "2")
        await me.press("f10")
        await me.until(lambda: me.app.screen is me.app.play and me.state.start.plies == 2)

    drive(script, AppStart(seats=HUMANS))


def test_kings_and_the_side_to_move_are_set_up_in_checkers() -> None:
    async def script(me: Player) -> None:
        await me.press("e")
        await me.until(lambda: isinstance(me.app.screen, Editor))
        await me.press("c", "B", "down", "down", "w", "s", "f10")
        await me.until(lambda: me.app.screen is me.app.play and me.state.start.side is Side.SECOND)
        assert "B" in me.board.drawing.cells

    drive(script, AppStart(game="checkers", seats=HUMANS))


# Refusals


def test_a_refusal_cites_the_rule_and_rings_the_pieces() -> None:
    async def script(me: Player) -> None:
        await me.type("11-16")
        await me.until(lambda: "You must capture" in me.sentence)
        assert me.sentence.endswith("You must capture: 15x22. 11-16 is refused: a capture is never optional.")
        assert me.board.drawing.ringed == (15,)
        assert me.state.ply == 0
        prompt = me.app.screen.query_one(Prompt)
        assert prompt.display
        await me.press("escape")
        assert not prompt.display

    drive(script, AppStart(game="checkers", seats=HUMANS, position=checkers.Position.from_fen("B:W18,30:B11,15")))


def test_a_long_sentence_goes_on_beside_the_board() -> None:
    whole = "You must capture: " + ", ".join(f"{square}x{square + 9}" for square in range(1, 24))

    async def script(me: Player) -> None:
        me.app.play.say_more(whole)
        more = me.app.screen.query_one(More)
        await me.until(lambda: more.region.height >= 3)
        shown = str(me.app.screen.query_one(Sentence).content)
        assert shown.endswith(" …")
        said = f"{shown.removesuffix(' …')} {str(more.content).removeprefix('… ')}"
        assert said.split() == whole.split()
        await me.pilot.resize_terminal(200, 60)
        await me.until(lambda: not more.display)
        assert str(me.app.screen.query_one(Sentence).content) == whole

    drive(script)


@pytest.mark.parametrize("size", [(16, 6), (10, 10), (4, 18)])
def test_a_large_board_is_whole_in_a_small_terminal(size: tuple[int, int]) -> None:
    async def script(me: Player) -> None:
        width, height = size
        assert f"press 1-{min(9, width)}." in me.sentence
        await me.press("1")
        await me.until(lambda: me.state.ply == 1)
        await me.until_shown()
        strips = me.board._picture(me.board.drawing)
        assert len(strips) <= me.board.size.height
        assert strips[0].cell_length <= me.board.size.width
        shown = [strip.text for strip in strips]
        assert sum(line.count("●") for line in shown) == 1
        assert sum(line.count("·") for line in shown) == width * height - 1
        await me.pilot.click(me.board, offset=(me.board._left + LETTER_CELL * (width - 1) + 1, 2))
        await me.until(lambda: me.state.ply == 2)
        assert me.state.texts[-1] == connect4_labels(width)[-1]

    drive(script, AppStart(seats=HUMANS, size=size))


def test_a_board_that_is_too_large_says_so() -> None:
    async def script(me: Player) -> None:
        shown = " ".join(strip.text.strip() for strip in me.board._picture(me.board.drawing))
        assert shown == "This board needs a larger terminal: 7 more columns"
        await me.pilot.resize_terminal(100, 30)
        await me.until(lambda: len(me.board._picture(me.board.drawing)) > 2)

    drive(script, AppStart(seats=HUMANS, size=(25, 4)))


def test_a_full_column_is_refused() -> None:
    async def script(me: Player) -> None:
        await me.press("1")
        await me.until(lambda: "full" in me.sentence)
        assert me.state.ply == 0

    drive(script, AppStart(seats=HUMANS, position=connect4.Position.from_moves("111111")))


def test_what_cannot_be_read_is_said_and_changes_nothing() -> None:
    async def script(me: Player) -> None:
        before = me.state.version
        for text in ("nonsense", "99-98", "\x00", "🙂" * 50, "4" * 500, "B:W99:B1", "[Event", "[/b]"):
            await me.type(text)
            await me.until(
                lambda: "Cannot read" in me.sentence or "Not possible" in me.sentence or "refused" in me.sentence
            )
            assert me.state.version == before
            await me.press("escape", "escape")
            await me.until(lambda: "Arrows and Enter" in me.sentence)  # what was said before is gone

    drive(script, AppStart(game="checkers", seats=HUMANS))


def test_an_engines_turn_and_a_finished_game_refuse_moves() -> None:
    async def script(me: Player) -> None:
        await me.press("4")
        await me.until(lambda: "plays that side" in me.sentence)
        await me.press("s", "tab")
        seats = me.app.screen.query_one("#seat-0", OptionList)
        seats.focus()
        seats.highlighted = 0
        await me.press("enter")
        await me.until(lambda: me.state.status == "human")
        await me.press("R")
        await me.until(lambda: isinstance(me.app.screen, Confirm))
        await me.press("y")
        await me.until(lambda: me.state.status == "over")
        await me.press("4")
        await me.until(lambda: "n starts a rematch" in me.sentence)

    drive(script, AppStart(seats=(player("lab:mcts"), HUMAN), time_ms=60_000))


def test_a_piece_that_cannot_move_says_why() -> None:
    async def script(me: Player) -> None:
        await me.click(1)
        assert "cannot move" in me.sentence
        await me.click(14)
        assert "Choose one of your pieces first" in me.sentence
        await me.click(9)
        assert me.board.drawing.targets == (13, 14)
        await me.click(18)
        await me.until(lambda: "refused" in me.sentence)
        assert me.state.ply == 0

    drive(script, AppStart(game="checkers", seats=HUMANS))


def test_a_bot_that_fails_says_so(tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text("def play(position):\n    raise ValueError('no idea')\n")

    async def script(me: Player) -> None:
        await me.press("4")
        await me.until(lambda: me.state.status == "over")
        assert me.state.outcome.reason is Reason.FORFEIT

    drive(script, AppStart(seats=(HUMAN, player(f"{bot}:play"))))


def cell_signs(me: Player, square: int) -> str:
    """The last column of a square of checkers, from its first line to its second: where the signs are."""
    board = me.board
    lines: list[str] = [strip.text for strip in board._strips]
    x, y = board._corner(board.drawing, square)
    first, second = lines[y // 2 : y // 2 + 2]
    return f"{first[x + board._cell - 1]}{second[x + board._cell - 1]}"


def test_without_colours_the_cursor_shows_wherever_it_stands() -> None:
    async def script(me: Player) -> None:
        await me.press("down")
        await me.walk_to(10)
        await me.pilot.pause()
        assert cell_signs(me, 10) == "!<"
        assert cell_signs(me, 15)[1] != "<"
        await me.press("enter")
        await me.pilot.pause()
        assert cell_signs(me, 10)[1] == "<"
        target = me.board.drawing.targets[0]
        await me.walk_to(target)
        await me.pilot.pause()
        assert cell_signs(me, target)[1] == "<"
        assert cell_signs(me, 10)[1] != "<"

    position = checkers.Position.from_fen("B:W18,15,25:B11,10,1")
    drive(script, AppStart(game="checkers", seats=HUMANS, position=position), NO_COLOR="1")


# The store


def test_games_are_saved_as_they_are_played_and_go_on(tmp_path: Path) -> None:
    db = str(tmp_path / "games.sqlite3")

    async def begin(me: Player) -> None:
        for number, key in enumerate("445", 1):
            await me.press(key)
            await me.until_ply(number)
        await me.until_shown()
        with_rows = open_store(db)  # while the app is open: nothing waits for its end
        assert [summary.plies for summary in with_rows.games(limit=5)] == [3]
        with_rows.close()

    drive(begin, AppStart(seats=HUMANS, db=db))
    store = open_store(db)
    (summary,) = store.games(limit=5)
    saved = store.load(summary.id)
    store.close()
    assert saved is not None

    async def go_on(me: Player) -> None:
        me.app.play.open_saved(saved)
        await me.until(lambda: me.state.ply == 3)
        await me.press("6")
        await me.until_ply(4)
        await me.until_shown()

    drive(go_on, AppStart(db=db))
    store = open_store(db)
    assert [(each.id, each.plies) for each in store.games(limit=5)] == [(summary.id, 4)]
    store.close()


def test_a_new_game_without_a_move_leaves_no_row(tmp_path: Path) -> None:
    db = str(tmp_path / "games.sqlite3")

    async def script(me: Player) -> None:
        await me.press("c", "c")
        await me.until(lambda: me.app.services.is_open)

    drive(script, AppStart(db=db))
    store = open_store(db)
    assert store.count() == 0
    store.close()


def test_without_a_store_the_game_goes_on_and_it_is_said(tmp_path: Path) -> None:
    folder = tmp_path / "games.sqlite3"
    folder.mkdir()

    async def script(me: Player) -> None:
        await me.press("4")
        await me.until(lambda: "cannot be opened" in me.sentence)
        await me.press("5")
        await me.until_ply(2)

    drive(script, AppStart(seats=HUMANS, db=str(folder)))


def test_a_save_that_failed_is_made_good_by_the_next_move(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    db = str(tmp_path / "games.sqlite3")

    def fail(*_: object, **__: object) -> None:
        raise OSError("disk full")

    async def script(me: Player) -> None:
        await me.press("4")
        await me.until_ply(1)
        await me.until_shown()
        with monkeypatch.context() as broken:
            broken.setattr("outplay.store.store.Store.write", fail)
            await me.press("4")
            await me.until(lambda: "not saved; the next move tries again" in me.sentence)
            await me.press("l")  # the store has less than the board
            await me.until(lambda: isinstance(me.app.screen, AnalysePage) and me.app.screen.is_ready)
            assert me.app.screen.study.path() == ["4", "4"]  # type: ignore[attr-defined]
            await me.press("f2")
        await me.press("5")
        await me.until_ply(3)
        await me.until_shown()
        assert "not saved" not in me.sentence

    drive(script, AppStart(seats=HUMANS, db=db))
    store = open_store(db)
    assert [summary.plies for summary in store.games(limit=5)] == [3]
    store.close()


@pytest.mark.parametrize(("key", "here", "in_store"), [("w", "4 4 5", {"4 4 5", "4 7 7"}), ("o", "4 7 7", {"4 7 7"})])
def test_a_game_that_another_program_changed_is_kept_or_left(
    tmp_path: Path, key: str, here: str, in_store: set[str]
) -> None:
    db = str(tmp_path / "games.sqlite3")

    async def script(me: Player) -> None:
        await me.press("4", "4")
        await me.until_ply(2)
        await me.until_shown()
        assert not me.app.play.check_action("keep", ())
        other = open_store(db)
        (summary,) = other.games(limit=2)
        saved = other.load(summary.id)
        assert saved is not None
        theirs = Game(RULES["connect4"].start())
        theirs.go_to(theirs.root.add_line("477"))
        changed = replace(saved, game=theirs, terms=replace(saved.terms, revision=saved.terms.revision + 9))
        other.save(changed, after=saved.terms.revision)
        other.close()
        await me.press("5")
        await me.until(lambda: "Another program has changed this game" in me.sentence)
        assert "server" not in me.sentence
        await me.press("l")
        await me.until(lambda: isinstance(me.app.screen, AnalysePage) and me.app.screen.is_ready)
        assert me.app.screen.study.path() == ["4", "4", "5"]  # type: ignore[attr-defined]
        await me.press("f2", key)
        await me.until(lambda: not me.app.play.session.loss and " ".join(me.state.texts) == here)
        await me.burst("f2")
        assert not me.app.play.check_action("keep", ())

    drive(script, AppStart(seats=HUMANS, db=db))
    store = open_store(db)
    found = [store.load(summary.id) for summary in store.games(limit=5)]
    store.close()
    assert {" ".join(move.text for move in saved.game.main_line()) for saved in found if saved} == in_store
