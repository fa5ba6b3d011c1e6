"""All tournaments of a server, in memory and in the store: begun, paused, continued, stopped, deleted."""

from __future__ import annotations

import logging
import secrets
import threading
from collections import OrderedDict
from contextlib import suppress

from outplay.errors import NotationError, OutplayError
from outplay.live import NotNowError
from outplay.match import Tournament, TournamentRun
from outplay.match.tournament import names_of
from outplay.match.tournament_run import Hands
from outplay.store import ClosedStoreError, UnavailableError
from outplay.store.games import new_id
from outplay.store.tournaments import (
    SavedTournament,
    TournamentTerms,
    add_tournament,
    delete_tournament,
    load_tournament,
    tournaments,
)
from outplay.web import catalogue
from outplay.web.arena import wire
from outplay.web.arena.contest import Contest, ContestKeeper, to_play
from outplay.web.http.errors import BusyError, NotYoursError, TooManyRunsError, UnknownRunError, error_of
from outplay.web.play.games import Games
from outplay.web.runs import worker_pool
from outplay.web.settings import Settings
from outplay.work import Pools, pooled_workers

KEPT = 16
"""The most tournaments in memory that are not being played."""
MOST_OF_ONE = 50
"""The most saved tournaments of one person."""
NICENESS = 10
CLOSING_SECONDS = 2.0


class ClosingError(OutplayError):
    """The server is shutting down, or the tournament was deleted."""


class Contests:
    """The tournaments of a server. Any thread may call any method."""

    def __init__(self, games: Games, pools: Pools, settings: Settings) -> None:
        self.store, self.limits = games.store, settings.bounds
        self._games = games
        self._keeps_seats = settings.cluster is None
        self._pool = worker_pool(pools, "arena", slots=self.limits.tournament_slots)
        self._known: OrderedDict[str, Contest] = OrderedDict()
        self._lock = threading.RLock()

    # Beginning

    def begin(self, request: wire.NewTournament, person: str, client: str) -> Contest:
        """Begin a tournament. The person who begins it can pause, stop and delete it."""
        self.store.check_writable()
        terms = self._terms(request)
        planned = planned_games(to_play(terms))
        if planned > self.limits.tournament_games:
            most = self.limits.tournament_games
            raise NotationError(
                f"{planned:,} games", f"a tournament has at most {most:,} games here: choose fewer players or games"
            )
        with self._lock:
            self._check_space(person, planned, client)
            saved = SavedTournament(new_id(), person, terms)
            add_tournament(self.store, saved)
            contest = Contest(self.store, saved)
            contest.save(planned=planned)
            self._known[contest.id] = contest
            self._start(contest)
        return contest

    def _terms(self, request: wire.NewTournament) -> TournamentTerms:
        cards = catalogue.contestants(request.game)
        for name in request.players:
            catalogue.entry_of(request.game, name)
        if len(set(request.players)) < len(request.players):
            raise NotationError(", ".join(request.players), "each player can take part only once")
        return TournamentTerms(
            game=request.game,
            players=tuple(request.players),
            names=names_of([cards[name].title for name in request.players]),
            kind=request.kind,
            games=request.games,
            time_ms=min(request.time_ms, self.limits.max_time_ms),
            seed=secrets.randbelow(2**31) if request.seed is None else request.seed,
        )

    def _check_space(self, person: str, planned: int, client: str) -> None:
        saved = tournaments(self.store)
        mine = [one for one in saved if one.owner == person]
        if sum(one.progress.goes_on for one in mine) >= self.limits.tournaments_each:
            raise TooManyRunsError(
                f"you have {self.limits.tournaments_each} tournaments that are not over; stop one of them first"
            )
        self._check_busy(saved)
        if len(mine) >= MOST_OF_ONE:
            raise NotNowError(f"you have {MOST_OF_ONE} tournaments; delete one of them first")
        self._games.check_space(person, planned, client=client)

    def _check_busy(self, saved: list[SavedTournament]) -> None:
        if sum(one.progress.goes_on for one in saved) >= self.limits.tournaments:
            raise BusyError("this server plays too many tournaments at the moment; try again later")

    # Finding

    def find(self, contest_id: str) -> Contest:
        """Return a tournament, from memory or the store."""
        with self._lock:
            known = self._known.get(contest_id)
            if known is not None:
                self._known.move_to_end(contest_id)
                return known
            saved = load_tournament(self.store, contest_id)
            if saved is None:
                raise UnknownRunError("there is no such tournament here, or it was deleted")
            contest = Contest(self.store, saved)
            contest.show(contest.load())
            self._known[contest_id] = contest
            self._forget_old()
            return contest

    def listed(self, person: str) -> list[SavedTournament]:
        """Return all tournaments of a person, and those of others that still go on; newest first."""
        return [one for one in tournaments(self.store) if one.owner == person or one.progress.goes_on]

    def _forget_old(self) -> None:
        idle = [contest_id for contest_id, contest in self._known.items() if contest.run is None]
        for contest_id in idle[: max(0, len(idle) - KEPT)]:
            del self._known[contest_id]

    # What the owner of a tournament decides

    def own(self, contest_id: str, person: str) -> Contest:
        """Return a tournament of this person; NotYoursError if another person began it."""
        contest = self.find(contest_id)
        if contest.saved.owner != person:
            raise NotYoursError("another person began this tournament: you can only watch it")
        self.store.check_writable()
        return contest

    def pause(self, contest: Contest) -> None:
        """Begin no more games. Those in progress are played to their end."""
        with self._lock:
            if contest.status != "running":
                raise NotNowError("this tournament is not being played")
            contest.save(status="paused")
            if contest.run is not None:
                contest.run.pause()

    def go_on(self, contest: Contest) -> None:
        """Go on with a tournament that was paused or stopped, or that failed."""
        with self._lock:
            if contest.status == "done":
                raise NotNowError("this tournament is over")
            if not contest.saved.progress.goes_on:
                self._check_busy(tournaments(self.store))
            if contest.run is not None:
                contest.save(status="running", message="")
                contest.run.go_on()
                return
            to_play(contest.saved.terms)  # this server may no longer offer the players
            contest.save(status="running", message="")
            self._start(contest)

    def stop(self, contest: Contest) -> None:
        """End a tournament early. Its games are kept, and it can be continued."""
        if not contest.saved.progress.goes_on:
            raise NotNowError("this tournament is over already")
        contest.save(status="stopped")
        self._end(contest)

    def delete(self, contest: Contest) -> None:
        """Delete a tournament with all its games."""
        contest.is_closing = True
        self._end(contest)
        with self._lock:
            self._known.pop(contest.id, None)
        delete_tournament(self.store, contest.id)

    def forget(self, person: str) -> None:
        """End and delete all tournaments of a person."""
        for saved in tournaments(self.store):
            if saved.owner == person:
                self.delete(self.find(saved.id))

    # Playing

    def resume(self) -> None:
        """Go on with the tournaments that were in progress when the server ended."""
        if self.store.is_read_only:
            return
        for saved in tournaments(self.store):
            if saved.progress.status != "running":
                continue
            with self._lock:
                contest = Contest(self.store, saved)
                self._known[saved.id] = contest
                try:
                    to_play(saved.terms)
                except OutplayError as error:
                    contest.show(contest.load())
                    contest.save(status="failed", message=error_of(error)[1].message)
                    continue
                self._start(contest)

    def _start(self, contest: Contest) -> None:
        contest.thread = threading.Thread(target=self._play, args=(contest,), name="tournament", daemon=True)
        workers = pooled_workers(self._pool, self.limits.tournament_slots, owner=contest.saved.owner)
        hands = Hands(workers, keeps_seats=self._keeps_seats, niceness=NICENESS)
        contest.run = TournamentRun(
            to_play(contest.saved.terms),
            keeper=ContestKeeper(self.store, contest, lambda: _check_open(contest)),
            hands=hands,
            protection=contest.protection,
        )
        contest.run.watch(contest.hear)
        contest.thread.start()

    def _play(self, contest: Contest) -> None:
        """Play a tournament to its end; this is its thread."""
        run = contest.run
        assert run is not None
        try:
            state = run.run()
            if state.is_over:
                contest.save(status="done")
            elif state.planned == 0:
                contest.save(status="failed", message="Fewer than two players could start.")
        except (ClosingError, ClosedStoreError):
            pass
        except OutplayError as error:
            self._fail(contest, error_of(error)[1].message)
        except Exception:
            logging.getLogger(__name__).exception("tournament %s failed", contest.id)
            self._fail(contest, "Something went wrong in the server; its log says what.")
        finally:
            contest.run = None
            contest.rest()
            self._rest()

    def _fail(self, contest: Contest, reason: str) -> None:
        if contest.is_closing:
            return
        with suppress(UnavailableError, ClosedStoreError):
            contest.save(status="failed", message=reason)

    def _rest(self) -> None:
        """End the players' processes when no tournament is played any more."""
        if not any(contest.run is not None for contest in list(self._known.values())):
            self._pool.rest()

    def _end(self, contest: Contest) -> None:
        run, thread = contest.run, contest.thread
        if run is not None:
            run.stop()
        if thread is not None and thread is not threading.current_thread():
            thread.join(CLOSING_SECONDS)

    def close(self) -> None:
        """End all runs. They go on when the server starts again."""
        with self._lock:
            running = [contest for contest in self._known.values() if contest.run is not None]
        for contest in running:
            contest.is_closing = True
            if contest.run is not None:
                contest.run.stop()
        for contest in running:
            self._end(contest)
        self._pool.close()


def planned_games(tournament: Tournament) -> int:
    """Return the number of games if all players can start."""
    everyone = range(len(tournament.players))
    if tournament.kind == "swiss":
        return tournament.swiss_rounds(everyone) * (len(everyone) // 2) * tournament.games
    return len(tournament.schedule(everyone)) * tournament.games


def _check_open(contest: Contest) -> None:
    if contest.is_closing:
        raise ClosingError("the tournament is closed")
