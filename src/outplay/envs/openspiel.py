"""Convert observations and actions between OpenSpiel's layout and ours. OpenSpiel itself is not needed.

connect_four    An action is the column, as in outplay. The tensor is 3 x 6 x 7: discs of the player that began, of
                the other, empty cells; row 0 is the lowest.
checkers        Player 0 begins at the bottom and goes up: our board turned by half a turn. An action is
                (row, column, direction, type) in an 8 x 8 x 4 x 2 array: directions up-left, up-right, down-right,
                down-left; type 1 is a jump. The tensor is 5 x 8 x 8: men and kings of player 0, men and kings of
                player 1, empty cells. OpenSpiel removes each piece when it is jumped; outplay removes all of them at
                the end of the turn.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from outplay import checkers, connect4
from outplay.errors import wrong_type
from outplay.outcome import Side

_DIRECTIONS = (3, 2, 0, 1)
"""OpenSpiel's number of each of our directions, as White sees the board: down-left, down-right, up-left, up-right."""
ACTIONS, THEIR_ACTIONS = 128, 512
"""The number of different actions in checkers: ours, and OpenSpiel's."""
_OURS = tuple(_DIRECTIONS.index(direction) for direction in range(4))


def connect_four_tensor(positions: connect4.Positions) -> NDArray[np.float32]:
    """Return positions x 3 x height x width, as OpenSpiel's observation_tensor has them for either player."""
    if not isinstance(positions, connect4.Positions):
        raise wrong_type("positions", "connect4.Positions", positions)
    rows = positions.rows()[:, ::-1]
    return np.stack([rows == 1, rows == 2, rows == 0], axis=1).astype(np.float32)


def checkers_tensor(positions: checkers.Positions) -> NDArray[np.float32]:
    """Return positions x 5 x 8 x 8, as OpenSpiel's observation_tensor has them for either player."""
    if not isinstance(positions, checkers.Positions):
        raise wrong_type("positions", "checkers.Positions", positions)
    rows = positions.rows()[:, ::-1, ::-1]
    return np.stack([rows == piece for piece in (1, 3, 2, 4, 0)], axis=1).astype(np.float32)


def checkers_action(action: int, side: Side, *, is_jump: bool) -> int:
    """Return OpenSpiel's number for one of our actions.

    >>> checkers_action(checkers.actions_of(start := checkers.Position(), start.parse("11-15"))[0], Side.FIRST,
    ...     is_jump=False)
    338
    """
    if not 0 <= action < ACTIONS:
        raise ValueError(f"action must be from 0 to {ACTIONS - 1}, not {action}")
    direction, square = divmod(action, 32)
    row, column = checkers.cell_of(square + 1)
    theirs = _DIRECTIONS[direction]
    if Side(side) == Side.FIRST:
        row, column, theirs = 7 - row, 7 - column, (theirs + 2) % 4
    return int(np.ravel_multi_index((row, column, theirs, int(is_jump)), (8, 8, 4, 2)))


def action_of(number: int, side: Side) -> int:
    """Return our action for OpenSpiel's number.

    >>> action_of(338, Side.FIRST)
    10
    """
    if not 0 <= number < THEIR_ACTIONS:
        raise ValueError(f"number must be from 0 to {THEIR_ACTIONS - 1}, not {number}")
    row, column, theirs, _ = (int(part) for part in np.unravel_index(number, (8, 8, 4, 2)))
    if Side(side) == Side.FIRST:
        row, column, theirs = 7 - row, 7 - column, (theirs + 2) % 4
    return 32 * _OURS[theirs] + checkers.square_at(row, column) - 1
