"""Thousands of games per call, in C++: a game that ends begins again at once, and every step fills the same arrays."""

from __future__ import annotations

import secrets
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import ArrayLike, NDArray

from outplay import checkers, connect4

Observations = dict[str, NDArray[Any]]
Step = tuple[Observations, NDArray[np.float32], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]


class _GamesVector(VectorEnv[Observations, ArrayLike, NDArray[Any]]):
    """Self-play: each step is an action of the side to move. The reward is 1 if the action wins, otherwise 0.

    With `final_obs`, `info["final_obs"]` has the last observation of each game that this step ended, and None for the
    other games, as Gymnasium's own vector environments have it. Its mask is empty: there is nothing left to play.
    """

    metadata: dict[str, Any] = {"autoreset_mode": AutoresetMode.SAME_STEP, "render_modes": []}  # noqa: RUF012
    games: connect4.VectorGames | checkers.VectorGames

    def __init__(self, games: connect4.VectorGames | checkers.VectorGames, *, final_obs: bool) -> None:
        self.games = games
        self._has_final = final_obs
        self.games.seed(secrets.randbits(64))
        self.num_envs = len(games)
        self.single_action_space = spaces.Discrete(games.masks.shape[1])
        self.single_observation_space = spaces.Dict(
            {
                "observation": spaces.Box(0, 1, games.planes.shape[1:], np.int8),
                "action_mask": spaces.Box(0, 1, games.masks.shape[1:], np.bool_),
            }
        )
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self._observations: Observations = {"observation": games.planes, "action_mask": games.masks}
        self._never = np.zeros(self.num_envs, np.bool_)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observations, dict[str, Any]]:
        """Begin every game again. `seed` is for `random_actions`; without a seed its random numbers continue."""
        if options and "reset_mask" in options:
            raise ValueError("reset_mask is not supported: finished games restart by themselves; reset() restarts all")
        if seed is not None:
            self.games.seed(seed)
        self.games.reset()
        return self._observations, self._info()

    def step(self, actions: ArrayLike) -> Step:
        """Play one action in each game. The arrays are those of the last step, filled again: copy what you keep.

        IllegalMoveError names the first action that is not legal; then no game has changed.
        """
        before = self.games.positions() if self._has_final else None
        self.games.step(actions)
        info = self._info() if before is None else {**self._info(), **self._final(before, np.asarray(actions))}
        return self._observations, self.games.rewards, self.games.finished, self._never, info

    def _final(self, before: Any, actions: NDArray[Any]) -> dict[str, Any]:
        """Return what Gymnasium puts into `info` if a step has ended games."""
        ended = np.flatnonzero(self.games.finished)
        if not len(ended):
            return {}
        found, mask = np.full(self.num_envs, None, object), np.zeros(self.games.masks.shape[1:], np.bool_)
        for game, planes in zip(ended, before[ended].play(actions[ended]).planes(), strict=True):
            found[game] = {"observation": planes, "action_mask": mask}
        is_final = self.games.finished.copy()
        return {"final_obs": found, "_final_obs": is_final, "final_info": {}, "_final_info": is_final}

    def random_actions(self) -> NDArray[np.int64]:
        """Return a legal action for each game, at random."""
        return self.games.random_actions()

    def _info(self) -> dict[str, Any]:
        return {}


class ConnectFourVector(_GamesVector):
    """Many games of Connect Four. Planes are 2 x height x width: see `connect4.Positions.planes`.

    `planes`, `masks`, `rewards` and `finished` may be arrays of your own, which each step fills. With `scores`,
    `info["scores"]` has the exact score of every column of every game, which takes most of the time.
    """

    def __init__(
        self, games: int, *, scores: bool = False, threads: int = 1, final_obs: bool = False, **arrays: Any
    ) -> None:
        super().__init__(connect4.VectorGames(games, **arrays), final_obs=final_obs)
        self._solver = connect4.Solver() if scores else None
        self._threads = threads

    def _info(self) -> dict[str, Any]:
        if self._solver is None:
            return {}
        positions = self.games.positions()
        assert isinstance(positions, connect4.Positions)
        return {"scores": self._solver.scores_many(positions, threads=self._threads)}


class CheckersVector(_GamesVector):
    """Many games of checkers. Planes are 6 x 8 x 8: see `checkers.Positions.planes`.

    `info["sides"]` says who is to move. Games end as in `outplay.Game`. So a game is also drawn when a position
    occurs for the third time, and after `draw_plies` plies in a row without a capture or the move of a man.
    """

    games: checkers.VectorGames

    def __init__(self, games: int, *, draw_plies: int = 80, final_obs: bool = False, **arrays: Any) -> None:
        super().__init__(checkers.VectorGames(games, draw_plies=draw_plies, **arrays), final_obs=final_obs)

    def _info(self) -> dict[str, Any]:
        return {"sides": self.games.sides}
