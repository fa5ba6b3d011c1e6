"""A home folder for the tests: what the user has built, saved or set does not affect them."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

FOLDERS = {
    "HOME": ".",
    "XDG_CACHE_HOME": ".cache",
    "XDG_CONFIG_HOME": ".config",
    "XDG_DATA_HOME": ".local/share",
    "XDG_STATE_HOME": ".local/state",
    "OUTPLAY_CACHE": "cache",
    "OUTPLAY_DATA": "data",
}
KEPT = {"OUTPLAY_CORPORA"}
"""Names the folder of public collections, which belong to no user."""

_before: dict[str, str] = {}


def move_into(home: str) -> Callable[[], None]:
    """Hide what the user owns from this process and those it starts; return a function that moves back."""
    _before.update(os.environ)
    for name in [name for name in os.environ if name.startswith("OUTPLAY_") and name not in KEPT]:
        del os.environ[name]
    os.environ.update({name: str(Path(home, folder)) for name, folder in FOLDERS.items()})
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # hundreds of processes: each would compile outplay again
    return _move_back


def _move_back() -> None:
    os.environ.clear()
    os.environ.update(_before)


def of_the_suite() -> dict[str, str]:
    """Return the variables that name this home, for a process that inherits no others."""
    return {name: os.environ[name] for name in FOLDERS}


def of_the_user() -> dict[str, str]:
    """Return the environment before the move, for tools that build: pip and npm find their settings in it."""
    return dict(_before)
