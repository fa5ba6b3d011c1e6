"""Checkers: why a move is good, and how a wrong one is refuted.

A sentence is said only if forced captures prove it, or if the tables or a search with a fixed number of nodes confirm
it: the move must really lose or win what the sentence says. An estimate never becomes a claim about the result.
"""

from __future__ import annotations

from collections.abc import Sequence

from outplay.checkers import Move, Position
from outplay.engine.tables import tablebase, verdict_score
from outplay.engine.types import KnownBy
from outplay.explain.checkers import cell_of, counted_pieces
from outplay.explain.proofs import Found, Proofs
from outplay.explain.reason import BoardMark, MoveReason, ReasonKind, end_of, line_texts
from outplay.explain.scores import MAN
from outplay.explain.shots import Forced, breakthrough, captured, exchange, forced_gain
from outplay.explain.voice import does, first_who, who
from outplay.outcome import Reason, Side
from outplay.rules import must_capture
from outplay.tablebase import Value

FELT = 40
"""A sentence says that a move loses something only if the score falls by at least this, in hundredths of a man.

A review calls such a move a mistake.
"""
SEEN = 60
"""A search that sees pieces being won must score at least this much more than the material, in hundredths of a man."""
KEPT = 40
"""A tolerance in hundredths of a man: a move or the end of a line may score this much less than the best move."""
SHOWN = 12
MOST_RUN = 4
"""A man breaks through if it needs at most this number of moves."""
FEW = 6
"""The opposition ("the move") is considered only with at most this number of pieces, both sides together."""
MOST_ARROWS = 3
HOME = {Side.FIRST: range(1, 5), Side.SECOND: range(29, 33)}
"""The home row of each side; the other side's men are crowned there."""
KING = 0.4
"""How much more a king is worth than a man, in men."""
NAMED = {((0, 2), (1, 1)): "first position", ((1, 2), (2, 1)): "second position"}
"""The names of classic endings, by the men and kings of the side that wins and of the other side."""
BRIDGE = {Side.FIRST: (1, 3), Side.SECOND: (30, 32)}


def reason(position: Position, move: Move, proofs: Proofs) -> MoveReason:
    """Return why a move is good; only its line if the score is not close to the best, or if nothing is confirmed."""
    after = position.play(move)
    if after.outcome() is not None:
        return _ending(position, move)
    best, played = proofs.search(position), proofs.search(after)
    line = (move, *played.moves)
    if -played.value < best.value - KEPT:
        return _bare(position, line, best)
    return (
        _good_shot(position, move, played, proofs)
        or _crowns(position, move, played)
        or _good_run(position, move, played)
        or _saves(position, move, played, proofs)
        or _simplifies(position, move, played)
        or _has_the_move(position, move, played)
        or _wins_game(position, move, played)
        or _wins_material(position, move, played, proofs)
        or _reaches_ending(position, move, played)
        or _parries(position, move)
        or _gets_king(position, move, played, proofs)
        or _bare(position, line, best)
    )


def refutation(position: Position, move: Move, proofs: Proofs) -> MoveReason:
    """Return what the other side does after a wrong move, or only the line if nothing is confirmed."""
    after = position.play(move)
    if after.outcome() is not None:
        return _bare(position, (move,), None)
    answer, best = proofs.search(after), proofs.search(position)
    line = (move, *answer.moves)
    if best.value + answer.value < FELT:
        return _bare(position, line, answer)
    return (
        _wins_pieces(position, move, answer, proofs)
        or _runs_through(position, move, answer, best)
        or _gives_the_move(position, move, answer)
        or _ends_it(position, move, answer)
        or _loses_material(position, move, answer, proofs)
        or _lets_king(position, move, answer, proofs)
        or _traps_king(position, move, answer, best)
        or _gives_ending(position, move, answer)
        or _bare(position, line, answer)
    )


def _bare(position: Position, moves: Sequence[Move], found: Found | None) -> MoveReason:
    known: KnownBy = "search" if found is None else found.known_by
    return MoveReason("line", "", line_texts(position, _legal(position, moves)), known_by=known)


def _legal(position: Position, moves: Sequence[Move]) -> list[Move]:
    """Return the moves of a line as far as they can be played, but at most `SHOWN` of them."""
    found: list[Move] = []
    for move in moves[:SHOWN]:
        if move not in position.legal_moves():
            break
        found.append(move)
        position = position.play(move)
    return found


def _said(
    kind: ReasonKind,
    text: str,
    start: Position,
    moves: Sequence[Move],
    *,
    at: int = 0,
    known_by: KnownBy = "search",
    more: Sequence[BoardMark] = (),
) -> MoveReason:
    """Return a reason. Arrows show the moves of its line from `at` on; arrows of another kind show the replies."""
    return MoveReason(kind, text, line_texts(start, moves), at, (*_arrows(start, moves, at), *more), known_by)


def _arrows(start: Position, moves: Sequence[Move], at: int) -> list[BoardMark]:
    position, marks = end_of(start, moves[:at]), []
    mover = position.side
    for move in moves[at : at + MOST_ARROWS]:
        marks.append(BoardMark("arrow" if position.side is mover else "reply", tuple(move.path), position.side))
        marks += [BoardMark("take", (square,), position.side.other) for square in move.captures]
        position = position.play(move)
    return marks


# Pieces won by force


def _told_shot(start: Position, moves: Sequence[Move], first: str, verbs: tuple[str, str] | None = None) -> str:
    """Return a forced line in words: "It gives a man and takes two men: 20-16 12x19 24x15x6." """
    side = start.side
    gives, takes = verbs or (does(side, "gives", "give"), does(side, "takes", "take"))
    taken, given = captured(start, moves, side), captured(start, moves, side.other)
    line = " ".join(line_texts(start, moves))
    return f"{first} {gives} {counted_pieces(*given)} and {takes} {counted_pieces(*taken)}: {line}."


def _net(start: Position, moves: Sequence[Move]) -> str:
    """Return in words what the side to move wins on balance; empty if it does not win more pieces than it loses."""
    taken, given = captured(start, moves, start.side), captured(start, moves, start.side.other)
    men, kings = taken[0] - given[0], taken[1] - given[1]
    if men + kings <= 0:
        return ""
    return counted_pieces(men, kings) if min(men, kings) >= 0 else _pieces(men + kings)


def _pieces(count: int) -> str:
    return {1: "a piece", 2: "two pieces", 3: "three pieces"}.get(count, f"{count} pieces")


def _won(start: Position, moves: Sequence[Move]) -> int:
    """Return the number of pieces that the side to move wins on balance."""
    return sum(captured(start, moves, start.side)) - sum(captured(start, moves, start.side.other))


def _is_kept(start: Position, moves: Sequence[Move], expected: float, proofs: Proofs) -> bool:
    """Return True if the end of a forced line is worth nearly what the search expects, for the side that begins it."""
    end = end_of(start, moves)
    if end.outcome() is not None:
        return end.is_win(start.side)
    found = proofs.search(end)
    return (found.value if end.side is start.side else -found.value) >= expected - KEPT


def _wins_pieces(position: Position, move: Move, answer: Found, proofs: Proofs) -> MoveReason | None:
    """Return a reason: the other side wins pieces by force, by a capture or by a shot.

    None if the best move loses as many pieces.
    """
    after = position.play(move)
    shots = [forced_gain(after, given=given) for given in range(3)]
    for found in (forced_gain(after, first=answer.moves[0]), *shots):
        net = _net(after, found.moves)
        if found.gain > 0 and net and _is_kept(after, found.moves, answer.value, proofs):
            line = (move, *found.moves)
            return None if _best_loses(position, line, proofs) else _told_gain(position, move, found, net)
    return None


def _told_gain(position: Position, move: Move, found: Forced, net: str) -> MoveReason:
    after = position.play(move)
    winner, line = after.side, (move, *found.moves)
    if not found.moves[0].is_capture:
        return _said("shot", _told_shot(after, found.moves, first_who(winner)), position, line, at=1)
    text = f"It allows {after.format(found.moves[0])}, which wins {net}."
    if len(found.moves) > 1:
        text = f"It loses {net}: {' '.join(line_texts(after, found.moves))}."
    return _said("hanging", text, position, line, at=1)


def _good_shot(position: Position, move: Move, played: Found, proofs: Proofs) -> MoveReason | None:
    """Return a reason: the move wins pieces by force."""
    found = forced_gain(position, first=move, given=3)
    net = _net(position, found.moves)
    if found.gain <= 0 or not net or not _is_kept(position, found.moves, -played.value, proofs):
        return None
    if not move.is_capture:
        return _said("shot", _told_shot(position, found.moves, "It", ("gives", "takes")), position, found.moves)
    if len(position.legal_moves()) == 1:
        return None
    return _said("hanging", f"It wins {net}.", position, found.moves)


def _loses_material(position: Position, move: Move, answer: Found, proofs: Proofs) -> MoveReason | None:
    """Return a reason: the search's line wins pieces and keeps them, and a longer search agrees.

    None if the best move loses as many pieces.
    """
    after = position.play(move)
    longer, best = proofs.search(after, longer=True), proofs.search(position, longer=True)
    if best.value + longer.value < FELT:
        return None
    line = _material_line(after, answer, longer, proofs)
    if line is None or _best_loses(position, (move, *line), proofs):
        return None
    text = f"It loses {_net(after, line)}: {' '.join(line_texts(after, line))}."
    return _said("material", text, position, (move, *line), at=1)


def _best_loses(position: Position, line: Sequence[Move], proofs: Proofs) -> bool:
    """Return whether the search's best line leaves the side to move with no more pieces than this line does."""
    best = _legal(position, proofs.search(position, longer=True).moves)
    while best and must_capture(end_of(position, best)):
        best.pop()
    return bool(best) and _won(position, best) <= _won(position, line)


def _wins_material(position: Position, move: Move, played: Found, proofs: Proofs) -> MoveReason | None:
    """Return a reason: the line of a good move wins pieces and keeps them, and a longer search agrees."""
    after = position.play(move)
    longer = proofs.search(after, longer=True)
    quick, slow = (
        Found(-found.value, (move, *found.moves), found.known_by, found.is_certain) for found in (played, longer)
    )
    line = _material_line(position, quick, slow, proofs)
    if line is None or len(position.legal_moves()) == 1:
        return None
    text = f"It wins {_net(position, line)}: {' '.join(line_texts(position, line))}."
    return _said("material", text, position, line)


def _material_line(start: Position, found: Found, longer: Found, proofs: Proofs) -> list[Move] | None:
    """Return the line in which the side to move wins pieces and keeps them.

    If both searches find such a line, return that of the longer search. If only one does, return its line, provided
    that the longer search scores the position at least `SEEN` above the material, and `_is_kept` confirms the line.
    """
    lines = [_quiet_end(start, each.moves) for each in (longer, found)]
    short = [line for line in lines if line and len(line) < SHOWN and _net(start, line)]
    if len(short) == len(lines):
        return short[0]
    is_seen = longer.value >= _material(start) + SEEN
    kept = [line for line in short if is_seen and _is_kept(start, line, longer.value, proofs)]
    return kept[0] if kept else None


def _material(position: Position) -> float:
    """Return the material of the side to move minus that of the other side, in hundredths of a man."""
    kings = position.kings
    own, other = (side.bit_count() + KING * (side & kings).bit_count() for side in (position.own, position.other))
    return MAN * (own - other)


def _quiet_end(position: Position, moves: Sequence[Move]) -> list[Move]:
    """Return the first part of a line, in which the side that begins wins pieces.

    It ends with a capture after which nothing can be captured. Empty if there is no such part, or if that side loses
    some of its gain later in the line.
    """
    legal = _legal(position, moves)
    start = position
    for number, move in enumerate(legal, 1):
        position = position.play(move)
        if move.is_capture and not must_capture(position) and _net(start, legal[:number]):
            later = [legal[:count] for count in range(number, len(legal) + 1)]
            quiet = [line for line in later if not must_capture(end_of(start, line))]
            return legal[:number] if all(_won(start, line) >= _won(start, legal[:number]) for line in quiet) else []
    return []


def _saves(position: Position, move: Move, played: Found, proofs: Proofs) -> MoveReason | None:
    """Return a reason: every move except `move` loses a piece by force."""
    others = [other for other in position.legal_moves() if other != move]
    if not others or forced_gain(position.play(move), given=1).gain > 0:
        return None
    for other in others:
        after = position.play(other)
        if after.outcome() is not None or forced_gain(after, given=1).gain <= 0:
            return None
        if -proofs.search(after).value > -played.value - SEEN:
            return None
    return _said("only-move", "Every other move loses a piece.", position, (move,))


def _parries(position: Position, move: Move) -> MoveReason | None:
    """Return a reason: the move stops a threat. Without it, the other side could win pieces by force."""
    if must_capture(position) or forced_gain(position.play(move)).gain > 0:
        return None
    threat = forced_gain(_passed(position), given=1)
    net = _net(_passed(position), threat.moves)
    if threat.gain <= 0 or not net:
        return None
    other = position.side.other
    line = " ".join(line_texts(_passed(position), threat.moves))
    text = f"It stops a threat: otherwise {who(other)} could win {net} with {line}."
    return _said("parries", text, position, (move,), more=[BoardMark("reply", tuple(threat.moves[0].path), other)])


# Kings


def _ending(position: Position, move: Move) -> MoveReason:
    after = position.play(move)
    loser = after.side
    is_last = not after.own
    rest = ("no piece left" if is_last else "no move left",)
    text = f"It ends the game: {who(loser)} {does(loser, f'has {rest[0]}', f'have {rest[0]}')}."
    return _said("no-moves", text, position, (move,), known_by="solved")


def _crowns(position: Position, move: Move, played: Found) -> MoveReason | None:
    """Return a reason: a man becomes a king.

    None if the same man has another move, or if the new king can be taken at once.
    """
    after, end = position.play(move), move.path[-1]
    if position.kings >> (move.path[0] - 1) & 1 or not after.kings >> (end - 1) & 1:
        return None
    if any(end in reply.captures for reply in after.legal_moves()):
        return None
    if any(other != move and other.path[0] == move.path[0] for other in position.legal_moves()):
        return None
    more = [BoardMark("target", (end,), position.side)]
    return _said("crowned", "It makes a king.", position, (move,), known_by=played.known_by, more=more)


def _good_run(position: Position, move: Move, played: Found) -> MoveReason | None:
    """Return a reason: the man that moves becomes a king, whatever the other side does."""
    if position.kings >> (move.path[0] - 1) & 1 or move.is_capture:
        return None
    found = breakthrough(position, move.path[0], MOST_RUN)
    if found is None or found[0] != move:
        return None
    own = found[::2]
    more = [BoardMark("target", (own[-1].path[-1],), position.side)]
    side = position.side
    text = f"The man breaks through: {who(side)} {does(side, 'makes', 'make')} a king in {len(own)} by force."
    return _said("crowned", text, position, found, known_by=played.known_by, more=more)


def _runs_through(position: Position, move: Move, answer: Found, best: Found) -> MoveReason | None:
    """Return a reason: a man of the other side becomes a king by force, which the best move prevents."""
    after = position.play(move)
    first = answer.moves[0]
    square = first.path[0]
    if after.kings >> (square - 1) & 1 or must_capture(after):
        return None
    found = breakthrough(after, square, MOST_RUN)
    if found is None or _still_runs(position, best.moves[0], square):
        return None
    own, side = found[::2], position.side
    winner = side.other
    more = [BoardMark("target", (own[-1].path[-1],), winner)]
    text = f"The man on {square} breaks through: {who(winner)} {does(winner, 'makes', 'make')} a king in {len(own)}."
    kind: ReasonKind = "crowned"
    start = move.path[0]
    if start in HOME[side] and not position.kings >> (start - 1) & 1:
        kind = "back-row"
        pieces, own_man = position.pieces(), "bw"[side]
        had = all(pieces.get(guard) == own_man for guard in BRIDGE[side]) and start in BRIDGE[side]
        opens = f"breaks the bridge on {BRIDGE[side][0]} and {BRIDGE[side][1]}" if had else "opens the back row"
        text = f"It {opens}. {text}"
    return _said(kind, text, position, (move, *found), at=1, more=more)


def _lets_king(position: Position, move: Move, answer: Found, proofs: Proofs) -> MoveReason | None:
    """Return a reason: the other side makes a king sooner than after the best move."""
    after, side = position.play(move), position.side
    longer, best = proofs.search(after, longer=True), proofs.search(position, longer=True)
    if best.value + longer.value < FELT:
        return None
    line = _until_king(after, longer.moves, side.other) or _until_king(after, answer.moves, side.other)
    if not line or _until_king(position, best.moves[: len(line) + 1], side.other):
        return None
    winner = side.other
    more = [BoardMark("target", (line[-1].path[-1],), winner)]
    text = f"With best play {who(winner)} {does(winner, 'makes', 'make')} a king: {' '.join(line_texts(after, line))}."
    return _said("crowned", text, position, (move, *line), at=1, more=more)


def _gets_king(position: Position, move: Move, played: Found, proofs: Proofs) -> MoveReason | None:
    """Return a reason: a man of the side to move becomes a king first, in the line of a longer search.

    A shorter search must find such a line too, or a search from the end of the line must agree.
    """
    after, side = position.play(move), position.side
    if len(position.legal_moves()) == 1:
        return None
    longer = proofs.search(after, longer=True)
    line, quick = (_until_king(position, (move, *found.moves), side) for found in (longer, played))
    if not line or not (quick or _is_kept(position, line, -longer.value, proofs)):
        return None
    more = [BoardMark("target", (line[-1].path[-1],), side)]
    text = f"With best play {who(side)} {does(side, 'makes', 'make')} a king: {' '.join(line_texts(position, line))}."
    return _said("crowned", text, position, line, more=more)


def _until_king(position: Position, moves: Sequence[Move], side: Side) -> list[Move]:
    """Return a line up to the first move that crowns a man.

    An empty list if no man is crowned, or if the first one is a man of the other side.
    """
    found: list[Move] = []
    for move in _legal(position, moves):
        found.append(move)
        after = position.play(move)
        is_man = not position.kings >> (move.path[0] - 1) & 1
        if is_man and after.kings >> (move.path[-1] - 1) & 1:
            return found if position.side is side else []
        position = after
    return []


def _still_runs(position: Position, move: Move, square: int) -> bool:
    """Return True if the man on `square` can still break through after `move`."""
    after = position.play(move)
    if after.outcome() is not None or square not in after.pieces() or must_capture(after):
        return False
    return breakthrough(after, square, MOST_RUN + 1) is not None


def _traps_king(position: Position, move: Move, answer: Found, best: Found) -> MoveReason | None:
    """Return a reason: a king of the side that moved has no safe move, but would have one after the best move."""
    side, after = position.side, position.play(move)
    if not answer.moves or after.outcome() is not None:
        return None
    now, other = after.play(answer.moves[0]), position.play(best.moves[0])
    if must_capture(now):  # another piece has to capture, so the king cannot move, but it is not trapped
        return None
    for square in _kings_of(now, side):
        if square in _kings_of(position, side) and not _is_free(now, square) and _is_free(_passed(other), square):
            line = (move, answer.moves[0])
            text = f"It leaves the king on {square} without a safe move."
            more = [BoardMark("target", (square,), side)]
            return _said("trapped-king", text, position, line, at=2, more=more)
    return None


def _kings_of(position: Position, side: Side) -> list[int]:
    letter = "BW"[side]
    return [square for square, piece in position.pieces().items() if piece == letter]


def _passed(position: Position) -> Position:
    """Return the same board with the other side to move."""
    text = position.fen()
    return Position.from_fen(("W" if text[0] == "B" else "B") + text[1:])


def _is_free(position: Position, square: int) -> bool:
    """Return True if the king of the side to move on a square can move without being lost at once."""
    for move in position.legal_moves():
        if move.path[0] == square:
            after = position.play(move)
            if after.outcome() is not None or all(move.path[-1] not in reply.captures for reply in after.legal_moves()):
                return True
    return False


# Endings


def _ends_it(position: Position, move: Move, answer: Found) -> MoveReason | None:
    """Return a reason: the other side's best line ends the game."""
    return _told_end(position, (move, *answer.moves), 1, answer)


def _wins_game(position: Position, move: Move, played: Found) -> MoveReason | None:
    """Return a reason: the line of a good move ends the game."""
    return _told_end(position, (move, *played.moves), 0, played)


def _told_end(position: Position, moves: Sequence[Move], at: int, found: Found) -> MoveReason | None:
    """Return the reason if the side to move at `at` wins the game with these moves, and the search is certain of it."""
    line = _legal(position, moves)
    outcome = end_of(position, line).outcome()
    start = end_of(position, line[:at])
    if outcome is None or outcome.winner is not start.side or not found.is_certain:
        return None
    loser = start.side.other
    left = "move" if outcome.reason is Reason.NO_MOVES else "piece"
    told = " ".join(line_texts(start, line[at:]))
    text = f"With best play {who(loser)} {does(loser, 'has', 'have')} no {left} left: {told}."
    return _said("no-moves", text, position, line, at=at, known_by=found.known_by)


def _gives_ending(position: Position, move: Move, answer: Found) -> MoveReason | None:
    """Return a reason: the answer leads to an ending that the other side wins, as the tables show."""
    after = position.play(move)
    line = _known_line(after, answer)
    if line is None or answer.value <= 0:
        return None
    text = f"It loses the ending. {_told_ending(after, line)}"
    return _said("tables", text, position, (move, *line), at=1, known_by=answer.known_by)


def _reaches_ending(position: Position, move: Move, played: Found) -> MoveReason | None:
    """Return a reason: the line of a good move reaches an ending that the tables know as won or drawn."""
    line = _known_line(position, Found(-played.value, (move, *played.moves), played.known_by, played.is_certain))
    if line is None or played.value > 0 or len(position.legal_moves()) == 1:
        return None
    return _said("tables", _told_ending(position, line), position, line, known_by=played.known_by)


def _known_line(start: Position, found: Found) -> list[Move] | None:
    """Return a line up to the first position that the tables know, if their result agrees with the search.

    None if the search is not certain, or if the tables already know the position where the line begins.
    """
    if not found.is_certain or tablebase().get(start) is not None:
        return None
    position, moves = start, _legal(start, found.moves)
    for number, move in enumerate(moves, 1):
        position = position.play(move)
        verdict = None if must_capture(position) else tablebase().get(position)
        if verdict is not None:
            score = verdict_score(verdict).value * (1 if position.side is start.side else -1)
            return moves[:number] if (score > 0) == (found.value > 0) and (score < 0) == (found.value < 0) else None
    return None


def _told_ending(start: Position, line: Sequence[Move]) -> str:
    """Return a sentence: what the tables know about the last position of a line.

    The side that moves first must win or draw.
    """
    end, side = end_of(start, line), start.side
    mine, other = ((own.bit_count() - (own & end.kings).bit_count(), (own & end.kings).bit_count())
                   for own in ((end.own, end.other) if end.side is side else (end.other, end.own)))  # fmt: skip
    verdict = tablebase().probe(end)
    sides = f"{counted_pieces(*mine)} against {counted_pieces(*other)}"
    moves = " ".join(line_texts(start, line))
    if verdict.value == Value.DRAW:
        return f"After {moves} the tables know a draw: {sides}."
    name = NAMED.get((mine, other))
    known = f", {name}" if name else ""
    return f"After {moves} the tables know that {who(side)} {does(side, 'wins', 'win')}: {sides}{known}."


def has_the_move(position: Position) -> bool:
    """Return True if the side to move has "the move", the opposition.

    Both sides must have the same number of pieces. Count the pieces of both sides on every second row, beginning with
    the home row of the side to move: if their number is odd, it has "the move".
    """
    own = 0 if position.side is Side.FIRST else 1
    return sum(cell_of(square)[0] % 2 == own for square in position.pieces()) % 2 == 1


def _counts(position: Position) -> bool:
    """Return True if "the move" may be counted: few pieces, the same number on both sides, nothing to capture."""
    own, other = position.own.bit_count(), position.other.bit_count()
    return own == other and own + other <= FEW and not must_capture(position)


def _gives_the_move(position: Position, move: Move, answer: Found) -> MoveReason | None:
    """Return a reason: an exchange gives the other side "the move"; the tables know that the result changes."""
    after = position.play(move)
    line = (move, *exchange(after).moves)
    end = end_of(position, line)
    if len(line) < 2 or answer.known_by != "table" or end.outcome() is not None:
        return None
    if not (_counts(position) and _counts(end)) or not has_the_move(position):
        return None
    holder = end.side if has_the_move(end) else end.side.other
    if holder is position.side:
        return None
    text = f"The exchange gives {who(holder)} the opposition, also called the move."
    return _said("the-move", text, position, line, at=1, known_by="table")


def _has_the_move(position: Position, move: Move, played: Found) -> MoveReason | None:
    """Return a reason: an exchange takes "the move" from the other side; the tables know the result."""
    line = (move, *exchange(position.play(move)).moves)
    end = end_of(position, line)
    if len(line) < 2 or played.known_by != "table" or end.outcome() is not None:
        return None
    if not (_counts(position) and _counts(end)) or has_the_move(position):
        return None
    holder = end.side if has_the_move(end) else end.side.other
    if holder is not position.side:
        return None
    text = f"The exchange gives {who(holder)} the opposition, also called the move."
    return _said("the-move", text, position, line, known_by="table")


def _simplifies(position: Position, move: Move, played: Found) -> MoveReason | None:
    """Return a reason: the move exchanges pieces one for one, and its side is ahead."""
    own, other = position.own.bit_count(), position.other.bit_count()
    if own <= other or position.play(move).outcome() is not None:
        return None
    line = (move, *exchange(position.play(move)).moves)
    taken, given = captured(position, line, position.side), captured(position, line, position.side.other)
    if len(line) < 2 or sum(taken) != sum(given) or taken != given or -played.value < MAN // 2:
        return None
    exchanges = f"It exchanges {counted_pieces(*taken)} for {counted_pieces(*given)}"
    text = f"{exchanges}: {who(position.side)} {does(position.side, 'is', 'are')} ahead, {own} pieces to {other}."
    return _said("simplify", text, position, line, known_by=played.known_by)
