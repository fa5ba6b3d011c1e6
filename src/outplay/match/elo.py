"""Estimate how much stronger one player is, from pairs of games: the same opening with the sides swapped.

The two games of a pair are not independent: an opening that favours Black gives each player a win. So we count the
points of each pair (the pentanomial model):

    points of A in a pair   0      ½      1      1½     2
    as a share            0.00   0.25   0.50   0.75   1.00

The mean share gives the Elo difference, and the spread of the shares gives its error. Where openings are uneven, this
error is smaller than one computed from single games. See https://www.chessprogramming.org/Match_Statistics.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import erf, inf, log, log10, sqrt

SHARES = (0.0, 0.25, 0.5, 0.75, 1.0)
CONFIDENCE = 1.959963984540054
"""The half-width of the 95 % interval of a normal distribution, in standard deviations."""
NORMAL_ELO = 800 / log(10)
"""One standard deviation per game, in normalised Elo.

A difference in normalised Elo shows how many games a proof needs, whatever the share of draws.
"""


@dataclass(frozen=True, slots=True)
class Pairs:
    """The number of pairs with 0, ½, 1, 1½ and 2 points."""

    counts: tuple[int, int, int, int, int] = (0, 0, 0, 0, 0)

    @classmethod
    def of(cls, points: Iterable[float]) -> Pairs:
        """Count how many pairs have each result. `points` holds the points of each pair, from 0 to 2."""
        counts = [0] * 5
        for each in points:
            counts[round(2 * each)] += 1
        return cls((counts[0], counts[1], counts[2], counts[3], counts[4]))

    @property
    def total(self) -> int:
        return sum(self.counts)

    @property
    def share(self) -> float:
        """Return the share of all points, from 0 to 1. There must be at least one pair."""
        return sum(count * share for count, share in zip(self.counts, SHARES, strict=True)) / self.total

    @property
    def variance(self) -> float:
        """Return the variance of the share of one pair."""
        mean = self.share
        return sum(count * (share - mean) ** 2 for count, share in zip(self.counts, SHARES, strict=True)) / self.total


@dataclass(frozen=True, slots=True)
class Estimate:
    """What the pairs show about A's strength. None means that they cannot show it yet."""

    elo: float | None = None
    """The Elo difference; None if A won or lost every game."""
    error: float | None = None
    """Half the width of the 95 % interval; None if all pairs have the same result."""
    superiority: float | None = None
    """The likelihood that A is the stronger player, from 0 to 1; None if all pairs have the same result."""
    normal_elo: float | None = None


def estimate(pairs: Pairs) -> Estimate:
    """Return the Elo difference with its error."""
    if pairs.total == 0:
        return Estimate()
    share, variance = pairs.share, pairs.variance
    if variance == 0:
        return Estimate(None if share in (0, 1) else elo_of(share))
    spread = sqrt(variance / pairs.total)
    slope = 400 / log(10) / (share * (1 - share))  # slope of the Elo curve at this share
    superiority = (1 + erf((share - 0.5) / spread / sqrt(2))) / 2
    normal_elo = (share - 0.5) / sqrt(2 * variance) * NORMAL_ELO
    return Estimate(elo_of(share), CONFIDENCE * spread * slope, superiority, normal_elo)


def elo_of(share: float) -> float:
    """Return the Elo difference of a player that scores this share of the points."""
    if share <= 0:
        return -inf
    return inf if share >= 1 else 400 * log10(share / (1 - share))


def share_of(elo: float) -> float:
    """Return the share of the points scored by a player that is stronger by `elo`."""
    return float(1 / (1 + 10 ** (-elo / 400)))
