"""Remove what people copy along with a game: quotes, code fences, the > of e-mail, labels, names of colours."""

from __future__ import annotations

import re
import unicodedata

from outplay.notation.tokens import clean

_FENCE = re.compile(r"```\w*\n(.*?)\n?```", re.DOTALL)
_QUOTES = dict(zip("\"'`“«‘", "\"'`”»’", strict=True))  # noqa: RUF001
_LABEL = re.compile(r"(?:fen|position|pos|moves)\s*[:=]\s+|fen\s+", re.IGNORECASE)
_COLOUR = re.compile(r"\b(?:red|yellow|black|white)\b[ \t:=]*(?=[a-h]?[0-9])", re.IGNORECASE)
_MOVES_ONLY = re.compile(r"[0-9a-h\s.,;xX×:‐‑‒–—−*/-]*[0-9][0-9a-h\s.,;xX×:‐‑‒–—−*/-]*")  # noqa: RUF001


def bare(text: str) -> str:
    """Return the text without quotes, a code fence, the > of quoted e-mail and a label such as "FEN:"."""
    text = clean(text).strip().lstrip("\ufeff")
    fenced = _FENCE.fullmatch(text)
    text = fenced[1] if fenced else text
    lines = text.splitlines()
    if lines and all(line.startswith(">") or not line.strip() for line in lines):
        text = "\n".join(line.lstrip("> ") for line in lines).strip()
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


def plain(text: str) -> str:
    """Return moves or a position in our own signs: plain digits and letters, no colours, no semicolons between moves.

    For texts without headers only: the names of players stay as they are.
    """
    text = text if text.isascii() else "".join(map(_sign, text))
    text = _COLOUR.sub("", text)
    return "\n".join(map(_separated, text.splitlines())) if ";" in text else text


def _sign(sign: str) -> str:
    """Return a sign of another script in plain form: full-width digits and letters, digits of any script."""
    if sign.isdecimal():
        return str(unicodedata.decimal(sign))
    is_wide = "\uff01" <= sign <= "\uff5e" or sign == "\u3000"
    return unicodedata.normalize("NFKC", sign) if is_wide else sign


def _separated(line: str) -> str:
    """Return the line with semicolons as spaces if moves follow them; otherwise they begin a comment, as in PDN."""
    _, sign, rest = line.partition(";")
    return line.replace(";", " ") if sign and _MOVES_ONLY.fullmatch(rest) else line
