"""Read the players of a tournament from a command line: sandbox bots and programs, and give each player a name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from outplay.engine.sandbox import Sandbox
from outplay.match.tournament import names_of


def entries(players: Sequence[str], sandbox: Sandbox) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the players, and their names.

    A bot is named by its file without `.py`, a program by the file name of its command. If several players would have
    the same name, each of them is called as on the command line.
    """
    short = [short_name(text) for text in players]
    counts = Counter(short)
    names = names_of([name if counts[name] == 1 else text for name, text in zip(short, players, strict=True)])
    return tuple(housed(text, sandbox) for text in players), names


def is_guest(text: str) -> bool:
    """Return True for bots and programs: code that is not ours."""
    return text.startswith(("hub:", "cmd:")) or ".py" in (text[-3:], text.rpartition(":")[0][-3:])


def housed(text: str, sandbox: Sandbox) -> str:
    """Return the full name of a player, which puts a bot or a program in the sandbox."""
    if not is_guest(text) or text.startswith(("guest:", "guest,")):
        return text
    return f"guest,sandbox={sandbox.kind},memory_mib={sandbox.memory_mib}:{text}"


def short_name(text: str) -> str:
    if text.startswith(("hub:", "cmd:")):
        return Path(text[4:].split()[0] if text[4:].split() else text).name
    path = text.rpartition(":")[0]
    return Path(path if path.endswith(".py") else text).stem if is_guest(text) else text
