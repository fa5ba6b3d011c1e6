"""Names of openings: found by position, whatever the order of the moves."""

from __future__ import annotations

from outplay import checkers
from outplay.openings import name_of, named_positions, opening_of
from outplay.record import Game
from outplay.rules import RULES, Position, rules_of


def positions(*moves: str, game: str = "checkers") -> list[Position]:
    played = Game(RULES[game].start())
    for move in moves:
        played.play(move)
    return [*played.history, played.position]


def test_every_opening_of_the_list_can_be_played_and_has_a_position_of_its_own() -> None:
    found = named_positions()
    assert len(found) == len(set(found.values())) == 36
    assert {rules_of(position).name for position in found} == {"checkers", "connect4"}


def test_the_last_name_on_the_way_counts() -> None:
    assert opening_of(positions("11-15", "23-19", "8-11", "22-17", "4-8")) == "Old Fourteenth"
    assert opening_of(positions("11-15", "23-19", "8-11", "22-17")) == "Old Faithful"
    assert opening_of(positions("11-15", "23-18", "9-14")) == "Cross"
    assert opening_of(positions("11-15")) == ""
    assert opening_of(positions("4", "4", "3", game="connect4")) == "Centre opening"


def test_another_order_of_the_moves_leads_to_the_same_opening() -> None:
    one = positions("10-14", "22-18", "12-16")
    other = positions("12-16", "22-18", "10-14")
    assert opening_of(one) == opening_of(other) == "White Doctor"


def test_a_position_without_a_name_has_none() -> None:
    assert name_of(checkers.Position.from_fen("B:WK18:BK4,K10")) == ""
