"""What both SVG boards share: colours, elements, the document and score chips."""

from collections.abc import Iterable
from html import escape

Style = dict[str, str | float]

# The design tokens of the web app, light theme, so that a board looks the same wherever it is drawn.
COLOURS = {
    "board": "#1E3A6E",
    "board-edge": "#172E58",
    "board-lip": "#33558F",
    "board-ink": "#C9D5EE",
    "hole": "#0B1730",
    "red": "#C2263A",
    "red-rim": "#DA4C5D",
    "red-mark": "#FFF0EC",
    "yellow": "#FFD447",
    "yellow-rim": "#FFE48C",
    "yellow-mark": "#614700",
    "square-dark": "#6B8F71",
    "square-lit": "#97B19C",
    "square-light": "#EFE8D2",
    "square-ink": "#0F1D12",
    "man-dark": "#2B2B2F",
    "man-dark-groove": "#7C7C86",
    "man-dark-edge": "#0E0E10",
    "man-light": "#F7F3E8",
    "man-light-groove": "#A89C7C",
    "man-light-edge": "#17171A",
    "mark": "#FFFFFF",
    "must": "#14306B",
    "win": "#0B6E8A",
    "win-soft": "#DCEDF2",
    "draw": "#5B6270",
    "draw-soft": "#E8E9EC",
    "loss": "#A2470C",
    "loss-soft": "#F6E6DA",
    "ink": "#50545B",
    "accent": "#2A5BC0",
    "line": "#C6C6BE",
    "text": "#1A1C20",
    "faint": "#63676E",
    "sunken": "#EEEEEA",
    "surface": "#FFFFFF",
    "control": "#85888E",
}

FONT = "system-ui, -apple-system, Segoe UI, Roboto, Noto Sans, DejaVu Sans, sans-serif"
MINUS = "\N{MINUS SIGN}"
_TINTS = {"+": "win", "=": "draw", "-": "loss", MINUS: "loss"}
_GLYPH_WIDTH = 0.66  # of the font size: DejaVu Sans, the widest common face, a little bold


def plain(text: str) -> str:
    """Return `text` on one line, with a replacement for each character that XML or a terminal must not get."""
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in " ".join(text.split()))


def element(name: str, content: str | None = None, /, **attributes: str | float) -> str:
    """Return one SVG element. `stroke_width=3` becomes stroke-width="3"; `content` is SVG already, not text."""
    head = "".join(f' {key.replace("_", "-")}="{_value(value)}"' for key, value in attributes.items())
    return f"<{name}{head}/>" if content is None else f"<{name}{head}>{content}</{name}>"


def group(parts: Iterable[str], /, **attributes: str | float) -> str:
    """Group elements that share `attributes`, one to a line; return an empty string if there are none."""
    lines = list(parts)
    return element("g", "\n" + "\n".join(lines) + "\n", **attributes) if lines else ""


def words(x: float, y: float, text: str, /, **attributes: str | float) -> str:
    """Return text whose baseline begins (or, with text_anchor, is centred) at x, y."""
    return element("text", escape(plain(text)), x=x, y=y, **attributes)


def document(width: float, height: float, title: str, parts: Iterable[str], *, top: float = 0) -> str:
    """Return a whole SVG file. Screen readers read its `title`; `top` is the space above y = 0."""
    return element(
        "svg",
        "\n".join(["", element("title", escape(plain(title))), *filter(None, parts), ""]),
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 {-top:g} {width:g} {height + top:g}",
        width=width,
        height=height + top,
        role="img",
        font_family=FONT,
    )


def chip(x: float, y: float, width: float, height: float, text: str) -> str:
    """Return a small label centred at x, y; long text is set in smaller type.

    A text that begins with +, = or - has the colour of that sign. A text that begins with ~ is an estimate: its label
    has a dashed edge and no colour.
    """
    is_estimate, text = text.startswith("~"), _shown(text)
    tint = "" if is_estimate else _TINTS.get(text[:1], "")
    lines = _lines(text, is_estimate) if height >= 40 else [text]
    sizes = [_fitting(line, width - 6, (height - 2) / len(lines)) for line in lines]
    top = y - 0.6 * sum(sizes)
    texts: list[str] = []
    for line, size in zip(lines, sizes, strict=True):
        weight = 500 if texts else 600
        texts.append(words(x, round(top + 0.95 * size, 2), line, font_size=size, font_weight=weight))
        top += 1.2 * size
    box: Style = {"x": x - width / 2, "y": y - height / 2, "width": width, "height": height, "rx": 6}
    face = element("rect", **box, **_face(tint, is_estimate))
    return group([face, *texts], fill=COLOURS[tint or "ink"], text_anchor="middle")


def spoken(text: str) -> str:
    """Return the text of a mark as the board's `<title>` says it to a screen reader."""
    return f"estimated {_shown(text)}" if text.startswith("~") else _shown(text)


def _shown(text: str) -> str:
    text = plain(text.removeprefix("~"))
    return MINUS + text[1:] if text.startswith("-") else text


def _face(tint: str, is_estimate: bool) -> Style:
    if is_estimate:
        dashed: Style = {"stroke": COLOURS["control"], "stroke_width": 1.5, "stroke_dasharray": "4 3"}
        return {"fill": COLOURS["surface"], **dashed}
    return {"fill": COLOURS[f"{tint}-soft" if tint else "sunken"]}


def _lines(text: str, is_estimate: bool) -> list[str]:
    """Return the lines of a label: an estimate says so in its second line, a long text has two lines."""
    parts = text.split(" ")
    if is_estimate:
        return [text, "estimated"]
    if len(text) <= 7 or len(parts) == 1:
        return [text]
    halves = [[" ".join(parts[:n]), " ".join(parts[n:])] for n in range(1, len(parts))]
    return min(halves, key=lambda pair: max(map(len, pair)))


def _fitting(line: str, width: float, height: float) -> float:
    return round(min(16.0, width / (_GLYPH_WIDTH * max(1, len(line))), height / 1.2), 2)


def _value(value: str | float) -> str:
    return escape(value) if isinstance(value, str) else f"{value:g}"
