"""The folders that outplay uses on this system: one for saved games and large tables, one for a cache.

The environment variables OUTPLAY_DATA and OUTPLAY_CACHE name other folders. Nothing here creates a folder.
"""

from __future__ import annotations

import os
from pathlib import Path

import platformdirs

NAME = "outplay"


def data_folder() -> Path:
    """Return the folder for what users would miss: saved games, endgame tables they built."""
    return _folder("OUTPLAY_DATA") or platformdirs.user_data_path(NAME, appauthor=False)


def cache_folder() -> Path:
    """Return the folder for what can be built again."""
    return _folder("OUTPLAY_CACHE") or platformdirs.user_cache_path(NAME, appauthor=False)


def _folder(variable: str) -> Path | None:
    text = os.environ.get(variable, "").strip()
    return Path(text).expanduser() if text else None
