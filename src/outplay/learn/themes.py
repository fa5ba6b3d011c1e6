"""The themes of puzzles: what a solution is about, found by looking at its moves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from outplay import checkers, connect4
from outplay.learn.goals import Goal
from outplay.learn.proof import Prover
from outplay.outcome import Side
from outplay.rules import Position, rules_of

ENDING = 6
"""A position with at most this many pieces is an ending."""
THEMES: dict[str, dict[str, str]] = {
    "connect4": {
        "win-and-block": "Win and block",
        "double-threat": "Double threat",
        "stacked": "Two in one column",
        "forcing": "Forcing moves",
        "quiet": "Quiet moves",
        "odd-even": "Odd and even",
        "long": "Long wins",
        "defence": "Defence",
    },
    "checkers": {
        "capture": "Which capture",
        "two-for-one": "Two for one",
        "shot": "The shot",
        "breakthrough": "Breakthrough",
        "king": "Kings at work",
        "ending": "Endings",
        "attack": "Win a man",
        "defence": "Defence",
    },
}
"""The themes of each game, and their names on screen."""


def themes_of(position: Position, goal: Goal, moves: Sequence[str], prover: Prover) -> tuple[str, ...]:
    """Return the themes of a solution, the most important first. `moves` are those of both sides from `position`.

    `prover` plays a long win of Connect Four to its end.
    """
    positions, played = [position], []
    for text in moves:
        played.append(positions[-1].parse(text))
        positions.append(positions[-1].play(played[-1]))
    game = rules_of(position).name
    found = set(_connect4(positions, goal, prover) if game == "connect4" else _checkers(positions, played, goal))
    return tuple(theme for theme in THEMES[game] if theme in found)[:3]


def _connect4(positions: Sequence[Any], goal: Goal, prover: Prover) -> Iterator[str]:
    start, side = positions[0], positions[0].side
    afters = positions[1::2]
    made = [set(_playable(after, side)) for after in afters]
    if goal.kind == "draw":
        yield "defence"
    if _playable(start, side) or _playable(start, side.other):
        yield "win-and-block"
    if goal.kind != "win":
        return
    if any(len(threats) > 1 for threats in made):
        yield "double-threat"
    if any(_is_stacked(after, side) for after in afters if after.outcome() is None):
        yield "stacked"
    is_short = goal.number is not None
    if is_short and len(made) > 2 and all(made[:-1]):
        yield "forcing"
    if is_short and len(made) > 1 and not made[0]:
        yield "quiet"
    if not is_short:
        yield "odd-even" if _is_odd_and_even(positions, side, prover) else "long"


def _is_odd_and_even(positions: Sequence[Any], winner: Side, prover: Prover) -> bool:
    """Return whether the loser runs out of safe moves in the end, and must fill the cell below a winning one.

    The winning cell is in an odd row, counted from the bottom, if the first player wins, and in an even row if the
    second does.
    """
    line = list(positions)
    for column in prover.line(line[-1], most=line[-1].width * line[-1].height):
        line.append(line[-1].play(column))
    before, given, end = line[-3:]
    column = next(column for column in given.legal_moves() if given.play(column) == end)
    is_odd = (given.height - given.landing_row(column)) % 2 == 1
    is_zugzwang = not _playable(before, winner) and all(
        _playable(before.play(move), winner) for move in before.legal_moves()
    )
    return is_zugzwang and is_odd == (winner is Side.FIRST)


def _playable(position: connect4.Position, side: Side) -> list[int]:
    """Return the columns in which a disc of this side would make four now."""
    if position.outcome() is not None:
        return []
    landing = {(position.landing_row(column), column) for column in position.legal_moves()}
    return [column for row, column in position.threats(side) if (row, column) in landing]


def _is_stacked(position: connect4.Position, side: Side) -> bool:
    """Return whether a side makes four in a playable cell and in the cell above it too."""
    cells = set(position.threats(side))
    return any((position.landing_row(column) - 1, column) in cells for column in _playable(position, side))


def _checkers(positions: Sequence[Any], moves: Sequence[Any], goal: Goal) -> Iterator[str]:
    own, replies = moves[::2], moves[1::2]
    given = sum(len(reply.captures) for reply in replies)
    taken = max((len(move.captures) for move in own), default=0)
    start = positions[0]
    if goal.kind == "draw":
        yield "defence"
    if len(start.pieces()) <= ENDING:
        yield "ending"
    if own[0].is_capture:
        yield "capture"
    elif given == 1 and taken >= 2:
        yield "two-for-one"
    elif given >= 2 and taken >= 2:
        yield "shot"
    if any(_is_crowned(before, move) for before, move in zip(positions[::2], own, strict=False)):
        yield "breakthrough"
    if start.kings >> (own[0].path[0] - 1) & 1:
        yield "king"
    if (goal.kind == "gain" or (goal.kind == "win" and taken)) and not (given and taken >= 2):
        yield "attack"


def _is_crowned(position: checkers.Position, move: checkers.Move) -> bool:
    is_man = not position.kings >> (move.path[0] - 1) & 1
    return bool(is_man and position.play(move).kings >> (move.path[-1] - 1) & 1)
