"""All games of a server: those in memory, and how others are loaded from the store."""

from __future__ import annotations

import contextlib
import secrets
import threading
import time
import weakref
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial

from outplay.live import ClockSetting, Event, LiveGame, LiveState, Moved, NotNowError, StateChanged, Terms, catalogue
from outplay.live.terms import EVERY_MOVE, pace_of
from outplay.outcome import Side
from outplay.record import Game, take_apart
from outplay.rules import NO_PROGRESS, Position
from outplay.store import SavedGame, Store, people
from outplay.store.games import new_id
from outplay.web.http.errors import BusyError, NotYoursError, UnknownGameError
from outplay.web.http.limits import Buckets, address_of
from outplay.web.play import wire
from outplay.web.play.room import Room
from outplay.web.play.view import is_shared
from outplay.web.settings import Limits
from outplay.work import AnyPool

INVITATION_BYTES = 12
UNPLAYED_KEPT = timedelta(days=1)
DELETED_KEPT = timedelta(days=1)
Listener = Callable[[Room, LiveState], None]


class Games:
    """The games of a server. Any thread may call any method."""

    def __init__(self, store: Store, pool: AnyPool, limits: Limits) -> None:
        self.store, self.pool, self.limits = store, pool, limits
        self._added = Buckets(limits.added_games)
        self._rooms: dict[str, Room] = {}
        self._lock = threading.Lock()
        self._is_closed = False
        self._listeners: tuple[Listener, ...] = ()
        self.moves = 0
        """Moves of people and engines since the server started."""

    def create(self, request: wire.NewGame, start: Position, client: str, person: str) -> Room:
        """Create a new game of a person, save it and start it. UnknownPlayerError if pages may not choose a player."""
        terms = Terms(
            time_ms=min(request.time_ms, self.limits.max_time_ms),
            is_paused=request.paused,
            is_strict=request.strict,
            clock=None if request.clock is None else ClockSetting(request.clock.base_ms, request.clock.increment_ms),
            seed=request.seed,
        )
        first, second = (
            catalogue.find(request.game, name, terms.seat_seed(side))
            for name, side in zip(request.seats, Side, strict=True)
        )
        no_progress = NO_PROGRESS[request.no_progress] if request.game == "checkers" else None
        terms = terms.with_seats(first=first, second=second)
        saved = SavedGame(new_id(), Game(start, no_progress=no_progress), terms, owner=person)
        holders = [person if seat.is_human else "" for seat in terms.seats]
        if request.friend is not None:
            holders[request.friend] = ""
            saved = replace(saved, invitation=secrets.token_urlsafe(INVITATION_BYTES))
        return self.begin(replace(saved, people=(holders[0], holders[1])), client)

    def sit(self, room: Room, person: str, invitation: str) -> Room:
        """Give a person the free seat of a game. NotYoursError if the invitation is not that of the game."""
        room.sit(person, invitation)
        return room

    def rematch(self, room: Room, client: str, person: str) -> Room:
        """Return the rematch for which a person asks, seats swapped; repeated calls return the same game."""
        if room.about.class_code:
            raise NotNowError("in a class, the next game begins on the page of the class")
        if room.live.game.outcome() is None:
            raise NotNowError("the game is not over yet: ask for a rematch after its end")
        with room.rematching:
            if room.rematch is not None:
                with contextlib.suppress(UnknownGameError), self.room(room.rematch, client) as found:
                    return found
            with room.live.held() as (game, terms):
                start, no_progress = game.start, game.no_progress
            about, again = room.about, Game(start, no_progress=no_progress)
            people = about.people[1], about.people[0]
            saved = SavedGame(new_id(), again, terms.again(), owner=about.owner, people=people)
            new = self.begin(saved, client, waits=is_shared(about))
            room.set_rematch(new.id, person)
            return new

    def begin(self, saved: SavedGame, client: str, *, waits: bool = False) -> Room:
        """Save a new game, and start it at once; with `waits`, start it when its players have come."""
        self.store.check_writable()
        self.check_space(saved.owner, client=client)
        room = self._room(saved, client, is_new=True)
        if waits:
            room.wait_for_players()
        with self._lock:
            self._check_open()
            self._make_space()
            self._rooms[room.id] = room
        room.wake()
        return room

    def _room(self, saved: SavedGame, client: str, *, is_new: bool = False) -> Room:
        """Return a room for a saved or a new game, not started yet."""
        name = saved.game.rules.name
        seats = tuple(
            catalogue.seated(name, player, saved.terms.seat_seed(side))
            for side, player in zip(Side, saved.terms.seats, strict=True)
        )
        pace_ms = pace_of(seats, saved.terms.time_ms or 0)
        terms = replace(saved.terms, seats=(seats[0], seats[1]), limit=EVERY_MOVE, pace_ms=pace_ms)
        advisor = catalogue.find(name, catalogue.ADVISOR)
        live = LiveGame(saved.game, terms, pool=self.pool, key=client, advisor=advisor)
        live.subscribe(self._count)
        room = Room(saved, live, self.store, is_new=is_new)
        weakref.finalize(room, take_apart, saved.game).atexit = False
        live.subscribe(partial(self._pass_on, room))
        return room

    def _count(self, event: Event) -> None:
        self.moves += isinstance(event, Moved)

    def listen(self, listener: Listener) -> None:
        """Call `listener` after each change of a game that is saved, with the game and its new state."""
        self._listeners += (listener,)

    def _pass_on(self, room: Room, event: Event) -> None:
        if isinstance(event, StateChanged) and room.error is None:
            for listener in self._listeners:
                listener(room, event.state)

    @contextlib.contextmanager
    def room(self, game_id: str, client: str) -> Iterator[Room]:
        """Yield the game of that id, from memory or the store; it stays in memory until the block ends."""
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
        """Return a game as it is in the store."""
        saved = self.store.load(game_id)
        if saved is None:
            raise UnknownGameError(f"there is no game {game_id}")
        return saved

    def _load(self, game_id: str, client: str) -> Room:
        saved = self.saved(game_id)
        if self.store.is_read_only:
            saved = replace(saved, is_record=True, terms=replace(saved.terms, is_paused=True))
        self._make_space()
        room = self._room(saved, client)
        if is_shared(saved) and saved.game.ply == 0:
            room.wait_for_players()
        self._rooms[game_id] = room
        return room

    def _check_open(self) -> None:
        if self._is_closed:
            raise BusyError("the server is shutting down")

    # Unloading

    def _make_space(self) -> None:
        """Make space in memory: unload the game that was idle for longest. BusyError if none is idle."""
        if len(self._rooms) < self.limits.live_games:
            return
        idle = [room for room in self._rooms.values() if _is_idle(room)]
        if not idle:
            raise BusyError("this server has too many games in progress; try again later")
        oldest = min(idle, key=lambda room: room.used_at)
        del self._rooms[oldest.id]
        oldest.close()

    def sweep(self) -> None:
        """Unload games that were idle for a while."""
        old = {room.id for room in self.rooms() if _is_idle(room) and self._is_old(room)}
        with self._lock:
            idle = [room for room in self._rooms.values() if room.id in old and _is_idle(room)]
            for room in idle:
                del self._rooms[room.id]
        for room in idle:
            room.close()

    def _is_old(self, room: Room) -> bool:
        """Return True if the game was idle long enough to be unloaded."""
        seconds = time.monotonic() - room.used_at
        limits = self.limits
        if seconds <= min(limits.idle_seconds, limits.over_seconds):
            return False
        return seconds > (limits.over_seconds if room.live.state().status == "over" else limits.idle_seconds)

    def remove_unplayed(self) -> None:
        """Remove old games without a move, unless a page still has them open."""
        self.store.remove_unplayed(datetime.now(UTC) - UNPLAYED_KEPT, keep=[room.id for room in self.rooms()])

    def delete(self, ids: Sequence[str], person: str) -> list[str]:
        """Delete games of a person, which can be restored for a while. Return the ids of those that existed.

        NotYoursError, and nothing is deleted, if one of them belongs to another person.
        """
        self._check_owned(ids, person)
        deleted = self.store.delete(ids)
        self._throw_away(deleted)
        return deleted

    def restore(self, ids: Sequence[str], person: str) -> list[str]:
        """Restore deleted games of a person, and return their ids."""
        self._check_owned(ids, person)
        return self.store.restore(ids)

    def _check_owned(self, ids: Sequence[str], person: str) -> None:
        others = [game_id for game_id, owner in self.store.owners(ids).items() if owner != person]
        if others:
            raise NotYoursError(f"only the person who made a game can delete or restore it: {others[0]} is not yours")

    def _throw_away(self, ids: Sequence[str]) -> None:
        with self._lock:
            rooms = [self._rooms.pop(game_id) for game_id in ids if game_id in self._rooms]
        for room in rooms:
            room.throw_away(UnknownGameError("this game was deleted"))

    # People

    def claim(self, person: str) -> int:
        """Give a person the games without an owner; return their number."""
        if self.store.is_read_only:
            return 0
        count = people.claim(self.store, person)
        if count:
            for room in self.rooms():
                if not room.about.owner:
                    self._drop(room)
        return count

    def rename(self, person: str, name: str) -> None:
        people.rename(self.store, person, name)
        self.read_names(person)

    def read_names(self, person: str) -> None:
        """Show the new name of a person in all games."""
        for room in self.rooms():
            if room.about.is_of(person):
                room.read_names()

    def forget(self, person: str) -> None:
        """Delete what belongs to a person. Games with another person are kept for that person."""
        self.store.check_writable()
        for room in self.rooms():
            if room.about.is_of(person) and room.about.others(person):
                room.leave(person)
            elif room.about.is_of(person):  # never saved without its person: it would be a game without an owner
                self._throw_away([room.id])
        gone = people.forget(self.store, person)
        self._throw_away(gone)

    def put_away(self, game_id: str) -> None:
        """Unload a game that has changed in the store, unless it is in use; it is loaded again when needed."""
        with self._lock:
            room = self._rooms.get(game_id)
            if room is None or not _is_idle(room):
                return
            del self._rooms[game_id]
        room.close()

    def remove_deleted(self) -> None:
        """Remove permanently the games that were deleted long enough ago."""
        self.store.remove_deleted(datetime.now(UTC) - DELETED_KEPT)

    def check_space(self, person: str, more: int = 1, *, client: str) -> None:
        """Raise BusyError if a person may not save `more` more games, or the store has no space for them."""
        most, each = self.limits.saved_games, self.limits.saved_games_each
        if each is not None and person and self.store.count_of(person) + more > each:
            raise BusyError(f"one person can have at most {each:,} saved games here; delete some")
        if most is not None and not self.store.has_space(more, most):
            raise BusyError("this server cannot keep more games; delete some")
        with self._lock:
            is_allowed = self._added.take(address_of(client), more)
        if not is_allowed:
            raise BusyError("too many games were added from your network; try again later")

    def tell_clocks(self) -> None:
        """Send the time to all pages that watch a running clock."""
        for room in self.rooms():
            if room.is_watched:
                room.send_clock()

    def rooms(self) -> list[Room]:
        with self._lock:
            return list(self._rooms.values())

    def _drop(self, room: Room) -> None:
        """Unload a game that could not be saved; the store has its last saved state."""
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
