"""The settings of a tournament, and who meets whom in it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import ceil, log2
from typing import Literal, get_args

from outplay.engine.types import Limit
from outplay.errors import NotationError
from outplay.match.game import Pairing
from outplay.match.openings import Openings
from outplay.match.settings import USUAL_LIMIT, GameName, Match
from outplay.players import PlayerLike
from outplay.work.supervise import GRACE_MS

TOURNAMENT = "outplay tournament"
TournamentKind = Literal["round-robin", "gauntlet", "swiss"]
KINDS = get_args(TournamentKind)


@dataclass(frozen=True, slots=True)
class Encounter:
    """Two players who meet in a round, by their indices. A moves first in the first game."""

    round: int
    board: int
    a: int
    b: int

    @property
    def key(self) -> str:
        return f"{self.round}.{self.board}"


@dataclass(frozen=True, slots=True)
class Tournament:
    """A tournament of several players, each a name, a function or an engine (see `players`)."""

    players: tuple[PlayerLike, ...]
    names: tuple[str, ...] = ()
    """What the players are called; all different. Default: their names as players."""
    game: GameName = "connect4"
    kind: TournamentKind = "round-robin"
    games: int = 2
    """The number of games of each meeting, sides exchanged after each game."""
    rounds: int | None = None
    """The number of rounds of a Swiss tournament.

    Default: the number after which at most one player can have won all games, plus two.
    """
    challengers: int = 1
    """Gauntlet: this many players at the head of the list meet all the others; the others do not meet each other."""
    openings: str = ""
    """See `match.openings`. Default: the usual openings of the game."""
    limit: Limit = USUAL_LIMIT
    """The limit of each move."""
    seed: int = 1
    """Seed for the order of the openings and the players' choices."""
    margin_ms: int = GRACE_MS
    """How much longer than its time a player may take before it loses the game."""
    max_plies: int = 400
    """A longer game counts as a draw."""
    tables: bool = True
    """True if a checkers game ends as soon as the endgame tables know its result."""

    def __post_init__(self) -> None:
        if len(self.players) < 2:
            raise ValueError(f"a tournament has at least two players, not {len(self.players)}")
        if not self.names:
            object.__setattr__(self, "names", names_of(self.players))
        if len(self.names) != len(self.players) or len(set(self.names)) < len(self.names):
            raise ValueError("names: there must be one name for each player, and all must be different")
        if self.kind not in KINDS:
            raise NotationError(self.kind, f"the kinds of tournament are {', '.join(KINDS)}")
        for name in ("games", "rounds", "challengers"):
            number = getattr(self, name)
            if number is not None and number < 1:
                raise ValueError(f"{name} must be positive, not {number}")
        if self.kind == "gauntlet" and self.challengers >= len(self.players):
            needed = f"{self.challengers + 1} or more, not {len(self.players)}"
            raise ValueError(f"a gauntlet needs more players than challengers: {needed}")
        object.__setattr__(self, "openings", self.conditions.openings)  # this checks the rest, too
        if "human" in self.players:
            raise NotationError("human", "a tournament is played by engines; people play with 'outplay play'")

    @property
    def conditions(self) -> Match:
        """Return the settings that all games share, as a `Match` with two placeholders for the players."""
        return Match(
            "random",
            "random",
            self.game,
            self.openings,
            self.limit,
            self.seed,
            self.margin_ms,
            self.max_plies,
            self.tables,
        )

    def match(self, a: int, b: int) -> Match:
        """Return the match that two players play when they meet."""
        return replace(self.conditions, a=self.players[a], b=self.players[b], called=(self.names[a], self.names[b]))

    def pairings(self, meeting: Encounter, openings: Openings) -> Iterator[Pairing]:
        """Yield the games of a meeting.

        All meetings have the same openings; in a Swiss tournament this holds only within one round.
        """
        pairs = ceil(self.games / 2)
        before = (meeting.round - 1) * pairs if self.kind == "swiss" else 0
        for number in range(self.games):
            pair, half = divmod(number, 2)
            yield Pairing(pair + 1, half + 1, openings(before + pair + 1), meeting.key, TOURNAMENT)

    def schedule(self, present: Sequence[int]) -> list[Encounter]:
        """Return all meetings of the players that are present, in a round robin or a gauntlet."""
        everyone = _circle(len(self.players)) if self.kind == "round-robin" else _gauntlet(self)
        here = set(present)
        return [each for each in everyone if each.a in here and each.b in here]

    def swiss_rounds(self, present: Sequence[int]) -> int:
        """Return the number of rounds of a Swiss tournament.

        It is at most one for each opponent, and one more for the bye if the number of players is odd.
        """
        most = max(1, len(present) - 1 + len(present) % 2)
        usual = ceil(log2(max(2, len(present)))) + 2
        return min(most, self.rounds or usual)


def names_of(players: Sequence[PlayerLike]) -> tuple[str, ...]:
    """Return a name for each player; a player that takes part twice gets a number: `level:3 (2)`."""
    found = list[str]()
    for who in players:
        name = who if isinstance(who, str) else str(getattr(who, "name", getattr(who, "__name__", "player")))
        times = sum(other == name or other.startswith(f"{name} (") for other in found)
        found.append(f"{name} ({times + 1})" if times else name)
    return tuple(found)


def _circle(players: int) -> list[Encounter]:
    """Return a meeting of every two players, in rounds in which each player plays once: the circle method."""
    ring: list[int | None] = [*range(players), *([None] if players % 2 else [])]
    half, meetings = len(ring) // 2, list[Encounter]()
    for number in range(1, len(ring)):
        pairs = zip(ring[:half], reversed(ring[half:]), strict=True)
        playing = [(a, b) for a, b in pairs if a is not None and b is not None]
        for board, (a, b) in enumerate(playing, 1):
            first, second = (b, a) if board == 1 and number % 2 == 0 else (a, b)
            meetings.append(Encounter(number, board, first, second))
        ring = [ring[0], ring[-1], *ring[1:-1]]
    return meetings


def _gauntlet(tournament: Tournament) -> list[Encounter]:
    """Return the meetings of every challenger with every other player; each other player has a round of its own."""
    challengers = range(tournament.challengers)
    field = range(tournament.challengers, len(tournament.players))
    return [
        Encounter(number, board, challenger, other)
        for number, other in enumerate(field, 1)
        for board, challenger in enumerate(challengers, 1)
    ]
