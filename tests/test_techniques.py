"""The test of a part of the search: `python -m bench.techniques`."""

import pytest

from bench.techniques import LOG, Agreement, run
from outplay.checkers import Position, techniques
from outplay.engine.native import ENDGAMES
from outplay.match.sprt import Sprt
from outplay.outcome import Side
from outplay.record import Game


def test_a_test_that_is_run_again_plays_the_same_games() -> None:
    first, again = (run("reductions", 300, Sprt(elo1=10), 2).split("\t") for _ in range(2))
    assert first[:-1] == again[:-1]  # the last is the time it took
    part, nodes, _, games, pairs, *_, verdict, _ = first
    assert (part, nodes, verdict) == ("reductions", "300", "open")
    assert sum(map(int, games.split())) == 2 * sum(map(int, pairs.split())) == 4


def test_a_part_that_is_worth_nothing_scores_even() -> None:
    """Without nothing the searcher plays itself: the games of a pair are the same, with sides exchanged."""
    assert run("", 200, Sprt(elo1=10), 2).split("\t")[4] == "0 0 2 0 0"


def test_a_part_that_is_not_there_is_refused() -> None:
    with pytest.raises(ValueError, match="no part 'magic'"):
        run("magic", 100, Sprt(elo1=10), 1)


def test_a_game_is_won_when_both_sides_have_said_so_for_long() -> None:
    game, agreement = Game(Position.start()), Agreement()
    for ply in range(10):
        assert agreement.ruling(game) is None
        agreement.note(game, 400 if ply % 2 == 0 else -400)
        game.play(game.position.legal_moves()[0])
    ruling = agreement.ruling(game)
    assert ruling is not None
    assert ruling.winner is Side.FIRST


def test_every_part_of_the_search_was_accepted() -> None:
    rows = [row.split("\t") for row in LOG.read_text(encoding="utf-8").splitlines() if not row.startswith("#")]
    verdicts = {part: row[-2] for row in rows for part in row[0].split("+")}
    parts = (*techniques(), ENDGAMES)
    assert [verdicts.get(part) for part in parts] == ["accepted"] * len(parts)
