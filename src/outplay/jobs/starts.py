"""Where the games of a training run begin: three-move ballots, eleven-man ballots, positions of real games."""

from __future__ import annotations

from functools import cache
from itertools import chain, islice, repeat
from pathlib import Path

from outplay.checkers import Position
from outplay.match.ballots import eleven_man_ballots, three_move_ballots
from outplay.notation import read

FIRST_PLY, LAST_PLY = 6, 50
"""The part of a real game from which positions are taken."""
LEAST_PIECES = 8
"""Positions with fewer pieces are not used, because the endgame tables soon know their outcome."""


@cache
def training_starts(games_file: Path | None = None) -> tuple[Position, ...]:
    """Return the positions where training games begin; each kind of start has the same share."""
    kinds = [_after_ballots(), list(eleven_man_ballots())]
    if games_file is not None:
        kinds.append(_of_real_games(games_file))
    most = max(map(len, kinds))
    return tuple(chain.from_iterable(islice(chain.from_iterable(repeat(kind)), most) for kind in kinds if kind))


def _after_ballots() -> list[Position]:
    found = []
    for _, moves in three_move_ballots():
        position = Position.start()
        for text in moves:
            position = position.play(position.parse(text))
        found.append(position)
    return found


def _of_real_games(path: Path) -> list[Position]:
    found: dict[Position, None] = {}
    readable = (entry.game for entry in read(path) if entry.game is not None)
    for game in readable:
        for node in islice(game.main_line(), FIRST_PLY, LAST_PLY):
            position = node.position
            if isinstance(position, Position) and (position.black | position.white).bit_count() >= LEAST_PIECES:
                found[position] = None
    return list(found)
