"""A match of two players: every opening of a few random moves is played twice, with sides exchanged."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import NamedTuple

from outplay.engine.types import Engine, Limit
from outplay.outcome import Side
from outplay.record import Game
from outplay.rules import RULES

OPENING_PLIES = {"connect4": 2, "checkers": 4}
MOST_PLIES = 200
"""A game of checkers that is longer counts as a draw."""

Make = Callable[[int], Engine]
"""A player, given a seed."""


class Match(NamedTuple):
    """Two players, what they are called, how many openings they play, and what limits each move."""

    game: str
    title: str
    stronger: Make
    weaker: Make
    openings: int
    limit: Limit = Limit()


class Tally(NamedTuple):
    """Games of the first player."""

    wins: int
    draws: int
    losses: int

    @property
    def share(self) -> float:
        """Points of all, from 0 to 1."""
        return (self.wins + self.draws / 2) / sum(self)


def play(match: Match, engines: dict[Side, Engine], seed: int) -> Side | None:
    """Who wins a game that begins with random moves."""
    chance = random.Random(seed)
    record = Game(RULES[match.game].start())
    for _ in range(OPENING_PLIES[match.game]):
        record.play(chance.choice(record.position.legal_moves()))
    while (outcome := record.outcome()) is None and record.ply < MOST_PLIES:
        engine = engines[record.position.side]
        record.play(engine.analyse(record.position, match.limit, history=record.history).move)
    return None if outcome is None else outcome.winner


def run(match: Match, *, tell: Callable[[Tally], object] = lambda _: None) -> Tally:
    """Play a match; how it stands is told after every opening."""
    winners: list[bool | None] = []
    for number in range(match.openings):
        stronger, weaker = match.stronger(number), match.weaker(number)
        for side in Side:
            winner = play(match, {side: stronger, side.other: weaker}, seed=number)
            winners.append(None if winner is None else winner == side)
        tell(_tally(winners))
    return _tally(winners)


def _tally(winners: list[bool | None]) -> Tally:
    return Tally(winners.count(True), winners.count(None), winners.count(False))
