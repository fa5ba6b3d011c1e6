"""Matches between engines: openings, games, Elo with its error, and tests that stop early."""

from outplay.match.elo import Estimate, Pairs, elo_of, estimate, share_of
from outplay.match.openings import Opening, find_openings
from outplay.match.result import Played, Result, Tally
from outplay.match.run import play_match
from outplay.match.settings import Match
from outplay.match.sprt import Sprt

__all__ = [
    "Estimate",
    "Match",
    "Opening",
    "Pairs",
    "Played",
    "Result",
    "Sprt",
    "Tally",
    "elo_of",
    "estimate",
    "find_openings",
    "play_match",
    "share_of",
]
