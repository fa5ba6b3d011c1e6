"""The program around the games: the options of the command line and the menu."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field, replace
from typing import Any

from outplay import explain
from outplay.cli.arguments import position_of
from outplay.cli.plain.console import Console, Leave
from outplay.cli.plain.game import PlainGame, View, new_game
from outplay.engine.types import Limit
from outplay.live import LiveGame, Terms
from outplay.notation.any import read_one
from outplay.players import HUMAN, Player, player
from outplay.rules import Position

HUMANS = (HUMAN, HUMAN)
NO_HINT = "There is no position yet to give a hint for; type help."
Setup = tuple[Position, tuple[Player, Player], View]
"""A game to play: its start, its players, and how it is shown."""


@dataclass(frozen=True, slots=True)
class PlayOptions:
    """The options of the command line: who plays, from where, and how long engines think."""

    first: Player | None = None
    second: Player | None = None
    position: str = "start"
    what: str = ""
    """How the text of the position was read: "Connect Four: 4 moves"; empty if no text was given."""
    size: tuple[int, int] | None = None
    seed: int | None = None
    time_ms: int | None = None
    limit: Limit = field(default_factory=Limit)
    no_progress: str = "official"
    has_words: bool = False
    """Whether boards are said in words."""

    def read(self, game: str) -> Any:
        """Return the start position that the command line names."""
        return position_of(game, self.position, self.size)

    def at(self, text: str, game: str | None) -> tuple[str, PlayOptions]:
        """Return the game and the options for a position that was given or pasted. If `game` is None, guess it."""
        if game is not None:
            position_of(game, text, self.size)  # says what is wrong with it
        found = read_one(text, game, self.size)
        return found.game.rules.name, replace(self, position=text, what=found.what)

    @property
    def has_both(self) -> bool:
        return self.first is not None and self.second is not None

    def engine(self, default: str) -> Player:
        """Return the engine that the menu calls "AI": one named on the command line, else `default`."""
        named = [who for who in (self.second, self.first) if who is not None and not who.is_human]
        return named[0] if named else player(default, seed=self.seed)

    def advisor(self) -> Player:
        """Return the player that gives hints; it looks as deep as the engines if their depth is given."""
        depth = "" if self.limit.depth is None else f",depth={self.limit.depth}"
        return player(f"lab:five-phase{depth}", seed=self.seed)


class Program(ABC):
    """A text program: its menu, a game, the menu again, until the player quits."""

    title: str

    def __init__(self, options: PlayOptions, console: Console) -> None:
        self.options, self.console = options, console
        self._last: PlainGame | None = None

    @abstractmethod
    def start_position(self) -> Position:
        """Return the start position of the games. It is known before the menu asks anything."""

    @abstractmethod
    def seats_named(self) -> Setup:
        """Return the game to play if the command line names both players."""

    @abstractmethod
    def menu(self) -> Setup | None:
        """Ask what to play. Return None to ask again; raise Leave to end the program."""

    @abstractmethod
    def view_of(self, position: Position) -> View:
        """Return the view for a position from which no game can start."""

    def run(self) -> None:
        """Run until there is nothing left to play. Leave passes through to the caller."""
        try:
            self._run()
        finally:
            self._close_last()

    def _run(self) -> None:
        self.console.say(f"{self.title}. Type help at any question.\n")
        if self.options.what:
            self.console.say(f"Read as {self.options.what}.\n")
        position = self.start_position()
        outcome = position.outcome()
        if outcome is not None:
            view = self.view_of(position)
            self.console.say(f"{view.board(position)}\n")
            self.console.say("There is nothing to play: this position is over already.")
            self.console.say(explain.outcome_sentence(outcome, view.sides))
            return
        while True:
            chosen = self._named_or_again() if self.options.has_both else self.menu()
            if chosen is not None:
                self._play(*chosen)

    def _named_or_again(self) -> Setup | None:
        """Return the game of the command line; after the first time, ask whether to play it again."""
        if self._last is None:
            return self.seats_named()
        answer = self.ask("Play again? (yes/no)", "yes plays the same players again; no leaves.")
        if answer is None:
            return None
        match answer.lower():
            case "yes" | "y":
                return self.seats_named()
            case "no" | "n":
                raise Leave
        self.refuse(answer, "yes or no")
        return None

    def _play(self, position: Position, seats: tuple[Player, Player], view: View) -> None:
        self._close_last()
        options = self.options
        live = LiveGame(
            new_game(position, options.no_progress),
            Terms(seats, time_ms=options.time_ms, limit=options.limit),
            advisor=options.advisor(),
            hint_limit=Limit(time_ms=1000 if options.limit.depth is None else None),
        )
        self._last = PlainGame(live, view, self.console, options.seed)
        for name, seat in zip(view.sides, seats, strict=True):
            if not seat.is_human:
                self.console.say(f"{name} is {seat.label}.")
        self._last.play()

    def ask(self, question: str, help_text: str) -> str | None:
        """Return an answer at the menu; None if it was `undo` or `hint`, which are handled here."""
        answer = self.console.ask(question, help_text)
        if answer.lower() == "undo":
            if self._last is None or not self._last.go_on():
                self.console.say("There is nothing to undo.")
            else:
                self._last.play()
            return None
        if answer.lower() == "hint":
            self.console.say(NO_HINT)
            return None
        return answer

    def refuse(self, answer: str, expected: str) -> None:
        self.console.say(f"Please answer {expected}" + (f", not {answer!r}." if answer else "."))

    def _close_last(self) -> None:
        if self._last is not None:
            self._last.live.close()
