"""The technique ladder: nodes fall row by row, and every rung finds the same."""

import json
import xml.etree.ElementTree as ET
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from outplay import checkers, connect4
from outplay.cli.lab import lab
from outplay.errors import GameOverError
from outplay.lab.clock import Clock, Stopped
from outplay.lab.compare import Row, agreement, ladder, rungs
from outplay.lab.evaluate import find_evaluation
from outplay.lab.picture import duration, ladder_svg
from outplay.rules import RULES, Position, rules_of

SHOWN = [
    ("connect4", "start", 6),
    ("connect4", "4453", 6),
    ("connect4", "44444226", 6),
    ("checkers", "start", 5),
    ("checkers", "B:W18,19,21,22,25,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,12", 5),
]


def rows_of(position: Position, depth: int) -> list[Row]:
    return list(ladder(position, depth, find_evaluation(None, rules_of(position).name).score))


@pytest.mark.parametrize(("game", "text", "depth"), SHOWN)
def test_nodes_fall_row_by_row(game: str, text: str, depth: int) -> None:
    rows = rows_of(RULES[game].read(text), depth)
    assert all(below.nodes < above.nodes for above, below in pairwise(rows))
    if game == "connect4":
        assert rows[0].nodes >= 20 * rows[-1].nodes
    assert len({row.score for row in rows}) == 1
    assert rows[0].nodes == sum(RULES[game].read(text).perft(plies) for plies in range(depth + 1))


def test_one_technique_more_in_each_row() -> None:
    rows = rows_of(connect4.Position(), 3)
    assert rows[0].techniques == ("minimax",)
    for above, below in pairwise(rows):
        assert below.techniques[:-1] == above.techniques
    assert [row.title for row in rows[:2]] == ["minimax", "+ alpha-beta"]


def test_the_mirror_has_a_rung_where_it_can_help() -> None:
    assert "mirror" in rungs(connect4.Position.from_moves("44"))
    assert "mirror" not in rungs(connect4.Position.from_moves("45"))
    assert "mirror" not in rungs(checkers.Position())


def test_rungs_of_your_own_and_quiescence_on_all_of_them() -> None:
    score = find_evaluation("material", "checkers").score
    position = checkers.Position.from_fen("B:W18,19,21,22,25,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,12")
    plain = [*ladder(position, 3, score, techniques=["alphabeta", "deepening"])]
    quiet = [*ladder(position, 3, score, techniques=["alphabeta", "deepening"], quiescence=True)]
    assert plain[-1].techniques == ("minimax", "alphabeta", "deepening")
    assert quiet[-1].techniques == ("minimax", "quiescence", "alphabeta", "deepening")
    assert quiet[0].nodes > plain[0].nodes
    assert len({row.score for row in quiet}) == 1


def test_progress_is_told_while_it_runs() -> None:
    told: list[tuple[tuple[str, ...], int]] = []
    evaluate = find_evaluation(None, "connect4").score
    rows = list(ladder(connect4.Position(), 5, evaluate, progress=lambda names, nodes: told.append((names, nodes))))
    assert {names for names, _ in told} == {row.techniques for row in rows}
    assert max(nodes for names, nodes in told if names == ("minimax",)) > 10_000


def test_there_is_nothing_to_compare_in_a_finished_game() -> None:
    with pytest.raises(GameOverError):
        rows_of(connect4.Position.from_moves("1212121"), 2)


def discs_on_the_right(position: Any) -> int:
    right = 0b1111111_1111111 << 35  # columns 6 and 7
    score: int = 2 * (position.own & right).bit_count() - (position.other & right).bit_count()
    return score


def test_rungs_that_disagree_are_told() -> None:
    """An evaluation that prefers right to left is not what the mirror expects."""
    rows = list(ladder(connect4.Position(), 4, discs_on_the_right, techniques=["table", "mirror"]))
    assert rows[1].score == rows[0].score != rows[2].score
    assert agreement(rows[:2]) == f"all find {rows[0].score}"
    assert agreement(rows) == f"minimax finds {rows[0].score}; + mirror images finds {rows[2].score}"


def test_a_rung_that_takes_too_long_is_given_up_and_the_others_go_on() -> None:
    rows = list(ladder(connect4.Position(), 7, find_evaluation(None, "connect4").score, rung_ms=150))
    assert (rows[0].move, rows[0].score) == (None, None)
    assert 0 < rows[0].nodes < 7**7
    assert rows[-1].score is not None
    assert agreement(rows).startswith("all find")
    assert agreement(rows[:1]) == "no rung was finished"


def test_a_ladder_is_ended_from_outside() -> None:
    clock = Clock()
    rows = ladder(connect4.Position(), 6, find_evaluation(None, "connect4").score, clock=clock)
    next(rows)
    clock.stop()
    with pytest.raises(Stopped):
        next(rows)


def test_durations() -> None:
    assert [duration(seconds) for seconds in (0.0003, 0.045, 5.31)] == ["0.3 ms", "45 ms", "5.3 s"]


# The picture


def test_the_picture_has_a_log_scale_from_one() -> None:
    rows = [Row(("minimax",), 10_000, 1.5, "4", 1), Row(("minimax", "alphabeta"), 100, 0.1, "4", 1)]
    root = ET.fromstring(ladder_svg(rows, "two rungs"))
    dots = [float(dot.attrib["cx"]) for dot in root.iter("{http://www.w3.org/2000/svg}circle")]
    lines = {float(line.attrib["x1"]) for line in root.iter("{http://www.w3.org/2000/svg}line")}
    assert dots[0] == max(lines)
    assert dots[1] - min(lines) == pytest.approx((dots[0] - min(lines)) / 2)
    texts = [text.text for text in root.iter("{http://www.w3.org/2000/svg}text")]
    assert "1" in texts
    assert "100.0 times" in texts


# The command


def test_the_command_prints_a_table_with_bars(tmp_path: Path) -> None:
    plot = tmp_path / "ladder.svg"
    done = CliRunner().invoke(lab, ["compare", "connect4", "4453", "--depth", "4", "--plot", str(plot)])
    assert done.exit_code == 0
    assert "minimax" in done.stdout
    assert "2,717" in done.stdout
    assert "━━━" in done.stdout
    assert "all find 10" in done.stdout
    assert "yes" in done.stdout
    assert plot.read_text(encoding="utf-8").startswith("<svg")


def test_the_command_answers_in_json() -> None:
    done = CliRunner().invoke(
        lab, ["compare", "checkers", "start", "--depth", "4", "--evaluate", "formation", "--json"]
    )
    answer = json.loads(done.stdout)
    assert [set(row) for row in answer["rows"]] == [{"techniques", "nodes", "seconds", "move", "score"}] * 5
    assert answer["rows"][0]["techniques"] == ["minimax"]
    assert answer["rows"][0]["nodes"] == 1 + 7 + 49 + 302 + 1469


def test_the_command_takes_your_techniques_in_your_order() -> None:
    arguments = ["compare", "connect4", "44", "--depth", "3", "--techniques", "ordering,alphabeta", "--order", "front"]
    done = CliRunner().invoke(lab, [*arguments, "--json"])
    assert [row["techniques"][-1] for row in json.loads(done.stdout)["rows"]] == ["minimax", "ordering", "alphabeta"]


@pytest.mark.parametrize(
    "wrong", [["--techniques", "magic"], ["--evaluate", "material"], ["--order", "captures"], ["--depth", "0"]]
)
def test_the_command_refuses_what_it_does_not_know(wrong: list[str]) -> None:
    assert CliRunner().invoke(lab, ["compare", "connect4", "4453", *wrong]).exit_code != 0
