"""Reading PDN as people and programs write it: patience, errors that say where, whole files."""

import io
import os
import pickle
from pathlib import Path
from typing import Any

import pytest

from outplay import checkers
from outplay.notation import GameTextError, pdn, result_text, write
from outplay.notation.pdn import games, read
from outplay.notation.tokens import MOST_IN_COMMENT, MOST_IN_LINE
from outplay.outcome import Outcome, Reason, Side
from outplay.record import Game
from tests.support.pdn import error_of, moves, only, read_one, whole

# Patience with what others have written


@pytest.mark.parametrize(
    "text",
    [
        "1. 11-15 23-19 2. 8-11 22-17 *",
        "11-15 23-19 8-11 22-17",
        "1.11-15 23-19 2.8-11 22-17.",
        "1. 11-15. 23-19. 2. 8-11. 22-17. *",
        "1. 11 - 15 23 -19 2. 8- 11 22-17",
        "1. 11x15 23x19 2. 8:11 22X17",
        "1. 11-15 1... 23-19 2... 8-11 2. ... 22-17",
        "1 11-15 23-19 2 8-11 22-17",
        "1. 11–15 23—19 2. 8−11 22×17",  # noqa: RUF001
        "1. 11-15 23-19\r\n2. 8-11\t22-17\r\n\r\n",
        "% a line to be skipped\n1. 11-15 23-19 2. 8-11 22-17",
        "\ufeff1. 11-15 23-19 2. 8-11 22-17",
        "1. 11-15 23-19 2. 08-11 22-17",
        "1. 11-15 {a\nb} 23-19 ; to the end ( of the line\n 2. 8-11 $1 22-17!?",
        "1. 11-15 (1. 11-16 (9-14) 24-19) 23-19 (22-17) 2. 8-11 22-17 (26-23)",
        "1. 11-15 () 23-19 2. 8-11 Black is fine here 22-17",
    ],
)  # fmt: skip
def test_odd_looking_moves_are_read(text: str) -> None:
    assert moves(read_one(text)) == ["11-15", "23-19", "8-11", "22-17"]


@pytest.mark.parametrize(
    "text", ["4453", "44 53", "4 4 5 3", "1. 44 2. 53", "1. 4 4 2. 5 3 *", "1. 4 1... 4 2.53 {x} *"]
)
def test_columns_may_stand_together_or_alone(text: str) -> None:
    assert moves(read_one(text, "connect4")) == ["4", "4", "5", "3"]


def test_short_captures_are_read_where_they_are_clear() -> None:
    game = read_one('[FEN "B:W23,22,15,14:B11,10"] 11x27 *')
    assert moves(game) == ["11x18x27"]
    assert "ambiguous" in str(error_of('[FEN "B:W23,22,15,14:B11,10"] 10x26 *'))


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("1-0", Outcome(Side.FIRST, Reason.RESIGNATION)),
        ("2-0", Outcome(Side.FIRST, Reason.RESIGNATION)),
        ("0-1", Outcome(Side.SECOND, Reason.RESIGNATION)),
        ("0 - 2", Outcome(Side.SECOND, Reason.RESIGNATION)),
        ("1/2-1/2", Outcome(None, Reason.AGREEMENT)),
        ("1/2 - 1/2", Outcome(None, Reason.AGREEMENT)),
        ("1-1", Outcome(None, Reason.AGREEMENT)),
        ("½-½", Outcome(None, Reason.AGREEMENT)),
        ("*", None),
        ("0-0", None),
        ("", None),
    ],
)
def test_results_of_every_kind(text: str, outcome: Outcome | None) -> None:
    assert read_one(f"1. 11-15 23-19 {text}").outcome() == outcome
    assert read_one(f'[Result "{text}"]\n1. 11-15 23-19 *').outcome() == outcome


def test_a_result_that_looks_like_the_start_of_a_move_is_a_move() -> None:
    game = read_one('[FEN "B:WK32:BK1,K2"] 1-5 32-28 5-1 28-32 1x5 *')
    assert moves(game) == ["1-5", "32-28", "5-1", "28-32", "1-5"]


def test_a_star_that_touches_a_move_is_a_glyph_and_not_the_end() -> None:
    game = read_one("1. 11-15* 23-19 (22-18(?) 15x22) 8-11 ! *")
    nodes = game.main_line()
    assert [node.glyphs for node in nodes] == [[7], [], [1]]
    assert nodes[0].children[1].glyphs == [2]


def test_the_board_overrules_a_wrong_result() -> None:
    entry = only('[GameType "connect4"][Result "0-1"] 4455667 0-1')
    assert entry.game is not None
    assert result_text(entry.game) == "1-0"
    assert entry.notes == ("the result is 0-1, but the board shows 1-0",)


def test_two_results_that_differ_are_noted_and_the_header_counts() -> None:
    entry = only('[Result "1-0"] 11-15 0-1')
    assert entry.game is not None
    assert result_text(entry.game) == "1-0"
    assert entry.notes == ("the header says 1-0, but the moves end with 0-1",)


def test_a_termination_that_is_not_ours_is_kept_as_it_is() -> None:
    game = read_one('[Termination "adjudication"] 11-15 1-0')
    assert game.outcome() == Outcome(Side.FIRST, Reason.RESIGNATION)
    assert '[Termination "adjudication"]' in write(game)


def test_comments_go_where_they_were_said() -> None:
    game = read_one("{before} 1. 11-15 {a} {b} ({first} 11-16 {second}) {c} 23-19 1-0 {after}")
    first, last = game.main_line()
    assert game.root.comment == "before"
    assert first.comment == "a b c"
    assert game.root.children[1].comment == "first second"
    assert last.comment == "after"


def test_a_variation_with_the_move_that_was_played_does_not_take_the_main_line_over() -> None:
    game = read_one("1. 11-15 (11-15 22-18 (22-17) 15x22) 23-19 8-11 *")
    assert moves(game) == ["11-15", "23-19", "8-11"]
    assert [child.text for child in game.main_line()[0].children] == ["23-19", "22-18", "22-17"]


def test_headers_that_others_write() -> None:
    text = '[ Event "Say "hi" \\ there" ] [GameType "21,W,8,8,A0,0"][result "1-0"]\n[Board-width "8"] 11-15 *'
    entry = only(text)
    assert entry.game is not None
    assert entry.game.headers == {"Event": 'Say "hi" \\ there', "Board-width": "8"}
    assert result_text(entry.game) == "1-0"


def test_games_are_told_apart_without_any_result() -> None:
    text = '[Event "1"] 11-15\n[Event "2"]\n[Event "3"] 11-16 * 9-14 *\n[Event "5"]'
    assert [entry.headers.get("Event") for entry in read(text)] == ["1", "2", "3", None, "5"]


@pytest.mark.parametrize(("text", "game"), [("1. 11-15 * 1. 9-14 1-0", "checkers"), ("1. 4 4 * 1. 5 *", "connect4")])
def test_games_without_headers_are_told_apart_by_their_results(text: str, game: str) -> None:
    assert [entry.error for entry in read(text, game=game)] == [None, None]


def test_a_list_of_positions_is_a_file_of_games() -> None:
    starts = [game.start.fen() for game in games('[FEN "B:W32:B1"] *\n[FEN "W:W31:B2"] *\n')]
    assert starts == ["B:W32:B1", "W:W31:B2"]


# Errors


def test_a_text_that_is_no_game_is_an_error_and_not_nothing() -> None:
    assert "cannot read 'games'" in str(error_of("games.pdn"))
    assert [entry.game is None for entry in read('Some words first\n[Event "x"] 11-15 *')] == [True, False]
    assert list(read("")) == list(read(" \n{only a comment}\n")) == []


def test_an_error_names_file_game_line_and_ply() -> None:
    text = '[Event "1"]\n1. 11-15 *\n\n[Event "2"]\n1. 11-15 22-18\n2. 8-11 18x11 *\n\n[Event "3"]\n1. 9-14 *\n'
    first, second, third = read(text, name="some.pdn")
    assert (first.number, first.line, second.number, second.line, third.line) == (1, 1, 2, 4, 8)
    error = second.error
    assert error is not None
    assert (error.name, error.game, error.line, error.ply) == ("some.pdn", 2, 6, 3)
    assert str(error).startswith("some.pdn, game 2, line 6, ply 3: illegal move 8-11 in B:")
    assert str(error).endswith(": 15x22 is a jump and must be taken")
    assert third.game is not None
    copy = pickle.loads(pickle.dumps(error))
    assert (str(copy), copy.ply) == (str(error), 3)


def test_games_raises_the_first_error() -> None:
    found = games("11-15 * 11-16 99-1 *")
    assert moves(next(found)) == ["11-15"]
    with pytest.raises(GameTextError, match=r"text, game 2, line 1, ply 2: .* no square 99"):
        next(found)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("1. 11-15 {no end", "this comment has no end"),
        ("1. 11-15 (11-16", "this variation has no end"),
        ("1. 11-15 ) 22-18", "there is no variation to close"),
        ("(1. 11-15)", "a variation must follow the move"),
        ("1. 11-15 } 22-18", "there is no comment to close"),
        ("1. 11-15 $256", r"a glyph is \$0 to \$255"),
        ("1. 11-15 $" + "9" * 5000, "a glyph is"),
        ("1. 11-15 / 22-18", "it is not a move"),
        ('[Event "x]', "a header looks like"),
        ('[GameType "20"] 32-28', "the GameType must be 21"),
        ('[FEN "B:W18:B40"] *', "there is no square 40"),
        ('[FEN "rubbish"] *', "expected the side to move"),
        ('[NoProgress "often"] *', "a limit is"),
        ('[GameType "connect4"][Size "big"] *', "a size is"),
        ('[GameType "connect4"][Size "99x99"] *', "99 x 99"),
        ('[Size "8x8"][GameType "connect4"][FEN "..../..../..../...."]', "the board is 4 x 4"),
        ('[GameType "connect4"] 1. 4 8 *', "columns 1 to 7"),
        ('[GameType "connect4"] 4455667 1 *', "the game is over"),
        ('[GameType "connect4"] 1. 4 4 2. 5 3 3. *', "no move follows the number 3."),
        ('[GameType "connect4"] 1. 4 4 53. *', "53. is not a move; the move number here is 2."),
        ('[GameType "connect4"] 11-15', "a move is one column"),
    ],
)  # fmt: skip
def test_errors_say_what_is_wrong(text: str, reason: str) -> None:
    with pytest.raises(GameTextError, match=reason):
        list(games(text))


def test_an_error_in_the_headers_names_their_line() -> None:
    assert error_of('[Event "x"]\n[FEN "B:W18:B40"]\n\n*').line == 2


def test_a_comment_without_end_costs_one_game_only() -> None:
    first, second = read('[Event "1"]\n11-15 {oops\n\n[Event "2"]\n11-15 *')
    assert first.error is not None
    assert first.error.line == 2
    assert second.game is not None


def test_deep_variations_are_read_and_written() -> None:
    game = Game(checkers.Position.from_fen("B:WK32:BK1,K5"), no_progress=None)
    node = game.root
    for _ in range(5000):
        for move in node.position.legal_moves():
            last = node.add(move)
        node = last
    text = write(game)
    assert text.count("(") > 2500
    assert write(read_one(text)) == text
    assert "no end" in str(error_of("11-15 " + "(11-16 " * 5000))


def test_endless_lines_and_comments_are_refused_without_being_kept() -> None:
    long_line, after = read("11-15 " + " " * MOST_IN_LINE + '22-18 *\n[Event "2"] *')
    assert "a line of more than" in str(long_line.error)
    assert after.game is not None
    long_comment = error_of("11-15 {" + ("x" * 999 + "\n") * (MOST_IN_COMMENT // 999 + 1) + "} *")
    assert "a comment of more than" in str(long_comment)


# Files


def test_files_are_read_as_they_come(tmp_path: Path) -> None:
    file = tmp_path / "games.pdn"
    file.write_bytes('[Black "Jürgen"] 11-15 *\r\n'.encode() + '[Black "Jürgen"] 11-15 *\r'.encode("latin-1"))
    assert [entry.headers["Black"] for entry in read(file)] == ["Jürgen", "Jürgen"]
    with file.open("rb") as opened:
        assert len(list(read(opened))) == 2
        assert not opened.closed
    with file.open(encoding="latin-1") as text:
        assert len(list(read(text))) == 2
        assert not text.closed
    file.write_text('[Event "x"] 99-1')
    [entry] = read(file)
    assert str(entry.error).startswith(str(file))
    with pytest.raises(FileNotFoundError):
        list(read(tmp_path / "nothing"))


def test_a_file_is_not_read_ahead() -> None:
    class Endless(io.RawIOBase):
        def readable(self) -> bool:
            return True

        def readinto(self, buffer: Any) -> int:
            text = b'[Event "again"] 11-15 *\n'
            buffer[: len(text)] = text
            return len(text)

    found = read(io.BufferedReader(Endless()))
    assert [next(found).number for _ in range(3)] == [1, 2, 3]


def corpus(name: str) -> Path:
    folder = os.environ.get("OUTPLAY_CORPORA")
    if not folder:
        pytest.skip("OUTPLAY_CORPORA does not name the folder of public game collections")
    return Path(folder) / "checkers" / name


def test_723_of_the_724_games_of_tinsley_replay() -> None:
    entries = list(read(corpus("tinsley.pdn")))
    assert len(entries) == 724
    [bad] = [entry for entry in entries if entry.game is None]
    assert (bad.number, bad.headers["Event"]) == (541, "Petal 1981, game 18")
    assert bad.error is not None
    assert (bad.error.line, bad.error.ply) == (5588, 123)
    assert str(bad.error).endswith(
        "tinsley.pdn, game 541, line 5588, ply 123: "
        "illegal move 32-28 in B:WK26,K27,K30:B16,K28,K29: there is no piece on 32"
    )
    good = [entry.game for entry in entries if entry.game is not None]
    assert sum(len(game.main_line()) for game in good) == 35_986
    text = "\n".join(map(write, good))
    assert [whole(game) for game in games(text)] == [whole(game) for game in good]


def test_the_eleven_man_ballots_are_2400_positions() -> None:
    found = list(games(corpus("11_man_english.pdn")))
    assert len(found) == 2400
    assert all(len(game.start.pieces()) == 22 for game in found if isinstance(game.start, checkers.Position))


def test_the_annotated_game_of_the_german_open_replays() -> None:
    [game] = games(corpus("german_open_2004.pdn"))
    assert (len(game.main_line()), result_text(game)) == (44, "1/2-1/2")


def test_the_module_pdn_reads_and_writes() -> None:
    [entry] = pdn.read("11-15")
    assert entry.game is not None
    assert pdn.write(entry.game).endswith("\n1. 11-15 *\n")
    assert len(list(pdn.games("11-15"))) == 1


def test_control_characters_never_reach_a_terminal() -> None:
    (entry,) = pdn.read('[Event "\x1b[31mred\x1b[0m\x00\x9b"] 1. 11-15 {\x1b]0;title\x07} *')
    assert entry.game is not None
    said = f"{entry.headers}{write(entry.game)}{entry.game.main_line()[0].comment}"
    assert not any((ord(letter) < 32 and letter != "\n") or 127 <= ord(letter) < 160 for letter in said)
