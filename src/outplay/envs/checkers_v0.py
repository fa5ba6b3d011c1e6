"""Checkers for PettingZoo."""

from __future__ import annotations

from outplay.envs.aec import CheckersAEC


def env(*, render_mode: str | None = None) -> CheckersAEC:
    """Return a new environment. `render_mode`: ansi, svg or rgb_array."""
    return CheckersAEC(render_mode=render_mode)


raw_env = env
