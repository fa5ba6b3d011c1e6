"""`outplay play --plain`, the real program, in a pseudo-terminal and through pipes."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

from outplay.cli.plain.game import new_game
from outplay.rules import CLASSROOM_NO_PROGRESS, OFFICIAL_NO_PROGRESS, RULES
from tests.support.home import of_the_suite
from tests.support.terminal import TRANSCRIPTS, Terminal, replay

BOTS = """
def crash(position):
    print("thinking hard")
    return position.legal_moves()[0] / 0

def wrong(position):
    return "9"

def hang(position):
    while True:
        pass

def first(position):
    return position.legal_moves()[0]
"""


def through_pipes(*arguments: str, typed: str = "", encoding: str = "utf-8") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "outplay.cli", "play", *arguments],
        input=typed,
        capture_output=True,
        encoding=encoding,
        env={**of_the_suite(), "PYTHONIOENCODING": encoding, "PATH": ""},
        timeout=60,
        check=False,
    )


def said(*arguments: str, typed: str = "") -> str:
    """What the program says through pipes when all is well."""
    done = through_pipes(*arguments, typed=typed)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


@pytest.mark.parametrize("path", sorted(TRANSCRIPTS.glob("*.txt")), ids=lambda path: path.stem)
def test_the_screen_is_as_in_the_transcript(path: Path) -> None:
    transcript = path.read_text(encoding="utf-8")
    screen, code = replay(transcript)
    assert screen == transcript
    assert code == (130 if "«^C»" in transcript else 0)


def test_there_is_a_whole_game_of_each_menu_choice_among_the_transcripts() -> None:
    for game, choices in {
        "connect4": ("ai-second", "ai-first", "two-people", "watch"),
        "checkers": ("human-vs-ai", "ai-vs-human", "ai-vs-ai", "two-people"),
    }.items():
        for choice in choices:
            screen = (TRANSCRIPTS / f"{game}-{choice}.txt").read_text(encoding="utf-8")
            assert re.search(r"wins: .*(four in a row|has no piece left|has no move)|A draw: the", screen), choice


def test_it_works_through_pipes_and_leaves_at_the_end_of_the_input() -> None:
    text = said("connect4", "--plain", "--depth", "2", "--seed", "1", typed="yes\n1\n4\n")
    assert "Play against the AI? (yes/no) yes\n" in text  # what comes through a pipe is echoed
    assert "Nodes explored: " in text
    assert text.endswith("Goodbye.\n")


def test_with_words_a_board_is_said_and_nothing_is_drawn() -> None:
    text = said("connect4", "--words", "--depth", "2", "--seed", "1", typed="yes\n1\n4\n")
    assert "\nNo discs.\n" in text
    assert re.search(r"\nFrom the bottom: column 4 Player 1(, AI\.|; column \d AI\.|\.)", text)
    assert "Player 1, which column? (1-7) 4\nAI is thinking ...\nAI plays column " in text  # one board in a turn
    assert not set("·○●") & set(text)


def test_with_words_the_men_and_kings_of_checkers_are_told_by_their_squares() -> None:
    text = said("checkers", "--words", "--position", "B:W18,K24:B5,15,K29", typed="4\n15x22\n")
    assert "\nBlack: men on 5, 15; king on 29. Red: man on 18; king on 24.\n" in text
    assert "\nBlack: men on 5, 22; king on 29. Red: king on 24.\n" in text
    assert "\nRed, your move?" in text


def test_a_wrong_answer_repeats_its_own_question_and_any_case_is_taken() -> None:
    text = said("connect4", "--plain", "--depth", "2", "--seed", "1", typed="YES\nthird\n1\nQUIT\n")
    assert text.count("Play against the AI? (yes/no)") == 1
    assert text.count("Do you want to move first or second? (1/2)") == 2
    assert "Please answer 1 or 2, not 'third'." in text


def test_an_input_that_is_no_text_is_told_and_asked_again() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "outplay.cli", "play", "connect4"],
        input=b"\xff\xfe\x00\nquit\n",
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0
    assert b"Please answer yes or no, not" in done.stdout


def test_a_terminal_without_our_signs_gets_letters() -> None:
    done = through_pipes("connect4", typed="yes\n1\n4\nquit\n", encoding="latin-1")
    assert "Player 1 (x), which column? (1-7)" in done.stdout
    assert ". . . x . . ." in done.stdout
    assert done.returncode == 0


@pytest.mark.parametrize("key", ["^C", "^D"])
@pytest.mark.parametrize(
    ("arguments", "answers"),
    [
        (["play"], [("Connect Four or checkers? (1/2) ", None)]),
        (["play", "connect4"], [("(yes/no) ", "yes"), ("(1/2) ", None)]),
        (["play", "connect4"], [("(yes/no) ", "no"), ("(1-7) ", None)]),
        (["play", "checkers"], [("Choose 1-5: ", None)]),
        (["play", "checkers"], [("Choose 1-5: ", "4"), ("your move? ", "2 1"), ("(row column) ", None)]),
    ],
)
def test_ctrl_c_and_ctrl_d_leave_cleanly(arguments: list[str], answers: list[tuple[str, str | None]], key: str) -> None:
    terminal = Terminal(arguments)
    for question, answer in answers:
        assert terminal.wait_for(question)
        terminal.type(key if answer is None else answer)
    assert terminal.finish() == (130 if key == "^C" else 0)
    assert terminal.screen.endswith(f"«{key}»\nGoodbye.\n")


def test_ctrl_c_while_an_engine_thinks_leaves_at_once() -> None:
    terminal = Terminal(["play", "connect4", "--time-ms", "3600000"])
    assert terminal.wait_for("(yes/no) ")
    terminal.type("yes")
    assert terminal.wait_for("(1/2) ")
    terminal.type("2")
    assert terminal.wait_for("AI (●) is thinking ...\n")
    terminal.type("^C")
    assert terminal.finish() == 130
    assert terminal.screen.endswith("\nGoodbye.\n")


def test_the_menu_chooses_the_game_when_none_is_named() -> None:
    text = said(typed="3\nhint\n2\n5\n")
    assert "Please answer 1 or 2, not '3'." in text
    assert "Checkers. Type help at any question." in text


def test_the_limit_of_time_holds() -> None:
    started = time.monotonic()
    text = said("connect4", "--time-ms", "300", "--second", "lab:five-phase", typed="yes\n2\nquit\n")
    assert time.monotonic() - started < 60  # a wide margin: it is the order of magnitude that is tested
    found = re.search(r"Search time: (\d+\.\d+) s", text)
    assert found is not None
    assert float(found[1]) < 2


def test_the_time_is_two_and_a_half_seconds_by_default() -> None:
    text = said("connect4", typed="yes\n2\nquit\n")
    found = re.search(r"Search time: (\d+\.\d+) s", text)
    assert found is not None
    assert 0 < float(found[1]) < 5


@pytest.mark.parametrize("game", ["connect4", "checkers"])
def test_a_seed_repeats_a_game_and_another_seed_does_not(game: str) -> None:
    def moves(seed: str) -> list[str]:
        players = ("--first", "lab:minimax,depth=2", "--second", "lab:alphabeta,depth=2")
        return list(json.loads(said(game, *players, "--seed", seed, "--json"))["moves"])

    assert moves("5") == moves("5")
    assert any(moves(seed) != moves("5") for seed in ("6", "7", "8"))


# Start positions


def test_a_start_position_may_be_a_list_of_lists_on_which_the_ai_began() -> None:
    rows = [[0] * 7 for _ in range(5)] + [[0, 0, 0, 2, 0, 0, 0]]
    text = said("connect4", "--position", json.dumps(rows), "--depth", "1", typed="yes\n4\nquit\n")
    assert "first or second" not in text  # one more disc of 2 than of 1: it is the human's turn
    assert "· · · ● · · ·\n1 2 3 4 5 6 7\n\nPlayer 1 (○), which column?" in text
    assert "· · · ○ · · ·\n· · · ● · · ·\n1 2 3 4 5 6 7\n\nAI (●) is thinking" in text


def test_on_a_board_with_as_many_discs_of_both_the_answer_decides_who_moves() -> None:
    rows = [[0] * 7 for _ in range(5)] + [[0, 0, 0, 2, 1, 0, 0]]
    text = said("connect4", "--position", json.dumps(rows), "--depth", "1", typed="yes\n2\nquit\n")
    assert "· · · ● ○ · ·\n1 2 3 4 5 6 7\n\nAI (●) is thinking" in text


def test_the_first_player_is_the_one_that_began_also_in_the_middle_of_a_game() -> None:
    text = said("connect4", "--position", "4", "--first", "random", "--second", "human", typed="quit\n")
    assert "thinking" not in text  # the random player has moved already
    assert "· · · ● · · ·\n1 2 3 4 5 6 7\n\nPlayer 1 (○), which column?" in text


FULL = [[2, 1, 1, 1, 2], [1, 1, 2, 2, 1], [2, 2, 1, 2, 2], [2, 2, 1, 1, 1]]


@pytest.mark.parametrize(
    ("arguments", "ending"),
    [
        (["connect4", "--position", json.dumps(FULL)], "A draw: the board is full."),
        (["connect4", "--position", "1212121"], "Player 1 (○) wins: four in a row in column 1."),
        (["checkers", "--position", "B:W18,24:B"], "Red wins: Black has no piece left."),
        (["checkers", "--position", "B:W5,6,10:B1", "--second", "random"], "Red wins: Black has no move."),
    ],
)
def test_a_full_or_finished_start_position_says_so(arguments: list[str], ending: str) -> None:
    text = said(*arguments)
    assert "There is nothing to play: this position is over already." in text
    assert text.endswith(f"{ending}\n")


@pytest.mark.parametrize(
    ("arguments", "code", "reason"),
    [
        (["connect4", "--position", "[[0, 0"], 3, "a board is a list of rows of 0, 1 and 2"),
        (["connect4", "--position", "[1, [2]]"], 3, "a board is a list of rows of 0, 1 and 2"),
        (["connect4", "--position", "[[1,1,1,1],[1,1,1,1],[1,1,1,1],[1,1,1,1]]"], 4, "illegal position"),
        (["connect4", "--position", "48"], 5, "columns"),
        (["checkers", "--position", "nonsense"], 3, "nonsense"),
        (["connect4", "--second", "nobody"], 3, "no such player"),
        (["connect4", "--second", "lab:nobody"], 3, "lab:five-phase"),
        (["checkers", "--size", "7x6"], 2, "8 x 8"),
        (["connect4", "--json"], 2, "two engines"),
    ],
)
def test_what_cannot_be_is_told_before_anything_begins(arguments: list[str], code: int, reason: str) -> None:
    done = through_pipes(*arguments)
    assert done.stdout == ""
    assert reason in done.stderr
    assert "Traceback" not in done.stderr
    assert done.returncode == code


# Players


def test_another_ai_is_named_by_the_second_player() -> None:
    assert "AI (●) is Random." in said("connect4", "--second", "random", typed="yes\n1\nquit\n")
    assert "Red is Minimax (depth=2)." in said("checkers", "--second", "lab:minimax,depth=2", typed="1\nquit\n")


def test_the_human_is_player_1_also_when_the_ai_is_named_first() -> None:
    text = said("connect4", "--first", "random", "--second", "human", "--seed", "1", typed="quit\n")
    assert "AI (●) plays column" in text
    assert "Player 1 (○), which column?" in text


@pytest.mark.parametrize(
    ("bot", "words"),
    [
        ("crash", ["  | thinking hard", "  |   File ", "in crash", "ZeroDivisionError: division by zero"]),
        ("wrong", ["returned '9'", "the board has columns 1 to 7"]),
        ("hang", ["did not answer within 0.2 s"]),
    ],
)
def test_a_bot_that_fails_is_told_and_loses_its_game_and_nothing_else(
    tmp_path: Path, bot: str, words: list[str]
) -> None:
    path = tmp_path / "bots.py"
    path.write_text(BOTS, encoding="utf-8")
    text = said("connect4", "--second", f"{path}:{bot}", "--time-ms", "200", typed="yes\n1\n4\nyes\n1\nquit\n")
    for part in words:
        assert part in text
    assert "Player 1 (○) wins: AI (●) failed to answer with a move." in text
    assert text.count("Player 1 (○), which column?") == 2  # the menu came back, and another game began


def test_a_bot_plays_whole_games_of_both_games(tmp_path: Path) -> None:
    path = tmp_path / "bots.py"
    path.write_text(BOTS, encoding="utf-8")
    for game, rules in RULES.items():
        answer = json.loads(said(game, "--first", f"{path}:first", "--second", "random", "--seed", "1", "--json"))
        assert answer["failure"] is None
        assert answer["winner"] in (*rules.sides, None)
        assert len(answer["moves"]) > 6


def test_an_engine_that_cannot_play_this_game_can_be_replaced() -> None:
    text = said("connect4", "--second", "lab:material", typed="yes\n2\nhint\nnobody\nretry\nrandom\nquit\n")
    assert "AI (●) failed: " in text
    assert "Not possible: cannot read 'nobody'" in text
    assert "AI (●) plays column" in text


def test_the_limit_of_moves_without_progress_is_a_setting() -> None:
    start = RULES["checkers"].start()
    limits = [new_game(start, rule).no_progress for rule in ("official", "classroom", "none")]
    assert limits == [OFFICIAL_NO_PROGRESS, CLASSROOM_NO_PROGRESS, None]
