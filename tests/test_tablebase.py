"""The endgame tables: published numbers, the oracle's brute force, laws, and play that follows them."""

import pickle
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from math import comb
from pathlib import Path
from random import Random

import pytest
from hypothesis import given

from outplay import Game
from outplay.checkers import Position
from outplay.errors import GameOverError, MissingTableError, NotationError
from outplay.outcome import Reason, Side
from outplay.record import AnyGame
from outplay.tablebase import (
    Material,
    Tablebase,
    TableCount,
    Value,
    Verdict,
    materials,
    needs,
    plan,
    read_info,
    shipped_folder,
    table_path,
    tables,
)
from tests.oracle import checkers as oracle
from tests.oracle.endgames import Endgames, all_positions
from tests.support.endings import endings, random_ending
from tests.support.published import table

TOTALS = {int(row["pieces"]): row for row in table("tablebase_totals.tsv")}
LONGEST_WIN = "B:W30,32:B1,23"
"""Of all positions with four pieces, found by looking at all."""
VALUES = {1: Value.WIN, 0: Value.DRAW, -1: Value.LOSS}


@pytest.fixture(scope="module")
def tablebase(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tablebase]:
    """What ships, and nothing else."""
    with Tablebase.open(tmp_path_factory.mktemp("empty")) as opened:
        yield opened


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tablebase]:
    with Tablebase.open(tmp_path_factory.mktemp("empty"), unpacked=True) as opened:
        yield opened


def shipped(pieces: int) -> list[TableCount]:
    """What the heads of the tables that ship say about each material of so many pieces."""
    return [count for name in tables(pieces) for count in read_info(table_path(name, shipped_folder())).tables]


# Published numbers


def test_king_against_king_is_the_published_count() -> None:
    (count,) = read_info(table_path("0101", shipped_folder())).tables
    assert (count.positions, count.wins, count.draws, count.losses) == (992, 230, 654, 108)


@pytest.mark.parametrize("pieces", [2, 3, 4])
def test_the_totals_are_the_published_ones(pieces: int) -> None:
    counts = shipped(pieces)
    published = TOTALS[pieces]
    assert sum(count.wins for count in counts) == int(published["wins"])
    assert sum(count.draws for count in counts) == int(published["draws"])
    assert sum(count.losses for count in counts) == int(published["losses"])


@pytest.mark.parametrize("pieces", TOTALS)
def test_every_placement_has_a_place_in_a_table(pieces: int) -> None:
    with_both = sum(job.positions for job in plan(pieces))
    of_one_side = sum(comb(28, men) * comb(32 - men, pieces - men) for men in range(pieces + 1))
    assert with_both + 2 * of_one_side == int(TOTALS[pieces]["placements"])


# The oracle


def test_two_pieces_are_as_brute_force_finds_them(tablebase: Tablebase) -> None:
    agrees_with_brute_force(tablebase, Endgames(2))
    assert oracle_counts(Endgames(2), 2) == {count.material: count for count in shipped(2)}


@pytest.mark.slow
def test_three_pieces_are_as_brute_force_finds_them(tablebase: Tablebase) -> None:
    endgames = Endgames(3)
    agrees_with_brute_force(tablebase, endgames)
    assert oracle_counts(endgames, 3) == {count.material: count for count in shipped(3)}


def agrees_with_brute_force(tablebase: Tablebase, endgames: Endgames) -> None:
    for position in endgames.positions.values():
        ending = endgames.ending(position)
        verdict = tablebase.probe(Position.from_fen(oracle.fen(position)))
        assert verdict.value is VALUES[ending.value], oracle.fen(position)
        assert verdict.distance == (ending.plies if ending.value else None), oracle.fen(position)


def oracle_counts(endgames: Endgames, pieces: int) -> dict[Material, TableCount]:
    counts = {Material.parse(text): count for text, count in endgames.counts().items()}
    return {m: TableCount(m, sum(count), *count) for m, count in counts.items() if m.pieces == pieces}


def test_the_oracle_counts_the_published_totals() -> None:
    counts = Endgames(2).counts().values()
    assert [sum(column) for column in zip(*counts, strict=True)] == [716, 2370, 402]
    assert sum(1 for _ in all_positions(2)) == 3488


# Laws


@given(position=endings())
def test_a_value_is_the_best_that_the_moves_can_make(tablebase: Tablebase, position: Position) -> None:
    verdict = tablebase.probe(position)
    after = [tablebase.probe(position.play(move)) for move in position.legal_moves()]
    lost = [reply.distance for reply in after if reply.value is Value.LOSS and reply.distance is not None]
    won = [reply.distance for reply in after if reply.value is Value.WIN and reply.distance is not None]
    if lost:
        assert verdict == Verdict(Value.WIN, min(lost) + 1)
    elif len(won) == len(after):
        assert verdict == Verdict(Value.LOSS, max(won, default=-1) + 1)
    else:
        assert verdict == Verdict(Value.DRAW)


@given(position=endings())
def test_the_verdict_is_the_same_from_the_other_side_of_the_board(tablebase: Tablebase, position: Position) -> None:
    assert tablebase.probe(position) == tablebase.probe(position.flip())


@given(position=endings())
def test_unpacked_tables_say_the_same(tablebase: Tablebase, unpacked: Tablebase, position: Position) -> None:
    assert tablebase.probe(position) == unpacked.probe(position)


@pytest.mark.parametrize("kind", ["tablebase", "unpacked"])
def test_many_positions_asked_together_get_the_same_answers(request: pytest.FixtureRequest, kind: str) -> None:
    asked: Tablebase = request.getfixturevalue(kind)
    random = Random(3)
    positions = [random_ending(random, random.choice((2, 3, 4, 4, 4, 5, 6))) for _ in range(1000)]
    positions += [Position(), Position.from_fen("W:WK1:B"), Position.from_fen("B:WK1:B")]
    answers = asked.get_all(iter(positions))
    assert answers == [asked.get(position) for position in positions]
    assert {answer is None for answer in answers} == {True, False}
    assert asked.get_all([]) == []


def test_any_size_of_the_cache_gives_the_same_answers(tmp_path: Path) -> None:
    random = Random(7)
    positions = [random_ending(random, 4) for _ in range(300)]
    answers = []
    for cache_mib in (0, 1, 64):
        with Tablebase.open(tmp_path, cache_mib=cache_mib) as tablebase:
            answers.append([tablebase.probe(position) for position in positions])
    assert answers[0] == answers[1] == answers[2]


def test_many_threads_ask_at_once(tmp_path: Path, unpacked: Tablebase) -> None:
    def ask(seed: int) -> bool:
        random = Random(seed)
        positions = [random_ending(random, 4) for _ in range(500)]
        return all(fresh.probe(position) == unpacked.probe(position) for position in positions)

    with Tablebase.open(tmp_path, cache_mib=1) as fresh, ThreadPoolExecutor(8) as pool:
        assert all(pool.map(ask, range(8)))


# Play


@pytest.mark.parametrize("pieces", [2, 3, 4])
def test_a_won_ending_is_won_over_the_board(tablebase: Tablebase, pieces: int) -> None:
    random = Random(pieces)
    for _ in range(30):
        position = random_ending(random, pieces)
        verdict = tablebase.probe(position)
        if verdict.value is Value.WIN:
            game = play_out(tablebase, position)
            outcome = game.outcome()
            assert outcome is not None
            assert outcome.winner is position.side
            assert game.ply == verdict.distance


def play_out(tablebase: Tablebase, position: Position) -> AnyGame:
    """Both sides follow the tables to the end, the rules of repetition and progress in force."""
    game = Game(position)
    while game.outcome() is None:
        assert isinstance(game.position, Position)
        game.play(tablebase.best(game.position))
    return game


def test_the_longest_win_of_four_pieces_is_not_drawn_for_want_of_progress(tablebase: Tablebase) -> None:
    position = Position.from_fen(LONGEST_WIN)
    assert tablebase.probe(position) == Verdict(Value.WIN, 109)
    outcome = play_out(tablebase, position).outcome()
    assert outcome is not None
    assert outcome.winner is position.side
    assert outcome.reason is not Reason.NO_PROGRESS


def test_a_drawn_ending_is_held(tablebase: Tablebase) -> None:
    outcome = play_out(tablebase, Position.from_fen("B:WK18,K19:BK4,K10")).outcome()
    assert outcome is not None
    assert outcome.is_draw


def test_best_says_that_the_game_is_over(tablebase: Tablebase) -> None:
    with pytest.raises(GameOverError):
        tablebase.best(Position.from_fen("W:WK29:B21,25,22"))


# What is asked of it


def test_a_finished_position_is_lost_for_whoever_is_to_move(tablebase: Tablebase) -> None:
    assert tablebase.probe(Position.from_fen("B:WK18:B")) == Verdict(Value.LOSS, 0)
    assert tablebase.probe(Position.from_fen("W:WK18:B")).value is Value.WIN


def test_more_pieces_than_there_are_tables_for(tablebase: Tablebase) -> None:
    position = Position.from_fen("B:WK18,K19:BK4,K10,1")
    assert tablebase.get(position) is None
    with pytest.raises(MissingTableError) as caught:
        tablebase.probe(position)
    assert caught.value.material == "1202"
    with pytest.raises(MissingTableError):
        tablebase.best(position)
    assert tablebase.get(Position()) is None
    with pytest.raises(MissingTableError):
        tablebase.best(Position())


def test_it_lists_what_it_has(tablebase: Tablebase) -> None:
    assert set(tablebase.materials) == {*materials(2), *materials(3), *materials(4)}


def test_a_closed_tablebase_answers_no_more(tmp_path: Path) -> None:
    with Tablebase.open(tmp_path) as opened:
        assert opened.get(Position.from_fen("B:WK18:BK4")) is not None
    with pytest.raises(ValueError, match="closed"):
        opened.get_all([])
    with pytest.raises(ValueError, match="closed"):
        opened.get(Position.from_fen("B:WK18:BK4"))
    with pytest.raises(ValueError, match="closed"):
        opened.best(Position.from_fen("B:WK18:BK4"))


@pytest.mark.parametrize("cache_mib", [-1, 1 << 40])
def test_a_cache_of_a_size_that_cannot_be_is_refused(tmp_path: Path, cache_mib: int) -> None:
    with pytest.raises(ValueError, match="cache_mib"):
        Tablebase.open(tmp_path, cache_mib=cache_mib)


# Materials


def test_a_material_is_seen_from_the_side_to_move() -> None:
    position = Position.from_fen("W:W18,K19:BK4,K10,1")
    assert Material.of(position) == Material(1, 1, 1, 2)
    assert str(Material.of(position)) == "1112"
    assert Material.of(position).other == Material.of(position.flip().flip()).other == Material(1, 2, 1, 1)
    assert position.side is Side.SECOND


def test_a_material_survives_text_and_pickle() -> None:
    for material in materials(5):
        assert Material.parse(str(material)) == material == pickle.loads(pickle.dumps(material))
        assert material.other.other == material
        assert material.table == material.other.table


@pytest.mark.parametrize("text", ["", "12", "12011", "1a01", "0012", "1200", "9999", "²201", "5500"])
def test_a_text_that_is_no_material_is_refused(text: str) -> None:
    with pytest.raises(NotationError):
        Material.parse(text)


@pytest.mark.parametrize("pieces", [2, 3, 4, 5, 6, 7, 8])
def test_each_table_needs_only_those_before(pieces: int) -> None:
    known = {name for fewer in range(2, pieces) for name in tables(fewer)}
    for name in tables(pieces):
        assert set(needs(name)) <= known
        known.add(name)
    assert {material.table for material in materials(pieces)} == set(tables(pieces))


@pytest.mark.parametrize("pieces", [-1, 0, 1, 9, 1000])
def test_tables_of_too_few_or_too_many_pieces_are_refused(pieces: int) -> None:
    with pytest.raises(ValueError, match="pieces must be"):
        plan(pieces)


def test_a_name_must_be_that_of_the_file() -> None:
    with pytest.raises(NotationError, match="called 2001"):
        needs("0120")
