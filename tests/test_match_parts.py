"""What a match is made of: the schedule, who ends a game early, reports and pictures."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

from outplay import checkers
from outplay.match import Played, Result, Sprt
from outplay.match.adjudicate import Ruling, by_length, by_tables, ruled
from outplay.match.game import Pairing, Seats, TimeSpent, play_game
from outplay.match.openings import Opening
from outplay.match.picture import match_svg
from outplay.match.report import cross_table, elo_text, sentences, short
from outplay.match.schedule import jobs, pairings
from outplay.outcome import Reason, Side
from outplay.record import Game
from outplay.tablebase import Value, Verdict
from tests.test_match_games import a_match, played


def test_the_schedule_leaves_out_what_was_played() -> None:
    match = a_match()
    assert [each.round for each in pairings(match, 5)] == ["1.1", "1.2", "2.1", "2.2", "3.1"]
    assert [job.key for job in jobs(match, 5, played={"1.2", "3.1"})] == ["1.1", "2.1", "2.2"]


def test_tables_end_a_game_as_soon_as_they_know_it() -> None:
    def get(position: checkers.Position) -> Verdict | None:
        few = (position.black | position.white).bit_count() <= 21
        return Verdict(Value.LOSS if position.side is Side.FIRST else Value.WIN) if few else None

    judge = by_tables(get)
    game = Game(checkers.Position())
    assert judge(game) is None
    for text in ("11-15", "22-18", "15x22", "25x18", "12-16", "24-20", "16-19", "23x16"):
        game.play(text)
    assert judge(game) == Ruling(Side.SECOND, "endgame tables")  # Black is to move, and lost
    ruled(game, Ruling(Side.SECOND, "endgame tables"))
    outcome = game.outcome()
    assert outcome is not None
    assert (outcome.winner, outcome.reason) == (Side.SECOND, Reason.RESIGNATION)
    assert game.headers["Adjudication"] == "endgame tables"


def test_a_game_that_goes_on_for_too_long_is_drawn() -> None:
    judge, game = by_length(2), Game(checkers.Position())
    game.play("11-15")
    assert judge(game) is None
    game.play("22-18")
    assert judge(game) == Ruling(None, "2 plies")
    table = Seats()
    record = play_game(a_match("random", max_plies=9), Pairing(1, 1, Opening("start", "start")), table)
    table.close()
    outcome = record.outcome()
    assert outcome is not None
    assert (record.ply, outcome.winner, record.headers["Adjudication"]) == (9, None, "9 plies")


def a_result(points: list[tuple[float, float]]) -> Result:
    clocks = (TimeSpent(10, 1.0, 0.2), TimeSpent(10, 0.5, 0.1))
    found = [
        Played(pair, half, point, 40, "start", Reason.NO_MOVES, "", clocks)
        for pair, both in enumerate(points, 1)
        for half, point in enumerate(both, 1)
    ]
    return Result(a_match(), tuple(found), Sprt())


def test_the_tables_and_sentences_of_a_report() -> None:
    result = a_result([(1, 0.5), (0.5, 0.5), (1, 0), (0.5, 0)])
    assert cross_table(result) == [
        ("level:2 as Black", "4", "2", "2", "0", "3 (75.0%)"),
        ("level:2 as White", "4", "0", "2", "2", "1 (25.0%)"),
        ("all", "8", "2", "4", "2", "4 (50.0%)"),
    ]
    lines = sentences(result)
    assert lines[0] == elo_text(result.estimate)
    assert lines[0].startswith("Elo +0.0 ± ")
    assert lines[1] == "Pairs with 0, ½, 1, 1½, 2 points: 0 1 2 1 0"
    assert lines[2].startswith("SPRT of Elo 0 against 5: log-likelihood ratio ")
    assert lines[2].endswith("in (-2.94, 2.94), open")
    assert lines[3] == "level:2: 100.0 ms a move, at most 200 ms"
    assert short(result).startswith("+2 =4 -2  Elo +0 ± ")


def test_the_picture_shows_the_course_of_a_match() -> None:
    svg = match_svg(a_result([(1, 0.5), (0.5, 0.5), (1, 0), (0.5, 0)] * 30))
    assert svg.startswith("<svg")
    assert svg.count("<path") == 2
    assert "Elo +0.0" in svg
    assert match_svg(a_result([])).count("<path") == 0
    assert match_svg(a_result([(1, 1)] * 50)).count("<path") == 0


def test_the_json_of_a_result() -> None:
    found = a_result([(1, 0.5), (0.5, 0.5)]).as_json()
    assert {"wins", "draws", "losses", "elo", "elo_error", "games"} <= set(found)
    assert (found["wins"], found["draws"], found["losses"], found["games"]) == (1, 3, 0, 4)
    assert found["pairs"] == [0, 0, 1, 1, 0]
    assert json.loads(json.dumps(found, allow_nan=False)) == found
    empty = Result(a_match()).as_json()
    assert (empty["games"], empty["elo"], empty["share"]) == (0, None, None)


def test_the_endgame_tables_that_ship_end_a_game_at_once(tmp_path: Path) -> None:
    """Two kings against one: the side that has them wins, whoever plays."""
    endings = tmp_path / "endings.txt"
    endings.write_text("B:WK10:BK1,K5\n", encoding="utf-8")
    match = a_match("random", "random", openings=str(endings))
    result = played(match, 2)
    assert [(each.plies, each.points) for each in result.played] == [(0, 1), (0, 0)]
    assert all(each.plies > 0 for each in played(replace(match, tables=False), 2).played)
