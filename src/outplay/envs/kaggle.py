"""Kaggle's ConnectX: play their agents here, and write our players as agents. Their package is not needed.

An agent is a function `agent(observation, configuration)` that returns a column from 0. `observation.board` is the
board row by row from the top, 0 empty, 1 and 2 the players; `observation.mark` is the agent's own number.
"""

from __future__ import annotations

import inspect
import operator
from collections.abc import Callable
from typing import Any

from outplay.connect4 import Position
from outplay.envs.kaggle_files import Carries, write_agent
from outplay.errors import wrong_type
from outplay.outcome import Side
from outplay.players import PlayerLike, best_move, opponent_player

__all__ = [
    "Agent",
    "Carries",
    "Struct",
    "configuration_of",
    "from_agent",
    "observation_of",
    "position_of",
    "to_agent",
    "write_agent",
]

Agent = Callable[..., int]


class Struct(dict[str, Any]):
    """A dictionary whose keys are attributes, too: agents use both."""

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None


def observation_of(position: Position) -> Struct:
    """Return what an agent to move sees of a position."""
    board = [cell for row in position.rows(first=1) for cell in row]
    return Struct(board=board, mark=position.side + 1, step=position.plies, remainingOverageTime=60.0)


def configuration_of(position: Position, *, timeout: float = 2.0) -> Struct:
    """Return the rules as an agent expects them."""
    return Struct(
        columns=position.width, rows=position.height, inarow=4, actTimeout=timeout, timeout=timeout, steps=1000
    )


def position_of(observation: Any, configuration: Any = None) -> Position:
    """Return the position that an observation describes.

    >>> position_of({"board": [0] * 35 + [0, 0, 0, 1, 0, 0, 0], "mark": 2}).fen()[-7:]
    '...1...'
    """
    seen, rules = _as_struct(observation), _as_struct(configuration or {})
    width = int(rules.get("columns", 7))
    if rules.get("inarow", 4) != 4:
        raise ValueError(f"outplay plays four in a row, not {rules['inarow']}")
    board = list(seen["board"])
    rows = [board[start : start + width] for start in range(0, len(board), width)]
    mark, discs = int(seen["mark"]), sum(cell != 0 for cell in board)
    if mark not in (1, 2):
        raise ValueError(f"mark must be 1 or 2, not {mark}")
    first = mark if discs % 2 == Side.FIRST else 3 - mark
    return Position.from_rows(rows, first=first)


def _as_struct(given: Any) -> dict[str, Any]:
    return given if isinstance(given, dict) else vars(given)


def from_agent(agent: Agent) -> Callable[[Position], int]:
    """Return a Kaggle agent as a function that can be used wherever outplay accepts a player."""
    if not callable(agent):
        raise wrong_type("agent", "a function", agent)
    takes_rules = len(inspect.signature(agent).parameters) > 1

    def play(position: Position) -> int:
        if not isinstance(position, Position):
            raise TypeError("a Kaggle agent plays only Connect Four")
        seen = observation_of(position)
        answer = agent(seen, configuration_of(position)) if takes_rules else agent(seen)
        if isinstance(answer, bool) or not hasattr(answer, "__index__"):
            raise wrong_type("the answer of an agent", "a column, from 0", answer)
        return operator.index(answer)

    play.__name__ = play.__qualname__ = getattr(agent, "__name__", "agent")
    return play


def to_agent(who: PlayerLike) -> Agent:
    """Return a player of outplay as a Kaggle agent."""
    opponent_player(who, "connect4", seat="agent")  # refused here, not in the middle of a game

    def agent(observation: Any, configuration: Any = None) -> int:
        return best_move(position_of(observation, configuration), who)

    return agent
