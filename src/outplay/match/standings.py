"""A tournament so far: who has how many points and which rating, and how the ties are broken."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from outplay.match.bout import Bout
from outplay.match.game import TimeSpent
from outplay.match.ratings import Meeting, Ratings, rate
from outplay.match.result import Tally
from outplay.match.swiss import BYE_POINTS
from outplay.match.tournament import Tournament


@dataclass(frozen=True, slots=True)
class Absence:
    """A player that could not start, and why: it has no games."""

    player: int
    reason: str
    trace: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Standing:
    """One row of the table."""

    place: int
    """From 1. Players whom no tie-break separates share a place."""
    player: int
    name: str
    tally: Tally
    byes: int
    points: float
    """Points of the games, and of the byes."""
    elo: float | None
    error: float | None
    """Half the width of the 95 % interval of the rating."""
    head_to_head: float
    """Points of the games against players with the same number of points."""
    sonneborn_berger: float
    """The sum over all opponents of the opponent's points times the share of the points won against it."""
    buchholz: float
    """The sum of the points of the opponents."""
    failures: int
    """Games lost by a crash, an illegal move or no answer in time."""


@dataclass(frozen=True)
class TournamentState:
    """A tournament so far: plain data, and the tables that follow from it."""

    tournament: Tournament
    bouts: tuple[Bout, ...] = ()
    absent: tuple[Absence, ...] = ()
    byes: tuple[int, ...] = ()
    """The players that had a bye, one entry for each bye."""
    planned: int = 0
    """The number of games of the whole tournament."""
    protection: str = ""
    """What protects this machine from the players' programs, in words."""
    outdated: int = 0
    """The number of earlier games that do not count, because the file of a player has changed since."""

    @property
    def names(self) -> tuple[str, ...]:
        return self.tournament.names

    @property
    def present(self) -> list[int]:
        """Return the players that could start."""
        gone = {absence.player for absence in self.absent}
        return [player for player in range(len(self.names)) if player not in gone]

    @property
    def is_over(self) -> bool:
        return len(self.bouts) >= self.planned > 0

    @cached_property
    def by_pair(self) -> dict[tuple[int, int], list[Bout]]:
        """Return the games of each pair of players, in the order of the schedule; both orders of a pair are keys."""
        found = defaultdict[tuple[int, int], list[Bout]](list)
        for bout in sorted(self.bouts, key=lambda each: each.order):
            first, second = bout.sides
            found[first, second].append(bout)
            found[second, first].append(bout)
        return dict(found)

    def tally(self, player: int, opponents: Iterable[int] | None = None) -> Tally:
        """Return a player's games won, drawn and lost, against everyone or only against `opponents`."""
        wanted = range(len(self.names)) if opponents is None else opponents
        found = [bout for other in wanted for bout in self.by_pair.get((player, other), ())]
        return Tally.of(bout.points_of(player) for bout in found)

    def points(self, player: int) -> float:
        """Return a player's points. A bye counts as if all its games were won."""
        return self._points[player]

    @cached_property
    def _points(self) -> list[float]:
        bye = BYE_POINTS * self.tournament.games
        return [self.tally(player).points + bye * self.byes.count(player) for player in range(len(self.names))]

    @cached_property
    def ratings(self) -> Ratings:
        """Return the most likely ratings of all players."""
        meetings = []
        for a, b in self.by_pair:
            if a < b:
                tally = self.tally(a, [b])
                meetings.append(Meeting(a, b, tally.wins, tally.draws, tally.losses))
        return rate(len(self.names), meetings)

    @cached_property
    def standings(self) -> tuple[Standing, ...]:
        """Return the rows of the table, the best first. Players that could not start are left out."""
        rows = [self._standing(player) for player in self.present]
        order = _ORDERS[self.tournament.kind]
        rows.sort(key=lambda row: (*order(row), row.player))
        places = list[int]()
        for number, row in enumerate(rows, 1):
            is_shared = number > 1 and order(row) == order(rows[number - 2])
            places.append(places[-1] if is_shared else number)
        return tuple(replace(row, place=place) for row, place in zip(rows, places, strict=True))

    def failures(self, player: int) -> list[Bout]:
        """Return the games that a player lost by failing, in the order of the schedule."""
        return sorted((bout for bout in self.bouts if bout.failed == player), key=lambda bout: bout.order)

    def time(self, player: int) -> TimeSpent:
        """Return the time that a player took for all its moves."""
        spent = [bout.times[bout.sides.index(player)] for bout in self.bouts if player in bout.sides]
        longest = max((each.longest for each in spent), default=0.0)
        return TimeSpent(sum(each.moves for each in spent), sum(each.seconds for each in spent), longest)

    def _standing(self, player: int) -> Standing:
        opponents = [other for other in range(len(self.names)) if (player, other) in self.by_pair]
        tied = [other for other in opponents if self.points(other) == self.points(player)]
        shares = [(self.points(other), self.tally(player, [other]).share or 0.0) for other in opponents]
        return Standing(
            place=0,
            player=player,
            name=self.names[player],
            tally=self.tally(player),
            byes=self.byes.count(player),
            points=self.points(player),
            elo=self.ratings.elo[player],
            error=self.ratings.error[player],
            head_to_head=self.tally(player, tied).points,
            sonneborn_berger=sum(points * share for points, share in shares),
            buchholz=sum(points for points, _ in shares),
            failures=len(self.failures(player)),
        )

    def as_json(self) -> dict[str, Any]:
        """Return the tournament as plain data: the table, the cross table and who failed."""
        terms = self.tournament.conditions
        return {
            "game": terms.game,
            "kind": self.tournament.kind,
            "openings": terms.openings,
            "limit": terms.limit_text,
            "seed": terms.seed,
            "games": len(self.bouts),
            "planned": self.planned,
            "protection": self.protection,
            "smoothed": self.ratings.is_smoothed,
            "standings": [self._row_json(row) for row in self.standings],
            "cross_table": self._cross_json(),
            "absent": [
                {"name": self.names[each.player], "reason": each.reason, "trace": list(each.trace)}
                for each in self.absent
            ],
            "failures": [self._failure_json(bout) for bout in self.bouts if bout.failed is not None],
        }

    def _row_json(self, row: Standing) -> dict[str, Any]:
        spent = self.time(row.player)
        return {
            "place": row.place,
            "name": row.name,
            "games": row.tally.games,
            "wins": row.tally.wins,
            "draws": row.tally.draws,
            "losses": row.tally.losses,
            "byes": row.byes,
            "points": row.points,
            "elo": row.elo,
            "elo_error": row.error,
            "head_to_head": row.head_to_head,
            "sonneborn_berger": row.sonneborn_berger,
            "buchholz": row.buchholz,
            "failures": row.failures,
            "ms_per_move": round(1000 * spent.seconds / spent.moves, 1) if spent.moves else None,
        }

    def _cross_json(self) -> list[list[float | None]]:
        """Return the points of each row against each column, in the order of the standings; None without a game."""
        order = [row.player for row in self.standings]
        return [[self.tally(a, [b]).points if (a, b) in self.by_pair else None for b in order] for a in order]

    def _failure_json(self, bout: Bout) -> dict[str, Any]:
        assert bout.failed is not None
        other = bout.sides[1 - bout.sides.index(bout.failed)]
        return {
            "name": self.names[bout.failed],
            "against": self.names[other],
            "game": bout.key,
            "reason": str(bout.reason),
            "failure": bout.failure,
            "trace": list(bout.trace),
        }


Order = Callable[[Standing], Sequence[float]]
_ORDERS: dict[str, Order] = {
    "round-robin": lambda row: (-row.points, -row.head_to_head, -row.sonneborn_berger, -row.tally.wins),
    "swiss": lambda row: (-row.points, -row.buchholz, -row.sonneborn_berger, -row.head_to_head, -row.tally.wins),
    "gauntlet": lambda row: (row.elo is None, -(row.elo or 0.0)),
}
"""The numbers that decide the order in each kind of tournament. The player with the smallest numbers comes first."""
