"""A game at this terminal: the game in progress, and its place in the store.

Commands run one after the other on a thread of their own, so that no key waits for a disk. A change is saved before the
screen shows it.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import TYPE_CHECKING

from outplay.errors import OutplayError
from outplay.live import Event, LiveGame, LiveState, StateChanged, Terms, catalogue
from outplay.live.terms import EVERY_MOVE, pace_of
from outplay.outcome import Side
from outplay.players import Player
from outplay.record import AnyGame
from outplay.tui.services import Services

if TYPE_CHECKING:
    from outplay.store import SavedGame
    from outplay.store.keeper import Keeper

Command = Callable[[LiveGame], object]


class Session:
    """One game being played. `heard` is called on any thread after a change, `failed` with the error of a command."""

    def __init__(
        self,
        game: AnyGame,
        terms: Terms,
        services: Services,
        *,
        heard: Callable[[Session], None],
        failed: Callable[[Session, Exception], None],
        saved: SavedGame | None = None,
    ) -> None:
        """`saved` is the game as it is in the store; None for a new one, which is saved with its first move."""
        self.game_id = "" if saved is None else saved.id
        self._services, self._heard, self._failed = services, heard, failed
        self._about = saved
        self._after = None if saved is None else saved.terms.revision
        self._keeper: Keeper | None = None
        self._saving = threading.Lock()
        self.loss = ""
        """Why the game is no longer saved, if it is not; it goes on all the same."""
        self._commands = ThreadPoolExecutor(1, "commands")
        seats = terms.seats
        every = replace(
            terms, limit=replace(terms.limit, lines=EVERY_MOVE.lines), pace_ms=pace_of(seats, terms.time_ms or 0)
        )
        advisor = catalogue.find(game.rules.name, catalogue.ADVISOR)
        self.live = LiveGame(game, every, pool=services.pool("games"), advisor=advisor)
        self.live.subscribe(self._hear)

    def start(self) -> None:
        self.do(lambda live: live.start())

    def do(self, command: Command) -> None:
        """Run a command on the thread of the commands; what it raises goes to `failed`."""
        self._commands.submit(self._run, command)

    def _run(self, command: Command) -> None:
        try:
            command(self.live)
        except Exception as error:
            self._failed(self, error)

    def set_seat(self, side: int, player: Player) -> None:
        """Change a player at any time, and set the pace that fits the new seats."""

        def change(live: LiveGame) -> None:
            live.set_seat(Side(side), player)
            state = live.state()
            live.set_pace(pace_of(state.seats, state.time_ms or 0))

        self.do(change)

    def set_time(self, time_ms: int) -> None:
        """Set the thinking time, and between engines the pace."""

        def change(live: LiveGame) -> None:
            live.set_time(time_ms)
            live.set_pace(pace_of(live.state().seats, time_ms))

        self.do(change)

    def close(self) -> None:
        """End the game's searches; everything is saved already."""
        self._commands.shutdown(wait=False, cancel_futures=True)
        self.live.close()

    # Saving

    def _hear(self, event: Event) -> None:
        if isinstance(event, StateChanged):
            self._save(event.state)
            self._heard(self)

    def _save(self, state: LiveState) -> None:
        """Save a change. A new game without a move is not worth a row."""
        with self._saving:
            if self.loss or (self._after is None and self._keeper is None and not state.moves):
                return
            try:
                self._open_keeper().save(self._saved_as(), state.revision)
            except OutplayError as error:
                self.loss = f"From now on this game is not saved: {error}"

    def _open_keeper(self) -> Keeper:
        if self._keeper is None:
            from outplay.store.keeper import Keeper

            store = self._services.store()
            store.check_writable()
            self._keeper = Keeper(store, self.live, after=self._after)
        return self._keeper

    def _saved_as(self) -> SavedGame:
        if self._about is None:
            from outplay.store.games import SavedGame, new_id
            from outplay.store.progress import NOBODY_YET, person_here

            person = person_here(self._services.store())
            owner = "" if person == NOBODY_YET else person  # a browser on this machine takes these when it comes
            first, second = (owner if seat.is_human else "" for seat in self.live.state().seats)
            self._about = SavedGame(new_id(), self.live.game, owner=owner, people=(first, second))
            self.game_id = self._about.id
        return self._about
