"""All games of a server: those in memory, and how the others come back from the store."""

from __future__ import annotations

import contextlib
import secrets
import threading
import time
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta

from outplay.record import Game
from outplay.rules import CLASSROOM_NO_PROGRESS, OFFICIAL_NO_PROGRESS, Position
from outplay.store import SavedGame, Store, Terms
from outplay.web import catalogue
from outplay.web.http.errors import BusyError, UnknownGameError
from outplay.web.play import wire
from outplay.web.play.room import Room
from outplay.web.play.saving import take_up, terms_again
from outplay.web.settings import Limits
from outplay.work import ProcessPool

LETTERS = "abcdefghijkmnpqrstuvwxyz23456789"
"""Of game ids: none that looks like another."""
UNPLAYED_KEPT = timedelta(days=1)
DELETED_KEPT = timedelta(days=1)
NO_PROGRESS = {"official": OFFICIAL_NO_PROGRESS, "classroom": CLASSROOM_NO_PROGRESS, "none": None}


class Games:
    """The games of a server. Every method may be called from any thread."""

    def __init__(self, store: Store, pool: ProcessPool, limits: Limits) -> None:
        self.store, self.pool, self.limits = store, pool, limits
        self._rooms: dict[str, Room] = {}
        self._lock = threading.Lock()
        self._is_closed = False

    def create(self, request: wire.NewGame, start: Position, client: str) -> Room:
        """A new game, saved and begun. UnknownPlayerError if a player may not be given a seat."""
        first, second = request.seats
        for name in (first, second):
            catalogue.find(request.game, name)
        clock = request.clock
        terms = Terms(
            seed=request.seed,
            time_ms=min(request.time_ms, self.limits.max_time_ms),
            is_paused=request.paused,
            is_strict=request.strict,
            clock_ms=None if clock is None else clock.base_ms,
            increment_ms=0 if clock is None else clock.increment_ms,
        )
        no_progress = NO_PROGRESS[request.no_progress] if request.game == "checkers" else None
        return self._begin(Game(start, no_progress=no_progress), (first, second), terms, client)

    def rematch(self, room: Room, client: str) -> Room:
        """The game that follows this one, seats swapped; the same one however often it is asked for."""
        with room.rematching:
            following = room.terms.rematch
            if following is not None:
                with contextlib.suppress(UnknownGameError), self.room(following, client) as found:
                    return found
            state = room.live.state()
            first, second = state.seats
            game = Game(state.start, no_progress=room.live.game.no_progress)
            new = self._begin(game, (second.name, first.name), terms_again(state, room.terms), client)
            room.set_rematch(new.id)
            return new

    def _begin(self, game: Game, seats: tuple[str, str], terms: Terms, client: str) -> Room:
        self.check_space()
        new = SavedGame(new_id(), game, seats, version=0, revision=0, terms=terms)
        room = Room(new.id, take_up(new, self.pool, client), self.store, terms, saved=None)
        with self._lock:
            self._check_open()
            self._make_space()
            self._rooms[room.id] = room
        room.live.start()
        return room

    @contextlib.contextmanager
    def room(self, game_id: str, client: str) -> Iterator[Room]:
        """The game of that id, from memory or from the store; it stays in memory until the block ends."""
        room = self._enter(game_id, client)
        try:
            yield room
        finally:
            with self._lock:
                room.users -= 1
            room.used_at = time.monotonic()
            if room.error is not None:
                self._drop(room)

    def _enter(self, game_id: str, client: str) -> Room:
        with self._lock:
            self._check_open()
            room = self._rooms.get(game_id)
            if room is None or room.error is not None:
                room = self._load(game_id, client)
            room.users += 1
            return room

    def saved(self, game_id: str) -> SavedGame:
        """A game as the store has it."""
        saved = self.store.load(game_id)
        if saved is None:
            raise UnknownGameError(f"there is no game {game_id}")
        return saved

    def _load(self, game_id: str, client: str) -> Room:
        saved = self.saved(game_id)
        self._make_space()
        room = Room(game_id, take_up(saved, self.pool, client), self.store, saved.terms, saved=saved.revision)
        room.live.start()
        self._rooms[game_id] = room
        return room

    def _check_open(self) -> None:
        if self._is_closed:
            raise BusyError("the server is about to end")

    # Putting away

    def _make_space(self) -> None:
        """Room for one more in memory: the game that was left alone for longest goes. BusyError if there is none."""
        if len(self._rooms) < self.limits.live_games:
            return
        idle = [room for room in self._rooms.values() if _is_idle(room)]
        if not idle:
            raise BusyError("this server has as many games going on as it can take; try again later")
        oldest = min(idle, key=lambda room: room.used_at)
        del self._rooms[oldest.id]
        oldest.close()

    def sweep(self) -> None:
        """Put away what nobody has looked at for a while."""
        old = {room.id for room in self.rooms() if _is_idle(room) and self._is_old(room)}
        with self._lock:
            idle = [room for room in self._rooms.values() if room.id in old and _is_idle(room)]
            for room in idle:
                del self._rooms[room.id]
        for room in idle:
            room.close()

    def _is_old(self, room: Room) -> bool:
        """Has it waited long enough for those who may come back?"""
        seconds = time.monotonic() - room.used_at
        limits = self.limits
        if seconds <= min(limits.idle_seconds, limits.over_seconds):
            return False
        return seconds > (limits.over_seconds if room.live.state().status == "over" else limits.idle_seconds)

    def remove_unplayed(self) -> None:
        """Forget old games in which nothing was played, unless somebody still has them open."""
        self.store.remove_unplayed(datetime.now(UTC) - UNPLAYED_KEPT, keep=[room.id for room in self.rooms()])

    def delete(self, ids: Sequence[str]) -> list[str]:
        """Throw games away; they can be restored for a while. Gives the ids of those that were there."""
        deleted = self.store.delete(ids)
        with self._lock:
            rooms = [self._rooms.pop(game_id) for game_id in deleted if game_id in self._rooms]
        for room in rooms:
            room.throw_away(UnknownGameError("this game was deleted"))
        return deleted

    def put_away(self, game_id: str) -> None:
        """Forget a game that has changed in the store, unless somebody is at it: it is loaded when it is needed."""
        with self._lock:
            room = self._rooms.get(game_id)
            if room is None or not _is_idle(room):
                return
            del self._rooms[game_id]
        room.close()

    def remove_deleted(self) -> None:
        """Forget what was thrown away long enough ago."""
        self.store.remove_deleted(datetime.now(UTC) - DELETED_KEPT)

    def check_space(self, more: int = 1) -> None:
        """BusyError if there is no space in the store for so many games more."""
        most = self.limits.saved_games
        if most is not None and self.store.count() + more > most:
            raise BusyError("this server has as many games as it can keep")

    def tell_clocks(self) -> None:
        """Tell all who watch a running clock how late it is."""
        for room in self.rooms():
            if room.is_watched:
                room.send_clock()

    def rooms(self) -> list[Room]:
        with self._lock:
            return list(self._rooms.values())

    def _drop(self, room: Room) -> None:
        """Forget a game that could not be saved; the store has how far it had come."""
        with self._lock:
            if self._rooms.get(room.id) is room:
                del self._rooms[room.id]
        room.close()

    def close(self) -> None:
        """End all searches. Everything is saved already."""
        rooms = self.rooms()
        with self._lock:
            self._is_closed = True
            self._rooms.clear()
        for room in rooms:
            room.close()
        self.pool.close()


def _is_idle(room: Room) -> bool:
    return room.users == 0 and not room.is_watched


def new_id() -> str:
    return "".join(secrets.choice(LETTERS) for _ in range(10))
