"""What the browser tests share: people with their input devices, and the pages."""

from __future__ import annotations

import shutil

BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
"""The first that is there. The shell is Chromium without its own windows: the same pages for 40 % of the work."""
NO_BROWSER = f"no browser: none of {', '.join(BROWSERS)} is installed"


def installed_browser() -> str | None:
    return next(filter(None, map(shutil.which, BROWSERS)), None)
