"""Writes a game in the strict form: headers, an empty line, then moves in lines of fewer than 80 columns."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum, auto

from outplay.errors import NotationError, wrong_type
from outplay.notation import endings
from outplay.notation.headers import GAME_TYPES, RESERVED
from outplay.notation.tokens import GLYPHS, HEADER_NAME, MOST_GLYPH, clean, escape, words
from outplay.outcome import Side
from outplay.record import AnyGame, AnyNode, Game
from outplay.rules import NoProgress

WIDTH = 79
_SIGNS = {number: sign for sign, number in GLYPHS.items() if sign != "*"}


def write(game: AnyGame) -> str:
    """Return the whole game: headers, main line, variations, comments, glyphs and result, and a line break."""
    if not isinstance(game, Game):
        raise wrong_type("game", "a Game", game)
    page = _Page()
    _write_tree(page, game)
    page.put(endings.result_text(game))
    return "\n".join([*_header_lines(game), "", *page.lines(), ""])


def _header_lines(game: AnyGame) -> list[str]:
    """Return the headers of a game, one per line: its own in order, then those that follow from the game."""
    reserved = dict(_reserved_of(game))
    taken = RESERVED | {name.casefold() for name in reserved}
    own = {name: value for name, value in game.headers.items() if name.casefold() not in taken}
    return [_line(name, value) for name, value in (own | reserved).items()]


def _reserved_of(game: AnyGame) -> Iterator[tuple[str, str]]:
    start = game.start
    yield "Result", endings.result_text(game)
    yield "GameType", GAME_TYPES[game.rules.name]
    size = game.rules.size(start)
    if size != game.rules.size(game.rules.start()):
        yield "Size", "{}x{}".format(*size)
    if start != game.rules.read("start", size):
        yield "SetUp", "1"
        yield "FEN", start.fen()
    if game.no_progress != game.rules.no_progress:
        yield "NoProgress", _no_progress_text(game.no_progress)
    if termination := endings.termination_text(game):
        yield "Termination", termination


def _no_progress_text(limit: NoProgress | None) -> str:
    if limit is None:
        return "none"
    return f"{limit.plies}" if limit.man_moves_count else f"{limit.plies} captures"


def _line(name: str, value: str) -> str:
    if not HEADER_NAME.fullmatch(name) or clean(name) != name:
        raise NotationError(name, "a header's name is one word without quotes, brackets, braces, \\ or ;")
    return f'[{name} "{escape(value)}"]'


class _Step(Enum):
    FOLLOW = auto()
    OPEN = auto()
    CLOSE = auto()


def _write_tree(page: _Page, game: AnyGame) -> None:
    """Write each move, then its variations, then the next move; a stack instead of recursion, for deep trees."""
    offset = 1 if game.start.side is Side.SECOND else 0
    for glyph in game.root.glyphs:
        page.put(_glyph(glyph))
    page.comment(game.root.comment)
    stack = [(_Step.FOLLOW, game.root, offset)]
    needs_number = True
    while stack:
        step, node, ply = stack.pop()
        if step is _Step.CLOSE:
            page.close()
            needs_number = True
        elif step is _Step.OPEN:
            page.open()
            needs_number = _write_move(page, node, ply, needs_number=True)
        elif node.children:
            main, *others = node.children
            needs_number = _write_move(page, main, ply, needs_number)
            stack.append((_Step.FOLLOW, main, ply + 1))
            for other in reversed(others):
                stack += [(_Step.CLOSE, other, ply), (_Step.FOLLOW, other, ply + 1), (_Step.OPEN, other, ply)]


def _write_move(page: _Page, node: AnyNode, ply: int, needs_number: bool) -> bool:
    """Write a move with its glyphs and comment; return whether the next move needs its number."""
    if ply % 2 == 0:
        page.put(f"{ply // 2 + 1}.")
    elif needs_number:
        page.put(f"{ply // 2 + 1}...")
    sign, *glyphs = node.glyphs if node.glyphs and node.glyphs[0] in _SIGNS else [0, *node.glyphs]
    page.put(node.text + _SIGNS.get(sign, ""))
    for glyph in glyphs:
        page.put(_glyph(glyph))
    return page.comment(node.comment)


def _glyph(number: int) -> str:
    if number not in range(MOST_GLYPH + 1):
        raise NotationError(str(number), f"a glyph is a number from 0 to {MOST_GLYPH}")
    return f"${number}"


class _Page:
    """Sets words in lines. The last word is held back, because a closing bracket may follow it."""

    def __init__(self) -> None:
        self._lines: list[str] = []
        self._line = ""
        self._word = ""
        self._before = ""

    def put(self, word: str) -> None:
        self._set()
        self._word, self._before = self._before + word, ""

    def open(self) -> None:
        self._before = "("

    def close(self) -> None:
        if not self._word or len(self._word) > WIDTH // 2:
            self.put(")")
        else:
            self._word += ")"

    def comment(self, text: str) -> bool:
        """Write a comment, if there is one: in braces, or on lines of its own if it contains a brace."""
        if not text or not (text := words(text)):
            return False
        if "}" in text or "[" in text:
            self._break()
            for line in _wrapped(text, WIDTH - 2):
                self._lines.append(f"; {line}")
        else:
            for word in ("{" + text + "}").split():
                self.put(word)
        return True

    def lines(self) -> list[str]:
        self._break()
        return self._lines

    def _set(self) -> None:
        """Write the held word into the line, or into the next one."""
        if self._line and len(self._line) + 1 + len(self._word) > WIDTH:
            self._lines.append(self._line)
            self._line = ""
        self._line = f"{self._line} {self._word}" if self._line and self._word else self._line + self._word
        self._word = ""

    def _break(self) -> None:
        self._set()
        if self._line:
            self._lines.append(self._line)
        self._line = ""


def _wrapped(text: str, width: int) -> Iterator[str]:
    line = ""
    for word in text.split():
        if line and len(line) + 1 + len(word) > width:
            yield line
            line = ""
        line = f"{line} {word}" if line else word
    yield line
