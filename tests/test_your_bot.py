"""The bot of docs/your-bot.md, cut out of the page, beats depth 4."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from outplay import connect4
from outplay.engine.types import Limit
from outplay.live import LiveGame, Terms
from outplay.outcome import Side
from outplay.players import player

PAGE = Path(__file__).parent.parent / "docs" / "your-bot.md"
LISTINGS = re.findall(r"^```python\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


@pytest.fixture
def bot(tmp_path: Path) -> str:
    """The last listing of the page, which is a whole file."""
    path = tmp_path / "mybot.py"
    path.write_text(LISTINGS[-1], encoding="utf-8")
    return f"{path}:play"


def points(bot: str, seeds: range, *, depth: int | None = None, time_ms: int | None = None) -> float:
    """The share of points that the bot makes against plain minimax of depth 4, from both sides."""
    total = 0.0
    for seed in seeds:
        for side in Side:
            first, second = player(bot), player("lab:minimax", seed=seed)
            seats = (first, second) if side is Side.FIRST else (second, first)
            with LiveGame(connect4.Position(), Terms(seats, time_ms=time_ms, limit=Limit(depth=depth))) as game:
                game.start()
                state = game.wait(lambda state: state.outcome is not None, 120)
            assert state.failure is None
            assert state.outcome is not None
            total += 0.5 if state.outcome.winner is None else state.outcome.winner is side
    return total / (2 * len(seeds))


def test_the_bot_of_the_docs_beats_depth_4(bot: str) -> None:
    assert points(bot, range(3), depth=6) >= 0.8


@pytest.mark.slow
def test_the_bot_of_the_docs_beats_depth_4_by_the_clock(bot: str) -> None:
    assert points(bot, range(5), time_ms=300) >= 0.7


@pytest.mark.parametrize("number", range(len(LISTINGS)))
def test_every_bot_on_the_way_plays_a_whole_game(tmp_path: Path, number: int) -> None:
    if "def play(" not in LISTINGS[number]:
        return
    path = tmp_path / "mybot.py"
    path.write_text(LISTINGS[number], encoding="utf-8")
    seats = (player(f"{path}:play"), player("random", seed=1))
    with LiveGame(connect4.Position(), Terms(seats, time_ms=None, limit=Limit(depth=2))) as game:
        game.start()
        state = game.wait(lambda state: state.outcome is not None, 60)
    assert state.failure is None
    assert state.outcome is not None
