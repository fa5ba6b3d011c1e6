"""Play one game of a match, whatever the players do wrong."""

from __future__ import annotations

import random
import threading
from dataclasses import dataclass, field

from outplay.engine.task import Ask
from outplay.errors import EngineError, IllegalMoveError
from outplay.match.adjudicate import adjudicators, ruled
from outplay.match.openings import Opening
from outplay.match.seat import GameRecipe, Seat
from outplay.match.settings import Match
from outplay.match.trace import write_trace
from outplay.match.versions import version_of
from outplay.notation import write
from outplay.outcome import Side
from outplay.players import PlayerLike, player
from outplay.record import AnyGame
from outplay.rules import RULES
from outplay.work import OverrunError, Report, Stop, Task, give_way

EVENT = "outplay match"
LONGEST_FAILURE = 500


@dataclass(frozen=True, slots=True)
class Pairing:
    """One game to play: its pair, whether it is the first or second game of that pair, and its opening."""

    pair: int
    """The number of the pair, from 1."""
    half: int
    """1 if A moves first, 2 if B does."""
    opening: Opening
    meeting: str = ""
    """Which meeting of a tournament the game belongs to: `3.7` is board 7 of round 3. Empty in a match."""
    event: str = EVENT

    @property
    def round(self) -> str:
        return ".".join(filter(None, (self.meeting, str(self.pair), str(self.half))))

    @property
    def side_of_a(self) -> Side:
        return Side.FIRST if self.half == 1 else Side.SECOND


@dataclass(slots=True)
class TimeSpent:
    """The time that one player took for its moves."""

    moves: int = 0
    seconds: float = 0.0
    longest: float = 0.0

    def add(self, seconds: float) -> None:
        self.moves += 1
        self.seconds += seconds
        self.longest = max(self.longest, seconds)

    def __str__(self) -> str:
        return f"{self.seconds:.3f} s for {self.moves} moves, at most {self.longest:.3f} s"


@dataclass(slots=True)
class Seats:
    """The seats of A and B."""

    both: tuple[Seat, Seat] = field(default_factory=lambda: (Seat(), Seat()))

    def close(self) -> None:
        for seat in self.both:
            seat.close()


_kept = threading.local()


def kept_seats() -> Seats:
    """Return the seats of this thread; their processes are kept for the next game."""
    if not hasattr(_kept, "seats"):
        _kept.seats = Seats()
    seats: Seats = _kept.seats
    return seats


def close_seats() -> None:
    """End the processes of this thread's seats, if there are any."""
    if hasattr(_kept, "seats"):
        kept_seats().close()


@dataclass(frozen=True, slots=True)
class GameTask(Task[str]):
    """A task that plays one game and returns it as text. It reports the moves so far, with spaces between them."""

    match: Match
    pairing: Pairing
    keep: bool
    """True if the players' processes stay for the next game."""
    niceness: int = 0
    """How much the game gives way to other processes; see `give_way`."""

    @property
    def name(self) -> str:
        return f"game {self.pairing.round}"

    def run(self, report: Report[str], stop: Stop) -> str:
        if self.niceness:
            give_way(self.niceness)
        report.begin()
        if self.keep:
            return write(play_game(self.match, self.pairing, kept_seats(), stop, report))
        seats = Seats()
        try:
            return write(play_game(self.match, self.pairing, seats, stop, report))
        finally:
            seats.close()


def play_game(
    match: Match, pairing: Pairing, seats: Seats, stop: Stop | None = None, report: Report[str] | None = None
) -> AnyGame:
    """Play the game. A player that fails, plays an illegal move or exceeds its time loses; a header says how."""
    game = pairing.opening.game(RULES[match.game])
    seated = _seated(match, pairing, seats)
    game.headers = _headers(match, pairing)
    judges = adjudicators(match)
    while game.outcome() is None and not (stop is not None and stop.is_set()):
        if report is not None and report.is_heard:
            report(" ".join(node.text for node in game.main_line()))
        ruling = next((ruling for judge in judges if (ruling := judge(game)) is not None), None)
        if ruling is None:
            _take_turn(game, seated[game.position.side], match)
        else:
            ruled(game, ruling)
    for side in Side:
        game.headers[f"{game.rules.side_name(side)}Time"] = str(seated[side].time)
    return game


@dataclass(frozen=True, slots=True)
class _Seated:
    """A player in a seat, for one game."""

    name: str
    seat: Seat
    recipe: GameRecipe
    time: TimeSpent


def _seated(match: Match, pairing: Pairing, seats: Seats) -> dict[Side, _Seated]:
    sides = (pairing.side_of_a, pairing.side_of_a.other)
    return {
        side: _Seated(name, seat, _recipe(match, pairing, side, who), TimeSpent())
        for side, name, who, seat in zip(sides, match.names, (match.a, match.b), seats.both, strict=True)
    }


def _recipe(match: Match, pairing: Pairing, side: Side, who: PlayerLike) -> GameRecipe:
    seed = random.Random(f"{match.seed} game {pairing.round} side {side:d}").getrandbits(32)
    return GameRecipe(player(who, seed=seed).recipe(), pairing.round)


def _take_turn(game: AnyGame, who: _Seated, match: Match) -> None:
    """Play one move of the player, or end the game if it fails."""
    side, question = game.position.side, Ask(who.recipe, game.position, match.limit, game.history)
    try:
        analysis, seconds = who.seat.ask(question, margin_ms=match.margin_ms)
        who.time.add(seconds)
        _play(game, analysis.lines[0].move if analysis.lines else None, who.name)
    except EngineError as error:
        game.headers["Failure"] = " ".join(str(error).split())[:LONGEST_FAILURE]
        if error.transcript:
            game.headers["Trace"] = write_trace(error.transcript)
        if isinstance(error, OverrunError):
            game.lose_on_time(side)
        else:
            game.forfeit(side)


def _play(game: AnyGame, move: object, name: str) -> None:
    try:
        game.play(move)
    except IllegalMoveError as error:
        raise EngineError(f"{name}: {error}") from None
    except TypeError:
        raise EngineError(f"{name} answered {move!r} in {game.position.fen()}, which is not a move") from None


def _headers(match: Match, pairing: Pairing) -> dict[str, str]:
    sides, side_of_a = RULES[match.game].sides, pairing.side_of_a
    names = dict(zip((side_of_a, side_of_a.other), match.names, strict=True))
    players = dict(zip((side_of_a, side_of_a.other), (match.a, match.b), strict=True))
    versions = {f"{sides[side]}Version": version_of(who) for side, who in sorted(players.items())}
    return {
        "Event": pairing.event,
        "Round": pairing.round,
        sides[Side.FIRST]: names[Side.FIRST],
        sides[Side.SECOND]: names[Side.SECOND],
        "Opening": pairing.opening.name,
        "Terms": match.terms,
        **{header: version for header, version in versions.items() if version},
    }
