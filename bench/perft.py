"""Measure move generation: positions counted per second, in one Python call."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from outplay import checkers, connect4


def nodes_per_second(count: Callable[[], int], repeats: int = 3) -> float:
    best = 0.0
    for _ in range(repeats):
        started = time.perf_counter()
        nodes = count()
        best = max(best, nodes / (time.perf_counter() - started))
    return best


def open_spiel_perft(state: Any, depth: int) -> int:
    """Count with open_spiel's states. There, one action is one jump, so deep counts differ a little."""
    if depth == 0:
        return 1
    if state.is_terminal():
        return 0
    return sum(open_spiel_perft(state.child(action), depth - 1) for action in state.legal_actions())


def measure() -> list[tuple[str, str, float]]:
    import pyspiel

    start = pyspiel.load_game("checkers").new_initial_state()
    return [
        ("Checkers perft, bulk count", "outplay", nodes_per_second(lambda: checkers.Position().perft(11))),
        ("Checkers perft, bulk count", "open_spiel", nodes_per_second(lambda: open_spiel_perft(start, 6), repeats=1)),
        ("Connect Four perft, bulk count", "outplay", nodes_per_second(lambda: connect4.Position().perft(9))),
    ]
