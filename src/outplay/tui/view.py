"""What the board of a game in progress shows: the position at a ply, and the marks that belong to it."""

from __future__ import annotations

from dataclasses import dataclass, field

from outplay import explain
from outplay.explain import Hint, Refusal
from outplay.explain.places import hint_cells, outcome_cells
from outplay.live import LiveState
from outplay.rules import Position, must_capture, rules_of
from outplay.tui.boards.drawing import Drawing
from outplay.tui.boards.pick import Pick
from outplay.tui.words import refusal_text


@dataclass(slots=True)
class Seen:
    """What the player sees besides the game: a ply of the past, chosen squares, a refusal, a hint."""

    ply: int | None = None
    """The ply that the player looks at; None for the current position."""
    pick: Pick = field(default_factory=lambda: Pick(()))
    refusal: Refusal | None = None
    hint: Hint | None = None
    said: str = ""
    """The message about the last choice."""
    is_flipped: bool = False

    def clear(self, position: Position) -> None:
        """Forget what belonged to the previous position, and begin anew with this one."""
        self.pick, self.refusal, self.hint = Pick.of(position), None, None

    def choose(self, position: Position, cell: int) -> str | None:
        """Choose a cell: a column, or a piece and then where it goes. Return the move as text, legal or not.

        None if another square must be chosen, or if no move is possible: `said` then says why.
        """
        self.refusal, self.said = None, ""
        rules = rules_of(position)
        if rules.name == "connect4":
            return position.format(cell % rules.size(position)[0])
        picked, before = self.pick.tap(cell), self.pick
        self.pick = picked if isinstance(picked, Pick) else Pick.of(position)
        if isinstance(picked, Pick):
            return None
        if picked is not None:
            return position.format(picked)
        if before.path:
            return f"{before.path[0]}-{cell}"
        self.refusal = explain.stuck(position, str(cell))
        found = self.refusal
        self.said = "Choose one of your pieces first." if found is None else refusal_text(found)
        return None


def drawing_of(state: LiveState, seen: Seen) -> Drawing:
    """Return the board at the ply that the player looks at. Only the current position has marks for the next move."""
    ply = state.ply if seen.ply is None else seen.ply
    position = state.positions[ply]
    rules = rules_of(position)
    last = rules.path(state.positions[ply - 1], state.moves[ply - 1]) if ply else ()
    is_now = seen.ply is None
    outcome = state.outcome if is_now else position.outcome()
    won = () if outcome is None else tuple(outcome_cells(position, outcome))
    if not is_now or state.status != "human":
        return Drawing.of(position, last=last, won=won, is_flipped=seen.is_flipped)
    return Drawing.of(
        position,
        last=last,
        movable=seen.pick.origins,
        ringed=_ringed(position, seen),
        hinted=() if seen.hint is None else tuple(hint_cells(position, seen.hint)),
        picked=seen.pick.squares if rules.name == "checkers" else (),
        targets=seen.pick.targets,
        is_flipped=seen.is_flipped,
    )


def _ringed(position: Position, seen: Seen) -> tuple[int, ...]:
    """Return the squares of the pieces that must capture. After a refusal: of the pieces that the refusal names."""
    if seen.refusal is not None and seen.refusal.instead:
        path = rules_of(position).path
        return tuple(dict.fromkeys(path(position, move)[0] for move in seen.refusal.instead))
    return seen.pick.origins if must_capture(position) else ()
