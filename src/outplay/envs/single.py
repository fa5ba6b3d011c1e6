"""Gymnasium environments: one agent against any player of ours."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces

from outplay.engine.task import EngineProcess
from outplay.engine.types import Engine, Limit
from outplay.envs.boards import (
    RENDER_MODES,
    CheckersBoard,
    ConnectFourBoard,
    EnvBoard,
    Observation,
    action_number,
)
from outplay.envs.pixels import Pixels
from outplay.errors import wrong_type
from outplay.outcome import Outcome, Side
from outplay.players import PlayerLike, opponent_player, player
from outplay.rules import rules_of

Step = tuple[Observation, float, bool, bool, dict[str, Any]]


class OpponentEnv(gymnasium.Env[Observation, int]):
    """One agent against a player. Each step is an action of the agent and then the moves of its opponent.

    The reward is 1 for a win, -1 for a loss and 0 otherwise. An illegal action loses the game. If the opponent fails,
    the step raises its error and the game is over: call `reset()`. With `scores`, `info["scores"]` has the exact score
    of every column (Connect Four only).
    """

    metadata: dict[str, Any] = {"render_modes": RENDER_MODES, "render_fps": 2}  # noqa: RUF012

    def __init__(
        self,
        board: EnvBoard,
        *,
        opponent: PlayerLike = "random",
        first: bool | None = None,
        limit: Limit | None = None,
        render_mode: str | None = None,
        scores: bool = False,
    ) -> None:
        """Make the environment. `first`: whether the agent begins (default: at random). `limit` is for the opponent.

        Default for `limit`: half a second.
        """
        if render_mode is not None and render_mode not in RENDER_MODES:
            raise ValueError(f"render_mode must be one of {', '.join(RENDER_MODES)}, not {render_mode!r}")
        if not isinstance(first, bool | None):
            raise wrong_type("first", "True, False or None", first)
        if not isinstance(limit, Limit | None):
            raise wrong_type("limit", "a Limit or None", limit)
        opponent_player(opponent, rules_of(board.position).name)  # refused here, not in the middle of a game
        self._board = board
        self._opponent, self._limit = opponent, limit or Limit(time_ms=500)
        self._first, self._has_scores = first, scores
        self._side = Side.FIRST
        self._is_over = True
        self._seed: int | None = None
        self._engine: Engine | None = None
        self.render_mode = render_mode
        self.action_space = spaces.Discrete(board.action_count)
        self.observation_space = spaces.Dict(
            {
                "observation": spaces.Box(0, 1, board.shape, np.int8),
                "action_mask": spaces.Box(0, 1, (board.action_count,), np.int8),
            }
        )

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin a new game. With a seed, the seats and the opponent's choices are the same each time."""
        super().reset(seed=seed)
        self._board.reset()
        self._close_engine()
        is_first = bool(self.np_random.integers(2)) if self._first is None else self._first
        self._side = Side.FIRST if is_first else Side.SECOND
        self._seed = int(self.np_random.integers(2**31))
        self._is_over = True  # until the opponent has answered: if it fails, there is no game
        self._reply()
        self._is_over = False
        return self._observe(), self._info()

    def step(self, action: int) -> Step:
        if self._is_over:
            raise gymnasium.error.ResetNeeded("the game is over: call reset()")
        number = action_number(action)
        self._is_over = True  # until the opponent has answered: if it fails, the game is over
        if not self._board.is_legal(number):
            return self._observe(), -1.0, True, False, {}
        outcome = self._board.play(number) or self._reply()
        self._is_over = outcome is not None
        return self._observe(), self._reward(outcome), self._is_over, False, self._info()

    def _reply(self) -> Outcome | None:
        """Play for the opponent until it is the agent's turn."""
        if self._board.side == self._side:
            return None
        position = self._board.position
        analysis = self._asked().analyse(position, self._limit, history=self._board.history())
        return self._board.play_move(analysis.move)

    def _asked(self) -> Engine:
        """Return the opponent's engine. If it uses random numbers, a new engine is made for each of its moves."""
        who = player(self._opponent, seed=self._seed)
        recipe = who.recipe(len(self._board.history()) or getattr(self._board.position, "plies", 0))
        if recipe.is_reusable and self._engine is not None:
            return self._engine
        self._close_engine()
        self._engine = who.engine() if recipe.needs_process else recipe()
        return self._engine

    def _close_engine(self) -> None:
        if isinstance(self._engine, EngineProcess):
            self._engine.close()
        self._engine = None

    def _observe(self) -> Observation:
        seen = self._board.observe(self._side)
        if self._is_over:
            seen["action_mask"][:] = 0
        return seen

    def _reward(self, outcome: Outcome | None) -> float:
        if outcome is None or outcome.winner is None:
            return 0.0
        return 1.0 if outcome.winner == self._side else -1.0

    def _info(self) -> dict[str, Any]:
        return {"scores": self._board.scores()} if self._has_scores and not self._is_over else {}

    def render(self) -> str | Pixels | None:
        """Return the board as text (`ansi`), SVG (`svg`) or an array of pixels (`rgb_array`)."""
        return None if self.render_mode is None else self._board.render(self.render_mode)

    def close(self) -> None:
        """End the opponent's process, if it has one."""
        self._close_engine()

    @property
    def position(self) -> Any:
        """The position on the board."""
        return self._board.position


class ConnectFourEnv(OpponentEnv):
    """`gymnasium.make("outplay/ConnectFour-v0", opponent="level:3")`; `width` and `height` for other boards."""

    def __init__(self, *, width: int = 7, height: int = 6, **options: Any) -> None:
        super().__init__(ConnectFourBoard(width, height), **options)


class CheckersEnv(OpponentEnv):
    """`gymnasium.make("outplay/Checkers-v0", opponent="level:3")`. An action is one step or one jump."""

    def __init__(self, **options: Any) -> None:
        board = CheckersBoard()
        if options.get("scores"):
            board.scores()  # raises: not only when the first game begins
        super().__init__(board, **options)


def register() -> None:
    """Make the environments known to `gymnasium.make`."""
    for name, kind in (("ConnectFour", "ConnectFourEnv"), ("Checkers", "CheckersEnv")):
        if f"outplay/{name}-v0" not in gymnasium.registry:
            gymnasium.register(f"outplay/{name}-v0", entry_point=f"outplay.envs.single:{kind}")
