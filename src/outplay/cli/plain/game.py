"""One game at the console: shows what happens, asks the humans, lets the engines think."""

from __future__ import annotations

import contextlib
import queue
from typing import Any, Protocol

from outplay import explain
from outplay.cli.plain.console import HEARTBEAT, Console
from outplay.errors import IllegalMoveError, NotationError, OutplayError
from outplay.live import EngineFailed, Event, LiveGame, LiveState, Moved, Opinion, StateChanged, Thinking
from outplay.outcome import Side
from outplay.players import player
from outplay.record import AnyGame, Game
from outplay.rules import CLASSROOM_NO_PROGRESS, Move, Position, rules_of

COMMANDS = ("undo", "redo", "hint", "moves", "draw", "resign")
COMMANDS_HELP = """\
  undo     take your last move back          redo     play it again
  hint     a hint; repeat it for more       moves    what can be played
  draw     offer a draw                      resign   give up
  help     this                              quit     leave (so do Ctrl-C and Ctrl-D)"""


class Instead(Exception):  # noqa: N818 -- not an error: the player changed their mind
    """A command was typed where the rest of a move was expected."""

    def __init__(self, command: str) -> None:
        super().__init__(command)
        self.command = command


class View(Protocol):
    """What differs from game to game: how the board looks, what the sides are called and how moves are typed."""

    sides: tuple[str, str]
    help_text: str

    def board(self, position: Any) -> str: ...
    def question(self, position: Position) -> str: ...
    def read(self, position: Position, text: str) -> Move:
        """Return the move that was typed. Raise NotationError, IllegalMoveError or Instead."""

    def words(self, text: str) -> str:
        """Return a message in the words of this program."""


class PlainGame:
    """A game in progress at the console."""

    def __init__(self, live: LiveGame, view: View, console: Console, seed: int | None) -> None:
        self.live = live
        self._view, self._console, self._seed = view, console, seed
        self._events: queue.SimpleQueue[Event] = queue.SimpleQueue()
        self._position = live.state().position
        """The position after the events shown so far."""
        self._shown: Position | None = None
        self._thinks_about: Position | None = None
        live.subscribe(self._events.put)

    def play(self) -> None:
        """Play until the game is over. Raise Leave if a player quits."""
        self.live.start()
        while True:
            event = self._next_event()
            match event:
                case Thinking(side=side) if self._thinks_about != self._position:
                    self._thinks_about = self._position
                    if not self._console.has_words:  # a listener hears the board once a turn
                        self._show_board()
                    self._console.say(f"{self._view.sides[side]} is thinking ...")
                case Moved(move=move, opinion=opinion):
                    self._position = self._position.play(move)
                    if opinion is not None:
                        self._show_engine_move(event, opinion)
                case EngineFailed():
                    self._show_failure(event)
                case StateChanged(state=state):
                    self._position = state.position
                    if state.status == "over":
                        self._show_end(state)
                        return
                    if state.revision == self.live.state().revision:
                        self._turn_to_human(state)

    def _next_event(self) -> Event:
        while True:
            with contextlib.suppress(queue.Empty):  # wakes up often enough to notice Ctrl-C
                return self._events.get(timeout=HEARTBEAT)

    def _turn_to_human(self, state: LiveState) -> None:
        if state.status == "failed":
            self._choose_another(state)
        elif state.status == "human":
            self._show_board()
            self._ask_human(state)

    def go_on(self) -> bool:
        """Take back a move of a finished game, if that is possible, and continue it."""
        if not self.live.state().allowed.takeback:
            return False
        self.live.takeback()
        self.live.resume()
        return True

    # Showing

    def _show_board(self) -> None:
        if self._position != self._shown:
            self._shown = self._position
            self._console.say(f"\n{self._view.board(self._position)}\n")

    def _show_engine_move(self, event: Moved, opinion: Opinion) -> None:
        name = rules_of(opinion.position).move_name(opinion.position, event.move)
        analysis = opinion.analysis
        self._console.say(f"{self._view.sides[event.side]} plays {name}.")
        facts = [f"Nodes explored: {analysis.nodes:,}", f"Search time: {analysis.seconds:.2f} s"]
        facts += [f"Depth: {analysis.depth}"] if analysis.depth else []
        line = analysis.lines[0]
        if len(line.moves) > 1:
            facts.append(f"Expects: {explain.expected(opinion.position, line)}")
        if line.score.plies is not None:
            facts.append(explain.score_sentence(opinion.position, line.score, self._view.sides))
        self._console.say(". ".join(facts) + ".")

    def _show_failure(self, event: EngineFailed) -> None:
        for line in event.failure.transcript:
            self._console.say(f"  | {line}")
        self._console.say(f"{self._view.sides[event.failure.side]} failed: {event.failure.message}.")

    def _show_end(self, state: LiveState) -> None:
        assert state.outcome is not None
        self._show_board()
        if state.notice:
            self._console.say(state.notice)
        self._console.say(f"{explain.outcome_sentence(state.outcome, self._view.sides)}\n")

    # Asking

    def _ask_human(self, state: LiveState) -> None:
        """Ask until the player has done something that changes the game."""
        while True:
            text = self._console.ask(self._view.question(state.position), f"{self._view.help_text}\n{COMMANDS_HELP}")
            try:
                if self._obey(text, state):
                    return
            except NotationError as error:
                self._console.say(f"Cannot read {error.text!r}: {self._view.words(error.reason)}.")
            except IllegalMoveError as error:
                self._console.say(f"Not possible: {self._view.words(error.reason)}.")
            except OutplayError as error:
                self._console.say(f"Not possible: {self._view.words(str(error))}.")

    def _obey(self, text: str, state: LiveState) -> bool:
        """Do what was typed; return whether it changed the game."""
        live = self.live
        match text.lower():
            case "undo":
                self._console.say(f"Taken back: {_counted(live.takeback())}.")
            case "redo":
                self._console.say(f"Played again: {_counted(live.redo())}.")
            case "resign":
                live.resign(state.side)
            case "draw":
                return self._draw()
            case "hint":
                hint = live.hint()
                self._console.say(f"Hint {hint.step} of {explain.STEPS}: {self._view.words(hint.sentence)}")
                return False
            case "moves":
                texts = (state.position.format(move) for move in state.position.legal_moves())
                self._console.say(f"You can play: {' '.join(texts)}")
                return False
            case _:
                try:
                    live.play(self._view.read(state.position, text))
                except Instead as instead:
                    return instead.command != "undo" and self._obey(instead.command, state)
        return True

    def _draw(self) -> bool:
        """Offer a draw, or, if the other human has just offered one, accept it."""
        if not self.live.offer_draw() and self.live.state().draw_offer is not None:
            side = self.live.state().draw_offer
            assert side is not None
            return self._answer_offer(side.other)
        state = self.live.state()
        if state.status != "over":
            self._console.say(state.notice)
        return True

    def _answer_offer(self, side: Side) -> bool:
        help_text = "yes ends the game as a draw, no goes on with it."
        while True:
            answer = self._console.ask(f"{self._view.sides[side]}, do you agree to a draw? (yes/no)", help_text)
            match answer.lower():
                case "yes" | "y":
                    self.live.accept_draw()
                    return True
                case "no" | "n" | "undo":
                    self.live.decline_draw()
                    self._console.say("The game goes on.")
                    return True
                case "hint":
                    self._console.say(help_text)
                case _:
                    self._console.say(f"Please answer yes or no, not {answer!r}.")

    def _choose_another(self, state: LiveState) -> None:
        """After an engine failed: ask whether to retry or to choose another player."""
        help_text = "Type retry, or the name of a player: human, random, lab:minimax ..., FILE.py:FUNCTION."
        while True:
            text = self._console.ask("Type retry, or the name of another player:", help_text)
            try:
                if text == "undo":
                    self._obey(text, state)
                elif text == "retry":
                    self.live.retry()
                elif text == "hint":
                    self._console.say(help_text)
                    continue
                else:
                    self.live.set_seat(state.side, player(text, seed=self._seed))
                return
            except OutplayError as error:
                self._console.say(f"Not possible: {error}.")


def new_game(position: Position, no_progress: str) -> AnyGame:
    """Return a game from this position; `no_progress` names its limit of moves without progress."""
    if no_progress == "official":
        return Game(position)
    return Game(position, no_progress=CLASSROOM_NO_PROGRESS if no_progress == "classroom" else None)


def _counted(plies: int) -> str:
    return "1 move" if plies == 1 else f"{plies} moves"
