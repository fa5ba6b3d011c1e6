"""The page Play: commands of a game in progress, and new games. Any player can take any seat, at any move."""

from __future__ import annotations

import copy
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar

from textual import work
from textual.binding import Binding, BindingType
from textual.message import Message

from outplay import explain
from outplay.errors import GameOverError, IllegalMoveError, NotationError, OutplayError
from outplay.live import LiveGame, catalogue
from outplay.notation.any import read_one
from outplay.rules import Position, rules_of
from outplay.tui import words
from outplay.tui.boards.board import BoardWidget
from outplay.tui.dialogs import Confirm, Prompt, SeatsDialog
from outplay.tui.game_page import GamePage
from outplay.tui.start import AppStart

if TYPE_CHECKING:
    from outplay.store import SavedGame, Store


def first_words(position: Position) -> str:
    """Say how the first move is made."""
    rules = rules_of(position)
    if rules.name == "checkers":
        return "Arrows and Enter, or the mouse, or press / and type 11-15."
    return f"Drop a disc: click a column or press 1-{min(9, rules.size(position)[0])}."


class PlayPage(GamePage):
    """One game on the board."""

    name_of_page = "play"
    prompt_hint = "a move, or a position or game to paste: 4453, 11-15 22-18, a FEN, rows, PDN"
    help_text = """
Connect Four: press the number of a column, or move with the arrows and press Enter, or click. Four in a row wins.
Checkers: choose a piece and the square it goes to, with arrows and Enter or the mouse; or press / and type 11-15.
A capture is compulsory: the pieces that must capture are marked with !. Kings (K) move both ways.
"""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("n", "next_game", "New"),
        Binding("N", "new_game", "New game with other players", show=False),
        Binding("u", "takeback", "Take back"),
        Binding("U", "redo", "Redo", show=False),
        Binding("h", "hint", "Hint"),
        Binding("s", "seats", "Players"),
        Binding("slash", "type", "Type or paste", key_display="/"),
        Binding("p", "pause", "Pause"),
        Binding("full_stop", "step", "One move, or move now", key_display=".", show=False),
        Binding("left_square_bracket", "speed(-1)", "Faster", key_display="[", show=False),
        Binding("right_square_bracket", "speed(1)", "Slower", key_display="]", show=False),
        Binding("x", "move_now", "Move now", show=False),
        Binding("l", "analyse", "Analyse"),
        Binding("v", "review", "Review", show=False),
        Binding("r", "rematch", "Rematch or retry", show=False),
        Binding("R", "resign", "Resign", show=False),
        Binding("D", "draw", "Draw", show=False),
        Binding("c", "other_game", "Connect Four or checkers", show=False),
        Binding("e", "edit", "Set up a position", show=False),
        Binding("w", "keep", "Keep as a new game", show=False),
        Binding("o", "open_other", "Open the other program's game", show=False),
        Binding("escape", "close", "Close", show=False),
    ]

    class Hinted(Message):
        """The advisor has answered."""

        def __init__(self, hint: explain.Hint, version: int) -> None:
            super().__init__()
            self.hint, self.version = hint, version

    def __init__(self, start: AppStart) -> None:
        super().__init__()
        self.begin = start

    def on_mount(self) -> None:
        self.play(self.begin.new_game(), self.begin.terms())
        self._welcome = first_words(self.here)
        self.show()

    def open_saved(self, saved: SavedGame) -> None:
        """Go on with a game of the library."""
        self.play(saved.game, saved.terms, saved)

    def on_play_page_hinted(self, message: Hinted) -> None:
        shown = self.seen.hint  # a later step may have been quicker
        if message.version == self.state.version and (shown is None or shown.step <= message.hint.step):
            self.seen.hint = message.hint
            self.say_more(f"Hint {message.hint.step} of {explain.STEPS}: {message.hint.sentence}")

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
            self.show()

    def _play_text(self, position: Position, text: str) -> None:
        """Play a move; an illegal one, or one out of turn, is refused with its reason."""

        def play(live: LiveGame) -> None:
            state = live.state()
            if state.outcome is not None:
                raise GameOverError(state.position, state.outcome.reason)
            live.play(text or position.legal_moves()[0])

        self.session.do(play)

    def enter(self, text: str) -> None:
        self.action_see(-1)
        self._play_text(self.here, text)

    # Actions

    def action_takeback(self) -> None:
        self.session.do(LiveGame.takeback)

    def action_redo(self) -> None:
        self.session.do(LiveGame.redo)

    def action_pause(self) -> None:
        self.session.do(LiveGame.resume if self.state.is_paused else LiveGame.pause)

    def action_step(self) -> None:
        """If an engine is thinking, make it move now; if the game is paused, let an engine make one move."""
        self.session.do(LiveGame.move_now if self.state.status == "thinking" else LiveGame.step)

    def action_move_now(self) -> None:
        self.session.do(LiveGame.move_now)

    def action_speed(self, direction: int) -> None:
        """Move the slider between turbo and slow by one step."""
        time_ms = words.pace_time(words.pace_step(self.session.time_ms) + direction)
        self.session.set_time(time_ms)
        self._said = f"Thinking time: {words.pace_text(time_ms)}"

    @work(thread=True, group="hint")
    def action_hint(self) -> None:
        """Ask for the next step of a hint; the advisor thinks in parallel with the game."""
        session, version = self.session, self.session.live.version
        try:
            hint = session.live.hint(version=version)
        except OutplayError as error:
            self.tell_of(session, self.Failed(error))
        else:
            self.tell_of(session, self.Hinted(hint, version))

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

    def action_next_game(self) -> None:
        """Start a rematch if the game is over; otherwise open the dialog for a new game."""
        if self.state.status == "over":
            self.action_rematch()
        else:
            self.action_new_game()

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
        """Begin a new game. `begin` is None if the dialog was closed: then nothing changes."""
        if begin is not None:
            self.begin = begin
            self.play(begin.new_game(), begin.terms())

    def action_other_game(self) -> None:
        """Begin a game of the other kind, against the usual opponent."""
        other = "checkers" if rules_of(self.state.position).name == "connect4" else "connect4"
        self.start(AppStart(game=other, db=self.begin.db))
        self._welcome = first_words(self.here)
        self.show()

    def action_edit(self) -> None:
        from outplay.tui.editor import Editor

        self.app.push_screen(Editor(self.state.position), self.start_from)

    def start_from(self, position: Position | None) -> None:
        """Begin a new game from a position, with the same players if it is the same kind of game."""
        if position is not None:
            name = rules_of(position).name
            seats = self.state.seats if name == rules_of(self.state.position).name else (None, None)
            self.start(replace(self.begin, game=name, position=position, seats=seats, size=None))

    def action_analyse(self, *, is_review: bool = False) -> None:
        """Open the game on the analysis board: the saved game, or a copy if the game is not saved."""
        session, here = self.session, self.app.screen
        with session.live.held() as (game, _):
            copied = copy.deepcopy(game)

        def show(saved: SavedGame | None) -> None:
            if self.app.screen is here:  # the person may have gone elsewhere
                page = self.outplay.analyse(saved, copied)
                if is_review:
                    page.call_later(page.action_review)  # once it is there

        def load(store: Store) -> None:
            self.app.call_from_thread(show, store.load(session.game_id))

        if session.game_id and not session.loss:
            self.with_store(load, opens=True)
        else:
            show(None)

    def action_review(self) -> None:
        """Judge the moves of a finished game."""
        if self.state.status == "over":
            self.action_analyse(is_review=True)
        else:
            self.say_more("v reviews a game that is over. l analyses this one now.")

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer the keys that end a conflict only during a conflict."""
        return action not in ("keep", "open_other") or (self.has_game and self.session.is_parted)

    def action_keep(self) -> None:
        self.session.keep()
        self.say_more("Kept as a new game.")

    def action_open_other(self) -> None:
        """Go on with the game as another program has saved it."""
        game_id = self.session.game_id

        def load(store: Store) -> Message | None:
            saved = store.load(game_id)
            if saved is None:
                return self.Failed(OutplayError("the game is no longer in the library; w keeps yours"))
            self.app.call_from_thread(self.open_saved, saved)
            return None

        self.with_store(load, opens=True)

    def on_prompt_typed(self, message: Prompt.Typed) -> None:
        """Play the move that was typed; anything else is read as a position or a game, and a new game starts there."""
        text, position = message.text, self.here
        if not text:
            self.close_prompt()
            return
        try:
            move = position.parse(text)
        except (NotationError, IllegalMoveError) as refused:
            self._read(text, refused)
        else:
            self.close_prompt()
            self._play_text(position, position.format(move))

    def _read(self, text: str, refused: OutplayError) -> None:
        """Read a text as a position or a game, because it is not a legal move. If it is neither, refuse the move."""
        rules = rules_of(self.here)
        is_one_move = len(rules.words(text)) <= 1
        if isinstance(refused, IllegalMoveError) and is_one_move:
            self.refuse(refused)
            return
        try:
            found = read_one(text, None if len(text) > 2 else rules.name)
        except OutplayError as error:
            self.refuse(refused if is_one_move and isinstance(refused, IllegalMoveError) else error)
            return
        self.query_one(Prompt).display = False
        self.start_from(found.game.position)
        self.say_more(f"{found.what}.")

    def action_close(self) -> None:
        """Close what is open: a refusal, a hint, a draw offer, an earlier ply."""
        if self.state.draw_offer is not None:
            self.session.do(LiveGame.decline_draw)
        self._said = ""
        self.seen.clear(self.state.position)
        self.action_see(-1)
