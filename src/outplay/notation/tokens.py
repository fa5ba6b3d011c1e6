"""Cuts game text into tokens, line by line. Only this file knows the form of headers, comments and moves.

Both games share it. A Connect Four move is a WORD of columns (`4`, `4453`), a checkers move a MOVE (`11-15`,
`22x15x8`); white space and dots are skipped. Any other text becomes a BAD token that says why, and reading goes
on after it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from enum import Enum, auto
from itertools import count
from typing import NamedTuple, TextIO

MOST_IN_LINE = 1_000_000
MOST_IN_COMMENT = 1_000_000
"""The largest number of characters of a line or a comment: a damaged file must not fill the memory."""

MOST_GLYPH = 255
GLYPHS = {"!": 1, "?": 2, "!!": 3, "??": 4, "!?": 5, "?!": 6, "*": 7}
"""Signs after a move, and their numbers. A star is a sign only if no space separates it from the move."""


class Kind(Enum):
    HEADER = auto()
    COMMENT = auto()
    OPEN = auto()
    CLOSE = auto()
    GLYPH = auto()
    RESULT = auto()
    NUMBER = auto()
    MOVE = auto()
    WORD = auto()
    BAD = auto()


class Token(NamedTuple):
    """`text` is the cleaned text; `value` is a header's value, a glyph's number, or why a token is BAD."""

    kind: Kind
    text: str
    line: int
    value: str = ""


HEADER_NAME = re.compile(r'[^\s"\[\]\\{};\x00-\x1f\x7f-\x9f]+')
_HEADER = rf'\[\s*(?P<name>{HEADER_NAME.pattern})\s*"(?P<value>(?:[^"\\]|\\.|"(?!\s*\]))*+)"\s*\]'
_HEADER_LINE = re.compile(r'\[[A-Za-z]\w*\s+"')  # our comments have no such line: the comment was never closed
_DASH, _JUMP = "[-‐‑‒–—−]", "[xX×:]"  # noqa: RUF001
_TOKEN = re.compile(
    rf"""
    [\s.…]*+ (?:
      (?P<HEADER>{_HEADER})
    | (?P<brace>\{{)
    | (?P<rest>;.*)
    | (?P<GLYPH>\$[0-9]+ | \(\s*[!?]{{1,2}}\s*\) | [!?]{{1,2}} | (?<=[0-9A-Za-z])\*)
    | (?P<OPEN>\()
    | (?P<CLOSE>\))
    | (?P<RESULT>(?: 1\s*/\s*2\s*{_DASH}\s*1\s*/\s*2 | ½\s*{_DASH}\s*½ | 1/2
          | 1\s*{_DASH}\s*[01] | 2\s*{_DASH}\s*0 | 0\s*{_DASH}\s*[012] )(?![0-9/]|\s*(?:{_DASH}|{_JUMP}\s*[0-9]))
          | \*)
    | (?P<MOVE>[0-9]+(?:\s*(?:{_DASH}|{_JUMP})\s*[0-9]+)+)
    | (?P<NUMBER>[0-9]+(?=\.))
    | (?P<WORD>[0-9A-Za-z]+)
    | (?P<BAD>\[.*|[^\s(){{}};\[]+|.)
    | (?P<end>\Z)
    )""",
    re.VERBOSE,
)
_ASCII_MOVE = str.maketrans({**dict.fromkeys("‐‑‒–—−", "-"), "×": "x", "X": "x", ":": "x"})  # noqa: RUF001
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
"""Control characters, except tabs and line breaks."""
_ESCAPED = re.compile(r"\\([\"\\])")


def words(text: str) -> str:
    """Return the text with single spaces between words and none at the ends, as a file can hold it."""
    return " ".join(clean(text).split())


def clean(text: str) -> str:
    """Return the text without lone surrogates, which no file can hold, and control characters, which terminals obey."""
    text = text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")
    return _CONTROL.sub(" ", text) if _CONTROL.search(text) else text


def escape(value: str) -> str:
    """Return a header's value as it is written between the quotes."""
    return words(value).replace("\\", "\\\\").replace('"', '\\"')


def _unescape(value: str) -> str:
    return words(_ESCAPED.sub(r"\1", value))


def tokens(stream: TextIO, decode: Callable[[str], str] = clean) -> Iterator[Token]:
    """Read the tokens of a text one by one; `decode` is applied to each line first."""
    comment: _Comment | None = None
    for number in count(1):
        line = stream.readline(MOST_IN_LINE)
        if not line:
            break
        if len(line) == MOST_IN_LINE and not line.endswith("\n"):
            _skip_line(stream)
            yield Token(Kind.BAD, decode(line[:60]), number, f"a line of more than {MOST_IN_LINE} characters")
            continue
        line, at = decode(line).removeprefix("\ufeff" if number == 1 else ""), 0
        if comment is not None:
            if _HEADER_LINE.match(line):
                yield comment.bad("this comment has no end")
            else:
                at = comment.take(line, 0)
                if comment.is_open:
                    continue
                yield comment.token()
            comment = None
        elif line.startswith("%"):
            continue
        while at < len(line):
            match = _TOKEN.match(line, at)
            assert match is not None, "the last alternative takes any character"
            at = match.end()
            if match.lastgroup == "brace":
                comment = _Comment(number)
                at = comment.take(line, at)
                if comment.is_open:
                    break
                yield comment.token()
                comment = None
            elif match.lastgroup != "end":
                yield _token(match, number)
    if comment is not None:
        yield comment.bad("this comment has no end")


class _Comment:
    """A comment in braces while it is being read."""

    def __init__(self, line: int) -> None:
        self.line, self.is_open = line, True
        self._parts: list[str] = []
        self._length = 0

    def take(self, line: str, at: int) -> int:
        """Take the part of the line that belongs to the comment; return where the rest begins."""
        end = line.find("}", at)
        self.is_open = end < 0
        part = line[at:] if self.is_open else line[at:end]
        self._length += len(part)
        if self._length <= MOST_IN_COMMENT:
            self._parts.append(part)
        return len(line) if self.is_open else end + 1

    def _text(self) -> str:
        return words("".join(self._parts))

    def token(self) -> Token:
        if self._length > MOST_IN_COMMENT:
            return self.bad(f"a comment of more than {MOST_IN_COMMENT} characters")
        return Token(Kind.COMMENT, self._text(), self.line)

    def bad(self, reason: str) -> Token:
        return Token(Kind.BAD, "{" + self._text()[:60], self.line, reason)


def _token(match: re.Match[str], line: int) -> Token:
    group = match.lastgroup or ""
    text = match[group]
    if group in ("MOVE", "RESULT"):
        text = "".join(text.split()).translate(_ASCII_MOVE)
    if group == "HEADER":
        return Token(Kind.HEADER, match["name"], line, _unescape(match["value"]))
    if group == "rest":
        return Token(Kind.COMMENT, words(text[1:]), line)
    if group == "GLYPH":
        return _glyph(text, line)
    if group == "BAD":
        return Token(Kind.BAD, text, line, _why_bad(text))
    return Token(Kind[group], text, line)


def _glyph(text: str, line: int) -> Token:
    if not text.startswith("$"):
        return Token(Kind.GLYPH, text, line, str(GLYPHS["".join(text.strip("()").split())]))
    if len(text) > 4 or int(text[1:]) > MOST_GLYPH:
        return Token(Kind.BAD, text, line, f"a glyph is $0 to ${MOST_GLYPH}")
    return Token(Kind.GLYPH, text, line, str(int(text[1:])))


def _why_bad(text: str) -> str:
    if text.startswith("["):
        return 'a header looks like [Name "value"]'
    if text == "}":
        return "there is no comment to close"
    return "it is not a move, comment, variation, glyph or result"


def _skip_line(stream: TextIO) -> None:
    while (rest := stream.readline(MOST_IN_LINE)) and not rest.endswith("\n"):
        pass
