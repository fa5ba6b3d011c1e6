"""A tournament of the arena in memory: its state, the games in progress, and its pace."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from outplay.engine.types import Limit
from outplay.match import Absence, Bout, BoutBegan, BoutEnded, BoutMoved, Tournament, TournamentRun, TournamentState
from outplay.match.settings import GameName
from outplay.match.tournament import TournamentKind
from outplay.match.tournament_run import PlayerAbsent, RoundPaired, TournamentEvent
from outplay.notation import games as read_games
from outplay.record import AnyGame
from outplay.rules import RULES
from outplay.store import SavedGame, Store, UnavailableError
from outplay.store.games import RECORD, new_id
from outplay.store.tournaments import (
    SavedTournament,
    TournamentProgress,
    TournamentStatus,
    TournamentTerms,
    games_of,
    save_progress,
)
from outplay.web import catalogue

MARGIN_MS = 5_000
"""How late a player may answer, because its process has low priority and a busy server delays it."""
TIMED_GAMES = 30
"""The number of games from which the time left is estimated."""
FEWEST_TIMED = 4
RETRY_SECONDS = 1.0
"""The pause before saving a game is tried again while the database does not work."""


def to_play(terms: TournamentTerms) -> Tournament:
    """Return the tournament as `match` plays it. UnknownPlayerError if this server does not offer a player."""
    return _tournament(terms, tuple(catalogue.entry_of(terms.game, name) for name in terms.players))


def to_show(terms: TournamentTerms) -> Tournament:
    """Return the tournament for display, even if this server no longer offers its players."""
    return _tournament(terms, terms.players)


def _tournament(terms: TournamentTerms, players: tuple[str, ...]) -> Tournament:
    game: GameName = "connect4" if terms.game == "connect4" else "checkers"
    kinds: dict[str, TournamentKind] = {"gauntlet": "gauntlet", "swiss": "swiss"}
    return Tournament(
        players,
        terms.names,
        game,
        kinds.get(terms.kind, "round-robin"),
        terms.games,
        limit=Limit(time_ms=terms.time_ms),
        seed=terms.seed,
        margin_ms=MARGIN_MS,
    )


@dataclass(frozen=True, slots=True)
class PlayedNow:
    """A game that is being played."""

    key: str
    sides: tuple[int, int]
    """The players who move first and second, by their indices."""
    game: AnyGame


class Contest:
    """A tournament of the arena. Any thread may call any method."""

    def __init__(self, store: Store, saved: SavedTournament) -> None:
        self.saved = saved
        self.run: TournamentRun | None = None
        """Set while it is played, or paused."""
        self.thread: threading.Thread | None = None
        self.ids: dict[str, str] = {}
        """The ids of the finished games, by their keys."""
        self.revision = 0
        self.is_closing = False
        """Set when the server ends, or the tournament is deleted."""
        self._store = store
        self._lock = threading.RLock()
        self._playing: dict[str, PlayedNow] = {}
        self._ends: deque[float] = deque(maxlen=TIMED_GAMES)
        self._state = TournamentState(to_show(saved.terms), protection=self._protection())

    def _protection(self) -> str:
        return catalogue.bots_sentence() if any(name.startswith("bot:") for name in self.saved.terms.players) else ""

    @property
    def id(self) -> str:
        return self.saved.id

    @property
    def status(self) -> TournamentStatus:
        return self.saved.progress.status

    @property
    def state(self) -> TournamentState:
        return self._state

    @property
    def tournament(self) -> Tournament:
        return self._state.tournament

    @property
    def protection(self) -> str:
        return self._state.protection

    def playing(self) -> list[PlayedNow]:
        """Return the games that are played now."""
        with self._lock:
            return list(self._playing.values())

    def seconds_left(self) -> float | None:
        """Return the expected seconds to the end, from the pace of the latest games; None if that is not known."""
        with self._lock:
            ends, left = list(self._ends), self._state.planned - len(self._state.bouts)
        if self.status != "running" or len(ends) < FEWEST_TIMED:
            return None
        return left * (time.monotonic() - ends[0]) / len(ends)

    # What is kept

    def load(self) -> list[Bout]:
        """Read the games that were played before."""
        bouts = []
        for saved in games_of(self._store, self.id):
            bout = Bout.of(saved.game, self.tournament)
            self.ids[bout.key] = saved.id
            bouts.append(bout)
        return bouts

    def show(self, bouts: Sequence[Bout]) -> None:
        """Show a tournament that is not played at the moment."""
        progress = self.saved.progress
        absent = tuple(Absence(player, reason) for player, reason in progress.absent)
        self._state = replace(
            self._state, bouts=tuple(bouts), planned=progress.planned, byes=progress.byes, absent=absent
        )
        self.revision += 1

    def save(self, **changes: object) -> None:
        """Save the progress of the tournament with these changes."""
        with self._lock:
            progress: TournamentProgress = replace(self.saved.progress, **changes)  # type: ignore[arg-type]
            if progress != self.saved.progress:
                self.saved = save_progress(self._store, self.saved, progress)
            self.revision += 1

    # For the run: it calls these on its own thread

    def hear(self, event: TournamentEvent, state: TournamentState) -> None:
        """Follow a run: note what each event changes."""
        with self._lock:
            if len(state.bouts) >= len(self._state.bouts):  # a resumed run first reports the earlier games
                self._state = state
            match event:
                case BoutBegan(pairing, sides):
                    game = pairing.opening.game(RULES[self.tournament.game])
                    self._playing[pairing.round] = PlayedNow(pairing.round, sides, game)
                case BoutMoved(key, moves) if key in self._playing:
                    for move in moves[self._playing[key].game.ply :]:
                        self._playing[key].game.play(move)
                case BoutEnded(bout):
                    if self._playing.pop(bout.key, None) is not None:
                        self._ends.append(time.monotonic())
                    self.revision += 1
        if isinstance(event, PlayerAbsent | RoundPaired):
            absent = tuple((absence.player, absence.reason) for absence in state.absent)
            self.save(planned=state.planned, byes=state.byes, absent=absent)

    def rest(self) -> None:
        """Note that no game is played any more."""
        with self._lock:
            self._playing.clear()
            self._ends.clear()
        self.revision += 1


class ContestKeeper:
    """Keeps the games of a contest in the database."""

    def __init__(self, store: Store, contest: Contest, check_going_on: Callable[[], None]) -> None:
        """`check_going_on` raises an error when the contest is closing."""
        self._store, self._contest, self._check = store, contest, check_going_on

    @property
    def played(self) -> Sequence[Bout]:
        return self._contest.load()

    def add(self, text: str) -> None:
        """Save a game; if the database does not work, try again until it does."""
        [game] = read_games(text)
        about = self._contest.saved
        saved = SavedGame(new_id(), game, RECORD, is_record=True, owner=about.owner, tournament=about.id)
        pause = threading.Event()
        while True:
            self._check()
            try:
                self._store.add([saved])
                break
            except UnavailableError:
                pause.wait(RETRY_SECONDS)
        self._contest.ids[game.headers["Round"]] = saved.id
