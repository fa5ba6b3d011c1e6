"""Connect Four positions for the solver's tests: from random play, and every one of a small board."""

from collections.abc import Iterator
from random import Random

from outplay.connect4 import Position
from tests.oracle import connect4
from tests.oracle.scores import Scores

KNOWN: dict[tuple[int, int], Scores] = {}


def brute_force(position: Position) -> int:
    """The score by the oracle, which remembers from one question to the next."""
    return _scores(position).of(connect4.from_fen(position.fen()))


def random_positions(seed: int, count: int, *, width: int = 7, height: int = 6, discs: range) -> list[Position]:
    """Return undecided positions with `discs` discs, the same for the same arguments."""
    random = Random(f"{seed} {width}x{height}")
    found: list[Position] = []
    while len(found) < count:
        position = _play(random, Position(width, height), random.choice(discs))
        found += [position] if position is not None else []
    return found


def late_positions(seed: int, count: int, width: int, height: int, *, empty: range) -> list[Position]:
    """Return undecided positions with `empty` empty cells."""
    cells = width * height
    discs = range(cells - empty.stop + 1, cells - empty.start + 1)
    return random_positions(seed, count, width=width, height=height, discs=discs)


def every_position(start: Position) -> Iterator[tuple[Position, int]]:
    """Each undecided position that play from here can reach, and its score by brute force."""
    scores, height = _scores(start), start.height
    layer = {scores.sides(connect4.from_fen(start.fen())): start}
    while layer:
        yield from ((position, scores.score(*sides)) for sides, position in layer.items())
        layer = {
            (other, own | 1 << cell): position.play(cell // height)
            for (own, other), position in layer.items()
            for cell in scores.playable(own | other)
            if not scores.is_win(own, cell) and position.plies + 1 < scores.cells
        }


def _scores(position: Position) -> Scores:
    size = position.width, position.height
    if size not in KNOWN:
        KNOWN[size] = Scores(*size)
    return KNOWN[size]


def _play(random: Random, position: Position, discs: int) -> Position | None:
    """Play at random, but shun the end of the game; None where that is not possible.

    Most play with care, too: they leave no win to the next disc, if they can.
    """
    is_careful = random.random() < 0.8
    while position.plies < discs:
        moves = position.legal_moves()
        random.shuffle(moves)
        onward = [after for move in moves if (after := position.play(move)).outcome() is None]
        if not onward:
            return None
        position = next((after for after in onward if not is_careful or not _has_win(after)), onward[0])
    return position


def _has_win(position: Position) -> bool:
    outcomes = (position.play(move).outcome() for move in position.legal_moves())
    return any(outcome is not None and outcome.winner is not None for outcome in outcomes)
