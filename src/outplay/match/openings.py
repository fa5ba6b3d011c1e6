"""The openings of a match: every pair of games has one, and both players play it from both sides.

start      the start position
3move      checkers: the 156 three-move ballots (openings drawn by lot) in use
11man      checkers: the 2,400 eleven-man ballots (each side without one man)
plies:N    every different position after N plies; in Connect Four mirror images count once
random:N   N random plies
FILE       the games of a file, each up to its last move; or one position per line (see `outplay show`)
A+B        several sources in turn, such as 3move+11man

3move, 11man, plies:N and FILE give a list of openings, the deck. It is shuffled with the seed of the match, and again
when all of it has been played.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from outplay.errors import NotationError, OutplayError
from outplay.match.ballots import eleven_man_ballots, three_move_ballots
from outplay.notation import read_one
from outplay.notation.clues import HEADER
from outplay.notation.pdn import decoded, games
from outplay.record import AnyGame, Game
from outplay.rules import RULES, Position, Rules, rules_of

DEFAULT = {"checkers": "3move", "connect4": "plies:4"}
MOST_PLIES = 20
MOST_POSITIONS = 20_000
"""The largest `plies:N` deck. A larger one would take long to build, and no match would use all of it."""

Openings = Callable[[int], "Opening"]
"""Returns the opening of a pair of games; pairs are numbered from 1."""


@dataclass(frozen=True, slots=True)
class Opening:
    """A start position and the moves from there, as text, so that it can be sent to other machines."""

    name: str
    start: str
    moves: tuple[str, ...] = ()

    def game(self, rules: Rules) -> AnyGame:
        """Return a new game that begins with this opening."""
        game = Game(rules.read(self.start))
        for move in self.moves:
            game.play(move)
        return game


def find_openings(name: str, game: str, *, seed: int = 1) -> Openings:
    """Return the openings of this name. NotationError if there are none, or if the game is over after one of them."""
    rules = RULES[game]
    if "+" in name and not Path(name).is_file():
        kinds = [find_openings(part, game, seed=seed) for part in name.split("+")]
        return lambda number: kinds[(number - 1) % len(kinds)]((number - 1) // len(kinds) + 1)
    kind, _, count = name.partition(":")
    if kind == "random" and count:
        plies = _plies(name, count)
        return lambda number: _random(rules, plies, random.Random(f"{seed} opening {number}"))
    deck = _deck(name, rules)
    if not deck:
        raise NotationError(name, "it contains no opening")
    for opening in deck:
        _check(opening, rules)
    return lambda number: _dealt(deck, seed, number)


def _dealt(deck: Sequence[Opening], seed: int, number: int) -> Opening:
    """Return the opening of a pair of games. The shuffled deck is used up before an opening is repeated."""
    times, index = divmod(number - 1, len(deck))
    order = list(range(len(deck)))
    random.Random(f"{seed} deck {times}").shuffle(order)
    return deck[order[index]]


def _deck(name: str, rules: Rules) -> list[Opening]:
    kind, _, count = name.partition(":")
    if name == "start":
        return [Opening("start", "start")]
    if name in ("3move", "11man") and rules.name != "checkers":
        raise NotationError(
            name, "these openings are only for checkers; for Connect Four use start, plies:N, random:N or a file"
        )
    if name == "3move":
        return [Opening(f"3-move {number}", "start", moves) for number, moves in three_move_ballots()]
    if name == "11man":
        return [Opening(f"11-man {number}", each.fen()) for number, each in enumerate(eleven_man_ballots(), 1)]
    if kind == "plies" and count:
        return list(_every(rules, _plies(name, count)))
    if Path(name).is_file():
        return list(_from_file(Path(name), rules))
    raise NotationError(name, "openings are start, 3move, 11man, plies:N, random:N or a file")


def _plies(name: str, text: str) -> int:
    if not re.fullmatch("[0-9]{1,3}", text) or int(text) > MOST_PLIES:
        raise NotationError(name, f"the number of plies is from 0 to {MOST_PLIES}")
    return int(text)


def _check(opening: Opening, rules: Rules) -> None:
    """Raise NotationError if the game is over after the opening."""
    try:
        over = opening.game(rules).outcome()
    except OutplayError as error:
        raise NotationError(opening.name, str(error)) from error
    if over is not None:
        raise NotationError(opening.name, f"the game is over after the opening ({over.reason})")


def _random(rules: Rules, plies: int, chance: random.Random) -> Opening:
    """Return random moves after which the game is not over."""
    while True:
        game = Game(rules.start())
        while game.ply < plies and game.outcome() is None:
            game.play(chance.choice(game.position.legal_moves()))
        if game.outcome() is None:
            moves = tuple(node.text for node in game.nodes)
            return Opening(" ".join(moves) or "start", "start", moves)


def _every(rules: Rules, plies: int) -> Iterator[Opening]:
    """Yield a line of moves to each position after `plies` plies, unless it ends the game; mirror images count once."""
    paths: dict[Position, tuple[str, ...]] = {rules.start(): ()}
    for _ in range(plies):
        after: dict[Position, tuple[str, ...]] = {}
        seen = set[Position]()
        for position, path in paths.items():
            for move in position.legal_moves():
                following = position.play(move)
                same = _one_of_two(following)
                if same not in seen and following.outcome() is None:
                    seen.add(same)
                    after[following] = (*path, position.format(move))
            if len(after) > MOST_POSITIONS:
                raise NotationError(f"plies:{plies}", f"there are more than {MOST_POSITIONS:,} such positions")
        paths = after
    for path in paths.values():
        yield Opening(" ".join(path) or "start", "start", path)


def _one_of_two(position: Position) -> Position:
    """Return the same position for a Connect Four position and for its mirror image."""
    mirror = rules_of(position).mirror
    return position if mirror is None else min(position, mirror(position), key=lambda each: each.key)


def _from_file(path: Path, rules: Rules) -> Iterator[Opening]:
    text = path.read_bytes()
    if path.suffix.casefold() in (".pdn", ".pgn") or HEADER.search(decoded(text)):
        for number, game in enumerate(games(path, game=rules.name), 1):
            if game.rules is not rules:
                raise NotationError(str(path), f"game {number} is {game.rules.title}, not {rules.title}")
            moves = tuple(node.text for node in game.main_line())
            yield Opening(f"{path.name} {number}", game.start.fen(), moves)
        return
    for number, line in enumerate(text.decode("utf-8").splitlines(), 1):
        if line.strip() and not line.startswith("#"):
            yield _from_line(f"{path.name} {number}", line.strip(), rules)


def _from_line(name: str, text: str, rules: Rules) -> Opening:
    """Return the opening of a line: a position, or any text with moves. `find_openings` reports what cannot be read."""
    try:
        rules.read(text)
    except OutplayError:
        with suppress(OutplayError):
            game = read_one(text, rules.name).game
            return Opening(name, game.start.fen(), tuple(node.text for node in game.main_line()))
    return Opening(name, text)
