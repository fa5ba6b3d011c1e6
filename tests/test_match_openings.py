"""The openings of a match: the official ballots, rules that make openings, and files."""

from __future__ import annotations

import os
from collections import Counter
from itertools import islice
from pathlib import Path

import pytest

from outplay import checkers, connect4
from outplay.errors import NotationError
from outplay.match.ballots import NOT_BALLOTED, eleven_man_ballots, three_move_ballots
from outplay.match.openings import Opening, find_openings
from outplay.notation import read
from outplay.rules import CHECKERS, CONNECT4, RULES, Position

GAMES = [*RULES]


def positions(name: str, game: str, count: int, seed: int = 1) -> list[Position]:
    openings = find_openings(name, game, seed=seed)
    return [openings(number).game(RULES[game]).position for number in range(1, count + 1)]


def corpus(name: str) -> Path:
    folder = os.environ.get("OUTPLAY_CORPORA", "")
    if not folder:
        pytest.skip("OUTPLAY_CORPORA names no folder with the public corpora")
    return Path(folder) / "checkers" / name


# The ballots


def after(moves: tuple[str, ...]) -> checkers.Position:
    position = checkers.Position()
    for move in moves:
        position = position.play(position.parse(move))
    return position


def test_the_three_move_ballots_are_legal_and_all_different() -> None:
    ballots = three_move_ballots()
    assert len(ballots) == 156
    assert all(len(moves) == 3 for _, moves in ballots)
    assert len({after(moves) for _, moves in ballots}) == 156
    assert len({number for number, _ in ballots}) == 156
    assert all(1 <= int(number) <= 174 for number, _ in ballots)


def test_the_three_move_ballots_are_among_the_positions_after_three_plies() -> None:
    every = set(positions("plies:3", "checkers", 500))
    assert {after(moves) for _, moves in three_move_ballots()} < every
    assert len(every) <= checkers.Position().perft(3)


def test_the_three_move_ballots_are_those_of_the_corpus() -> None:
    rows = [line.split("\t") for line in corpus("ballots_3move.tsv").read_text(encoding="utf-8").splitlines()]
    in_play = {number: (moves, fen) for number, moves, deck, _, fen, *_ in rows[1:] if deck != "barred"}
    assert {number: " ".join(moves) for number, moves in three_move_ballots()} == {
        number: moves for number, (moves, _) in in_play.items()
    }
    for number, moves in three_move_ballots():
        assert after(moves) == checkers.Position.from_fen(in_play[number][1])


def test_the_eleven_man_ballots_follow_their_rule() -> None:
    ballots = eleven_man_ballots()
    assert len(ballots) == len(set(ballots)) == 2400
    for position in ballots:
        assert position.black.bit_count() == position.white.bit_count() == 11
        assert position.fen().startswith("B:")
        assert not position.kings
        assert position.outcome() is None
    assert not NOT_BALLOTED & set(ballots)
    assert len(NOT_BALLOTED) == 9


def test_the_eleven_man_ballots_are_those_of_the_corpus() -> None:
    entries = [entry.game for entry in read(corpus("11_man_english.pdn"))]
    assert {game.start for game in entries if game is not None} == set(eleven_man_ballots())
    assert positions(str(corpus("11_man_english.pdn")), "checkers", 3)


# Rules that make openings


def test_a_deck_is_dealt_whole_before_any_opening_comes_again() -> None:
    openings = find_openings("3move", "checkers")
    twice = [openings(number).name for number in range(1, 2 * 156 + 1)]
    assert len(set(twice[:156])) == len(set(twice[156:])) == 156
    assert twice[:156] != twice[156:]
    assert set(Counter(twice).values()) == {2}


@pytest.mark.parametrize(("name", "game"), [("3move", "checkers"), ("random:6", "checkers"), ("plies:4", "connect4")])
def test_the_seed_decides_the_order(name: str, game: str) -> None:
    assert positions(name, game, 20, seed=4) == positions(name, game, 20, seed=4)
    assert positions(name, game, 20, seed=4) != positions(name, game, 20, seed=5)
    openings = find_openings(name, game, seed=4)
    assert openings(13) == openings(13)


def test_connect_four_openings_are_all_positions_of_a_ply_but_mirror_images() -> None:
    """The published numbers of positions by ply: 7, 49, 238, 1120."""
    for plies, known in ((1, 7), (2, 49), (3, 238), (4, 1120)):
        deck = positions(f"plies:{plies}", "connect4", (known + known) // 2)
        found = {position for position in deck if isinstance(position, connect4.Position)}
        assert len(found | {position.mirror() for position in found}) == known
        mirrored = [position for position in found if position.mirror() in found]
        assert all(position.mirror() == position for position in mirrored)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("name", ["random:0", "random:10", "plies:0", "plies:2", "start"])
def test_openings_leave_a_game_to_be_played(name: str, game: str) -> None:
    plies = int(name.partition(":")[2] or 0)
    for opening in islice(map(find_openings(name, game), range(1, 100)), 25):
        record = opening.game(RULES[game])
        assert record.outcome() is None
        assert record.ply == plies


# Files


def test_a_file_of_games_is_a_deck(tmp_path: Path) -> None:
    path = tmp_path / "mine.pdn"
    path.write_text('1. 11-15 22-17 1-0\n\n[FEN "B:W18,24,27,K10:B12,16"] *\n', encoding="utf-8")
    found = {position.fen() for position in positions(str(path), "checkers", 2)}
    assert found == {after(("11-15", "22-17")).fen(), "B:W18,24,27,K10:B12,16"}


def test_a_file_of_positions_is_a_deck(tmp_path: Path) -> None:
    path = tmp_path / "mine.txt"
    path.write_text("# a comment\n4453\n\n12\n", encoding="utf-8")
    assert {position.fen() for position in positions(str(path), "connect4", 2)} == {
        connect4.Position.from_moves(moves).fen() for moves in ("4453", "12")
    }


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("B:W1:B40\n", "mine.txt 1"),
        ("rubbish\n", "mine.txt 1"),
        ("start\nW:W5:B1\n", r"mine.txt 2.*the game is over after the opening \(no moves\)"),
        ("# nothing\n", "contains no opening"),
    ],
)
def test_a_file_that_cannot_be_is_refused_with_the_place(tmp_path: Path, content: str, reason: str) -> None:
    path = tmp_path / "mine.txt"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(NotationError, match=reason):
        find_openings(str(path), "checkers")


def test_a_file_of_the_other_game_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "mine.pdn"
    path.write_text('[GameType "connect4"] 4455 *\n', encoding="utf-8")
    with pytest.raises(NotationError, match="game 1 is Connect Four, not Checkers"):
        find_openings(str(path), "checkers")


@pytest.mark.parametrize(
    "name", ["", "4move", "plies:", "plies:x", "plies:-1", "plies:99", "random:99", "random:", "no file.pdn"]
)
@pytest.mark.parametrize("game", GAMES)
def test_an_unknown_name_is_refused(name: str, game: str) -> None:
    with pytest.raises(NotationError, match=r"openings are|number of plies"):
        find_openings(name, game)


def test_the_ballots_are_for_checkers_only_and_decks_have_an_end() -> None:
    for name in ("3move", "11man"):
        with pytest.raises(NotationError, match="for checkers"):
            find_openings(name, "connect4")
    with pytest.raises(NotationError, match="more than 20,000"):
        find_openings("plies:9", "connect4")


def test_openings_of_two_kinds_are_dealt_in_turn() -> None:
    both, three, eleven = (find_openings(name, "checkers", seed=4) for name in ("3move+11man", "3move", "11man"))
    assert [both(number) for number in range(1, 5)] == [three(1), eleven(1), three(2), eleven(2)]
    with pytest.raises(NotationError, match="openings are"):
        find_openings("3move+4move", "checkers")


def test_an_opening_is_text_and_becomes_a_game() -> None:
    assert Opening("mine", "start", ("11-15",)).game(CHECKERS).ply == 1
    assert Opening("mine", "4453").game(CONNECT4).position == connect4.Position.from_moves("4453")
