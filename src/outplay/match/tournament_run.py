"""Play a tournament: the games that are left, on all cores, in a pool or on a cluster, and tell watchers about it.

`TournamentRun.state` is the tournament so far. A watcher is called with each event and the state after it.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

from outplay.engine.task import Ask
from outplay.errors import EngineError, NotationError, OutplayError
from outplay.match.bout import Bout
from outplay.match.game import GameTask, Pairing, close_seats
from outplay.match.gamefile import EventFile
from outplay.match.openings import Openings, find_openings
from outplay.match.seat import Seat, TrialRecipe
from outplay.match.standings import Absence, TournamentState
from outplay.match.swiss import Entrant, SwissRound, pair_round
from outplay.match.tournament import TOURNAMENT, Encounter, Tournament
from outplay.players import player
from outplay.record import AnyGame
from outplay.rules import RULES
from outplay.work import Job, JobNews, JobReport, Workers, open_workers


@dataclass(frozen=True, slots=True)
class PlayerAbsent:
    """A player could not start, and takes no part."""

    absence: Absence


@dataclass(frozen=True, slots=True)
class RoundPaired:
    """New meetings are known: in a Swiss tournament those of one round, otherwise those of all rounds."""

    meetings: tuple[Encounter, ...]
    bye: int | None = None


@dataclass(frozen=True, slots=True)
class BoutBegan:
    """A game has begun. The event is sent again if the worker was lost and the game starts over."""

    pairing: Pairing
    sides: tuple[int, int]
    """The players who move first and second, by their indices."""


@dataclass(frozen=True, slots=True)
class BoutMoved:
    """The moves of a game so far, its opening included. Only workers of a pool report this."""

    key: str
    moves: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class BoutEnded:
    """A game has ended."""

    bout: Bout


TournamentEvent = PlayerAbsent | RoundPaired | BoutBegan | BoutMoved | BoutEnded
Watcher = Callable[[TournamentEvent, TournamentState], None]


class BoutKeeper(Protocol):
    """Where the games of a tournament are kept: a file, or a database."""

    @property
    def played(self) -> Sequence[Bout]:
        """The games that were kept before."""

    def add(self, text: str) -> None:
        """Keep a game that has ended."""


@dataclass(frozen=True, slots=True)
class Hands:
    """Workers that the caller provides to play the games, such as those of a server's pool."""

    workers: Workers
    keeps_seats: bool = True
    """True if the players' processes stay for the next game."""
    niceness: int = 0


class TournamentRun:
    """A tournament being played. `run` plays what is left; `stop`, from another thread, ends it early.

    The games are kept in the file at `path` or by `keeper`. They are played by `hands` or, without it, by workers
    that the run opens itself: see `play_tournament`.
    """

    def __init__(
        self,
        tournament: Tournament,
        *,
        path: Path | None = None,
        keeper: BoutKeeper | None = None,
        workers: int | None = None,
        cluster: str | None = None,
        hands: Hands | None = None,
        protection: str = "",
    ) -> None:
        self.state = TournamentState(tournament, protection=protection)
        self._tournament, self._path, self._workers, self._cluster = tournament, path, workers, cluster
        self._watchers: list[Watcher] = []
        self._keeper, self._hands = keeper, hands
        self._kept: dict[str, Bout] = {}
        """The games that were kept before, by their keys."""
        self._sides: dict[str, tuple[Pairing, tuple[int, int]]] = {}
        """The games that are planned, and who plays them, by their keys."""
        self._is_stopped = self._is_paused = False

    def watch(self, tell: Watcher) -> None:
        """Call `tell` with every event. An error that it raises ends the run; the games played so far are kept."""
        self._watchers.append(tell)

    def stop(self) -> None:
        """End the run early. Games in progress are stopped and do not count."""
        self._is_stopped = True
        if self._hands is not None:
            self._hands.workers.stop()

    def pause(self) -> None:
        """Begin no more games until `go_on`. Those in progress are played to their end."""
        self._is_paused = True
        if self._hands is not None:
            self._hands.workers.pause()

    def go_on(self) -> None:
        """End a pause."""
        self._is_paused = False
        if self._hands is not None:
            self._hands.workers.go_on()

    def run(self) -> TournamentState:
        """Play until all games are played; return the final state."""
        with ExitStack() as stack:
            if self._path is not None:
                file = stack.enter_context(self._open(self._path))
                self._keeper, self.state = file, replace(self.state, outdated=file.outdated)
            if self._keeper is not None:
                self._kept = {bout.key: bout for bout in self._keeper.played}
            self._call_the_roll()
            stack.callback(close_seats)
            self._hands = self._hands or self._own_hands(stack)
            if self._is_paused:
                self._hands.workers.pause()
            openings = find_openings(self._tournament.openings, self._tournament.game, seed=self._tournament.seed)
            if self._tournament.kind == "swiss":
                self._play_swiss(openings)
            else:
                self._play_all(openings)
            self._refuse_strangers()
        return self.state

    def _own_hands(self, stack: ExitStack) -> Hands:
        workers = self._workers
        if self._cluster is None and not _travels(self._tournament):
            workers = 0  # other processes cannot import a lambda or a notebook's function
        own = stack.enter_context(open_workers(workers, cluster=self._cluster))
        return Hands(own, keeps_seats=self._cluster is None)

    def _open(self, path: Path) -> EventFile[Bout]:
        players = dict(zip(self._tournament.names, self._tournament.players, strict=True))
        return EventFile(path, TOURNAMENT, players, self._read, lambda bout: bout.key)

    def _read(self, game: AnyGame) -> Bout:
        try:
            return Bout.of(game, self._tournament)
        except NotationError as error:
            raise NotationError(str(self._path), error.reason) from None

    def _tell(self, event: TournamentEvent) -> None:
        for tell in self._watchers:
            tell(event, self.state)

    def _call_the_roll(self) -> None:
        """Try every player, and note those that cannot start."""
        is_here = self._cluster is None and self._hands is None
        for index in range(len(self._tournament.players)):
            absence = trial(self._tournament, index, builds=is_here)
            if absence is not None:
                self.state = replace(self.state, absent=(*self.state.absent, absence))
                self._tell(PlayerAbsent(absence))

    # Kinds

    def _play_all(self, openings: Openings) -> None:
        meetings = self._tournament.schedule(self.state.present)
        self.state = replace(self.state, planned=len(meetings) * self._tournament.games)
        self._tell(RoundPaired(tuple(meetings)))
        self._play(meetings, openings)

    def _play_swiss(self, openings: Openings) -> None:
        present = self.state.present
        rounds, boards = self._tournament.swiss_rounds(present), len(present) // 2
        self.state = replace(self.state, planned=rounds * boards * self._tournament.games)
        paired = list[SwissRound]()
        for number in range(1, rounds + 1):
            if self._is_stopped or len(present) < 2:
                return
            found = pair_round(entrants(self.state, paired))
            paired.append(found)
            meetings = [Encounter(number, board, a, b) for board, (a, b) in enumerate(found.pairs, 1)]
            if found.bye is not None:
                self.state = replace(self.state, byes=(*self.state.byes, found.bye))
            self._tell(RoundPaired(tuple(meetings), found.bye))
            self._play(meetings, openings)

    # Games

    def _play(self, meetings: Sequence[Encounter], openings: Openings) -> None:
        """Play the games of these meetings that were not kept before."""
        assert self._hands is not None
        jobs, hands = list[Job](), self._hands
        for meeting in meetings:
            match = self._tournament.match(meeting.a, meeting.b)
            for pairing in self._tournament.pairings(meeting, openings):
                kept = self._kept.pop(pairing.round, None)
                if kept is None:
                    task = GameTask(match, pairing, hands.keeps_seats, hands.niceness)
                    jobs.append(Job(pairing.round, task))
                    sides = (meeting.a, meeting.b) if pairing.half == 1 else (meeting.b, meeting.a)
                    self._sides[pairing.round] = pairing, sides
                else:
                    self._add_kept(kept, meeting)
        if self._is_stopped or not jobs:
            return
        for done in hands.workers.run(jobs, tell=self._hear):
            if self._keeper is not None:
                self._keeper.add(done.value)
            self._add(Bout.read(done.value, self._tournament))

    def _hear(self, news: JobNews) -> None:
        if isinstance(news, JobReport):
            self._tell(BoutMoved(news.key, tuple(news.found.split())))
        else:
            self._tell(BoutBegan(*self._sides[news.key]))

    def _add_kept(self, bout: Bout, meeting: Encounter) -> None:
        if set(bout.sides) != {meeting.a, meeting.b}:
            raise self._other_schedule(bout)
        self._add(bout)

    def _add(self, bout: Bout) -> None:
        self.state = replace(self.state, bouts=(*self.state.bouts, bout))
        self._tell(BoutEnded(bout))

    def _refuse_strangers(self) -> None:
        """Raise NotationError if the file has games that are not in the schedule."""
        if self._kept and not self._is_stopped:
            raise self._other_schedule(next(iter(self._kept.values())))

    def _other_schedule(self, bout: Bout) -> NotationError:
        return NotationError(
            str(self._path),
            f"game {bout.key} of this file is not in the schedule: the tournament now has other players, another kind "
            "or fewer games. Name another file, or remove this one",
        )


def play_tournament(
    tournament: Tournament,
    *,
    path: Path | None = None,
    workers: int | None = None,
    cluster: str | None = None,
    watchers: Iterable[Watcher] = (),
) -> TournamentState:
    """Play a tournament, and return its final state.

    Games in the file at `path` are not played again, except those of a bot or a program whose file has changed since.
    New games are added at `path`. `workers` is the number of games at a time on this machine (default: one per core; 0:
    one after the other in this process), `cluster` the address of a Dask scheduler. A player that cannot start takes no
    part; see `TournamentState.absent`.
    """
    run = TournamentRun(tournament, path=path, workers=workers, cluster=cluster)
    for tell in watchers:
        run.watch(tell)
    return run.run()


def trial(tournament: Tournament, index: int, *, builds: bool = True) -> Absence | None:
    """Build a player's engine once, unless it runs on another machine; return why it cannot take part, or None."""
    who, game = tournament.players[index], tournament.game
    try:
        found = player(who, seed=tournament.seed)
        if found.only not in ("", game):
            return Absence(index, f"it plays only {RULES[found.only].title}, but the tournament is {RULES[game].title}")
        if not builds:
            return None
        recipe, seat = found.recipe(), Seat()
        if not recipe.needs_process:
            recipe()
            return None
        try:
            start, margin_ms = RULES[game].start(), tournament.margin_ms
            seat.ask(Ask(TrialRecipe(recipe, "trial"), start, tournament.limit), margin_ms=margin_ms)
        finally:
            seat.close()
    except EngineError as error:
        return Absence(index, str(error), error.transcript)
    except OutplayError as error:
        return Absence(index, str(error))
    return None


def entrants(state: TournamentState, paired: Sequence[SwissRound]) -> list[Entrant]:
    """Return the players before the next round of a Swiss tournament."""
    met: dict[int, list[int]] = {who: [] for who in state.present}
    colours: dict[int, list[int]] = {who: [] for who in state.present}
    for each in paired:
        for first, second in each.pairs:
            met[first].append(second)
            met[second].append(first)
            colours[first].append(0)
            colours[second].append(1)
    return [
        Entrant(who, state.points(who), tuple(met[who]), tuple(colours[who]), who in state.byes)
        for who in state.present
    ]


def _travels(tournament: Tournament) -> bool:
    """Return True if the players can be sent to another process."""
    try:
        pickle.loads(pickle.dumps(tournament))
    except Exception:  # pickle may raise any exception
        return False
    return "__main__" not in (getattr(who, "__module__", "") for who in tournament.players)
