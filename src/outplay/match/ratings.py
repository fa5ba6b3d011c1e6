"""Rate all players of a tournament at once, from all their games: maximum likelihood, draws included.

The model is that of Davidson (1970), which adds draws to the model of Bradley and Terry. A player of rating R has the
strength s = 10^(R / 400). When two players meet, the probabilities are in the proportion

    first wins : draw : second wins   =   s1 : d * sqrt(s1 * s2) : s2

and the draw factor d is the same for all. We maximise the likelihood of all results over the ratings and d together.
Only differences count, so the mean of the ratings is 0. The errors come from the information matrix at the maximum.

Sometimes the most likely ratings are not finite: for example, if a group of players took no point from the others.
Then a quarter of a win for each side is added to every meeting, and `Ratings.is_smoothed` is True.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import exp, log, sqrt
from operator import mul

from outplay.match.elo import CONFIDENCE

ELO = 400 / log(10)
"""Rating points of one unit of log strength."""
SMOOTHING = 0.25
"""The wins of each side that are added to every meeting if the most likely ratings are not finite."""
MOST_STEPS = 200
EXACT = 1e-10
LARGEST_STEP = 1.0

Matrix = list[list[float]]


@dataclass(frozen=True, slots=True)
class Meeting:
    """The games between two players, by their indices: games that the first won, drew and lost."""

    first: int
    second: int
    wins: float
    draws: float
    losses: float

    @property
    def games(self) -> float:
        return self.wins + self.draws + self.losses


@dataclass(frozen=True, slots=True)
class Ratings:
    """The ratings of all players. None: the player has no game, or the games say nothing about its strength."""

    elo: tuple[float | None, ...]
    error: tuple[float | None, ...]
    """Half the width of the 95 % interval of each rating, relative to the mean of all players."""
    draw_factor: float = 0.0
    is_smoothed: bool = False


def rate(players: int, meetings: Iterable[Meeting]) -> Ratings:
    """Return the most likely ratings of players 0 to `players` - 1. Their mean is 0.

    A player whom no games connect with the others has no rating.
    """
    given = [meeting for meeting in meetings if meeting.games]
    rated = _largest_group(players, given)
    nothing: list[float | None] = [None] * players
    if not any(meeting.wins or meeting.losses for meeting in given if meeting.first in rated):
        zeros = [0.0 if player in rated else None for player in range(players)]
        return Ratings(tuple(zeros), tuple(nothing))
    place = {player: index for index, player in enumerate(rated)}
    inside = [
        replace(each, first=place[each.first], second=place[each.second]) for each in given if each.first in place
    ]
    is_smoothed = not _is_bounded(len(rated), inside)
    if is_smoothed:
        inside = [replace(each, wins=each.wins + SMOOTHING, losses=each.losses + SMOOTHING) for each in inside]
    strengths, draw, covariance = _maximise(len(rated), inside)
    elo, error = nothing[:], nothing[:]
    for index, player in enumerate(rated):
        elo[player] = ELO * strengths[index]
        error[player] = CONFIDENCE * ELO * sqrt(max(0.0, covariance[index][index]))
    return Ratings(tuple(elo), tuple(error), draw, is_smoothed)


# Who can be compared with whom


def _largest_group(players: int, meetings: Sequence[Meeting]) -> list[int]:
    """Return the largest set of players that games connect, in rising order; the first one if two are equally large."""
    neighbours: list[set[int]] = [set() for _ in range(players)]
    for meeting in meetings:
        neighbours[meeting.first].add(meeting.second)
        neighbours[meeting.second].add(meeting.first)
    groups = [_reached(neighbours, player) for player in range(players) if neighbours[player]]
    largest: set[int] = max(groups, key=lambda group: len(group), default=set())
    return sorted(largest)


def _is_bounded(players: int, meetings: Sequence[Meeting]) -> bool:
    """Return True if the most likely ratings are finite.

    Points must flow from every player to every other one. And an infinite draw factor must not fit the draws
    best: see `_is_draw_factor_bounded`.
    """
    gains: list[set[int]] = [set() for _ in range(players)]
    losses: list[set[int]] = [set() for _ in range(players)]
    for meeting in meetings:
        if meeting.wins + meeting.draws:
            gains[meeting.first].add(meeting.second)
            losses[meeting.second].add(meeting.first)
        if meeting.losses + meeting.draws:
            gains[meeting.second].add(meeting.first)
            losses[meeting.first].add(meeting.second)
    is_connected = len(_reached(gains, 0)) == len(_reached(losses, 0)) == players
    return is_connected and _is_draw_factor_bounded(players, meetings)


def _is_draw_factor_bounded(players: int, meetings: Sequence[Meeting]) -> bool:
    """Return False if the draw factor and the ratings can grow together for ever, and no result becomes less likely.

    They can if each player can be given a number, under two conditions: a winner's number is at least 2 larger than the
    loser's, and the numbers of two players who drew differ by at most 2. (The draw factor then grows by 1.) A cycle of
    conditions with a negative sum makes this impossible; we look for one with the method of Bellman and Ford.
    """
    demands = list[tuple[int, int, int]]()
    for each in meetings:
        a, b = each.first, each.second
        demands += [(a, b, -2)] if each.wins else []
        demands += [(b, a, -2)] if each.losses else []
        demands += [(a, b, 2), (b, a, 2)] if each.draws else []
    if not any(each.draws for each in meetings):
        return True
    least = [0] * players
    for _ in range(players):
        before = least[:]
        for a, b, most in demands:
            least[b] = min(least[b], least[a] + most)
        if least == before:
            return False
    return True


def _reached(neighbours: Sequence[set[int]], start: int) -> set[int]:
    found, left = {start}, [start]
    while left:
        new = neighbours[left.pop()] - found
        found |= new
        left += new
    return found


# The maximum, by Newton's method: the logarithm of the likelihood is concave in log strengths and log draw factor


def _maximise(players: int, meetings: Sequence[Meeting]) -> tuple[list[float], float, Matrix]:
    """Return log strengths with mean 0, the draw factor, and the covariance of the log strengths."""
    has_draws = any(meeting.draws for meeting in meetings)
    at = [0.0] * players + ([0.0] if has_draws else [])  # the last one is the log draw factor
    best = _likelihood(players, meetings, at)
    for _ in range(MOST_STEPS):
        slope, information = _derivatives(players, meetings, at)
        step = _solve(_factor(information), slope)
        size = min(1.0, LARGEST_STEP / max(EXACT, max(map(abs, step))))
        while True:
            tried = [value + size * change for value, change in zip(at, step, strict=True)]
            found = _likelihood(players, meetings, tried)
            if found >= best or size < EXACT:
                break
            size /= 2
        at, best = tried, found
        if max(map(abs, step)) * size < EXACT:
            break
    _, information = _derivatives(players, meetings, at)
    inverse = _inverse(information)
    mean = sum(at[:players]) / players
    strengths = [value - mean for value in at[:players]]
    covariance = [[value - 1 / players for value in row[:players]] for row in inverse[:players]]
    return strengths, exp(at[players]) if has_draws else 0.0, covariance


def _chances(players: int, meeting: Meeting, at: Sequence[float]) -> tuple[float, float, float]:
    """Return the probabilities of a win, a draw and a loss of the first player."""
    half = (at[meeting.first] - at[meeting.second]) / 2
    win, loss = exp(half), exp(-half)
    draw = exp(at[players]) if len(at) > players else 0.0
    total = win + draw + loss
    return win / total, draw / total, loss / total


def _likelihood(players: int, meetings: Sequence[Meeting], at: Sequence[float]) -> float:
    total = 0.0
    for meeting in meetings:
        for count, chance in zip(
            (meeting.wins, meeting.draws, meeting.losses), _chances(players, meeting, at), strict=True
        ):
            total += count * log(chance) if count else 0.0
    return total


def _derivatives(players: int, meetings: Sequence[Meeting], at: Sequence[float]) -> tuple[list[float], Matrix]:
    """Return the slope of the log likelihood, and the information: minus its second derivatives.

    A common shift of all ratings changes nothing. Adding 1 / `players` to every cell of the ratings' part removes
    that freedom; it also adds the same constant to the inverse (see `_maximise`).
    """
    slope = [0.0] * len(at)
    information = [[0.0] * len(at) for _ in at]
    for row in information[:players]:
        row[:players] = [1 / players] * players
    for meeting in meetings:
        win, draw, loss = _chances(players, meeting, at)
        a, b, games = meeting.first, meeting.second, meeting.games
        excess = (meeting.wins - meeting.losses - games * (win - loss)) / 2
        spread = games * (win + loss - (win - loss) ** 2) / 4
        slope[a] += excess
        slope[b] -= excess
        for i, j, sign in ((a, a, 1), (b, b, 1), (a, b, -1), (b, a, -1)):
            information[i][j] += sign * spread
        if len(at) > players:
            slope[players] += meeting.draws - games * draw
            information[players][players] += games * draw * (1 - draw)
            for i, sign in ((a, -1), (b, 1)):
                mixed = sign * games * draw * (win - loss) / 2
                information[i][players] += mixed
                information[players][i] += mixed
    return slope, information


# Linear equations with a symmetric, positive definite matrix, by Cholesky's method


def _inverse(matrix: Matrix) -> Matrix:
    factor, size = _factor(matrix), len(matrix)
    return [_solve(factor, [float(row == column) for row in range(size)]) for column in range(size)]


def _factor(matrix: Matrix) -> Matrix:
    """Return the lower triangular matrix whose product with its transpose is `matrix` (Cholesky)."""
    lower = list[list[float]]()
    for i, row in enumerate(matrix):
        made = list[float]()
        for j in range(i):
            made.append((row[j] - sum(map(mul, made, lower[j]))) / lower[j][j])
        made.append(sqrt(row[i] - sum(value * value for value in made)))
        lower.append(made)
    return lower


def _solve(factor: Matrix, right: Sequence[float]) -> list[float]:
    """Return the x that solves A x = `right`, where A is the matrix with this factor."""
    half = list[float]()
    for row, value in zip(factor, right, strict=True):
        half.append((value - sum(map(mul, row, half))) / row[-1])
    found = [0.0] * len(half)
    for i in reversed(range(len(half))):
        rest = sum(factor[k][i] * found[k] for k in range(i + 1, len(half)))
        found[i] = (half[i] - rest) / factor[i][i]
    return found
