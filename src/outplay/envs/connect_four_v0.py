"""Connect Four for PettingZoo: observations, actions and rewards as in its connect_four_v3, but much faster."""

from __future__ import annotations

from outplay.envs.aec import ConnectFourAEC


def env(*, width: int = 7, height: int = 6, render_mode: str | None = None, scores: bool = False) -> ConnectFourAEC:
    """Return a new environment. `render_mode`: ansi, svg or rgb_array."""
    return ConnectFourAEC(width=width, height=height, render_mode=render_mode, scores=scores)


raw_env = env
