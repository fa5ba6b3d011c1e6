"""What a move threw away, what would have kept it, and how it is punished."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from outplay import checkers, connect4
from outplay.engine.types import Score
from outplay.explain.scores import MAN, label_of, verdict_of
from outplay.explain.words import counted_pieces, line_text, listed, name_of, own_moves
from outplay.rules import Move, Position, rules_of

SHOWN_REPLIES = 5
"""So many moves of a punishment are told."""
FELT = 0.6 * MAN
"""Where the score of checkers falls by less, no man was really lost, whatever the expected line says."""
LOOKED_AT = 12
"""So many moves of a line may an exchange take to be seen as one."""
SHOWN_MOVES = 6


def mistake_sentence(
    position: Position,
    move: Move,
    best: Score,
    played: Score,
    *,
    better: Sequence[Move] = (),
    reply: Sequence[Move] = (),
) -> str:
    """A mistake in words: "From a win in 7 to a draw. Column 4 keeps the win."

    `better` are the best moves, `reply` what is expected after the one that was played.
    """
    by_tables = "The tables: from" if best.known_by == played.known_by == "table" else "From"
    told = [f"{by_tables} {worth_words(position, best)} to {worth_words(position, played)}."]
    is_felt = isinstance(position, connect4.Position) or best.value - played.value >= FELT
    told += [f"{sentence}." for sentence in (_punishment(position, move, reply) if is_felt else ())]
    if better:
        told.append(f"{keepers(position, better, best, played)}.")
    return " ".join(told)


def turning_sentence(position: Position, best: Score, played: Score) -> str:
    """The move that decided: "Yellow had a win in 7 and let it go." """
    side = rules_of(position).sides[position.side]
    if verdict_of(position, best) == "unclear":
        then = {"draw": "has a draw", "loss": "is lost"}.get(verdict_of(position, played))
        after = then or f"at {label_of(position, played)}"
        return f"{side} stood at {label_of(position, best)} before it, and {after} after it."
    return f"{side} had {worth_words(position, best)} and let it go."


def worth_words(position: Position, score: Score) -> str:
    """ "a win in 7", "a draw", "a loss", "+0.35"."""
    verdict = verdict_of(position, score)
    if verdict in ("draw", "unclear"):
        return "a draw" if verdict == "draw" else label_of(position, score)
    return f"a {verdict}{'' if score.plies is None else f' in {own_moves(score.plies)}'}"


def keepers(position: Position, moves: Sequence[Move], best: Score, played: Score) -> str:
    """Which moves were better, and what they do: "Columns 4 and 5 keep the draw", "Column 2 holds out longer"."""
    named, is_one = _named(position, moves), len(moves) == 1
    verdict = verdict_of(position, best)
    if verdict == "unclear":
        return f"{named} {'was' if is_one else 'were'} better"
    if verdict != verdict_of(position, played):
        return f"{named} keep{'s' if is_one else ''} the {verdict}"
    done = {"win": "win{} sooner", "draw": "draw{} too", "loss": "hold{} out longer"}[verdict]
    return f"{named} {done.format('s' if is_one else '')}"


def answer_sentence(position: Position, move: Move, score: Score, best: Score, *, is_good: bool) -> str:
    """What a move does that somebody tries: "Column 3 keeps the win in 7.", "Column 2 is only a draw." """
    named, words = name_of(position, move), worth_words(position, score)
    if verdict_of(position, best) == "unclear":
        if score.value >= best.value:
            return f"{named}: {words}, there is nothing better."
        possible = label_of(position, best)
        return (
            f"{named}: {words}, {f'good enough: the best is {possible}' if is_good else f'but {possible} is possible'}."
        )
    if is_good:
        return f"{named} keeps the {words.removeprefix('a ')}."
    return f"{named} is only {words}." if verdict_of(position, score) == "draw" else f"{named} leads to {words}."


def _named(position: Position, moves: Sequence[Move]) -> str:
    texts = [position.format(move) for move in moves[:SHOWN_MOVES]]
    named = listed([*texts, "others"] if len(moves) > SHOWN_MOVES else texts)
    if not isinstance(position, connect4.Position):
        return named
    return f"Column{'' if len(moves) == 1 else 's'} {named}"


def _punishment(position: Position, move: Move, reply: Sequence[Move]) -> Iterator[str]:
    after = position.play(move)
    if after.outcome() is not None:
        return
    if isinstance(after, connect4.Position):
        wins = [column for column in after.legal_moves() if _wins(after, column)]
        if wins:
            yield f"{rules_of(after).sides[after.side]} can then make four in column {after.format(wins[0])}"
    elif isinstance(after, checkers.Position):
        yield from _material_lost(after, reply)


def _wins(position: connect4.Position, column: int) -> bool:
    outcome = position.play(column).outcome()
    return outcome is not None and outcome.winner is position.side


def _material_lost(after: checkers.Position, reply: Sequence[checkers.Move]) -> Iterator[str]:
    """What the expected reply wins for good: "It allows 22x15x8, which wins two men"."""
    exchanges = list(_exchanges(after, reply[:LOOKED_AT]))
    first = reply[: exchanges[0]] if exchanges else ()
    won = _won(after, first)
    if not won or not _won(after, reply[: exchanges[-1]]):
        return
    if len(first) == 1:
        yield f"It allows {after.format(first[0])}, which wins {won}"
    else:
        yield f"It loses {won} to {line_text(after, first, most=SHOWN_REPLIES)}"


def _exchanges(position: checkers.Position, line: Sequence[checkers.Move]) -> Iterator[int]:
    """After how many moves of a line captures are over, each time."""
    for number, move in enumerate(line, 1):
        if move not in position.legal_moves():
            return  # an engine's word is not to be trusted that far
        position = position.play(move)
        if move.is_capture and not any(other.is_capture for other in position.legal_moves()):
            yield number


def _won(position: checkers.Position, moves: Sequence[checkers.Move]) -> str:
    """What the side to move wins on balance by these moves, in words; nothing if it wins nothing."""
    balance = {"man": 0, "king": 0}
    winner = position.side
    for move in moves:
        pieces = position.pieces()
        for square in move.captures:
            balance["king" if pieces[square].isupper() else "man"] += 1 if position.side is winner else -1
        position = position.play(move)
    men, kings = balance["man"], balance["king"]
    if men + kings <= 0:
        return ""
    return counted_pieces(men, kings) if min(men, kings) >= 0 else f"{men + kings} piece{'s' * (men + kings > 1)}"
