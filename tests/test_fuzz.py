"""A million texts and files at every reader: only our own errors come out, and each of them says something.

The texts are good ones with a few random changes, so that most of them get past the first check. `make sanitize` runs
this with address and undefined-behaviour sanitizers.
"""

from __future__ import annotations

import io
import random
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from outplay import RULES, Game, checkers, connect4
from outplay.checkers import Weights
from outplay.connect4 import Book, DeepBook
from outplay.engine.protocols import hub
from outplay.errors import CorruptTableError, OutplayError
from outplay.match.result import Played
from outplay.notation import any as pasted
from outplay.notation import headers, pdn, positions, write
from outplay.notation.json import as_json
from outplay.players import player
from outplay.tablebase.files import open_file, shipped_folder
from outplay.tablebase.material import Material
from tests.support.table_files import HEAD

MILLION = 1_000_000


# Changing texts


TOKENS = [
    *(
        "[",
        "]",
        "{",
        "}",
        "(",
        ")",
        '"',
        "'",
        "\\",
        "/",
        ":",
        ";",
        ",",
        ".",
        "-",
        "x",
        "X",
        "*",
        "$",
        "=",
        "?",
        "!",
        "&",
    ),
    *(
        "\n",
        "\r\n",
        "\t",
        " ",
        "\0",
        "\x1b[31m",
        "\x7f",
        "é",
        "\u2028",
        "\u202e",
        "\ufeff",
        "\U0001f600",
        "\uff11",
        "\ud800",
    ),
    *(
        "0",
        "1",
        "4",
        "7",
        "9",
        "a",
        "k",
        "z",
        "B",
        "W",
        "K",
        "00",
        "-1",
        "1e9",
        "NaN",
        "null",
        "true",
        "[]",
        "{}",
        "[[",
        '""',
    ),
    *(
        "11-15",
        "22x15",
        "1-0",
        "1/2-1/2",
        "2-0",
        "4453",
        "B:W18:B11",
        "start",
        "connect4",
        "checkers",
        '[FEN "',
        "20",
        "31",
    ),
    *("99999999999999999999", "9" * 400, "x" * 300, " " * 300, "(" * 200, "[" * 200, "1." * 100),
]


def changed(text: str, others: Sequence[str], chance: random.Random) -> str:
    """Return the text with one to four changes: a part cut out, doubled, replaced, or taken from another text."""
    for _ in range(chance.choice((1, 1, 2, 4))):
        first, second = sorted(chance.randrange(len(text) + 1) for _ in range(2))
        if second - first > 12 and chance.random() < 0.7:
            second = first + chance.randrange(12)
        part = text[first:second]
        other = chance.choice(others)
        at = chance.randrange(len(other) + 1)
        kind = chance.randrange(6)
        if kind == 0:
            part = ""
        elif kind == 1:
            part = part * chance.choice((2, 3, 20))
        elif kind == 2:
            part = part + chance.choice(TOKENS)
        elif kind == 3:
            part = chance.choice(TOKENS)
        elif kind == 4:
            part = other[at : at + chance.randrange(40)]
        else:
            part = chr(chance.choice((chance.randrange(128), chance.randrange(0x3000)))) + part[1:]
        text = (text[:first] + part + text[second:])[:5000]
    return text


def changed_bytes(data: bytes, chance: random.Random) -> bytes:
    """Return the data with one to four changes: mostly of single bytes, and mostly near the beginning."""
    changing = bytearray(data)
    for _ in range(chance.choice((1, 1, 2, 4))):
        at = chance.randrange(1 + min(len(changing), 160 if chance.random() < 0.6 else len(changing)))
        kind = chance.randrange(5)
        if kind <= 1:
            changing[at : at + 1] = bytes([chance.choice((0, 1, 127, 128, 255, chance.randrange(256)))])
        elif kind == 2:
            changing[at : at + 8] = chance.choice((0, 1, 2**31, 2**32 - 1, 2**63, 2**64 - 1)).to_bytes(8, "little")
        elif kind == 3:
            del changing[at : at + chance.choice((1, 8, 64, len(changing)))]
        else:
            changing[at:at] = changing[at : at + chance.choice((1, 8, 64))]
    return bytes(changing)


# Good texts

PDN = """[Event "Club"]
[Date "2024.05.01"]
[Black "A. Person"]
[White "B. \\"Bee\\" Person"]
[Result "1-0"]
[FEN "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12"]

1. 11-15 {sharp} 22-18 $1 (1... 23-19 2. 8-11 (2. 9-14 22-17) 22-17) 2. 15x22 25x18 3. 8-11! ; a line
4. 29-25 1-0
"""
PDN_CONNECT4 = (
    '[GameType "connect4"]\n[Width "7"]\n[Height "6"]\n[Result "*"]\n\n1. 4 4 2. 4 (2. 5 {left} 3) 3 3. 5 *\n'
)
MATCH = '[Round "12.1"]\n[Black "A"]\n[White "B"]\n[Result "1-0"]\n[Opening "11-15"]\n\n1. 11-15 22-18 1-0\n'
FENS = ["B:W18,24,27,K10:B12,16", "W:W:B1", "B:W21-32:B1-12", "W:WK3,K4:BK29", "[B:W18:B11]", "B:H0:F1:W1:B32."]
BOARDS = ["......./......./......./......./...1.../..212..", "1111/2222/..../....", "." * 7 + "/" + "2" * 7]
ROWS = [
    "[[0, 0, 0, 0], [0, 0, 0, 0], [0, 1, 2, 0], [1, 2, 1, 2]]",
    ". . . . . . .\n. . . x . . .\no x o x . . .\n1 2 3 4 5 6 7",
    "  b b b b\nb b b b  \n  b b b b\n. . . . \n . . . .\nw w w w  \n  w w w w\nw w w w  ",
]
MOVES = ["4453", "1. 4 4 2. 5 3", "a4", "11-15", "22x15", "11x18x25", "11-15 22-18 15x22 25x18", "1 5", "4,4,5,3"]
LINKS = [
    "http://127.0.0.1:8642/game/abcd1234?ply=3&flip=1",
    "https://school.example/outplay/play/connect4?pos=4453&size=8x8",
    "https://school.example/analyse?game=checkers&pos=B%3AW18%3AB11",
]
HUB = [
    'id name=Scan version=3.0 author="Fabien Letouzey" country=France',
    'pos pos=Bbbbbbbbbbbbbeeeeeeeewwwwwwwwwwww moves="11-15 22-18"',
    "level moves=9 time=291.587 inc=0.5 depth=12 nodes=1000",
    'info depth=12 score=-0.35 nodes=12 time=1.2 nps=0.1 pv="11-15 22-18 15x22x18"',
    "done move=11-15 ponder=22-18",
]
NAMES = ["level:3", "random", "solver", "searcher:depth=4,threads=1", "lab:five-phase", "lab:minimax:depth=3", "human"]
SIZES = ["7x6", "25x4", " 8 X 8"]


def _json_texts() -> list[str]:
    [game] = pdn.games(PDN)
    return [as_json(game), f"[{as_json(Game(connect4.Position.from_moves('4453')))}]"]


JSON = _json_texts()
EVERYTHING = [PDN, PDN_CONNECT4, MATCH, *FENS, *BOARDS, *ROWS, *MOVES, *LINKS, *JSON]


# Readers


@dataclass(frozen=True)
class Reader:
    """Something that reads texts."""

    read: Callable[[str], object]
    good: Sequence[str]
    count: int
    """How many changed texts it gets."""


def _read_games(text: str) -> None:
    """Read a file of games, and write what was read."""
    for entry in pdn.read(text):
        if entry.game is not None:
            write(entry.game)


def _read_bytes(text: str) -> None:
    data = text.encode("utf-8", "surrogatepass")
    for entry in pasted.read_file(io.BytesIO(data)):
        str(entry)


def _read_hub(text: str) -> None:
    """Read a line of the Hub protocol, and whatever its arguments mean."""
    message = hub.read_line(text)
    readers: list[Callable[[], object]] = [
        lambda: hub.read_limit(message),
        lambda: hub.read_info(message, checkers.Position()),
        lambda: hub.read_position(message.get("pos")),
        lambda: hub.read_move(checkers.Position(), message.get("move")),
        lambda: hub.read_score(message.get("score"), 3),
    ]
    for each in readers:
        _refused(each)
    str(message)


def _read_moves(text: str) -> None:
    """Read a move in a few positions of both games, and play it."""
    for position in _MOVE_POSITIONS:
        _refused(lambda position=position: position.play(position.parse(text)))  # type: ignore[misc]


_MOVE_POSITIONS: list[Any] = [
    checkers.Position(),
    checkers.Position.from_fen("B:W23,22,15,14:B11,10"),
    connect4.Position(),
    connect4.Position.from_moves("444444"),
    connect4.Position(25, 4),
]


def _refused(call: Callable[[], object]) -> None:
    """Call; an error of ours must say something, any other rises."""
    try:
        call()
    except OutplayError as error:
        if not str(error) or not repr(error):
            raise AssertionError("an error that says nothing") from error


READERS = {
    "checkers FEN": Reader(checkers.Position.from_fen, FENS, 140_000),
    "checkers move": Reader(checkers.Move, MOVES, 80_000),
    "Connect Four board": Reader(connect4.Position.from_fen, BOARDS, 80_000),
    "Connect Four digits": Reader(connect4.Position.from_moves, ["4453", "4455 3312", "1234567" * 5], 80_000),
    "a move in a position": Reader(_read_moves, MOVES, 60_000),
    "the command line, Connect Four": Reader(RULES["connect4"].read, [*BOARDS, *MOVES, "start"], 60_000),
    "the command line, checkers": Reader(RULES["checkers"].read, [*FENS, *MOVES, "start"], 60_000),
    "a position in words": Reader(lambda text: positions.position_in("connect4", text), [*BOARDS, *ROWS], 40_000),
    "a checkers position in words": Reader(
        lambda text: positions.position_in("checkers", text), [*FENS, *ROWS], 40_000
    ),
    "rows": Reader(positions.list_of_rows, ROWS, 40_000),
    "a drawn board": Reader(
        lambda text: positions.read_board("checkers", text, (8, 8), 1), ["b" * 12 + "." * 8 + "w" * 12], 20_000
    ),
    "columns": Reader(lambda text: positions.columns_in(text, (7, 6)), MOVES, 20_000),
    "a size": Reader(headers.read_size, SIZES, 20_000),
    "PDN": Reader(_read_games, [PDN, PDN_CONNECT4, MATCH], 40_000),
    "PDN of Connect Four": Reader(
        lambda text: list(pdn.read(text, game="connect4")), [PDN_CONNECT4, "4 4 5 3"], 20_000
    ),
    "a file": Reader(_read_bytes, EVERYTHING, 20_000),
    "a game of a match": Reader(Played.read, [MATCH], 10_000),
    "anything pasted": Reader(pasted.read_anything, EVERYTHING, 50_000),
    "one thing pasted": Reader(pasted.read_one, EVERYTHING, 20_000),
    "links": Reader(pasted.read_anything, LINKS, 20_000),
    "JSON": Reader(pasted.read_anything, JSON, 20_000),
    "the Hub protocol": Reader(_read_hub, HUB, 40_000),
    "a player's name": Reader(player, NAMES, 10_000),
    "a material": Reader(Material.parse, ["1201", "0101"], 10_000),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", READERS)
def test_changed_texts_are_read_or_refused(name: str) -> None:
    reader, chance = READERS[name], random.Random(name)
    for _ in range(reader.count):
        text = changed(chance.choice(reader.good), EVERYTHING, chance)
        try:
            _refused(lambda text=text: reader.read(text))  # type: ignore[misc]
        except Exception as error:
            raise AssertionError(f"{error!r} for {text!a}") from error


@pytest.mark.parametrize("name", READERS)
def test_the_good_texts_are_read(name: str) -> None:
    """At least one of them, so that the changed ones start from something that reaches the end of a reader."""
    reader = READERS[name]
    read = []
    for text in reader.good:
        try:
            read.append(reader.read(text))
        except OutplayError:
            continue
    assert read


# Files


def _crc64_table() -> list[int]:
    table = []
    for state in range(256):
        for _ in range(8):
            state = state >> 1 ^ (0xC96C5795D7870F42 if state & 1 else 0)
        table.append(state)
    return table


_CRC64 = _crc64_table()


def crc64(data: bytes) -> int:
    """CRC-64/XZ, of which the file formats say that it seals them."""
    state = (1 << 64) - 1
    for byte in data:
        state = state >> 8 ^ _CRC64[(state ^ byte) & 255]
    return state ^ ((1 << 64) - 1)


def fnv(data: bytes) -> int:
    """FNV-1a in 64 bits."""
    state = 0xCBF29CE484222325
    for byte in data:
        state = (state ^ byte) * 0x100000001B3 & (1 << 64) - 1
    return state


def sealed_table(data: bytes) -> bytes:
    if len(data) < HEAD.size:
        return data
    data = data[:16] + len(data).to_bytes(8, "little") + data[24:]
    return data[:24] + crc64(data[:24] + bytes(8) + data[32:]).to_bytes(8, "little") + data[32:]


def sealed_book(data: bytes) -> bytes:
    return data[:-8] + fnv(data[:-8]).to_bytes(8, "little")


def sealed_deep_book(data: bytes) -> bytes:
    return data[:-8] + crc64(data[:-8]).to_bytes(8, "little")


def _read_table(path: Path) -> None:
    checkers.Endgames([open_file(path)])  # unpacks it


def _read_book(path: Path) -> None:
    book = Book.open(path)
    book.get(connect4.Position(book.width, book.height))


def _read_deep_book(path: Path) -> None:
    book = DeepBook.open(path)
    book.get(connect4.Position(book.width, book.height))


def _read_weights(path: Path) -> None:
    Weights.from_bytes(path.read_bytes())


@dataclass(frozen=True)
class File:
    """A kind of file: how one is made, read, and given the checksum that its bytes have."""

    name: str
    make: Callable[[Path], object]
    read: Callable[[Path], object]
    sealed: Callable[[bytes], bytes]
    count: int


def _make_table(path: Path) -> None:
    path.write_bytes((shipped_folder() / path.name).read_bytes())


def _make_book(path: Path) -> None:
    count = len(Book.positions(3, width=4, height=4))
    Book.from_scores(3, [0] * count, width=4, height=4).save(path)


def _make_deep_book(path: Path) -> None:
    count = len(DeepBook.members(2, width=4, height=4))
    DeepBook.from_scores(2, [0] * count, width=4, height=4).save(path)


FILES = [
    File("1010.table", _make_table, _read_table, sealed_table, 10_000),
    File("some.book", _make_book, _read_book, sealed_book, 10_000),
    File("some.deep", _make_deep_book, _read_deep_book, sealed_deep_book, 10_000),
    File("some.weights", lambda path: path.write_bytes(Weights.plain().to_bytes()), _read_weights, bytes, 1_000),
]


@pytest.fixture
def quick_folder() -> Iterator[Path]:
    """A folder in memory, where there is one: thousands of files are written."""
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as name:
        yield Path(name)


@pytest.mark.slow
@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_changed_files_are_read_or_refused(file: File, quick_folder: Path) -> None:
    """Half of them with the right checksum: otherwise it would hide what comes behind it."""
    path, chance = quick_folder / file.name, random.Random(file.name)
    file.make(path)
    good = path.read_bytes()
    file.read(path)
    for number in range(file.count):
        data = changed_bytes(good, chance)
        path.write_bytes(file.sealed(data) if number % 2 else data)
        try:
            _refused(lambda: file.read(path))
        except Exception as error:
            raise AssertionError(f"{error!r} for {path.read_bytes()[:1000].hex()}") from error


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_a_file_with_its_own_checksum_is_read(file: File, tmp_path: Path) -> None:
    path = tmp_path / file.name
    file.make(path)
    path.write_bytes(file.sealed(path.read_bytes()))
    file.read(path)
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises((CorruptTableError, OutplayError)):
        file.read(path)


def test_they_are_a_million_in_all() -> None:
    texts, files = sum(reader.count for reader in READERS.values()), sum(file.count for file in FILES)
    assert texts + files >= MILLION
