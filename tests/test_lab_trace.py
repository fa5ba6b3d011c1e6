"""A recorded search: everything it looked at is there or counted, and every reason is true."""

import json
import re
import xml.etree.ElementTree as ET
from collections import defaultdict
from pathlib import Path

import pytest
from typer.testing import CliRunner

from outplay import checkers, connect4
from outplay.cli.lab import lab
from outplay.errors import GameOverError
from outplay.lab.clock import Clock
from outplay.lab.evaluate import find_evaluation
from outplay.lab.minimax import Minimax
from outplay.lab.picture import tree_svg, value
from outplay.lab.recorder import Visit
from outplay.lab.score import WIN
from outplay.lab.techniques import Techniques, make_search
from outplay.lab.trace import Trace, trace
from outplay.lab.words import reason, summary, tree
from outplay.rules import RULES, Position, rules_of

CASES = [
    ("connect4", "4453", "none", 3),
    ("connect4", "4453", "alphabeta,ordering", 4),
    ("connect4", "44444226", "alphabeta,ordering,killers,table,mirror", 5),
    ("connect4", "start", "all", 6),
    ("connect4", "1122", "all", 5),
    ("checkers", "start", "alphabeta,table", 5),
    ("checkers", "B:W18,19,21,22,25,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,12", "all", 5),
    ("checkers", "B:W23,22,15,14:B11,10", "alphabeta,quiescence", 2),
]


def recorded(game: str, text: str, techniques: str, depth: int, *, limit: int = 100_000) -> tuple[Position, Trace]:
    position = RULES[game].read(text)
    return position, trace(position, depth, Techniques.of(techniques), find_evaluation(None, game), limit=limit)


@pytest.mark.parametrize(("game", "text", "techniques", "depth"), CASES)
def test_a_recorded_search_is_the_same_search(game: str, text: str, techniques: str, depth: int) -> None:
    position, found = recorded(game, text, techniques, depth)
    in_use = Techniques.of(techniques)
    if not in_use.deepening:
        search = make_search(in_use, position, find_evaluation(None, game).score)
        assert search.look(position, depth).score == found.score
        assert search.nodes == found.visited
    assert sum(nodes for _, nodes in found.searches) == found.visited


@pytest.mark.parametrize("limit", [1, 7, 60, 100_000])
@pytest.mark.parametrize(("game", "text", "techniques", "depth"), CASES)
def test_what_is_not_shown_is_counted(game: str, text: str, techniques: str, depth: int, limit: int) -> None:
    _, found = recorded(game, text, techniques, depth, limit=limit)
    shown = [visit for visit in found.visits if visit.number is not None]
    assert len(found.visits) <= limit
    assert len(shown) + found.left_out == found.searches[-1][1]
    assert found.left_out == sum(visit.left_out for visit in found.visits)
    numbers = [visit.number for visit in shown if visit.number is not None]
    assert numbers == sorted(numbers)
    if limit == 100_000:
        assert found.left_out == 0
        assert numbers == list(range(1, found.searches[-1][1] + 1))


def test_even_a_search_that_is_far_too_large_to_keep_is_counted() -> None:
    _, found = recorded("connect4", "start", "none", 5, limit=20)
    assert sum(visit.number is not None for visit in found.visits) + found.left_out == 19608


@pytest.mark.parametrize(("game", "text", "techniques", "depth"), CASES)
def test_every_entry_tells_the_truth(game: str, text: str, techniques: str, depth: int) -> None:
    """Replay the tree: moves are legal, scores follow from the children, and each kind means what it says."""
    start, found = recorded(game, text, techniques, depth)
    children: defaultdict[int | None, list[Visit]] = defaultdict(list)
    for visit in found.visits:
        children[visit.parent].append(visit)
    positions: dict[int, Position] = {0: start}
    evaluate = find_evaluation(None, game).score
    for visit in found.visits:
        if visit.parent is not None:
            before = positions[visit.parent]
            assert visit.move in [before.format(move) for move in before.legal_moves()]
            positions[visit.id] = before.play(before.parse(visit.move))
        below = [child for child in children[visit.id] if child.kind != "pruned"]
        pruned = [child for child in children[visit.id] if child.kind == "pruned"]
        if visit.kind == "pruned":
            assert visit.score is None
            continue
        position = positions[visit.id]
        assert visit.score is not None
        assert visit.moves == len(position.legal_moves())
        assert len(below) == visit.looked
        if visit.kind in ("exact", "cut", "low"):
            assert len(pruned) == visit.moves - visit.looked
            assert visit.score == max(-child.score for child in below if child.score is not None)
        if visit.kind == "cut":
            assert visit.beta is not None
            assert visit.score >= visit.beta
            assert visit.by == below[-1].move
        elif visit.kind == "low":
            assert visit.alpha is not None
            assert visit.score <= visit.alpha
            assert not pruned
        elif visit.kind == "exact":
            assert not pruned
        elif visit.kind == "leaf":
            assert visit.score == evaluate(position)
        elif visit.kind == "end":
            assert position.outcome() is not None
            assert visit.score in (0, visit.ply - WIN)


def test_the_table_answers_with_what_minimax_would_find() -> None:
    start, found = recorded("connect4", "44444226", "alphabeta,ordering,killers,table,mirror", 5)
    positions: dict[int, Position] = {0: start}
    hits = 0
    for visit in found.visits:
        if visit.parent is not None:
            before = positions[visit.parent]
            positions[visit.id] = before.play(before.parse(visit.move or ""))
        if visit.kind == "table":
            hits += 1
            search = Minimax(find_evaluation(None, "connect4").score)
            exact = search.node(positions[visit.id], visit.depth, 0, 0, visit.ply)
            assert visit.score is not None
            if visit.bound == "exact":
                assert visit.score == exact
            elif visit.bound == "at least":
                assert visit.score <= exact
            else:
                assert visit.score >= exact
    assert hits > 10


def test_the_expected_line_is_kept_first() -> None:
    _, found = recorded("connect4", "4453", "alphabeta,ordering,killers", 5, limit=60)
    main = [visit.move for visit in found.visits if visit.is_main]
    assert main == [None, *found.line]


def test_the_clock_leaves_a_search_unfinished_and_it_says_so() -> None:
    position = connect4.Position()
    evaluation = find_evaluation("classic", "connect4")
    found = trace(position, 8, Techniques(), evaluation, clock=Clock(nodes=500))
    assert found.score is None
    assert found.visited <= 501
    assert found.visits[0].kind == "unfinished"
    assert "time was up" in "\n".join(summary(found))
    assert "time was up" in next(iter(tree(found)))


def test_a_finished_game_has_nothing_to_trace() -> None:
    with pytest.raises(GameOverError):
        recorded("connect4", "1212121", "none", 2)
    with pytest.raises(ValueError, match="limit"):
        recorded("connect4", "4", "none", 2, limit=0)


def test_two_jumps_that_lead_to_one_position_are_two_entries() -> None:
    """Two ways round take the same pieces and end on the same square: two moves, one position."""
    position = checkers.Position.from_fen("B:W6,7,14,15:BK2")
    moves = position.legal_moves()
    after = [position.play(move) for move in moves]
    assert len(set(after)) < len(after)
    evaluation = find_evaluation("material", "checkers")
    found = trace(position, 2, Techniques(), evaluation)
    texts = [visit.move for visit in found.visits if visit.ply == 1]
    assert sorted(texts, key=str) == sorted((str(move) for move in moves), key=str)


# Words


def test_reasons_in_words() -> None:
    cut = Visit("4", 2, 1, None, 5, 7, "cut", "at least", "3", "order", moves=7, looked=4, number=9)
    assert reason(cut) == "cut: 7 >= beta 5 by 3; 3 moves never looked at"
    killer = Visit("4", 2, 1, None, 5, 7, "cut", "at least", "3", "killer", moves=7, looked=7, number=9)
    assert reason(killer) == "cut: 7 >= beta 5 by 3, a killer"
    low = Visit("4", 2, 1, 3, 5, 2, "low", "at most", moves=6, looked=6, number=9)
    assert reason(low) == "low: no move gets above alpha 3; 6 moves looked at"
    assert reason(Visit("4", 2, 1, 3, 5, 4, "table", "exact", moves=6)) == "table: exactly 4, searched before"
    assert reason(Visit("4", 2, 0, 3, 5, WIN - 3, "end", moves=0)) == "the game is over"
    assert reason(Visit("4", 2, kind="pruned")) == "never looked at"


def test_the_tree_has_a_line_for_every_position_shown() -> None:
    _, found = recorded("connect4", "4453", "alphabeta,ordering", 3)
    lines = list(tree(found))
    assert len(lines) == found.visited
    assert lines[0].startswith("start")
    assert any("never looked at" in line for line in lines)


# Plain data, the picture and the command


def test_it_is_plain_data() -> None:
    _, found = recorded("checkers", "start", "all", 4, limit=50)
    data = json.loads(json.dumps(found.as_json()))
    assert data["game"] == "checkers"
    assert data["visits"][0]["kind"] == "exact"
    assert "move" not in data["visits"][0]
    assert all(visit["parent"] < visit["id"] for visit in data["visits"][1:])
    pruned = next(visit for visit in data["visits"] if visit["kind"] == "pruned")
    assert "score" not in pruned


def test_the_picture_shows_the_expected_line_and_what_stands_beside_it() -> None:
    _, found = recorded("connect4", "44444226", "alphabeta,ordering", 4)
    svg = ET.fromstring(tree_svg(found, "a tree"))
    texts = [text.text or "" for text in svg.iter("{http://www.w3.org/2000/svg}text")]
    assert "Red picks" in texts
    assert "estimates" in texts
    assert any(re.match("≤", text) for text in texts)


def test_values_in_the_picture_are_those_of_the_root_side() -> None:
    assert value(Visit("4", 1, score=-3, bound="exact", kind="exact")) == "+3"
    assert value(Visit("4", 1, score=3, bound="at least", kind="cut")) == "≤\N{MINUS SIGN}3"
    assert value(Visit("4", 2, score=3, bound="at least", kind="cut")) == "≥+3"
    assert value(Visit("4", 1, score=3 - WIN, bound="exact", kind="exact")) == "win 3"


def test_the_command_prints_the_tree(tmp_path: Path) -> None:
    picture = tmp_path / "tree.svg"
    done = CliRunner().invoke(lab, ["trace", "connect4", "4453", "--depth", "3", "--svg", str(picture)])
    assert done.exit_code == 0
    assert "looked at 187 positions" in done.stdout
    assert re.search(r"cut: -?\d+ >= beta -?\d+ by \d; \d moves? never looked at", done.stdout)
    assert picture.read_text(encoding="utf-8").startswith("<svg")


def test_the_command_answers_in_json() -> None:
    done = CliRunner().invoke(lab, ["trace", "checkers", "start", "--depth", "4", "--techniques", "all", "--json"])
    answer = json.loads(done.stdout)
    assert answer["techniques"] == list(Techniques.of("all").names())
    assert len(answer["visits"]) <= 200
    assert rules_of(checkers.Position.from_fen(answer["position"])).name == "checkers"
