"""The themes of puzzles: what a solution is about, found by looking at its moves."""

from __future__ import annotations

THEMES: dict[str, dict[str, str]] = {
    "connect4": {
        "win-and-block": "Win and block",
        "double-threat": "Double threat",
        "stacked": "Two in one column",
        "forcing": "Forcing moves",
        "quiet": "Quiet moves",
        "odd-even": "Odd and even",
        "defence": "Defence",
    },
    "checkers": {
        "capture": "Which capture",
        "two-for-one": "Two for one",
        "shot": "The shot",
        "breakthrough": "Breakthrough",
        "king": "Kings at work",
        "ending": "Endings",
        "attack": "Win a man",
        "defence": "Defence",
    },
}
"""The themes of each game, and their names on screen."""
