"""Make the JSON of a game in progress: a `GameView` from a `LiveState`, with what engines think."""

from __future__ import annotations

from outplay import explain
from outplay.engine.types import Line
from outplay.errors import IllegalMoveError
from outplay.explain.places import outcome_cells
from outplay.live import ClockState, Failure, LiveState, Opinion
from outplay.live.catalogue import seatable
from outplay.live.words import outcome_sentence, remark, seat_title, state_sentence, told_outcome
from outplay.notation.any import counted
from outplay.outcome import Reason, Side
from outplay.players import Player
from outplay.rules import Move, Position, must_capture, rules_of
from outplay.store import SavedGame
from outplay.web import board
from outplay.web.http.people import public_id
from outplay.web.play import wire
from outplay.web.wire import GameName, OpinionLine, OutcomeView, SideNumber
from outplay.web.words import clipped, sentence

NOTHING = wire.AllowedView(takeback=False, redo=False, hint=False, resign=False, draw=False, step=False)
"""The commands that a record allows: none."""
PAUSED_IN_CLASS = "paused by your teacher"
MOST_LINES = 64
MOST_MOVES = 12


class PlayedMoves:
    """The views of a game's moves. They are kept from state to state, because every state has them all."""

    def __init__(self) -> None:
        self._known: list[tuple[Position, Position, wire.PlayedMove]] = []

    def views(self, state: LiveState) -> list[wire.PlayedMove]:
        """Return the views of all moves of a state. Any thread may call this."""
        known, now = self._known, []
        for ply, move in enumerate(state.moves):
            before, after = state.positions[ply : ply + 2]
            last = known[ply] if ply < len(known) else None
            if last is None or last[0] is not before or last[1] is not after:
                last = before, after, _played_view(ply + 1, before, move, after)
            now.append(last)
        self._known = now
        return [view for _, _, view in now]


def game_view(state: LiveState, about: SavedGame, names: tuple[str, str], played: PlayedMoves) -> wire.GameView:
    """Return the view. `about` holds what a state does not; `names` are the names of the people who play."""
    rules = rules_of(state.position)
    game = _name(rules.name)
    seats = [seat_view(game, state, about, side, names[side]) for side in Side]
    is_open = state.status == "human" and not about.is_record
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
        moves=played.views(state),
        undone=state.undone,
        legal=board.legal_views(state.position) if is_open else [],
        must_capture=is_open and must_capture(state.position),
        status=state.status,
        advice=explain.advice(state.position) if is_open else "",
        sentence=state_sentence(state, (seats[0].title, seats[1].title)),
        notice=sentence(PAUSED_IN_CLASS) if is_paused_in_class(state, about) else state.notice,
        outcome=_outcome_view(state, (seats[0].title, seats[1].title)),
        failure=None if state.failure is None or state.status == "over" else _failure_view(state.failure),
        draw_offer=None if state.draw_offer is None else _number(state.draw_offer),
        paused=state.is_paused,
        time_ms=state.time_ms or 0,
        clock=None if state.clock is None else clock_view(state.clock),
        opinions=_last_opinions(game, state),
        allowed=NOTHING if about.is_record else _allowed(state),
        rematch=about.rematch,
        rematch_by=None if about.rematch_by is None else _number(about.rematch_by),
        takeback_offer=None if state.takeback_offer is None else _number(state.takeback_offer),
        owner=public_id(about.owner),
        is_shared=is_shared(about),
        in_class=bool(about.class_code),
    )


def is_paused_in_class(state: LiveState, about: SavedGame) -> bool:
    return bool(about.class_code) and state.is_paused and state.outcome is None


def is_shared(about: SavedGame) -> bool:
    """Return True if two people play the game, or one person waits for another."""
    return bool(about.invitation) or len({person for person in about.people if person}) > 1


def seat_view(game: GameName, state: LiveState, about: SavedGame, side: Side, name: str = "") -> wire.SeatView:
    player = state.seats[side]
    side_name = rules_of(state.position).sides[side]
    card = seatable(game)[player.name]
    return wire.SeatView(
        side=_number(side),
        side_name=side_name,
        player=player.name,
        kind=card.kind,
        title=seat_title(state, side, name),
        level=card.level,
        short=card.short,
        person=public_id(about.people[side]) if player.is_human else "",
        is_free=player.is_human and bool(about.invitation) and not about.people[side],
    )


def _played_view(ply: int, before: Position, move: Move, after: Position) -> wire.PlayedMove:
    return wire.PlayedMove(
        ply=ply,
        side=_number(before.side),
        text=before.format(move),
        path=board.path_of(before, move),
        captures=list(rules_of(before).captures(move)),
        board=board.board_text(after),
    )


def clock_view(clock: ClockState) -> wire.ClockView:
    return wire.ClockView(
        left_ms=list(clock.left_ms),
        running=None if clock.running is None else _number(clock.running),
        base_ms=clock.setting.initial_ms,
        increment_ms=clock.setting.increment_ms,
    )


def _outcome_view(state: LiveState, titles: tuple[str, str]) -> OutcomeView | None:
    outcome = state.outcome
    if outcome is None:
        return None
    return OutcomeView(
        winner=None if outcome.winner is None else _number(outcome.winner),
        reason=outcome.reason.value,
        sentence=outcome_sentence(state),
        told=[told_outcome(state, titles, side) for side in Side],
        detail=outcome_detail(state),
        cells=outcome_cells(state.position, outcome),
    )


def _failure_view(failure: Failure) -> wire.FailureView:
    player = failure.player
    message = sentence(failure.message.replace(player.name, player.label))
    return wire.FailureView(side=_number(failure.side), title=player.label, message=message)


def _last_opinions(game: str, state: LiveState) -> list[wire.OpinionView]:
    """Return the last search of each engine, newest first."""
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


def refusal_view(position: Position, text: str) -> wire.RefusalView:
    """Return the move that a text means, or why it is illegal. NotationError if the text cannot be read."""
    why = explain.stuck(position, text)
    if why is None:
        try:
            return wire.RefusalView(move=board.move_view(position, position.parse(text)))
        except IllegalMoveError as error:
            why = explain.refusal(error)
    moves = [board.move_view(position, move) for move in why.instead]
    return wire.RefusalView(move=None, message=clipped(why.message), detail=clipped(why.detail), moves=moves)


# What a player thinks


def opinion_view(game: str, opinion: Opinion) -> wire.OpinionView:
    analysis, position = opinion.analysis, opinion.position
    lines = sorted(analysis.lines, key=lambda line: -line.score.value)[:MOST_LINES]
    best = explain.settled(position, lines[0])
    liked = None if opinion.player.kind == "random" else position.format(opinion.liked)
    played = None if opinion.played is None else position.format(opinion.played)
    judged = () if opinion.player.kind == "random" else lines
    return wire.OpinionView(
        ply=opinion.ply,
        side=1 if opinion.side else 0,
        player=opinion.player.name,
        title=opinion.player.label,
        lines=[line_view(position, line) for line in judged],
        liked=liked,
        played=played,
        known_by=best.known_by,
        depth=analysis.depth,
        nodes=analysis.nodes,
        time_ms=round(1000 * analysis.seconds),
        verdict=explain.score_sentence(position, best) if best.is_proof else "",
        remark=remark(opinion),
    )


def no_opinion(player: Player, side: Side, ply: int) -> wire.OpinionView:
    """Return the opinion of a search that has found nothing yet."""
    return wire.OpinionView(
        ply=ply,
        side=1 if side else 0,
        player=player.name,
        title=player.label,
        lines=[],
        depth=0,
        nodes=0,
        time_ms=0,
    )


def line_view(position: Position, line: Line) -> OpinionLine:
    score = explain.settled(position, line)
    ends_in = None if score.plies is None or score.value == 0 else explain.own_moves(score.plies)
    return OpinionLine(
        move=position.format(line.move),
        label=explain.label_of(score),
        bar=explain.bar_of(score),
        verdict=explain.verdict_of(score),
        ends_in=ends_in,
        known_by=score.known_by,
        moves=explain.line_text(position, line.moves, most=MOST_MOVES).removesuffix(" ...").split(),
    )


def outcome_detail(state: LiveState) -> str:
    """Say what ended the game: "Column 7 makes four."; otherwise how many moves the game had."""
    plies = len(state.moves)
    if plies == 0:
        return "The game was over before it began."
    if state.outcome is not None and state.outcome.reason is Reason.FOUR_IN_A_ROW:
        return f"Column {state.texts[-1]} makes four."
    return f"{counted(plies, 'move')}."
