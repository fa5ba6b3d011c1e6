"""Games that several tests play through."""

import random
from functools import cache

from outplay import checkers
from outplay.notation import write
from outplay.record import Game

THREE_BLUNDERS = "444446666256222254173625555711733311771733"
"""A game in which both sides play the solver's moves except three times; it is a draw."""
BLUNDERS = [11, 17, 26]


@cache
def long_game(plies: int) -> str:
    """Return a random game of this many plies."""
    for seed in range(1000):
        chance, game = random.Random(seed), Game(checkers.Position(), no_progress=None)
        while game.outcome() is None and game.ply < plies:
            game.play(chance.choice(game.position.legal_moves()))
        if game.ply == plies:
            return write(game)
    raise AssertionError("no game is that long")
