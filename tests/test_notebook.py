"""The board of notebooks, without a browser: what it shows, what messages do, and what is refused."""

from __future__ import annotations

from typing import Any

import pytest

from outplay import Game, checkers, connect4
from outplay.errors import IllegalMoveError, NotationError
from outplay.lab import Techniques, find_evaluation, trace
from outplay.outcome import Side

pytest.importorskip("anywidget", reason="anywidget is not installed: pip install 'outplay[notebook]'")

from outplay.notebook import Board
from outplay.notebook.board import WIDGET


def lowest(position: Any) -> Any:
    return position.legal_moves()[0]


def message(board: Board, **content: Any) -> None:
    """What the page sends."""
    board._take(board, content, [])


def test_the_opponent_answers_each_move() -> None:
    board = Board("connect4", opponent=lowest)
    message(board, kind="play", move="4")
    assert board.game is not None
    assert board.game.moves == [3, 0]
    assert (board.frame["at"], board.frame["of"], board.frame["text"]) == (2, 2, "Red to move")
    assert board.frame["last"]["path"] == [35]
    assert len(board.frame["legal"]) == 7


def test_the_opponent_begins_if_you_are_second() -> None:
    board = Board("checkers", opponent=lowest, side=Side.SECOND)
    assert board.game is not None
    assert board.game.ply == 1
    assert board.frame["side"] == 1


def test_a_finished_game_is_replayed_and_can_take_another_way() -> None:
    game = Game(connect4.Position())
    for column in "4455667":
        game.play(column)
    board = Board(game)
    assert board.frame["text"] == "Red wins: four in a row"
    assert board.frame["won"] == [38, 39, 40, 41]
    assert board.frame["legal"] == []
    message(board, kind="go", at=6)
    assert (board.frame["at"], board.frame["of"], board.frame["won"]) == (6, 7, [])
    message(board, kind="play", move="1")
    assert (board.frame["at"], board.frame["of"]) == (7, 7)
    assert len(game.nodes[5].children) == 2, "a new line beside the old one"


def test_scores_and_arrows() -> None:
    board = Board("connect4", scores=True, arrows=["4", 2])
    assert [chip["score"] for chip in board.frame["chips"]] == ["-2", "-1", "0", "+1", "0", "-1", "-2"]
    assert [arrow["path"] for arrow in board.frame["arrows"]] == [[38], [37]]
    board.play("4")
    assert board.frame["arrows"] == [], "they belong to the position they were given for"
    men = Board("checkers", scores=True)
    assert {chip["move"] for chip in men.frame["chips"]} <= {str(m) for m in checkers.Position().legal_moves()}


def test_a_search_is_walked_through_in_its_order() -> None:
    start = connect4.Position.from_moves("112")
    found = trace(start, 2, Techniques.of("alphabeta"), find_evaluation("classic", "connect4"))
    board = Board(found)
    shown = [board.go_to(at) for at in range(board.frame["of"] + 1)]
    assert len(shown) == sum(visit.kind != "pruned" for visit in found.visits)
    assert shown[0]["board"] == start.fen().replace("/", "")
    assert all(frame["legal"] == [] for frame in shown)
    assert {frame["text"].split(".")[0] for frame in shown} == {"Ply 0", "Ply 1", "Ply 2"}
    with pytest.raises(ValueError, match="this board shows a recorded search: no move can be played"):
        board.play("4")


@pytest.mark.parametrize("content", [
    {"kind": "play", "move": "x"}, {"kind": "play"}, {"kind": "go"}, {"kind": "go", "at": "x"}, {"kind": "other"}, {},
])  # fmt: skip
def test_a_message_that_makes_no_sense_changes_nothing(content: dict[str, Any]) -> None:
    board = Board("connect4")
    before = board.frame
    message(board, **content)
    assert {**board.frame, "problem": ""} == before
    assert board.game is not None
    assert board.game.ply == 0


def test_going_past_the_end_stays_at_the_end() -> None:
    board = Board("connect4")
    board.play("4")
    assert board.go_to(99)["at"] == 1
    assert board.go_to(-5)["at"] == 0


@pytest.mark.parametrize(("what", "error", "text"), [
    (3, TypeError, "what must be a position, a Game, a Trace or the name of a game, not 3"),
    ("chess", NotationError, "the games are connect4, checkers"),
])  # fmt: skip
def test_what_is_no_board_is_refused(what: Any, error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        Board(what)
    with pytest.raises(IllegalMoveError):
        Board("checkers", arrows=["11-22"])


def test_a_wrong_side_arrow_or_place_is_refused_by_name() -> None:
    with pytest.raises(TypeError, match="side must be a Side, not 'Red'"):
        Board("connect4", opponent=lowest, side="Red")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="arrows must be a list of moves, not '11-15'"):
        Board("checkers", arrows="11-15")
    with pytest.raises(TypeError, match="at must be a whole number, not 'x'"):
        Board("connect4").go_to("x")  # type: ignore[arg-type]


@pytest.mark.parametrize(("what", "who"), [("connect4", "human"), ("connect4", "searcher"), ("checkers", "solver")])
def test_who_cannot_be_an_opponent_is_refused(what: str, who: str) -> None:
    with pytest.raises(ValueError, match=f"the opponent cannot be '{who}': it"):
        Board(what, opponent=who)


def test_after_the_opponent_failed_nobody_plays_for_it() -> None:
    moves = iter([None, 6])
    board = Board("connect4", opponent=lambda position: next(moves))
    message(board, kind="play", move="4")
    assert board.game is not None
    assert board.game.moves == [3]
    assert (board.frame["at"], board.frame["text"], board.frame["legal"]) == (1, "Yellow to move", [])
    assert "returned None" in board.frame["problem"]
    message(board, kind="play", move="4")
    assert board.game.moves == [3]
    assert "it is the opponent's turn here" in board.frame["problem"]
    board.go_to(0)
    message(board, kind="play", move="4")
    assert board.game.moves == [3, 6], "asked again, it answers"


def test_the_page_s_part_is_built() -> None:
    """One module with everything in it: it loads nothing from anywhere."""
    text = WIDGET.read_text(encoding="utf-8")
    assert "export" in text
    assert "import " not in text.split("\n")[0]
