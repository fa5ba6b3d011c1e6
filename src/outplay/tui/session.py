"""A game at this terminal: the game in progress, and its place in the store.

Commands run one after the other on a thread of their own, so that no key press waits for a disk. A change is saved
before the screen shows it.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
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
PARTED = "Another program has changed this game; it is not saved here. w keeps it as a new game, o opens the other one."


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
        """The reason why the newest change is not saved; empty if it is saved. The game goes on in both cases."""
        self.is_parted = False
        """Whether another program has changed the game in the store. `keep` saves it as a new one."""
        self.time_ms = terms.time_ms or 0
        """The thinking time that was asked for last; the game uses it once the earlier commands are done."""
        self._commands = ThreadPoolExecutor(1, "commands")
        self._newest: Future[None] | None = None
        """The command that was given last."""
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
        """Run a command on the thread of the commands; an exception goes to `failed`."""
        self._newest = self._commands.submit(self._run, command)

    async def settle(self) -> None:
        """Wait until all commands so far are carried out."""
        if self._newest is not None:
            await asyncio.wait([asyncio.wrap_future(self._newest)])

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
        """Set the thinking time and, if both players are engines, the pace."""
        self.time_ms = time_ms

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
        """Save all changes so far, also those whose saving failed earlier. A new game without a move is not saved."""
        with self._saving:
            if self.is_parted or (self._after is None and self._keeper is None and not state.moves):
                return
            try:
                self._open_keeper().save(self._saved_as(), state.revision)
            except OutplayError as error:
                from outplay.store import ConflictError

                self.is_parted = isinstance(error, ConflictError)
                self.loss = PARTED if self.is_parted else f"The game is not saved; the next move tries again: {error}"
            else:
                self.loss = ""

    def keep(self) -> None:
        """Save the game as a new one, and leave the one in the store to the program that has changed it."""

        def keep(live: LiveGame) -> None:
            with self._saving:
                self._about = self._after = self._keeper = None
                self.game_id, self.loss, self.is_parted = "", "", False
            self._save(live.state())
            self._heard(self)

        self.do(keep)

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
            owner = "" if person == NOBODY_YET else person  # the first browser here gets the games without an owner
            first, second = (owner if seat.is_human else "" for seat in self.live.state().seats)
            self._about = SavedGame(new_id(), self.live.game, owner=owner, people=(first, second))
            self.game_id = self._about.id
        return self._about
