"""The result of a match so far, seen from A."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from outplay.errors import NotationError
from outplay.match.elo import Estimate, Pairs, estimate
from outplay.match.game import TimeSpent
from outplay.match.settings import Match
from outplay.match.sprt import Sprt, Verdict
from outplay.notation import outcome_of
from outplay.notation.pdn import games
from outplay.outcome import Reason, Side
from outplay.record import AnyGame

_CLOCK = re.compile(r"([0-9.]+) s for ([0-9]+) moves, at most ([0-9.]+) s")
_ROUND = re.compile(r"([1-9][0-9]*)\.([12])")


@dataclass(frozen=True, slots=True)
class Played:
    """A game that has ended."""

    pair: int
    half: int
    """1 if A moved first, 2 if B did."""
    points: float
    """The points of A: 1, ½ or 0."""
    plies: int
    opening: str
    reason: Reason
    failure: str
    """What the loser did wrong; empty if it did not fail."""
    clocks: tuple[TimeSpent, TimeSpent]
    """The time spent by A and by B."""

    @classmethod
    def read(cls, text: str) -> Played:
        """Read the text of a game; NotationError if it is not exactly one game."""
        found = list(games(text))
        if len(found) != 1:
            raise NotationError(text, f"this must be one game, not {len(found)}")
        return cls.of(found[0])

    @classmethod
    def of(cls, game: AnyGame) -> Played:
        """Read a game of a match, from its headers."""
        found, outcome = _ROUND.fullmatch(game.headers.get("Round", "")), outcome_of(game)
        if found is None or outcome is None:
            raise NotationError(
                game.headers.get("Round", ""), "a game of a match needs a Round header such as 12.1, and a result"
            )
        side = Side.FIRST if found[2] == "1" else Side.SECOND
        return cls(
            int(found[1]),
            int(found[2]),
            0.5 if outcome.winner is None else float(outcome.winner is side),
            len(game.main_line()),
            game.headers.get("Opening", ""),
            outcome.reason,
            game.headers.get("Failure", ""),
            (time_spent(game, side), time_spent(game, side.other)),
        )

    @property
    def round(self) -> str:
        return f"{self.pair}.{self.half}"


def time_spent(game: AnyGame, side: Side) -> TimeSpent:
    found = _CLOCK.fullmatch(game.headers.get(f"{game.rules.side_name(side)}Time", ""))
    return TimeSpent() if found is None else TimeSpent(int(found[2]), float(found[1]), float(found[3]))


@dataclass(frozen=True, slots=True)
class Tally:
    """Games won, drawn and lost."""

    wins: int
    draws: int
    losses: int

    @classmethod
    def of(cls, points: Iterable[float]) -> Tally:
        all_points = list(points)
        return cls(all_points.count(1), all_points.count(0.5), all_points.count(0))

    @property
    def games(self) -> int:
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        return self.wins + self.draws / 2

    @property
    def share(self) -> float | None:
        """Return the share of the points, from 0 to 1; None without a game."""
        return self.points / self.games if self.games else None


@dataclass(frozen=True)
class Result:
    """The games so far, and their statistics."""

    match: Match
    played: tuple[Played, ...] = ()
    sprt: Sprt | None = None
    outdated: int = 0
    """The number of earlier games that do not count, because the file of a player has changed since."""

    @cached_property
    def tally(self) -> Tally:
        return Tally.of(each.points for each in self.played)

    def tally_as(self, half: int) -> Tally:
        """Return A's games in which it moved first (1) or second (2)."""
        return Tally.of(each.points for each in self.played if each.half == half)

    @cached_property
    def pairs(self) -> Pairs:
        """Return the pairs of which both games have ended."""
        points: dict[int, list[float]] = {}
        for each in self.played:
            points.setdefault(each.pair, []).append(each.points)
        return Pairs.of(sum(both) for both in points.values() if len(both) == 2)

    @property
    def estimate(self) -> Estimate:
        return estimate(self.pairs)

    @property
    def verdict(self) -> Verdict | None:
        """Return the decision of the test; None without a test or while it is open."""
        return None if self.sprt is None else self.sprt.verdict(self.pairs)

    def failures(self, player: int) -> list[Played]:
        """Return the games that A (0) or B (1) lost by failing: a crash, an illegal move, no answer in time."""
        lost = 0.0 if player == 0 else 1.0
        return [each for each in self.played if each.failure and each.points == lost]

    def clock(self, player: int) -> TimeSpent:
        """Return the time that A (0) or B (1) took for all its moves."""
        clocks = [each.clocks[player] for each in self.played]
        longest = max((each.longest for each in clocks), default=0.0)
        return TimeSpent(sum(each.moves for each in clocks), sum(each.seconds for each in clocks), longest)

    def as_json(self) -> dict[str, Any]:
        tally, found, match = self.tally, self.estimate, self.match
        answer = {
            "a": match.names[0],
            "b": match.names[1],
            "game": match.game,
            "openings": match.openings,
            "limit": match.limit_text,
            "seed": match.seed,
            "games": tally.games,
            "wins": tally.wins,
            "draws": tally.draws,
            "losses": tally.losses,
            "share": tally.share,
            "elo": found.elo,
            "elo_error": found.error,
            "normal_elo": found.normal_elo,
            "superiority": found.superiority,
            "pairs": list(self.pairs.counts),
            "first": _tally_json(self.tally_as(1)),
            "second": _tally_json(self.tally_as(2)),
            "failures": [len(self.failures(player)) for player in (0, 1)],
            "ms_per_move": [_ms_per_move(self.clock(player)) for player in (0, 1)],
            "longest_ms": [round(1000 * self.clock(player).longest) for player in (0, 1)],
        }
        return answer if self.sprt is None else answer | {"sprt": self._sprt_json(self.sprt)}

    def _sprt_json(self, sprt: Sprt) -> dict[str, Any]:
        low, high = sprt.bounds
        return {
            "elo0": sprt.elo0,
            "elo1": sprt.elo1,
            "alpha": sprt.alpha,
            "beta": sprt.beta,
            "llr": sprt.llr(self.pairs),
            "low": low,
            "high": high,
            "accepted": self.verdict,
        }


def _tally_json(tally: Tally) -> dict[str, int]:
    return {"wins": tally.wins, "draws": tally.draws, "losses": tally.losses}


def _ms_per_move(clock: TimeSpent) -> float | None:
    return round(1000 * clock.seconds / clock.moves, 1) if clock.moves else None
