"""Between a game in progress and the store: what is saved of it, and how it is taken up again."""

from __future__ import annotations

from dataclasses import replace

from outplay.engine.types import Limit
from outplay.live import ClockSetting, LiveGame, LiveState, Resumed
from outplay.outcome import Side
from outplay.players import HUMAN, Player, UnknownPlayerError
from outplay.record import Game, Node
from outplay.rules import Position
from outplay.store import SavedGame, Terms
from outplay.web import catalogue
from outplay.work import Pool

EVERY_MOVE = Limit(lines=64)
"""The glass box shows what an engine thinks of each move."""


class Scribe:
    """Writes one game down, state after state; what has not changed since the last state is not written again."""

    def __init__(self, like: Game) -> None:
        """`like` is a game with the same start, limits and headers."""
        self._game = Game(like.start, no_progress=like.no_progress, headers=like.headers)
        self._nodes: list[tuple[Position, Node]] = [(like.start, self._game.root)]

    def record(self, state: LiveState) -> Game:
        """The moves of a state and how it ended. The game is this object's own: it changes with the next state."""
        kept = 0
        while kept < min(len(self._nodes) - 1, state.ply) and self._nodes[kept + 1][0] is state.positions[kept + 1]:
            kept += 1
        del self._nodes[kept + 1 :]
        node = self._nodes[-1][1]
        node.children.clear()
        node.ending = None
        for position, move in zip(state.positions[kept + 1 :], state.moves[kept:], strict=True):
            node = node.add(move)
            self._nodes.append((position, node))
        self._game.go_to(node)
        if state.outcome is not None and self._game.outcome() is None:
            node.ending = state.outcome
        return self._game


def saved_of(game_id: str, state: LiveState, record: Game, terms: Terms) -> SavedGame:
    """What is saved of a state."""
    first, second = state.seats
    seats = (first.name, second.name)
    return SavedGame(game_id, record, seats, state.version, state.revision, terms_of(state, terms))


def terms_of(state: LiveState, terms: Terms) -> Terms:
    """The terms as they stand in a state, with what no state knows from `terms`."""
    clock = state.clock
    return replace(
        terms,
        time_ms=state.time_ms or 0,
        is_paused=state.is_paused,
        is_strict=state.is_strict,
        clock_ms=None if clock is None else clock.setting.initial_ms,
        increment_ms=0 if clock is None else clock.setting.increment_ms,
        left_ms=None if clock is None else clock.left_ms,
        undone=_texts(state),
        takebacks=state.takebacks,
        draw_offer=None if state.draw_offer is None else int(state.draw_offer),
    )


def terms_again(state: LiveState, terms: Terms) -> Terms:
    """The same terms for another game."""
    now = terms_of(state, terms)
    return replace(now, is_paused=False, left_ms=None, undone=(), takebacks=(), draw_offer=None, rematch=None)


def _texts(state: LiveState) -> tuple[str, ...]:
    position, texts = state.position, []
    for move in state.undone_moves:
        texts.append(position.format(move))
        position = position.play(move)
    return tuple(texts)


def take_up(saved: SavedGame, pool: Pool, key: str) -> LiveGame:
    """The game in progress that was saved, or is about to begin; not started yet."""
    terms, game = saved.terms, saved.game
    for text in terms.undone:
        game.play(text)
    for _ in terms.undone:
        game.undo()
    seats = [_player(game.rules.name, name, terms, side) for name, side in zip(saved.seats, Side, strict=True)]
    return LiveGame(
        game,
        seats,
        pool=pool,
        time_ms=terms.time_ms,
        limit=EVERY_MOVE,
        pace_ms=pace_of(seats, terms.time_ms),
        clock=None if terms.clock_ms is None else ClockSetting(terms.clock_ms, terms.increment_ms),
        is_strict=terms.is_strict,
        is_paused=terms.is_paused,
        key=key,
        advisor=catalogue.find(game.rules.name, catalogue.ADVISOR),
        resumed=Resumed(
            saved.version,
            saved.revision,
            terms.left_ms,
            terms.takebacks,
            None if terms.draw_offer is None else Side(terms.draw_offer),
        ),
    )


def seat(game: str, name: str, terms: Terms, side: Side) -> Player:
    """A player for a side, with a seed of its own if the game has one."""
    return catalogue.find(game, name, None if terms.seed is None else 2 * terms.seed + side)


def _player(game: str, name: str, terms: Terms, side: Side) -> Player:
    """Who held the seat; a human where that player is not known any more."""
    try:
        return seat(game, name, terms, side)
    except UnknownPlayerError:
        return HUMAN


def pace_of(seats: list[Player] | tuple[Player, ...], time_ms: int) -> int:
    """Between engines the thinking time is the pace too: one that knows its move at once still waits to play it."""
    return 0 if any(player.is_human for player in seats) else time_ms
