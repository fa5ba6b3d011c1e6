"""A game with its past: undo and redo, the tree, and every way to end."""

import copy
import pickle
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from outplay import checkers, connect4
from outplay.errors import GameOverError, IllegalMoveError, NotationError
from outplay.notation import write
from outplay.outcome import Outcome, Reason, Side
from outplay.record import AnyGame, Game, NothingToUndoError
from outplay.rules import CLASSROOM_NO_PROGRESS, OFFICIAL_NO_PROGRESS, RULES, NoProgress, Position
from tests.support.positions import Connect4Game, connect4_games

KINGS = "B:WK32,K31,K30:BK1,K2,K3"


def play(game: AnyGame, text: str) -> AnyGame:
    for move in text.split():
        game.play(move)
    return game


def test_a_game_knows_its_moves_and_its_past() -> None:
    game = play(Game(connect4.Position()), "4 4 5")
    assert game.moves == [3, 3, 4]
    assert game.position == connect4.Position.from_moves("445")
    assert game.history == tuple(connect4.Position.from_moves(moves) for moves in ("", "4", "44"))
    assert (game.start, game.ply) == (connect4.Position(), 3)


@given(connect4_games(), st.data())
def test_undo_and_redo_give_back_exactly_what_was(game: Connect4Game, data: st.DataObject) -> None:
    record = Game(connect4.Position(game.width, game.height))
    seen = [record.position]
    for text in game.moves:
        record.play(text)
        seen.append(record.position)
    back = data.draw(st.integers(0, len(game.moves)))
    for position in seen[len(seen) - back - 1 : -1][::-1]:
        record.undo()
        assert record.position == position
        assert record.outcome() is None
    for position in seen[len(seen) - back :]:
        record.redo()
        assert record.position == position
    assert record.outcome() == seen[-1].outcome()


def test_there_is_nothing_to_take_back_at_the_start_and_nothing_to_redo_at_the_end() -> None:
    game = Game(checkers.Position())
    with pytest.raises(NothingToUndoError, match="this is the start"):
        game.undo()
    with pytest.raises(NothingToUndoError, match="no move to play again"):
        game.redo()
    play(game, "11-15")
    game.undo()
    play(game, "9-13")
    with pytest.raises(NothingToUndoError, match="no move to play again"):
        game.redo()


def test_undo_restores_captured_men_and_crowns() -> None:
    game = Game(checkers.Position.from_fen("B:W26,27:B22"))
    before = game.position
    play(game, "22x31")
    game.undo()
    assert game.position == before


def test_a_new_move_after_undo_becomes_the_main_line_and_keeps_the_old_one_as_a_variation() -> None:
    game = play(Game(connect4.Position()), "4 4")
    game.undo()
    play(game, "3")
    assert [node.text for node in game.main_line()] == ["4", "3"]
    assert [node.text for node in game.main_line()[0].children] == ["3", "4"]
    variation = game.main_line()[0].children[1]
    game.go_to(variation)
    assert game.moves == [3, 3]


@pytest.mark.parametrize(
    ("move", "error"), [("8", IllegalMoveError), ("x y", NotationError), (99, IllegalMoveError), ("", NotationError)]
)
def test_a_wrong_move_changes_nothing(move: str | int, error: type[Exception]) -> None:
    game = play(Game(connect4.Position()), "4 4")
    with pytest.raises(error):
        game.play(move)
    assert (game.moves, game.root.children[0].children[0].children) == ([3, 3], [])


@pytest.mark.parametrize(
    ("start", "moves", "outcome"),
    [
        (connect4.Position(), "1 2 1 2 1 2 1", (Side.FIRST, Reason.FOUR_IN_A_ROW)),
        (connect4.Position(4, 4), "1 2 3 4 1 2 3 4 2 1 4 3 2 1 4 3", (None, Reason.BOARD_FULL)),
        (checkers.Position.from_fen("B:W18:B14"), "14x23", (Side.FIRST, Reason.NO_PIECES)),
        (checkers.Position.from_fen("B:W5:B1,K10"), "10-14", (Side.FIRST, Reason.NO_MOVES)),
        (checkers.Position.from_fen("B:W5:B2,K10"), "10-14", None),
    ],
)
def test_a_game_ends_on_the_board(start: Position, moves: str, outcome: tuple[Side | None, Reason] | None) -> None:
    found = play(Game(start), moves).outcome()
    assert (found and (found.winner, found.reason)) == outcome


def test_the_third_time_of_a_position_is_a_draw() -> None:
    game = Game(checkers.Position.from_fen(KINGS))
    round_trip = "1-5 32-28 5-1 28-32"
    play(game, round_trip)
    assert (game.repetitions(), game.outcome()) == (2, None)
    play(game, round_trip)
    assert game.outcome() == Outcome(None, Reason.REPETITION)
    with pytest.raises(GameOverError, match="third repetition"):
        game.play("1-5")
    game.undo()
    assert game.outcome() is None


def shuffle(game: AnyGame, plies: int) -> None:
    """Kings walk about, always on to where they have been least, so that no position comes for the third time."""
    for _ in range(plies):
        safe = [
            move
            for move in game.position.legal_moves()
            if not any(reply.is_capture for reply in game.position.play(move).legal_moves())
        ]
        seen = Counter((*game.history, game.position))
        game.play(min(safe, key=lambda move: seen[game.position.play(move)]))


@pytest.mark.parametrize("limit", [OFFICIAL_NO_PROGRESS, CLASSROOM_NO_PROGRESS, NoProgress(10)])
def test_a_game_without_progress_is_drawn_at_the_limit_and_not_before(limit: NoProgress) -> None:
    game = Game(checkers.Position.from_fen(KINGS), no_progress=limit)
    shuffle(game, limit.plies - 1)
    assert game.outcome() is None
    shuffle(game, 1)
    assert game.outcome() == Outcome(None, Reason.NO_PROGRESS)


def test_forty_moves_of_each_side_is_the_official_limit_and_the_default() -> None:
    assert Game(checkers.Position()).no_progress == OFFICIAL_NO_PROGRESS == NoProgress(80)
    assert Game(connect4.Position()).no_progress is None


def test_without_a_limit_the_game_goes_on() -> None:
    game = Game(checkers.Position.from_fen(KINGS), no_progress=None)
    shuffle(game, 120)
    assert game.outcome() is None


def test_a_man_move_is_progress_officially_but_not_in_the_classroom() -> None:
    fen = "B:WK32,K31:B5,K1,K2"
    for limit, count in ((OFFICIAL_NO_PROGRESS, 1), (CLASSROOM_NO_PROGRESS, 4)):
        game = play(Game(checkers.Position.from_fen(fen), no_progress=limit), "1-6 32-28 5-9 28-32")
        assert game.plies_without_progress() == count


def test_a_capture_is_progress() -> None:
    game = play(Game(checkers.Position.from_fen("B:WK32,K18:BK14,K1")), "14x23 32-28")
    assert game.plies_without_progress() == 1


@pytest.mark.parametrize(
    ("end", "outcome"),
    [
        (lambda game: game.resign(), Outcome(Side.FIRST, Reason.RESIGNATION)),
        (lambda game: game.resign(Side.FIRST), Outcome(Side.SECOND, Reason.RESIGNATION)),
        (lambda game: game.agree_draw(), Outcome(None, Reason.AGREEMENT)),
        (lambda game: game.lose_on_time(Side.SECOND), Outcome(Side.FIRST, Reason.TIME)),
        (lambda game: game.forfeit(Side.FIRST), Outcome(Side.SECOND, Reason.FORFEIT)),
    ],
)
def test_a_game_can_be_ended_without_a_move_and_the_end_taken_back(end: object, outcome: Outcome) -> None:
    game = play(Game(checkers.Position()), "11-15")
    assert callable(end)
    end(game)
    assert game.outcome() == outcome
    with pytest.raises(GameOverError, match=outcome.reason):
        game.play("22-18")
    with pytest.raises(GameOverError):
        end(game)
    game.undo()
    game.redo()
    assert game.outcome() is None


def test_a_finished_start_position_is_a_finished_game() -> None:
    game = Game(connect4.Position.from_moves("1212121"))
    assert game.outcome() is not None
    with pytest.raises(GameOverError):
        game.play(3)


@pytest.mark.parametrize("name", RULES)
def test_both_games_are_found_by_name(name: str) -> None:
    rules = RULES[name]
    assert rules.start() == rules.read("") == rules.read(" start ")
    assert isinstance(rules.start(), rules.position_type)
    assert Game(rules.start()).rules is rules


def test_positions_are_read_from_what_people_type() -> None:
    assert RULES["connect4"].read("4453") == connect4.Position.from_moves("4453")
    assert RULES["connect4"].read("4453", (8, 8)) == connect4.Position.from_moves("4453", 8, 8)
    board = connect4.Position.from_moves("4453").fen()
    assert RULES["connect4"].read(board, (7, 6)).fen() == board
    with pytest.raises(ValueError, match="the board is 7 x 6, not 8 x 8"):
        RULES["connect4"].read(board, (8, 8))
    with pytest.raises(NotationError, match="8 x 8"):
        RULES["checkers"].read("start", (10, 10))


# The tree


def four_game(*moves: str) -> Game[connect4.Position, int]:
    game = Game(connect4.Position())
    game.root.add_line(moves)
    game.go_to(game.root.end())
    return game


def test_a_line_is_added_whole_or_not_at_all() -> None:
    game = four_game("4", "4")
    with pytest.raises(IllegalMoveError):
        game.root.add_line(["1", "x"])
    assert [child.text for child in game.root.children] == ["4"]
    end = game.root.add_line([0, "1"])
    assert (end.text, end.ply, end.position) == ("1", 2, connect4.Position.from_moves("11"))
    assert game.root.end().text == "4"


def test_variations_are_promoted_demoted_and_removed() -> None:
    game = four_game("4")
    nodes = {text: game.root.add_line([text]) for text in ("4", "3", "5")}

    def order() -> list[str]:
        return [child.text for child in game.root.children]

    nodes["5"].promote()
    assert order() == ["4", "5", "3"]
    nodes["4"].demote()
    nodes["3"].demote()
    assert order() == ["5", "4", "3"]
    nodes["3"].add_line(["3"]).promote_to_main()
    assert order() == ["3", "5", "4"]
    nodes["5"].remove()
    assert order() == ["3", "4"]
    with pytest.raises(ValueError, match="not a variation"):
        game.root.promote()


def test_a_line_may_be_one_text() -> None:
    assert Game(connect4.Position()).root.add_line("4453").position == connect4.Position.from_moves("4453")
    assert Game(connect4.Position()).root.add_line("1. 4 4 2. 5, 3").ply == 4
    game = Game(checkers.Position())
    game.go_to(game.root.add_line("1. 11-15 22-18 2.15x22"))
    assert [str(move) for move in game.moves] == ["11-15", "22-18", "15x22"]
    with pytest.raises(IllegalMoveError, match=r"illegal move 11-15 in .*: there is no piece on 11"):
        game.root.add_line("11-15 23-18 11-15")
    with pytest.raises(TypeError, match="moves must be a sequence of moves, or one string with moves, not None"):
        game.root.add_line(None)  # type: ignore[arg-type]


@pytest.mark.parametrize("text", ["3", "4"])
def test_the_cursor_leaves_what_is_removed(text: str) -> None:
    game = four_game(*"443")
    removed = {node.text: node for node in game.nodes[1:]}[text]
    parent = removed.parent
    game.undo()
    game.redo()
    removed.remove()
    assert game.current is parent
    assert write(game).split()[-1] == "*"
    game.play("7")
    assert [node.text for node in game.main_line()][-1] == "7"


def test_a_removed_move_is_not_played_again() -> None:
    game = four_game(*"4435")
    nodes = game.nodes
    for _ in range(3):
        game.undo()
    nodes[2].remove()
    assert game.undone == (3,)
    game.redo()
    with pytest.raises(NothingToUndoError):
        game.redo()


def test_a_removed_node_says_so() -> None:
    game = four_game("4", "4")
    node, child = game.nodes
    node.remove()
    for change in (node.remove, node.promote, node.demote, node.promote_to_main, child.promote_to_main):
        with pytest.raises(ValueError, match=r"^4 is not in the tree any more: it was removed$"):
            change()
    for gone in (node, child):
        with pytest.raises(ValueError, match="is not in the tree any more: it was removed"):
            game.go_to(gone)


def test_a_game_takes_only_nodes_of_its_own() -> None:
    game, other = four_game("4"), four_game("4")
    for call in (game.go_to, game.outcome_at):
        with pytest.raises(ValueError, match="<Node at ply 1: 4> is a node of another game"):
            call(other.current)
        for wrong in (None, 3, "4", game):
            with pytest.raises(TypeError, match="node must be a Node of this game, not "):
                call(wrong)  # type: ignore[arg-type]
    assert game.ply == 1


def test_the_outcome_is_known_at_any_node() -> None:
    game = four_game(*"4455667")
    won = game.outcome_at(game.root.end())
    assert won is not None
    assert (won.result, game.outcome_at(game.root)) == ("1-0", None)
    game.go_to(game.root)
    assert (game.outcome(), game.outcome_at(game.root.end())) == (None, won)


@pytest.mark.parametrize(("winner", "result"), [(Side.FIRST, "1-0"), (Side.SECOND, "0-1"), (None, "1/2-1/2")], ids=str)
def test_a_result_as_files_write_it(winner: Side | None, result: str) -> None:
    assert Outcome(winner, Reason.AGREEMENT).result == result


def test_games_and_nodes_print_short() -> None:
    game = four_game("4", "4")
    assert repr(game) == "<Game of Connect Four: 2 moves, Red to move>"
    assert (repr(game.root), repr(game.current)) == ("<Node at ply 0, 1 reply>", "<Node at ply 2: 4>")
    game.resign()
    assert repr(game) == "<Game of Connect Four: 2 moves, 0-1>"
    assert game._repr_svg_() == game.position._repr_svg_()


def test_a_game_pickles_with_its_whole_tree() -> None:
    game = four_game("4", "4", "3")
    game.root.add_line(["1", "2"]).comment = "a try"
    game.headers["Event"] = "here"
    game.undo()
    game.undo(keep=False)
    back = pickle.loads(pickle.dumps(game))
    assert (write(back), back.moves, back.undone, back.headers) == (write(game), [3], (3, 2), {"Event": "here"})
    assert (back.redo(), back.redo(), back.position) == (3, 2, connect4.Position.from_moves("443"))
    game.resign()
    assert pickle.loads(pickle.dumps(game)).outcome() == game.outcome()


def test_games_are_equal_by_start_headers_limit_and_tree() -> None:
    def made() -> Game[connect4.Position, int]:
        game = four_game("4", "4", "3")
        game.root.add_line("12").comment = "a try"
        return game

    game, same = made(), made()
    assert game == same == pickle.loads(pickle.dumps(game)) == copy.deepcopy(game)
    same.go_to(same.root)
    assert game == same, "the cursor does not matter"
    assert game != "a game"
    changes: list[Callable[[AnyGame], object]] = [
        lambda game: game.headers.update(Event="here"),
        lambda game: game.root.add_line("7"),
        lambda game: game.root.children[1].promote(),
        lambda game: game.root.children[0].glyphs.append(1),
        lambda game: game.resign(),
    ]
    for change in changes:
        other = made()
        change(other)
        assert other != game
    assert Game(connect4.Position(5, 4)) != Game(connect4.Position())
    assert Game(checkers.Position(), no_progress=None) != Game(checkers.Position())
    with pytest.raises(TypeError, match="unhashable"):
        hash(game)


def test_a_node_pickles_in_its_game() -> None:
    node = four_game("4", "4", "3").nodes[1]
    back = pickle.loads(pickle.dumps(node))
    assert (back.text, back.ply, back.end().text) == ("4", 2, "3")
    node.remove()
    with pytest.raises(TypeError, match="is in no game's tree, so it cannot be pickled"):
        pickle.dumps(node)


def test_a_node_draws_itself_with_its_move() -> None:
    node = four_game("4").current
    assert node._repr_svg_().startswith("<svg")
    assert node._repr_svg_() != node.position._repr_svg_()


def test_a_long_game_pickles_without_deep_recursion() -> None:
    game = Game(checkers.Position.from_fen("B:WK32:BK1"), no_progress=None)
    node = game.root
    for number in range(3000):
        node = node.add_line([("1-6", "32-27", "6-1", "27-32")[number % 4]])
    game.go_to(node)
    assert pickle.loads(pickle.dumps(game)).ply == 3000


def test_captures_are_counted() -> None:
    game = Game(checkers.Position.from_fen("B:W18,19:B14,15"))
    game.play(game.position.legal_moves()[0])
    assert game.captures == 1


@pytest.mark.parametrize("start", ["connect4", None, 7])
def test_a_game_starts_from_a_position(start: Any) -> None:
    with pytest.raises(TypeError, match="a game starts from a position of connect4 or checkers"):
        Game(start)


WRONG_SIDES: list[Callable[[AnyGame], object]] = [
    lambda game: game.resign("x"),  # type: ignore[arg-type]
    lambda game: game.resign(1),  # type: ignore[arg-type]
    lambda game: game.lose_on_time(None),  # type: ignore[arg-type]
    lambda game: game.forfeit("Red"),  # type: ignore[arg-type]
]


@pytest.mark.parametrize("end", WRONG_SIDES)
def test_a_side_is_a_side(end: Callable[[AnyGame], object]) -> None:
    game = four_game("4")
    with pytest.raises(TypeError, match=r"^side must be a Side, not "):
        end(game)
    assert game.outcome() is None


def test_limit_and_headers_are_checked() -> None:
    with pytest.raises(TypeError, match=r"^no_progress must be a NoProgress, .*, not 'official' \(str\)$"):
        Game(checkers.Position(), no_progress="official")  # type: ignore[call-overload]
    with pytest.raises(TypeError, match=r"^headers must be a dict of strings, or None, not 3"):
        Game(checkers.Position(), headers=3)  # type: ignore[call-overload]
