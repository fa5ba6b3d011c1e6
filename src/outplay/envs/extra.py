"""The libraries of the extra: importing this module says how to install what is missing."""

from __future__ import annotations

try:
    import gymnasium
    import numpy
    import pettingzoo
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(f"{error.name} is not installed: pip install 'outplay[envs]'", name=error.name) from error

__all__ = ["gymnasium", "numpy", "pettingzoo"]
