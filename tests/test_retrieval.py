"""A function without keys: every key of its set gets its number back, and bytes of another form are refused."""

from __future__ import annotations

import random
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from outplay._core.connect4 import build_retrieval, find_all

WORD = 8


def made(count: int, bits: int, seed: int = 1) -> tuple[list[int], bytes, bytes]:
    """Random keys, their numbers, and the function."""
    chance = random.Random(seed)
    keys = list({chance.getrandbits(49) for _ in range(count)})
    numbers = bytes(chance.getrandbits(bits) for _ in keys)
    return keys, numbers, build_retrieval(keys, numbers, bits)


@pytest.mark.parametrize("bits", [1, 5, 8])
@pytest.mark.parametrize("count", [0, 1, 2, 63, 64, 65, 999, 1000, 1001, 30_000, 100_000])
def test_every_key_gets_its_number_back(count: int, bits: int) -> None:
    keys, numbers, function = made(count, bits)
    assert find_all(function, keys) == numbers


@given(st.dictionaries(st.integers(0, 2**64 - 1), st.integers(0, 31), max_size=200))
def test_any_set_of_keys_will_do(numbers: dict[int, int]) -> None:
    function = build_retrieval(list(numbers), bytes(numbers.values()), 5)
    assert find_all(function, list(numbers)) == bytes(numbers.values())


def test_keys_that_follow_each_other_will_do() -> None:
    keys, numbers = range(50_000), bytes(number % 32 for number in range(50_000))
    assert find_all(build_retrieval(keys, numbers, 5), keys) == numbers


def test_the_order_of_the_keys_makes_no_difference() -> None:
    keys, numbers, function = made(5000, 5)
    assert build_retrieval(keys[::-1], numbers[::-1], 5) == function


def test_it_takes_hardly_more_bits_than_the_numbers_have() -> None:
    _, numbers, function = made(100_000, 5)
    assert len(function) * 8 < 1.012 * 5 * len(numbers)


def test_other_keys_get_some_number() -> None:
    _, _, function = made(1000, 5)
    assert all(number < 32 for number in find_all(function, range(10_000)))


def test_a_key_with_two_numbers_is_refused() -> None:
    with pytest.raises(ValueError, match="a key is there twice"):
        build_retrieval([7, 7], bytes([1, 2]), 5)


@pytest.mark.parametrize(("numbers", "bits"), [(bytes(2), 5), (bytes([32]), 5), (bytes(1), 0), (bytes(1), 9)])
def test_what_cannot_be_is_refused(numbers: bytes, bits: int) -> None:
    with pytest.raises(ValueError, match="must be"):
        build_retrieval([7], numbers, bits)


def test_bytes_of_another_length_are_refused() -> None:
    _, _, function = made(300, 5)
    for length in range(len(function)):
        with pytest.raises(ValueError, match="not a retrieval structure"):
            find_all(function[:length], [])
    with pytest.raises(ValueError, match="not a retrieval structure"):
        find_all(function + bytes(WORD), [])


@given(st.data())
def test_damaged_bytes_never_lead_outside(data: st.DataObject) -> None:
    keys, _, function = made(300, 5)
    at = data.draw(st.integers(0, len(function) - 1) | st.integers(0, 5 * WORD))
    damaged = bytearray(function)
    damaged[at] ^= data.draw(st.integers(1, 255))
    with suppress(ValueError):  # refused
        assert len(find_all(bytes(damaged), keys)) == len(keys)
