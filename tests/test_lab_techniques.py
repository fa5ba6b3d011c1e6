"""Each technique by itself: what it does to a position, and what it saves."""

import pytest

from outplay import checkers, connect4
from outplay.errors import NotationError
from outplay.lab.alphabeta import AlphaBeta
from outplay.lab.deepening import deepen, useful_depth
from outplay.lab.evaluate import find_evaluation
from outplay.lab.minimax import Minimax
from outplay.lab.ordering import (
    Killers,
    by_distance,
    captures_and_advances,
    find_order,
    middle_to_front,
    to_front,
)
from outplay.lab.quiescence import is_quiet
from outplay.lab.score import WIN
from outplay.lab.table import EXACT, LOWER, UPPER, Table
from outplay.lab.techniques import TECHNIQUES, Techniques, make_search

CLASSIC = find_evaluation("classic", "connect4").score
MATERIAL = find_evaluation("material", "checkers").score


def columns(text: str) -> list[int]:
    return [int(character) - 1 for character in text]


# Ordering: both ways of centre first


def test_all_columns_by_their_distance_from_the_centre() -> None:
    assert by_distance(connect4.Position(), columns("1234567")) == columns("4352617")
    assert by_distance(connect4.Position(), columns("127")) == columns("217")
    assert by_distance(connect4.Position(8, 8), columns("12345678")) == columns("45362718")


def test_only_the_three_in_the_middle_come_to_the_front() -> None:
    position = connect4.Position()
    assert middle_to_front(position, columns("1234567")) == columns("3451267")
    assert middle_to_front(position, columns("1357")) == columns("3517")


def test_they_stay_where_they_are_when_three_or_fewer_are_open() -> None:
    assert middle_to_front(connect4.Position(), columns("137")) == columns("137")


@pytest.mark.parametrize("order", ["distance", "front"])
def test_centre_first_makes_alpha_beta_look_at_less(order: str) -> None:
    position = connect4.Position()
    nodes = []
    for techniques in (Techniques(alphabeta=True), Techniques(alphabeta=True, ordering=True)):
        search = make_search(techniques, position, CLASSIC, order=order)
        search.look(position, 5)
        nodes.append(search.nodes)
    assert nodes[1] < nodes[0] / 2


def test_captures_and_advances_first() -> None:
    position = checkers.Position.from_fen("B:W18,19,31:B1,K4,10,15,22,27")
    texts = [str(move) for move in captures_and_advances(position, position.legal_moves())]
    lengths = [text.count("x") for text in texts]
    assert lengths == sorted(lengths, reverse=True)
    quiet = checkers.Position.from_fen("B:W29,30:BK4,1,20,14")
    assert [str(move)[:2] for move in captures_and_advances(quiet, quiet.legal_moves())][:2] == ["20", "14"]
    assert str(captures_and_advances(quiet, quiet.legal_moves())[-1]).startswith("1-")  # the home row is left last


def test_orders_by_name() -> None:
    assert find_order(connect4.Position()) is by_distance
    assert find_order(connect4.Position(), "front") is middle_to_front
    with pytest.raises(NotationError, match="distance, front"):
        find_order(connect4.Position(), "captures")


def test_favourites_come_first_and_nothing_is_lost() -> None:
    assert to_front([1, 2, 3, 4], (3, 9, 1)) == [3, 1, 2, 4]
    assert to_front([1, 2], ()) == [1, 2]


def test_two_killers_a_ply_the_last_one_first() -> None:
    killers = Killers()
    for move in (3, 4, 4, 5):
        killers.add(2, move)
    assert killers.at(2) == (5, 4)
    assert killers.at(3) == ()


# Alpha-beta


def test_alpha_beta_looks_at_a_third_of_a_small_tree() -> None:
    position = connect4.Position.from_moves("4453")
    search = AlphaBeta(CLASSIC)
    search.look(position, 4)
    plain = Minimax(CLASSIC)
    plain.look(position, 4)
    assert (search.nodes, plain.nodes) == (909, 2717)


def test_a_window_is_answered_with_a_bound() -> None:
    position = connect4.Position.from_moves("4453")
    exact = Minimax(CLASSIC).look(position, 4).score
    below = AlphaBeta(CLASSIC).node(position, 4, exact - 10, exact - 5, 0)
    above = AlphaBeta(CLASSIC).node(position, 4, exact + 5, exact + 10, 0)
    assert exact - 5 <= below <= exact
    assert exact <= above <= exact + 5


# The table


def test_an_entry_settles_what_it_can() -> None:
    table = Table()
    position = connect4.Position()
    for bound, alpha, beta, is_enough in (
        (EXACT, -5, 5, True),
        (LOWER, 0, 3, True),
        (LOWER, 0, 9, False),
        (UPPER, 4, 9, True),
        (UPPER, 0, 9, False),
    ):
        table.store(position, 0, 6, 4, bound, 3)
        entry = table.find(position, 0)
        assert entry is not None
        assert entry.settles(alpha, beta) == is_enough


def test_only_the_same_depth_answers_unless_deeper_counts() -> None:
    position = connect4.Position()
    for deeper_counts in (False, True):
        table = Table(deeper_counts=deeper_counts)
        table.store(position, 0, 6, 4, EXACT, 3)
        entry = table.find(position, 0)
        assert entry is not None
        assert [table.is_deep_enough(entry, depth) for depth in (5, 6, 7)] == [deeper_counts, True, False]


def test_wins_are_counted_from_the_position() -> None:
    """A win three plies after this position is met four plies from the root, then two."""
    table = Table()
    position = connect4.Position()
    for score, later in ((WIN - 7, WIN - 5), (7 - WIN, 5 - WIN), (42, 42)):
        table.store(position, 4, 6, score, EXACT, 3)
        entry = table.find(position, 2)
        assert entry is not None
        assert entry.score == later


def test_a_mirror_image_shares_the_entry_and_mirrors_the_move() -> None:
    for position in (connect4.Position.from_moves("12"), connect4.Position.from_moves("76")):
        table = Table(mirror=True)
        table.store(position, 0, 6, 4, EXACT, 1)
        image = table.find(position.mirror(), 0)
        itself = table.find(position, 0)
        assert image is not None
        assert itself is not None
        assert (image.move, itself.move) == (5, 1)
        assert len(table) == 1
    plain = Table()
    plain.store(connect4.Position.from_moves("12"), 0, 6, 4, EXACT, 1)
    assert plain.find(connect4.Position.from_moves("76"), 0) is None


def test_a_full_table_starts_anew() -> None:
    table = Table(size=3)
    for moves in ("1", "2", "3", "4"):
        table.store(connect4.Position.from_moves(moves), 0, 1, 0, EXACT, None)
    assert len(table) == 1


# Quiescence


def test_a_position_with_a_jump_is_not_quiet() -> None:
    assert is_quiet(checkers.Position())
    assert not is_quiet(checkers.Position.from_fen("B:W18:B14"))
    assert is_quiet(connect4.Position.from_moves("112233"))


def test_the_horizon_deceives_and_quiescence_does_not() -> None:
    """14-18 looks harmless one ply deep; then 22x15 comes, and 11x18 takes back: even."""
    position = checkers.Position.from_fen("B:W22,30:B3,11,14")
    blind = {str(move): -Minimax(MATERIAL).node(position.play(move), 1, 0, 0, 1) for move in position.legal_moves()}
    seeing = {
        str(move): -Minimax(MATERIAL, quiescence=True).node(position.play(move), 1, 0, 0, 1)
        for move in position.legal_moves()
    }
    assert blind["14-18"] < seeing["14-18"]


# Deepening


def test_deeper_and_deeper_by_one_or_by_two() -> None:
    position = connect4.Position.from_moves("4453")

    def depths(depth: int, step: int) -> list[int]:
        search = make_search(Techniques.of("alphabeta,table"), position, CLASSIC)
        return [found.depth for found in deepen(search, position, lambda d: search.look(position, d), depth, step=step)]

    assert depths(4, 1) == [1, 2, 3, 4]
    assert depths(4, 2) == [2, 4]
    assert depths(5, 2) == [1, 3, 5]


def test_it_stops_when_the_end_is_certain() -> None:
    position = connect4.Position.from_moves("112233")
    search = make_search(Techniques.of("alphabeta,table"), position, CLASSIC)
    found = list(deepen(search, position, lambda depth: search.look(position, depth), 8))
    assert [answer.depth for answer in found] == [1]
    assert found[0].score == WIN - 1


def test_nothing_is_searched_beyond_the_last_empty_cell() -> None:
    assert useful_depth(connect4.Position.from_moves("4453"), 100) == 38
    assert useful_depth(connect4.Position(4, 4), 100) == 16
    assert useful_depth(checkers.Position(), 1000) == 100


# Names


def test_techniques_by_name() -> None:
    assert Techniques.of("") == Techniques.of("none") == Techniques()
    assert (
        Techniques.of("alphabeta, table") == Techniques.of("table+alphabeta") == Techniques(alphabeta=True, table=True)
    )
    assert Techniques.of("all").names() == TECHNIQUES
    assert str(Techniques.of("table,alphabeta")) == "alphabeta,table"
    with pytest.raises(NotationError, match="the techniques are alphabeta"):
        Techniques.of("magic")
