"""What a user's type checker says: a small strict program passes, and each mistake in it is found."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = """
from outplay import AnyPosition, Game, Limit, Match, Outcome, Side, best_move, checkers, connect4, games, player, read


def centre(position: connect4.Position) -> int:
    return min(position.legal_moves(), key=lambda column: abs(column - position.width // 2))


game = Game(connect4.Position())
width: int = game.position.width
column: int = game.play("4").move or 0
moves: list[int] = game.moves
end: connect4.Position = game.root.end().position

other = Game(checkers.Position())
path: tuple[int, ...] = other.position.legal_moves()[0].path
taken: list[checkers.Move] = other.moves

outcome: Outcome | None = game.outcome()
result: str = "*" if outcome is None else outcome.result
chosen: int = best_move(game.position, centre)
answer: checkers.Move = best_move(other.position, "level:1", limit=Limit(depth=1))
match = Match(centre, player("level:2"), "connect4")


def count(position: AnyPosition[int]) -> int:
    return len(position.legal_moves()) if position.side is Side.FIRST else 0


count(game.position)
top: int = game.position.matrix()[0, 0].item()
for entry in read("4453"):
    if entry.game is not None:
        title: str = entry.game.rules.title
        here = entry.game.position
        across: int = here.width if isinstance(here, connect4.Position) else len(here.pieces())
for each in games("11-15 22-18"):
    last = each.moves[-1]
    squares: tuple[int, ...] = (last,) if isinstance(last, int) else last.path
"""
MISTAKES = {
    "game.position.height.nothing": "game.position.height.nothing",
    "a column is no text": "column_text: str = game.moves[0]",
    "checkers has no width": "other.position.width",
    "a move of checkers is no number": "number: int = other.moves[0]",
    "an outcome may be missing": "game.outcome().result",
    "a matrix has no moves": "game.position.matrix().legal_moves()",
    "a game that was read may be of either kind": "next(games('44')).position.width",
    "a game that was read has no nothing": "next(games('44')).nothing",
}


def mypy(path: Path) -> str:
    run_by = [sys.executable, "-m", "mypy", "--strict", "--no-incremental", "--no-error-summary", str(path)]
    return subprocess.run(run_by, capture_output=True, text=True, cwd=path.parent, timeout=300).stdout


def basedpyright(path: Path) -> str:
    run_by = [sys.executable, "-m", "basedpyright", "--level", "error", "--pythonpath", sys.executable, str(path)]
    done = subprocess.run(run_by, capture_output=True, text=True, cwd=path.parent, timeout=300)
    return "" if done.returncode == 0 else done.stdout


CHECKERS = {"mypy": mypy, "basedpyright": basedpyright}


@pytest.mark.parametrize("name", CHECKERS)
def test_a_strict_program_of_a_user_type_checks(name: str, tmp_path: Path) -> None:
    if importlib.util.find_spec(name) is None:
        pytest.skip(f"{name} is not installed")
    path = tmp_path / "program.py"
    path.write_text(PROGRAM, encoding="utf-8")
    assert CHECKERS[name](path) == ""
    path.write_text(PROGRAM + "\n".join(MISTAKES.values()) + "\n", encoding="utf-8")
    found = CHECKERS[name](path)
    first = PROGRAM.count("\n") + 1
    for number, mistake in enumerate(MISTAKES):
        assert f":{first + number}:" in found, f"{mistake} is not found\n{found}"
