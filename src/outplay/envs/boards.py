"""One game as an environment sees it: observations, masks and actions in place of positions and moves."""

from __future__ import annotations

from operator import index
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from outplay import checkers, connect4
from outplay.envs.pixels import Pixels, checkers_pixels, connect4_pixels
from outplay.errors import wrong_type
from outplay.outcome import Outcome, Side
from outplay.record import Game

Observation = dict[str, NDArray[np.int8]]
"""`observation`: the planes; `action_mask`: 1 for every action that is legal now, for the agent to move."""

RENDER_MODES = ["ansi", "svg", "rgb_array"]


def action_number(action: Any) -> int:
    """Return an action as a Python `int`. TypeError if it is not a whole number: 2.5 and "4" are not converted."""
    try:
        return index(action)
    except TypeError:
        raise wrong_type("action", "a whole number", action) from None


class EnvBoard(Protocol):
    """A game in progress."""

    shape: tuple[int, ...]
    """The shape of the planes."""
    action_count: int

    @property
    def position(self) -> Any: ...
    @property
    def side(self) -> Side: ...
    def reset(self) -> None: ...
    def observe(self, side: Side) -> Observation: ...
    def is_legal(self, action: int) -> bool: ...
    def play(self, action: int) -> Outcome | None:
        """Play a legal action; return the outcome if it ended the game, else None."""

    def play_move(self, move: Any) -> Outcome | None:
        """Play a whole move; return the outcome if it ended the game, else None."""

    def history(self) -> tuple[Any, ...]: ...
    def scores(self) -> NDArray[np.int8]:
        """Return the exact score of each action, connect4.NO_SCORE where there is none."""

    def render(self, mode: str) -> str | Pixels: ...


class ConnectFourBoard:
    """An action is a column, from 0. Planes are height x width x 2: own discs, then the other side's."""

    def __init__(self, width: int = 7, height: int = 6) -> None:
        self._start = connect4.Position(width, height)
        self.shape: tuple[int, ...] = (height, width, 2)
        self.action_count = width
        self._solver: connect4.Solver | None = None
        self.reset()

    def __getstate__(self) -> dict[str, Any]:
        """Return the state without the solver: a copy makes its own."""
        return {**vars(self), "_solver": None}

    def reset(self) -> None:
        self.position = self._start

    @property
    def side(self) -> Side:
        return self.position.side

    def observe(self, side: Side) -> Observation:
        planes, mask = connect4.observation(self.position, side)
        return {"observation": planes, "action_mask": mask}

    def is_legal(self, action: int) -> bool:
        return self.position.is_legal(action)

    def play(self, action: int) -> Outcome | None:
        self.position = self.position.play(action)
        return self.position.outcome()

    play_move = play

    def history(self) -> tuple[connect4.Position, ...]:
        return ()

    def scores(self) -> NDArray[np.int8]:
        self._solver = self._solver or connect4.Solver()
        scores: NDArray[np.int8] = self._solver.scores_many(connect4.Positions([self.position]))[0]
        return scores

    def render(self, mode: str) -> str | Pixels:
        return _rendered(self.position, mode)


class CheckersBoard:
    """An action is one step or one jump: see `checkers.actions_of`. Planes are 8 x 8 x 6."""

    def __init__(self) -> None:
        self.shape: tuple[int, ...] = (8, 8, 6)
        self.action_count = checkers.ACTION_COUNT
        self.reset()

    def reset(self) -> None:
        self._game = Game(checkers.Position())
        self._actions: list[int] = []
        self._stage = checkers.Positions([self._game.position])

    @property
    def position(self) -> checkers.Position:
        """The position on the board; during a turn of several jumps, the one before the turn."""
        return self._game.position

    @property
    def side(self) -> Side:
        return self.position.side

    def observe(self, side: Side) -> Observation:
        is_turn = side == self.side
        planes = (self._stage if is_turn else self._seen_by(side)).planes(channels="last")[0]
        mask = self._mask() if is_turn else np.zeros(self.action_count, np.int8)
        return {"observation": planes, "action_mask": mask}

    def _mask(self) -> NDArray[np.int8]:
        if self._game.outcome() is not None:
            return np.zeros(self.action_count, np.int8)
        mask: NDArray[np.int8] = self._stage.legal_mask()[0].view(np.int8)
        return mask

    def _seen_by(self, side: Side) -> checkers.Positions:
        """Return the board for the side that is not to move, without marks for a jump that is not finished."""
        stage = self._stage
        return checkers.Positions.from_bitboards(stage.black, stage.white, stage.kings, np.array([side], np.uint8))

    def is_legal(self, action: int) -> bool:
        return 0 <= action < self.action_count and bool(self._mask()[action])

    def play(self, action: int) -> Outcome | None:
        self._actions.append(action)
        after = self._stage.play([action])
        if after.jumping[0]:
            self._stage = after
            return None
        return self.play_move(checkers.move_of(self.position, self._actions))

    def play_move(self, move: checkers.Move) -> Outcome | None:
        self._game.play(move)
        self._actions = []
        self._stage = checkers.Positions([self.position])
        return self._game.outcome()

    def history(self) -> tuple[checkers.Position, ...]:
        return self._game.history

    def scores(self) -> NDArray[np.int8]:
        raise ValueError("scores are exact only in Connect Four")

    def render(self, mode: str) -> str | Pixels:
        if not self._actions:
            return _rendered(self.position, mode)
        stage = self._stage
        shown = checkers.Positions.from_bitboards(stage.black, stage.white, stage.kings, stage.sides)[0]
        return _rendered(shown, mode)


def _rendered(position: connect4.Position | checkers.Position, mode: str) -> str | Pixels:
    if mode == "ansi":
        return str(position)
    if mode == "svg":
        return position._repr_svg_()
    if isinstance(position, connect4.Position):
        return connect4_pixels(position.rows(first=1))
    return checkers_pixels(position.rows())
