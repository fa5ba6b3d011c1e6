"""Make the JSON of a game in progress: a `GameView` from a `LiveState`, with what engines think."""

from __future__ import annotations

from functools import lru_cache

from outplay import explain
from outplay.engine.types import Line, Score
from outplay.errors import IllegalMoveError
from outplay.live import ClockState, Failure, LiveState, Opinion
from outplay.outcome import Outcome, Reason, Side
from outplay.players import Player
from outplay.rules import Move, Position, must_capture, rules_of
from outplay.store import SavedGame
from outplay.web import board, catalogue
from outplay.web.http.people import public_id
from outplay.web.play import wire
from outplay.web.wire import GameName, OpinionLine, OutcomeView, SideNumber
from outplay.web.words import clipped, counted, sentence

NOTHING = wire.AllowedView(takeback=False, redo=False, hint=False, resign=False, draw=False, step=False)
"""A record allows no commands."""
MOST_LINES = 64
MOST_MOVES = 12
MAN = 100
_HALF = {"exact": 30.0, "points": 30.0, "men": float(MAN)}
"""The estimate that fills half a bar: about one good threat, or a man."""


def game_view(state: LiveState, about: SavedGame, names: tuple[str, str] = ("", "")) -> wire.GameView:
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
        moves=_played(state),
        undone=state.undone,
        legal=board.legal_views(state.position) if is_open else [],
        must_capture=is_open and must_capture(state.position),
        status=state.status,
        advice=explain.advice(state.position) if is_open else "",
        sentence=state_sentence(state, (seats[0].title, seats[1].title)),
        notice=state.notice,
        outcome=_outcome_view(state),
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
    )


def is_shared(about: SavedGame) -> bool:
    """Return True if two people play the game, or one waits for the other."""
    return bool(about.invitation) or len({person for person in about.people if person}) > 1


def seat_view(game: GameName, state: LiveState, about: SavedGame, side: Side, name: str = "") -> wire.SeatView:
    player = state.seats[side]
    side_name = rules_of(state.position).sides[side]
    card = catalogue.seatable(game)[player.name]
    humans = sum(seat.is_human for seat in state.seats)
    title = card.title if not player.is_human else "You" if humans == 1 else name or side_name
    return wire.SeatView(
        side=_number(side),
        side_name=side_name,
        player=player.name,
        kind=card.kind,
        title=title,
        level=card.level,
        short=card.short,
        person=public_id(about.people[side]) if player.is_human else "",
        is_free=player.is_human and bool(about.invitation) and not about.people[side],
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
    best = lines[0].score
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
        remark=_remark(opinion.player, game, liked, played),
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
    score = line.score
    ends_in = None if score.plies is None or score.value == 0 else explain.own_moves(score.plies)
    return OpinionLine(
        move=position.format(line.move),
        label=explain.label_of(score),
        bar=_bar(score),
        verdict=explain.verdict_of(score),
        ends_in=ends_in,
        known_by=score.known_by,
        moves=explain.line_text(position, line.moves, most=MOST_MOVES).removesuffix(" ...").split(),
    )


def _bar(score: Score) -> float:
    value = float(score.value)
    if explain.is_certain(score):
        return 1.0 if value > 0 else -1.0 if value < 0 else 0.0
    return round(value / (abs(value) + _HALF[score.unit]), 4)


def _remark(player: Player, game: str, liked: str | None, played: str | None) -> str:
    if liked is None or played is None or liked == played:
        return ""
    info = catalogue.seatable(game).get(player.name)
    level = "" if info is None or info.level is None else f": level {info.level} slips"
    return f"I liked {liked} best, but played {played}{level}."


# Sentences


def state_sentence(state: LiveState, titles: tuple[str, str]) -> str:
    """Return the last move and whose turn it is: "Yellow, column 2. Your move." """
    if state.outcome is not None:
        return outcome_sentence(state)
    side = rules_of(state.position).sides[state.side]
    last = _last_move(state)
    title = titles[state.side]
    match state.status:
        case "thinking":
            return f"{last}{title} is thinking."
        case "paused":
            return f"{last}Paused before {side}'s move."
        case "failed":
            return f"{last}{title} failed: the game waits."
    return f"{last}Your move." if title == "You" else f"{last}{side} to move."


def _last_move(state: LiveState) -> str:
    if not state.moves:
        return ""
    before = state.positions[-2]
    side = rules_of(before).sides[before.side]
    return f"{side}, {rules_of(before).move_name(before, state.moves[-1])}. "


def outcome_sentence(state: LiveState) -> str:
    """Describe the outcome: "Red wins with column 3: four on a diagonal." """
    outcome = state.outcome
    assert outcome is not None
    sides = rules_of(state.position).sides
    if outcome.reason is not Reason.FOUR_IN_A_ROW or outcome.winner is None:
        return explain.outcome_sentence(outcome, sides)
    move = f" with column {state.texts[-1]}" if state.moves else ""
    return f"{sides[outcome.winner]} wins{move}: {_fours(outcome)}."


def _fours(outcome: Outcome) -> str:
    if len(outcome.lines) != 1:
        return "more than one four at once"
    (row, column), (next_row, next_column) = outcome.lines[0][:2]
    if row == next_row:
        return "four in a row"
    return "four in a column" if column == next_column else "four on a diagonal"


def outcome_detail(state: LiveState) -> str:
    plies = len(state.moves)
    if plies == 0:
        return "The game was over before it began."
    return f"{counted(plies, 'move')}."
