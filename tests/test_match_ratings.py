"""Ratings of many players at once: the same as an independent maximisation, and honest where there is no maximum."""

from __future__ import annotations

import random
from collections import Counter
from math import log10

import numpy as np
import pytest
from scipy.optimize import minimize

from outplay.match.elo import elo_of
from outplay.match.ratings import ELO, Meeting, Ratings, rate

TRUE = (260.0, 150.0, 40.0, -20.0, -30.0, -400.0)


def simulated(ratings: tuple[float, ...], games: int, *, draw: float, seed: int) -> list[Meeting]:
    """Every player against every other one, by the model."""
    chance, meetings = random.Random(seed), []
    for a in range(len(ratings)):
        for b in range(a + 1, len(ratings)):
            strength = 10 ** ((ratings[a] - ratings[b]) / 800)
            weights = (strength, draw, 1 / strength)
            found = Counter(chance.choices("WDL", weights, k=games))
            meetings.append(Meeting(a, b, found["W"], found["D"], found["L"]))
    return meetings


def independent(players: int, meetings: list[Meeting]) -> tuple[np.ndarray, np.ndarray]:
    """Ratings and errors by scipy, which knows only the likelihood of the model."""
    has_draws = any(meeting.draws for meeting in meetings)

    def minus_log_likelihood(at: np.ndarray) -> float:
        strengths, draw = np.append(at[: players - 1], -at[: players - 1].sum()), np.exp(at[-1]) if has_draws else 0.0
        total = 0.0
        for meeting in meetings:
            first, second = np.exp(strengths[meeting.first]), np.exp(strengths[meeting.second])
            parts = np.array([first, draw * np.sqrt(first * second), second])
            for count, share in zip((meeting.wins, meeting.draws, meeting.losses), parts / parts.sum(), strict=True):
                total -= count * np.log(share) if count else 0.0
        return total

    free = players - 1 + has_draws
    found = minimize(minus_log_likelihood, np.zeros(free), method="BFGS", options={"gtol": 1e-7})
    step = 1e-3
    hessian = np.zeros((free, free))
    for i in range(free):
        for j in range(free):
            moved = [
                minus_log_likelihood(found.x + a * step * np.eye(free)[i] + b * step * np.eye(free)[j]) * a * b
                for a in (1, -1)
                for b in (1, -1)
            ]
            hessian[i, j] = sum(moved) / (4 * step**2)
    covariance = np.linalg.inv(hessian)[: players - 1, : players - 1]
    variances = np.append(np.diag(covariance), covariance.sum())
    strengths = np.append(found.x[: players - 1], -found.x[: players - 1].sum())
    return ELO * strengths, 1.959963984540054 * ELO * np.sqrt(variances)


def check_against_scipy(players: int, meetings: list[Meeting]) -> Ratings:
    ours = rate(players, meetings)
    elo, error = independent(players, meetings)
    assert ours.elo == pytest.approx(elo, abs=0.1)
    assert ours.error == pytest.approx(error, abs=0.5)
    assert sum(each for each in ours.elo if each is not None) == pytest.approx(0, abs=1e-6)
    return ours


@pytest.mark.parametrize("draw", [0.0, 0.5, 4.0])
def test_ratings_and_errors_agree_with_an_independent_calculation(draw: float) -> None:
    ours = check_against_scipy(len(TRUE), simulated(TRUE, 40, draw=draw, seed=3))
    assert not ours.is_smoothed


def test_the_true_ratings_are_found_from_many_games() -> None:
    ours = rate(len(TRUE), simulated(TRUE, 20_000, draw=0.7, seed=1))
    mean = sum(TRUE) / len(TRUE)
    assert ours.elo == pytest.approx([each - mean for each in TRUE], abs=8)
    assert ours.draw_factor == pytest.approx(0.7, abs=0.02)
    for true, found, error in zip(TRUE, ours.elo, ours.error, strict=True):
        assert found is not None
        assert error is not None
        assert abs(found - true + mean) < 2 * error


def test_a_gauntlet_is_rated_too() -> None:
    meetings = [Meeting(0, 1, 6, 2, 2), Meeting(0, 2, 3, 1, 6), Meeting(3, 0, 1, 0, 9)]
    check_against_scipy(4, meetings)


def test_two_players_have_the_difference_of_their_score() -> None:
    ours = rate(2, [Meeting(0, 1, 30, 0, 10)])
    assert ours.elo[0] is not None
    assert ours.elo[1] is not None
    assert ours.elo[0] - ours.elo[1] == pytest.approx(400 * log10(3))
    assert ours.elo[0] - ours.elo[1] == pytest.approx(elo_of(0.75))


def test_a_player_that_won_everything_has_a_finite_rating_and_it_is_said() -> None:
    meetings = [Meeting(0, 1, 10, 0, 0), Meeting(0, 2, 10, 0, 0), Meeting(1, 2, 7, 1, 2)]
    ours = rate(3, meetings)
    assert ours.is_smoothed
    check_against_scipy(3, [Meeting(m.first, m.second, m.wins + 0.25, m.draws, m.losses + 0.25) for m in meetings])
    top, middle, last = (each for each in ours.elo if each is not None)
    assert top > middle + 300 > last + 300


def test_wins_and_draws_without_a_loss_have_no_finite_rating_either() -> None:
    assert rate(2, [Meeting(0, 1, 2, 1, 0)]).is_smoothed
    assert rate(3, [Meeting(0, 1, 2, 1, 0), Meeting(1, 2, 1, 3, 0)]).is_smoothed
    assert not rate(3, [Meeting(0, 1, 2, 1, 0), Meeting(1, 2, 2, 3, 2)]).is_smoothed


def test_more_games_make_the_error_smaller() -> None:
    few, many = (rate(3, simulated(TRUE[:3], games, draw=0.5, seed=5)) for games in (40, 640))
    assert few.error[0] is not None
    assert many.error[0] is not None
    assert many.error[0] < few.error[0] / 3


def test_without_a_decided_game_all_are_equal_and_nothing_is_known() -> None:
    assert rate(2, [Meeting(0, 1, 0, 8, 0)]) == Ratings((0.0, 0.0), (None, None))
    assert rate(2, []) == Ratings((None, None), (None, None))


def test_a_player_without_games_has_no_rating() -> None:
    ours = rate(4, [Meeting(1, 3, 5, 0, 5)])
    assert ours.elo[0] is ours.elo[2] is None
    assert ours.elo[1] == pytest.approx(0)


def test_the_order_is_that_of_the_points_if_all_played_all() -> None:
    meetings = simulated((100.0, 0.0, 0.0, -100.0), 30, draw=0.5, seed=9)
    points = [0.0] * 4
    for meeting in meetings:
        points[meeting.first] += meeting.wins + meeting.draws / 2
        points[meeting.second] += meeting.losses + meeting.draws / 2
    ours = rate(4, meetings)
    assert sorted(range(4), key=lambda who: -points[who]) == sorted(range(4), key=lambda who: -(ours.elo[who] or 0))


def test_a_hundred_players_are_rated_in_one_go() -> None:
    ratings = tuple(8.0 * (50 - n) for n in range(100))
    ours = rate(100, simulated(ratings, 2, draw=0.5, seed=2))
    assert ours.elo == pytest.approx([each - 4 for each in ratings], abs=160)
