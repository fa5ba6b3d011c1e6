"""The colours of the app: the design tokens of the web app, light and dark, and what this terminal can show."""

from __future__ import annotations

import os
import re
import select
import sys
from contextlib import suppress
from typing import Any

from textual.theme import Theme

from outplay.tui.boards.palette import Depth

DARK = Theme(
    name="outplay-dark",
    primary="#8FB3FF",
    secondary="#B4B9C2",
    accent="#8FB3FF",
    foreground="#ECEDEF",
    background="#121418",
    surface="#1A1D22",
    panel="#23272E",
    success="#5FC4DE",
    warning="#F0A26C",
    error="#F0A26C",
    dark=True,
    variables={"win": "#5FC4DE", "draw": "#A9B0BB", "loss": "#F0A26C", "soft": "#989EA8", "lit": "#202C47"},
)
LIGHT = Theme(
    name="outplay-light",
    primary="#2A5BC0",
    secondary="#50545B",
    accent="#2A5BC0",
    foreground="#1A1C20",
    background="#F5F5F2",
    surface="#FFFFFF",
    panel="#EEEEEA",
    success="#0B6E8A",
    warning="#A2470C",
    error="#A2470C",
    dark=False,
    variables={"win": "#0B6E8A", "draw": "#5B6270", "loss": "#A2470C", "soft": "#63676E", "lit": "#E6EDFB"},
)
ANSWER_SECONDS = 0.15
"""How long a terminal may take to name its background."""


def board_depth(color_system: str | None, *, no_color: bool) -> Depth:
    """Return how boards are drawn with the colours of a terminal, as Rich names them."""
    if no_color or color_system is None:
        return "mono"
    if color_system == "truecolor":
        return "smooth"
    return "sharp" if color_system == "256" else "coarse"


def has_light_background() -> bool:
    """Return whether the terminal has a light background: by COLORFGBG, or by its own answer. No answer means dark."""
    fields = os.environ.get("COLORFGBG", "").split(";")
    if len(fields) > 1 and fields[-1].isdecimal():
        return int(fields[-1]) in (7, *range(9, 16))
    with suppress(OSError, ImportError, ValueError):
        return _is_light(_asked("\x1b]11;?\x1b\\"))
    return False


def _asked(question: str) -> str:
    """Return the terminal's answer. Every terminal answers the second question that is sent: then the wait ends."""
    import termios
    import tty

    terminal = sys.__stdin__
    if terminal is None or not terminal.isatty():
        return ""
    number, answer = terminal.fileno(), ""
    modes: Any = termios.tcgetattr(number)
    try:
        tty.setcbreak(number, termios.TCSANOW)
        os.write(number, f"{question}\x1b[c".encode())
        while select.select([number], [], [], ANSWER_SECONDS)[0] and not re.search(r"\x1b\[\?[\d;]*c", answer):
            answer += os.read(number, 1024).decode("ascii", "replace")
    finally:
        termios.tcsetattr(number, termios.TCSANOW, modes)
    return answer


def _is_light(answer: str) -> bool:
    found = re.search(r"rgb:([0-9a-fA-F]{2})[0-9a-fA-F]*/([0-9a-fA-F]{2})[0-9a-fA-F]*/([0-9a-fA-F]{2})", answer)
    if found is None:
        return False
    red, green, blue = (int(part, 16) for part in found.groups())
    return 0.299 * red + 0.587 * green + 0.114 * blue > 127
