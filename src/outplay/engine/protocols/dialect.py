"""What the protocols of outside engines have in common, and where they differ.

In both protocols (docs/hub.md, docs/drop.md), a line is a command and its arguments, and a conversation takes the same
course. They differ in the first word, and in how positions, moves and reports are written.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from outplay.engine.protocols import drop, hub
from outplay.engine.protocols.hub import Message
from outplay.engine.types import Analysis
from outplay.rules import Move, Position


@dataclass(frozen=True, slots=True)
class Dialect:
    """One protocol: its game, its names, and how it reads and writes positions, moves and reports."""

    greeting: str
    """The first word that the client says."""
    game: str
    title: str
    """What the protocol is called."""
    plays: str
    """What its game is called."""
    write_setup: Callable[[Any, Sequence[Any]], Mapping[str, str]]
    """Returns the arguments of `pos` for a position and the positions before it."""
    read_setup: Callable[[Message], tuple[Position, tuple[Position, ...]]]
    """Returns the position of a `pos`, and the positions before it."""
    write_move: Callable[[Any, Move], str]
    read_move: Callable[[Any, str], Move]
    write_info: Callable[[Any, Analysis], Message]
    read_info: Callable[[Message, Any], Analysis | None]


HUB = Dialect(
    "hub",
    "checkers",
    "Hub",
    "checkers",
    hub.write_setup,
    hub.read_setup,
    lambda position, move: hub.write_move(move),
    hub.read_move,
    lambda position, analysis: hub.write_info(analysis),
    hub.read_info,
)
DROP = Dialect(
    "drop",
    "connect4",
    "Drop",
    "Connect Four",
    drop.write_setup,
    drop.read_setup,
    drop.write_move,
    drop.read_move,
    drop.write_info,
    drop.read_info,
)
DIALECTS = {dialect.greeting: dialect for dialect in (HUB, DROP)}
"""The protocols by their first word."""
DIALECT_OF = {dialect.game: dialect for dialect in (HUB, DROP)}
"""The protocols by the game they are for."""
