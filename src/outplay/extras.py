"""Optional packages: `pip install outplay` brings the library and the commands, extras bring the rest.

A part that needs an extra calls `require` before its other imports, so that its user reads which line installs it.
"""

from __future__ import annotations

from importlib.util import find_spec

from outplay.errors import MissingExtraError

_NAMES = {"numpy": "NumPy", "distributed": "Dask", "sqlalchemy": "SQLAlchemy", "fastapi": "FastAPI"}
"""What people call a package, if that is not the name it is imported by."""


def require(extra: str, *packages: str) -> None:
    """Raise MissingExtraError for the first of these packages that is not installed; it loads none of them."""
    for package in packages:
        if find_spec(package) is None:
            raise MissingExtraError(_NAMES.get(package, package), extra)
