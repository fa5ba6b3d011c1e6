"""A game on the server: the game in progress, its place in the store, and the sockets that watch it.

A change is saved before it is reported: `do` saves before it answers, and events are sent after saving.
"""

from __future__ import annotations

import logging
import secrets
import threading
import time
from collections.abc import Callable
from concurrent.futures import CancelledError
from dataclasses import replace
from functools import partial
from typing import Literal

from outplay.errors import OutplayError
from outplay.explain import Hint
from outplay.live import (
    ClockChanged,
    Event,
    LiveGame,
    LiveState,
    NotNowError,
    Opinion,
    StaleError,
    StateChanged,
    Thinking,
)
from outplay.notation.headers import name_of
from outplay.outcome import Side
from outplay.rules import Position
from outplay.store import ClosedStoreError, SavedGame, Store, UnavailableError, people
from outplay.store.keeper import Keeper
from outplay.web.http.errors import NotYoursError
from outplay.web.play import wire
from outplay.web.play.mailbox import Kind, Mailbox, Message
from outplay.web.play.rights import Rights
from outplay.web.play.view import (
    PAUSED_IN_CLASS,
    PlayedMoves,
    clock_view,
    game_view,
    is_paused_in_class,
    is_shared,
    no_opinion,
    opinion_view,
)
from outplay.web.wire import MAX_PLIES, ErrorView
from outplay.web.words import sentence

MOST_PLIES = MAX_PLIES - 10
"""The number of moves at which a game is paused; an engine that is thinking may still answer."""


class Room:
    """One game on the server. Any thread may call any method."""

    def __init__(self, saved: SavedGame, live: LiveGame, store: Store, *, is_new: bool) -> None:
        """`saved` is the game as it is in the store; for a new game, as it will be."""
        self.id, self.live = saved.id, live
        self.users = 0
        """Number of requests in progress; `Games` counts them."""
        self.used_at = time.monotonic()
        self._store, self._about = store, saved
        self._keeper = Keeper(store, live, after=None if is_new else saved.terms.revision)
        self._error: OutplayError | None = None
        self._last_words: Message | None = None
        self._saving, self._waking = threading.Lock(), threading.Lock()
        self._is_awake = False
        self.rematching = threading.Lock()
        self._names = self._read_names()
        self._last_view: wire.GameView | None = None
        self._played = PlayedMoves()
        self._watchers: tuple[Mailbox, ...] = ()
        self._persons: dict[Mailbox, str] = {}
        """The person behind each watching socket."""
        self._awaited: set[str] = set()
        """The people without whom the clocks do not start."""
        self._watching = threading.Lock()
        live.subscribe(self._hear)

    @property
    def about(self) -> SavedGame:
        """What the game in progress does not hold: its owner, the people in its seats, its rematch."""
        return self._about

    # Commands

    def wake(self) -> None:
        """Let clocks run and engines think. A game that is only looked at, or that waits for people, does not go on."""
        with self._waking:
            if not self._is_awake and not self._about.invitation and not self._awaited:
                self._is_awake = True
                self.live.start()

    def do(self, command: Callable[[LiveGame], object]) -> wire.GameView:
        """Run a command; its changes are saved when this returns."""
        command(self.live)
        return self.view()

    def view(self) -> wire.GameView:
        """Save the game, and return it as it is now."""
        state = self.live.state()
        self.save(state.revision)
        return self._view(state)

    def check(self, version: int) -> None:
        """Raise StaleError unless the game is at this version."""
        if self.live.version != version:
            raise StaleError(self.live.version)

    def check_is_no_record(self) -> None:
        if self._about.is_record:
            raise NotNowError("an imported game cannot be changed: start a new game from any position of it")

    def check_length(self) -> None:
        if self.live.state().ply >= MOST_PLIES:
            raise NotNowError(f"a game has at most {MOST_PLIES} moves")

    def hint(self, step: int, version: int) -> tuple[Position, Hint]:
        """Return a step of a hint and its position. Waits for the advisor."""
        position = self.live.state().position
        try:
            return position, self.live.hint(step, version=version)
        except CancelledError:  # a move was played meanwhile
            raise StaleError(self.live.version) from None

    def set_rematch(self, game_id: str, person: str) -> None:
        """Note the rematch, and who asked for it."""
        asking = next(iter(self._about.sides_of(person)), None)
        self._about = replace(self._about, rematch=game_id, rematch_by=asking)
        self.live.announce("")

    @property
    def rematch(self) -> str | None:
        """The id of the rematch."""
        return self._about.rematch

    # People

    def rights(self, person: str) -> Rights:
        return Rights(self._about, person)

    def check_turn(self, person: str, version: int) -> None:
        """Raise NotYoursError unless it is this person's turn. StaleError if the game has changed since `version`."""
        self.check(version)
        if self._about.invitation:
            raise NotNowError("the game begins when your friend has sat down")
        state = self.live.state()
        if is_paused_in_class(state, self._about):
            raise NotNowError(PAUSED_IN_CLASS)
        if state.seats[state.side].is_human and state.status != "over":
            self.rights(person).check_side(state.side)
            self.stop_waiting(person)

    def speaker(self, person: str, version: int, side: Side | None = None) -> Side | None:
        """Return the side for which a person speaks; None if one person alone has all seats of people."""
        self.check(version)
        state = self.live.state()
        speaking = self.rights(person).side(side, state.side)
        if speaking is not None and self._about.class_code and not state.seats[speaking].is_human:
            raise NotYoursError("an engine plays for you now")
        return speaking

    def check_asked(self, side: Side, asking: Side | None) -> None:
        """Raise NotYoursError if a side answers its own question."""
        if asking is side:
            raise NotYoursError("the other side has to answer that")

    def wait_for_players(self) -> None:
        """Let the clocks, if there are any, wait until all who hold a seat have the page open."""
        if self.live.state().clock is not None:
            self._awaited = {person for person in self._about.people if person}

    def stop_waiting(self, person: str) -> None:
        """Wait no longer for a person: the person has come, or an engine has the seat."""
        with self._watching:
            is_awaited = person in self._awaited
            self._awaited.discard(person)
        if is_awaited:
            self.wake()

    def take_seats(self, person: str) -> None:
        """Give one person all human seats of the game."""
        self._about = replace(self._about, people=(person, person))

    def sit(self, person: str, invitation: str) -> None:
        """Give a person the free seat, unless this person plays already. The game begins."""
        with self._waking:
            about = self._about
            if about.sides_of(person) and about.invitation:
                return
            free = [side for side in Side if not about.people[side]]
            if (
                not person
                or not about.invitation
                or not secrets.compare_digest(about.invitation.encode(), invitation.encode())
            ):
                if about.sides_of(person):
                    return
                raise NotYoursError("this seat is taken, or the link is wrong: you can watch the game")
            seats = (person, about.people[1]) if free[0] is Side.FIRST else (about.people[0], person)
            self._about = replace(about, people=seats, invitation="")
            self._names = self._read_names()
            name = self._names[free[0]] or self.live.game.rules.side_name(free[0])
        self.live.announce(f"{name} sits down.")
        self.wake()

    def leave(self, person: str) -> None:
        """Forget a person: their seats become empty, and cannot be taken."""
        about = self._about
        first, second = ("" if other == person else other for other in about.people)
        owner = first or second if about.owner == person else about.owner
        self._about = replace(about, owner=owner, people=(first, second), invitation="")
        self._awaited.discard(person)
        self.read_names()

    def read_names(self) -> None:
        """Read the names of the players again, because one of them has changed."""
        self._names = self._read_names()
        self._last_view = None
        self.live.announce("")

    @property
    def names(self) -> tuple[str, str]:
        """The names of the people who play; empty for engines and for people without a name."""
        return self._names

    def _read_names(self) -> tuple[str, str]:
        first, second = self._about.people
        is_one_screen = first == second
        names = {} if is_one_screen else people.names_of(self._store, (first, second), self._about.class_code)
        game = self.live.game
        return name_of(game, 0) or names.get(first, ""), name_of(game, 1) or names.get(second, "")

    def say(self, person: str, message: int) -> wire.Said:
        """Send a ready-made message of a player to all pages."""
        sides = self.rights(person).sides
        if not sides:
            raise NotYoursError("only the players of this game can do that")
        said = wire.Said(side=1 if sides[0] else 0, text=wire.MESSAGES[message])
        self._broadcast("said", wire.SaidEvent(said=said).model_dump_json)
        return said

    # Saving

    @property
    def error(self) -> OutplayError | None:
        """Return why the game could not be saved, or None. After an error, use the store, not this room."""
        return self._error

    def save(self, revision: int) -> None:
        """Save the game, unless this or a newer revision is saved. After a failure every call raises that error."""
        with self._saving:
            if self._error is not None:
                raise self._error
            try:
                self._keeper.save(self._about, revision)
            except OutplayError as error:
                self._fail(error)
                raise

    def throw_away(self, error: OutplayError) -> None:
        """Close the room of a deleted game: its engines stop, and all watchers are told why."""
        with self._saving:
            self._fail(error, "unknown-game")

    def _fail(self, error: OutplayError, kind: Literal["internal", "unknown-game"] = "internal") -> None:
        """Give up the room, after a failed save or because the game was deleted. Watchers are told."""
        self._error = error
        self._last_words = wire.ErrorEvent(error=ErrorView(kind=kind, message=sentence(str(error)))).model_dump_json
        self._broadcast("error", self._last_words)
        self.live.close()

    # Watching

    @property
    def is_watched(self) -> bool:
        return bool(self._watchers)

    def watch(self, mailbox: Mailbox, person: str = "") -> None:
        """Send the state now, and every event from now on."""
        with self._watching:
            self._watchers += (mailbox,)
            self._persons[mailbox] = person
        self.stop_waiting(person)
        self.send_state(mailbox)
        self._tell_people()
        if self._last_words is not None:  # it failed before this mailbox was known
            mailbox.put("error", self._last_words)

    def unwatch(self, mailbox: Mailbox) -> None:
        with self._watching:
            self._watchers = tuple(other for other in self._watchers if other is not mailbox)
            self._persons.pop(mailbox, None)
        self.used_at = time.monotonic()
        self._tell_people()

    def _tell_people(self) -> None:
        """Tell all pages of a shared game who is here."""
        if not is_shared(self._about):
            return
        with self._watching:
            here = set(self._persons.values())
        players = self._about.people
        event = wire.PeopleEvent(
            here=[player in here for player in players], watchers=len(here - {*players, ""}) + ("" in here)
        )
        self._broadcast("people", event.model_dump_json)

    def send_state(self, mailbox: Mailbox) -> None:
        state = self.live.state()
        self.save(state.revision)
        text = wire.StateEvent(game=self._view(state)).model_dump_json()
        mailbox.put("state", lambda: text, revision=state.revision)
        if state.status == "thinking":
            seat = state.seats[state.side]
            opinion = no_opinion(seat, state.side, state.ply) if state.thinking is None else state.thinking
            message = partial(self._thinking_text, state.version, state.queue_place, opinion)
            mailbox.put("thinking", message, revision=state.revision)

    def send_clock(self) -> None:
        """Send the time, if a clock runs."""
        state = self.live.state()
        if state.clock is not None and state.clock.running is not None:
            event = wire.ClockEvent(version=state.version, clock=clock_view(state.clock))
            self._broadcast("clock", event.model_dump_json, state.revision)

    def close(self) -> None:
        self.live.close()

    # Events

    def _hear(self, event: Event) -> None:
        if isinstance(event, StateChanged):
            self._hear_state(event.state)
        elif isinstance(event, Thinking) and self._watchers:
            ply = self.live.state().ply if event.opinion is None else 0
            opinion = event.opinion or no_opinion(event.player, event.side, ply)
            message = partial(self._thinking_text, event.version, event.queue_place, opinion)
            self._broadcast("thinking", message, event.revision)
        elif isinstance(event, ClockChanged) and self._watchers:
            clock = wire.ClockEvent(version=event.version, clock=clock_view(event.clock))
            self._broadcast("clock", clock.model_dump_json, event.revision)

    def _hear_state(self, state: LiveState) -> None:
        try:
            self.save(state.revision)
        except (ClosedStoreError, UnavailableError):  # the server ends, or the store has told already
            return
        except OutplayError:
            logging.getLogger(__name__).exception("game %s", self.id)
            return
        if self._watchers:
            text = wire.StateEvent(game=self._view(state)).model_dump_json()
            self._broadcast("state", lambda: text, state.revision)
        if state.ply >= MOST_PLIES and state.status == "thinking":
            self.live.pause()

    def _thinking_text(self, version: int, queue_place: int, opinion: Opinion | wire.OpinionView) -> str:
        view = opinion if isinstance(opinion, wire.OpinionView) else opinion_view(self.live.game.rules.name, opinion)
        return wire.ThinkingEvent(version=version, is_queued=queue_place > 0, opinion=view).model_dump_json()

    def _view(self, state: LiveState) -> wire.GameView:
        """Return the view of a state. The last view is kept: usually the answer and the event need the same one."""
        last = self._last_view
        is_same = last is not None and (last.revision, last.status) == (state.revision, state.status)
        if last is not None and is_same and last.clock is None:
            return last
        self._last_view = view = game_view(state, self._about, self._names, self._played)
        return view

    def _broadcast(self, kind: Kind, message: Callable[[], str], revision: int | None = None) -> None:
        for mailbox in self._watchers:
            mailbox.put(kind, message, revision=revision)
