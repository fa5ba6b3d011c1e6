"""Lessons and puzzles: every accepted answer is proved, every other one refused, and bad files are named."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from outplay import checkers, connect4
from outplay.errors import NotationError
from outplay.learn import Goal, GradedPuzzle, LessonError, Prover, Step, find_puzzle, parse_lesson, shipped_puzzles
from outplay.learn.check import check_lesson, grade_fault, line_faults, puzzle_faults, step_faults
from outplay.learn.courses import shipped_lessons
from outplay.learn.grading import Grader
from outplay.learn.lesson import Lesson
from outplay.learn.mining import goal_of
from outplay.learn.progress import Attempt, daily_puzzle, new_kind, next_puzzle, standing
from outplay.learn.puzzle import GRADES, PREFIXES, parse_puzzle, positions_along, write_puzzles
from outplay.learn.record import level_rows, ready_level, ready_sentence
from outplay.learn.themes import ENDING
from outplay.learn.tries import puzzle_solution, try_moves
from outplay.outcome import Side
from outplay.rules import RULES, Position
from outplay.tablebase import Material
from tests.support.commands import run

FIVE = {"checkers/three-kings-against-two", "checkers/three-against-two"}
"""Lessons whose answers need tables of five pieces."""
PUZZLES = [puzzle for game in PREFIXES for puzzle in shipped_puzzles(game)]
LESSONS = [lesson for lesson in shipped_lessons() if lesson.key not in FIVE]
NOON = datetime(2026, 11, 16, 12, tzinfo=UTC)


@pytest.fixture(scope="module")
def prover() -> Prover:
    return Prover()


# Lessons


def test_each_game_has_twelve_lessons_of_five_to_ten_steps() -> None:
    for game in RULES:
        mine = [lesson for lesson in shipped_lessons() if lesson.game == game]
        assert len(mine) >= 12
        assert all(5 <= len(lesson.steps) <= 10 for lesson in mine)
        assert mine[0].name == "rules"


@pytest.mark.parametrize("lesson", [each for each in LESSONS if each.game == "connect4"], ids=lambda each: each.name)
def test_the_lessons_of_connect4_are_proved(lesson: Lesson, prover: Prover) -> None:
    assert check_lesson(lesson, prover) == []


@pytest.mark.slow
@pytest.mark.parametrize("lesson", [each for each in LESSONS if each.game == "checkers"], ids=lambda each: each.name)
def test_the_lessons_of_checkers_are_proved(lesson: Lesson, prover: Prover) -> None:
    assert check_lesson(lesson, prover) == []


def _has_few_pieces(step: Step) -> bool:
    return step.has_task and Material.of(step.position).pieces <= 4  # type: ignore[arg-type]


def test_the_endings_of_checkers_are_proved_by_the_tables(prover: Prover) -> None:
    steps = [step for lesson in LESSONS if lesson.game == "checkers" for step in lesson.steps if _has_few_pieces(step)]
    assert len(steps) > 20
    assert [fault for step in steps for fault in step_faults(step, prover)] == []


@pytest.mark.slow
def test_the_endings_of_five_pieces_are_proved_by_tables_built_for_it(tmp_path: Path) -> None:
    assert run("tablebase", "build", "--pieces", "5", "--folder", str(tmp_path)).exit_code == 0
    prover = Prover(tables=tmp_path)
    faults = [fault for lesson in shipped_lessons() if lesson.key in FIVE for fault in check_lesson(lesson, prover)]
    assert faults == []


def test_the_check_finds_a_wrong_answer_and_a_missing_one(prover: Prover) -> None:
    step = next(step for lesson in LESSONS if lesson.name == "double-threats" for step in lesson.steps)
    others = [text for move in step.position.legal_moves() if (text := step.position.format(move)) not in step.accept]
    wrong = set(step_faults(replace(step, accept=(others[0],), then=(), wrong={}), prover))
    assert wrong == {
        f"{step.accept[0]} reaches the goal win in 2 too, but is not listed",
        f"{others[0]} does not reach the goal win in 2",
    }


def test_texts_do_not_give_the_answer_away() -> None:
    for lesson in shipped_lessons():
        for step in lesson.steps:
            if step.has_task and step.goal.needs_scores and lesson.game == "checkers":
                assert not any(move in f"{step.text} {step.task}" for move in step.accept), lesson.key
            elif step.has_task and step.goal.needs_scores:
                assert f"column {step.accept[0]}" not in f"{step.text} {step.task}".lower(), lesson.key


@pytest.mark.parametrize(("page", "command"), [("learn.md", "learn"), ("puzzles.md", "puzzles")])
def test_the_tables_of_the_docs_are_those_of_the_commands(page: str, command: str) -> None:
    text = (Path(__file__).parent.parent / "docs" / page).read_text(encoding="utf-8")
    for table in run(command, "list", "--table").stdout.strip().split("\n\n"):
        assert table in text


def test_people_read_of_cells_and_never_of_holes() -> None:
    for lesson in shipped_lessons():
        for step in lesson.steps:
            said = (step.text, step.task, step.right, step.also_right, *(told.say for told in step.wrong.values()))
            assert not any("hole" in text.replace("whole", "") for text in said), lesson.key


LESSON = """game = "connect4"
title = "Mine"
summary = "One step"

[[step]]
text = "Win."
position = "141414"
task = "Red to move."
goal = "win in 1"
accept = ["1"]
right = "Four."
"""


@pytest.mark.parametrize(
    ("old", "new", "line", "reason"),
    [
        ('"win in 1"', '"mate"', 9, "a goal is"),
        ('["1"]', '["9"]', 10, "not a legal move here"),
        ('["1"]', "[]", 10, "at least one"),
        ('"141414"', '"1414x4"', 7, ""),
        ('right = "Four."', 'rihgt = "Four."', 11, "there is no key 'rihgt'"),
        ('right = "Four."', 'right = "Four."\nmarks = ["threat blue a4"]', 12, "needs a side"),
        ('task = "Red to move."\n', "", 9, "needs a task"),
        ('"connect4"', '"chess"', 1, "there is no game"),
        ('title = "Mine"', 'title = "Mine', 2, "not TOML"),
    ],
)
def test_a_bad_lesson_is_refused_with_its_line(old: str, new: str, line: int, reason: str) -> None:
    with pytest.raises(LessonError) as refused:
        parse_lesson(LESSON.replace(old, new), "mine", "mine.toml")
    assert reason in str(refused.value)
    where = str(refused.value).partition(":")[0]
    assert where.startswith("mine.toml, line "), str(refused.value)
    if reason not in ("needs a task", "at least one"):
        assert where == f"mine.toml, line {line}", str(refused.value)


def test_a_teachers_lesson_is_read_and_checked(tmp_path: Path) -> None:
    path = tmp_path / "01-mine.toml"
    path.write_text(LESSON, encoding="utf-8")
    assert "0 faults" in run("learn", "check", str(path)).stdout
    path.write_text(LESSON.replace('["1"]', '["4"]'), encoding="utf-8")
    refused = run("learn", "check", str(path))
    assert refused.exit_code == 1
    assert "line 5: step 1: 4 does not reach the goal" in refused.stderr


def test_a_check_refuses_what_it_cannot_check(tmp_path: Path) -> None:
    """It succeeded on nothing, and ignored a folder that did not exist."""
    nothing, empty = tmp_path / "nothing.toml", tmp_path / "empty.tsv"
    empty.write_text("", encoding="utf-8")
    same = tmp_path / "lessons" / "01-rules.toml"
    same.parent.mkdir()
    arguments = {
        ("learn", "check", str(nothing)): (1, "No such file"),
        ("learn", "check", "--tables", str(nothing)): (2, "there is no folder"),
        ("learn", "check", str(same.parent)): (3, "there is no lesson in it"),
        ("puzzles", "check", "--tables", str(nothing)): (2, "there is no folder"),
        ("puzzles", "check", "--file", str(nothing)): (1, "No such file"),
        ("puzzles", "check", "--file", str(empty)): (3, "there is no puzzle in it"),
    }
    for words, (code, said) in arguments.items():
        answer = run(*words)
        assert (answer.exit_code, said in answer.stderr) == (code, True), (words, answer.stderr)
    same.write_text(LESSON, encoding="utf-8")
    for place in (same, same.parent):
        refused = run("learn", "check", str(place))
        assert refused.exit_code == 3
        assert "another lesson has the key connect4/rules" in refused.stderr


# Puzzles


def test_four_hundred_puzzles_a_game_ship_in_less_than_a_megabyte() -> None:
    assert sum(len(write_puzzles(shipped_puzzles(game))) for game in PREFIXES) < 1_000_000
    for game in PREFIXES:
        assert len(shipped_puzzles(game)) >= 400
        assert {puzzle.grade for puzzle in shipped_puzzles(game)} == set(GRADES)
    assert len({puzzle.position.fen() for puzzle in PUZZLES}) == len(PUZZLES)


@pytest.mark.parametrize("game", list(PREFIXES))
def test_some_puzzles_are_proved(game: str, prover: Prover) -> None:
    chosen = shipped_puzzles(game)[:: 8 if game == "connect4" else 80]
    assert [(puzzle.id, fault) for puzzle in chosen for fault in puzzle_faults(puzzle, prover)] == []


@pytest.mark.slow
@pytest.mark.parametrize("game", list(PREFIXES))
def test_every_puzzle_is_proved(game: str, prover: Prover) -> None:
    faults = [(puzzle.id, fault) for puzzle in shipped_puzzles(game) for fault in puzzle_faults(puzzle, prover)]
    assert faults == []


@pytest.mark.parametrize("game", list(PREFIXES))
def test_some_grades_are_measured_anew(game: str) -> None:
    chosen = [puzzle for puzzle in shipped_puzzles(game) if puzzle.grade <= 4][::25]
    assert [(puzzle.id, fault) for puzzle in chosen if (fault := grade_fault(puzzle))] == []


@pytest.mark.slow
@pytest.mark.parametrize("game", list(PREFIXES))
def test_grades_hold_with_fresh_seeds(game: str) -> None:
    """Solved by the level of its grade in at least 75 %, by the level below in at most 40 %, of 100 puzzles."""
    puzzles, grader = shipped_puzzles(game), Grader()
    chosen = [puzzles[place * len(puzzles) // 100] for place in range(100)]
    seeds = range(5000, 5003)
    own = [grader.solves(puzzle, puzzle.grade, seed) for puzzle in chosen for seed in seeds]
    below = [grader.solves(puzzle, puzzle.grade - 1, seed) for puzzle in chosen if puzzle.grade > 1 for seed in seeds]
    assert sum(own) / len(own) >= 0.75
    assert sum(below) / len(below) <= 0.40


def test_the_check_finds_a_wrong_puzzle(prover: Prover) -> None:
    puzzle = next(each for each in PUZZLES if each.game == "connect4" and each.own_moves == 1)
    others = [puzzle.position.format(move) for move in puzzle.position.legal_moves()]
    other = next(text for text in others if text not in puzzle.accept)
    assert list(puzzle_faults(replace(puzzle, asked=(other,), accept=(other,), shown=()), prover))
    assert grade_fault(replace(puzzle, grade=puzzle.grade % 8 + 1))


def test_a_second_move_that_wins_is_found(prover: Prover) -> None:
    """23-26 wins two kings, but three other moves win the ending too: it is no puzzle."""
    text = "ck-0001\t2\tgain 3\tking,ending,attack\tB:WK7,K30:B19,K20,K23\t23-26 30x23x16 20x11x2"
    puzzle = parse_puzzle(text)
    assert "move 1: 20-16 also reaches the goal gain 3" in list(puzzle_faults(puzzle, prover))
    assert goal_of(puzzle.position, prover.lines(puzzle.position)) is None


@pytest.mark.parametrize(("name", "theme"), [("c4-0002", "odd-even"), ("c4-0075", "long")])
def test_odd_and_even_ends_in_zugzwang(name: str, theme: str, prover: Prover) -> None:
    """In the end every column of the loser gives the winner a four, in a row of the winner's own."""
    puzzle = find_puzzle(name)
    assert puzzle is not None
    assert theme in puzzle.themes
    positions = list(positions_along(puzzle.position, (*puzzle.asked, *puzzle.shown)))
    for move in prover.line(positions[-1], most=42):
        positions.append(positions[-1].play(move))
    before, given, end = positions[-3:]
    winner = puzzle.position.side
    last = next(6 - row for row, (old, new) in enumerate(zip(_rows(given), _rows(end), strict=True)) if old != new)
    gives_four = [_can_win(before.play(move)) for move in before.legal_moves()]
    assert before.side is not winner
    is_own_row = last % 2 == (1 if winner is Side.FIRST else 0)
    assert (all(gives_four) and not _open_four(before, winner) and is_own_row) is (theme == "odd-even")


def _rows(position: Position) -> list[str]:
    return position.fen().split("/")


def _can_win(position: Position) -> bool:
    return any(position.play(move).is_win(position.side) for move in position.legal_moves())


def _open_four(position: Any, side: Side) -> bool:
    return any((position.landing_row(column), column) in position.threats(side) for column in position.legal_moves())


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("c4-0073", "Column 1: It makes two threats at once, in columns 1 and 2: Red can block only one."),
        ("c4-0061", "Column 4: Every other column loses."),
        ("ck-0064", "16-20: It wins a man: 16-20 24-19 15x24."),
        ("ck-0437", "18-23: With best play Black has no piece left: 18-23 31-27 23x32."),
    ],
)
def test_a_solved_puzzle_says_why(name: str, said: str, prover: Prover) -> None:
    puzzle = find_puzzle(name)
    assert puzzle is not None
    assert puzzle_solution(puzzle, prover).sentence == said
    solved = try_moves(puzzle, puzzle.asked, prover)
    assert (solved.status, solved.sentence) == ("solved", said)


def test_a_puzzle_is_read_as_it_was_written() -> None:
    for puzzle in PUZZLES[::50]:
        assert parse_puzzle(puzzle.to_line()) == puzzle
    assert find_puzzle("c4-0001") == shipped_puzzles("connect4")[0]
    assert find_puzzle("c4-9999") is None


@pytest.mark.parametrize("place", range(6))
def test_a_damaged_line_is_refused(place: int) -> None:
    parts = PUZZLES[0].to_line().split("\t")
    parts[place] = "?"
    with pytest.raises(NotationError):
        parse_puzzle("\t".join(parts))


def test_a_line_shows_the_pieces_that_the_task_says_it_wins() -> None:
    """ck-0337 claimed a man although nobody captured, and a lesson said "win 3 men" when two kings made the score."""
    shown = [(each.id, each.position, each.goal, (*each.asked, *each.shown)) for each in PUZZLES]
    steps = [(lesson.key, step) for lesson in shipped_lessons() for step in lesson.steps if step.has_task]
    shown += [(key, step.position, step.goal, (step.accept[0], *step.then)) for key, step in steps]
    assert [(name, fault) for name, *line in shown for fault in line_faults(*line)] == []  # type: ignore[arg-type]
    claimed = [re.search(r"win (?:(a|\d) (?:m[ae]n|pieces?))", step.task) for _, step in steps]
    for found, (key, step) in zip(claimed, steps, strict=True):
        assert found is None or step.goal == Goal("gain", 1 if found[1] == "a" else int(found[1])), key


def test_a_line_that_wins_less_than_claimed_is_a_fault() -> None:
    start = checkers.Position.from_fen("W:W15,17,18,22:B7,9,13,23")
    assert list(line_faults(start, Goal("gain", 1), ("17-14", "23-26", "14x5"))) == []
    assert list(line_faults(start, Goal("gain", 2), ("17-14", "23-26", "14x5"))) == [
        "the line wins 1 of 2 pieces: 17-14 23-26 14x5"
    ]
    assert list(line_faults(start, Goal("gain", 1), ("17-14", "23-26"))) == ["the line ends before a capture"]


def test_a_king_is_a_piece_and_no_man() -> None:
    men, kings = (checkers.Position.from_fen(f"W:W15,17:B7,{other}") for other in ("13", "K13"))
    assert Goal("gain", 1).sentence(men) == "White to move and win a man."
    assert Goal("gain", 2).sentence(kings) == "White to move and win 2 pieces."


def test_in_an_ending_only_the_result_counts() -> None:
    gains = [each.position for each in PUZZLES if each.goal.kind == "gain"]
    assert not any(isinstance(at, checkers.Position) and len(at.pieces()) <= ENDING for at in gains)


# Getting on


def _tries(*kinds: tuple[str, str, float]) -> list[Attempt]:
    return [Attempt(name, kind, NOON + timedelta(days=days)) for name, kind, days in kinds]  # type: ignore[arg-type]


def test_a_miss_comes_back_after_a_day_and_after_a_week() -> None:
    name = PUZZLES[0].id
    puzzles = shipped_puzzles("connect4")
    missed = _tries((name, "missed", 0))
    assert standing(missed, puzzles, NOON + timedelta(hours=23)).due == ()
    assert standing(missed, puzzles, NOON + timedelta(days=1)).due == (name,)
    solved = [*missed, *_tries((name, "right", 1))]
    assert standing(solved, puzzles, NOON + timedelta(days=7)).due == ()
    assert standing(solved, puzzles, NOON + timedelta(days=8)).due == (name,)
    again = [*solved, *_tries((name, "right", 8))]
    assert standing(again, puzzles, NOON + timedelta(days=99)).due == ()


def test_the_grade_follows_the_results() -> None:
    puzzles = shipped_puzzles("connect4")
    easy = [puzzle.id for puzzle in puzzles if puzzle.grade == 4][:6]
    good = standing(_tries(*((name, "right", 0) for name in easy)), puzzles, NOON)
    bad = standing(_tries(*((name, "missed", 0) for name in easy)), puzzles, NOON)
    assert good.grade > 3.5 > 2 > bad.grade
    chosen, easier, harder = (next_puzzle(puzzles, good, shift=shift) for shift in (0, -1, 1))
    assert chosen is not None
    assert easier is not None
    assert harder is not None
    assert easier.grade < chosen.grade < harder.grade
    assert chosen.id not in good.solved


def test_a_retry_is_no_success_and_help_is_remembered() -> None:
    missed = _tries(("c4-0001", "missed", 0))
    soon = NOON + timedelta(hours=1)
    assert new_kind(missed, "c4-0001", is_right=True, now=soon) == "again"
    assert new_kind(missed, "c4-0001", is_right=False, now=soon) is None
    assert new_kind(missed, "c4-0001", is_right=True, now=NOON + timedelta(days=2)) == "right"
    assert new_kind(_tries(("c4-0001", "hint", 0)), "c4-0001", is_right=True, now=soon) == "helped"


def test_to_repeat_a_puzzle_that_is_not_due_changes_nothing() -> None:
    name, soon = "c4-0012", NOON + timedelta(minutes=1)
    for solved in ("right", "helped"):
        for is_right in (True, False):
            assert new_kind(_tries((name, solved, 0)), name, is_right=is_right, now=soon) is None
    comes_back = _tries((name, "missed", 0), (name, "again", 0.1), (name, "right", 1))
    assert new_kind(comes_back, name, is_right=True, now=NOON + timedelta(days=1, minutes=1)) is None
    assert new_kind(comes_back, name, is_right=True, now=NOON + timedelta(days=8)) == "right"
    assert new_kind(comes_back, name, is_right=False, now=NOON + timedelta(days=8)) == "missed"


def test_skipped_puzzles_come_again_only_when_all_were_seen() -> None:
    puzzles = [each for each in shipped_puzzles("connect4") if "forcing" in each.themes]
    stands, seen = standing([], puzzles, NOON), list[str]()
    for _ in puzzles:
        found = next_puzzle(puzzles, stands, after=seen)
        assert found is not None
        seen.append(found.id)
    assert len(set(seen)) == len(puzzles)
    first = next_puzzle(puzzles, stands, after=seen)
    assert first is not None
    assert first.id == seen[0]
    solved = standing(_tries(*((name, "right", 0) for name in seen)), puzzles, NOON)
    assert next_puzzle(puzzles, solved, after=seen) is None


def test_each_day_has_its_puzzle() -> None:
    puzzles = shipped_puzzles("checkers")
    first = [daily_puzzle(puzzles, date(2026, 11, 16) + timedelta(days=day)) for day in range(100)]
    assert len({puzzle.id for puzzle in first}) == 100
    assert all(2 <= puzzle.grade <= 6 for puzzle in first)


def test_seven_wins_of_ten_make_ready_for_the_next_level() -> None:
    results = [(3, "win")] * 7 + [(3, "loss")] * 3
    (row,) = level_rows("connect4", results)  # type: ignore[arg-type]
    assert ready_level("connect4", [row]) == row
    assert ready_sentence("connect4", row) == ("You won 7 of 10 against Planner. You are ready for level 4, Weaver.")
    (less,) = level_rows("connect4", [*results, (3, "loss")])  # type: ignore[list-item]
    assert ready_level("connect4", [less]) is None


def test_goals_are_read_as_written() -> None:
    for text in ("win", "win in 3", "draw", "hold 1", "gain 2", "forced", "told"):
        assert str(Goal.parse(text)) == text
    for text in ("", "win 3", "draw in 2", "gain", "hold", "lose", "win in 0"):
        with pytest.raises(NotationError):
            Goal.parse(text)


def test_puzzles_are_mined_checked_and_listed(tmp_path: Path) -> None:
    out = tmp_path / "new.tsv"
    told = run("puzzles", "mine", "connect4", "--out", str(out), "--count", "2", "--games", "20").stdout
    assert "2 new puzzles, 2 in all" in told
    assert "2 of 2 puzzles are right" in run("puzzles", "check", "--file", str(out), "--grades").stdout
    assert "| all |" in run("puzzles", "list", "--game", "connect4", "--table").stdout
    out.write_text(out.read_text(encoding="utf-8") + "c4-0001\n", encoding="utf-8")
    assert run("puzzles", "check", "--file", str(out)).exit_code != 0


def test_an_answer_depends_on_the_position_alone(prover: Prover) -> None:
    puzzle: GradedPuzzle = shipped_puzzles("checkers")[-1]
    assert Prover().lines(puzzle.position) == prover.lines(puzzle.position)
    assert prover.lines(connect4.Position.from_moves("1212121")) == ()
