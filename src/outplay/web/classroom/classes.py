"""The classes of a server: who joins, who plays whom, and what the teacher decides."""

from __future__ import annotations

import secrets
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial

from outplay.live import ClockSetting, LiveState, NotNowError, Terms, catalogue
from outplay.notation.any import read_one
from outplay.outcome import Side
from outplay.players import HUMAN
from outplay.record import Game
from outplay.rules import NO_PROGRESS
from outplay.store import SavedGame, Summary, classes
from outplay.store.classes import ClassTournament, Offer, SavedClass, TakenError
from outplay.store.games import LETTERS, new_id
from outplay.web.classroom import standings, wire
from outplay.web.http.errors import NameTakenError, NotYoursError, UnknownClassError, UnknownGameError
from outplay.web.http.people import public_id
from outplay.web.play.games import Games
from outplay.web.play.mailbox import Mailbox
from outplay.web.play.room import Room
from outplay.web.words import spoken_name

CODE_LETTERS = 4
GONE_SECONDS = 120
"""A pupil who has been away for this long is not paired in the next round of a tournament."""
MOST_TRIES = 50


@dataclass(slots=True)
class Page:
    """An open page of a class, and what must still be sent to it."""

    class_text: Callable[[], str]
    tiles_text: Callable[[Page], str]
    changed: set[str] = field(default_factory=set)
    """The games that have changed since the page was last told."""


class Hub:
    """The pages that show a class."""

    def __init__(self) -> None:
        self.pages: dict[Mailbox, Page] = {}
        self.asks: dict[str, str] = {}
        """Whom each pupil asks for a game."""


class Classes:
    """The classes of a server. Any thread may call any method."""

    def __init__(self, games: Games) -> None:
        self._games, self.store = games, games.store
        self._hubs: dict[str, Hub] = {}
        self._lock = threading.Lock()
        self._pairing = threading.Lock()
        """One pairing at a time, so that no pupil gets two games."""
        self._here: Counter[str] = Counter()
        self._left: dict[str, float] = {}
        games.listen(self._hear)

    # Opening and joining

    def open(self, teacher: str, title: str) -> SavedClass:
        """Open a class with a new code."""
        for _ in range(MOST_TRIES):
            code = "".join(secrets.choice(LETTERS) for _ in range(CODE_LETTERS))
            try:
                return classes.add_class(self.store, code, teacher, spoken_name(title))
            except TakenError:
                continue
        raise NotNowError("this server has too many classes")

    def find(self, code: str) -> SavedClass:
        found = classes.load_class(self.store, code.lower())
        if found is None:
            raise UnknownClassError(f"there is no class {code.upper()} here; ask your teacher for the code")
        return found

    def join(self, the_class: SavedClass, person: str, name: str) -> None:
        """Let a person join, or change their own name."""
        self._check_going_on(the_class)
        name = spoken_name(name)
        if person == the_class.teacher:
            raise NotNowError("you opened this class: open its page in another browser to play in it")
        if the_class.pupil(person) is None and len(the_class.pupils) >= classes.MOST_PUPILS:
            raise NotNowError("this class is full")
        self._name(the_class, person, name)

    def _name(self, the_class: SavedClass, person: str, name: str) -> None:
        if not name:
            raise NotNowError("a name needs a letter or a digit")
        others = {pupil.name.casefold() for pupil in the_class.pupils if pupil.person != person}
        if name.casefold() in others:
            free = next(f"{name} {number}" for number in range(2, 1000) if f"{name} {number}".casefold() not in others)
            raise NameTakenError(f"another pupil is called {name}: try {free}")
        classes.put_pupil(self.store, the_class.code, person, name)
        self._games.read_names(person)
        self.tell(the_class.code)

    # What the teacher decides

    def check_teacher(self, the_class: SavedClass, person: str) -> None:
        if person != the_class.teacher:
            raise NotYoursError("only the teacher of this class can do that")

    def correct(self, the_class: SavedClass, person: str, name: str | None) -> None:
        """Correct the name of a pupil, or remove the pupil."""
        self._pupil(the_class, person)
        if name is not None:
            self._name(the_class, person, spoken_name(name))
            return
        classes.remove_pupil(self.store, the_class.code, person)
        self.tell(the_class.code)

    def pause(self, the_class: SavedClass, *, is_paused: bool) -> None:
        """Stop the clocks and boards of all games, or let them go on."""
        self._check_going_on(the_class)
        classes.save_state(self.store, the_class, replace(the_class.state, is_paused=is_paused))
        self._pause_games(the_class, is_paused=is_paused)
        self.tell(the_class.code)

    def _pause_games(self, the_class: SavedClass, *, is_paused: bool) -> None:
        for summary in self.running(the_class):
            with self._games.room(summary.id, "") as room:
                if is_paused:
                    room.live.pause()
                else:
                    room.live.resume()
                room.view()

    def end(self, the_class: SavedClass) -> None:
        """End a class: no one can join any more. Running games can be played to their end."""
        classes.save_state(self.store, the_class, replace(the_class.state, is_over=True, is_paused=False))
        if the_class.state.is_paused:
            self._pause_games(the_class, is_paused=False)
        self.tell(the_class.code)

    def give_seat(self, the_class: SavedClass, game_id: str, side: Side, player: str) -> None:
        """Let an engine play for a pupil who is away."""
        self._check_running(the_class, game_id)
        with self._games.room(game_id, "") as room:
            found = catalogue.find(room.live.game.rules.name, player)
            first, second = (found, None) if side is Side.FIRST else (None, found)
            room.live.set_seats(first=first, second=second)
            room.stop_waiting(room.about.people[side])
            room.wake()
            room.view()
        self.tell(the_class.code)

    def end_game(self, the_class: SavedClass, game_id: str, winner: Side | None) -> None:
        """End a game, and decide who wins it; `winner` is None for a draw."""
        self._check_running(the_class, game_id)
        with self._games.room(game_id, "") as room:
            room.live.decide(winner)
            room.view()
        self.tell(the_class.code)

    def _check_running(self, the_class: SavedClass, game_id: str) -> None:
        if game_id not in {summary.id for summary in self.running(the_class)}:
            raise NotNowError("this game is not played in this class at the moment")

    # Pairing

    def pair(self, the_class: SavedClass, offer: Offer, pairs: Sequence[Sequence[str]] | None, client: str) -> int:
        """Let people play: these pairs, or everyone who is here and free. Return the number of games."""
        self._check_going_on(the_class)
        with self._pairing:
            if pairs is None:
                free = self.free(the_class)
                rows = standings.table(the_class_people(the_class), self.games(the_class))
                chosen, _ = standings.next_pairs(free, rows)
            else:
                chosen = [(one, other) for one, other in pairs]
                self._check_free(the_class, [person for pair in chosen for person in pair])
            for pair in chosen:
                self._begin(the_class, offer, pair, client)
        self.tell(the_class.code)
        return len(chosen)

    def ask(self, the_class: SavedClass, offer: Offer, person: str, other: str, client: str) -> None:
        """Ask another pupil for a game. If the other one has asked too, the game begins."""
        self._check_going_on(the_class)
        self._pupil(the_class, person)
        with self._pairing:
            self._check_free(the_class, [person, other])
            asks = self._hub(the_class.code).asks
            if asks.get(other) == person:
                self._begin(the_class, offer, (other, person), client)
            else:
                asks[person] = other
        self.tell(the_class.code)

    def _begin(self, the_class: SavedClass, offer: Offer, pair: Sequence[str], client: str, number: int = 0) -> None:
        start = read_one("", offer.game, (offer.width, offer.height)).game.position
        clock = None if offer.clock_ms is None else ClockSetting(offer.clock_ms, offer.increment_ms)
        no_progress = NO_PROGRESS["official"] if offer.game == "checkers" else None
        saved = SavedGame(
            new_id(),
            Game(start, no_progress=no_progress),
            Terms(seats=(HUMAN, HUMAN), clock=clock, is_strict=offer.is_strict, is_paused=the_class.state.is_paused),
            owner=the_class.teacher,
            people=(pair[0], pair[1]),
            class_code=the_class.code,
            class_round=number,
        )
        self._call_back(the_class, pair)
        self._games.begin(saved, client, waits=True).view()
        asks = self._hub(the_class.code).asks
        for person in pair:
            asks.pop(person, None)

    def _call_back(self, the_class: SavedClass, pair: Sequence[str]) -> None:
        """Tell pupils who still look at their last game that the next one begins."""
        names, code = the_class.names(), the_class.code
        for room in self._games.rooms():
            if room.about.class_code == code and room.is_watched and room.live.game.outcome() is not None:
                called = [names[person] for person in pair if person in room.about.people]
                if called:
                    room.live.announce(f"The next game of {' and '.join(called)} begins: go back to the class.")

    # The tournament

    def begin_tournament(
        self, the_class: SavedClass, offer: Offer, form: classes.Format, rounds: int | None, client: str
    ) -> None:
        """Begin a tournament of everyone who is here, and pair its first round."""
        self._check_going_on(the_class)
        if the_class.state.tournament is not None and not self.is_tournament_over(the_class):
            raise NotNowError("the class has a tournament already: end it first")
        people = [pupil.person for pupil in the_class.pupils if self.is_here(pupil.person)]
        if len(people) < 2:
            raise NotNowError("a tournament needs at least two pupils who are here")
        self._check_free(the_class, people)
        most = standings.rounds_of("round-robin", len(people))
        rounds = min(rounds or standings.rounds_of(form, len(people)), most)
        first = max((summary.class_round for summary in self.games(the_class)), default=0)
        new = ClassTournament(form, rounds, offer, tuple(people), first_game_round=first)
        saved = classes.save_state(self.store, the_class, replace(the_class.state, tournament=new))
        self.next_round(saved, client)

    def next_round(self, the_class: SavedClass, client: str) -> None:
        """Pair the next round, when all games of the last one are over."""
        self._check_going_on(the_class)
        with self._pairing:
            tournament = self._tournament(the_class)
            games = self.tournament_games(the_class)
            if any(game.reason is None for game in games):
                raise NotNowError("the round is not over yet")
            if tournament.round >= tournament.rounds:
                raise NotNowError("the tournament is over")
            if tournament.format == "swiss":
                late = [person for person in self.free(the_class) if person not in tournament.people]
                tournament = replace(tournament, people=(*tournament.people, *late))
            staying = self._staying(the_class)
            self._check_free(the_class, [person for person in tournament.people if person in staying])
            if len(staying.intersection(tournament.people)) < 2:
                raise NotNowError("a round needs at least two pupils who are here")
            pairs, resting = standings.round_of(tournament, games, staying)
            number = tournament.round + 1
            byes = (*tournament.byes, *((number, person) for person in resting))
            state = replace(the_class.state, tournament=replace(tournament, round=number, byes=byes))
            classes.save_state(self.store, the_class, state)
            for pair in pairs:
                self._begin(the_class, tournament.offer, pair, client, tournament.first_game_round + number)
        self.tell(the_class.code)

    def _staying(self, the_class: SavedClass) -> set[str]:
        """Return the pupils of the class who are here, or have not been away for long."""
        people = (pupil.person for pupil in the_class.pupils)
        return {one for one in people if self.is_here(one) or self.seconds_away(one) < GONE_SECONDS}

    def end_tournament(self, the_class: SavedClass) -> None:
        """End the tournament; its games stay."""
        self._tournament(the_class)
        classes.save_state(self.store, the_class, replace(the_class.state, tournament=None))
        self.tell(the_class.code)

    def is_tournament_over(self, the_class: SavedClass) -> bool:
        tournament = self._tournament(the_class)
        is_last = tournament.round >= tournament.rounds
        return is_last and all(game.reason is not None for game in self.tournament_games(the_class))

    def _tournament(self, the_class: SavedClass) -> ClassTournament:
        if the_class.state.tournament is None:
            raise NotNowError("the class has no tournament")
        return the_class.state.tournament

    # Questions

    def games(self, the_class: SavedClass) -> list[Summary]:
        return classes.games_of(self.store, the_class.code)

    def tournament_games(self, the_class: SavedClass) -> list[Summary]:
        first = self._tournament(the_class).first_game_round
        return [game for game in self.games(the_class) if game.class_round > first]

    def running(self, the_class: SavedClass) -> list[Summary]:
        return [game for game in self.games(the_class) if game.reason is None]

    def free(self, the_class: SavedClass) -> list[str]:
        """Return the pupils who are here and have no game."""
        busy = {person for game in self.running(the_class) for person in game.people}
        return [pupil.person for pupil in the_class.pupils if pupil.person not in busy and self.is_here(pupil.person)]

    def by_public_id(self, the_class: SavedClass, shown: str) -> str:
        """Return the pupil with the id that pages know."""
        found = [pupil.person for pupil in the_class.pupils if public_id(pupil.person) == shown]
        if not found:
            raise NotNowError("this pupil is not in the class any more")
        return found[0]

    def asks(self, code: str) -> dict[str, str]:
        return self._hub(code).asks

    @contextmanager
    def shown(self, game_id: str) -> Iterator[Room | None]:
        """Yield a game so that it can be shown; None if it was deleted meanwhile."""
        try:
            with self._games.room(game_id, "") as room:
                yield room
        except UnknownGameError:
            yield None

    def _pupil(self, the_class: SavedClass, person: str) -> None:
        if the_class.pupil(person) is None:
            raise NotYoursError("only a pupil of this class can do that")

    def _check_free(self, the_class: SavedClass, people: Sequence[str]) -> None:
        names, busy = the_class.names(), {person for game in self.running(the_class) for person in game.people}
        if len(set(people)) < len(people):
            raise NotNowError("a pupil can play only one game at a time")
        for person in people:
            if person in busy:
                raise NotNowError(f"{names[person]} has a game already: wait until it ends, or end it")

    def _check_going_on(self, the_class: SavedClass) -> None:
        if the_class.state.is_over:
            raise NotNowError("this class is over")

    # Presence and pages

    def is_here(self, person: str) -> bool:
        return self._here[person] > 0

    def seconds_away(self, person: str) -> int:
        """Return how long a person has been away; 0 if the person is here or was never seen."""
        left = self._left.get(person)
        return 0 if self.is_here(person) or left is None else int(time.monotonic() - left)

    @contextmanager
    def present(self, person: str, code: str | None = None) -> Iterator[None]:
        """Count an open page of a person while the block runs."""
        with self._lock:
            self._here[person] += 1
        self._tell_of(person, code)
        try:
            yield
        finally:
            with self._lock:
                self._here[person] -= 1
                if self._here[person] <= 0:
                    del self._here[person]
                    self._left[person] = time.monotonic()
            self._tell_of(person, code)

    def _tell_of(self, person: str, code: str | None) -> None:
        with self._lock:
            codes = [code] if code is not None else [one for one, hub in self._hubs.items() if hub.pages]
        for one in codes:
            self.tell(one)

    def watch(self, code: str, mailbox: Mailbox, page: Page) -> None:
        """Send a page the state of a class, and every change from now on."""
        hub = self._hub(code)
        with self._lock:
            hub.pages[mailbox] = page
        mailbox.put("state", page.class_text)

    def unwatch(self, code: str, mailbox: Mailbox) -> None:
        hub = self._hub(code)
        with self._lock:
            hub.pages.pop(mailbox, None)

    def tell(self, code: str) -> None:
        """Tell all pages of a class that it has changed."""
        hub = self._hub(code)
        with self._lock:
            pages = list(hub.pages.items())
        for mailbox, page in pages:
            mailbox.put("state", page.class_text)

    def changed_rooms(self, page: Page) -> list[Room]:
        """Return the games in memory that have changed since the page was last told."""
        with self._lock:
            ids, page.changed = page.changed, set()
        return [room for room in self._games.rooms() if room.id in ids]

    def _hub(self, code: str) -> Hub:
        with self._lock:
            return self._hubs.setdefault(code, Hub())

    def _hear(self, room: Room, state: LiveState) -> None:
        """Tell the pages of a class that a board has changed."""
        code = room.about.class_code
        if not code:
            return
        hub = self._hub(code)
        with self._lock:
            pages = list(hub.pages.items())
            for _, page in pages:
                page.changed.add(room.id)
        for mailbox, page in pages:
            mailbox.put("tiles", partial(page.tiles_text, page))
        if state.status == "over":
            self.tell(code)


def the_class_people(the_class: SavedClass) -> list[str]:
    return [pupil.person for pupil in the_class.pupils]


def offer_of(request: wire.OfferRequest) -> Offer:
    """Return the kind of game that a request asks for."""
    clock = request.clock
    return Offer(
        request.game,
        request.width,
        request.height,
        None if clock is None else clock.base_ms,
        0 if clock is None else clock.increment_ms,
        request.strict,
    )
