"""A page that shows a game in progress: the board, both seats, the glass box, the moves, and what is said about it."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.events import Resize
from textual.message import Message

from outplay import explain
from outplay.errors import GameOverError, IllegalMoveError, NotationError
from outplay.live import LiveGame, LiveState, Opinion, StaleError, Terms
from outplay.live.words import seat_title, state_sentence
from outplay.outcome import Side
from outplay.record import AnyGame
from outplay.rules import Position, must_capture
from outplay.tui import words
from outplay.tui.board_page import BoardPage
from outplay.tui.panels import Glass, Moves, SeatPanel
from outplay.tui.sentence import Sentence
from outplay.tui.session import Session
from outplay.tui.view import Seen, drawing_of

if TYPE_CHECKING:
    from outplay.store import SavedGame

TICK_SECONDS = 0.25
"""Seconds between two updates of the clocks and of what an engine thinks; a person cannot read faster changes."""


class GamePage(BoardPage):
    """A game in progress on the board. The keys of this class change what is shown, never the game."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("g", "glass", "Glass box", show=False),
        Binding("z", "quiet", "Hide computer output", show=False),
        Binding("f", "flip", "Flip", show=False),
        Binding("j", "browse(1)", "Next move", show=False),
        Binding("k", "browse(-1)", "Previous move", show=False),
        Binding("home", "see(0)", "First move", show=False),
        Binding("end", "see(-1)", "Back to the game", show=False),
    ]

    class Changed(Message):
        """The game has changed and is saved."""

    def __init__(self) -> None:
        super().__init__()
        self.session: Session
        self._version = -1
        self._said = self._welcome = ""
        self._is_quiet, self._has_glass = False, True
        self._is_held = False

    def compose_side(self) -> ComposeResult:
        yield SeatPanel(id="seats")
        yield Glass(id="glass")
        yield Moves(id="moves")

    def on_mount(self) -> None:
        self.set_interval(TICK_SECONDS, self._tick)

    # The game

    @property
    def state(self) -> LiveState:
        return self.session.live.state()

    @property
    def here(self) -> Position:
        return self.state.position

    @property
    def has_game(self) -> bool:
        """Whether there is a game on the board yet."""
        return hasattr(self, "session")

    @property
    def has_moves(self) -> bool:
        return self.has_game and bool(self.state.moves)

    def play(self, game: AnyGame, terms: Terms, saved: SavedGame | None = None) -> None:
        """Put a game on the board and start it; the previous game is saved already."""
        self.leave()
        self.session = Session(
            game,
            terms,
            self.outplay.services,
            heard=lambda session: self.tell_of(session, self.Changed()),
            failed=lambda session, error: self.tell_of(session, self.Failed(error)),
            saved=saved,
        )
        self.seen, self._version, self._said = Seen(), -1, ""
        self.put_board(game.rules.name)
        self.session.start()
        self.show()

    def tell_of(self, session: Session, message: Message) -> None:
        """Pass a message from any thread to this page, unless it is about an earlier game."""
        if session is getattr(self, "session", session):
            self.tell(message)

    def leave(self) -> None:
        """End the searches of the game on the board."""
        if self.has_game:
            self.session.close()

    def hold(self) -> None:
        if self.has_game and _is_moving(self.state):
            self._is_held = True
            self.session.live.pause()

    def go_on(self) -> None:
        if self._is_held:
            self._is_held = False
            self.session.do(LiveGame.resume)

    async def settle(self) -> None:
        await self.session.settle()
        if self.state.version != self._version:
            self.show()

    # What happens

    def on_resize(self, event: Resize) -> None:
        """Write the sentence and the moves again, for the new width."""
        if self.has_game:
            self.call_after_refresh(self.show)

    def on_game_page_changed(self) -> None:
        self.show()

    def refuse(self, error: Exception) -> None:
        """Say why something is not possible: the rule, and the pieces it is about."""
        if isinstance(error, StaleError):
            return  # the game has gone on meanwhile, and the board shows it
        if isinstance(error, IllegalMoveError):
            self.seen.refusal = explain.refusal(error)
            said = words.refusal_text(self.seen.refusal)
        elif isinstance(error, GameOverError):
            said = f"{state_sentence(self.state, self._titles(self.state))} n starts a rematch, u takes a move back."
        elif isinstance(error, NotationError):
            said = f"Cannot read {_short(error.text)!r}: {error.reason}."
        else:
            said = f"Not possible: {error}."
        self.say_more(said)

    def say_more(self, text: str) -> None:
        """Say something below the sentence about the game, until the next move."""
        self._said = text
        self.show()

    def _tick(self) -> None:
        state = self.state
        if _is_moving(state):
            self._show_panels(state)
            if state.status == "thinking":
                self._tell(state)

    # Showing

    def show(self) -> None:
        """Show the game as it stands now, or the earlier ply that the player looks at."""
        state = self.state
        if state.version != self._version:
            self.seen.clear(state.position)
            if self._version >= 0:
                self._said = ""
            self._version = state.version
            if self.seen.ply is not None and self.seen.ply >= state.ply:
                self.seen.ply = None
        self.board.drawing = drawing_of(state, self.seen)
        self._tell(state)
        self._show_panels(state)

    def _titles(self, state: LiveState) -> tuple[str, str]:
        return seat_title(state, Side.FIRST), seat_title(state, Side.SECOND)

    def _tell(self, state: LiveState) -> None:
        """Say how the game stands, and add the most important remark, if there is any."""
        sentence = self.query_one(Sentence)
        if self.seen.ply is not None:
            sentence.show(f"Move {self.seen.ply} of {state.ply}. End goes back to the game.")
            return
        said = state_sentence(state, self._titles(state))
        if state.status == "thinking" and not self._is_quiet:
            said = f"{said} {words.thinking_text(state)}; x moves now."
        more = [
            self._said,
            f"{self.session.loss} {words.question(state)}".strip(),
            state.notice,
            "" if state.moves else self._welcome,
        ]
        if not any(more) and state.status == "human" and must_capture(state.position):
            more = [explain.advice(state.position)]
        sentence.show(said, next((text for text in more if text), ""))

    def _show_panels(self, state: LiveState) -> None:
        left_ms = None if state.clock is None else state.clock.left_ms
        self.query_one(SeatPanel).show(state, left_ms)
        glass = self.query_one(Glass)
        glass.display = self._has_glass and not self._is_quiet and not all(seat.is_human for seat in state.seats)
        if glass.display:
            glass.show(state, self._opinion(state))
        self.query_one(Moves).show(state, state.ply if self.seen.ply is None else self.seen.ply)

    def _opinion(self, state: LiveState) -> Opinion | None:
        """Return what an engine thinks now, or thought at the last engine move before the position on the board."""
        ply = state.ply if self.seen.ply is None else self.seen.ply
        if self.seen.ply is None and state.thinking is not None:
            return state.thinking
        return next((opinion for opinion in reversed(state.opinions[:ply]) if opinion is not None), None)

    # What is seen

    def action_glass(self) -> None:
        self._has_glass = not self._has_glass
        self.show()

    def action_quiet(self) -> None:
        self._is_quiet = not self._is_quiet
        self.show()

    def action_flip(self) -> None:
        self.seen.is_flipped = not self.seen.is_flipped
        self.show()

    def action_browse(self, step: int) -> None:
        state = self.state
        ply = state.ply if self.seen.ply is None else self.seen.ply
        self.action_see(max(0, ply + step))

    def action_see(self, ply: int) -> None:
        """Look at an earlier ply; -1, or the last one, goes back to the game itself."""
        state = self.state
        self.seen.ply = None if ply < 0 or ply >= state.ply else ply
        self.show()


def _is_moving(state: LiveState) -> bool:
    """Return True if an engine thinks or a clock runs."""
    return state.status == "thinking" or (state.clock is not None and state.clock.running is not None)


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= 30 else f"{text[:29]}…"
