"""How a game ended, to and from text: the result, and the reason if neither the board nor the result shows it.

A result is seen from the side that starts a game, `Side.FIRST`: `1-0` says that Black, or Red, won. Without a
`Termination` a win came by resignation and a draw by agreement, unless the moves themselves ended the game.
"""

from __future__ import annotations

import re

from outplay.outcome import Outcome, Reason, Side
from outplay.record import AnyGame, AnyNode

_WINNERS: dict[str, Side | None] = {
    **dict.fromkeys(("1-0", "2-0"), Side.FIRST),
    **dict.fromkeys(("0-1", "0-2"), Side.SECOND),
    **dict.fromkeys(("1/2-1/2", "1/2", "½-½", "1-1"), None),
}
_TEXTS = {Side.FIRST: "1-0", Side.SECOND: "0-1", None: "1/2-1/2"}
_WINS = {reason.value: reason for reason in (Reason.RESIGNATION, Reason.TIME, Reason.FORFEIT, Reason.DECISION)}
_WINS["time forfeit"] = Reason.TIME  # as PGN says it
_DRAWS = {reason.value: reason for reason in (Reason.AGREEMENT, Reason.REPETITION, Reason.NO_PROGRESS, Reason.DECISION)}
_TERMINATION = re.compile(r"([a-z ]+?)(?: at ply ([0-9]{1,9}))?")


def end_of(game: AnyGame) -> AnyNode:
    """Return the node where the game ended: the first ending of the main line or, if it has none, its last move."""
    line = [game.root, *game.main_line()]
    return next((node for node in line if node.ending is not None), line[-1])


def outcome_of(game: AnyGame) -> Outcome | None:
    """Return how the main line ended, wherever the cursor stands; None if it has not ended."""
    return game.outcome_at(end_of(game))


def result_text(game: AnyGame) -> str:
    """Return the result of the main line: 1-0, 0-1, 1/2-1/2, or * if there is none yet."""
    outcome = outcome_of(game)
    return "*" if outcome is None else outcome.result


def termination_text(game: AnyGame) -> str:
    """Return the reason of the ending; an empty string if the board or the result already shows it."""
    end, outcome = end_of(game), outcome_of(game)
    if outcome is None or end.position.outcome() is not None:
        return ""
    if end.children:  # moves that were taken back before the game was ended
        return f"{outcome.reason} at ply {sum(1 for _ in end.line()) - 1}"
    return "" if outcome.reason is _habit(outcome.winner) else outcome.reason.value


def _habit(winner: Side | None) -> Reason:
    return Reason.AGREEMENT if winner is None else Reason.RESIGNATION


def agreed(header: str, token: str) -> tuple[str, str]:
    """Return the result that the header and the end of the moves give together, and a note if they disagree.

    The header is the one that counts, because many files end every game with a star.
    """
    header = "".join(header.split())
    if header not in _WINNERS:
        return (header or token) if token == "*" else token, ""
    is_odd = token in _WINNERS and _WINNERS[token] is not _WINNERS[header]
    return header, f"the header says {header}, but the moves end with {token}" if is_odd else ""


def settle(game: AnyGame, result: str, termination: str) -> tuple[bool, str]:
    """End a complete game as its text says, and put the cursor where it ended.

    Return whether the termination was used, and a note if something does not fit.
    """
    line = [game.root, *game.main_line()]
    game.go_to(line[-1])
    if result not in _WINNERS:
        return False, "" if result in ("", "*", "?") else f"the result {result} names no winner and no draw"
    winner = _WINNERS[result]
    reason, ply = _read_termination(termination, winner)
    game.go_to(line[ply] if ply is not None and ply < len(line) else line[-1])
    if game.position.outcome() is not None:
        return False, "" if result_text(game) == _TEXTS[
            winner
        ] else f"the result is {result}, but the board shows {result_text(game)}"
    found = game.outcome()
    if found is None or found.winner is not winner or game.current.children or reason not in (None, found.reason):
        game.current.ending = Outcome(winner, reason or _habit(winner))
    return reason is not None, ""


def _read_termination(text: str, winner: Side | None) -> tuple[Reason | None, int | None]:
    """Return the reason and the ply that the text names.

    The reason is None if we do not know it or it does not fit the winner; the ply is None if there is none.
    """
    match = _TERMINATION.fullmatch(text.casefold())
    reason = (_DRAWS if winner is None else _WINS).get(match[1]) if match else None
    return reason, int(match[2]) if match and reason and match[2] else None
