"""Reading whatever people paste: moves, positions, files of games, our own JSON and links.

`read_anything` takes any of these, guesses the game if none is named, and says how it read the text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, BinaryIO
from urllib.parse import parse_qs, urlsplit

from outplay.errors import GameOverError, IllegalMoveError, IllegalPositionError, NotationError, OutplayError
from outplay.notation.builder import GameTextError
from outplay.notation.headers import get
from outplay.notation.json import game_from_json, our_json
from outplay.notation.pdn import Entry, chained, decoded, read
from outplay.notation.positions import CHECKERS_FEN, columns_in, fen_in, is_checkers_board, position_in
from outplay.notation.tokens import clean
from outplay.record import AnyGame, Game
from outplay.rules import RULES

Check = Callable[[], None]
"""Called often while a long text is read: what it raises ends the reading."""
USUAL_SIZE = (7, 6)
MOST_GAMES = 5_000
"""Games taken from one text. The rest is left out, and `is_cut` says so."""
MOST_PLIES = 2_000
"""Moves of one line of a game. What is read here, a study can open: it has the same limits."""
MOST_NODES = 4_000
"""Moves of a game, all variations together."""
TOO_LONG = f"a game has at most {MOST_PLIES:,} moves in a line, and {MOST_NODES:,} with all variations"
MOST_NOTES = 20
UNKNOWN = "this is neither a game nor a position: give moves (4453, 11-15 22-18), a FEN, rows, PDN or a link"
_HEAD = 65_536
_LINK = re.compile(r"(?:https?://\S+|/(?:game|play|lab|analyse)\b\S*)")
HEADER = re.compile(r'\[\s*[A-Za-z]\w*\s*"')
_GAME_TYPE = re.compile(r'\[\s*GameType\s*"', re.IGNORECASE)
_COMMENT = re.compile(r"\{[^{}]*\}|;[^\n]*|\[[^\[\]\n]*\]")  # none holds another: this keeps the search linear
_CHECKERS_MOVE = re.compile(r"\b[0-9]{1,2}\s*[-‐‑‒–—−xX×:]\s*[0-9]{1,2}\b")  # noqa: RUF001
_RESULT = re.compile(r"\b(?:1-0|0-1|1/2-1/2|2-0|0-2|1-1|0-0)(?=\s|$)")
_FENCE = re.compile(r"```\w*\n(.*?)\n?```", re.DOTALL)
_QUOTES = dict(zip("\"'`“«‘", "\"'`”»’", strict=True))  # noqa: RUF001
_LABEL = re.compile(r"(?:fen|position|pos|moves)\s*[:=]\s+|fen\s+", re.IGNORECASE)


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
    """How it is written: "FEN", "rows", "PDN", "JSON", "link"; empty for plain moves."""
    link: str | None = None
    """The id of a game, if the text is a link to one."""
    is_position: bool = False
    """There is one game, and nothing was played in it."""
    is_cut: bool = False
    """There were more games than `MOST_GAMES`."""
    is_guess: bool = False
    """Neither the caller nor the text named the game."""

    @property
    def games(self) -> list[AnyGame]:
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
        """The first game, at the end of its main line. GameTextError if it cannot be read."""
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
        if len(self.entries) == 1 and games and self.form in ("", "link"):
            return counted(len(games[0].main_line()), "move")
        return counted(len(games), "game")


class GamesOfFile:
    """The games of a file, one by one; when all are read, `what` says how the file was read."""

    def __init__(self, entries: Iterable[Entry], *, is_guess: bool, pasted: Pasted | None = None) -> None:
        self.is_guess = is_guess
        self._entries, self._pasted = entries, pasted
        self._names: dict[str, int] = {}
        self._bad = 0

    def __iter__(self) -> Iterator[Entry]:
        for entry in self._entries:
            if entry.game is None:
                self._bad += 1
            else:
                name = _name(entry.game)
                self._names[name] = self._names.get(name, 0) + 1
            yield entry

    @property
    def what(self) -> str:
        """In the words of `Pasted.what`."""
        if self._pasted is not None:
            return self._pasted.what
        return _in_words(self._names, counted(sum(self._names.values()), "game"), "PDN", self._bad)


def _in_words(names: Iterable[str], content: str, form: str, bad: int) -> str:
    """ "checkers: 12 games (PDN), 1 not readable"."""
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
    """Return the start position on a board of this size."""
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
    """Read the games of a text. NotationError, or what the rules say, if it is nothing we know.

    `game` is meant where the text does not name one; default: a guess. `size` is the board of plain Connect Four moves;
    default: 7 x 6. A game in a file that cannot be read is among `problems`, and harms no other. `name` is what errors
    call the text. `check` is called often while a long text is read: what it raises ends the reading.
    """
    text = _bare(text)
    if _LINK.fullmatch(text):
        return _from_link(text)
    ours = our_json(text)
    if ours is not None:
        return _collected(_json_entries(ours, name), "JSON", check)
    if HEADER.search(text):
        return _from_pdn(text, game, name, check)
    guess = game or guessed(text)
    found = _plain(text, guess, size, name, check)
    found.is_guess = game is None
    return found


def read_one(text: str, game: str | None = None, size: tuple[int, int] | None = None) -> Pasted:
    """Read a text that stands for one position, with the moves that led to it; no text is the start.

    Of several games the first counts. IllegalPositionError if its moves cannot be played, NotationError if it cannot
    be read or is not a game of `game`.
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


def read_file(stream: BinaryIO, game: str | None = None, *, name: str = "text") -> GamesOfFile:
    """Read the games of an open file of any kind. PDN is read as it comes, so such a file may be of any length."""
    head = stream.read(_HEAD)
    start = decoded(head).strip()
    if HEADER.search(start) and not start.startswith(("{", "[{")):
        kind, is_guess = _kind_of(start, game)
        return GamesOfFile(read(chained(head, stream), name=name, game=kind), is_guess=is_guess)
    if not start:
        return GamesOfFile([], is_guess=False)
    try:
        found = read_anything(decoded(head + stream.read()), game, name=name)
        if found.link is not None:
            raise NotationError(found.link, "this is a link to a saved game, not a file of games")
    except OutplayError as error:
        failed = GameTextError(start, str(error), name, 1, 1)
        return GamesOfFile([Entry(1, 1, error=failed)], is_guess=False)
    return GamesOfFile(found.entries, is_guess=found.is_guess, pasted=found)


def guessed(text: str) -> str:
    """Guess which game a text without a GameType belongs to: `connect4` or `checkers`."""
    plain = _RESULT.sub(" ", _COMMENT.sub(" ", text))
    if CHECKERS_FEN.search(text) or _CHECKERS_MOVE.search(plain) or is_checkers_board(text):
        return "checkers"
    return "connect4"


def _bare(text: str) -> str:
    """Return the text without what people copy with it: quotes, a code fence, a label such as "FEN:"."""
    text = clean(text).strip().lstrip("\ufeff")
    fenced = _FENCE.fullmatch(text)
    text = fenced[1] if fenced else text
    for _ in range(3):
        before = text
        for left, right in _QUOTES.items():
            if len(text) > 1 and text[0] == left and text[-1] == right and not text.startswith('"]'):
                text = text[1:-1].strip()
        label = _LABEL.match(text)
        text = text[label.end() :] if label else text
        if text == before:
            break
    return text


def _plain(text: str, game: str, size: tuple[int, int] | None, name: str, check: Check) -> Pasted:
    """Read a text without headers: moves or one position."""
    if text.casefold() == "start":
        start = RULES[game].read("start", size if game == "connect4" else None)
        return Pasted([Entry(1, 1, game=Game(start))], is_position=True)
    fen = fen_in(game, text)
    if fen is not None:
        return _position(game, fen, "FEN")
    if game == "checkers":
        if _CHECKERS_MOVE.search(text):
            plain = text if "{" in text else text.replace(",", " ")
            return _moves(text, read(plain, name=name, game=game, check=check))
        if is_checkers_board(text):
            return _position(game, text, "rows")
        raise NotationError(text, UNKNOWN)
    return _plain_connect4(text, size or USUAL_SIZE, name, check)


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
    """Is each line a game of its own, as in a list of openings? Columns past 2 cannot be cells of a board."""
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
    """Read moves with numbers, a result or comments, as in "1. 4 4 2. 5 3 *"; None if they are plain columns."""
    if not re.match(r"\s*1\.", text) and not re.search(r"[{*]|\d-\d", text):
        return None
    entries = list(read(f'[Size "{size[0]}x{size[1]}"] {text}', name=name, game="connect4", check=check))
    is_number_wrong = re.fullmatch(r"[\s1-9.,;]+", text) is not None and any(entry.error for entry in entries)
    return None if is_number_wrong else _moves(text, entries)


def _moves(text: str, entries: Iterable[Entry]) -> Pasted:
    found = _collected(entries, "")
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
    if len(path) == 2 and path[0] == "game":
        return Pasted(link=path[1], form="link")
    if path == ["analyse"] and query.get("game", "") not in ("", *RULES):
        return Pasted(link=query["game"], form="link")
    game = path[1] if len(path) == 2 and path[0] == "play" else query.get("game", "")
    if game not in RULES or not query.get("pos"):
        raise NotationError(text, "this link names no game and no position of ours")
    found = read_one(query["pos"], game, _size(query.get("size", "")))
    found.form, found.is_guess = "link", False
    return found


def _size(text: str) -> tuple[int, int]:
    match = re.fullmatch(r"([0-9]{1,2})x([0-9]{1,2})", text)
    return (int(match[1]), int(match[2])) if match else USUAL_SIZE


# Files of games


def _from_pdn(text: str, game: str | None, name: str, check: Check) -> Pasted:
    kind, is_guess = _kind_of(text, game)
    found = _collected(read(text, name=name, game=kind, check=check), "PDN", check)
    found.is_guess = is_guess
    [first, *others] = found.entries
    if first.game is not None and not others and not first.game.main_line() and get(first.headers, "FEN"):
        found.is_position, found.form = True, "FEN"
    return found


def _kind_of(text: str, game: str | None) -> tuple[str, bool]:
    """Return the game of a text with headers, and whether it is a guess: PDN is checkers unless it cannot be."""
    if game is not None or _GAME_TYPE.search(text):
        return game or "checkers", False
    fen = re.search(r'\[\s*FEN\s*"([^"]*)"', text, re.IGNORECASE)
    body = _RESULT.sub(" ", _COMMENT.sub(" ", text))
    is_columns = re.search(r"(?<![-x])\b[1-9a-p]+\b(?![-x.])", body) and not _CHECKERS_MOVE.search(body)
    is_connect4 = "/" in fen[1] if fen else bool(is_columns)
    return ("connect4", True) if is_connect4 else ("checkers", False)


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
    waiting, count = [(game.root, 0)], -1  # the start is no move
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
