"""Kaggle's ConnectX: play their agents here, and write our players as agents. Their package is not needed.

An agent is a function `agent(observation, configuration)` that returns a column from 0. `observation.board` is the
board row by row from the top, 0 empty, 1 and 2 the players; `observation.mark` is the agent's own number.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from typing import Any

from outplay.connect4 import Position
from outplay.levels import level
from outplay.outcome import Side
from outplay.players import PlayerLike, best_move, player

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
    """Return the position that an agent is asked about.

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
    first = mark if discs % 2 == Side.FIRST else 3 - mark
    return Position.from_rows(rows, first=first)


def _as_struct(given: Any) -> dict[str, Any]:
    return given if isinstance(given, dict) else vars(given)


def from_agent(agent: Agent) -> Callable[[Position], int]:
    """Return a Kaggle agent as a function that can be used wherever outplay accepts a player."""
    takes_rules = len(inspect.signature(agent).parameters) > 1

    def play(position: Position) -> int:
        seen = observation_of(position)
        return int(agent(seen, configuration_of(position)) if takes_rules else agent(seen))

    play.__name__ = play.__qualname__ = getattr(agent, "__name__", "agent")
    return play


def to_agent(who: PlayerLike) -> Agent:
    """Return a player of outplay as a Kaggle agent."""
    player(who)  # a wrong name is refused here

    def agent(observation: Any, configuration: Any = None) -> int:
        return best_move(position_of(observation, configuration), who)

    return agent


def write_agent(who: str, path: Path, *, standalone: bool = False) -> None:
    """Write a player as a file with one function `agent`, which is what Kaggle takes.

    The function imports outplay when it is first called, so outplay must be installed where it runs. With `standalone`
    the file needs no package: it approximates a level or the solver in plain Python. It looks as many moves ahead and
    is as careless, but its evaluation is simpler; for the solver and level 8 it looks as far as its time allows.
    """
    name = player(who).name
    text = _standalone(who) if standalone else _AGENT.format(name=name)
    path.write_text(text, encoding="utf-8")


def _standalone(who: str) -> str:
    """Return the source of the agent that needs no package, with the depth and the slack of a player."""
    found = re.fullmatch(r"level:(\d)", who)
    if found is None and who != "solver":
        raise ValueError(f"{who!r} cannot play without outplay: only level:1 to level:8 and solver can")
    rung = level("connect4", int(found[1]) if found else 8)
    depth, slack = (0, 0) if rung.is_native else (rung.depth, round(rung.slack / 4))
    source = files("outplay.envs").joinpath("kaggle_standalone.py").read_text(encoding="utf-8")
    return source.replace("DEPTH, SLACK = 0, 0", f"DEPTH, SLACK = {depth}, {slack}  # {who}")


_AGENT = '''"""{name} of outplay as an agent for ConnectX: pip install outplay."""


def agent(observation, configuration):
    from outplay import best_move
    from outplay.connect4 import Position

    width = configuration["columns"]
    board = list(observation["board"])
    mark = observation["mark"]
    discs = sum(cell != 0 for cell in board)
    rows = [board[start : start + width] for start in range(0, len(board), width)]
    position = Position.from_rows(rows, first=mark if discs % 2 == 0 else 3 - mark)
    return best_move(position, {name!r})
'''
