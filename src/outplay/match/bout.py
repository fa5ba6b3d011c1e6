"""A game of a tournament that has ended."""

from __future__ import annotations

import re
from dataclasses import dataclass

from outplay.errors import NotationError
from outplay.match.game import TimeSpent
from outplay.match.result import time_spent
from outplay.match.tournament import Tournament
from outplay.match.trace import read_trace
from outplay.notation import games, outcome_of
from outplay.notation.tokens import words
from outplay.outcome import Reason, Side
from outplay.record import AnyGame

_ROUND = re.compile(r"([1-9][0-9]*)\.([1-9][0-9]*)\.([1-9][0-9]*)\.([12])")


@dataclass(frozen=True, slots=True)
class Bout:
    """A game that has ended, with the details that a report shows."""

    key: str
    """The key of the game: round, board, pair and half, as in `3.7.2.1`."""
    round: int
    sides: tuple[int, int]
    """The players who moved first and second, by their indices."""
    points: float
    """The points of the side that moved first: 1, ½ or 0."""
    start: str
    moves: tuple[str, ...]
    opening: str
    reason: Reason
    failure: str
    """What the loser did wrong; empty if it did not fail."""
    trace: tuple[str, ...]
    """What the loser printed last, or its traceback."""
    times: tuple[TimeSpent, TimeSpent]
    """The time spent by the side that moved first, and by the other."""

    @classmethod
    def read(cls, text: str, tournament: Tournament) -> Bout:
        """Read the text of a game."""
        [game] = games(text)
        return cls.of(game, tournament)

    @classmethod
    def of(cls, game: AnyGame, tournament: Tournament) -> Bout:
        """Read a game of this tournament; NotationError for a game of another one."""
        found, outcome = _ROUND.fullmatch(game.headers.get("Round", "")), outcome_of(game)
        if found is None or outcome is None:
            raise NotationError(
                game.headers.get("Round", ""),
                "a game of a tournament needs a Round header such as 3.7.2.1, and a result",
            )
        terms = game.headers.get("Terms", "")
        if terms != words(tournament.conditions.terms):
            now = tournament.conditions.terms
            reason = f"it belongs to a tournament with other terms: {terms}; the terms now are {now}"
            raise NotationError(game.headers.get("Event", ""), reason)
        names = [words(name) for name in tournament.names]
        sides = [game.headers.get(side, "") for side in game.rules.sides]
        for name in sides:
            if name not in names:
                raise NotationError(name, "it belongs to a tournament with other players")
        first, second = (names.index(name) for name in sides)
        return cls(
            key=found[0],
            round=int(found[1]),
            sides=(first, second),
            points=0.5 if outcome.winner is None else float(outcome.winner is Side.FIRST),
            start=game.start.fen() if game.start != game.rules.start() else "start",
            moves=tuple(node.text for node in game.main_line()),
            opening=game.headers.get("Opening", ""),
            reason=outcome.reason,
            failure=game.headers.get("Failure", ""),
            trace=read_trace(game.headers.get("Trace", "")),
            times=(time_spent(game, Side.FIRST), time_spent(game, Side.SECOND)),
        )

    @property
    def order(self) -> tuple[int, ...]:
        """Return the place of the game in the schedule, for sorting."""
        return tuple(map(int, self.key.split(".")))

    def points_of(self, player: int) -> float:
        """Return the points of one of the two players of the game."""
        return self.points if player == self.sides[0] else 1 - self.points

    @property
    def failed(self) -> int | None:
        """Return the index of the player that lost because it failed; None if no player failed."""
        return self.sides[1 if self.points == 1 else 0] if self.failure else None
