"""Builds one game from its tokens, or finds the first error in them.

Variations are a stack of lines, not a recursion, so no file can nest them too deep.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from outplay.errors import NotationError, OutplayError
from outplay.notation import endings, headers
from outplay.notation.tokens import Kind, Token
from outplay.record import AnyGame, AnyNode
from outplay.rules import CHECKERS, Rules

_MOST_NOTES = 20


class GameTextError(NotationError):
    """A game cannot be read: `.name` is the file, `.game` the game's number in it, `.line` the line, `.ply` the ply.

    `.ply` is None if the error is not about a move. `.reason` says what is wrong, `.text` what was read.
    """

    def __init__(self, text: str, reason: str, name: str, game: int, line: int, ply: int | None = None) -> None:
        where = f"{name}, game {game}, line {line}" + ("" if ply is None else f", ply {ply}")
        super().__init__(text, reason, where)
        self.args = (text, reason, name, game, line, ply)
        self.name, self.game, self.line, self.ply = name, game, line, ply

    def __str__(self) -> str:
        return f"{self.where}: {self.reason}"


@dataclass(slots=True)
class _Line:
    """The main line or a variation, as far as it is read; in the file it begins on line `begins`."""

    node: AnyNode
    ply: int
    begins: int
    is_fresh: bool = False
    """A variation that has no move yet."""
    is_owner: bool = True
    """True if this line added `node`: its next move is then put before the moves of other lines."""
    number: str = ""
    """A move number that waits for its move."""
    comments: list[str] = field(default_factory=list)
    glyphs: list[int] = field(default_factory=list)
    """Glyphs and comments read before the first move: they belong to that move."""


class Draft:
    """Takes the tokens of one game. After an error it only looks for the end of the game."""

    def __init__(self, name: str, number: int, line: int, default: Rules) -> None:
        self.name, self.number, self.line, self.default = name, number, line, default
        self.headers: dict[str, str] = {}
        self.notes: list[str] = []
        self.game: AnyGame | None = None
        self.error: GameTextError | None = None
        self._header_lines: dict[str, int] = {}
        self._named: Rules | None = None
        """The game that the headers so far name; None if it was not looked up since the last header."""
        self._result: str | None = None
        self._has_body = False
        self._depth = 0
        self._lines: list[_Line] = []
        self._preface: list[str] = []
        self._comments: dict[AnyNode, list[str]] = {}

    @property
    def is_empty(self) -> bool:
        return not (self.headers or self._has_body or self.error)

    def ends_before(self, token: Token) -> bool:
        """Return whether the next game begins with this token."""
        token = self._understood(token)
        if token.kind is Kind.HEADER:
            is_after_junk = self.error is not None and not self.headers
            return self._has_body or token.text in self.headers or is_after_junk
        return self._result is not None and token.kind in (Kind.NUMBER, Kind.MOVE, Kind.WORD)

    def take(self, token: Token) -> None:
        if token is not (token := self._understood(token)):
            self._note(f"line {token.line}: words among the moves are read as a comment")
        self._depth = max(0, self._depth + (token.kind is Kind.OPEN) - (token.kind is Kind.CLOSE))
        self._has_body |= token.kind not in (Kind.HEADER, Kind.COMMENT, Kind.BAD)
        if token.kind is Kind.HEADER:
            self.headers[token.text] = token.value
            self._named = None
            self._header_lines[token.text] = token.line
        elif token.kind is Kind.RESULT:
            self._result = self._result or (token.text if self._depth == 0 else None)
        elif token.kind is Kind.BAD and self._result is not None:
            self._note(f"line {token.line}: text after the result is ignored")
        elif self.error is None:
            self._read(token)

    def _understood(self, token: Token) -> Token:
        """Turn words among checkers moves into comments, as if in braces. In Connect Four letters are columns."""
        if token.kind is not Kind.WORD or not token.text.isalpha() or not (self.headers or self._has_body):
            return token
        return token._replace(kind=Kind.COMMENT) if self._rules() is CHECKERS else token

    def _rules(self) -> Rules:
        if self.game is not None:
            return self.game.rules
        if self._named is None:
            try:
                self._named = headers.rules_in(self.headers, self.default)
            except NotationError:  # reported when the game is set up
                self._named = self.default
        return self._named

    def finish(self) -> None:
        """End the game after its last token: attach the comments and determine how the game ended."""
        if self.error is None and self.game is None:
            self._set_up()
        if self.error is None and self._lines:
            self._check_number(self._lines[-1])
        if self.error is None and len(self._lines) > 1:
            self._fail("(", "this variation has no end", self._lines[-1].begins, self._lines[-1].ply)
        if self.error is not None or self.game is None:
            self.game = None
            return
        for node, parts in self._comments.items():
            node.comment = " ".join(filter(None, parts))
        self._settle(self.game)

    def _settle(self, game: AnyGame) -> None:
        result, note = endings.agreed(headers.get(self.headers, "Result"), self._result or "*")
        self._note(note)
        is_used, note = endings.settle(game, result, headers.get(self.headers, "Termination"))
        if is_used:
            game.headers = {name: value for name, value in game.headers.items() if name.casefold() != "termination"}
        self._note(note)

    def _note(self, text: str) -> None:
        if text and text not in self.notes and len(self.notes) < _MOST_NOTES:
            self.notes.append(text)

    def _fail(self, text: str, reason: str, line: int, ply: int | None = None) -> None:
        self.error = GameTextError(text, reason, self.name, self.number, line, ply)

    def _set_up(self) -> bool:
        """Make the game that the headers describe; return False if they cannot be understood."""
        try:
            self.game = headers.new_game(self.headers, self.default)
        except OutplayError as error:
            text = error.text if isinstance(error, NotationError) else headers.get(self.headers, "FEN")
            lines = (self._header_lines[name] for name, value in self.headers.items() if value == text)
            self._fail(text, str(error), next(lines, self.line))
            return False
        self._lines.append(_Line(self.game.root, 0, self.line))
        self._comments[self.game.root] = self._preface
        return True

    def _read(self, token: Token) -> None:
        if token.kind is Kind.BAD:
            reason = str(NotationError(token.text, token.value))
            self._fail(token.text, reason, token.line, self._lines[-1].ply + 1 if self._lines else None)
        elif token.kind is Kind.COMMENT:
            self._comment(token.text)
        elif self.game is not None or self._set_up():
            line = self._lines[-1]
            if token.kind is Kind.OPEN:
                self._open(line, token)
            elif token.kind is Kind.CLOSE:
                self._close(line, token)
            elif token.kind is Kind.NUMBER:
                self._number(line, token)
            elif token.kind is Kind.GLYPH:
                (line.glyphs if line.is_fresh else line.node.glyphs).append(int(token.value))
            else:
                self._moves(line, token)

    def _comment(self, text: str) -> None:
        if self._lines and self._lines[-1].is_fresh:
            self._lines[-1].comments.append(text)
        else:
            (self._comments.setdefault(self._lines[-1].node, []) if self._lines else self._preface).append(text)

    def _open(self, line: _Line, token: Token) -> None:
        if line.is_fresh or line.node.parent is None:
            self._fail(token.text, "a variation must follow the move that it replaces", token.line, line.ply)
        else:
            self._lines.append(_Line(line.node.parent, line.ply - 1, token.line, is_fresh=True, is_owner=False))

    def _close(self, line: _Line, token: Token) -> None:
        if len(self._lines) == 1:
            self._fail(token.text, "there is no variation to close", token.line, line.ply)
            return
        self._check_number(line)
        self._lines.pop()
        for text in line.comments if line.is_fresh else ():
            self._comment(text)

    def _moves(self, line: _Line, token: Token) -> None:
        is_checkers = self._rules() is CHECKERS
        if is_checkers and token.kind is Kind.WORD and token.text.isdigit():
            return  # a move number that lost its dot
        try:
            for text in [token.text] if is_checkers or token.kind is Kind.MOVE else token.text:
                self._move(line, text)
        except OutplayError as error:
            self._fail(token.text, str(error), token.line, line.ply + 1)
            assert self.error is not None
            self.error.__cause__ = error

    def _move(self, line: _Line, text: str) -> None:
        siblings = line.node.children
        count = len(siblings)
        child = line.node.add(line.node.position.parse(text))
        if line.is_owner and siblings[0] is not child:
            siblings.remove(child)
            siblings.insert(0, child)
        if line.is_fresh:
            self._comments.setdefault(child, []).extend(line.comments)
            child.glyphs.extend(line.glyphs)
        line.is_owner = line.is_owner or len(siblings) > count
        line.node, line.ply, line.is_fresh, line.number = child, line.ply + 1, False, ""

    def _number(self, line: _Line, token: Token) -> None:
        """Ignore move numbers in checkers; in Connect Four check them, since `4.` may be a move followed by a dot."""
        self._check_number(line)
        offset = 0 if self.game is None else self.game.start.side
        if self._rules() is not CHECKERS and token.text != str(expected := (line.ply + offset) // 2 + 1):
            reason = f"{token.text}. is not a move; the move number here is {expected}."
            self._fail(token.text, reason, token.line, line.ply + 1)
        line.number = token.text

    def _check_number(self, line: _Line) -> None:
        if self._rules() is not CHECKERS and line.number:
            self._fail(line.number, f"no move follows the number {line.number}.", line.begins, line.ply)
