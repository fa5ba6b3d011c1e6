"""OpenSpiel's order of observations and actions, to and from ours. OpenSpiel itself is not needed.

connect_four    An action is the column, as with us. The tensor is 3 x 6 x 7: discs of the player that began, of the
                other, empty cells; row 0 is the lowest.
checkers        Player 0 begins at the bottom and goes up: our board turned by half a turn. An action is
                (row, column, direction, type) in an 8 x 8 x 4 x 2 array: directions up-left, up-right, down-right,
                down-left; type 1 is a jump. The tensor is 5 x 8 x 8: men and kings of player 0, men and kings of
                player 1, empty cells. OpenSpiel lifts each piece as it is jumped, we lift all of them at the end of
                the turn.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from outplay import checkers, connect4
from outplay.outcome import Side

_DIRECTIONS = (3, 2, 0, 1)
"""OpenSpiel's direction for ours, on the board as White sees it: down-left, down-right, up-left, up-right."""
_OURS = tuple(_DIRECTIONS.index(direction) for direction in range(4))


def connect_four_tensor(positions: connect4.Positions) -> NDArray[np.float32]:
    """Return positions x 3 x height x width, as OpenSpiel's observation_tensor has them for either player."""
    rows = positions.rows()[:, ::-1]
    return np.stack([rows == 1, rows == 2, rows == 0], axis=1).astype(np.float32)


def checkers_tensor(positions: checkers.Positions) -> NDArray[np.float32]:
    """Return positions x 5 x 8 x 8, as OpenSpiel's observation_tensor has them for either player."""
    rows = positions.rows()[:, ::-1, ::-1]
    return np.stack([rows == piece for piece in (1, 3, 2, 4, 0)], axis=1).astype(np.float32)


def checkers_action(action: int, side: Side, *, is_jump: bool) -> int:
    """Return OpenSpiel's number of an action of ours.

    >>> checkers_action(checkers.actions_of(start := checkers.Position(), start.parse("11-15"))[0], Side.FIRST,
    ...     is_jump=False)
    338
    """
    direction, square = divmod(action, 32)
    row, column = checkers.cell_of(square + 1)
    theirs = _DIRECTIONS[direction]
    if side == Side.FIRST:
        row, column, theirs = 7 - row, 7 - column, (theirs + 2) % 4
    return int(np.ravel_multi_index((row, column, theirs, int(is_jump)), (8, 8, 4, 2)))


def action_of(number: int, side: Side) -> int:
    """Return our action for OpenSpiel's number.

    >>> action_of(338, Side.FIRST)
    10
    """
    row, column, theirs, _ = (int(part) for part in np.unravel_index(number, (8, 8, 4, 2)))
    if side == Side.FIRST:
        row, column, theirs = 7 - row, 7 - column, (theirs + 2) % 4
    return 32 * _OURS[theirs] + checkers.square_at(row, column) - 1
