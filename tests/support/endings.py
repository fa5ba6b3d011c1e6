"""Checkers positions of a few pieces, for the tables to answer."""

from random import Random

from hypothesis import strategies as st

from outplay.checkers import Position


def random_ending(random: Random, pieces: int) -> Position:
    """Return a random position of this many pieces, at least one a side."""
    squares = random.sample(range(1, 33), pieces)
    return ending(random.choice("BW"), squares, [random.randrange(4) for _ in squares])


@st.composite
def endings(draw: st.DrawFn, least: int = 2, most: int = 4) -> Position:
    """Return a random position of this many pieces, at least one a side."""
    count = draw(st.integers(least, most))
    squares = draw(st.lists(st.integers(1, 32), min_size=count, max_size=count, unique=True))
    kinds = draw(st.lists(st.integers(0, 3), min_size=count, max_size=count))
    return ending(draw(st.sampled_from("BW")), squares, kinds)


def ending(side: str, squares: list[int], kinds: list[int]) -> Position:
    """Pieces of kind 0 to 3: even ones are Black's, the higher ones are kings, as are men on their crowning row."""
    pieces: dict[str, list[str]] = {"B": [], "W": []}
    for index, (square, kind) in enumerate(zip(squares, kinds, strict=True)):
        colour = "BW"[index if index < 2 else kind % 2]  # one of each at least
        is_king = kind >= 2 or (square > 28 if colour == "B" else square < 5)
        pieces[colour].append(f"{'K' if is_king else ''}{square}")
    return Position.from_fen(f"{side}:W{','.join(pieces['W'])}:B{','.join(pieces['B'])}")
