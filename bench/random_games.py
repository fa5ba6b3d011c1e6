"""Measure random games in a plain Python loop (legal moves, play and outcome each ply) and similar packages from PyPI.

All packages use the same random numbers, drawn before the clock starts, so that the loops do the same work.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence
from typing import Any

from outplay import checkers, connect4

Numbers = Sequence[Sequence[float]]  # one row a game, one number in [0, 1) a ply
MOST_PLIES = {"connect4": 42, "checkers": 120}


def draw_numbers(game: str, games: int, seed: int = 1) -> Numbers:
    source = random.Random(seed)
    return [[source.random() for _ in range(MOST_PLIES[game])] for _ in range(games)]


def play_outplay(start: Any, numbers: Numbers) -> int:
    plies = 0
    for row in numbers:
        position = start
        for number in row:
            moves = position.legal_moves()
            position = position.play(moves[int(number * len(moves))])
            plies += 1
            if position.outcome() is not None:
                break
    return plies


def play_open_spiel(game: str, numbers: Numbers) -> int:
    import pyspiel

    start = pyspiel.load_game(game).new_initial_state()
    plies = 0
    for row in numbers:
        state = start.clone()
        for number in row:
            actions = state.legal_actions()
            state.apply_action(actions[int(number * len(actions))])
            plies += 1
            if state.is_terminal():
                break
    return plies


def play_pydraughts(numbers: Numbers) -> int:
    from draughts import Board

    plies = 0
    for row in numbers:
        board = Board(variant="english", fen="startpos")
        for number in row:
            moves = board.legal_moves()
            board.push(moves[int(number * len(moves))])
            plies += 1
            if board.is_over():
                break
    return plies


def plies_per_second(play: Callable[[Numbers], int], numbers: Numbers, repeats: int = 3) -> float:
    """Return the speed of the fastest of a few runs, which is the least disturbed one."""
    best = 0.0
    for _ in range(repeats):
        started = time.perf_counter()
        plies = play(numbers)
        best = max(best, plies / (time.perf_counter() - started))
    return best


def measure() -> list[tuple[str, str, float]]:
    """Return rows of (what, who, plies a second), ours first in each group."""
    rows = []
    numbers = draw_numbers("connect4", 3000)
    rows.append(
        (
            "Connect Four, random games",
            "outplay",
            plies_per_second(lambda n: play_outplay(connect4.Position(), n), numbers),
        )
    )
    rows.append(
        (
            "Connect Four, random games",
            "open_spiel",
            plies_per_second(lambda n: play_open_spiel("connect_four", n), numbers),
        )
    )
    numbers = draw_numbers("checkers", 1000)
    rows.append(
        ("Checkers, random games", "outplay", plies_per_second(lambda n: play_outplay(checkers.Position(), n), numbers))
    )
    rows.append(
        ("Checkers, random games", "open_spiel", plies_per_second(lambda n: play_open_spiel("checkers", n), numbers))
    )
    few = numbers[:4]
    rows.append(("Checkers, random games", "pydraughts", plies_per_second(play_pydraughts, few, repeats=1)))
    return rows
