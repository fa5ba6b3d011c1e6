"""Solved Connect Four positions in words and marks: every fact is asked again of the oracle, by brute force."""

from __future__ import annotations

import re
from functools import cache
from random import Random

import pytest

from outplay.connect4 import Book, Position, Solver
from outplay.errors import GameOverError
from outplay.explain import Explanation, Mark, explain_solved, first_rows, marked_board
from outplay.outcome import Side
from tests.oracle import FIRST, SECOND
from tests.oracle import connect4 as oracle

SMALL = ((4, 4), (5, 4), (4, 5), (5, 5))
NAMES = {FIRST: "Red", SECOND: "Yellow"}
SOLVER = Solver(table_mib=16, book=False)


def explained(moves: str, width: int = 7, height: int = 6) -> Explanation:
    return explain_solved(Position.from_moves(moves, width, height), SOLVER)


@cache
def games(width: int, height: int, fewest: int, most: int) -> tuple[str, ...]:
    """Random games that go on after so many moves, the same on every run."""
    random, found = Random(width * height), set[str]()
    for _ in range(300):
        position, moves = Position(width, height), ""
        for _ in range(random.randint(fewest, most)):
            column = random.choice(position.legal_moves())
            position, moves = position.play(column), moves + position.format(column)
            if position.outcome() is not None:
                break
        else:
            found.add(moves)
    return tuple(sorted(found)[:40])


def late_games(width: int, height: int, most_empty: int) -> tuple[str, ...]:
    """Games with few empty cells left."""
    cells = width * height
    return games(width, height, cells - most_empty, cells - 1)


on_small_boards = pytest.mark.parametrize(("width", "height"), SMALL)


def explained_games(width: int, height: int) -> list[tuple[str, Explanation]]:
    """Games of any length with their explanations."""
    found = games(width, height, 4, width * height - 1)
    assert len(found) > 10
    return [(moves, explained(moves, width, height)) for moves in found]


# The verdict and the worth of every move, against brute force


@cache
def end_of(rows: oracle.Rows) -> tuple[int | None, int]:
    """Who wins (None: a draw) and in how many plies, when the winner hurries and the loser delays."""
    outcome = oracle.outcome(rows)
    if outcome is not None:
        return outcome.winner, 0
    side = oracle.side_to_move(rows)
    ends = [(winner, plies + 1) for winner, plies in map(end_of, oracle.successors(rows))]
    return max(ends, key=lambda end: liking(side, *end))


def liking(side: int, winner: int | None, plies: int) -> tuple[int, int]:
    return (0, 0) if winner is None else (1, -plies) if winner == side else (-1, plies)


def told_worths(text: Explanation, width: int) -> dict[int, tuple[str | None, int | None]]:
    """Of every column that is spoken of: who wins (None: a draw) and in how many moves of his own."""
    worths: dict[int, tuple[str | None, int | None]] = {}
    for sentence in text.sentences:
        found = re.match(r"(?:Columns? |The only move, column )([\d, and]*\d),? (.*)", sentence)
        if found is not None:
            columns = [int(number) - 1 for number in re.findall(r"\d+", found[1])]
        elif sentence.startswith("Every move ") and sentence != "Every move loses.":
            columns = list(range(width))
        else:
            continue
        told = re.search(r"(Red|Yellow) wins in (\d+)\.$|wins? (?:too, but )?in (\d+)\.$", sentence)
        own = None if told is None else told[2] or told[3]
        worths |= dict.fromkeys(columns, ((told[1] or "mover") if told else None, int(own) if own else None))
    return worths


@pytest.mark.parametrize(("width", "height", "most_empty"), [(4, 4, 10), (5, 4, 9), (4, 5, 9), (5, 5, 8)])
def test_results_and_their_lengths_are_those_of_brute_force(width: int, height: int, most_empty: int) -> None:
    found = late_games(width, height, most_empty)
    assert len(found) > 10
    for moves in found:
        rows = oracle.from_moves(moves, width, height)
        text = explained(moves, width, height)
        winner, plies = end_of(rows)
        if winner is None:
            assert text.verdict == "A draw, if both sides play their best: solved."
        else:
            said = f"{NAMES[winner]} wins in {(plies + 1) // 2}, with disc {len(moves) + plies} of {width * height}"
            assert re.fullmatch(rf"{said}(, the last( but one)?)?: solved\.", text.verdict)
        worths = told_worths(text, width)
        mover = NAMES[oracle.side_to_move(rows)]
        for column in oracle.legal_moves(rows):
            winner, after = end_of(oracle.play(rows, column))
            told, length = worths[column]
            assert (mover if told == "mover" else told) == (None if winner is None else NAMES[winner])
            assert length == (None if winner is None else (after + 2) // 2)


@pytest.mark.parametrize(
    ("moves", "verdict"),
    [
        ("112233", "Red wins in 1, with disc 7 of 42: solved."),
        ("5112233", "Yellow wins in 1, with disc 8 of 42: solved."),
        ("226744515337", "Red wins in 9, with disc 29 of 42: solved."),  # published score: 7
        ("475772722323", "Red wins in 12, with disc 35 of 42: solved."),  # published score: 4
    ],
)
def test_who_wins_and_when(moves: str, verdict: str) -> None:
    assert explained(moves).verdict == verdict


def test_the_last_discs_are_called_so() -> None:
    found = {
        explained(moves, width, height).verdict.partition(" of ")[2]
        for width, height in SMALL
        for moves in late_games(width, height, 8)
    }
    assert {"16, the last: solved.", "16, the last but one: solved."} <= found


def test_the_book_is_named_if_it_answered() -> None:
    published = {0: 2, 1: 1, 2: 0, 3: -1}  # of the positions after one move, by its column, for the side to move
    first_columns = [position.rows()[-1].index(1) for position in Book.positions(1)]
    book = Book.from_scores(1, [published[min(column, 6 - column)] for column in first_columns])
    text = explain_solved(Position(), Solver(table_mib=16, book=book))
    assert text.verdict == "Red wins in 21, with disc 41 of 42, the last but one: from the opening book."
    assert text.sentences == (
        "No empty cell makes four for either side.",
        "Column 4 wins in 21.",
        "Columns 3 and 5 throw away the win in 21: a draw.",
        "Columns 2 and 6 throw away the win in 21: Yellow wins in 21.",
        "Columns 1 and 7 throw away the win in 21: Yellow wins in 20.",
    )


def test_a_lost_position_tells_the_longest_defence() -> None:
    assert explained("4254161422216265416613", 6, 5).sentences[-4:] == (
        "Every move loses.",
        "Column 4 holds out longest: Yellow wins in 3.",
        "Column 5 loses sooner: Yellow wins in 2.",
        "Column 3 loses sooner: Yellow wins in 1.",
    )


def test_moves_that_are_all_the_same_are_told_together() -> None:
    assert explained("31415").sentences[-1] == "Every move loses: Red wins in 1."
    assert explained("24632332466632645235144555", 6, 5).sentences[-1] == "The only move, column 1, keeps the draw."


# Fours at once


def test_a_four_that_can_be_made_is_told_and_marked() -> None:
    text = explained("112233")
    assert text.sentences[0] == "Red is to move and can make four at once: d1."
    assert Mark(5, 3, Side.FIRST, "win") in text.marks
    assert explained("5112233").sentences[0] == "Yellow is to move and can make four at once: d1."


def test_a_four_that_must_be_blocked_is_told_and_marked() -> None:
    text = explained("11223")
    assert text.sentences[:2] == ("If it were Red's turn, Red could make four at once: d1.", "Yellow must block it.")
    assert text.marks == (Mark(5, 3, Side.FIRST, "block"),)


def test_of_two_fours_only_one_can_be_blocked() -> None:
    text = explained("31415")
    assert text.sentences[:2] == (
        "If it were Red's turn, Red could make four at once: b1 and f1.",
        "Yellow can block only one of these.",
    )


def test_who_can_win_need_not_block() -> None:
    text = explained("171717")  # both have three on top of one another
    assert text.sentences[:3] == (
        "Red is to move and can make four at once: a4.",
        "If it were Yellow's turn, Yellow could make four at once: g4.",
        "Column 1 wins in 1.",
    )
    assert text.marks == (Mark(2, 0, Side.FIRST, "win"), Mark(2, 6, Side.SECOND, "block"))


# Threats


def threats_by_the_oracle(rows: oracle.Rows) -> set[tuple[int, int, int]]:
    """Empty cells and the side that has the other three cells of a four."""
    found = set()
    for side in (FIRST, SECOND):
        discs = oracle.cells_of(rows, side)
        for four in oracle.all_fours(oracle.width_of(rows), oracle.height_of(rows)):
            missing = set(four) - discs
            if len(missing) == 1:
                row, column = missing.pop()
                if rows[row][column] == oracle.EMPTY:
                    found.add((row, column, side))
    return found


@on_small_boards
def test_the_marks_are_the_cells_that_make_four(width: int, height: int) -> None:
    for moves, text in explained_games(width, height):
        rows = oracle.from_moves(moves, width, height)
        assert len(set(text.marks)) == len(text.marks)
        assert {(mark.row, mark.column, int(mark.side)) for mark in text.marks} == threats_by_the_oracle(rows)
        for mark in text.marks:
            is_playable = mark.row == len(rows) - 1 or rows[mark.row + 1][mark.column] != oracle.EMPTY
            playable = "win" if mark.side == oracle.side_to_move(rows) else "block"
            assert mark.kind == (playable if is_playable else "threat")


@on_small_boards
def test_every_waiting_threat_is_told_with_its_row(width: int, height: int) -> None:
    for _, text in explained_games(width, height):
        told = {
            (owner, cell, parity)
            for sentence in text.sentences
            for owner, parity, cells in re.findall(r"^(\w+) has .* (odd|even) rows?, not playable yet: (.*)", sentence)
            for cell in re.findall(r"[a-z]\d+", cells)
        }
        rows = {mark: height - mark.row for mark in text.marks if mark.kind == "threat"}
        assert told == {
            (NAMES[int(mark.side)], f"{'abcdefg'[mark.column]}{row}", "odd" if row % 2 else "even")
            for mark, row in rows.items()
        }


def test_a_board_without_threats_says_so() -> None:
    assert explained("226744515337").sentences[0] == "No empty cell makes four for either side."
    assert explained("226744515337").marks == ()


STACKED = re.compile(r"(\w)(\d+) and \1(\d+) of (\w+) lie on top of one another: if (\w+) blocks \1\2, \4 has \1\3\.")


def test_two_threats_on_top_of_one_another_cannot_both_be_blocked() -> None:
    seen = 0
    for width, height in SMALL:
        for moves in late_games(width, height, 14):
            for sentence in explained(moves, width, height).sentences:
                if found := STACKED.fullmatch(sentence):
                    column, low = "abcdefg".index(found[1]), height - int(found[2])
                    owner, other = (next(side for side in NAMES if NAMES[side] == found[i]) for i in (4, 5))
                    cells = threats_by_the_oracle(oracle.from_moves(moves, width, height))
                    assert {(low, column, owner), (low - 1, column, owner)} <= cells
                    assert (low, column, other) not in cells  # else the block would win
                    seen += 1
    assert seen > 0


# Zugzwang


def count_of(rows: oracle.Rows) -> tuple[int, int]:
    """Discs that can be played if nobody plays below a threat, and who then is to move."""
    threats = {(row, column) for row, column, _ in threats_by_the_oracle(rows)}
    filled = {(r, c) for r, row in enumerate(rows) for c, cell in enumerate(row) if cell != oracle.EMPTY}
    count, is_moving = 0, True
    while is_moving:
        is_moving = False
        for column in range(len(rows[0])):
            empty = [row for row in range(len(rows)) if (row, column) not in filled]
            if empty and (empty[-1] - 1, column) not in threats:
                filled.add((empty[-1], column))
                count, is_moving = count + 1, True
    return count, (oracle.side_to_move(rows) + count) % 2


@cache
def counts_told() -> list[tuple[str, int, int, str]]:
    return [
        (moves, width, height, sentence)
        for width, height in (*SMALL, (6, 5), (7, 6))
        for moves in late_games(width, height, 16)
        for sentence in explained(moves, width, height).sentences
        if sentence.startswith("Count: ")
    ]


def test_the_count_is_that_of_filling_the_board() -> None:
    told = counts_told()
    assert len(told) > 20
    for moves, width, height, sentence in told:
        room, mover = count_of(oracle.from_moves(moves, width, height))
        found = re.search(r"(\d+|no) (?:more )?discs? .*; then (\w+) must", sentence)
        assert found is not None
        assert (found[1], found[2]) == (str(room or "no"), NAMES[mover])


def test_one_threat_alone_follows_the_rule_of_thumb() -> None:
    """The count and the rule are the same arithmetic, on boards of every parity."""
    seen = set()
    for moves, width, height, sentence in counts_told():
        threats = threats_by_the_oracle(oracle.from_moves(moves, width, height))
        if len(threats) == 1:
            ((row, _, owner),) = threats
            parity = "odd" if (height - row) % 2 else "even"
            is_good = (parity == first_rows(width, height)) == (owner == FIRST)
            assert ("zugzwang helps" in sentence) == is_good
            assert ("zugzwang does not help" in sentence) == (not is_good)
            seen.add((height % 2, is_good))
    assert seen >= {(0, True), (0, False), (1, True), (1, False)}


@pytest.mark.parametrize(
    ("width", "height", "rows"),
    [(7, 6, "odd"), (4, 4, "odd"), (8, 8, "odd"), (7, 5, "odd"), (5, 5, "odd"), (6, 5, "even"), (4, 5, "even")],
)
def test_whose_rows_zugzwang_gives(width: int, height: int, rows: str) -> None:
    assert first_rows(width, height) == rows


def test_zugzwang_on_an_even_and_on_an_odd_height() -> None:
    assert explained("2117737733772251633").sentences[2:4] == (
        "Rule of thumb: on 7 x 6, zugzwang usually gives Red the odd rows and Yellow the even ones.",
        "Count: if neither side plays below a threat and no new one appears, 17 more discs can be played; then Red "
        "must play below its own threat d2, and Yellow can block that threat: zugzwang does not help Red.",
    )
    assert explained("4254161422216265416613", 6, 5).sentences[3:5] == (
        "Rule of thumb: on 6 x 5, zugzwang usually gives Red the even rows and Yellow the odd ones.",
        "Count: if neither side plays below a threat and no new one appears, 4 more discs can be played; then Red must "
        "play below c3, and Yellow makes four: zugzwang helps Yellow.",
    )


@on_small_boards
def test_what_is_not_a_fact_is_called_a_rule_or_a_count(width: int, height: int) -> None:
    for sentence in (sentence for _, text in explained_games(width, height) for sentence in text.sentences):
        if "zugzwang" in sentence or "usually" in sentence:
            assert sentence.startswith(("Rule of thumb: ", "Count: if "))
        assert "because" not in sentence


# The whole


def mirrored(sentence: str, width: int) -> str:
    """A sentence with its columns and cells exchanged, left and right."""

    def column(found: re.Match[str]) -> str:
        return re.sub(r"\d", lambda number: str(width + 1 - int(number[0])), found[0])

    sentence = re.sub(r"[Cc]olumns? \d(?:, \d)*(?: and \d)?", column, sentence)
    return re.sub(r"\b([a-g])(?=\d)", lambda cell: "abcdefg"[width - 1 - "abcdefg".index(cell[0])], sentence)


def words(sentence: str) -> list[str]:
    """In the order of the alphabet: lists of columns and cells run from the left in both."""
    return sorted(re.findall(r"\w+", sentence))


@on_small_boards
def test_the_mirror_image_is_explained_by_the_mirror_image(width: int, height: int) -> None:
    for moves, one in explained_games(width, height):
        other = explain_solved(Position.from_moves(moves, width, height).mirror(), SOLVER)
        assert one.verdict == other.verdict
        assert {Mark(mark.row, width - 1 - mark.column, mark.side, mark.kind) for mark in one.marks} == set(other.marks)
        assert sorted(words(mirrored(sentence, width)) for sentence in one.sentences) == sorted(
            words(sentence) for sentence in other.sentences
        )


@pytest.mark.parametrize(
    "finished",
    [
        Position.from_moves("1212121"),
        Position.from_rows([[2, 1, 1, 2], [2, 2, 1, 1], [1, 1, 2, 2], [2, 1, 2, 1]]),
    ],
    ids=["won", "full"],
)
def test_a_finished_game_is_not_explained(finished: Position) -> None:
    assert finished.outcome() is not None
    with pytest.raises(GameOverError):
        explain_solved(finished, SOLVER)


def test_the_board_shows_the_marks() -> None:
    position = Position.from_moves("112233")
    marks = explain_solved(position, SOLVER).marks
    assert marked_board(position, marks, ascii=True).splitlines() == [
        "6 . . . . . . .",
        "5 . . . . . . .",
        "4 . . . . . . .",
        "3 . . . . . . .",
        "2 o o o y . . .",
        "1 x x x R . . .",
        "  1 2 3 4 5 6 7",
        "  a b c d e f g",
        "R, Y, B: a disc there makes four for Red, Yellow, both; small letter: not playable yet.",
    ]
    assert "b" in explained("4254161422216265416613", 6, 5).board.splitlines()[2]  # a threat of both
    assert marked_board(Position(), ()).count("\n") == 7


def test_the_board_of_two_digit_rows_stays_in_line() -> None:
    lines = marked_board(Position(5, 12), ()).splitlines()
    assert len({len(line) for line in lines}) == 1


def test_as_text_it_is_the_verdict_the_board_and_the_sentences() -> None:
    text = explained("11223")
    assert str(text).splitlines() == [text.verdict, "", *text.board.splitlines(), "", *text.sentences, *text.reasons]
