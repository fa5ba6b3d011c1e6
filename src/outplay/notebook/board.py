"""The widget: Python sends it what to show as a `Frame`, and what people do on it comes back as a message."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import anywidget
import traitlets

from outplay.errors import OutplayError, wrong_type
from outplay.lab.trace import Trace
from outplay.notebook.frames import Film, Frame, GameFilm, TraceFilm, arrow_frames, legal_frames, score_chips
from outplay.outcome import Side
from outplay.players import Player, PlayerLike, best_move, opponent_player
from outplay.record import AnyGame, Game
from outplay.rules import RULES, Move, rules_named, rules_of

WIDGET = Path(__file__).parent / "static" / "widget.js"


class Board(anywidget.AnyWidget):
    """A board to play on, to replay a game, or to walk through a recorded search.

    `what` is the name of a game, a position, a `Game` or a `Trace` of the lab. In a game you play both sides by clicks,
    or one side if there is an `opponent`: any player, which answers at once. The buttons below go back and forward; a
    move from an earlier position begins a new line. `scores` shows what each move is worth, `arrows` points at these
    moves in the position that the board shows first.

    >>> board = Board("connect4", opponent="level:2")
    >>> _ = board.play("4")
    >>> board.game.ply
    2
    """

    _esm = WIDGET if WIDGET.exists() else "export default { render({ el }) { el.textContent = 'not built'; } };"
    frame = traitlets.Dict().tag(sync=True)

    def __init__(
        self,
        what: Any = "connect4",
        *,
        opponent: PlayerLike | None = None,
        side: Side = Side.FIRST,
        scores: bool = False,
        arrows: Sequence[Move | str] = (),
    ) -> None:
        """Make a board. `side` is your side if there is an opponent. Default: the first, Red or Black."""
        super().__init__()
        if not isinstance(side, Side):
            raise wrong_type("side", "a Side", side)
        if isinstance(arrows, str):
            raise wrong_type("arrows", "a list of moves", arrows)
        self.game: AnyGame | None = None
        self.scores, self.side = scores, side
        self._opponent: Player | None = None
        self._film: Film = self._film_of(what)
        if opponent is not None:
            start = self._film.position(0)
            self._opponent = opponent_player(opponent, rules_of(start).name)
        self._at = self.game.ply if self.game is not None else 0
        self._arrows = (self._at, arrow_frames(self._film.position(self._at), arrows))
        self.on_msg(self._take)
        self._answer()
        self._show()

    def _film_of(self, what: Any) -> Film:
        if isinstance(what, Trace):
            return TraceFilm(what)
        if isinstance(what, str):
            what = rules_named(what).start()
        if any(isinstance(what, rules.position_type) for rules in RULES.values()):
            what = Game(what)
        if not isinstance(what, Game):
            raise wrong_type("what", "a position, a Game, a Trace or the name of a game", what)
        self.game = what
        return GameFilm(what)

    def play(self, move: Move | str) -> Frame:
        """Play a move in the position that is shown, let the opponent answer, and return the new frame.

        If the opponent fails, your move stays on the board. To ask the opponent again, go back and play again.
        """
        if self.game is None:
            raise ValueError("this board shows a recorded search: no move can be played on it")
        assert isinstance(self._film, GameFilm)
        if not self._is_mine(self._at):
            raise ValueError("it is the opponent's turn here: go back to a position in which it is your turn")
        self.game.go_to(self._film.node(self._at))
        self.game.play(move)
        self._follow()
        try:
            self._answer()
        finally:
            self._show()
        return self.frame

    def _is_mine(self, at: int) -> bool:
        """Say whether the side to move in this frame is played by you."""
        return self._opponent is None or self._film.position(at).side == self.side

    def go_to(self, at: int) -> Frame:
        """Show and return the frame with this index: in a game the ply, in a trace the number of the visit."""
        if not isinstance(at, int):
            raise wrong_type("at", "a whole number", at)
        self._at = max(0, min(len(self._film) - 1, at))
        self._show()
        return self.frame

    def _answer(self) -> None:
        game = self.game
        if self._opponent is None or game is None or game.outcome() is not None or game.position.side == self.side:
            return
        game.play(best_move(game.position, self._opponent))
        self._follow()

    def _follow(self) -> None:
        """Show the current position of the game."""
        assert self.game is not None
        self._film, self._at = GameFilm(self.game), self.game.ply

    def _show(self, problem: str = "") -> None:
        position = self._film.position(self._at)
        frame = self._film.frame(self._at)
        may_play = self.game is not None and self._is_mine(self._at) and not frame["won"] and position.outcome() is None
        arrows_at, arrows = self._arrows
        self.frame = {
            **frame,
            **(legal_frames(position) if may_play else {"legal": [], "must_capture": False}),
            "arrows": arrows if arrows_at == self._at else [],
            "chips": score_chips(position) if self.scores else [],
            "at": self._at,
            "of": len(self._film) - 1,
            "problem": problem,
        }

    def _take(self, _: Any, message: Any, __: Any) -> None:
        """Handle a message of the page. If a move is illegal, the reason is shown below the board."""
        try:
            if message.get("kind") == "play":
                self.play(str(message.get("move")))
            elif message.get("kind") == "go":
                self.go_to(int(message.get("at")))
        except (OutplayError, ValueError, TypeError) as error:
            self._show(str(error))
