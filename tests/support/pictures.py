"""Pictures of the terminal app for the documentation and the tests: Textual's own SVG, without fonts from the network.

To make them again: python -m tests.support.pictures
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from unittest import mock

from outplay import checkers
from outplay.learn import shipped_puzzles
from outplay.live import Terms
from outplay.players import HUMAN, player
from outplay.record import Game
from outplay.rules import RULES
from outplay.store import SavedGame
from outplay.tui.analyse import AnalysePage
from outplay.tui.lab import LabPage
from outplay.tui.puzzles import PuzzlesPage
from outplay.tui.start import AppStart
from tests.support import ROOT
from tests.support.tui import Player, Script, drive

FOLDER = ROOT / "docs" / "img" / "terminal"
HUMANS = (HUMAN, HUMAN)
SAME = 4
"""The number of equal screens in a row after which nothing more happens."""
MOST_DRAWN = 100
JUMPS = checkers.Position.from_fen("B:W18,19,25,26,30,K4:B5,9,10,11,15,K29")


@dataclass(frozen=True, slots=True)
class Picture:
    """One picture: how the app is opened, and what is done before it is taken."""

    name: str
    script: Script
    start: AppStart = field(default_factory=AppStart)
    size: tuple[int, int] = (80, 24)
    is_light: bool = False
    env: dict[str, str] = field(default_factory=dict)

    def draw(self) -> str:
        """Run the app and return its screen as SVG."""
        drawn: list[str] = []

        async def script(me: Player) -> None:
            await self.script(me)
            await me.until(lambda: len(me.app.screen.query("FooterKey")) > 1)
            while len(drawn) < SAME or len(set(drawn[-SAME:])) > 1:  # until the screen has come to rest
                assert len(drawn) < MOST_DRAWN, "the screen never comes to rest"
                await me.pilot.pause(0.15)
                drawn.append(me.app.export_screenshot(simplify=True))

        words, lab = (mock.patch(f"outplay.tui.{name}.time_text", return_value="3 ms") for name in ("words", "lab"))
        with words, lab:  # times differ from run to run
            drive(script, self.start, size=self.size, is_light=self.is_light, **self.env)
        svg = re.sub(r"@font-face \{.*?\}\s*", "", drawn[-1], flags=re.DOTALL)
        return re.sub(r"terminal-\d+-", "terminal-", svg)


async def three_moves(me: Player) -> None:
    """Connect Four against level 2, with its glass box."""
    for number, key in enumerate("435", 1):
        await me.press(key)
        await me.until(lambda: me.state.ply == 2 * number)  # noqa: B023
    await me.until_shown()


async def must_capture(me: Player) -> None:
    """Checkers, with a capture that is compulsory and a move that is refused."""
    await me.type("9-13")
    await me.until(lambda: "You must capture" in me.sentence)
    await me.press("escape")
    await me.type("9-13")
    await me.until(lambda: "You must capture" in me.sentence)


async def nothing(me: Player) -> None:
    """The page as it opens."""
    await me.until_shown()


async def analysed(me: Player) -> None:
    """A game with its review and a variation."""
    await me.until(lambda: me.app.services.is_open)
    game = Game(RULES["connect4"].start())
    game.go_to(game.root.add_line("44455554221"))
    me.app.analyse(None, game)
    await me.until(lambda: isinstance(me.app.screen, AnalysePage) and me.app.screen.is_ready)
    page = me.app.screen
    assert isinstance(page, AnalysePage)
    await me.press("k", "7", "v")
    await me.until(lambda: page.mistakes.review is not None and page.mistakes.review.is_complete)
    await me.press("l")


async def cursor(me: Player) -> None:
    """Checkers, with the cursor on a square where the chosen piece may land."""
    await me.walk_to(15)
    await me.press("enter")
    await me.walk_to(me.board.drawing.targets[0])


async def lesson(me: Player) -> None:
    """A task of a lesson."""
    await me.burst("f4", "n", "n")


async def puzzle(me: Player) -> None:
    """A puzzle, with a hint."""
    await me.burst("f5")
    page = me.app.screen
    assert isinstance(page, PuzzlesPage)
    page.open(shipped_puzzles("checkers")[0])
    await me.burst("h", "h", "h")


async def ladder(me: Player) -> None:
    """The ladder of the lab."""
    await me.burst("f6", "r")
    page = me.app.screen
    assert isinstance(page, LabPage)
    await me.until(lambda: page.finding is not None and page.finding.is_complete)


async def library(me: Player) -> None:
    """A few games."""
    await me.until(lambda: me.app.services.is_open)
    for day, (game, moves, seats) in enumerate(GAMES, 1):
        record = Game(RULES[game].start())
        record.go_to(record.root.add_line(moves))
        terms = Terms(seats=(player(seats[0]), player(seats[1])))
        record.headers["Date"] = f"2026.05.0{day}"
        me.app.services.store().add([SavedGame(f"game{day}", record, terms)])
    await me.burst("f7")


GAMES = (
    ("connect4", "4141414", ("human", "level:2")),
    ("checkers", "11-15 22-18 15x22 25x18", ("level:5", "level:3")),
    ("connect4", "445", ("human", "human")),
)
DARK = AppStart(seed=1)
FEW_COLOURS = {"COLORTERM": ""}
"""256 colours: no blended edges."""
FEWEST_COLOURS = {"COLORTERM": "", "TERM": "linux"}
"""16 colours."""
PICTURES = (
    Picture("play-connect4", three_moves, DARK),
    Picture("play-connect4-light", three_moves, DARK, is_light=True),
    Picture("play-connect4-no-colour", three_moves, DARK, env={"NO_COLOR": "1"}),
    Picture("play-checkers-200x60", nothing, AppStart(game="checkers", seats=HUMANS), (200, 60), env=FEW_COLOURS),
    Picture("play-checkers", must_capture, AppStart(game="checkers", seats=HUMANS, position=JUMPS)),
    Picture(
        "play-checkers-120x40-light",
        must_capture,
        AppStart(game="checkers", seats=HUMANS, position=JUMPS),
        (120, 40),
        is_light=True,
    ),
    Picture(
        "play-checkers-16-colours",
        must_capture,
        AppStart(game="checkers", seats=HUMANS, position=JUMPS),
        env=FEWEST_COLOURS,
    ),
    Picture(
        "play-checkers-no-colour",
        nothing,
        AppStart(game="checkers", seats=HUMANS, position=JUMPS),
        env={"NO_COLOR": "1"},
    ),
    Picture(
        "play-checkers-no-colour-cursor",
        cursor,
        AppStart(game="checkers", seats=HUMANS, position=JUMPS),
        env={"NO_COLOR": "1"},
    ),
    Picture("learn", lesson),
    Picture("puzzles", puzzle),
    Picture("lab", ladder),
    Picture("library", library, size=(100, 24)),
    Picture("analyse", analysed, AppStart(seats=HUMANS), (100, 26)),
)

if __name__ == "__main__":
    FOLDER.mkdir(parents=True, exist_ok=True)
    for picture in PICTURES:
        (FOLDER / f"{picture.name}.svg").write_text(picture.draw(), encoding="utf-8")
