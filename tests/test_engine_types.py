"""What an engine is asked and answers, and the contract proved on the random player."""

import pytest

from outplay.engine.random import RandomEngine
from outplay.engine.types import Engine, Limit, Score
from outplay.rules import RULES
from tests.support.engine_contract import EngineContract


class TestRandomEngine(EngineContract):
    def make(self, seed: int) -> Engine:
        return RandomEngine(seed)


def test_random_play_is_not_always_the_same() -> None:
    position = RULES["connect4"].start()
    assert len({RandomEngine(seed).analyse(position, Limit()).move for seed in range(40)}) == 7


@pytest.mark.parametrize(
    "wrong", [{"depth": 0}, {"nodes": -1}, {"time_ms": 0}, {"clock_ms": -1}, {"increment_ms": -5}, {"lines": 0}]
)
def test_a_limit_that_makes_no_sense_is_refused(wrong: dict[str, int]) -> None:
    with pytest.raises(ValueError, match=next(iter(wrong))):
        Limit(**wrong)


@pytest.mark.parametrize(
    ("limit", "time_ms"),
    [
        (Limit(), None),
        (Limit(time_ms=500), 500),
        (Limit(clock_ms=60_000), 2000),
        (Limit(clock_ms=60_000, increment_ms=1000), 2750),
        (Limit(clock_ms=60_000, time_ms=100), 100),
        (Limit(clock_ms=100, increment_ms=5000), 80),
        (Limit(clock_ms=0), 1),
    ],
)
def test_the_time_for_a_move_is_a_share_of_the_clock(limit: Limit, time_ms: int | None) -> None:
    assert limit.move_time_ms() == time_ms


def test_a_limit_that_cannot_be_is_refused_in_true_words() -> None:
    for name in ("depth", "nodes", "time_ms"):
        with pytest.raises(ValueError, match=f"{name} must be positive, not 0"):
            Limit(**{name: 0})
    for name in ("clock_ms", "increment_ms"):
        with pytest.raises(ValueError, match=f"{name} must be 0 or more, not -1"):
            Limit(**{name: -1})


def test_proof_and_belief_are_told_apart() -> None:
    assert Score(1, "solved").is_proof
    assert not Score(1, depth=12).is_proof
