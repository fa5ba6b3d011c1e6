"""Read what people paste: moves, positions, files of games, our own JSON and links.

`read_anything` takes any of these, guesses the game if none is named, and says how it read the text.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import chain
from os import PathLike
from pathlib import Path
from typing import Any, BinaryIO, cast
from urllib.parse import parse_qs, urlsplit

from outplay.errors import (
    GameOverError,
    IllegalMoveError,
    IllegalPositionError,
    NotationError,
    OutplayError,
    wrong_type,
)
from outplay.notation import pdn
from outplay.notation.builder import GameTextError
from outplay.notation.clues import (
    CHECKERS_MOVE,
    CHESS,
    HEADER,
    guessed,
    is_chess,
    squares_in_pairs,
    without_remarks,
)
from outplay.notation.coordinates import with_squares
from outplay.notation.headers import get
from outplay.notation.json import game_from_json, is_position, our_json
from outplay.notation.pdn import Entry, Source, chained, chained_text, decoded
from outplay.notation.positions import columns_in, connect4_labels, fen_in, is_checkers_board, position_in
from outplay.notation.tokens import clean
from outplay.notation.wrapping import bare, plain
from outplay.record import AnyGame, EitherGame, Game
from outplay.rules import RULES, rules_named

Check = Callable[[], None]
"""Called often while a long text is read; an exception from it ends the reading."""
USUAL_SIZE = (7, 6)
MOST_GAMES = 5_000
"""The largest number of games taken from one text. The rest is left out, and `is_cut` is True."""
MOST_PLIES = 2_000
"""The largest number of moves in one line of a game. A study has the same limits, so it can open every such game."""
MOST_NODES = 4_000
"""The largest number of moves of a game, all variations together."""
TOO_LONG = f"a game has at most {MOST_PLIES:,} moves in a line, and {MOST_NODES:,} with all variations"
MOST_NOTES = 20
UNKNOWN = "this is neither a game nor a position: give moves (4453, 11-15 22-18), a FEN, rows, PDN or a link"
_HEAD = 65_536
_LINK = re.compile(r"(?:https?://\S+|/(?:game|play|lab|analyse)\b\S*)")
_GAME_TYPE = re.compile(r'\[\s*GameType\s*"', re.IGNORECASE)


def no_check() -> None:
    pass


@dataclass(frozen=True, slots=True)
class Problem:
    """A game of the text that cannot be read."""

    number: int
    line: int
    message: str


@dataclass(slots=True)
class Pasted:
    """What a text holds."""

    entries: list[Entry] = field(default_factory=list)
    """The games in the order of the text, with those that cannot be read."""
    notes: list[str] = field(default_factory=list)
    """What was unusual but could be read."""
    form: str = ""
    """The form of the text: "FEN", "rows", "PDN", "JSON", "link", or how columns were counted; "" for plain moves."""
    link: str | None = None
    """The id of a game, if the text is a link to one."""
    is_position: bool = False
    """True if there is one game, in which no move was played."""
    is_cut: bool = False
    """True if there were more games than `MOST_GAMES`."""
    is_guess: bool = False
    """True if neither the caller nor the text named the game."""

    @property
    def games(self) -> list[EitherGame]:
        return [entry.game for entry in self.entries if entry.game is not None]

    @property
    def problems(self) -> list[Problem]:
        return [
            Problem(entry.number, entry.error.line, _message(entry.error))
            for entry in self.entries
            if entry.error is not None
        ]

    @property
    def game(self) -> AnyGame:
        """The first game, at the end of its main line.

        GameTextError if it cannot be read, NotationError if the text is a link to a saved game.
        """
        if not self.entries:
            raise NotationError(self.link or "", "this is a link to a saved game, not a position")
        first = self.entries[0]
        if first.game is None:
            assert first.error is not None
            raise first.error
        first.game.go_to(first.game.root.end())
        return first.game

    def plain_game(self) -> AnyGame:
        """The first game as a game of its own: the moves of its main line, without headers and variations."""
        found = self.game
        plain = Game(found.start)
        plain.go_to(plain.root.add_line(node.text for node in found.main_line()))
        return plain

    @property
    def what(self) -> str:
        """How the text was read, in words: "Connect Four: 4 moves", "checkers: 12 games (PDN)"."""
        if self.link is not None:
            return "a link to a saved game"
        names, bad = [_name(game) for game in self.games], len(self.entries) - len(self.games)
        return _in_words(names, self._content(), self.form, bad) + (
            f", only the first {MOST_GAMES:,} taken" if self.is_cut else ""
        )

    def _content(self) -> str:
        games = self.games
        if self.is_position:
            return "the start position" if games[0].start == _start_like(games[0]) else "a position"
        if len(self.entries) == 1 and games and self.form not in ("PDN", "JSON"):
            return counted(len(games[0].main_line()), "move")
        return counted(len(games), "game")


class GamesOfFile:
    """An iterator over the games of a file; when all are read, `what` says how the file was read."""

    def __init__(self, entries: Iterable[Entry], *, is_guess: bool, pasted: Pasted | None = None) -> None:
        self.is_guess = is_guess
        self._entries, self._pasted = iter(entries), pasted
        self._names: dict[str, int] = {}
        self._bad = 0
        self._first: Entry | None = None

    def __iter__(self) -> Iterator[Entry]:
        return self

    def __next__(self) -> Entry:
        entry = next(self._entries)
        self._first = self._first or entry
        if entry.game is None:
            self._bad += 1
        else:
            name = _name(entry.game)
            self._names[name] = self._names.get(name, 0) + 1
        return entry

    @property
    def what(self) -> str:
        """How the file was read, in the words of `Pasted.what`."""
        if self._pasted is not None:
            return self._pasted.what
        if self._first is not None and sum(self._names.values()) + self._bad == 1 and _is_position(self._first):
            return Pasted([self._first], form="FEN", is_position=True).what
        return _in_words(self._names, counted(sum(self._names.values()), "game"), "PDN", self._bad)


def _in_words(names: Iterable[str], content: str, form: str, bad: int) -> str:
    """Return a description such as "checkers: 12 games (PDN), 1 not readable"."""
    title = " and ".join(dict.fromkeys(names))
    form = f" ({form})" if form else ""
    return f"{title + ': ' if title else ''}{content}{form}{f', {bad:,} not readable' if bad else ''}"


def counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def _name(game: AnyGame) -> str:
    if game.rules.name == "checkers":
        return "checkers"
    width, height = game.rules.size(game.start)
    return game.rules.title if (width, height) == USUAL_SIZE else f"{game.rules.title} {width}x{height}"


def _start_like(game: AnyGame) -> Any:
    """Return the start position on a board of the same size."""
    size = game.rules.size(game.start) if game.rules.name == "connect4" else None
    return game.rules.read("start", size)


def _message(error: GameTextError) -> str:
    return error.reason if error.ply is None else f"ply {error.ply}: {error.reason}"


# Reading


def read_anything(
    text: str,
    game: str | None = None,
    size: tuple[int, int] | None = None,
    *,
    name: str = "text",
    check: Check = no_check,
) -> Pasted:
    """Read the games of a text. Raise NotationError, or an error of the rules, if it cannot be read.

    `game` applies if the text does not name one; default: a guess. `size` is the board of plain Connect Four moves;
    default: 7 x 6. A game in a file that cannot be read is listed in `problems`; the others are read as usual. Error
    messages call the text `name`. `check` is called often while a long text is read; an exception from it ends the
    reading.
    """
    if not isinstance(text, str):
        raise wrong_type("text", "a str", text)
    if game is not None:
        rules_named(game)
    text = bare(text)
    if _LINK.fullmatch(text):
        return _from_link(text)
    ours = our_json(text)
    if ours is not None:
        found = _collected(_json_entries(ours, name), "JSON", check)
        found.is_position = len(ours) == 1 and is_position(ours[0]) and bool(found.games)
        return found
    if HEADER.search(text):
        return _from_pdn(text, game, name, check)
    text = plain(text)
    if is_chess(text):
        raise NotationError(text, CHESS)
    found = _from_list(text, game, size, name, check) or _plain(text, game or guessed(text), size, name, check)
    found.is_guess = game is None
    return found


def read_one(text: str, game: str | None = None, size: tuple[int, int] | None = None) -> Pasted:
    """Read a text that stands for one position, with the moves that led to it; an empty string is the start.

    If the text has several games, the first one counts. IllegalPositionError if its moves cannot be played,
    NotationError if it cannot be read or is not a game of `game`.
    """
    try:
        found = read_anything(text.strip() or "start", game, size)
        one = found.game
    except GameTextError as error:
        if '"' in text or not isinstance(error.__cause__, IllegalMoveError | GameOverError):
            raise
        raise _unplayable(error.__cause__) from None
    except (IllegalMoveError, GameOverError) as error:
        raise _unplayable(error) from None
    if game is not None and one.rules.name != game:
        raise NotationError(clean(text), f"there is no game of {RULES[game].title} in it")
    return found


def _unplayable(error: IllegalMoveError | GameOverError) -> IllegalPositionError:
    if isinstance(error, IllegalMoveError):
        return IllegalPositionError([f"{error.move} cannot be played: {error.reason}"])
    return IllegalPositionError([f"the moves go on after the end of the game: {error.reason}"])


def read(source: Source, *, name: str = "", game: str | None = None) -> GamesOfFile:
    """Read the games of a text, a path or an open file, one by one, in any form that `read_anything` knows.

    A `str` is the text itself, never a path. A game that cannot be read gives an `Entry` with its error, and the next
    one is read as usual. PDN is read as a stream, so a file may be of any length. Error messages call the source
    `name`. `game` applies if the text does not name one; default: a guess. When all games are read, `what` says how the
    source was read.

    >>> [entry] = found = read("4453")
    >>> entry.game, found.what
    (<Game of Connect Four: 4 moves, Red to move>, 'Connect Four: 4 moves')
    """
    if game is not None:
        rules_named(game)
    name = name or pdn.name_of(source)
    if isinstance(source, PathLike):
        file = Path(source).open("rb")  # noqa: SIM115  # open until its games are read
        found = read_file(file, game, name=name)
        found._entries = _closing(file, found._entries)
        return found
    if isinstance(source, str):
        return _games_of(source[:_HEAD], lambda: source, lambda: source, game, name)
    if isinstance(source, io.TextIOBase):
        head = source.read(_HEAD)
        return _games_of(head, lambda: head + source.read(), lambda: chained_text(head, source), game, name)
    return read_file(cast(BinaryIO, source), game, name=name)


def _closing(file: BinaryIO, entries: Iterator[Entry]) -> Iterator[Entry]:
    with file:
        yield from entries


def games(source: Source, *, name: str = "", game: str | None = None) -> Iterator[EitherGame]:
    """Read the games of a source as `read` does; raise GameTextError at the first that cannot be read."""
    for entry in read(source, name=name, game=game):
        if entry.game is None:
            assert entry.error is not None
            raise entry.error
        yield entry.game


def read_file(stream: BinaryIO, game: str | None = None, *, name: str = "text") -> GamesOfFile:
    """Read the games of an open file of any kind. PDN is read as a stream, so such a file may be of any length."""
    if not hasattr(stream, "read"):
        raise wrong_type("source", "text, a path or an open file", stream)
    head = stream.read(_HEAD)
    return _games_of(decoded(head), lambda: decoded(head + stream.read()), lambda: chained(head, stream), game, name)


def _games_of(
    head: str, text: Callable[[], str], whole: Callable[[], Source], game: str | None, name: str
) -> GamesOfFile:
    """Return the games of a source. `head`, its first part, decides: PDN is read as a stream, all else as a whole."""
    start = head.strip()
    if HEADER.search(start) and not start.startswith(("{", "[{", ">")):
        kind, is_guess = _kind_of(start, game)
        entries = pdn.read(whole(), name=name, game=kind)
        first = next(entries, None)
        if first is None or first.error is None or not is_chess(start):
            return GamesOfFile(entries if first is None else chain([first], entries), is_guess=is_guess)
    if not start:
        return GamesOfFile([], is_guess=False)
    try:
        if is_chess(start):
            raise NotationError(start, CHESS)
        found = read_anything(text(), game, name=name)
        if found.link is not None:
            raise NotationError(found.link, "this is a link to a saved game, not a file of games")
    except OutplayError as error:
        failed = GameTextError(start, str(error), name, 1, 1)
        return GamesOfFile([Entry(1, 1, error=failed)], is_guess=False)
    return GamesOfFile(found.entries, is_guess=found.is_guess, pasted=found)


def _plain(text: str, game: str, size: tuple[int, int] | None, name: str, check: Check) -> Pasted:
    """Read a text without headers: moves or one position."""
    if text.casefold() == "start":
        start = RULES[game].read("start", size if game == "connect4" else None)
        return Pasted([Entry(1, 1, game=Game(start))], is_position=True)
    fen = fen_in(game, text)
    if fen is not None:
        return _position(game, fen, "FEN")
    if game == "checkers":
        found = with_squares(text)
        text, left_hand = found or (text, "")
        squares = squares_in_pairs(text)
        if squares is not None:
            text = " ".join(f"{start}x{end}" for start, end in zip(squares[::2], squares[1::2], strict=True))
        if CHECKERS_MOVE.search(text):
            listed = text if "{" in text else text.replace(",", " ")
            return _moves(
                text,
                pdn.read(listed, name=name, game=game, check=check),
                f"coordinates, a1 at {left_hand}'s left" if left_hand else "",
            )
        if is_checkers_board(text):
            return _position(game, text, "rows")
        raise NotationError(text, UNKNOWN)
    return _plain_connect4(text, size or USUAL_SIZE, name, check)


def _from_list(text: str, game: str | None, size: tuple[int, int] | None, name: str, check: Check) -> Pasted | None:
    """Read a list as Python prints one: columns from 0, as in `Game.moves`, or moves as strings."""
    if not text.startswith("[") or not text.endswith("]"):
        return None
    inner = text[1:-1].strip().rstrip(",")
    texts = re.findall(r"['\"]([^'\"]*)['\"]", inner)
    if texts and not re.sub(r"(?:checkers\.)?Move\(|['\"][^'\"]*['\"]|[\s,)]", "", inner):
        listed = " ".join(texts)
        return _plain(listed, game or guessed(listed), size, name, check)
    if not re.fullmatch(r"[0-9]{1,3}(?:\s*,\s*[0-9]{1,3})*", inner):
        return None
    if (game or guessed(inner)) == "checkers":
        return _plain(inner, "checkers", size, name, check)
    columns, (width, _) = [int(number) for number in inner.split(",")], size or USUAL_SIZE
    least = 1 if 0 not in columns and width in columns else 0
    for column in columns:
        if not least <= column < least + width:
            numbers = f"in a list, columns are numbered {least} to {width - 1 + least}"
            raise NotationError(text, f"there is no column {column}: {numbers}")
    moves = "".join(connect4_labels(width)[column - least] for column in columns)
    return _collected([_one_line(moves, 1, size or USUAL_SIZE, name)], f"list, columns from {least}", check)


def _plain_connect4(text: str, size: tuple[int, int], name: str, check: Check) -> Pasted:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if "\n" in text and _are_games(lines):
        return _collected((_one_line(line, number, size, name) for number, line in enumerate(lines, 1)), "", check)
    if "\n" in text or text.startswith("["):
        return _position("connect4", text, "rows")
    numbered = _numbered(text, size, name, check)
    if numbered is not None:
        return numbered
    columns = columns_in(text, size)
    if columns is None:
        raise NotationError(text, UNKNOWN)
    return _collected([_one_line(columns, 1, size, name)], "")


def _are_games(lines: list[str]) -> bool:
    """Return whether each line is a game of its own, as in a list of openings, and not a row of a board (0 to 2)."""
    return all(line.isascii() and line.isdecimal() for line in lines) and any(
        set(line) & set("3456789") for line in lines
    )


def _one_line(columns: str, number: int, size: tuple[int, int], name: str) -> Entry:
    """Return the game of these columns."""
    game = Game(RULES["connect4"].read("start", size))
    for ply, column in enumerate(columns, 1):
        try:
            game.go_to(game.current.add(game.position.parse(column)))
        except (NotationError, IllegalMoveError, GameOverError) as error:
            failed = GameTextError(column, str(error), name, number, number, ply)
            failed.__cause__ = error
            return Entry(number, number, error=failed)
    return Entry(number, number, game=game)


def _numbered(text: str, size: tuple[int, int], name: str, check: Check) -> Pasted | None:
    """Read moves with move numbers, a result or comments, as in "1. 4 4 2. 5 3 *"; None for plain columns."""
    if not re.match(r"\s*1\.", text) and not re.search(r"[{*]|\d-\d", text):
        return None
    entries = list(pdn.read(f'[Size "{size[0]}x{size[1]}"] {text}', name=name, game="connect4", check=check))
    is_number_wrong = re.fullmatch(r"[\s1-9.,;]+", text) is not None and any(entry.error for entry in entries)
    return None if is_number_wrong else _moves(text, entries)


def _moves(text: str, entries: Iterable[Entry], form: str = "") -> Pasted:
    found = _collected(entries, form)
    if any(CHECKERS_MOVE.search(line.partition(";")[2]) for line in text.splitlines()):
        found.notes.append("the text after a semicolon is read as a comment")
    if not any(entry.error or (entry.game and entry.game.main_line()) for entry in found.entries):
        raise NotationError(text, UNKNOWN)
    return found


def _position(game: str, text: str, form: str) -> Pasted:
    return Pasted([Entry(1, 1, game=Game(position_in(game, text)))], form=form, is_position=True)


def _from_link(text: str) -> Pasted:
    """Read a link of ours. It is parsed, never followed."""
    try:
        parts = urlsplit(text)
        query = {name: values[0] for name, values in parse_qs(parts.query).items()}
    except ValueError:
        raise NotationError(text, "this is not a link that can be read") from None
    path = [part for part in parts.path.split("/") if part]
    page, last = ("", *path)[-2:] if path else ("", "")  # a server may be under a sub-path
    if page == "game":
        return Pasted(link=last, form="link")
    if last == "analyse" and query.get("game", "") not in ("", *RULES):
        return Pasted(link=query["game"], form="link")
    game = last if page == "play" else query.get("game", "")
    if game not in RULES or not query.get("pos"):
        raise NotationError(text, "this link names no game and no position of outplay")
    found = read_one(query["pos"], game, _size(query.get("size", "")))
    found.form, found.is_guess = "link", False
    return found


def _size(text: str) -> tuple[int, int]:
    match = re.fullmatch(r"([0-9]{1,2})x([0-9]{1,2})", text)
    return (int(match[1]), int(match[2])) if match else USUAL_SIZE


# Files of games


def _from_pdn(text: str, game: str | None, name: str, check: Check) -> Pasted:
    kind, is_guess = _kind_of(text, game)
    found = _collected(pdn.read(text, name=name, game=kind, check=check), "PDN", check)
    if not found.games and is_chess(text):
        raise NotationError(text, CHESS)
    found.is_guess = is_guess
    if len(found.entries) == 1 and _is_position(found.entries[0]):
        found.is_position, found.form = True, "FEN"
    return found


def _is_position(entry: Entry) -> bool:
    """Return whether a game with headers is nothing but a FEN."""
    return entry.game is not None and not entry.game.main_line() and bool(get(entry.headers, "FEN"))


def _kind_of(text: str, game: str | None) -> tuple[str, bool]:
    """Return the game of a text with headers, and whether it is a guess: checkers, unless that is impossible."""
    if game is not None or _GAME_TYPE.search(text):
        return game or "checkers", False
    fen = re.search(r'\[\s*FEN\s*"([^"]*)"', text, re.IGNORECASE)
    body = without_remarks(text)
    is_columns = re.search(r"(?<![-x])\b[1-9a-p]+\b(?![-x.])", body) and not CHECKERS_MOVE.search(body)
    is_connect4 = "/" in fen[1] if fen else bool(is_columns)
    return "connect4" if is_connect4 else "checkers", True


def _collected(entries: Iterable[Entry], form: str, check: Check = no_check) -> Pasted:
    found = Pasted(form=form)
    for entry in entries:
        if len(found.entries) >= MOST_GAMES:
            found.is_cut = True
            break
        check()
        if entry.game is not None and _is_too_long(entry.game):
            error = GameTextError("", TOO_LONG, "text", entry.number, entry.line)
            entry = Entry(entry.number, entry.line, entry.headers, error=error)
        found.entries.append(entry)
        notes = (f"game {entry.number}: {note}" for note in entry.notes)
        found.notes += list(notes)[: MOST_NOTES - len(found.notes)]
    if not found.entries:
        raise NotationError("", "there is no game and no position in it")
    return found


def _is_too_long(game: AnyGame) -> bool:
    waiting, count = [(game.root, 0)], -1  # the start is not a move
    while waiting:
        node, ply = waiting.pop()
        count += 1
        if ply > MOST_PLIES or count > MOST_NODES:
            return True
        waiting += [(child, ply + 1) for child in node.children]
    return False


def _json_entries(games: list[dict[str, Any]], name: str) -> Iterator[Entry]:
    for number, values in enumerate(games, 1):
        try:
            yield Entry(number, 1, game=game_from_json(values))
        except OutplayError as error:
            yield Entry(number, 1, error=GameTextError("", str(error), name, number, 1))
