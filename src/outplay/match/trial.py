"""Try a player before it plays: can it be built, and does it play this game?"""

from __future__ import annotations

from outplay.engine.task import Ask
from outplay.engine.types import Limit
from outplay.errors import EngineError
from outplay.match.seat import GameRecipe, Seat, TrialRecipe
from outplay.players import Player
from outplay.rules import RULES, Position, rules_of
from outplay.work.supervise import GRACE_MS
from outplay.work.task import OverrunError

QUICK = Limit(depth=1, nodes=1, time_ms=10)
"""A limit that is enough for our own engines to refuse a position of the other game."""


def check_player(who: Player, position: Position, limit: Limit = QUICK, *, margin_ms: int = GRACE_MS) -> None:
    """Raise ValueError if a player plays the other game, EngineError if it cannot be started.

    If your own bot fails in the start position of this game, it is refused only if it can play the other game.
    """
    recipe, seat = who.recipe(), Seat()
    try:
        if who.loses_by_failure:
            if who.kind == "hub" and rules_of(position).name != "checkers":
                raise ValueError(f"{who.name} plays {RULES['checkers'].title}, not {rules_of(position).title}")
            if recipe.needs_process:
                seat.ask(Ask(TrialRecipe(recipe, "trial"), position, limit), margin_ms=margin_ms)
            if recipe.needs_process and who.kind == "bot":
                _check_bot(who, position, limit, seat, margin_ms)
        elif recipe.needs_process:
            seat.ask(Ask(GameRecipe(recipe, "trial"), position, QUICK), margin_ms=margin_ms)
        else:
            recipe().analyse(position, QUICK)
    finally:
        seat.close()


def _check_bot(who: Player, position: Position, limit: Limit, seat: Seat, margin_ms: int) -> None:
    rules = rules_of(position)
    [other] = [each for each in RULES.values() if each is not rules]

    def can_play(start: Position, name: str) -> bool:
        try:
            seat.ask(Ask(GameRecipe(who.recipe(), name), start, limit), margin_ms=margin_ms)
        except OverrunError:
            return True  # it thinks, but too long
        except EngineError:
            return False
        return True

    if not can_play(position, "trial 1") and can_play(other.start(), "trial 2"):
        raise ValueError(f"{who.name} plays {other.title}, not {rules.title}")
