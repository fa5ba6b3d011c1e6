"""The PettingZoo environment of either game."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import logger, spaces
from pettingzoo import AECEnv

from outplay.envs.boards import (
    RENDER_MODES,
    CheckersBoard,
    ConnectFourBoard,
    EnvBoard,
    Observation,
    action_number,
)
from outplay.envs.pixels import Pixels
from outplay.outcome import Outcome, Side

AGENTS = ("player_0", "player_1")
"""`player_0` moves first: Red in Connect Four, Black in checkers."""


class BoardGameEnv(AECEnv[str, Observation, int]):
    """Two agents who take turns on one board. `env()` of `connect_four_v0` or `checkers_v0` makes it.

    The winner gets 1 and the loser -1; a draw is 0 for both. An illegal action ends the game: the agent that played it
    gets -1, the other 0, as in PettingZoo's own environments. With `scores`, `infos[agent]["scores"]` has the exact
    score of every column for the agent to move (Connect Four only).
    """

    metadata: dict[str, Any] = {"render_modes": RENDER_MODES, "is_parallelizable": False, "render_fps": 2}  # noqa: RUF012

    def __init__(self, board: EnvBoard, *, name: str, render_mode: str | None = None, scores: bool = False) -> None:
        if render_mode is not None and render_mode not in RENDER_MODES:
            raise ValueError(f"render_mode must be one of {', '.join(RENDER_MODES)}, not {render_mode!r}")
        self._board = board
        self._has_scores = scores
        self.metadata = {**self.metadata, "name": name}
        self.render_mode = render_mode
        self.possible_agents = list(AGENTS)
        self.agents: list[str] = []
        space = spaces.Dict(
            {
                "observation": spaces.Box(0, 1, board.shape, np.int8),
                "action_mask": spaces.Box(0, 1, (board.action_count,), np.int8),
            }
        )
        self.observation_spaces = dict.fromkeys(AGENTS, space)
        self.action_spaces = {agent: spaces.Discrete(board.action_count) for agent in AGENTS}

    def __getattr__(self, name: str) -> Any:
        """Raise AttributeError; for an attribute of a game, say that no game has begun yet."""
        why = ": call reset() first" if name in _OF_A_GAME else ""
        raise AttributeError(f"{type(self).__name__} has no {name}{why}")

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a new game. Nothing here is random, so the seed changes nothing."""
        self._board.reset()
        self.agents = list(AGENTS)
        self.rewards = dict.fromkeys(AGENTS, 0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in AGENTS}
        self.agent_selection = AGENTS[0]
        self._tell_scores()

    def observe(self, agent: str) -> Observation:
        """Return what an agent sees: planes, own pieces first, and a mask, all zeros unless the agent is to move."""
        seen = self._board.observe(_SIDES[agent])
        if self.terminations[agent]:
            seen["action_mask"][:] = 0
        return seen

    def step(self, action: int | None) -> None:
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        number = -1 if action is None else action_number(action)
        if self._cumulative_rewards[agent]:
            self._cumulative_rewards[agent] = 0
        if not self._board.is_legal(number):
            self._end({agent: -1})
            return
        outcome = self._board.play(number)
        if outcome is None:
            self.agent_selection = AGENTS[self._board.side]
            self._tell_scores()
        else:
            self._end(_rewards(outcome))

    def _end(self, rewards: dict[str, int]) -> None:
        self.rewards = {**dict.fromkeys(AGENTS, 0), **rewards}
        self._accumulate_rewards()
        self.terminations = dict.fromkeys(AGENTS, True)
        self.infos = {agent: {} for agent in AGENTS}
        self.agent_selection = AGENTS[1 - AGENTS.index(self.agent_selection)]

    def _tell_scores(self) -> None:
        if self._has_scores:
            self.infos = {agent: {} for agent in AGENTS}
            self.infos[self.agent_selection] = {"scores": self._board.scores()}

    def render(self) -> str | Pixels | None:
        """Return the board as text (`ansi`), SVG (`svg`) or an array of pixels (`rgb_array`)."""
        if self.render_mode is None:
            logger.warn("render() does nothing: make the environment with a render_mode")
            return None
        return self._board.render(self.render_mode)

    def close(self) -> None:
        """Do nothing: there is no window."""

    @property
    def position(self) -> Any:
        """The position on the board."""
        return self._board.position


_OF_A_GAME = ("agent_selection", "rewards", "_cumulative_rewards", "terminations", "truncations", "infos")
_SIDES = dict(zip(AGENTS, Side, strict=True))


def _rewards(outcome: Outcome) -> dict[str, int]:
    if outcome.winner is None:
        return {}
    return {AGENTS[outcome.winner]: 1, AGENTS[1 - outcome.winner]: -1}


class ConnectFourAEC(BoardGameEnv):
    """Connect Four; `width` and `height` for other boards."""

    def __init__(
        self, *, width: int = 7, height: int = 6, render_mode: str | None = None, scores: bool = False
    ) -> None:
        board = ConnectFourBoard(width, height)
        super().__init__(board, name="outplay_connect_four_v0", render_mode=render_mode, scores=scores)


class CheckersAEC(BoardGameEnv):
    """Checkers. A turn of several jumps is several steps by the same agent."""

    def __init__(self, *, render_mode: str | None = None) -> None:
        super().__init__(CheckersBoard(), name="outplay_checkers_v0", render_mode=render_mode)
