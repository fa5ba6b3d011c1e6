"""Files of games: what is written is read back whole, in the strict form."""

import io
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from outplay import checkers, connect4
from outplay.errors import NotationError
from outplay.notation import write
from outplay.notation.headers import RESERVED
from outplay.notation.pdn import games, read
from outplay.notation.tokens import HEADER_NAME, words
from outplay.outcome import Outcome, Reason, Side
from outplay.record import AnyGame, Game
from outplay.rules import CLASSROOM_NO_PROGRESS, RULES
from tests.support.pdn import all_nodes, moves, only, read_one, whole
from tests.support.positions import CONNECT4_SIZES, checkers_fens

# Trees of moves, to be written and read


def random_game(random: Random, start: connect4.Position | checkers.Position) -> AnyGame:
    """A tree of up to forty moves: mostly a long line, here and there a variation."""
    game = Game(start)
    nodes = [game.root]
    for _ in range(random.randrange(40)):
        node = nodes[-1] if random.randrange(3) else random.choice(nodes)
        moves = node.position.legal_moves()
        if moves:
            nodes.append(node.add(random.choice(moves)))
    return game


connect4_starts = st.sampled_from(CONNECT4_SIZES).map(lambda size: connect4.Position(*size)) | st.sampled_from(
    ["", "4453", "44444"]
).map(connect4.Position.from_moves)
checkers_starts = st.just(checkers.Position()) | checkers_fens().map(checkers.Position.from_fen)
randoms = st.randoms(use_true_random=False)
remarks = st.text(st.characters(exclude_categories=()), max_size=120).map(words) | st.sampled_from(
    ["", "a } brace", '[Event "x"]', "%", "; x", "{{", "1-0", "word " * 60 + "}", "x" * 200]
).map(words)
names = st.from_regex(HEADER_NAME, fullmatch=True).filter(
    lambda name: name.casefold() not in {*RESERVED, "termination"}
)


@st.composite
def annotated_games(draw: st.DrawFn) -> AnyGame:
    game = random_game(draw(randoms), draw(connect4_starts | checkers_starts))
    nodes = list(all_nodes(game))
    for node in draw(st.lists(st.sampled_from(nodes), max_size=6)):
        node.comment = draw(remarks)
        node.glyphs = draw(st.lists(st.integers(0, 255), max_size=3))
    game.headers = draw(st.dictionaries(names, remarks, max_size=4))
    if draw(st.booleans()):
        game.no_progress = draw(st.sampled_from([None, CLASSROOM_NO_PROGRESS]))
    game.go_to(draw(st.sampled_from([game.root, *game.main_line()])))
    if game.outcome() is None:
        draw(st.sampled_from(ENDINGS))(game)
    return game


ENDINGS = [
    lambda game: None,
    lambda game: game.resign(),
    lambda game: game.agree_draw(),
    lambda game: game.lose_on_time(Side.FIRST),
    lambda game: game.forfeit(Side.SECOND),
]


# Laws


@given(annotated_games())
def test_what_is_written_is_read_back_whole(game: AnyGame) -> None:
    before = whole(game)
    text = write(game)
    entry = only(text)
    assert entry.game is not None, entry.error
    assert entry.notes == ()
    assert whole(entry.game) == before
    assert write(entry.game) == text
    assert whole(game) == before


@given(annotated_games())
def test_lines_stay_under_80_columns_unless_a_word_is_longer(game: AnyGame) -> None:
    _, _, body = write(game).partition("\n\n")
    assert all(len(line) < 80 or max(map(len, line.split())) > 70 for line in body.splitlines())


@given(st.lists(annotated_games(), max_size=4))
def test_a_file_holds_any_number_of_games(played: list[AnyGame]) -> None:
    text = "\n".join(map(write, played))
    assert [whole(game) for game in games(text)] == [whole(game) for game in played]


@given(annotated_games(), st.text(alphabet='[]{}()";$!?*.-x:0123456789ab \n', max_size=30))
def test_a_broken_game_does_not_spoil_the_next(game: AnyGame, junk: str) -> None:
    text = f'[Event "broken"]\n1. 11-15 99-99 {junk}\n}}\n\n[Event "whole"]\n' + write(game)
    *_, last = read(text)
    assert last.game is not None or "Event" in game.headers or junk.count("{") > junk.count("}")


@given(st.text(st.characters(exclude_categories=())) | st.text(alphabet='[]{}()";$!?*.-x:/0123456789abW \n\t%'))
def test_any_text_gives_entries_and_never_a_crash(text: str) -> None:
    for game in RULES:
        for entry in read(text, game=game):
            assert (entry.game is None) != (entry.error is None)
            if entry.game is not None:
                assert write(read_one(write(entry.game))) == write(entry.game)
            else:
                assert str(entry.error).startswith(f"text, game {entry.number}, line ")


@given(st.binary())
def test_any_bytes_give_entries_and_never_a_crash(data: bytes) -> None:
    for entry in read(io.BytesIO(data), name="bytes"):
        assert (entry.game is None) != (entry.error is None)


# The strict form


def test_a_checkers_game_in_the_strict_form() -> None:
    game = Game(checkers.Position(), headers={"Event": 'The "Big" one \\', "Black": "Ann", "White": "Bob"})
    for text in ("11-15", "23-19", "8-11", "22-17"):
        game.play(text)
    first = game.root.children[0]
    first.glyphs = [1, 14]
    first.comment = "the Old Fourteenth"
    game.root.add(checkers.Move("11-16"))
    game.resign(Side.SECOND)
    assert write(game) == (
        '[Event "The \\"Big\\" one \\\\"]\n'
        '[Black "Ann"]\n'
        '[White "Bob"]\n'
        '[Result "1-0"]\n'
        '[GameType "21"]\n'
        "\n"
        "1. 11-15! $14 {the Old Fourteenth} (1. 11-16) 1... 23-19 2. 8-11 22-17 1-0\n"
    )


def test_a_connect_four_game_in_the_strict_form() -> None:
    game = Game(connect4.Position(8, 7), headers={"Red": "Ann", "Yellow": "Bob"})
    for column in "4455667":
        game.play(column)
    assert write(game) == (
        '[Red "Ann"]\n[Yellow "Bob"]\n[Result "1-0"]\n[GameType "connect4"]\n[Size "8x7"]\n\n'
        "1. 4 4 2. 5 5 3. 6 6 4. 7 1-0\n"
    )


def test_a_game_that_white_begins_says_so() -> None:
    game = Game(checkers.Position.from_fen("W:W18,K10:B12"))
    game.play("18-15")
    text = write(game)
    assert f'[SetUp "1"]\n[FEN "{game.start.fen()}"]\n' in text
    assert text.endswith("\n1... 18-15 *\n")


def test_captures_are_written_with_their_whole_path() -> None:
    game = Game(checkers.Position.from_fen("B:W23,22,15,14:B11,10"))
    game.play("10x19x26")
    assert "1. 10x19x26 *" in write(game)


@pytest.mark.parametrize(
    ("ending", "result", "termination"),
    [
        (Outcome(Side.FIRST, Reason.RESIGNATION), "1-0", None),
        (Outcome(None, Reason.AGREEMENT), "1/2-1/2", None),
        (Outcome(Side.SECOND, Reason.TIME), "0-1", "time"),
        (Outcome(Side.FIRST, Reason.FORFEIT), "1-0", "forfeit"),
    ],
)
def test_an_ending_without_a_move_is_kept(ending: Outcome, result: str, termination: str | None) -> None:
    game = Game(checkers.Position())
    game.play("11-15").ending = ending
    entry = only(write(game))
    assert entry.headers["Result"] == result
    assert entry.headers.get("Termination") == termination
    assert entry.game is not None
    assert entry.game.outcome() == ending
    assert entry.game.headers == {}


def test_a_game_that_was_ended_after_a_take_back_keeps_the_moves_taken_back() -> None:
    game = Game(connect4.Position())
    for column in "4445":
        game.play(column)
    game.undo()
    game.undo()
    game.resign()
    text = write(game)
    assert '[Result "0-1"]' in text
    assert '[Termination "resignation at ply 2"]' in text
    again = read_one(text)
    assert again.ply == 2
    assert moves(again) == ["4", "4", "4", "5"]
    assert again.outcome() == Outcome(Side.SECOND, Reason.RESIGNATION)


def test_a_draw_by_another_limit_is_the_same_draw_when_read() -> None:
    game = Game(checkers.Position.from_fen("B:WK32:BK1"), no_progress=CLASSROOM_NO_PROGRESS)
    for text in ("1-6", "32-27", "6-1", "27-32") * 2:
        game.play(text)
    text = write(game)
    assert '[NoProgress "100 captures"]' in text
    assert '[Termination "third repetition"]' in text
    assert read_one(text).outcome() == Outcome(None, Reason.REPETITION)


def test_the_cursor_does_not_change_what_is_written() -> None:
    game = read_one("1. 11-15 (11-16 24-19) 23-19 1-0")
    text = write(game)
    for node in all_nodes(game):
        game.go_to(node)
        assert write(game) == text
        assert game.current is node


def test_what_a_file_cannot_hold_is_refused() -> None:
    with pytest.raises(NotationError, match="name"):
        write(Game(connect4.Position(), headers={"two words": "x"}))
    game = Game(connect4.Position())
    game.play("4").glyphs = [256]
    with pytest.raises(NotationError, match="255"):
        write(game)


def test_a_header_that_follows_from_the_game_is_the_game_s() -> None:
    game = Game(connect4.Position(), headers={"Result": "1-0", "fen": "nonsense", "Event": "x"})
    assert write(game) == '[Event "x"]\n[Result "*"]\n[GameType "connect4"]\n\n*\n'
