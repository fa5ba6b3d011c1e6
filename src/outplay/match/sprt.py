"""Decide when to stop a match: the sequential probability ratio test (SPRT).

    H0: A is stronger by elo0 (at most)        H1: A is stronger by elo1 (at least)

After every pair of games, the log-likelihood ratio of the two hypotheses is compared with two bounds. Beyond one of
them the match is decided. H1 is accepted wrongly with a probability of at most `alpha`, H0 with one of at most `beta`.
The spread of the results is not known beforehand, so each hypothesis gets the distribution that fits the results best
among those with its mean. This is the generalised test (GSPRT; Michel Van den Bergh, "The generalized maximum
likelihood ratio for the expectation value of a distribution").
"""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite, log
from typing import Literal

from outplay.match.elo import SHARES, Pairs, share_of

Verdict = Literal["H0", "H1"]
PRIOR = 1e-3
"""Replaces a count of zero, which has no logarithm; far less than one pair."""


@dataclass(frozen=True, slots=True)
class Sprt:
    """The test: both hypotheses in Elo, and the error probability of each."""

    elo0: float = 0.0
    elo1: float = 5.0
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        if not (isfinite(self.elo0) and isfinite(self.elo1) and self.elo0 < self.elo1):
            raise ValueError(f"elo0 must be less than elo1, not {self.elo0:g} and {self.elo1:g}")
        for name in ("alpha", "beta"):
            if not 0 < getattr(self, name) < 0.5:
                raise ValueError(f"{name} must be more than 0 and less than 0.5, not {getattr(self, name):g}")

    @property
    def bounds(self) -> tuple[float, float]:
        return log(self.beta / (1 - self.alpha)), log((1 - self.beta) / self.alpha)

    def llr(self, pairs: Pairs) -> float:
        """Return the log-likelihood ratio; a positive one favours H1."""
        if pairs.total == 0:
            return 0.0
        counts = [count or PRIOR for count in pairs.counts]
        chances = [count / sum(counts) for count in counts]
        under0, under1 = (_fitted(chances, share_of(elo)) for elo in (self.elo0, self.elo1))
        return sum(count * log(one / zero) for count, zero, one in zip(counts, under0, under1, strict=True))

    def verdict(self, pairs: Pairs) -> Verdict | None:
        """Return the accepted hypothesis; None while the test is open."""
        low, high = self.bounds
        llr = self.llr(pairs)
        return "H0" if llr <= low else "H1" if llr >= high else None


def _fitted(chances: list[float], mean: float) -> list[float]:
    """Return the distribution with this mean that makes the observed one likeliest: p / (1 + x (share - mean)).

    x solves sum p (share - mean) / (1 + x (share - mean)) = 0, which falls from +inf to -inf between its poles.
    """
    steps = [share - mean for share in SHARES]
    low, high = -1 / steps[-1], -1 / steps[0]
    while high - low > 1e-13 * max(1.0, abs(low), abs(high)):
        middle = (low + high) / 2
        if middle in (low, high):
            break
        if sum(chance * step / (1 + middle * step) for chance, step in zip(chances, steps, strict=True)) > 0:
            low = middle
        else:
            high = middle
    x = (low + high) / 2
    return [chance / (1 + x * step) for chance, step in zip(chances, steps, strict=True)]
