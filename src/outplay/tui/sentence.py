"""The two lines of text at the top of a page. The rest of a longer text is beside the board, which never moves."""

from __future__ import annotations

from textwrap import wrap

from textual.widgets import Static

LINES = 2
SIGN = " …"
"""The end of a text that is continued beside the board."""
LEAST_WIDTH = 20
"""A widget that is narrower than this has not been laid out yet."""


class Sentence(Static):
    """A sentence about the page, and a second one that adds to it: a refusal, a hint, what to press next."""

    def __init__(self) -> None:
        super().__init__(id="sentence", markup=False)
        self._first = self._second = ""

    @property
    def text(self) -> str:
        """The text to show, of any length: both sentences, or only the second one if it is longer than a line."""
        is_long = len(self._second) > self.content_size.width > LEAST_WIDTH
        told = (self._second,) if is_long else (self._first, self._second)
        return "\n".join(text for text in told if text)

    def show(self, first: str, second: str = "") -> None:
        self._first, self._second = first, second
        self._fit()

    def on_resize(self) -> None:
        self._fit()

    def _fit(self) -> None:
        shown, rest = fitted(self.text, self.content_size.width)
        self.update(shown)
        for more in self.screen.query("#more").results(Static):
            more.display = bool(rest)
            more.update(rest)


class More(Static):
    """The rest of a long sentence, beside or below the board."""

    def __init__(self) -> None:
        super().__init__(id="more", markup=False)
        self.display = False


def fitted(text: str, width: int) -> tuple[str, str]:
    """Return what fits in the two lines, and the rest. If there is a rest, the first part ends with SIGN."""
    if width <= LEAST_WIDTH:
        return text, ""
    lines = [line for part in text.split("\n") for line in _wrapped(part, width)]
    if len(lines) <= LINES:
        return text, ""
    *above, last = lines[:LINES]
    last, *more = _wrapped(last, width - len(SIGN))
    return "\n".join([*above, last + SIGN]), f"… {' '.join([*more, *lines[LINES:]])}"


def _wrapped(text: str, width: int) -> list[str]:
    """Return the lines of a text; a move such as 11-15 stays whole."""
    return wrap(text, width, break_on_hyphens=False) or [""]
