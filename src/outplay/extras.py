"""Optional packages: `pip install outplay` installs the library and the commands, extras install the rest.

A part that needs an extra calls `require` before its other imports, so that the error says how to install the extra.
"""

from __future__ import annotations

from importlib.util import find_spec

from outplay.errors import MissingExtraError

_NAMES = {"numpy": "NumPy", "distributed": "Dask", "sqlalchemy": "SQLAlchemy", "fastapi": "FastAPI"}
"""The usual names of packages that are imported under another name."""


def require(extra: str, *packages: str) -> None:
    """Raise MissingExtraError for the first of these packages that is not installed. None of them is imported."""
    for package in packages:
        if find_spec(package) is None:
            raise MissingExtraError(_NAMES.get(package, package), extra)
