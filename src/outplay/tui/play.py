"""The page Play: a board, two seats, the glass box and the moves. Any player can take any seat, at any move."""

from __future__ import annotations

import copy
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.events import Key, Resize
from textual.message import Message
from textual.widgets import Static

from outplay import explain
from outplay.errors import GameOverError, IllegalMoveError, NotationError, OutplayError
from outplay.live import LiveGame, LiveState, Opinion, StaleError, Terms, catalogue
from outplay.live.words import seat_title, state_sentence
from outplay.notation.any import read_one
from outplay.outcome import Side
from outplay.record import AnyGame
from outplay.rules import Position, must_capture, rules_of
from outplay.tui import words
from outplay.tui.boards import BOARDS
from outplay.tui.boards.board import BoardWidget
from outplay.tui.dialogs import Confirm, Prompt, SeatsDialog
from outplay.tui.page import AppPage
from outplay.tui.panels import Glass, Moves, SeatPanel
from outplay.tui.session import Session
from outplay.tui.start import AppStart
from outplay.tui.view import Seen, drawing_of, two_lines

if TYPE_CHECKING:
    from outplay.store import SavedGame

TICK_SECONDS = 0.25
"""How often thinking and clocks are shown anew: four times a second is as much as a person can read."""
FIRST_WORDS = {
    "connect4": "Drop a disc: click a column or press 1-7.",
    "checkers": "Arrows and Enter, a click, or / and 11-15.",
}


class PlayPage(AppPage):
    """One game on the board."""

    name_of_page = "play"
    help_text = """
Connect Four: press the number of a column, or move with the arrows and press Enter, or click. Four in a row win.
Checkers: choose a piece and the square it goes to, with arrows and Enter or the mouse; or press / and type 11-15.
A capture is compulsory: the pieces that must capture are marked with !. Kings (K) move both ways.
"""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("n", "new_game", "New"),
        Binding("u", "takeback", "Take back"),
        Binding("U", "redo", "Redo", show=False),
        Binding("h", "hint", "Hint"),
        Binding("s", "seats", "Players"),
        Binding("slash", "type", "Type or paste", key_display="/"),
        Binding("p", "pause", "Pause"),
        Binding("full_stop", "step", "One step", key_display=".", show=False),
        Binding("left_square_bracket", "speed(-1)", "Faster", key_display="[", show=False),
        Binding("right_square_bracket", "speed(1)", "Slower", key_display="]", show=False),
        Binding("x", "move_now", "Move now", show=False),
        Binding("g", "glass", "Glass box", show=False),
        Binding("z", "quiet", "Hide computer output", show=False),
        Binding("f", "flip", "Flip", show=False),
        Binding("l", "analyse", "Analyse"),
        Binding("r", "rematch", "Rematch or retry", show=False),
        Binding("R", "resign", "Resign", show=False),
        Binding("D", "draw", "Draw", show=False),
        Binding("c", "other_game", "Connect Four or checkers", show=False),
        Binding("e", "edit", "Set up a position", show=False),
        Binding("j", "browse(1)", "Next move", show=False),
        Binding("k", "browse(-1)", "Previous move", show=False),
        Binding("home", "see(0)", "First move", show=False),
        Binding("end", "see(-1)", "Back to the game", show=False),
        Binding("escape", "close", "Close", show=False),
    ]

    class Changed(Message):
        """The game has changed and is saved."""

    class Failed(Message):
        """A command was refused, or the game could not be saved."""

        def __init__(self, error: Exception) -> None:
            super().__init__()
            self.error = error

    class Hinted(Message):
        """The advisor has answered."""

        def __init__(self, hint: explain.Hint, version: int) -> None:
            super().__init__()
            self.hint, self.version = hint, version

    def __init__(self, start: AppStart) -> None:
        super().__init__()
        self.begin = start
        self.session: Session
        self.boards: dict[str, BoardWidget] = {}
        self.seen = Seen()
        self._game = start.game
        self._version = -1
        self._said = self._welcome = ""
        self._is_quiet, self._has_glass = False, True
        self._is_held = False

    # The game

    def compose_body(self) -> ComposeResult:
        with Horizontal(id="body"):
            with Vertical(id="stage"):
                yield Static(id="sentence")
                for name, board in BOARDS.items():
                    yield board(id=name)
            with Vertical(id="side"):
                yield SeatPanel(id="seats")
                yield Glass(id="glass")
                yield Moves(id="moves")
        yield Prompt("a move, or a position or game to paste: 4453, 11-15 22-18, a FEN, rows, PDN")

    def on_mount(self) -> None:
        self.boards = {name: self.query_one(f"#{name}", board) for name, board in BOARDS.items()}
        self.set_interval(TICK_SECONDS, self._tick)
        self.play(self.begin.new_game(), self.begin.terms())
        self._welcome = FIRST_WORDS[self.begin.game]
        self._show()

    @property
    def state(self) -> LiveState:
        return self.session.live.state()

    @property
    def board(self) -> BoardWidget:
        return self.boards[self._game]

    def play(self, game: AnyGame, terms: Terms, saved: SavedGame | None = None) -> None:
        """Put a game on the board and start it; the one before is saved already."""
        self.leave()
        self.session = Session(
            game,
            terms,
            self.outplay.services,
            heard=lambda session: self._tell(session, self.Changed()),
            failed=lambda session, error: self._tell(session, self.Failed(error)),
            saved=saved,
        )
        self.seen, self._version, self._said = Seen(), -1, ""
        self._put_board(game.rules.name)
        self.session.start()
        self._show()

    def open_saved(self, saved: SavedGame) -> None:
        """Go on with a game of the library."""
        self.play(saved.game, saved.terms, saved)

    def _put_board(self, game: str) -> None:
        self._game = game
        for name, board in self.boards.items():
            board.display = name == game
        self.board.cursor = None
        self.board.focus()

    def _tell(self, session: Session, message: Message) -> None:
        """Hand a message of any thread to this page, unless it is about a game that was left."""
        if session is getattr(self, "session", session):
            self.post_message(message)

    def leave(self) -> None:
        """End the searches of the game on the board."""
        if hasattr(self, "session"):
            self.session.close()

    def hold(self) -> None:
        """The app goes to the background: no clock may run meanwhile."""
        if hasattr(self, "session") and self.state.clock is not None and not self.state.is_paused:
            self._is_held = True
            self.session.live.pause()

    def go_on(self) -> None:
        if self._is_held:
            self._is_held = False
            self.session.do(LiveGame.resume)

    # What happens

    def on_resize(self, event: Resize) -> None:
        """Write the sentence and the moves anew for the new width."""
        if hasattr(self, "session"):
            self.call_after_refresh(self._show)

    def on_play_page_changed(self) -> None:
        self._show()

    def on_play_page_failed(self, message: Failed) -> None:
        error = message.error
        if isinstance(error, StaleError):
            return
        if not isinstance(error, OutplayError):
            raise error
        self.refuse(error)

    def refuse(self, error: OutplayError) -> None:
        """Say why something is not possible: the rule, and the pieces it is about."""
        if isinstance(error, IllegalMoveError):
            self.seen.refusal = explain.refusal(error)
            said = f"{self.seen.refusal.message} {self.seen.refusal.detail}"
        elif isinstance(error, GameOverError):
            said = f"{state_sentence(self.state, self._titles(self.state))} n starts a new game, u takes a move back."
        elif isinstance(error, NotationError):
            said = f"Cannot read {_short(error.text)!r}: {error.reason}."
        else:
            said = f"Not possible: {error}."
        self._said = said
        self._show()

    def on_play_page_hinted(self, message: Hinted) -> None:
        if message.version == self.state.version:
            self.seen.hint = message.hint
            self._said = f"Hint {message.hint.step} of {explain.STEPS}: {message.hint.sentence}"
            self._show()

    def _tick(self) -> None:
        state = self.state
        if state.status == "thinking" or (state.clock is not None and state.clock.running is not None):
            self._show_panels(state)
            if state.status == "thinking":
                self._show_sentence(state)

    # Showing

    def _show(self) -> None:
        state = self.state
        if state.version != self._version:
            self.seen.clear(state.position)
            if self._version >= 0:
                self._said = ""
            self._version = state.version
            if self.seen.ply is not None and self.seen.ply >= state.ply:
                self.seen.ply = None
        self.board.drawing = drawing_of(state, self.seen)
        self._show_sentence(state)
        self._show_panels(state)

    def _titles(self, state: LiveState) -> tuple[str, str]:
        return seat_title(state, Side.FIRST), seat_title(state, Side.SECOND)

    def _show_sentence(self, state: LiveState) -> None:
        self.query_one("#sentence", Static).update(self._sentence(state))

    def _sentence(self, state: LiveState) -> str:
        if self.seen.ply is not None:
            return f"Move {self.seen.ply} of {state.ply}. End goes back to the game."
        said = state_sentence(state, self._titles(state))
        if state.status == "thinking" and not self._is_quiet:
            said = f"{said} {words.thinking_text(state)}; x moves now."
        more = [
            self._said,
            self._question(state),
            self.session.loss,
            state.notice,
            "" if state.moves else self._welcome,
        ]
        if not any(more) and state.status == "human" and must_capture(state.position):
            more = [explain.advice(state.position)]
        return two_lines(said, next((text for text in more if text), ""), self.query_one("#sentence").size.width)

    @staticmethod
    def _question(state: LiveState) -> str:
        """Return what waits for an answer, and the keys that give it."""
        if state.draw_offer is not None:
            return f"{words.side_name(state, state.draw_offer)} offers a draw: D accepts, Esc declines."
        if state.status == "failed" and state.failure is not None:
            return f"{state.failure.message} r tries again, s chooses another player."
        if state.status == "over":
            return "n new game, r rematch, l analyse."
        if state.status == "paused":
            return "p goes on, . plays one move."
        return ""

    def _show_panels(self, state: LiveState) -> None:
        left_ms = None if state.clock is None else state.clock.left_ms
        self.query_one(SeatPanel).show(state, left_ms)
        glass = self.query_one(Glass)
        glass.display = self._has_glass and not self._is_quiet and not all(seat.is_human for seat in state.seats)
        if glass.display:
            glass.show(state, self._opinion(state))
        self.query_one(Moves).show(state, state.ply if self.seen.ply is None else self.seen.ply)

    def _opinion(self, state: LiveState) -> Opinion | None:
        """Return what an engine thinks now, or thought when it last moved."""
        ply = state.ply if self.seen.ply is None else self.seen.ply
        if self.seen.ply is None and state.thinking is not None:
            return state.thinking
        return next((opinion for opinion in reversed(state.opinions[:ply]) if opinion is not None), None)

    # Moves

    def on_board_widget_chosen(self, message: BoardWidget.Chosen) -> None:
        state = self.state
        if self.seen.ply is not None:
            self.action_see(-1)
            return
        position = state.position
        if state.status != "human":
            self._play_text(position, "")
            return
        text = self.seen.choose(position, message.cell)
        self._said = self.seen.said
        if text is not None:
            self._play_text(position, text)
        else:
            self._show()

    def _play_text(self, position: Position, text: str) -> None:
        """Play a move; an illegal one, or one out of turn, is refused with its reason."""

        def play(live: LiveGame) -> None:
            state = live.state()
            if state.outcome is not None:
                raise GameOverError(state.position, state.outcome.reason)
            live.play(text or position.legal_moves()[0])

        self.session.do(play)

    def on_key(self, event: Key) -> None:
        """A digit drops a disc into its column."""
        if (
            event.character is not None
            and event.character in "123456789"
            and self.focused is not self.query_one(Prompt)
        ):
            event.stop()
            position = self.state.position
            if rules_of(position).name == "connect4":
                self.action_see(-1)
                self._play_text(position, event.character)
            else:
                self.action_type(event.character)

    # Actions

    def action_takeback(self) -> None:
        self.session.do(LiveGame.takeback)

    def action_redo(self) -> None:
        self.session.do(LiveGame.redo)

    def action_pause(self) -> None:
        self.session.do(LiveGame.resume if self.state.is_paused else LiveGame.pause)

    def action_step(self) -> None:
        self.session.do(LiveGame.step)

    def action_move_now(self) -> None:
        self.session.do(LiveGame.move_now)

    def action_speed(self, direction: int) -> None:
        """Move the slider from turbo to slow by one step."""
        step = words.pace_step(self.state.time_ms or 0) + direction
        self.session.set_time(words.pace_time(step))
        self._said = f"Thinking time: {words.pace_text(words.pace_time(step))}"

    @work(thread=True, exclusive=True, group="hint")
    def action_hint(self) -> None:
        """Ask for the next step of a hint; the advisor thinks beside the game."""
        session, version = self.session, self.session.live.version
        try:
            hint = session.live.hint(version=version)
        except OutplayError as error:
            self._tell(session, self.Failed(error))
        else:
            self._tell(session, self.Hinted(hint, version))

    def action_resign(self) -> None:
        def resign(is_sure: bool | None) -> None:
            if is_sure:
                self.session.do(LiveGame.resign)

        self.app.push_screen(Confirm("Resign this game?"), resign)

    def action_draw(self) -> None:
        is_answer = self.state.draw_offer is not None
        self.session.do(LiveGame.accept_draw if is_answer else LiveGame.offer_draw)

    def action_rematch(self) -> None:
        state = self.state
        if state.status == "failed":
            self.session.do(LiveGame.retry)
            return
        with self.session.live.held() as (game, terms):
            again = replace(self.begin, game=game.rules.name, position=game.start).new_game()
            swapped = terms.again()
        self.play(again, swapped)

    def action_seats(self) -> None:
        state = self.state

        def choose(chosen: tuple[int, str] | None) -> None:
            if chosen is not None:
                side, name = chosen
                self.session.set_seat(side, catalogue.find(rules_of(state.position).name, name))

        first, second = state.seats
        self.app.push_screen(SeatsDialog(rules_of(state.position).name, (first.name, second.name)), choose)

    def action_new_game(self) -> None:
        from outplay.tui.new_game import NewGameDialog

        with self.session.live.held() as (game, terms):
            now = replace(
                self.begin,
                game=game.rules.name,
                seats=terms.seats,
                time_ms=terms.time_ms,
                clock=terms.clock,
                is_strict=terms.is_strict,
                size=game.rules.size(game.start) if game.rules.name == "connect4" else None,
                position=None,
            )
        self.app.push_screen(NewGameDialog(now), self.start)

    def start(self, begin: AppStart | None) -> None:
        """Begin a new game; None if the dialog was closed."""
        if begin is not None:
            self.begin = begin
            self.play(begin.new_game(), begin.terms())

    def action_other_game(self) -> None:
        """Begin a game of the other kind, against the usual opponent."""
        other = "checkers" if rules_of(self.state.position).name == "connect4" else "connect4"
        self.start(AppStart(game=other, db=self.begin.db))
        self._welcome = FIRST_WORDS[other]
        self._show()

    def action_edit(self) -> None:
        from outplay.tui.editor import Editor

        self.app.push_screen(Editor(self.state.position), self.start_from)

    def start_from(self, position: Position | None) -> None:
        """Begin a new game from a position, with the players of this one."""
        if position is not None:
            name = rules_of(position).name
            seats = self.state.seats if name == rules_of(self.state.position).name else (None, None)
            self.start(replace(self.begin, game=name, position=position, seats=seats, size=None))

    def action_analyse(self) -> None:
        """Open this game on the analysis board: a copy if it is not in the store."""
        session = self.session
        with session.live.held() as (game, _):
            copied = copy.deepcopy(game)

        def load() -> None:
            saved = self.outplay.services.store().load(session.game_id) if session.game_id else None
            self.app.call_from_thread(self.outplay.analyse, saved, copied)

        self.run_worker(load, thread=True, group="analyse", exclusive=True)

    def action_type(self, text: str = "") -> None:
        self.query_one(Prompt).ask(text)

    def on_prompt_typed(self, message: Prompt.Typed) -> None:
        """Play the move that was typed; anything else is read as a position or a game, and a new game starts there."""
        prompt = self.query_one(Prompt)
        text = message.text
        if not text:
            prompt.display = False
            self.board.focus()
            return
        position = self.state.position
        try:
            move = position.parse(text)
        except (NotationError, IllegalMoveError) as refused:
            self._read(text, refused)
        else:
            prompt.display = False
            self.board.focus()
            self._play_text(position, position.format(move))

    def _read(self, text: str, refused: OutplayError) -> None:
        """Read a text that is no move here; a text that is nothing else is refused as a move."""
        name = rules_of(self.state.position).name
        is_one_move = len(rules_of(self.state.position).words(text)) <= 1
        if isinstance(refused, IllegalMoveError) and is_one_move:
            self.refuse(refused)
            return
        try:
            found = read_one(text, None if len(text) > 2 else name)
        except OutplayError as error:
            self.refuse(refused if is_one_move and isinstance(refused, IllegalMoveError) else error)
            return
        self.query_one(Prompt).display = False
        self.start_from(found.game.position)
        self._said = f"{found.what}."
        self._show()

    def action_glass(self) -> None:
        self._has_glass = not self._has_glass
        self._show()

    def action_quiet(self) -> None:
        self._is_quiet = not self._is_quiet
        self._show()

    def action_flip(self) -> None:
        self.seen.is_flipped = not self.seen.is_flipped
        self._show()

    def action_browse(self, step: int) -> None:
        state = self.state
        ply = state.ply if self.seen.ply is None else self.seen.ply
        self.action_see(max(0, ply + step))

    def action_see(self, ply: int) -> None:
        """Look at a move of the past; -1, or the last one, is the game itself."""
        state = self.state
        self.seen.ply = None if ply < 0 or ply >= state.ply else ply
        self._show()

    def action_close(self) -> None:
        """Close what is open: a refusal, a hint, a draw offer, the past."""
        if self.state.draw_offer is not None:
            self.session.do(LiveGame.decline_draw)
        self._said = ""
        self.seen.clear(self.state.position)
        self.action_see(-1)


def _short(text: str) -> str:
    return text if len(text) <= 30 else f"{text[:29]}…"
