"""The players of the lab by name. `players.py` of the package calls `make_player` for `lab:NAME,option=value`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from outplay.engine.types import Engine
from outplay.errors import NotationError
from outplay.lab import five_phase
from outplay.lab.engine import LabEngine
from outplay.lab.mcts import MonteCarlo
from outplay.lab.techniques import TECHNIQUES, Techniques

EVERYTHING = Techniques(**dict.fromkeys(TECHNIQUES, True))


@dataclass(frozen=True, slots=True)
class LabPlayer:
    """A named player with a one-line description; a call returns its engine."""

    name: str
    title: str
    """The title that people read."""
    about: str
    make: Callable[..., Engine]
    techniques: Techniques | None = None
    """Its default techniques; None if it is not a search with techniques."""
    options: tuple[tuple[str, Any], ...] = ()
    """Its other default options."""

    def __call__(self, *, seed: int | None = None, **options: Any) -> Engine:
        """Return the player's engine. `options` replace its defaults.

        A search takes `depth`, `time_ms`, `evaluate`, `order`, and each technique by name, True or False. The Monte
        Carlo player takes `playouts`, `time_ms` and `explore`.
        """
        settings = {**dict(self.options), **options}
        if self.techniques is not None:
            switches = {name: bool(settings.pop(name)) for name in TECHNIQUES if name in settings}
            settings["techniques"] = replace(self.techniques, **switches)
        self._check(settings)
        return self.make(self.name, seed=seed, **settings)

    def _check(self, settings: dict[str, Any]) -> None:
        known = {"depth": int, "time_ms": int, "evaluate": str, "order": str, "techniques": Techniques}
        if self.techniques is None:
            known = {"playouts": int, "time_ms": int, "explore": float}
        for name, value in settings.items():
            if name not in known:
                names = [*(key for key in known if key != "techniques"), *(TECHNIQUES if self.techniques else ())]
                raise NotationError(name, f"{self.name} has the options {', '.join(names)}")
            kind = (int, float) if known[name] is float else known[name]
            if not isinstance(value, kind) or isinstance(value, bool):
                raise NotationError(str(value), f"{name} must be {_ARTICLES[known[name]]}")


_ARTICLES: dict[type, str] = {
    int: "a whole number",
    float: "a number",
    str: "a name",
    Techniques: "a set of techniques",
}

LAB_PLAYERS: dict[str, LabPlayer] = {
    player.name: player
    for player in (
        LabPlayer("minimax", "Minimax", "plain minimax, 4 plies deep", LabEngine, Techniques(), (("depth", 4),)),
        LabPlayer(
            "alphabeta",
            "Alpha-beta",
            "alpha-beta with ordered moves and quiescence, 6 plies deep",
            LabEngine,
            Techniques(alphabeta=True, ordering=True, quiescence=True),
            (("depth", 6),),
        ),
        LabPlayer(
            "deepening",
            "Deepening",
            "every technique of the lab, as deep as the time allows",
            LabEngine,
            EVERYTHING,
            (("time_ms", 1000),),
        ),
        LabPlayer(
            "five-phase",
            "Five-phase",
            "win now, block, deepen, remember, watch the clock",
            five_phase.FivePhase,
            five_phase.TECHNIQUES,
        ),
        LabPlayer(
            "material",
            "Material",
            "checkers: alpha-beta that counts pieces, 4 plies deep",
            LabEngine,
            Techniques(alphabeta=True),
            (("depth", 4), ("evaluate", "material")),
        ),
        LabPlayer("mcts", "Monte Carlo", "Monte Carlo tree search: random games, and who won them", MonteCarlo),
    )
}
"""The players by name."""


def make_player(name: str, *, seed: int | None = None, **options: Any) -> Engine:
    """Return the player of that name.

    For example, `make_player("alphabeta", depth=8, table=True)`. NotationError if no player has that name.
    """
    if name not in LAB_PLAYERS:
        raise NotationError(name, f"the players of the lab are {', '.join(LAB_PLAYERS)}")
    return LAB_PLAYERS[name](seed=seed, **options)
