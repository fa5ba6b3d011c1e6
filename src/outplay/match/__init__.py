"""Matches and tournaments between engines: openings, games, Elo with its error, and tests that stop early."""

from outplay.match.bout import Bout
from outplay.match.elo import Estimate, Pairs, elo_of, estimate, share_of
from outplay.match.openings import Opening, find_openings
from outplay.match.ratings import Meeting, Ratings, rate
from outplay.match.result import Played, Result, Tally
from outplay.match.run import play_match
from outplay.match.settings import Match
from outplay.match.sprt import Sprt
from outplay.match.standings import Absence, Standing, TournamentState
from outplay.match.swiss import Entrant, SwissRound, pair_round
from outplay.match.tournament import Tournament
from outplay.match.tournament_run import BoutBegan, BoutEnded, BoutMoved, TournamentRun, play_tournament

__all__ = [
    "Absence",
    "Bout",
    "BoutBegan",
    "BoutEnded",
    "BoutMoved",
    "Entrant",
    "Estimate",
    "Match",
    "Meeting",
    "Opening",
    "Pairs",
    "Played",
    "Ratings",
    "Result",
    "Sprt",
    "Standing",
    "SwissRound",
    "Tally",
    "Tournament",
    "TournamentRun",
    "TournamentState",
    "elo_of",
    "estimate",
    "find_openings",
    "pair_round",
    "play_match",
    "play_tournament",
    "rate",
    "share_of",
]
