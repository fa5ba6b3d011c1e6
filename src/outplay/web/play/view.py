"""A game in progress as the page sees it: a `LiveState` turned into a `GameView`."""

from __future__ import annotations

from functools import lru_cache

from outplay.live import ClockState, Failure, LiveState
from outplay.outcome import Side
from outplay.rules import Move, Position, rules_of
from outplay.store import SavedGame
from outplay.web import board, catalogue
from outplay.web.play import wire
from outplay.web.play.opinions import opinion_view
from outplay.web.play.words import outcome_detail, outcome_sentence, state_sentence
from outplay.web.wire import GameName, OutcomeView, SideNumber
from outplay.web.words import TITLE, clipped, sentence

NOTHING = wire.AllowedView(takeback=False, redo=False, hint=False, resign=False, draw=False, step=False)
"""In a record nothing can be done."""


def game_view(state: LiveState, about: SavedGame, names: tuple[str, str] = ("", "")) -> wire.GameView:
    """`about` is what no state knows; `names` are those of the people who played, where the game is a record."""
    rules = rules_of(state.position)
    game = _name(rules.name)
    seats = [seat_view(game, state, side, names[side]) for side in Side]
    return wire.GameView(
        id=about.id,
        version=state.version,
        revision=state.revision,
        game=game,
        title=rules.title,
        strict=state.is_strict,
        is_record=about.is_record,
        seats=seats,
        start=board.position_view(state.start),
        position=board.position_view(state.position),
        moves=_played(state),
        undone=state.undone,
        legal=board.legal_views(state.position) if state.status == "human" and not about.is_record else [],
        status=state.status,
        sentence=state_sentence(state, (seats[0].title, seats[1].title)),
        notice=clipped(state.notice),
        outcome=_outcome_view(state),
        failure=None if state.failure is None or state.status == "over" else _failure_view(state.failure),
        draw_offer=None if state.draw_offer is None else _number(state.draw_offer),
        paused=state.is_paused,
        time_ms=state.time_ms or 0,
        clock=None if state.clock is None else clock_view(state.clock),
        opinions=_last_opinions(game, state),
        allowed=NOTHING if about.is_record else _allowed(state),
        rematch=about.rematch,
    )


def seat_view(game: GameName, state: LiveState, side: Side, name: str = "") -> wire.SeatView:
    player = state.seats[side]
    side_name = rules_of(state.position).sides[side]
    card = catalogue.seatable(game)[player.name]
    humans = sum(seat.is_human for seat in state.seats)
    title = card.title if not player.is_human else "You" if humans == 1 else clipped(name, TITLE) or side_name
    return wire.SeatView(
        side=_number(side),
        side_name=side_name,
        player=player.name,
        kind=card.kind,
        title=title,
        level=card.level,
        short=card.short,
    )


def _played(state: LiveState) -> list[wire.PlayedMove]:
    positions = state.positions
    return [played_view(ply, positions[ply - 1], move, positions[ply]) for ply, move in enumerate(state.moves, 1)]


@lru_cache(maxsize=20_000)
def played_view(ply: int, before: Position, move: Move, after: Position) -> wire.PlayedMove:
    return wire.PlayedMove(
        ply=ply,
        side=_number(before.side),
        text=before.format(move),
        path=board.path_of(before, move),
        captures=board.captures_of(move),
        board=board.board_text(after),
    )


def clock_view(clock: ClockState) -> wire.ClockView:
    return wire.ClockView(
        left_ms=list(clock.left_ms),
        running=None if clock.running is None else _number(clock.running),
        base_ms=clock.setting.initial_ms,
        increment_ms=clock.setting.increment_ms,
    )


def _outcome_view(state: LiveState) -> OutcomeView | None:
    outcome = state.outcome
    if outcome is None:
        return None
    return OutcomeView(
        winner=None if outcome.winner is None else _number(outcome.winner),
        reason=outcome.reason.value,
        sentence=outcome_sentence(state),
        detail=outcome_detail(state),
        cells=board.outcome_cells(state.position, outcome),
    )


def _failure_view(failure: Failure) -> wire.FailureView:
    player = failure.player
    message = sentence(failure.message.replace(player.name, player.label))
    return wire.FailureView(side=_number(failure.side), title=clipped(player.label, TITLE), message=message)


def _last_opinions(game: str, state: LiveState) -> list[wire.OpinionView]:
    """The last search of each engine, newest first."""
    found: dict[Side, wire.OpinionView] = {}
    for opinion in reversed(state.opinions):
        if opinion is not None and opinion.side not in found:
            found[opinion.side] = opinion_view(game, opinion)
            if len(found) == len(Side):
                break
    return list(found.values())


def _allowed(state: LiveState) -> wire.AllowedView:
    allowed = state.allowed
    return wire.AllowedView(
        takeback=allowed.takeback,
        redo=allowed.redo,
        hint=allowed.hint,
        resign=allowed.resign,
        draw=allowed.draw,
        step=allowed.step,
    )


def _number(side: Side) -> SideNumber:
    return 1 if side else 0


def _name(game: str) -> GameName:
    return "connect4" if game == "connect4" else "checkers"
