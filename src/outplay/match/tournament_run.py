"""Play a tournament: the games that are left, on all cores or on a cluster, and report to watchers.

`TournamentRun.state` is the tournament so far. A watcher is called with each event and the state after it.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path

from outplay.engine.task import Ask
from outplay.errors import EngineError, NotationError, OutplayError
from outplay.match.bout import Bout
from outplay.match.game import GameTask, close_seats
from outplay.match.gamefile import EventFile
from outplay.match.openings import Openings, find_openings
from outplay.match.seat import Seat, TrialRecipe
from outplay.match.standings import Absence, TournamentState
from outplay.match.swiss import Entrant, SwissRound, pair_round
from outplay.match.tournament import TOURNAMENT, Encounter, Tournament
from outplay.players import player
from outplay.record import AnyGame
from outplay.rules import RULES
from outplay.work import Job, Workers, open_workers


@dataclass(frozen=True, slots=True)
class PlayerAbsent:
    """A player could not start, and takes no part."""

    absence: Absence


@dataclass(frozen=True, slots=True)
class RoundPaired:
    """The meetings of a round are known: of all rounds at once, unless the kind is Swiss."""

    meetings: tuple[Encounter, ...]
    bye: int | None = None


@dataclass(frozen=True, slots=True)
class BoutEnded:
    """A game has ended."""

    bout: Bout


TournamentEvent = PlayerAbsent | RoundPaired | BoutEnded
Watcher = Callable[[TournamentEvent, TournamentState], None]


class TournamentRun:
    """A tournament being played. `run` plays what is left; `stop`, from another thread, ends it early."""

    def __init__(
        self,
        tournament: Tournament,
        *,
        path: Path | None = None,
        workers: int | None = None,
        cluster: str | None = None,
        protection: str = "",
    ) -> None:
        self.state = TournamentState(tournament, protection=protection)
        self._tournament, self._path, self._workers, self._cluster = tournament, path, workers, cluster
        self._watchers: list[Watcher] = []
        self._file: EventFile[Bout] | None = None
        self._kept: dict[str, Bout] = {}
        """The games of the file, by their keys."""
        self._hands: Workers | None = None
        self._is_stopped = False

    def watch(self, tell: Watcher) -> None:
        """Call `tell` with every event. An error that it raises ends the run; the games played so far are kept."""
        self._watchers.append(tell)

    def stop(self) -> None:
        """End the run early. Games in progress are given up."""
        self._is_stopped = True
        if self._hands is not None:
            self._hands.stop()

    def run(self) -> TournamentState:
        """Play until all games are played; return the final state."""
        with ExitStack() as stack:
            if self._path is not None:
                self._file = stack.enter_context(EventFile(self._path, TOURNAMENT, self._read, lambda bout: bout.key))
                self._kept = {bout.key: bout for bout in self._file.played}
            self._call_the_roll()
            stack.callback(close_seats)
            workers = self._workers
            if self._cluster is None and not _travels(self._tournament):
                workers = 0  # other processes cannot import a lambda or a notebook's function
            self._hands = stack.enter_context(open_workers(workers, cluster=self._cluster))
            openings = find_openings(self._tournament.openings, self._tournament.game, seed=self._tournament.seed)
            if self._tournament.kind == "swiss":
                self._play_swiss(openings)
            else:
                self._play_all(openings)
            self._refuse_strangers()
        return self.state

    def _read(self, game: AnyGame) -> Bout:
        try:
            return Bout.of(game, self._tournament)
        except NotationError as error:
            raise NotationError(str(self._path), error.reason) from None

    def _tell(self, event: TournamentEvent) -> None:
        for tell in self._watchers:
            tell(event, self.state)

    def _call_the_roll(self) -> None:
        """Find the players that cannot start."""
        for index in range(len(self._tournament.players)):
            absence = trial(self._tournament, index, builds=self._cluster is None)
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
        """Play the games of these meetings that are not in the file."""
        jobs = list[Job]()
        for meeting in meetings:
            match = self._tournament.match(meeting.a, meeting.b)
            for pairing in self._tournament.pairings(meeting, openings):
                kept = self._kept.pop(pairing.round, None)
                if kept is None:
                    jobs.append(Job(pairing.round, GameTask(match, pairing, self._cluster is None)))
                else:
                    self._add_kept(kept, meeting)
        assert self._hands is not None
        if self._is_stopped or not jobs:
            return
        for done in self._hands.run(jobs):
            if self._file is not None:
                self._file.add(done.value)
            self._add(Bout.read(done.value, self._tournament))

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
            f"its game {bout.key} is not in this tournament: other players, another kind, or fewer games",
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

    Games in the file at `path` are not played again; new ones are added to it. `workers` is the number of games at a
    time on this machine (default: one per core; 0: one after the other in this process), `cluster` the address of a
    Dask scheduler. A player that cannot start takes no part; see `TournamentState.absent`.
    """
    run = TournamentRun(tournament, path=path, workers=workers, cluster=cluster)
    for tell in watchers:
        run.watch(tell)
    return run.run()


def trial(tournament: Tournament, index: int, *, builds: bool = True) -> Absence | None:
    """Build a player's engine once, unless another machine will; return why it cannot take part, or None."""
    who, game = tournament.players[index], tournament.game
    try:
        found = player(who, seed=tournament.seed)
        if found.only not in ("", game):
            return Absence(index, f"it plays {RULES[found.only].title}, and this is {RULES[game].title}")
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
