"""Evaluations: what the bits count is what a person would count, and the weights are those of the tables."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from outplay import checkers, connect4
from outplay.errors import EngineError, NotationError
from outplay.lab.evaluate import EVALUATIONS, find_evaluation
from outplay.lab.evaluate.connect4 import scan_column
from outplay.lab.evaluate.windows import Windows, board, count, winning_cells
from outplay.lab.score import FORCED, is_forced
from outplay.outcome import Side
from outplay.record import AnyGame, Game
from outplay.rules import RULES
from tests.support.positions import random_connect4_moves

DOCS = Path(__file__).parent.parent / "docs" / "lab"
SIZES = [(7, 6), (7, 6), (4, 4), (5, 4), (6, 7), (8, 8), (10, 10)]


def positions() -> Iterator[connect4.Position]:
    for seed, (width, height) in enumerate(SIZES):
        for moves in random_connect4_moves(seed, 12, width, height):
            yield connect4.Position.from_moves(moves, width, height)


def lines_of_four(rows: list[list[int]]) -> Iterator[list[tuple[int, int]]]:
    """Every four cells in a row, as (row, column)."""
    for row in range(len(rows)):
        for column in range(len(rows[0])):
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                cells = [(row + n * down, column + n * right) for n in range(4)]
                if all(0 <= r < len(rows) and 0 <= c < len(rows[0]) for r, c in cells):
                    yield cells


def counted_by_hand(rows: list[list[int]], number: int) -> Windows:
    found = {4: 0, 3: 0, 2: 0}
    for cells in lines_of_four(rows):
        values = [rows[r][c] for r, c in cells]
        own = values.count(number)
        if own in found and own + values.count(0) == 4:
            found[own] += 1
    return Windows(found[4], found[3], found[2])


def own_and_other(position: connect4.Position) -> tuple[list[list[int]], int, int]:
    own = 1 if position.side == 0 else 2
    return position.rows(), own, 3 - own


def test_windows_are_counted_as_by_hand() -> None:
    for position in positions():
        masks = board(position.width, position.height)
        empty = masks.cells & ~(position.own | position.other)
        rows, own, other = own_and_other(position)
        assert count(position.own, empty, masks.steps) == counted_by_hand(rows, own), position.fen()
        assert count(position.other, empty, masks.steps) == counted_by_hand(rows, other), position.fen()


def winning_by_hand(rows: list[list[int]], number: int) -> set[tuple[int, int]]:
    """The empty cells, as (row, column), that complete a four."""
    found = set()
    for cells in lines_of_four(rows):
        values = [rows[r][c] for r, c in cells]
        if values.count(number) == 3 and 0 in values:
            found.add(cells[values.index(0)])
    return found


def test_winning_cells_are_those_that_complete_a_four() -> None:
    for position in positions():
        masks = board(position.width, position.height)
        empty = masks.cells & ~(position.own | position.other)
        rows, own, _ = own_and_other(position)
        bits = [
            column * (position.height + 1) + position.height - 1 - row for row, column in winning_by_hand(rows, own)
        ]
        assert winning_cells(position.own, empty, masks.steps) == sum(1 << bit for bit in bits), position.fen()


def test_playable_cells_are_those_on_top_of_the_columns() -> None:
    position = connect4.Position.from_moves("111111447")
    masks = board(7, 6)
    bits = masks.playable(position.own | position.other)
    rows = {column: bits >> column * 7 & 0b1111111 for column in range(7)}
    assert rows == {0: 0, 1: 1, 2: 1, 3: 1 << 2, 4: 1, 5: 1, 6: 1 << 1}


@pytest.mark.parametrize(
    ("name", "weights"),
    [
        ("classic", (100, 5, 2, -4, 0, 3)),
        ("big", (100_000_000, 10_000, 500, -800_000, -10_000, 200)),
    ],
)
def test_the_sets_of_window_weights(name: str, weights: tuple[int, ...]) -> None:
    for position in positions():
        rows, own, other = own_and_other(position)
        mine, theirs = counted_by_hand(rows, own), counted_by_hand(rows, other)
        middle = {(position.width - 1) // 2, position.width // 2}
        centre = sum(row[column] == own for row in rows for column in middle)
        counts = (mine.fours, mine.threes, mine.twos, theirs.threes, theirs.twos, centre)
        expected = sum(weight * number for weight, number in zip(weights, counts, strict=True))
        assert find_evaluation(name, "connect4")(position) == expected, position.fen()


@pytest.mark.parametrize(
    ("column", "total"),
    [
        ("......", 6),
        ("oo....", 6),  # own discs count as empty cells do
        ("x.....", 5),  # a disc of the other side after no run at all: 0, then 5 more cells
        ("ooox..", 2),  # a run of 3 is too short: 0, then 2 more
        ("oooox.", 17),  # a run of 4: 4 * 4, then 1 more
        ("ooooox", 20),
        ("oxooox", 0),
    ],
)
def test_the_scan_of_the_centre_column_from_the_bottom_up(column: str, total: int) -> None:
    other = sum(1 << row for row, cell in enumerate(column) if cell == "x")
    assert scan_column(other, 6) == total


def test_the_scan_set_has_the_windows_of_the_classic_one_and_the_scan() -> None:
    position = connect4.Position.from_moves("4453")  # Red to move; from the bottom the centre has Red, Yellow
    classic, scan = find_evaluation("classic", "connect4"), find_evaluation("scan", "connect4")
    one_own_disc_in_the_centre = 3
    assert scan(position) == classic(position) - one_own_disc_in_the_centre + scan_column(0b10, 6)


def threats_by_hand(position: connect4.Position) -> int:
    rows, own, other = own_and_other(position)
    mine, theirs = winning_by_hand(rows, own), winning_by_hand(rows, other)
    tops = {c: max((r for r in range(len(rows)) if rows[r][c] == 0), default=-1) for c in range(len(rows[0]))}
    if any(tops[c] == r for r, c in mine):
        return 5000
    at_once = [(r, c) for r, c in theirs if tops[c] == r]
    if len(at_once) > 1 or any((r - 1, c) in theirs for r, c in at_once):
        return -4000
    score = 0
    for cells, number, sign in ((mine, own, 1), (theirs, other, -1)):
        good = 1 if number == 1 else 0  # the row from the bottom is odd for the first side, even for the second
        score += sign * sum(30 + 30 * ((len(rows) - r) % 2 == good) for r, _ in cells)
        score += sign * 4 * counted_by_hand(rows, number).twos
        middle = {(len(rows[0]) - 1) // 2, len(rows[0]) // 2}
        score += sign * 5 * sum(row[column] == number for row in rows for column in middle)
    return score


def test_threats_are_weighed_as_by_hand() -> None:
    threats = find_evaluation("threats", "connect4")
    scores = {position: threats(position) for position in positions() if position.outcome() is None}
    assert scores == {position: threats_by_hand(position) for position in scores}
    assert {5000, -4000} <= set(scores.values())


def test_threats_sees_the_four_that_comes_next() -> None:
    threats = find_evaluation("threats", "connect4")
    assert threats(connect4.Position.from_moves("112233")) == 5000
    assert threats(connect4.Position.from_moves("33445")) == -4000  # Red threatens on both sides


# Checkers


@pytest.mark.parametrize(
    ("fen", "score"),
    [
        ("B:W21,22:B1,2", 0),
        ("B:W21:B1,2", 11),  # a man more: 1 for the man, 10 for the piece of difference
        ("W:W21:B1,2", -11),  # the same, seen by White
        ("B:W21,22:B1,K2", 2),  # a king for a man
        ("B:W21,K30:B1,2,3", 9),  # three men against a man and a king: 3 - 4 + 10
    ],
)
def test_material_from_the_side_to_move(fen: str, score: int) -> None:
    assert find_evaluation("material", "checkers")(checkers.Position.from_fen(fen)) == score


@pytest.mark.parametrize("name", ["classic", "big", "scan", "threats"])
def test_a_position_is_judged_for_either_side_as_if_it_were_its_turn(name: str) -> None:
    evaluation = find_evaluation(name, "connect4")
    for position in positions():
        assert evaluation(position, side=position.side) == evaluation(position)
    # the same discs with the sides exchanged: 4 5 and 5 4 leave one disc each, in each other's places
    one, other = connect4.Position.from_moves("45"), connect4.Position.from_moves("54")
    assert evaluation(one, side=Side.SECOND) == evaluation(other, side=Side.FIRST)


@pytest.mark.parametrize("name", ["material", "formation"])
def test_checkers_is_judged_for_either_side(name: str) -> None:
    evaluation = find_evaluation(name, "checkers")
    position = checkers.Position.from_fen("B:W27,31,K10:B12,16")
    turned = checkers.Position.from_fen("W:W27,31,K10:B12,16")
    assert evaluation(position, side=Side.SECOND) == evaluation(turned)
    assert evaluation(turned, side=Side.FIRST) == evaluation(position)


def shuffled(*moves: str) -> AnyGame:
    game = Game(checkers.Position.from_fen("B:WK32,21:BK1,12"))
    for move in moves:
        game.play(move)
    return game


def test_who_closes_a_circle_pays_for_it() -> None:
    material = find_evaluation("material", "checkers")
    there_and_back = shuffled("1-6", "32-27", "6-1", "27-32")
    assert material(there_and_back.position, there_and_back.history) == 1000  # White moved last, Black is to move
    assert material(there_and_back.position) == 0
    for moves in (["1-6", "32-27", "6-1"], ["1-6", "32-27", "6-9", "27-32"], ["1-6", "32-27", "6-1", "27-24"]):
        game = shuffled(*moves)
        assert material(game.position, game.history) == 0


def test_the_circle_is_charged_to_the_same_side_whoever_asks() -> None:
    game = shuffled("1-5", "32-27", "5-1", "27-32")
    score = find_evaluation("material", "checkers")
    own = score(game.position, game.history)
    assert score(game.position, game.history, side=game.position.side.other) == -own


def test_formation_is_the_same_for_both_sides() -> None:
    formation = find_evaluation("formation", "checkers")
    start = checkers.Position()
    assert formation(start) == formation(start.flip()) == 0
    ahead = checkers.Position.from_fen("B:W29,30,31:B1,2,3,4")
    assert formation(ahead) > formation(checkers.Position.from_fen("B:W25,26,29,30,31:B1,2,3,4,5,6")) > 0


# Your own


def test_an_evaluation_of_your_own(tmp_path: Path) -> None:
    (tmp_path / "beside.py").write_text("WORTH = 7\n")
    file = tmp_path / "mine.py"
    file.write_text("from beside import WORTH\ndef discs(position):\n    return WORTH * position.plies\n")
    own = find_evaluation(f"{file}:discs", "connect4")
    assert own(connect4.Position.from_moves("4453")) == 28


@pytest.mark.parametrize(
    ("code", "error", "message"),
    [
        ("def f(position): return 1 / 0", EngineError, "division by zero"),
        ("def f(position): return 'good'", EngineError, "must return a number"),
        ("def f(position): return float('nan')", EngineError, "must return a number"),
        ("def f(position) return 1", EngineError, "does not load"),
        ("def g(position): return 1", NotationError, "has no function f"),
    ],
)
def test_what_is_wrong_with_your_own_is_told(tmp_path: Path, code: str, error: type[Exception], message: str) -> None:
    file = tmp_path / "mine.py"
    file.write_text(code + "\n")
    with pytest.raises(error, match=message):
        find_evaluation(f"{file}:f", "checkers")(checkers.Position())


def test_your_own_never_claims_a_forced_win(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text("def f(position): return float('inf')\n")
    assert find_evaluation(f"{file}:f", "connect4")(connect4.Position()) < FORCED


def test_a_name_that_is_not_there_is_told_with_those_that_are() -> None:
    with pytest.raises(NotationError, match="material, formation"):
        find_evaluation("classic", "checkers")
    with pytest.raises(NotationError, match="there is no file"):
        find_evaluation("nowhere.py:f", "checkers")


# The page


@pytest.mark.parametrize("game", EVALUATIONS)
def test_the_page_has_every_table_of_weights(game: str) -> None:
    page = (DOCS / "evaluate.md").read_text(encoding="utf-8")
    for name, evaluation in EVALUATIONS[game].items():
        section = page.split(f"### {name}\n")[1].split("\n#")[0]
        rows = re.findall(r"^\| (.+?) \| ([-+\d,]+) \|$", section, re.MULTILINE)
        told = [(what, float(weight.replace(",", ""))) for what, weight in rows]
        assert told == [(what, float(weight)) for what, weight in evaluation.weights], name


# Weights that are changed


@pytest.mark.parametrize("game", EVALUATIONS)
def test_the_same_weights_say_the_same(game: str) -> None:
    position = RULES[game].read("4453" if game == "connect4" else "B:W18,19,21,22,K5:B1,2,3,9,12,K30")
    for evaluation in EVALUATIONS[game].values():
        again = evaluation.reweighed([value for _, value in evaluation.weights])
        assert again(position) == evaluation(position)
        assert (again.weights, again.shuffle) == (evaluation.weights, evaluation.shuffle)


@pytest.mark.parametrize("game", EVALUATIONS)
def test_every_weight_counts(game: str) -> None:
    for evaluation in EVALUATIONS[game].values():
        values = [value for _, value in evaluation.weights]
        for row in range(len(values)):
            changed = [*values[:row], values[row] + 1, *values[row + 1 :]]
            other = evaluation.reweighed(changed)
            assert [value for _, value in other.weights] == changed
            assert other != evaluation


def test_a_king_is_worth_what_one_says() -> None:
    material = find_evaluation("material", "checkers").reweighed([1, 7, 0, 500])
    assert material(checkers.Position.from_fen("B:W32:BK1")) == 6
    assert material.shuffle == 500


def test_no_weight_makes_a_guess_look_like_a_win() -> None:
    huge = find_evaluation("classic", "connect4").reweighed([10**12] * 6)
    assert not is_forced(huge(connect4.Position.from_moves("4455")))


def test_the_wrong_number_of_weights_is_refused() -> None:
    with pytest.raises(NotationError, match="has 6 weights"):
        find_evaluation("classic", "connect4").reweighed([1, 2])
