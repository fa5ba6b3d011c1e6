"""The pixels of a screenshot, as a person without colour vision sees them."""

from __future__ import annotations

import base64
from collections.abc import Sequence

from playwright.sync_api import Browser

_READ = """
  async ({ png, rings }) => {
    const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${png}`)).blob());
    const canvas = new OffscreenCanvas(image.width, image.height);
    const context = canvas.getContext("2d");
    context.drawImage(image, 0, 0);
    const at = (x, y) => [...context.getImageData(Math.round(x), Math.round(y), 1, 1).data];
    return rings.map(({ x, y, r }) =>
      Array.from({ length: 24 }, (_, i) => at(x + r * Math.cos(i * Math.PI / 12), y + r * Math.sin(i * Math.PI / 12))));
  }
"""
Ring = tuple[float, float, float]
"""Centre and radius, in pixels of the picture."""


def luminances(browser: Browser, png: bytes, rings: Sequence[Ring]) -> list[float]:
    """The mean relative luminance (0 black, 1 white) along each ring; colours in the picture are an error."""
    page = browser.new_page()
    asked = [{"x": x, "y": y, "r": r} for x, y, r in rings]
    read: list[list[list[int]]] = page.evaluate(_READ, {"png": base64.b64encode(png).decode(), "rings": asked})
    page.close()
    return [sum(map(_luminance, ring)) / len(ring) for ring in read]


def contrast(one: float, other: float) -> float:
    """The ratio that the accessibility guidelines ask for: 3 for drawings, 4.5 for text."""
    darker, lighter = sorted((one, other))
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(pixel: list[int]) -> float:
    red, green, blue = pixel[:3]
    assert max(red, green, blue) - min(red, green, blue) <= 2, "this picture has colours"
    share = red / 255
    return share / 12.92 if share <= 0.04045 else float(((share + 0.055) / 1.055) ** 2.4)
