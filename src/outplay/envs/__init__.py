"""Environments for reinforcement learning: PettingZoo, Gymnasium, many games at once, Kaggle agents, OpenSpiel.

    connect_four_v0, checkers_v0    PettingZoo environments, made with `env()`
    outplay/ConnectFour-v0          a Gymnasium environment against any player; outplay/Checkers-v0 likewise
    ConnectFourVector               thousands of games per call; CheckersVector likewise
    kaggle, openspiel               agents and conventions of these two projects

They need `pip install 'outplay[envs]'`. Importing this package registers the Gymnasium environments.
"""

from outplay.extras import require

require("envs", "numpy", "gymnasium", "pettingzoo")

from outplay.envs import checkers_v0, connect_four_v0, kaggle, openspiel
from outplay.envs.single import CheckersEnv, ConnectFourEnv, register
from outplay.envs.vector import CheckersVector, ConnectFourVector

__all__ = [
    "CheckersEnv",
    "CheckersVector",
    "ConnectFourEnv",
    "ConnectFourVector",
    "checkers_v0",
    "connect_four_v0",
    "kaggle",
    "openspiel",
]

register()
