"""The folders that outplay uses on this system: one for saved games, one for data that can be built again.

The environment variables OUTPLAY_DATA and OUTPLAY_CACHE name other folders. Nothing here creates a folder.
"""

from __future__ import annotations

import os
from pathlib import Path

import platformdirs

NAME = "outplay"


def data_folder() -> Path:
    """Return the folder for data that users would miss if it were lost, such as saved games."""
    return _folder("OUTPLAY_DATA") or platformdirs.user_data_path(NAME, appauthor=False)


def cache_folder() -> Path:
    """Return the folder for data that can be built again."""
    return _folder("OUTPLAY_CACHE") or platformdirs.user_cache_path(NAME, appauthor=False)


def _folder(variable: str) -> Path | None:
    text = os.environ.get(variable, "").strip()
    return Path(text).expanduser() if text else None
