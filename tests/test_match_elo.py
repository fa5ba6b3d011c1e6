"""Elo from pairs and the test that stops a match: published figures, an independent computation, laws."""

from __future__ import annotations

import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from outplay.match.elo import Pairs, elo_of, estimate, share_of
from outplay.match.sprt import Sprt
from tests.support.published import table

Counts = tuple[int, int, int, int, int]
counts = st.tuples(*[st.integers(0, 2000)] * 5).filter(lambda each: sum(each) > 0)


def read(row: dict[str, str]) -> Pairs:
    lost, lost_half, split, drawn, won_half, won = (int(row[name]) for name in ("ll", "ld", "wl", "dd", "wd", "ww"))
    return Pairs((lost, lost_half, split + drawn, won_half, won))


# Published figures


@pytest.mark.parametrize("row", table("match_elo.tsv"), ids=lambda row: row["elo"])
def test_the_published_estimates(row: dict[str, str]) -> None:
    found = estimate(read(row))
    assert found.elo == pytest.approx(float(row["elo"]), rel=0.01)
    assert found.error == pytest.approx(float(row["elo_error"]), rel=0.01)
    assert found.normal_elo == pytest.approx(float(row["normal_elo"]), rel=0.01)
    if row["superiority"]:
        assert found.superiority == pytest.approx(float(row["superiority"]), abs=1e-4)


@pytest.mark.parametrize("row", table("match_sprt.tsv"), ids=lambda row: row["llr"])
def test_the_published_likelihood_ratios(row: dict[str, str]) -> None:
    assert Sprt(float(row["elo0"]), float(row["elo1"])).llr(read(row)) == pytest.approx(float(row["llr"]), rel=0.01)


def test_the_bounds_are_walds() -> None:
    low, high = Sprt(alpha=0.05, beta=0.05).bounds
    assert (round(low, 3), round(high, 3)) == (-2.944, 2.944)
    low, high = Sprt(alpha=0.05, beta=0.1).bounds
    assert (round(low, 3), round(high, 3)) == (-2.251, 2.89)


@pytest.mark.parametrize(("elo", "share"), [(0, 0.5), (400, 10 / 11), (-400, 1 / 11), (191, 0.75), (70, 0.6)])
def test_the_elo_scale(elo: float, share: float) -> None:
    assert share_of(elo) == pytest.approx(share, abs=1e-3)
    assert elo_of(share) == pytest.approx(elo, abs=1)


# An independent computation: the likelihoods themselves, maximised step by step


def likeliest(chances: list[float], mean: float) -> float:
    """The largest log-likelihood of a distribution with this mean, by Lagrange's method, solved with Newton's."""
    shares = [0, 0.25, 0.5, 0.75, 1]
    slope = 0.0
    for _ in range(200):
        parts = [(share - mean) / (1 + slope * (share - mean)) for share in shares]
        value = sum(chance * part for chance, part in zip(chances, parts, strict=True))
        derivative = -sum(chance * part * part for chance, part in zip(chances, parts, strict=True))
        slope -= value / derivative
    fitted = [chance / (1 + slope * (share - mean)) for chance, share in zip(chances, shares, strict=True)]
    assert sum(fitted) == pytest.approx(1)
    assert sum(p * share for p, share in zip(fitted, shares, strict=True)) == pytest.approx(mean)
    return sum(chance * math.log(p) for chance, p in zip(chances, fitted, strict=True))


@pytest.mark.parametrize("found", [(10, 60, 200, 70, 12), (1, 20, 300, 30, 2), (100, 90, 80, 95, 105), (3, 4, 5, 4, 3)])
def test_the_likelihood_ratio_is_that_of_the_likeliest_distributions(found: Counts) -> None:
    total = sum(found)
    chances = [count / total for count in found]
    ratio = total * (likeliest(chances, share_of(10)) - likeliest(chances, share_of(-5)))
    assert Sprt(-5, 10).llr(Pairs(found)) == pytest.approx(ratio, abs=1e-6)


# Laws


def test_nothing_is_known_without_pairs() -> None:
    found = estimate(Pairs())
    assert (found.elo, found.error, found.superiority) == (None, None, None)
    assert Sprt().llr(Pairs()) == 0
    assert Sprt().verdict(Pairs()) is None


def test_no_number_is_large_enough_for_a_player_that_always_wins() -> None:
    assert estimate(Pairs((0, 0, 0, 0, 9))).elo is None
    assert estimate(Pairs((9, 0, 0, 0, 0))).elo is None
    assert estimate(Pairs((0, 0, 9, 0, 0))).elo == 0


@given(counts)
def test_the_other_player_sees_the_same_with_the_sign_changed(found: Counts) -> None:
    ours, theirs = estimate(Pairs(found)), estimate(Pairs(found[::-1]))
    if ours.elo is not None and theirs.elo is not None:
        assert theirs.elo == pytest.approx(-ours.elo, abs=1e-6)
    if ours.error is not None and ours.superiority is not None:
        assert theirs.error == pytest.approx(ours.error)
        assert theirs.superiority == pytest.approx(1 - ours.superiority, abs=1e-9)
    assert Sprt(-4, 7).llr(Pairs(found)) == pytest.approx(-Sprt(-7, 4).llr(Pairs(found[::-1])), abs=1e-6)


@given(counts)
def test_two_opposite_results_more_only_draw_the_estimate_towards_zero(found: Counts) -> None:
    """They add as much to both sides: the sign stays, and the size does not grow."""
    lost, lost_half, even, won_half, won = found
    before = estimate(Pairs(found)).elo
    after = estimate(Pairs((lost + 1, lost_half, even, won_half, won + 1))).elo
    assert after is not None
    if before is not None:
        assert abs(after) <= abs(before) + 1e-9
        assert before * after >= -1e-9


def test_two_opposite_results_in_a_long_match_move_next_to_nothing() -> None:
    before = estimate(Pairs((100, 300, 1000, 350, 120))).elo
    after = estimate(Pairs((101, 300, 1000, 350, 121))).elo
    assert before is not None
    assert after is not None
    assert abs(before - after) < 0.02


@given(counts, st.integers(2, 9))
def test_more_of_the_same_narrows_the_error_by_the_root(found: Counts, times: int) -> None:
    one, many = estimate(Pairs(found)), estimate(Pairs(tuple(times * each for each in found)))  # type: ignore[arg-type]
    assert many.elo == pytest.approx(one.elo) if one.elo is not None else many.elo is None
    if one.error is not None:
        assert many.error == pytest.approx(one.error / math.sqrt(times))


@given(counts)
def test_a_better_result_speaks_more_for_the_better_hypothesis(found: Counts) -> None:
    lost, lost_half, even, won_half, won = found
    test = Sprt(0, 10)
    if lost:
        assert test.llr(Pairs((lost - 1, lost_half, even, won_half, won + 1))) > test.llr(Pairs(found))


def test_pairs_see_through_openings_that_favour_one_side() -> None:
    """Two equal players and openings that the first to move always wins: every pair is 1 to 1, and nothing is noise."""
    points = [1.0] * 500
    assert Pairs.of(points).variance == 0
    games = [1, 0] * 500
    assert sum((game - 0.5) ** 2 for game in games) / len(games) == 0.25


def drawn_pair(chance: random.Random, share: float, spread: float) -> int:
    """The points of a pair, in halves, with this mean share: two games with 60 % draws."""
    win = share - spread / 2
    return sum(2 if (lot := chance.random()) < win else 1 if lot < win + spread else 0 for _ in range(2))


@pytest.mark.parametrize(("elo", "accepted"), [(0, "H0"), (30, "H1")])
def test_the_test_errs_no_more_often_than_it_says(elo: float, accepted: str) -> None:
    chance, test, right, runs = random.Random(5), Sprt(0, 30), 0, 120
    for _ in range(runs):
        found = [0] * 5
        verdict = None
        for number in range(1, 3000):
            found[drawn_pair(chance, share_of(elo), 0.6)] += 1
            if number % 8 == 0 and (verdict := test.verdict(Pairs(tuple(found)))) is not None:  # type: ignore[arg-type]
                break
        right += verdict == accepted
    assert right >= 0.89 * runs  # 95 % are promised


@pytest.mark.parametrize(
    "wrong",
    [
        {"elo0": 5, "elo1": 5},
        {"elo0": 9, "elo1": 1},
        {"elo1": math.inf},
        {"elo0": math.nan},
        {"alpha": 0},
        {"beta": 0.5},
    ],
)
def test_a_test_that_makes_no_sense_is_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(ValueError, match=r"must be"):
        Sprt(**wrong)
