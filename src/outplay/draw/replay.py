"""A game to step through in a notebook: one board, four buttons, no network."""

import json
from collections.abc import Sequence
from html import escape

from outplay.draw.svg import plain

_BUTTONS = (("first", "|<", "First position"), ("previous", "<", "Previous move"), ("next", ">", "Next move"),
            ("last", ">|", "Last position"))  # fmt: skip

# Starts every replay on the page that has not started yet: several on one page need no ids.
_SCRIPT = """
(() => {
  const root = document.currentScript?.getRootNode?.() ?? document;
  for (const replay of root.querySelectorAll(".outplay-replay:not([data-started])")) {
    replay.dataset.started = "yes";
    const { lines, frames, captions } = JSON.parse(replay.querySelector("script[type='application/json']").textContent);
    const board = replay.querySelector("[data-part=board]");
    const caption = replay.querySelector("[data-part=caption]");
    const buttons = Object.fromEntries([...replay.querySelectorAll("button")].map((each) => [each.dataset.go, each]));
    const end = frames.length - 1;
    let at = end;
    const targets = { first: () => 0, previous: () => at - 1, next: () => at + 1, last: () => end };
    const keys = { Home: "first", ArrowLeft: "previous", ArrowRight: "next", End: "last" };
    const mark = () => {
      for (const [name, button] of Object.entries(buttons)) {
        const isDisabled = at === (name === "first" || name === "previous" ? 0 : end);
        button.setAttribute("aria-disabled", String(isDisabled));
        button.style.opacity = isDisabled ? "0.4" : "1";
        button.style.cursor = isDisabled ? "default" : "pointer";
      }
    };
    const go = (name) => {
      at = Math.max(0, Math.min(end, targets[name]()));
      board.innerHTML = frames[at].map((line) => lines[line]).join("\\n");
      caption.textContent = captions[at];
      mark();
    };
    for (const [name, button] of Object.entries(buttons)) button.addEventListener("click", () => go(name));
    replay.addEventListener("keydown", (event) => {
      const name = keys[event.key];
      if (!name || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      event.stopPropagation();
      go(name);
    });
    replay.querySelector("[data-part=buttons]").hidden = false;
    mark();
  }
})();
"""


def replay_html(boards: Sequence[str], captions: Sequence[str], *, title: str = "") -> str:
    """Return HTML that steps through `boards` (SVG documents), each with its caption.

    Where scripts are off, it shows only the last board. It loads nothing from the network, and any number of replays
    can stand on one page. Arrow keys, Home and End work while one of the buttons has the focus. `captions` and
    `title` are plain text.
    """
    if not boards or len(boards) != len(captions):
        raise ValueError(
            f"boards: {len(boards)} boards and {len(captions)} captions; give the same number of both, at least 1"
        )
    texts = [plain(caption) for caption in captions]
    label = escape(plain(title) or "Game")
    heading = f"<p><b>{escape(plain(title))}</b></p>" if title else ""
    return (
        f'<div class="outplay-replay" role="group" aria-label="{label}" style="max-width: 360px">'
        f"{heading}"
        f'<div data-part="board">{_scaled(boards[-1])}</div>'
        f'<p data-part="caption" aria-live="polite">{escape(texts[-1])}</p>'
        f'<p data-part="buttons" hidden>{"".join(_button(*each) for each in _BUTTONS)}</p>'
        f'<script type="application/json">{_data(boards, texts)}</script>'
        f"<script>{_SCRIPT}</script>"
        "</div>"
    )


def _button(name: str, sign: str, label: str) -> str:
    style = "min-width: 44px; min-height: 44px; margin-right: 4px"
    return f'<button type="button" data-go="{name}" aria-label="{label}" style="{style}">{escape(sign)}</button>'


def _scaled(board: str) -> str:
    """Return the board scaled to the width of its container. The view box keeps its proportions."""
    head, sign, rest = board.partition(">")
    return f'{head} style="width: 100%; height: auto"{sign}{rest}'


def _data(boards: Sequence[str], captions: Sequence[str]) -> str:
    """Return all boards as JSON. Each line of SVG is stored once, because boards share most of their lines."""
    places: dict[str, int] = {}
    frames = [[places.setdefault(line, len(places)) for line in _scaled(board).splitlines()] for board in boards]
    text = json.dumps({"lines": list(places), "frames": frames, "captions": list(captions)}, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
