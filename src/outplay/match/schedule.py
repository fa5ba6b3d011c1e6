"""Plan the games that are left to play, as jobs."""

from __future__ import annotations

from collections.abc import Container

from outplay.match.game import GameTask, Pairing
from outplay.match.openings import find_openings
from outplay.match.settings import Match
from outplay.work import Job


def pairings(match: Match, games: int) -> list[Pairing]:
    """Return the games of a match in order: each opening twice, A moving first in the first of the two."""
    openings = find_openings(match.openings, match.game, seed=match.seed)
    numbers = [divmod(number, 2) for number in range(games)]
    return [Pairing(pair + 1, half + 1, openings(pair + 1)) for pair, half in numbers]


def jobs(match: Match, games: int, *, played: Container[str] = (), keep: bool = True) -> list[Job]:
    """Return a job for each game that has not been played; each job returns its game as text."""
    return [
        Job(pairing.round, GameTask(match, pairing, keep))
        for pairing in pairings(match, games)
        if pairing.round not in played
    ]
