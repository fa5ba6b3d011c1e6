"""Table files as docs/tablebase.md specifies them, read and written without the help of the package."""

import struct
from collections.abc import Iterator, Sequence
from itertools import combinations

HEAD = struct.Struct("<8sHH4sQQ6Q8Q")
BLOCK = 4096
LOSS, DRAW, WIN = range(3)


def crc64(data: bytes) -> int:
    """CRC-64/XZ, bit by bit."""
    state = (1 << 64) - 1
    for byte in data:
        state ^= byte
        for _ in range(8):
            state = state >> 1 ^ (0xC96C5795D7870F42 if state & 1 else 0)
    return state ^ ((1 << 64) - 1)


def sealed(data: bytes) -> bytes:
    """The same file with the checksum that its bytes have."""
    checksum = crc64(data[:24] + bytes(8) + data[32:])
    return data[:24] + checksum.to_bytes(8, "little") + data[32:]


def section(values: Sequence[int]) -> bytes:
    """Values packed without any code: every block in two bits a position."""
    blocks = [values[at : at + BLOCK] for at in range(0, len(values), BLOCK)]
    directory, data = bytearray(), bytearray()
    for at in range(0, len(blocks), 16):
        begin = len(data)
        directory += begin.to_bytes(4, "little")
        for index in range(at, at + 16):
            directory += (len(data) - begin).to_bytes(2, "little")
            if index < len(blocks):
                data += raw(blocks[index])
    return bytes(80) + bytes(directory) + bytes(data) + bytes(8)


def raw(values: Sequence[int]) -> bytes:
    padded = [*values, *[0] * (-len(values) % 4)]
    return bytes(sum(padded[at + place] << 2 * place for place in range(4)) for at in range(0, len(padded), 4))


def file_of(name: str, values: Sequence[Sequence[int]], counts: Sequence[Sequence[int]]) -> bytes:
    """A table file with these values and these wins, draws and losses, by side to move."""
    sections = [section(side) for side in values]
    places, begin = [], HEAD.size
    for packed in (*sections, b"", b"", *[b""] * (2 - len(sections)))[:4]:
        places += [begin if packed else 0, len(packed)]
        begin += len(packed)
    numbers = [number for side in counts for number in side] + [0] * (6 - 3 * len(counts))
    head = HEAD.pack(b"outplayT", 1, 0, bytes(map(int, name)), begin, 0, *numbers, *places)
    return sealed(head + b"".join(sections))


def king_placements(men: int, first_kings: int, second_kings: int) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """The kings' squares (from 0) beside these men (bits), in the order of the file."""
    free = [square for square in range(32) if not men >> square & 1]
    for first in in_order(free, first_kings):
        for second in in_order([square for square in free if square not in first], second_kings):
            yield first, second


def in_order(squares: list[int], count: int) -> list[tuple[int, ...]]:
    """Return every set of `count` squares, ordered as binary numbers."""
    return sorted(combinations(squares, count), key=lambda chosen: sum(1 << square for square in chosen))
