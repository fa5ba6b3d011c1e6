"""The Hub protocol, version 2, as Scan defines it (protocol.txt, Fabien Letouzey, 2017), for English draughts.

A line is a command and its arguments, `name=value` or a name alone; a value with spaces is quoted. A position is the
side to move and one letter for each of the 32 squares; a move is its first and last square, then the captured squares:

>>> from outplay.checkers import Position
>>> write_position(Position())
'Bbbbbbbbbbbbbeeeeeeeewwwwwwwwwwww'
>>> position = Position.from_fen("B:W14,22:B9")
>>> write_move(position.parse("9x18x25"))
'9x25x14x22'
>>> read_line('info depth=3 score=-0.25 pv="9x25x14x22"').arguments["pv"]
'9x25x14x22'

docs/hub.md lists our choices where the protocol does not define 8 x 8 boards.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from outplay.checkers import Move, Position
from outplay.engine.types import Analysis, Limit, Line, Score
from outplay.errors import IllegalMoveError, NotationError
from outplay.outcome import Side

VARIANT = "english"
SQUARES = 32
LARGEST_SEED = 2**31 - 1
"""The largest seed that is sent to an engine, unless the engine names its own maximum."""
WIN = 100.0
"""The score of an immediate win, in men; a win in n plies is n hundredths less."""
FORCED = 90.0
"""A score of at least this, for either side, means that the search saw the end of the game."""
HUNDREDTHS = 100
"""Our engines of checkers count in hundredths of a man."""
FOR_EVER_MS = 7 * 24 * 3600 * 1000
"""A week: the time that `level infinite` stands for. Without a limit, our engines choose a time themselves."""

_ARGUMENT = re.compile(r'\s*([^\s="]+)(?:=("[^"]*"|[^\s"]*))?(?=\s|$)')
_MOVE = re.compile(r"([1-9][0-9]?)(?:-([1-9][0-9]?)|((?:x[1-9][0-9]?)+))")
_LETTERS = {"w": "W", "b": "B", "W": "WK", "B": "BK"}


@dataclass(frozen=True, slots=True)
class Message:
    """A command and its arguments in order; a flag has an empty value."""

    command: str
    arguments: Mapping[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        return " ".join([self.command, *(_written(name, value) for name, value in self.arguments.items())])

    def get(self, name: str) -> str:
        """Return the value of an argument; empty if it is missing."""
        return self.arguments.get(name, "")


def _written(name: str, value: str) -> str:
    if not value and name in FLAGS:
        return name
    plain = "".join(" " if c == '"' or not c.isprintable() else c for c in value)
    return f'{name}="{plain}"' if not plain or " " in plain or "=" in plain else f"{name}={plain}"


FLAGS = ("think", "ponder", "analyze", "infinite")
"""The arguments without a value. `ponder` in `done` has a value: a move."""


def read_line(line: str) -> Message:
    """Return the message of a line. NotationError if it cannot be read; an empty line gives an empty command."""
    line = line.strip()
    command, rest = [*line.split(maxsplit=1), "", ""][:2]
    arguments, place = {}, 0
    while place < len(rest):
        found = _ARGUMENT.match(rest, place)
        if found is None:
            raise NotationError(line, f"at {rest[place:].strip()[:20]!r}: arguments are written name=value")
        arguments[found[1]] = (found[2] or "").removeprefix('"').removesuffix('"')
        place = found.end()
    return Message(command, arguments)


# Positions and moves


def write_position(position: Position) -> str:
    """Return `B` or `W`, and a letter for each square from 1: men are lower case, kings upper case, `e` is empty."""
    pieces = position.pieces()
    side = "B" if position.side is Side.FIRST else "W"
    return side + "".join(pieces.get(square, "e") for square in range(1, SQUARES + 1))


def read_position(text: str) -> Position:
    """Read a position. NotationError, or IllegalPositionError with the reasons if it is impossible."""
    side, squares = text[:1], text[1:]
    if side not in ("B", "W") or len(squares) != SQUARES or set(squares) - {"e", *_LETTERS}:
        raise NotationError(text, f"a position is B or W, then {SQUARES} letters out of w, b, W, B and e")
    pieces: dict[str, list[str]] = {"W": [], "B": []}
    for square, letter in enumerate(squares, 1):
        if letter != "e":
            owner, king = _LETTERS[letter][0], _LETTERS[letter][1:]
            pieces[owner].append(f"{king}{square}")
    return Position.from_fen(f"{side}:W{','.join(pieces['W'])}:B{','.join(pieces['B'])}")


def write_move(move: Move) -> str:
    """Return a move such as `11-15`; a capture is `FROMxTOxTAKENxTAKEN`, the captured squares in ascending order."""
    first, last = move.path[0], move.path[-1]
    if not move.is_capture:
        return f"{first}-{last}"
    return "x".join(map(str, (first, last, *sorted(move.captures))))


def read_move(position: Position, text: str) -> Move:
    """Return the legal move that a text names.

    The captured squares may come in any order, and may be left out if only one move fits.
    """
    found = _MOVE.fullmatch(text.strip())
    if found is None:
        raise NotationError(text, "a move is written 11-15, a capture 9x25x14x22: from, to, and the captured squares")
    first, *others = [int(number) for number in re.findall("[0-9]+", text)]
    last, *taken = others
    same_ends = [move for move in position.legal_moves() if (move.path[0], move.path[-1]) == (first, last)]
    fitting = [move for move in same_ends if sorted(move.captures) == sorted(taken)]
    if not fitting and not taken and len(same_ends) == 1:
        fitting = same_ends
    if not fitting:
        legal = " ".join(map(write_move, position.legal_moves()))
        raise IllegalMoveError(text, position, f"the moves are {legal}" if legal else "there is no move")
    return fitting[0]  # paths that take the same pieces lead to the same position


# Limits


def write_limit(limit: Limit) -> Message:
    """Return the `level` message of a limit; `nodes` is an extension that pydraughts knows too."""
    arguments: dict[str, str] = {}
    if limit.depth is not None:
        arguments["depth"] = str(limit.depth)
    if limit.nodes is not None:
        arguments["nodes"] = str(limit.nodes)
    if limit.time_ms is not None:
        arguments["move-time"] = _seconds(limit.time_ms)
    if limit.clock_ms is not None:
        arguments["time"] = _seconds(max(0, limit.clock_ms - limit.increment_ms))  # Hub adds the increment first
        arguments["inc"] = _seconds(limit.increment_ms)
    return Message("level", arguments or {"infinite": ""})


def _seconds(time_ms: int) -> str:
    return f"{time_ms / 1000:.3f}".rstrip("0").rstrip(".")


def read_limit(message: Message) -> Limit:
    """Return the limit of a `level`. NotationError if a number makes no sense."""
    time_ms = _number(message, "move-time", 1000)
    clock_ms, increment_ms = _number(message, "time", 1000), _number(message, "inc", 1000) or 0
    moves = _number(message, "moves", 1)
    if clock_ms is not None:
        clock_ms += increment_ms
        if moves:
            time_ms = min(time_ms or clock_ms, max(1, clock_ms // (moves + 1)))
    depth, nodes = _number(message, "depth", 1), _number(message, "nodes", 1)
    if not any(each is not None for each in (time_ms, clock_ms, depth, nodes)):
        time_ms = FOR_EVER_MS
    return Limit(_at_least_one(depth), _at_least_one(nodes), _at_least_one(time_ms), clock_ms, increment_ms)


def _at_least_one(number: int | None) -> int | None:
    return None if number is None else max(1, number)


def _number(message: Message, name: str, factor: int) -> int | None:
    text = message.get(name)
    if not text:
        return None
    if not re.fullmatch(r"[0-9]{1,15}(\.[0-9]{0,15})?|\.[0-9]{1,15}", text):
        raise NotationError(text, f"{name} must be a number of at least 0")
    return min(round(factor * float(text)), FOR_EVER_MS * 1000)


# What a search found


def write_info(analysis: Analysis) -> Message:
    """Return `info` with depth, score in men, nodes, seconds, million nodes a second, and the best line."""
    line = analysis.lines[0]
    speed = analysis.nodes / max(analysis.seconds, 1e-6) / 1e6
    moves = " ".join(write_move(move) for move in line.moves or (line.move,))
    return Message(
        "info",
        {
            "depth": str(analysis.depth),
            "score": write_score(line.score),
            "nodes": str(analysis.nodes),
            "time": f"{analysis.seconds:.3f}",
            "nps": f"{speed:.3f}",
            "pv": moves,
        },
    )


def write_score(score: Score) -> str:
    """Return a score in men: an estimate, or 100 minus a hundredth for each ply to a win; a proved draw is 0."""
    sign = (score.value > 0) - (score.value < 0)
    if score.plies is not None or score.is_proof:
        return f"{sign * (WIN - (score.plies or 0) / 100):.2f}"
    return f"{min(FORCED - 1, max(1 - FORCED, score.value / HUNDREDTHS)):.2f}"


def read_score(text: str, depth: int) -> Score:
    """Convert a score in men to one in hundredths of a man. NotationError if it is not a number."""
    if not re.fullmatch(r"[+-]?[0-9]{1,6}(\.[0-9]{1,9})?", text):
        raise NotationError(text, "a score is a decimal number, in men: 0.35")
    men = float(text)
    plies = max(0, round(100 * (WIN - abs(men)))) if abs(men) >= FORCED else None
    return Score(HUNDREDTHS * men, "search", depth, plies, "men")


def read_info(message: Message, position: Position) -> Analysis | None:
    """Return the analysis of an `info`; None if the message has no `pv`, and so no move."""
    texts = message.get("pv").split()
    if not texts:
        return None
    depth = _number(message, "depth", 1) or 0
    moves: list[Move] = []
    for text in texts:
        moves.append(read_move(position, text))
        position = position.play(moves[-1])
    score = read_score(message.get("score") or "0", depth)
    nodes, milliseconds = _number(message, "nodes", 1) or 0, _number(message, "time", 1000) or 0
    return Analysis((Line(moves[0], score, tuple(moves)),), depth, nodes, milliseconds / 1000)


def write_setup(position: Position, history: Sequence[Position]) -> dict[str, str]:
    """Return the arguments of `pos`: an earlier position, and the moves from there to this one."""
    start, moves = history_moves(position, history)
    setup = {"pos": write_position(start)}
    if moves:
        setup["moves"] = " ".join(map(write_move, moves))
    return setup


def read_setup(message: Message) -> tuple[Position, tuple[Position, ...]]:
    """Return the position of a `pos`, and the positions before it."""
    position, history = read_position(message.get("pos")), list[Position]()
    for text in message.get("moves").split():
        history.append(position)
        position = position.play(read_move(position, text))
    return position, tuple(history)


def history_moves(position: Position, history: Sequence[Position]) -> tuple[Position, tuple[Move, ...]]:
    """Return a start position, and the moves from there through the latest positions to this one.

    The moves go back as far as each position follows from the one before by one move: only these matter for repetition.
    """
    start, moves = position, list[Move]()
    for before in reversed(history):
        step = next((move for move in before.legal_moves() if before.play(move) == start), None)
        if step is None:
            break
        moves.insert(0, step)
        start = before
    return start, tuple(moves)
